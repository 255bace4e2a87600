(function_declaration name: (_) @name body: (_)) @function
(method_declaration receiver: (parameter_list (parameter_declaration type: [(type_identifier) @qualifier (pointer_type (type_identifier) @qualifier) (generic_type type: (type_identifier) @qualifier) (pointer_type (generic_type type: (type_identifier) @qualifier))])) name: (_) @name) @function
(func_literal) @lambda
(function_declaration parameters: (parameter_list [(parameter_declaration name: (_) @parameter) (variadic_parameter_declaration name: (_) @parameter)]))
(method_declaration parameters: (parameter_list [(parameter_declaration name: (_) @parameter) (variadic_parameter_declaration name: (_) @parameter)]))
(if_statement) @if
(if_statement alternative: (if_statement) @else_if)
(if_statement alternative: (_) @else)
(for_statement) @loop
[(expression_switch_statement) (type_switch_statement) (select_statement)] @switch
[(expression_case) (type_case) (communication_case)] @case
(binary_expression operator: "&&") @logical.and
(binary_expression operator: "||") @logical.or
(goto_statement) @jump
(break_statement (label_name)) @jump
(continue_statement (label_name)) @jump
(comment) @comment
(_ condition: (_) @condition)
