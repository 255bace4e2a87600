(comment) @comment
(documentation_comment) @doc
(import_or_export) @import
(function_body (block) @body)
(block (_) @body.statement)
(annotation) @attribute
