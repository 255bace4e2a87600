(comment) @comment
(haddock) @doc
(import) @import
(pragma) @boilerplate
