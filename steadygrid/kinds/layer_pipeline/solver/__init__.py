"""Pipelines of layers: the solving half of the kind."""

from steadygrid.engine.solver import Solver
from steadygrid.kinds.layer_pipeline.solver.methods import (
    best_without_solver,
    solve,
    with_quick_proof,
)

SOLVER = Solver(solve, best_without_solver, with_quick_proof)
