(call target: (identifier) @keyword (arguments . (alias) @name) (do_block) @body) @definition
(call target: (identifier) @keyword (arguments . (call target: (identifier) @name)) (do_block) @body) @definition
(call target: (identifier) @keyword (arguments . (identifier) @name) (do_block) @body) @definition
(call target: (identifier) @keyword (arguments . (binary_operator left: (call target: (identifier) @name))) (do_block) @body) @definition
(call target: (identifier) @keyword (arguments . (binary_operator left: (identifier) @name)) (do_block) @body) @definition
; Not as an optional end of those above: asked of one node alone, the engine passes over such matches (`def a, b`).
(call target: (identifier) @keyword (arguments . (call target: (identifier) @name))) @definition
(call target: (identifier) @keyword (arguments . (identifier) @name)) @definition
(call target: (identifier) @keyword (arguments . (binary_operator left: (call target: (identifier) @name)))) @definition
(call target: (identifier) @keyword (arguments . (binary_operator left: (identifier) @name))) @definition
(anonymous_function) @local
(unary_operator "@") @lead
(comment) @lead
