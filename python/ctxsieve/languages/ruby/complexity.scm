(method name: (_) @name) @function
(singleton_method name: (_) @name) @function
(lambda) @lambda
[(class name: (_) @name) (module name: (_) @name)] @scope
(method_parameters [(identifier) (optional_parameter) (keyword_parameter) (splat_parameter) (hash_splat_parameter) (block_parameter) (destructured_parameter)] @parameter)
[(if) (unless) (if_modifier) (unless_modifier)] @if
(elsif) @else_if
[(if alternative: (else) @else) (unless alternative: (else) @else) (elsif alternative: (else) @else)]
[(while) (until) (for) (while_modifier) (until_modifier)] @loop
[(case) (case_match)] @switch
[(when) (in_clause)] @case
[(rescue) (rescue_modifier)] @catch
(conditional) @ternary
(binary operator: ["&&" "and"]) @logical.and
(binary operator: ["||" "or"]) @logical.or
(comment) @comment
(_ condition: (_) @condition)
