(class_declaration name: (_) @name body: (class_body) @body) @definition.class
(function_declaration name: (identifier) @name body: (statement_block) @body) @definition.function
(generator_function_declaration name: (identifier) @name body: (statement_block) @body) @definition.function
(method_definition name: (_) @name body: (statement_block) @body) @definition.method
(class_body (field_definition property: (_) @name value: (arrow_function body: (_) @body)) @definition.method)
(class_body (field_definition property: (_) @name) @definition.field)
(lexical_declaration (variable_declarator name: (identifier) @name value: [(arrow_function body: (_) @body) (function_expression body: (_) @body) (generator_function body: (_) @body)])) @definition.function
(variable_declaration (variable_declarator name: (identifier) @name value: [(arrow_function body: (_) @body) (function_expression body: (_) @body) (generator_function body: (_) @body)])) @definition.function
(lexical_declaration (variable_declarator name: (identifier) @name value: (class body: (class_body) @body))) @definition.class
(lexical_declaration (variable_declarator name: (identifier) @name)) @definition.variable
(variable_declaration (variable_declarator name: (identifier) @name)) @definition.variable
(expression_statement (assignment_expression left: (member_expression property: (property_identifier) @name) right: [(arrow_function body: (_) @body) (function_expression body: (_) @body) (generator_function body: (_) @body)])) @definition.function
(pair key: (property_identifier) @name value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]) @definition.method
(export_statement declaration: (_) @inner @exported) @outer
(export_statement declaration: (lexical_declaration (variable_declarator name: (identifier) @exported)))
(export_clause (export_specifier name: (identifier) @exported.name))
(expression_statement (assignment_expression left: (member_expression) right: [(arrow_function) (function_expression)])) @exported
(class_body [(method_definition) (field_definition)] @exported)
[(arrow_function) (function_expression) (generator_function)] @local
(comment) @lead
(decorator) @lead
