(using_directive) @import
(namespace_declaration) @import.head
(file_scoped_namespace_declaration) @import.head
