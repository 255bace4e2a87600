(line_comment) @comment
(block_comment) @comment
(line_comment outer: (outer_doc_comment_marker)) @doc
(line_comment inner: (inner_doc_comment_marker)) @doc
(use_declaration) @import
(extern_crate_declaration) @import
(function_item body: (block) @body)
(block (expression_statement) @body.statement)
(block (let_declaration) @body.statement)
(attribute_item) @attribute
(inner_attribute_item) @boilerplate
(empty_statement) @boilerplate
(array_expression (_) @row)
(arguments (_) @row)
(field_initializer_list (_) @row)
