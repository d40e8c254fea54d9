"""Bags of independent tasks of several sizes: the solving half of the kind."""

from workers.problems import Solver
from workers.problems.bag_of_tasks.methods import best_without_solver, solve

SOLVER = Solver(solve, best_without_solver)
