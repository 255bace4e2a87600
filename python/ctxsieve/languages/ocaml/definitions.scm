(compilation_unit (value_definition (let_binding pattern: (value_name) @name (parameter) body: (_) @body)) @definition.function)
(structure (value_definition (let_binding pattern: (value_name) @name (parameter) body: (_) @body)) @definition.function)
(compilation_unit (value_definition (let_binding pattern: (value_name) @name body: [(fun_expression) (function_expression)] @body)) @definition.function)
(structure (value_definition (let_binding pattern: (value_name) @name body: [(fun_expression) (function_expression)] @body)) @definition.function)
(compilation_unit (value_definition (let_binding pattern: (value_name) @name)) @definition.variable)
(structure (value_definition (let_binding pattern: (value_name) @name)) @definition.variable)
(type_definition (type_binding name: (type_constructor) @name)) @definition.type
(module_definition (module_binding (module_name) @name body: (_)? @body)) @definition.module
(module_type_definition (module_type_name) @name body: (_)? @body) @definition.interface
(exception_definition (constructor_declaration (constructor_name) @name)) @definition.type
(class_definition (class_binding (class_name) @name body: (_)? @body)) @definition.class
(method_definition (method_name) @name) @definition.method
(external (value_name) @name) @definition.function
(value_specification (value_name) @name) @definition.function
(comment) @lead
