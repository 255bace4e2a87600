(using_statement) @import
(import_statement) @import
(call_expression . (identifier) @import.keyword (argument_list)) @import.call
