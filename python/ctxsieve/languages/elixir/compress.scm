(comment) @comment
(do_block (_) @body.statement)
