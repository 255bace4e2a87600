(line_comment) @comment
(block_comment) @comment
(using_statement) @import
(import_statement) @import
(function_definition (block) @body)
(function_definition (block (_) @body.statement))
(vector_expression (_) @row)
(argument_list (_) @row)
