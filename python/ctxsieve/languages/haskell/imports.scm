(header) @import
(import) @import
