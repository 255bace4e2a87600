(comment) @comment
(documentation_comment) @doc
; The first one stays: a `library` that stands behind it, where it may not, is read as a declaration only so long.
(program (import_or_export) . (import_or_export) @import)
(function_body (block) @body)
(block (_) @body.statement)
(annotation) @attribute
(list_literal (_) @row)
(set_or_map_literal (_) @row)
(arguments (_) @row)
