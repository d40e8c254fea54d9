"""What solvers share: exact programs, reconstruction, graphs. No kind."""
