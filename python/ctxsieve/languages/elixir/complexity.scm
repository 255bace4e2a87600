(call target: (identifier) @word (arguments . (alias) @name) (do_block)) @node
(call target: (identifier) @word (arguments . (call target: (identifier) @name))) @node
(call target: (identifier) @word (arguments . (identifier) @name)) @node
(call target: (identifier) @word (arguments . (binary_operator left: (call target: (identifier) @name)))) @node
(call target: (identifier) @word (arguments . (call (arguments (_) @parameter)))) @node
(call target: (identifier) @word (arguments . (binary_operator left: (call (arguments (_) @parameter))))) @node
(call target: (identifier) @word (do_block)) @node
(anonymous_function) @lambda
(do_block (stab_clause) @case)
(else_block) @else
[(rescue_block) (catch_block)] @catch
(binary_operator operator: ["&&" "and"]) @logical.and
(binary_operator operator: ["||" "or"]) @logical.or
(comment) @comment
