"""What solvers share: exact programs, schedules, graphs; no kind of problem."""
