"""The command: solve, check, convert, pictures and studies, on the terminal and with files."""
