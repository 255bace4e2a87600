(comment) @comment
(pod) @doc
(use_statement) @import
(subroutine_declaration_statement body: (block) @body)
(block (expression_statement) @body.statement)
(block) @block.delimited
