"""A divisible load on a bus, a star or a tree: the solving half of the kind."""

from steadygrid.engine.solver import Solver
from steadygrid.kinds.divisible_star.solver.methods import best_without_solver, solve

SOLVER = Solver(solve, best_without_solver)
