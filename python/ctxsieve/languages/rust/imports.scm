(use_declaration) @import
(mod_item !body) @import
(extern_crate_declaration) @import
