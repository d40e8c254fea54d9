"""Series of collective operations: the solving half of the kind."""

from steadygrid.engine.solver import Solver
from steadygrid.kinds.collective.solver.methods import best_without_solver, solve
from steadygrid.kinds.collective.solver.stated import state_program

SOLVER = Solver(solve, best_without_solver, program=state_program)
