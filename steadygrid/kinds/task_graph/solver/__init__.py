"""Collections of identical task graphs: the solving half of the kind."""

from steadygrid.engine.solver import Solver
from steadygrid.kinds.task_graph.solver.methods import best_without_solver, solve
from steadygrid.kinds.task_graph.solver.stated import state_program

SOLVER = Solver(solve, best_without_solver, program=state_program)
