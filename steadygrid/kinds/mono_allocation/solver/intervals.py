r"""The best intervals of a chain of tasks on processors joined by fixed routes: exact, by a search.

A chain :math:`T_1, \dots, T_n` is cut into intervals, each on a processor of its own. The file between
two intervals takes the route between their processors. What an allocation takes is known up to and
with the task :math:`T_k` once the intervals so far are: which processors have been used, the last
one, and how long each resource is busy. For what follows only those resources matter that the rest
may use again. Of two beginnings that agree in k, in the processors used and in the last one, the
one on which none of these is busy for longer is as good as the other. Where every resource is a
processor's own, as on a star around a switch, hardly any is used again, and the search is a dynamic
program over intervals and sets of processors.

What is left bounds the period, too. Give every processor any speed :math:`s_i > 0`, and every task
the work :math:`w_k = \min_i s_i t_{ik}`: the processors that are left do no more than
:math:`T \sum_i s_i` of it within T, and there is :math:`\sum_k w_k` to do.

Beginnings are extended in the order of what they promise, the longest occupation so far or that bound.
The first complete one is the best, and at any time no period is shorter than what is next. (If two agree
as above, the second promises no more than the first will come to: the longest occupation of the
first is no more than it promised.)
Of interchangeable processors the first that is not used stands for all.

This is the problem of chains-to-chains partitioning, on processors that differ and with contention of
files. The search is steadygrid's. Number of beginnings: tasks times sets of processors at least,
the sets taken by class, which is why the search ends after `MOST_BEGINNINGS`.
"""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from heapq import heappop, heappush
from typing import NamedTuple

from steadygrid.domain.errors import OutOfTime
from steadygrid.engine.mapping.occupation import Costs, Number, costs_of
from steadygrid.engine.mapping.twins import twins_of
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.mono_allocation.solver.allocated import PeriodBound
from steadygrid.kinds.mono_allocation.solver.tables import MonoTables

MOST_BEGINNINGS = 60_000
"""That are extended. The referee has to repeat the search."""
MOST_STEPS = 600_000
"""Tasks added to intervals and beginnings compared, for the same reason."""


class Intervals(NamedTuple):
    """What the search has found.

    Attributes
    ----------
    mapping
        The best one. None where the search did not come to its end.
    bound
        No intervals have a shorter period, over all resources.
    """

    mapping: list[int] | None
    bound: Fraction


class _Beginning(NamedTuple):
    """The first tasks of the chain on some processors, as an entry of the heap."""

    promise: Number
    """No period that it comes to is shorter."""
    missing: int
    number: int
    """In which order they were found: no two are compared further."""
    used: frozenset[int]
    last: int
    longest: Number
    """Occupation so far."""
    loads: Mapping[int, Number]
    """Of resources that may be used again."""
    trail: tuple[tuple[int, int], ...]
    """Processors, each with the position after its interval."""


def best_intervals(tables: MonoTables, control: Control) -> Intervals | None:
    """Search for the intervals with the shortest longest occupation.

    Parameters
    ----------
    tables
        Of an instance that asks for intervals, with fixed routing.

    Returns
    -------
    Intervals or None
        None if there are none. Where the time is over, or the search too large, its bound alone.

    Raises
    ------
    Cancelled
        If cancelled.
    """
    return _Search(tables, control).run()


def interval_bound(tables: MonoTables, control: Control) -> PeriodBound | None:
    """Bound the period by the intervals. None where the instance asks for none on fixed routes.

    Parameters
    ----------
    tables
        The instance, with its routes between processors, by position.
    control
        Deadline, cancellation and progress of the solve.

    Raises
    ------
    Cancelled
        If cancelled.
    """
    instance = tables.instance
    if not instance.contiguous or instance.routing != "fixed":
        return None
    found = tables.cached(best_intervals, control)
    if found is None or not found.bound:
        return None
    return PeriodBound(found.bound, "intervals", exact=True)


