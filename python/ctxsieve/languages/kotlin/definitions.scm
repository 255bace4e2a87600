(class_declaration "interface" (type_identifier) @name (class_body)? @body) @definition.interface
(class_declaration "enum" (type_identifier) @name (enum_class_body)? @body) @definition.enum
(class_declaration (type_identifier) @name (class_body)? @body) @definition.class
(object_declaration (type_identifier) @name (class_body)? @body) @definition.class
(companion_object (type_identifier)? @name (class_body) @body) @definition.class
(enum_entry (simple_identifier) @name) @definition.constant
(function_declaration receiver: (_) @qualifier (simple_identifier) @name (function_body)? @body) @definition.function
(function_declaration (simple_identifier) @name (function_body)? @body) @definition.function
(secondary_constructor "constructor" @name) @definition.method
(property_declaration (variable_declaration (simple_identifier) @name)) @definition.variable
(type_alias (type_identifier) @name) @definition.type
(_ (modifiers (visibility_modifier ["private" "internal" "protected"]))) @private
[(lambda_literal) (anonymous_function) (object_literal)] @local
(line_comment) @lead
(multiline_comment) @lead
