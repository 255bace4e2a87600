(comment) @comment
(do_block (_) @body.statement)
(list (_) @row)
(keywords (_) @row)
(map_content (_) @row)
(arguments (_) @row)
