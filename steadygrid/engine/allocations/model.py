r"""Pyomo models of column generation: the master program, and pricing as an integer program.

Master, with one column per allocation a found so far:

(1) maximise :math:`\sum_a \rho_a`;
(2) for each resource r, :math:`\sum_a t_{ar} \rho_a \le 1`, with :math:`t_{ar}` the time that one
    instance takes of r in allocation a.

Pricing at prices u, with :math:`c_{ki}` the price of task k on processor i and :math:`d_{ij}` the
price of the cheapest route of one unit of data from i to j:

(3) minimise :math:`\sum_{ki} c_{ki} y_{ki} + \sum_{klij} s_{kl} d_{ij} x_{klij}`;
(4) :math:`\sum_i y_{ki} = 1` for each task;
(5) :math:`\sum_j x_{klij} = y_{ki}` and (6) :math:`\sum_i x_{klij} = y_{lj}` for each file.

========== ============================== ================================
component  what                           unit
========== ============================== ================================
rate       of an allocation, >= 0         instances per time unit
capacity   (2)                            share of the resource's time
place      y, binary                      1 if the task runs there
route      x, >= 0, whole where y is      1 if the file goes from i to j
========== ============================== ================================

The master is feasible (all rates 0) and bounded if every allocation takes some time of some
resource. The pricing problem is infeasible where no allocation lets every file travel.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction

import numpy as np
import pyomo.core as pyo

from steadygrid.engine.allocations.network import Floats
from steadygrid.engine.solving.control import Control
from steadygrid.engine.solving.mixed_integer import solve_mixed_integer
from steadygrid.engine.solving.persistent import PackingProgram
from steadygrid.engine.solving.terms import Terms, linear

NEARLY_NOTHING = 1e-13
"""Costs below this share of the largest are no costs to the integer program."""


class Master:
    """The master program (1)-(2), which grows: a Pyomo model and a warm HiGHS instance.

    Attributes
    ----------
    model
        The Pyomo model, with all columns so far.
    program
        Its solver.
    """

    def __init__(self, resources: Sequence[str], control: Control) -> None:
        self.model = model = pyo.ConcreteModel()
        model.rate = pyo.Var(pyo.NonNegativeIntegers, domain=pyo.NonNegativeReals, dense=False)
        model.used = pyo.Expression(resources, initialize=lambda *_: linear(()))
        model.capacity = pyo.Constraint(resources, rule=lambda m, name: m.used[name] <= 1)
        model.total = pyo.Expression(initialize=linear(()))
        model.throughput = pyo.Objective(expr=model.total, sense=pyo.maximize)
        rows = [model.used[name] for name in resources]
        self.program = PackingProgram(rows, model.total, control)

    def add(self, uses: Mapping[int, Fraction]) -> None:
        """Add an allocation by what one instance takes of each resource, by position."""
        self.program.add_column(self.model.rate.add(len(self.model.rate)), uses.items())


def build_master(
    resources: Sequence[str], columns: Sequence[Mapping[int, Fraction]]
) -> pyo.ConcreteModel:
    """State the master program (1)-(2) over some allocations.

    Parameters
    ----------
    resources
        Names of the rows.
    columns
        By allocation, the time that one instance takes of each resource, by position.
    """
    model = pyo.ConcreteModel()
    model.rate = pyo.Var(pyo.NonNegativeIntegers, domain=pyo.NonNegativeReals, dense=False)
    terms: list[Terms] = [[] for _ in resources]
    for number, uses in enumerate(columns):
        rate = model.rate.add(number)
        for resource, time in uses.items():
            terms[resource].append((time, rate))
    model.capacity = pyo.Constraint(pyo.Any)
    for name, row in zip(resources, terms, strict=True):
        model.capacity[name] = (None, linear(row), 1)
    model.throughput = pyo.Objective(
        expr=linear((1, rate) for rate in model.rate.values()), sense=pyo.maximize
    )
    return model


def cheapest_by_program(
    single: Sequence[Floats],
    pairs: Mapping[tuple[int, int], Floats],
    control: Control,
    mip_gap: float,
) -> tuple[float, list[int]]:
    """Solve the pricing problem as an integer program.

    Parameters
    ----------
    single, pairs
        Costs of labels by task and of pairs of labels by file; infinite: forbidden.

    Returns
    -------
    tuple
        The solver's lower bound of all costs, in doubles and widened by its tolerances, and a
        labelling that is cheapest within the gap.

    Raises
    ------
    Cancelled, OutOfTime, NoSolution, SolverError
        See `solve_mixed_integer`.
    """
    finite = [table[np.isfinite(table)] for table in (*single, *pairs.values())]
    unit = max((float(costs.max(initial=0.0)) for costs in finite), default=0.0) or 1.0
    bound, labels = searched_pricing(
        [[_share(cost, unit) for cost in row.tolist()] for row in single],
        {
            pair: {
                (int(i), int(j)): _share(float(table[i, j]), unit)
                for i, j in zip(*np.nonzero(np.isfinite(table)), strict=True)
            }
            for pair, table in pairs.items()
        },
        control,
        mip_gap,
    )
    return max(0.0, bound * unit), labels


def searched_pricing(
    single: Sequence[Sequence[Fraction]],
    pairs: Mapping[tuple[int, int], Mapping[tuple[int, int], Fraction]],
    control: Control,
    mip_gap: float,
) -> tuple[float, list[int]]:
    """Search program (3)-(6). What it takes and gives is as in `cheapest_by_program`.

    Parameters
    ----------
    single
        By task, the price of each label.
    pairs
        By file, the price of each pair of labels; pairs without a path are left out.
    control
        Deadline and cancellation.
    mip_gap
        Relative gap between bound and solution at which a search may stop.

    Returns
    -------
    tuple
        The bound of the search, and the label of each task.
    """
    solved = solve_mixed_integer(model := build_pricing(single, pairs), control, mip_gap)
    labels = [0] * len(single)
    for (task, label), value in solved.values_of(model.place).items():
        if round(value):
            labels[task] = label
    return solved.bound, labels


def _share(cost: float, unit: float) -> Fraction:
    """Give a cost as a share of the largest; nearly nothing, which the solver may stumble over, as 0."""
    share = cost / unit
    return Fraction(share) if share > NEARLY_NOTHING else Fraction(0)


def build_pricing(
    single: Sequence[Sequence[Fraction]],
    pairs: Mapping[tuple[int, int], Mapping[tuple[int, int], Fraction]],
) -> pyo.ConcreteModel:
    """State the pricing problem (3)-(6).

    Parameters
    ----------
    single
        By task, the price of each label.
    pairs
        By file, the price of each pair of labels; pairs without a route are left out.
    """
    model = pyo.ConcreteModel()
    places = [(k, i) for k, row in enumerate(single) for i in range(len(row))]
    routes = [(k, other, i, j) for (k, other), table in pairs.items() for i, j in table]
    model.place = pyo.Var(places, domain=pyo.Binary)
    model.route = pyo.Var(routes, domain=pyo.NonNegativeReals)
    model.placed = pyo.Constraint(
        range(len(single)),
        rule=lambda m, k: linear((1, m.place[k, i]) for i in range(len(single[k]))) == 1,
    )
    leaving: dict[tuple[int, int, int], Terms] = {}
    entering: dict[tuple[int, int, int], Terms] = {}
    for k, other in pairs:
        for i in range(len(single[k])):
            leaving[k, other, i] = [(-1, model.place[k, i])]
        for j in range(len(single[other])):
            entering[k, other, j] = [(-1, model.place[other, j])]
    for k, other, i, j in routes:
        leaving[k, other, i].append((1, model.route[k, other, i, j]))
        entering[k, other, j].append((1, model.route[k, other, i, j]))
    model.leaves = pyo.Constraint(
        list(leaving), rule=lambda _, k, other, i: linear(leaving[k, other, i]) == 0
    )
    model.enters = pyo.Constraint(
        list(entering), rule=lambda _, k, other, j: linear(entering[k, other, j]) == 0
    )
    model.cost = pyo.Objective(
        expr=linear(
            [
                *((single[k][i], model.place[k, i]) for k, i in places),
                *((pairs[k, o][i, j], model.route[k, o, i, j]) for k, o, i, j in routes),
            ]
        )
    )
    return model
