(comment) @comment
(function_definition body: (compound_statement) @body)
(compound_statement) @block.delimited
(compound_statement [(command) (variable_assignment) (declaration_command) (if_statement) (for_statement) (while_statement) (case_statement) (pipeline) (list) (redirected_statement)] @body.statement)
