(class name: (_) @name body: (body_statement)? @body) @definition.class
(module name: (_) @name body: (body_statement)? @body) @definition.module
(method name: (_) @name body: (_)? @body) @definition.method
(singleton_method name: (_) @name body: (_)? @body) @definition.method
(assignment left: (constant) @name) @definition.constant
(alias name: (_) @name) @definition.method
(body_statement (identifier) @access)
(comment) @lead
