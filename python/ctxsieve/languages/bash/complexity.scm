(function_definition name: (_) @name) @function
(if_statement) @if
(elif_clause) @else_if
(else_clause) @else
[(for_statement) (c_style_for_statement) (while_statement)] @loop
(case_statement) @switch
(case_item) @case
(ternary_expression) @ternary
(list "&&") @logical.and
(list "||") @logical.or
(binary_expression operator: "&&") @logical.and
(binary_expression operator: "||") @logical.or
(comment) @comment
(_ condition: (_) @condition)
