"""One allocation for all instances of a task graph: the solving half of the kind."""

from steadygrid.engine.solver import Solver
from steadygrid.kinds.mono_allocation.solver.methods import best_without_solver, solve

SOLVER = Solver(solve, best_without_solver)
