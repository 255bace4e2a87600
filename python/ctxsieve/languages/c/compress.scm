(comment) @comment
(preproc_include) @import
(function_definition body: (compound_statement) @body)
(compound_statement [(expression_statement) (declaration) (if_statement) (for_statement) (while_statement) (do_statement) (switch_statement) (return_statement)] @body.statement)
(initializer_list (_) @row)
(argument_list (_) @row)
