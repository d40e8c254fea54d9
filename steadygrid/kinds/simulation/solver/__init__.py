"""Schedules carried out in an inexact world: the solving half of the kind."""

from steadygrid.engine.solver import Solver
from steadygrid.kinds.simulation.solver.methods import best_without_solver, solve

SOLVER = Solver(solve, best_without_solver)
