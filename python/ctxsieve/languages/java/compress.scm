(line_comment) @comment
(block_comment) @comment
(import_declaration) @import
(method_declaration body: (block) @body)
(constructor_declaration body: (constructor_body) @body)
(block (_) @body.statement)
(marker_annotation) @attribute
(array_initializer (_) @row)
(argument_list (_) @row)
