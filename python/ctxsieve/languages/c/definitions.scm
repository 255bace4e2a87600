(function_definition declarator: (function_declarator declarator: (identifier) @name) body: (compound_statement) @body) @definition.function
(function_definition declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name)) body: (compound_statement) @body) @definition.function
(function_definition declarator: (pointer_declarator declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))) body: (compound_statement) @body) @definition.function
(declaration declarator: (function_declarator declarator: (identifier) @name)) @definition.function
(declaration declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))) @definition.function
(declaration declarator: (pointer_declarator declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name)))) @definition.function
(struct_specifier name: (type_identifier) @name body: (_) @body) @definition.struct
(union_specifier name: (type_identifier) @name body: (_) @body) @definition.union
(enum_specifier name: (type_identifier) @name body: (_) @body) @definition.enum
(type_definition type: (struct_specifier !name body: (_) @body) declarator: (type_identifier) @name) @definition.struct
(type_definition type: (union_specifier !name body: (_) @body) declarator: (type_identifier) @name) @definition.union
(type_definition type: (enum_specifier !name body: (_) @body) declarator: (type_identifier) @name) @definition.enum
(type_definition declarator: [(type_identifier) @name (pointer_declarator declarator: (type_identifier) @name) (array_declarator declarator: (type_identifier) @name) (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (type_identifier) @name))) (function_declarator declarator: (type_identifier) @name)]) @definition.type
(enumerator name: (identifier) @name) @definition.constant
(declaration declarator: [(identifier) @name (pointer_declarator declarator: (identifier) @name) (pointer_declarator declarator: (pointer_declarator declarator: (identifier) @name)) (array_declarator declarator: (identifier) @name) (array_declarator declarator: (array_declarator declarator: (identifier) @name)) (pointer_declarator declarator: (array_declarator declarator: (identifier) @name)) (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @name)))]) @definition.variable
(declaration declarator: (init_declarator declarator: [(identifier) @name (pointer_declarator declarator: (identifier) @name) (pointer_declarator declarator: (pointer_declarator declarator: (identifier) @name)) (array_declarator declarator: (identifier) @name) (array_declarator declarator: (array_declarator declarator: (identifier) @name)) (pointer_declarator declarator: (array_declarator declarator: (identifier) @name)) (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @name)))])) @definition.variable
(field_declaration declarator: [(field_identifier) @name (pointer_declarator declarator: (field_identifier) @name) (pointer_declarator declarator: (pointer_declarator declarator: (field_identifier) @name)) (array_declarator declarator: (field_identifier) @name) (array_declarator declarator: (array_declarator declarator: (field_identifier) @name)) (pointer_declarator declarator: (array_declarator declarator: (field_identifier) @name)) (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (field_identifier) @name)))]) @definition.field
(preproc_def name: (identifier) @name) @definition.macro
(preproc_function_def name: (identifier) @name) @definition.macro
(_ (storage_class_specifier "static")) @private
(comment) @lead
