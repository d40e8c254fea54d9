"""Bags of independent tasks of several sizes: the solving half of the kind."""

from steadygrid.engine.solver import Solver
from steadygrid.kinds.bag_of_tasks.solver.methods import best_without_solver, solve

SOLVER = Solver(solve, best_without_solver)
