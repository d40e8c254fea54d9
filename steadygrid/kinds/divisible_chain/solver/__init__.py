"""Divisible loads on a chain of processors: the solving half of the kind."""

from steadygrid.engine.solver import Solver
from steadygrid.kinds.divisible_chain.solver.methods import best_without_solver, solve

SOLVER = Solver(solve, best_without_solver)
