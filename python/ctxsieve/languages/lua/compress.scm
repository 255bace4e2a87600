(comment) @comment
(function_declaration body: (block) @body)
(function_definition body: (block) @body)
(block [(function_call) (assignment_statement) (variable_declaration) (if_statement) (for_statement) (while_statement) (repeat_statement)] @body.statement)
(table_constructor (_) @row)
(arguments (_) @row)
