(function_declaration (simple_identifier) @name) @function
(secondary_constructor "constructor" @name) @function
(anonymous_initializer "init" @name) @function
[(getter) (setter)] @function
[(lambda_literal) (anonymous_function)] @lambda
(class_declaration (type_identifier) @name) @scope
(object_declaration (type_identifier) @name) @scope
(companion_object) @scope
(function_value_parameters (parameter) @parameter)
(if_expression) @if
(if_expression alternative: (control_structure_body (if_expression) @else_if))
(if_expression alternative: (_) @else)
[(for_statement) (while_statement) (do_while_statement)] @loop
(when_expression) @switch
(when_entry) @case
(when_entry "else") @default
(catch_block) @catch
(conjunction_expression) @logical.and
(disjunction_expression) @logical.or
[(line_comment) (multiline_comment)] @comment
(_ condition: (_) @condition)
