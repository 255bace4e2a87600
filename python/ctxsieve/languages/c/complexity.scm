(function_definition declarator: (function_declarator declarator: (identifier) @name)) @function
(function_definition declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))) @function
(function_definition declarator: (pointer_declarator declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name)))) @function
(function_declarator parameters: (parameter_list (parameter_declaration) @parameter))
(if_statement) @if
(else_clause (if_statement) @else_if)
(else_clause) @else
[(for_statement) (while_statement) (do_statement)] @loop
(switch_statement) @switch
(case_statement value: (_)) @case
(conditional_expression) @ternary
(binary_expression operator: "&&") @logical.and
(binary_expression operator: "||") @logical.or
(goto_statement) @jump
(comment) @comment
(_ condition: (_) @condition)
