(function_declaration name: (_) @name) @function
(generator_function_declaration name: (_) @name) @function
(method_definition name: (_) @name) @function
(variable_declarator name: (identifier) @name value: [(arrow_function) (function_expression) (generator_function)] @function)
(assignment_expression left: [(identifier) (member_expression)] @name right: [(arrow_function) (function_expression) (generator_function)] @function)
(pair key: (_) @name value: [(arrow_function) (function_expression) (generator_function)] @function)
[(arrow_function) (function_expression) (generator_function)] @lambda
(function_expression name: (identifier) @name) @lambda
(generator_function name: (identifier) @name) @lambda
(export_statement value: [(arrow_function) (function_expression) (generator_function)] @function)
(class_declaration name: (_) @name) @scope
(arrow_function parameter: (identifier) @parameter)
(if_statement) @if
(else_clause (if_statement) @else_if)
(else_clause) @else
[(for_statement) (for_in_statement) (while_statement) (do_statement)] @loop
(switch_statement) @switch
(switch_case) @case
(catch_clause) @catch
(ternary_expression) @ternary
(binary_expression operator: "&&") @logical.and
(binary_expression operator: "||") @logical.or
(break_statement label: (_)) @jump
(continue_statement label: (_)) @jump
(comment) @comment
(public_field_definition name: (_) @name value: [(arrow_function) (function_expression)] @function)
(abstract_class_declaration name: (_) @name) @scope
(internal_module name: (_) @name) @scope
(formal_parameters [(required_parameter) (optional_parameter)] @parameter)
(_ condition: (_) @condition)
