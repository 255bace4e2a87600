(function_declaration name: (identifier) @name body: (block)? @body) @definition.function
(method_declaration receiver: (parameter_list (parameter_declaration type: [(type_identifier) @qualifier (pointer_type (type_identifier) @qualifier) (generic_type type: (type_identifier) @qualifier) (pointer_type (generic_type type: (type_identifier) @qualifier))])) name: (field_identifier) @name body: (block)? @body) @definition.method
(type_declaration . (type_spec name: (type_identifier) @name type: (struct_type (field_declaration_list) @body)) .) @definition.struct
(type_declaration . (type_spec name: (type_identifier) @name type: (interface_type)) .) @definition.interface
(type_declaration . [(type_spec name: (type_identifier) @name) (type_alias name: (type_identifier) @name)] .) @definition.type
(type_declaration "(" (type_spec name: (type_identifier) @name type: (struct_type (field_declaration_list) @body)) @definition.struct)
(type_declaration "(" (type_spec name: (type_identifier) @name type: (interface_type)) @definition.interface)
(type_declaration "(" [(type_spec name: (type_identifier) @name) (type_alias name: (type_identifier) @name)] @definition.type)
(const_declaration "const" . (const_spec name: (identifier) @name) .) @definition.constant
(const_declaration "(" (const_spec name: (identifier) @name) @definition.constant)
(var_declaration "var" . (var_spec name: (identifier) @name)) @definition.variable
(var_declaration (var_spec_list (var_spec name: (identifier) @name) @definition.variable))
(method_elem name: (_) @name) @definition.method
(field_declaration name: (field_identifier) @name) @definition.field
(func_literal) @local
(comment) @lead
