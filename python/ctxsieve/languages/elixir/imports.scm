(call target: (identifier) @import.keyword (arguments . [(alias) (dot)])) @import
