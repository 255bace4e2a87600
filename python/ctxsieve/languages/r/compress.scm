(comment) @comment
(function_definition body: (braced_expression) @body)
(braced_expression body: (_) @body.statement)
(arguments (_) @row)
