"""The cheapest allocation at exact prices, in exact integers."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from math import lcm
from sys import getsizeof
from typing import NamedTuple

import numpy as np

from steadygrid.engine.allocations.columns import Column, make_column
from steadygrid.engine.allocations.dual_ascent import Messages
from steadygrid.engine.allocations.labelling import Table
from steadygrid.engine.allocations.model import searched_pricing
from steadygrid.engine.allocations.network import Integers
from steadygrid.engine.allocations.problem import FloatCosts, Problem
from steadygrid.engine.allocations.room import FLOAT_BYTES, MOST_ENTRIES, Exhausted, Room
from steadygrid.engine.allocations.sparse_labelling import FewLabellings, TooManyCombinations
from steadygrid.engine.solving.control import Control
from steadygrid.engine.solving.subset_sums import Use, least_possible
from steadygrid.kinds.shared.routes import Path

NEARLY_ONE = 1 - Fraction(1, 10**4)
"""Least costs beyond it are taken up to the next that is possible."""


FAR = 2.0
"""Stands for any cost of 2 or more."""


class Cheapest(NamedTuple):
    """An allocation and its exact price."""

    cost: Fraction
    column: Column


def cheapest_allocation(
    problem: Problem, prices: Sequence[Fraction], room: Room
) -> Cheapest | None:
    """Find the cheapest allocation. None if every one costs 1 or more.

    Parameters
    ----------
    prices
        By resource of the problem's network, at least 0.
    room
        For labelling tables.

    Raises
    ------
    Exhausted
        If tables take more than there is.
    Cancelled, OutOfTime
        See `Control.check`.

    Notes
    -----
    Where the tasks alone cost 1, wherever they run, no file is priced. Else a label is left out
    if the cheapest labelling with it certainly costs more than 1, in floats and less all that
    roundings can have added. The dynamic program over integers runs on the rest, and where
    messages allow few combinations of labels that may be cheap, on those alone.
    """
    if _tasks_alone(problem, prices) >= 1:
        return None
    kept = _labels_within_one(problem, prices, room)
    if kept is None:
        return None
    found = _exactly(problem.restricted(kept), prices, room)
    return found if found is not None and found.cost < 1 else None


def _tasks_alone(problem: Problem, prices: Sequence[Fraction]) -> Fraction:
    times = problem.instance.times
    return sum(
        (
            min((times[task][i] or 0) * prices[i] for i in labels.tolist())
            for task, labels in enumerate(problem.labels)
        ),
        Fraction(0),
    )


def _float_costs(problem: Problem, prices: Sequence[Fraction]) -> FloatCosts:
    return problem.costs(np.array([float(price) for price in prices]))


def _labels_within_one(
    problem: Problem, prices: Sequence[Fraction], room: Room
) -> list[Integers] | None:
    costs = _float_costs(problem, prices)
    most = float(1 + 2 * problem.roundings)
    if problem.wide:
        messages = Messages(costs, FAR)
        messages.rise(1.0, room.check)
        most += messages.doubt
        least = messages.spare().labels()
    else:
        tables = room.labelling(problem.elimination, costs.single, costs.pairs, marginal=True)
        least = tables.marginals()
    kept = [np.flatnonzero(bounds <= most) for bounds in least]
    return kept if all(len(places) for places in kept) else None


def _cheap_labellings(
    problem: Problem, prices: Sequence[Fraction], check: Callable[[], None]
) -> FewLabellings | None:
    """Give the combinations of labels that may cost 1 or less. None if they are not few."""
    if not problem.wide:
        return None
    messages = Messages(_float_costs(problem, prices), FAR)
    messages.rise(1.0, check)
    most = float(1 + 2 * problem.roundings) + messages.doubt
    try:
        return FewLabellings(problem.elimination, messages.spare(), most, check)
    except TooManyCombinations:
        return None


class ExactCosts(NamedTuple):
    """What labels cost at exact prices, in whole multiples of ``1 / unit``.

    Attributes
    ----------
    single
        By task, of each of its labels.
    pairs
        By file, of each pair of labels. None where there is no route.
    paths
        By file, the cheapest route by source and target.
    """

    single: list[list[int]]
    pairs: dict[tuple[int, int], list[list[int | None]]]
    paths: dict[tuple[int, int], dict[int, dict[int, tuple[int, Path]]]]
    unit: int


def exact_costs(
    problem: Problem, prices: Sequence[Fraction], check: Callable[[], None]
) -> ExactCosts:
    """Price all labels and pairs of labels exactly.

    Parameters
    ----------
    problem
        What to price.
    prices
        Of resources, by position.
    check
        Called between steps; may raise.
    """
    instance, network = problem.instance, problem.network
    arcs, arc_unit = _integers(network.exact_arc_costs(prices))
    sizes, size_unit = _integers([size for _, _, size in problem.files])
    single: list[list[Fraction]] = [
        [(instance.times[k][i] or 0) * prices[i] for i in places.tolist()]
        for k, places in enumerate(problem.labels)
    ]
    unit = lcm(arc_unit * size_unit, *(cost.denominator for row in single for cost in row))
    factor = unit // (arc_unit * size_unit)
    sources = {i for k, _, _ in problem.files for i in problem.labels[k].tolist()}
    targets = {i for _, k, _ in problem.files for i in problem.labels[k].tolist()}
    distances: dict[int | None, dict[int, dict[int, tuple[int, Path]]]] = {}
    for group in {*problem.groups}:
        distances[group] = {}
        for source in sorted(sources):
            check()
            distances[group] |= network.exact_distances(arcs, [source], targets, group)
    pairs = {
        (k, other): [
            [
                None
                if (nearest := distances[group][i].get(j)) is None
                else nearest[0] * size * factor
                for j in problem.labels[other].tolist()
            ]
            for i in problem.labels[k].tolist()
        ]
        for (k, other, _), size, group in zip(problem.files, sizes, problem.groups, strict=True)
    }
    paths = {
        (k, other): distances[group]
        for (k, other, _), group in zip(problem.files, problem.groups, strict=True)
    }
    return ExactCosts([[int(cost * unit) for cost in row] for row in single], pairs, paths, unit)


def column_of(problem: Problem, costs: ExactCosts, labels: Sequence[int]) -> Column:
    """Give the allocation of a labelling over the cheapest routes.

    Parameters
    ----------
    problem
        What to price.
    costs
        Exact costs of the same problem, with the cheapest path of each file.
    labels
        By task, the position of its processor among the problem's labels.
    """
    places = [int(problem.labels[k][x]) for k, x in enumerate(labels)]
    paths = [costs.paths[k, other][places[k]][places[other]][1] for k, other, _ in problem.files]
    return make_column(problem.instance, problem.network, places, paths)


def _exactly(problem: Problem, prices: Sequence[Fraction], room: Room) -> Cheapest | None:
    few = _cheap_labellings(problem, prices, room.check)
    entries = problem.elimination.entries(problem.label_counts)
    if few is None and entries > MOST_ENTRIES:
        raise Exhausted(f"a labelling table of integers would be worked out of {entries:,} sums")
    costs = exact_costs(problem, prices, room.check)
    singles = [_array(row) for row in costs.single]
    forbidden = 1 + sum(max(row) for row in singles)
    forbidden += sum(max(_finite(table), default=0) for table in costs.pairs.values())
    pairs = {
        pair: _array([[forbidden if cost is None else cost for cost in row] for row in table])
        for pair, table in costs.pairs.items()
    }
    if few is None:
        entry = getsizeof(forbidden) + FLOAT_BYTES
        labelling = room.labelling(problem.elimination, singles, pairs, entry)
        cost, labels = labelling.cost, labelling.cheapest()
    else:
        found = few.cheapest(singles, pairs)
        if found is None:
            return None
        cost, labels = found[0], found[1][:, 0]
    return Cheapest(Fraction(cost, costs.unit), column_of(problem, costs, labels.tolist()))


class Searched(NamedTuple):
    """What a search says of the cheapest allocation.

    Attributes
    ----------
    least
        No allocation costs less, by the solver's word; at most 1.
    cost, column
        Of the cheapest one that was found; exact.
    """

    least: Fraction
    cost: Fraction
    column: Column


def searched_allocation(
    problem: Problem, prices: Sequence[Fraction], control: Control, mip_gap: float
) -> Searched:
    """Search for the cheapest allocation at exact prices by an integer program.

    The search's bound is taken up to the next cost that is possible, see `least_possible`.

    Parameters
    ----------
    problem
        What to price.
    prices
        Of resources, by position.
    control
        Deadline and cancellation.
    mip_gap
        Relative gap between bound and solution at which a search may stop.

    Raises
    ------
    Cancelled, OutOfTime, NoSolution, SolverError
        See `solve_mixed_integer`.
    """
    costs = exact_costs(problem, prices, control.check)
    unit = costs.unit
    single = [[Fraction(cost, unit) for cost in row] for row in costs.single]
    pairs = {
        pair: {
            (i, j): Fraction(cost, unit)
            for i, row in enumerate(table)
            for j, cost in enumerate(row)
            if cost is not None
        }
        for pair, table in costs.pairs.items()
    }
    bound, labels = searched_pricing(single, pairs, control, mip_gap)
    column = column_of(problem, costs, labels)
    groups = [*single, *(table.values() for table in pairs.values())]
    use = Use([{cost for cost in group if cost} for group in groups])
    least = Fraction(max(0.0, bound))
    if NEARLY_ONE < least < 1:
        least = least_possible([use], least, Fraction(1))
    return Searched(min(least, Fraction(1)), price_of(column.uses, prices), column)


def _finite(table: Sequence[Sequence[int | None]]) -> list[int]:
    return [cost for row in table for cost in row if cost is not None]


def _integers(values: Sequence[Fraction]) -> tuple[list[int], int]:
    unit = lcm(*(value.denominator for value in values))
    return [value.numerator * (unit // value.denominator) for value in values], unit


def _array(rows: Sequence[object]) -> Table:
    return np.array(rows, dtype=object)


def price_of(uses: Mapping[int, Fraction], prices: Sequence[Fraction]) -> Fraction:
    """Price an allocation by what it takes of each resource.

    Parameters
    ----------
    uses
        By resource, the time that one instance takes.
    prices
        Of resources, by position.
    """
    return sum((time * prices[resource] for resource, time in uses.items()), Fraction(0))
