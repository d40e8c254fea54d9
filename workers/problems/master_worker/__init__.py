"""Independent identical tasks that start from one master: the solving half of the kind."""

from workers.problems import Solver
from workers.problems.master_worker.methods import best_without_solver, solve

SOLVER = Solver(solve, best_without_solver)
