(data_type name: (_) @name constructors: (_)? @body) @definition.type
(newtype name: (_) @name) @definition.type
(type_synomym name: (_) @name) @definition.type
(class name: (_) @name declarations: (_)? @body) @definition.interface
(instance name: (_) @name declarations: (_)? @body) @definition.implementation
(class_declarations (signature name: (_) @name) @definition.method)
(declarations (function name: (_) @name match: (_) @body) @definition.function)
(declarations (bind name: (_) @name match: (_) @body) @definition.function)
(instance_declarations (function name: (_) @name match: (_) @body) @definition.method)
(instance_declarations (bind name: (_) @name match: (_) @body) @definition.method)
(data_constructor constructor: (prefix name: (constructor) @name)) @definition.constant
(data_constructor constructor: (record name: (constructor) @name)) @definition.constant
(declarations (signature) @lead)
(comment) @lead
(haddock) @lead
(pragma) @lead
