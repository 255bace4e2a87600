(call function: (identifier) @import.keyword arguments: (arguments (argument))) @import.call
