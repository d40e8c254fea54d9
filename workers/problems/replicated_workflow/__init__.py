"""Replicated workflows: the solving half of the kind."""

from workers.problems import Solver
from workers.problems.replicated_workflow.methods import best_without_solver, solve

SOLVER = Solver(solve, best_without_solver)
