"""Independent identical tasks that start from one master: the solving half of the kind."""

from steadygrid.engine.solver import Solver
from steadygrid.kinds.master_worker.solver.methods import (
    best_without_solver,
    solve,
    with_quick_proof,
)
from steadygrid.kinds.master_worker.solver.stated import state_program

SOLVER = Solver(solve, best_without_solver, with_quick_proof, state_program)
