(module_definition name: (identifier) @name (block)? @body) @definition.module
(function_definition (signature (call_expression . [(identifier) (field_expression) (parametrized_type_expression)] @name)) (block)? @body) @definition.function
(function_definition (signature (typed_expression (call_expression . [(identifier) (field_expression)] @name))) (block)? @body) @definition.function
(function_definition (signature (where_expression (call_expression . [(identifier) (field_expression)] @name))) (block)? @body) @definition.function
(function_definition (signature (where_expression (typed_expression (call_expression . [(identifier) (field_expression)] @name)))) (block)? @body) @definition.function
(assignment . (call_expression . [(identifier) (field_expression)] @name) (operator) (_) @body) @definition.function
(assignment . (where_expression (call_expression . [(identifier) (field_expression)] @name)) (operator) (_) @body) @definition.function
(macro_definition (signature (call_expression . (identifier) @name)) (block)? @body) @definition.macro
(struct_definition (type_head (identifier) @name)) @definition.struct
(struct_definition (type_head (parametrized_type_expression . (identifier) @name))) @definition.struct
(struct_definition (type_head (binary_expression . (identifier) @name))) @definition.struct
(struct_definition (type_head (binary_expression . (parametrized_type_expression . (identifier) @name)))) @definition.struct
(abstract_definition (type_head (identifier) @name)) @definition.type
(abstract_definition (type_head (binary_expression . (identifier) @name))) @definition.type
(const_statement (assignment . (identifier) @name)) @definition.constant
(source_file (assignment . (identifier) @name) @definition.variable)
(module_definition (block (assignment . (identifier) @name) @definition.variable))
(arrow_function_expression) @local
(source_file (string_literal) @lead)
(module_definition (block (string_literal) @lead))
(line_comment) @lead
(block_comment) @lead
