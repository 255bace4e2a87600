(method_declaration name: (_) @name body: (_)) @function
(constructor_declaration name: (_) @name) @function
(compact_constructor_declaration name: (_) @name) @function
(lambda_expression) @lambda
[(class_declaration name: (_) @name) (interface_declaration name: (_) @name) (enum_declaration name: (_) @name) (record_declaration name: (_) @name)] @scope
(method_declaration parameters: (formal_parameters [(formal_parameter) (spread_parameter)] @parameter))
(constructor_declaration parameters: (formal_parameters [(formal_parameter) (spread_parameter)] @parameter))
(if_statement) @if
(if_statement alternative: (if_statement) @else_if)
(if_statement alternative: (_) @else)
[(for_statement) (enhanced_for_statement) (while_statement) (do_statement)] @loop
(switch_expression) @switch
(switch_label) @case
(switch_label "default") @default
(catch_clause) @catch
(ternary_expression) @ternary
(binary_expression operator: "&&") @logical.and
(binary_expression operator: "||") @logical.or
(break_statement (identifier)) @jump
(continue_statement (identifier)) @jump
[(line_comment) (block_comment)] @comment
(_ condition: (_) @condition)
