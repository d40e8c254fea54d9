"""One allocation for all instances of a task graph: the solving half of the kind."""

from workers.problems import Solver
from workers.problems.mono_allocation.methods import best_without_solver, solve

SOLVER = Solver(solve, best_without_solver)
