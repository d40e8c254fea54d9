"""Column generation: a master program over allocations, priced by dynamic programming."""

from workers.problems.task_graph.column_generation.solving import best_so_far, solve

__all__ = ["best_so_far", "solve"]
