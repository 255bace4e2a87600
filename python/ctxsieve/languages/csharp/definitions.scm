(file_scoped_namespace_declaration name: (_) @name) @definition.module
(namespace_declaration name: (_) @name body: (declaration_list) @body) @definition.module
(class_declaration name: (identifier) @name body: (declaration_list) @body) @definition.class
(record_declaration name: (identifier) @name body: (declaration_list)? @body) @definition.class
(struct_declaration name: (identifier) @name body: (declaration_list)? @body) @definition.struct
(interface_declaration name: (identifier) @name body: (declaration_list) @body) @definition.interface
(enum_declaration name: (identifier) @name body: (_) @body) @definition.enum
(enum_member_declaration name: (identifier) @name) @definition.constant
(delegate_declaration name: (identifier) @name) @definition.type
(method_declaration name: (identifier) @name body: (_)? @body) @definition.method
(constructor_declaration name: (identifier) @name body: (_)? @body) @definition.method
(destructor_declaration name: (identifier) @name body: (_)? @body) @definition.method
(operator_declaration operator: _ @name body: (_)? @body) @definition.method
(conversion_operator_declaration type: (_) @name body: (_)? @body) @definition.method
(indexer_declaration "this" @name accessors: (_) @body) @definition.method
(indexer_declaration "this" @name value: (_) @body) @definition.method
(local_function_statement name: (identifier) @name body: (_)? @body) @definition.function
(property_declaration name: (identifier) @name accessors: (_)? @body) @definition.field
(event_declaration name: (identifier) @name) @definition.field
(event_field_declaration (variable_declaration (variable_declarator name: (identifier) @name))) @definition.field
(field_declaration (variable_declaration (variable_declarator name: (identifier) @name))) @definition.field
(_ (modifier "public")) @exported
(namespace_declaration) @exported
(interface_declaration body: (declaration_list (_) @exported))
(enum_member_declaration) @exported
(lambda_expression) @local
(comment) @lead
(file_scoped_namespace_declaration) @exported
