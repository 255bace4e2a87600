(comment) @comment
(namespace_use_declaration) @import
(function_definition body: (compound_statement) @body)
(method_declaration body: (compound_statement) @body)
(compound_statement (_) @body.statement)
(attribute_list) @attribute
(array_creation_expression (_) @row)
(arguments (_) @row)
