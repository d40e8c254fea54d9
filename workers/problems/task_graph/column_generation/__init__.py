"""Column generation: a master program over allocations, priced by dynamic programming."""

from workers.problems.task_graph.column_generation.solving import solve

__all__ = ["solve"]
