(line_comment) @comment
(doc_comment) @doc
(container_doc_comment) @doc
(Block) @body
(Block (Statement) @body.statement)
