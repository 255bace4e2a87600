(function_item name: (_) @name body: (block) @body) @definition.function
(function_signature_item name: (_) @name) @definition.function
(struct_item name: (_) @name body: (_)? @body) @definition.struct
(union_item name: (_) @name body: (_) @body) @definition.union
(enum_item name: (_) @name body: (_) @body) @definition.enum
(trait_item name: (_) @name body: (_) @body) @definition.trait
(impl_item type: (type_identifier) @name body: (_) @body) @definition.implementation
(impl_item type: (generic_type type: (type_identifier) @name) body: (_) @body) @definition.implementation
(impl_item type: (scoped_type_identifier name: (type_identifier) @name) body: (_) @body) @definition.implementation
(impl_item type: (generic_type type: (scoped_type_identifier name: (type_identifier) @name)) body: (_) @body) @definition.implementation
(impl_item type: (reference_type type: (type_identifier) @name) body: (_) @body) @definition.implementation
(impl_item type: (reference_type type: (generic_type type: (type_identifier) @name)) body: (_) @body) @definition.implementation
(impl_item type: (reference_type type: (scoped_type_identifier name: (type_identifier) @name)) body: (_) @body) @definition.implementation
(impl_item type: (reference_type type: (generic_type type: (scoped_type_identifier name: (type_identifier) @name))) body: (_) @body) @definition.implementation
(impl_item type: (reference_type type: [(primitive_type) (tuple_type) (array_type) (dynamic_type) (bounded_type) (function_type) (pointer_type) (unit_type) (never_type) (reference_type) (bracketed_type) (qualified_type)] @name) body: (_) @body) @definition.implementation
(impl_item type: [(primitive_type) (tuple_type) (array_type) (dynamic_type) (bounded_type) (function_type) (pointer_type) (unit_type) (never_type) (macro_invocation) (metavariable)] @name body: (_) @body) @definition.implementation
(mod_item name: (_) @name body: (declaration_list) @body) @definition.module
(type_item name: (_) @name) @definition.type
(associated_type name: (_) @name) @definition.type
(const_item name: (_) @name) @definition.constant
(static_item name: (_) @name) @definition.constant
(macro_definition name: (_) @name) @definition.macro
(field_declaration name: (_) @name) @definition.field
(_ (visibility_modifier)) @exported
(impl_item trait: (_) body: (declaration_list (_) @exported))
(trait_item body: (declaration_list (_) @exported))
(macro_definition) @exported
(closure_expression) @local
(line_comment) @lead
(block_comment) @lead
(attribute_item) @lead
