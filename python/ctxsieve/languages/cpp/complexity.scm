(function_definition declarator: (function_declarator declarator: [(identifier) (field_identifier) (qualified_identifier) (destructor_name) (operator_name) (template_function)] @name)) @function
(function_definition declarator: (pointer_declarator declarator: (function_declarator declarator: [(identifier) (field_identifier) (qualified_identifier) (destructor_name) (operator_name) (template_function)] @name))) @function
(function_definition declarator: (reference_declarator (function_declarator declarator: [(identifier) (field_identifier) (qualified_identifier) (destructor_name) (operator_name) (template_function)] @name))) @function
(function_definition declarator: (pointer_declarator declarator: (pointer_declarator declarator: (function_declarator declarator: [(identifier) (field_identifier) (qualified_identifier) (destructor_name) (operator_name) (template_function)] @name)))) @function
(function_definition declarator: (operator_cast) @name) @function
(lambda_expression) @lambda
[(class_specifier name: (_) @name body: (_)) (struct_specifier name: (_) @name body: (_)) (namespace_definition name: (_) @name)] @scope
(function_declarator parameters: (parameter_list [(parameter_declaration) (optional_parameter_declaration) (variadic_parameter_declaration)] @parameter))
(if_statement) @if
(else_clause (if_statement) @else_if)
(else_clause) @else
[(for_statement) (for_range_loop) (while_statement) (do_statement)] @loop
(switch_statement) @switch
(case_statement value: (_)) @case
(catch_clause) @catch
(conditional_expression) @ternary
(binary_expression operator: ["&&" "and"]) @logical.and
(binary_expression operator: ["||" "or"]) @logical.or
(goto_statement) @jump
(comment) @comment
(_ condition: (_) @condition)
