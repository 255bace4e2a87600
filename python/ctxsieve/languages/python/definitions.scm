(class_definition name: (identifier) @name body: (block) @body) @definition.class
(function_definition name: (identifier) @name body: (block) @body) @definition.function
(type_alias_statement left: (type (identifier) @name)) @definition.type
(type_alias_statement left: (type (generic_type (identifier) @name))) @definition.type
(module (assignment left: (identifier) @name) @definition.variable)
(module (assignment right: (assignment left: (identifier) @name)) @definition.variable)
(class_definition body: (block (assignment left: (identifier) @name) @definition.field))
(decorated_definition definition: (_) @inner) @outer
(lambda) @local
(comment) @lead
