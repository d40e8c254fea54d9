"""What the command reads and writes: the terminal, files, the service in the foreground, a solve."""
