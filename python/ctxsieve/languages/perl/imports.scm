(package_statement) @import.head
(use_statement) @import
(require_expression) @import
