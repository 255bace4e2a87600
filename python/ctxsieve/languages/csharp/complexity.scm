(method_declaration name: (_) @name body: (_)) @function
(constructor_declaration name: (_) @name) @function
(destructor_declaration name: (_) @name) @function
(local_function_statement name: (_) @name) @function
(operator_declaration operator: _ @name) @function
(accessor_declaration name: _ @name body: (_)) @function
[(lambda_expression) (anonymous_method_expression)] @lambda
[(class_declaration name: (_) @name) (struct_declaration name: (_) @name) (interface_declaration name: (_) @name) (record_declaration name: (_) @name)] @scope
(property_declaration name: (_) @name) @scope
(parameter_list (parameter) @parameter)
(if_statement) @if
(if_statement alternative: (if_statement) @else_if)
(if_statement alternative: (_) @else)
[(for_statement) (foreach_statement) (while_statement) (do_statement)] @loop
(switch_statement) @switch
(switch_section) @case
(switch_section "default") @default
(switch_expression) @switch.exhaustive
(switch_expression_arm) @case
(catch_clause) @catch
(conditional_expression) @ternary
(binary_expression operator: "&&") @logical.and
(binary_expression operator: "||") @logical.or
(goto_statement) @jump
(comment) @comment
(_ condition: (_) @condition)
