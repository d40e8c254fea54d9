r"""Pyomo model of how many processors each stage gets, and of which type, within a period.

With :math:`n_s` processors of type s, and :math:`S_{kr}` the types that are busy for at most r
periods with a data set of stage k:

(1) minimise :math:`\sum_{krs} c_s y_{krs}`, where slower types have smaller :math:`c_s`

(2) :math:`\sum_r z_{kr} = 1` for each stage: it has r processors

(3) :math:`\sum_{s \in S_{kr}} y_{krs} = r z_{kr}` for each stage and number r

(4) :math:`\sum_{kr} y_{krs} \le n_s` for each type: a processor serves one stage.

========== ================================== ==================
component  what                               unit
========== ================================== ==================
number     :math:`z_{kr}`, 0 or 1             1
chosen     :math:`y_{krs}`, 0 to :math:`n_s`  1
========== ================================== ==================

Infeasible if no mapping has so short a period; bounded by the number of processors.
"""

from collections.abc import Collection, Mapping, Sequence

import pyomo.core as pyo

from steadygrid.engine.solving.terms import linear


def build_copies(
    num_stages: int,
    fast_enough: Mapping[tuple[int, int], Collection[int]],
    counts: Sequence[int],
) -> pyo.ConcreteModel:
    """State the program.

    Parameters
    ----------
    fast_enough
        By stage and number of its processors, the classes that are fast enough; at least that number
        of processors. Numbers with the same classes as a smaller one may be left out.
    counts
        Processors of each class, the slowest class first.
    """
    model = pyo.ConcreteModel()
    numbers = sorted(fast_enough)
    triples = [(k, r, s) for k, r in numbers for s in fast_enough[k, r]]
    model.number = pyo.Var(numbers, domain=pyo.Binary)
    model.chosen = pyo.Var(
        triples,
        domain=pyo.NonNegativeIntegers,
        bounds=lambda _, __, r, s: (0, min(r, counts[s])),
    )
    serving: dict[int, list[tuple[int, int]]] = {}
    for k, r, s in triples:
        serving.setdefault(s, []).append((k, r))
    model.one_number = pyo.Constraint(
        range(num_stages),
        rule=lambda m, k: linear((1, m.number[n]) for n in numbers if n[0] == k) == 1,
    )
    model.as_many = pyo.Constraint(
        numbers,
        rule=lambda m, k, r: (
            linear([*((1, m.chosen[k, r, s]) for s in fast_enough[k, r]), (-r, m.number[k, r])])
            == 0
        ),
    )
    model.one_stage = pyo.Constraint(
        sorted(serving),
        rule=lambda m, s: linear((1, m.chosen[k, r, s]) for k, r in serving[s]) <= counts[s],
    )
    model.objective = pyo.Objective(
        expr=linear((s + 1, model.chosen[k, r, s]) for k, r, s in triples)
    )
    return model
