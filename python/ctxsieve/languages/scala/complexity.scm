(function_definition name: (_) @name) @function
(lambda_expression) @lambda
[(class_definition name: (_) @name) (object_definition name: (_) @name) (trait_definition name: (_) @name) (enum_definition name: (_) @name)] @scope
(function_definition parameters: (parameters (parameter) @parameter))
(if_expression) @if
(if_expression alternative: (if_expression) @else_if)
(if_expression alternative: (_) @else)
[(for_expression) (while_expression) (do_while_expression)] @loop
(match_expression) @switch.exhaustive
(match_expression body: (case_block (case_clause) @case))
(match_expression body: (indented_cases (case_clause) @case))
(case_clause (guard) @decision)
(catch_clause) @catch
(infix_expression operator: (operator_identifier) @word) @node
[(comment) (block_comment)] @comment
(_ condition: (_) @condition)
