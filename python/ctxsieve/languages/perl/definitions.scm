(package_statement name: (package) @name (block)? @body) @definition.module
(class_statement name: (package) @name) @definition.class
(subroutine_declaration_statement name: (bareword) @name body: (block) @body) @definition.function
(method_declaration_statement name: (bareword) @name body: (block) @body) @definition.method
(anonymous_subroutine_expression) @local
(comment) @lead
(pod) @lead
