(function_declaration name: (_) @name body: (block)? @body) @definition.function
(assignment_statement (variable_list . name: (_) @name) (expression_list . value: (function_definition body: (block)? @body))) @definition.function
(field name: (identifier) @name value: (function_definition body: (block)? @body)) @definition.function
(chunk (variable_declaration (assignment_statement (variable_list name: (identifier) @name)) @definition.variable))
(chunk (assignment_statement (variable_list name: (identifier) @name)) @definition.variable)
(variable_declaration (assignment_statement) @inner) @outer
(function_declaration name: [(dot_index_expression) (method_index_expression)]) @exported
(chunk (function_declaration name: (identifier)) @exported)
(function_declaration "local") @private
(assignment_statement (variable_list . name: (dot_index_expression))) @exported
(chunk (assignment_statement) @exported)
(function_definition) @local
(comment) @lead
