(function_declaration name: [(simple_identifier) (custom_operator)] @name) @function
(init_declaration "init" @name) @function
(deinit_declaration "deinit" @name) @function
(lambda_literal) @lambda
(class_declaration name: (_) @name) @scope
(function_declaration (parameter) @parameter)
(init_declaration (parameter) @parameter)
[(if_statement) (guard_statement)] @if
(if_statement (else) . (if_statement) @else_if)
(if_statement (else) @else . "{")
[(for_statement) (while_statement) (repeat_while_statement)] @loop
(switch_statement) @switch
(switch_entry) @case
(switch_entry (default_keyword)) @default
(catch_block) @catch
(ternary_expression) @ternary
(conjunction_expression) @logical.and
(disjunction_expression) @logical.or
[(comment) (multiline_comment)] @comment
(_ condition: (_) @condition)
