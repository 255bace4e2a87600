(open_module) @import
(include_module) @import
