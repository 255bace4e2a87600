(function_definition name: (identifier) @name) @function
(lambda) @lambda
(class_definition name: (identifier) @name) @scope
(parameters [(identifier) (typed_parameter) (default_parameter) (typed_default_parameter) (list_splat_pattern) (dictionary_splat_pattern)] @parameter)
(if_statement) @if
(elif_clause) @else_if
(if_statement alternative: (else_clause) @else)
[(for_statement) (while_statement)] @loop
(except_clause) @catch
(match_statement) @switch
(case_clause) @case
(case_clause (case_pattern "_")) @default
(conditional_expression) @ternary
(conditional_expression (_) . "if" . (_) @condition)
(boolean_operator operator: "and") @logical.and
(boolean_operator operator: "or") @logical.or
(for_in_clause) @decision
[(list_comprehension (if_clause) @decision) (set_comprehension (if_clause) @decision) (dictionary_comprehension (if_clause) @decision) (generator_expression (if_clause) @decision)]
(assert_statement) @decision
(comment) @comment
(block . (string) @comment)
(module . (string) @comment)
(_ condition: (_) @condition)
