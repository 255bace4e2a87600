(comment) @comment
(open_module) @import
