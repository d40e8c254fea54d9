r"""Pyomo model of mixing sets of tasks, one set on each processor.

With :math:`\lambda_{hS}` the share in which processors of kind h run exactly the tasks S, of the
sets known so far:

(1) minimise :math:`-\tau`;
(2) :math:`\sum_{hS, k \in S} \lambda_{hS} - \tau \ge 0` for each task;
(3) :math:`-\sum_S \lambda_{hS} \ge -n_h` for each kind, of which there are :math:`n_h` processors.

The duals of (2) are weights of the tasks that sum to 1. If the heaviest sets of all processors
weigh less than 1 together, no choice of sets covers all tasks.

========== ============================== ==================
component  what                           unit
========== ============================== ==================
share      of a set, >= 0                 processors
covered    :math:`\tau`                   1: all tasks
cover      (2), by task                   shares of the task
run        (3), by kind                   processors
========== ============================== ==================

Feasible (all shares 0) and bounded where there are tasks.
"""

from collections.abc import Iterable, Sequence

import pyomo.core as pyo

from steadygrid.engine.solving.terms import linear


def build_packing(
    num_tasks: int, counts: Sequence[int], known: Sequence[tuple[int, Iterable[int]]]
) -> pyo.ConcreteModel:
    """State the program over the known sets, each with the kind of processor that can run it.

    Parameters
    ----------
    num_tasks
        They are numbered from 0.
    counts
        How many processors there are of each kind.
    known
        Kind of processor and tasks of each set.
    """
    model = pyo.ConcreteModel()
    model.share = pyo.Var(range(len(known)), domain=pyo.NonNegativeReals)
    model.covered = pyo.Var(domain=pyo.NonNegativeReals)
    covering: list[list[int]] = [[] for _ in range(num_tasks)]
    running: list[list[int]] = [[] for _ in counts]
    for number, (kind, tasks) in enumerate(known):
        running[kind].append(number)
        for task in tasks:
            covering[task].append(number)
    model.cover = pyo.Constraint(
        range(num_tasks),
        rule=lambda m, k: linear([*((1, m.share[n]) for n in covering[k]), (-1, m.covered)]) >= 0,
    )
    model.run = pyo.Constraint(
        [kind for kind, numbers in enumerate(running) if numbers],
        rule=lambda m, kind: linear((-1, m.share[n]) for n in running[kind]) >= -counts[kind],
    )
    model.objective = pyo.Objective(expr=linear([(-1, model.covered)]))
    return model
