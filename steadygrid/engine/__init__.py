"""What solvers share: exact programs, schedules, graphs. No kind of problem."""
