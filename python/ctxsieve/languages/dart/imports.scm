(import_or_export) @import
(part_directive) @import
(part_of_directive) @import
