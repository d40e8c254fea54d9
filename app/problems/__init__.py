"""The registry: one line per problem kind."""

from collections.abc import Mapping
from typing import Any

from app.domain.problem import Problem
from app.problems.cell import PROBLEM as CELL
from app.problems.divisible_chain import PROBLEM as DIVISIBLE_CHAIN
from app.problems.master_worker import PROBLEM as MASTER_WORKER
from app.problems.mono_allocation import PROBLEM as MONO_ALLOCATION
from app.problems.task_graph import PROBLEM as TASK_GRAPH

PROBLEMS: Mapping[str, Problem[Any, Any]] = {
    problem.kind: problem
    for problem in (MASTER_WORKER, TASK_GRAPH, MONO_ALLOCATION, DIVISIBLE_CHAIN, CELL)
}
