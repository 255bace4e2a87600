(comment) @comment
(import_statement) @import
(export_statement source: (string)) @import
(class_body) @body
(function_declaration body: (statement_block) @body)
(generator_function_declaration body: (statement_block) @body)
(method_definition body: (statement_block) @body)
(arrow_function body: (statement_block) @body)
(function_expression body: (statement_block) @body)
(statement_block (_) @body.statement)
(expression_statement (string)) @boilerplate
(debugger_statement) @boilerplate
(empty_statement) @boilerplate
(array (_) @row)
(object (_) @row)
(arguments (_) @row)
