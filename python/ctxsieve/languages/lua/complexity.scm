(function_declaration name: (_) @name) @function
(assignment_statement (variable_list . name: (_) @name) (expression_list . value: (function_definition) @function))
(field name: (identifier) @name value: (function_definition) @function)
(function_definition) @lambda
(parameters [(identifier) (vararg_expression)] @parameter)
(if_statement) @if
(elseif_statement) @else_if
(else_statement) @else
[(for_statement) (while_statement) (repeat_statement)] @loop
(binary_expression "and") @logical.and
(binary_expression "or") @logical.or
(goto_statement) @jump
(comment) @comment
(_ condition: (_) @condition)
