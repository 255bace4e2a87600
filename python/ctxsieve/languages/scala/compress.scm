(comment) @comment
(block_comment) @comment
(import_declaration) @import
(function_definition body: (block) @body)
(block (_) @body.statement)
(annotation) @attribute
