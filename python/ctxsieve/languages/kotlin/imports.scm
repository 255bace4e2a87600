(package_header) @import
(import_header) @import
