(package_declaration) @import
(import_declaration) @import
