"""The minimum-cost-path heuristic: one tree, target after target."""

from collections.abc import Mapping
from fractions import Fraction
from heapq import heappop, heappush
from itertools import count, pairwise

from steadygrid.domain.amounts import Amounts
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.collective.solver.best_trees import Packing, one_tree_each
from steadygrid.kinds.collective.solver.copies import Copies, Path, Tree, message_of, size_of

Cost = tuple[Fraction, Fraction]
"""Of a route: how busy it makes the busiest resource, and, where that is the same, the sum over its
links of how busy each makes its own."""


def mcph(copies: Copies, control: Control) -> Packing:
    """Grow a tree by the route to a target that makes the busiest port of its links least busy.

    Parameters
    ----------
    copies
        With one message.
    control
        Deadline, cancellation and progress of the solve.

    Notes
    -----
    After MCPH of RR-5123 (O. Beaumont, A. Legrand, L. Marchal, Y. Robert), where the price of a link
    grows with all that its sender sends in the tree already; here with the load of every resource
    that the link uses, under any port model. Paths begin at processors that are in the tree and may
    copy.
    """
    (series,) = copies.series
    busy: Amounts[str] = Amounts()
    inside = {series.root: None}
    routes: list[Path] = []
    missing = set(series.messages)
    while missing:
        control.check()
        path = _cheapest(copies, _costs(copies, busy, size_of(series)), [*inside], missing)
        start = 0
        for k in range(1, len(path)):
            if path[k] in copies.members:
                routes.append(path[start : k + 1])
                inside[path[k]] = None
                start = k
        missing -= inside.keys()
        for ends in pairwise(path):
            for resource, time in copies.uses(copies.arc_between[ends]):
                busy[resource] += time * size_of(series)
    return one_tree_each(copies, [Tree(message_of(series), series.root, tuple(routes))])


def _costs(
    copies: Copies, busy: Mapping[str, Fraction], size: Fraction
) -> dict[tuple[int, int], Fraction]:
    """Say how busy each link would make the busiest of what it uses."""
    return {
        copies.ends(arc): max(
            busy.get(resource, Fraction(0)) + time * size for resource, time in copies.uses(arc)
        )
        for arc in copies.arcs
    }


def _cheapest(
    copies: Copies,
    costs: Mapping[tuple[int, int], Fraction],
    starts: list[int],
    goals: set[int],
) -> Path:
    """Find the route from any start to the goal that it is cheapest to reach."""
    leaving: dict[int, list[int]] = {}
    for near, far in costs:
        leaving.setdefault(near, []).append(far)
    before: dict[int, int] = {}
    settled: set[int] = set()
    order = count()
    heap: list[tuple[Cost, int, int, int | None]] = [
        ((Fraction(0), Fraction(0)), next(order), start, None) for start in starts
    ]
    while heap:
        (most, total), _, here, came = heappop(heap)
        if here in settled:
            continue
        settled.add(here)
        if came is not None:
            before[here] = came
        if here in goals:
            path = [here]
            while path[-1] in before:
                path.append(before[path[-1]])
            return tuple(reversed(path))
        for there in leaving.get(here, ()):
            if there not in settled:
                cost = costs[here, there]
                heappush(heap, ((max(most, cost), total + cost), next(order), there, here))
    raise AssertionError(f"no route leads to {sorted(goals)}, though messages can arrive")
