"""The command line: one module a command, imported when the command is called."""
