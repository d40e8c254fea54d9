"""A divisible load on a bus, a star or a tree: the solving half of the kind."""

from workers.problems import Solver
from workers.problems.divisible_star.methods import best_without_solver, solve

SOLVER = Solver(solve, best_without_solver)
