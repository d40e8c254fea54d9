"""Divisible loads on a chain of processors: the solving half of the kind."""

from workers.problems import Solver
from workers.problems.divisible_chain.methods import best_without_solver, solve

SOLVER = Solver(solve, best_without_solver)
