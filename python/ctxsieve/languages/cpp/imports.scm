(preproc_include) @import
(import_declaration) @import
