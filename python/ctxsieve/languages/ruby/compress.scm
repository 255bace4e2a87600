(comment) @comment
(program (call !receiver method: (identifier) @import.keyword arguments: (argument_list . (string) .)) @import)
(method body: (body_statement) @body)
(singleton_method body: (body_statement) @body)
(method body: (body_statement (_) @body.statement))
(singleton_method body: (body_statement (_) @body.statement))
(array (_) @row)
(hash (_) @row)
(argument_list (_) @row)
