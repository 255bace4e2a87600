(comment) @comment
(multiline_comment) @comment
(import_declaration) @import
(function_body) @body
(function_body (statements (_) @body.statement))
(attribute) @attribute
(array_literal (_) @row)
(value_arguments (_) @row)
