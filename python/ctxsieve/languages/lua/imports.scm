(function_call name: (identifier) @import.keyword arguments: (arguments (string))) @import.call
