(command name: (command_name (word) @import.keyword) argument: (_)) @import
