(function_item name: (_) @name body: (_)) @function
(closure_expression) @lambda
(impl_item type: (type_identifier) @name) @scope
(impl_item type: (generic_type type: (type_identifier) @name)) @scope
(trait_item name: (_) @name) @scope
(mod_item name: (_) @name body: (_)) @scope
(parameters (parameter) @parameter)
(closure_parameters (_) @parameter)
(if_expression) @if
(let_declaration alternative: (_)) @if
(else_clause (if_expression) @else_if)
(else_clause) @else
[(for_expression) (while_expression)] @loop
(loop_expression) @endless
(match_expression) @switch.exhaustive
(match_arm) @case
(match_pattern condition: (_) @decision)
(binary_expression operator: "&&") @logical.and
(binary_expression operator: "||") @logical.or
(break_expression (label)) @jump
(continue_expression (label)) @jump
[(line_comment) (block_comment)] @comment
(_ condition: (_) @condition)
