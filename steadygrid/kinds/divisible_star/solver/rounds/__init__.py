"""Several rounds: uniform, periodic, or at shares of a program, and the answer."""
