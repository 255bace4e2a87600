(comment) @comment
(module . (string) @doc)
(class_definition body: (block . (string) @doc))
(function_definition body: (block . (string) @doc))
(import_statement) @import
(import_from_statement) @import
(future_import_statement) @import
(function_definition body: (block) @body)
(class_definition body: (block) @body)
(block (_) @body.statement)
(pass_statement) @boilerplate
(block) @block
(list (_) @row)
(dictionary (_) @row)
(call arguments: (argument_list (_) @row))
(interpolation) @sealed
