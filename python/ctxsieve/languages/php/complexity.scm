(function_definition name: (_) @name) @function
(method_declaration name: (_) @name body: (_)) @function
[(anonymous_function) (arrow_function)] @lambda
[(class_declaration name: (_) @name) (interface_declaration name: (_) @name) (trait_declaration name: (_) @name) (enum_declaration name: (_) @name)] @scope
(formal_parameters [(simple_parameter) (variadic_parameter) (property_promotion_parameter)] @parameter)
(if_statement) @if
(else_if_clause) @else_if
(else_clause (if_statement) @else_if)
(else_clause) @else
[(for_statement) (foreach_statement) (while_statement) (do_statement)] @loop
(switch_statement) @switch
(case_statement) @case
(match_expression) @switch
(match_conditional_expression) @case
(catch_clause) @catch
(conditional_expression) @ternary
(binary_expression operator: ["&&" "and"]) @logical.and
(binary_expression operator: ["||" "or"]) @logical.or
(goto_statement) @jump
(comment) @comment
(_ condition: (_) @condition)
