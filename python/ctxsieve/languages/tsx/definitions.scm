(class_declaration name: (_) @name body: (class_body) @body) @definition.class
(abstract_class_declaration name: (_) @name body: (class_body) @body) @definition.class
(interface_declaration name: (_) @name body: (interface_body) @body) @definition.interface
(enum_declaration name: (_) @name body: (enum_body) @body) @definition.enum
(type_alias_declaration name: (_) @name) @definition.type
(internal_module name: (_) @name body: (statement_block) @body) @definition.module
(module name: (_) @name body: (statement_block) @body) @definition.module
(function_declaration name: (identifier) @name body: (statement_block) @body) @definition.function
(generator_function_declaration name: (identifier) @name body: (statement_block) @body) @definition.function
(function_signature name: (identifier) @name) @definition.function
(method_definition name: (_) @name body: (statement_block) @body) @definition.method
(method_signature name: (_) @name) @definition.method
(abstract_method_signature name: (_) @name) @definition.method
(property_signature name: (_) @name) @definition.field
(class_body (public_field_definition name: (_) @name value: (arrow_function body: (_) @body)) @definition.method)
(class_body (public_field_definition name: (_) @name) @definition.field)
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
(ambient_declaration (_) @inner) @outer
(expression_statement (internal_module) @inner) @outer
(expression_statement (assignment_expression left: (member_expression) right: [(arrow_function) (function_expression)])) @exported
(class_body [(method_definition) (public_field_definition) (abstract_method_signature) (method_signature)] @exported)
(interface_body (_) @exported)
(object_type (_) @local)
(class_body (_ (accessibility_modifier ["private" "protected"])) @private)
(class_body (_ name: (private_property_identifier)) @private)
[(arrow_function) (function_expression) (generator_function)] @local
(comment) @lead
(decorator) @lead
