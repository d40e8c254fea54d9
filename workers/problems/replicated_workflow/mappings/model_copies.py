r"""Pyomo model of how many processors each stage gets, and which.

With :math:`\ell_{kj}` the least time for which processor j is busy with a data set of stage k, sends
and receives included over its quickest links:

(1) minimise :math:`T`;
(2) :math:`\sum_r z_{kr} = 1` for each stage: it has r processors;
(3) :math:`\sum_j y_{krj} = r z_{kr}` for each stage and number r;
(4) :math:`\sum_{kr} y_{krj} \le 1` for each processor: it serves one stage;
(5) :math:`r T \ge \ell_{kj} y_{krj}`: each of r processors has one data set in r.

========== ============================== ==================
component  what                           unit
========== ============================== ==================
number     :math:`z_{kr}`, 0 or 1         1
chosen     :math:`y_{krj}`, 0 or 1        1
period     :math:`T`                      time per data set
========== ============================== ==================

Feasible where each stage can have a processor of its own; bounded by 0. Every mapping satisfies it
with its longest mean time of a resource.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction

import pyomo.environ as pyo

from workers.solving.terms import linear


def build_copies(loads: Sequence[Mapping[int, Fraction]], most: Sequence[int]) -> pyo.ConcreteModel:
    """State the program.

    Parameters
    ----------
    loads
        By stage, the load of each processor that can run it.
    most
        By stage, processors that it may have.
    """
    model = pyo.ConcreteModel()
    stages = range(len(loads))
    numbers = [(k, r) for k in stages for r in range(1, most[k] + 1)]
    triples = [(k, r, j) for k, r in numbers for j in loads[k]]
    model.number = pyo.Var(numbers, domain=pyo.Binary)
    model.chosen = pyo.Var(triples, domain=pyo.Binary)
    model.period = pyo.Var(domain=pyo.NonNegativeReals)
    serving: dict[int, list[tuple[int, int]]] = {}
    for k, r, j in triples:
        serving.setdefault(j, []).append((k, r))
    model.one_number = pyo.Constraint(
        stages, rule=lambda m, k: linear((1, m.number[k, r]) for r in range(1, most[k] + 1)) == 1
    )
    model.as_many = pyo.Constraint(
        numbers,
        rule=lambda m, k, r: (
            linear([*((1, m.chosen[k, r, j]) for j in loads[k]), (-r, m.number[k, r])]) == 0
        ),
    )
    model.one_stage = pyo.Constraint(
        sorted(serving),
        rule=lambda m, j: linear((1, m.chosen[k, r, j]) for k, r in serving[j]) <= 1,
    )
    model.long_enough = pyo.Constraint(
        triples,
        rule=lambda m, k, r, j: linear([(r, m.period), (-loads[k][j], m.chosen[k, r, j])]) >= 0,
    )
    model.objective = pyo.Objective(expr=linear([(1, model.period)]))
    return model
