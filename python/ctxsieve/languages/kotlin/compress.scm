(line_comment) @comment
(multiline_comment) @comment
(import_header) @import
(function_declaration (function_body) @body)
(function_body (statements (_) @body.statement))
(annotation) @attribute
(value_arguments (_) @row)
