(import_statement) @import
(export_statement source: (string)) @import
(call_expression function: [(import) (identifier)] @import.callee arguments: (arguments . (string) .)) @import.call
