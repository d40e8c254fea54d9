r"""Pyomo model of how many processors each stage gets, and which, within a period.

With :math:`J_{kr}` the processors that are busy for at most r periods with a data set of stage k:

(1) minimise :math:`\sum_{kr} r z_{kr}`;
(2) :math:`\sum_r z_{kr} = 1` for each stage: it has r processors;
(3) :math:`\sum_{j \in J_{kr}} y_{krj} = r z_{kr}` for each stage and number r;
(4) :math:`\sum_{kr} y_{krj} \le 1` for each processor: it serves one stage.

========== ============================== ==================
component  what                           unit
========== ============================== ==================
number     :math:`z_{kr}`, 0 or 1         1
chosen     :math:`y_{krj}`, 0 or 1        1
========== ============================== ==================

Infeasible if no mapping has so short a period; bounded by the number of stages.
"""

from collections.abc import Collection, Mapping

import pyomo.core as pyo

from steadygrid.engine.solving.terms import linear


def build_copies(
    num_stages: int, fast_enough: Mapping[tuple[int, int], Collection[int]]
) -> pyo.ConcreteModel:
    """State the program.

    Parameters
    ----------
    fast_enough
        By stage and number of its processors, those that are fast enough; at least that number.
    """
    model = pyo.ConcreteModel()
    numbers = sorted(fast_enough)
    triples = [(k, r, j) for k, r in numbers for j in fast_enough[k, r]]
    model.number = pyo.Var(numbers, domain=pyo.Binary)
    model.chosen = pyo.Var(triples, domain=pyo.Binary)
    serving: dict[int, list[tuple[int, int]]] = {}
    for k, r, j in triples:
        serving.setdefault(j, []).append((k, r))
    model.one_number = pyo.Constraint(
        range(num_stages),
        rule=lambda m, k: linear((1, m.number[n]) for n in numbers if n[0] == k) == 1,
    )
    model.as_many = pyo.Constraint(
        numbers,
        rule=lambda m, k, r: (
            linear([*((1, m.chosen[k, r, j]) for j in fast_enough[k, r]), (-r, m.number[k, r])])
            == 0
        ),
    )
    model.one_stage = pyo.Constraint(
        sorted(serving),
        rule=lambda m, j: linear((1, m.chosen[k, r, j]) for k, r in serving[j]) <= 1,
    )
    model.objective = pyo.Objective(expr=linear((r, model.number[k, r]) for k, r in numbers))
    return model
