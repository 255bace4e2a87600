(package_clause) @import.head
(import_declaration) @import
