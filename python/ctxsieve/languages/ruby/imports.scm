(call !receiver method: (identifier) @import.keyword arguments: (argument_list (string))) @import
