(comment) @comment
(import_declaration) @import
(function_declaration body: (block) @body)
(method_declaration body: (block) @body)
(func_literal body: (block) @body)
(statement_list (_) @body.statement)
(literal_value (_) @row)
(argument_list (_) @row)
