(SuffixExpr (BUILTINIDENTIFIER) @import.keyword (FnCallArguments)) @import.call
