(class_definition name: (identifier) @name body: (class_body) @body) @definition.class
(mixin_declaration (identifier) @name (class_body) @body) @definition.class
(extension_declaration name: (identifier) @name body: (_) @body) @definition.implementation
(enum_declaration name: (identifier) @name body: (enum_body) @body) @definition.enum
(enum_constant name: (identifier) @name) @definition.constant
(type_alias . (type_identifier) @name) @definition.type
((method_signature (function_signature name: (identifier) @name)) @definition.method . (function_body) @body @last)
((method_signature (getter_signature name: (identifier) @name)) @definition.method . (function_body) @body @last)
((method_signature (setter_signature name: (identifier) @name)) @definition.method . (function_body) @body @last)
((method_signature (constructor_signature name: (identifier) @name . parameters: (_))) @definition.method . (function_body) @body @last)
((method_signature (factory_constructor_signature (identifier) @name . (formal_parameter_list))) @definition.method . (function_body) @body @last)
(declaration (function_signature name: (identifier) @name)) @definition.method
(declaration (constructor_signature name: (identifier) @name . parameters: (_))) @definition.method
(declaration (initialized_identifier_list (initialized_identifier . (identifier) @name))) @definition.field
(declaration (static_final_declaration_list (static_final_declaration . (identifier) @name))) @definition.field
((function_signature name: (identifier) @name) @definition.function . (function_body) @body @last)
(program (static_final_declaration_list (static_final_declaration . (identifier) @name) @definition.variable))
(program (initialized_identifier_list (initialized_identifier . (identifier) @name) @definition.variable))
(function_expression) @local
(comment) @lead
(documentation_comment) @lead
