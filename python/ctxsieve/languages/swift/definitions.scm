(class_declaration declaration_kind: "extension" name: (_) @name body: (_) @body) @definition.implementation
(class_declaration declaration_kind: "struct" name: (_) @name body: (_) @body) @definition.struct
(class_declaration declaration_kind: "enum" name: (_) @name body: (_) @body) @definition.enum
(class_declaration declaration_kind: ["class" "actor"] name: (_) @name body: (_) @body) @definition.class
(protocol_declaration name: (_) @name body: (_) @body) @definition.interface
(function_declaration name: [(simple_identifier) (custom_operator) (bang) "+" "-" "*" "/" "%" "==" "===" "<" ">" "<<" ">>" "&" "|" "^" "~" "++" "--" "+=" "-=" "*=" "/=" "%=" "="] @name body: (_)? @body) @definition.function
(init_declaration "init" @name body: (_)? @body) @definition.method
(deinit_declaration "deinit" @name body: (_)? @body) @definition.method
(subscript_declaration "subscript" @name) @definition.method
(protocol_function_declaration name: [(simple_identifier) (custom_operator) (bang) "+" "-" "*" "/" "%" "==" "===" "<" ">" "<<" ">>" "&" "|" "^" "~" "++" "--" "+=" "-=" "*=" "/=" "%=" "="] @name) @definition.method
(protocol_property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @definition.field
(property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @definition.variable
(enum_entry name: (simple_identifier) @name) @definition.constant
(typealias_declaration name: (type_identifier) @name) @definition.type
(associatedtype_declaration name: (type_identifier) @name) @definition.type
(_ (modifiers (visibility_modifier ["private" "fileprivate"]))) @private
(lambda_literal) @local
(comment) @lead
(multiline_comment) @lead
