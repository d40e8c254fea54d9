"""The registry: one line per problem kind.

Called, ``steadygrid.problems()``, it gives the kinds by name; each has a ``title``, a
``description``, its ``methods``, its ``sources``, and an ``example`` that can be solved as it is.
"""

import sys
from collections.abc import Mapping
from types import ModuleType
from typing import Any

from steadygrid.domain.problem import Problem
from steadygrid.problems.bag_of_tasks import PROBLEM as BAG_OF_TASKS
from steadygrid.problems.cell import PROBLEM as CELL
from steadygrid.problems.collective import PROBLEM as COLLECTIVE
from steadygrid.problems.dataflow import PROBLEM as DATAFLOW
from steadygrid.problems.divisible_chain import PROBLEM as DIVISIBLE_CHAIN
from steadygrid.problems.divisible_star import PROBLEM as DIVISIBLE_STAR
from steadygrid.problems.master_worker import PROBLEM as MASTER_WORKER
from steadygrid.problems.mono_allocation import PROBLEM as MONO_ALLOCATION
from steadygrid.problems.replicated_workflow import PROBLEM as REPLICATED_WORKFLOW
from steadygrid.problems.task_graph import PROBLEM as TASK_GRAPH

SOLVES = 9
"""What this version solves: everything that requires no more. It rises by one with each kind or
feature that workers of the version before cannot solve, and that kind or feature requires it: 1, ports
of one transfer at a time; 2, paid latencies, network
cards, and collective operations; 3, divisible loads on stars and trees; 4,
bags of tasks; 5, replicated workflows; 6, memory of processors, and intervals of a chain of tasks;
7, dataflow graphs; 8, judging mappings and allocations that are given; 9, jobs of sweeps."""

PROBLEMS: Mapping[str, Problem[Any, Any]] = {
    problem.kind: problem
    for problem in (
        MASTER_WORKER,
        TASK_GRAPH,
        MONO_ALLOCATION,
        COLLECTIVE,
        DIVISIBLE_CHAIN,
        DIVISIBLE_STAR,
        CELL,
        BAG_OF_TASKS,
        REPLICATED_WORKFLOW,
        DATAFLOW,
    )
}


class _Registry(ModuleType):
    """A package that can be called, since a function of its name would hide it."""

    def __call__(self) -> Mapping[str, Problem[Any, Any]]:
        """Give the kinds of problem."""
        return PROBLEMS


sys.modules[__name__].__class__ = _Registry
