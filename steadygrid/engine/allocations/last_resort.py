"""One allocation and one bound at once, for every size: no table of pairs of processors."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import islice

from steadygrid.domain.amounts import Amounts
from steadygrid.domain.errors import OutOfTime
from steadygrid.domain.platform import arc_uses, computing_resource
from steadygrid.domain.rounding import leading_bits
from steadygrid.engine.mapping.fastest import fastest_first
from steadygrid.kinds.shared.collection import CollectionInstance
from steadygrid.kinds.shared.routes import Routes

FASTEST = 24
"""Processors that are tried for each task, besides those of its neighbours."""
SIGNIFICANT_BITS = 53
"""Of prices that are made up."""

Loads = Amounts[str]


def some_allocation(
    instance: CollectionInstance, routes: Routes, check: Callable[[], None]
) -> list[int] | None:
    """Place every task, quickly and without looking at all pairs of processors.

    The better of two: all tasks on the one processor that takes least time for them together.
    And one after the other, producers first, where the longest time on one resource grows least
    (ties: where the least time is added), among the `FASTEST` processors for the task and those
    of its neighbours. If its files have no route to any of these, all processors are tried.

    Parameters
    ----------
    routes
        The routes that the files take.
    check
        Called for each processor that is tried; may raise. Where the time is over, the answer is
        the one processor for all tasks, if there is such a one.

    Returns
    -------
    A processor for each task. None where a task finds no place. That proves nothing.

    Notes
    -----
    ``O(tasks * processors)`` for the times, then ``O((tasks + files) * FASTEST)`` routes.
    """
    placing = _Placing(instance, routes, check)
    together = _together(instance)
    try:
        apart = placing.place_each()
    except OutOfTime:
        if together is None:
            raise
        return together
    found = [places for places in (together, apart) if places is not None]
    return min(found, key=placing.period, default=None)


def speed_prices(instance: CollectionInstance) -> dict[str, Fraction] | None:
    """Price the processors by their speeds, so that the tasks alone cost 1 at least.

    Files cost nothing or more, so the sum of the prices bounds every throughput, and its check
    needs no paths.

    Returns
    -------
    By resource. None if at such prices some allocation costs nothing.
    """
    longest: dict[int, Fraction] = {}
    for row in instance.times:
        for i in instance.sort_members:
            time = row[i]
            if time is not None and time > 0:
                longest[i] = max(longest.get(i, time), time)
    if not longest:
        return None
    slowest = max(longest.values())
    none = Fraction(0)
    prices = {i: leading_bits(slowest / time, SIGNIFICANT_BITS) for i, time in longest.items()}
    least = sum(
        (
            min(
                time * prices.get(i, none)
                for i in instance.sort_members
                if (time := row[i]) is not None
            )
            for row in instance.times
        ),
        none,
    )
    if not least:
        return None
    least = leading_bits(least, SIGNIFICANT_BITS)
    processors = instance.platform.processors
    return {
        computing_resource(processors[member].id, instance.ports): price / least
        for i, price in prices.items()
        for member in instance.sort_members[i]
    }


def _together(instance: CollectionInstance) -> list[int] | None:
    rows = instance.times
    totals: dict[int, Fraction] = {}
    for i in instance.sort_members:
        times = [time for row in rows if (time := row[i]) is not None]
        if len(times) == len(rows):
            totals[i] = sum(times, Fraction(0))
    best = min(totals, key=lambda i: (totals[i], i), default=None)
    return None if best is None else [best] * len(rows)


class _Placing:
    """Tasks placed one after the other, and the exact time that they take of each resource."""

    def __init__(
        self, instance: CollectionInstance, routes: Routes, check: Callable[[], None]
    ) -> None:
        self._instance = instance
        self._routes = routes
        self._check = check
        self._names = [
            computing_resource(p.id, instance.ports) for p in instance.platform.processors
        ]
        self._uses: dict[int, list[tuple[str, Fraction]]] = {}
        self._around: list[list[tuple[int, Fraction, bool]]] = [[] for _ in instance.times]
        for source, target, size in instance.files:
            self._around[source].append((target, size, True))
            self._around[target].append((source, size, False))

    def place_each(self) -> list[int] | None:
        """Place the tasks, producers first. None where one finds no place."""
        loads: Loads = Loads()
        places: dict[int, int] = {}
        for task in self._order():
            row = self._instance.times[task]
            near = [places[other] for other, _, _ in self._around[task] if other in places]
            few = islice(fastest_first(self._instance, task), FASTEST)
            tried = dict.fromkeys([*(i for i in near if row[i] is not None), *few])
            found = self._best(task, tried, places, loads) or self._best(
                task,
                (i for i, time in enumerate(row) if time is not None and i not in tried),
                places,
                loads,
            )
            if found is None:
                return None
            places[task], added = found
            for name, time in added.items():
                loads[name] += time
        return [places[task] for task in range(len(places))]

    def period(self, places: Sequence[int]) -> Fraction:
        """Give the longest time that one resource spends on one instance."""
        loads: Loads = Loads()
        placed: dict[int, int] = {}
        for task, place in enumerate(places):
            for name, time in (self._added(task, place, placed) or {}).items():
                loads[name] += time
            placed[task] = place
        return max(loads.values(), default=Fraction(0))

    def _order(self) -> list[int]:
        waiting = [0] * len(self._around)
        for _, target, _ in self._instance.files:
            waiting[target] += 1
        ready = [task for task, number in enumerate(waiting) if not number]
        for task in ready:
            for other, _, outwards in self._around[task]:
                if outwards:
                    waiting[other] -= 1
                    if not waiting[other]:
                        ready.append(other)
        return ready

    def _best(
        self, task: int, tried: Iterable[int], places: Mapping[int, int], loads: Loads
    ) -> tuple[int, Loads] | None:
        best: tuple[tuple[Fraction, Fraction], int, Loads] | None = None
        none = Fraction(0)
        for place in tried:
            self._check()
            added = self._added(task, place, places)
            if added is None:
                continue
            longest = max((loads[name] + t for name, t in added.items()), default=none)
            key = longest, sum(added.values(), none)
            if best is None or key < best[0]:
                best = key, place, added
        return None if best is None else best[1:]

    def _added(self, task: int, place: int, places: Mapping[int, int]) -> Loads | None:
        """Give what a task takes there, with its files from and to placed tasks."""
        time = self._instance.times[task][place]
        if time is None:
            return None
        added = Loads({self._names[place]: time})
        for other, size, outwards in self._around[task]:
            there = places.get(other, place)
            route = self._routes.path(*((place, there) if outwards else (there, place)))
            if route is None:
                return None
            for arc in route if size else ():
                for name, per_data in self._arc_uses(arc):
                    added[name] += size * per_data
        return added

    def _arc_uses(self, arc: int) -> list[tuple[str, Fraction]]:
        if arc not in self._uses:
            instance = self._instance
            uses = arc_uses(instance.platform, instance.platform.arcs[arc], instance.ports)
            self._uses[arc] = [(use.resource, use.time_per_data) for use in uses]
        return self._uses[arc]
