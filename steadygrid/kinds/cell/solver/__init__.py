"""Task graphs on the Cell processor: the solving half of the kind."""

from steadygrid.engine.solver import Solver
from steadygrid.kinds.cell.solver.methods import best_without_solver, solve

SOLVER = Solver(solve, best_without_solver)
