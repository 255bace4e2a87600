(comment) @comment
(using_directive) @import
(method_declaration body: (block) @body)
(constructor_declaration body: (block) @body)
(local_function_statement body: (block) @body)
(block (_) @body.statement)
(preproc_region) @boilerplate
(preproc_endregion) @boilerplate
(attribute_list) @attribute
(initializer_expression (_) @row)
(argument_list (_) @row)