class _Search:
    def __init__(self, tables: MonoTables, control: Control) -> None:
        limits = tables.limits
        assert limits is not None
        assert limits.order is not None
        self._tables = tables
        self._control = control
        self._order: Sequence[int] = limits.order
        self._needs = [limits.needs[k] for k in self._order]
        self._room = limits.room
        self._costs: Costs = costs_of(tables)
        size = {(k, l): f for f, (k, l, _) in enumerate(tables.files)}
        self._files = [
            self._costs.sizes[size[k, l]]
            for k, l in zip(self._order, self._order[1:], strict=False)
        ]
        self._twins = twins_of(tables)
        self._known: dict[tuple[frozenset[int], int, int], list[Mapping[int, Number]]] = {}
        self._again: dict[tuple[frozenset[int], int], frozenset[int]] = {}
        self._heap: list[_Beginning] = []
        self._left: dict[frozenset[int], tuple[Fraction, Fraction | None]] = {}
        times = [self._costs.times[k] for k in self._order]
        self._speeds = {i: _speed(row[i] for row in times) for i in tables.usable}
        works = [
            min(
                (time * speed for i, speed in self._speeds.items() if (time := row[i]) is not None),
                default=Fraction(0),
            )
            for row in times
        ]
        self._to_do, self._to_hold = _suffixes(works), _suffixes(self._needs)
        self._steps = 0
        self._number = 0

    def run(self) -> Intervals | None:
        done = 0
        start = _Beginning(0, len(self._order), 0, frozenset(), -1, 0, {}, ())
        self._heap.append(start)
        while self._heap:
            best = self._heap[0]
            bound = Fraction(best.promise) / self._costs.scale
            if not best.missing:
                return Intervals(_spread(best.trail, self._order), bound)
            done += 1
            if done > MOST_BEGINNINGS or self._steps > MOST_STEPS:
                return Intervals(None, bound)
            try:
                self._control.check()
            except OutOfTime:
                return Intervals(None, bound)
            one = heappop(self._heap)
            if not self._dominated(one):
                self._extend(one)
        return None

    def _dominated(self, one: _Beginning) -> bool:
        """Tell whether one that is as good was extended before. If not, remember this one."""
        key = one.used, one.last, one.missing
        known = self._known.setdefault(key, [])
        self._steps += len(known)
        for loads in known:
            if all(load <= one.loads.get(place, 0) for place, load in loads.items()):
                return True
        known.append(one.loads)
        return False

    def _extend(self, one: _Beginning) -> None:
        for here in self._twins.candidates(self._tables.usable, one.used):
            if here in one.used:
                continue
            begun = self._entered(one, here)
            if begun is not None:
                self._grow(one, here, *begun)

    def _entered(self, one: _Beginning, here: int) -> tuple[dict[int, Number], Number] | None:
        """Send the file of the last task there; give the loads, and the longest of all so far."""
        loads, longest = dict(one.loads), one.longest
        if one.trail:
            uses = self._costs.uses(one.last, here)
            if uses is None:
                return None
            size = self._files[one.trail[-1][1] - 1]
            for place, time in uses:
                loads[place] = loads.get(place, 0) + size * time
                longest = max(longest, loads[place])
        return loads, longest

    def _grow(self, one: _Beginning, here: int, loads: dict[int, Number], longest: Number) -> None:
        """Make the interval there longer, task by task, and keep each beginning that this gives."""
        start = one.trail[-1][1] if one.trail else 0
        used = one.used | {here}
        held, room = Fraction(0), self._room[here]
        for position in range(start, len(self._order)):
            self._steps += 1
            time = self._costs.times[self._order[position]][here]
            held += self._needs[position]
            if time is None or (room is not None and held > room):
                return
            loads[here] = loads.get(here, 0) + time
            longest = max(longest, loads[here])
            self._keep(one, used, here, position + 1, loads, longest)

    def _keep(
        self,
        one: _Beginning,
        used: frozenset[int],
        here: int,
        end: int,
        loads: Mapping[int, Number],
        longest: Number,
    ) -> None:
        missing = len(self._order) - end
        rest_takes = self._rest_takes(used, end)
        if rest_takes is None:
            return
        promise = max(one.promise, longest, rest_takes)
        again = self._used_again(used, here) if missing else frozenset()
        rest = {place: load for place, load in loads.items() if load and place in again}
        self._number += 1
        heappush(
            self._heap,
            _Beginning(
                promise,
                missing,
                self._number,
                used,
                here,
                longest,
                rest,
                (*one.trail, (here, end)),
            ),
        )

    def _rest_takes(self, used: frozenset[int], end: int) -> Number | None:
        """Bound the period by what is left to do and to hold. None where that is too much."""
        if end == len(self._order):
            return 0
        if used not in self._left:
            rest = [i for i in self._tables.usable if i not in used]
            limits = [limit for i in rest if (limit := self._room[i]) is not None]
            speed = sum((self._speeds[i] for i in rest), Fraction(0))
            room = sum(limits, Fraction(0)) if len(limits) == len(rest) else None
            self._left[used] = speed, room
        speed, room = self._left[used]
        if not speed or (room is not None and self._to_hold[end] > room):
            return None
        return self._to_do[end] / speed

    def _used_again(self, used: frozenset[int], last: int) -> frozenset[int]:
        """Give the resources that the rest of the chain may use."""
        if (used, last) not in self._again:
            rest = [i for i in self._tables.usable if i not in used]
            found = set(rest)
            for receiver in rest:
                for sender in (last, *rest):
                    self._steps += 1
                    found.update(place for place, _ in self._costs.uses(sender, receiver) or ())
            self._again[used, last] = frozenset(found)
        return self._again[used, last]


def _speed(times: Iterable[Number | None]) -> Fraction:
    """Give a processor a speed by what it takes for the tasks that it can run."""
    listed = [time for time in times if time is not None]
    return Fraction(len(listed)) / (sum(listed) or 1)


def _suffixes(amounts: Sequence[Number]) -> list[Fraction]:
    """Sum up what comes from each position on."""
    sums = [Fraction(0)]
    for amount in reversed(amounts):
        sums.append(sums[-1] + amount)
    return sums[::-1]


def _spread(trail: Sequence[tuple[int, int]], order: Sequence[int]) -> list[int]:
    mapping = [0] * len(order)
    start = 0
    for here, end in trail:
        for k in order[start:end]:
            mapping[k] = here
        start = end
    return mapping
