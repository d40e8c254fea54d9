"""Dataflow graphs: the solving half of the kind."""

from workers.problems import Solver
from workers.problems.dataflow.methods import best_without_solver, solve

SOLVER = Solver(solve, best_without_solver)
