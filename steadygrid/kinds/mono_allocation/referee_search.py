"""The referee's own look for a better allocation, where a bound rests on a search's word."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from operator import itemgetter
from typing import NamedTuple

from steadygrid.domain.amounts import Amounts
from steadygrid.kinds.mono_allocation.referee_limits import NO_LIMITS, Limits
from steadygrid.verification.odd_sets import least_period
from steadygrid.verification.routes import FixedRoutes
from steadygrid.verification.steady import SteadyInstance

MOST_STEPS = 20_000
"""Processors tried for a task, over the whole search."""
STEPS_PER_HOP = 0.25
"""What it costs to find the routes from one more processor."""

Uses = tuple[tuple[str, Fraction], ...]
"""Resources, with the time on each per unit of data."""


class _Choice(NamedTuple):
    """A processor for a task, and what that adds to the resources."""

    longest: Fraction
    processor: str
    added: dict[str, Fraction]


class _TooManyStepsError(Exception):
    """The search would take longer than is sensible."""


def beaten_by(
    steady: SteadyInstance,
    routes: FixedRoutes,
    below: Fraction,
    limits: Limits = NO_LIMITS,
    most_steps: int = MOST_STEPS,
) -> Fraction | None:
    """Look for an allocation of a period shorter than `below`.

    Each task runs once, each file takes the one path that `routes` gives, and `limits` are kept:
    such an allocation is right for every requested routing and duplication, so finding one refutes
    the bound. Finding none proves nothing.

    Parameters
    ----------
    steady
        The instance in the terms of periodic schedules.
    routes
        The one route between each two processors.
    below
        In time units.
    limits
        Memory and intervals that the allocation has to keep to.
    most_steps
        After so many steps the search gives up.

    Returns
    -------
    Fraction or None
        Its period.

    Notes
    -----
    First all tasks on one processor; then depth first, tasks with the fewest processors first,
    each on the processor that stays least busy first, so that the first try is a greedy
    allocation. Where a resource is busy for `below` or longer, it turns back, and
    so it does where odd sets of processors need as long. Complete for small instances with fixed
    routes, else ended after `most_steps`.
    """
    alone = _period_on_one_processor(steady, limits)
    if alone is not None and alone < below:
        return alone
    try:
        return _Search(steady, routes, below, limits, most_steps).run()
    except _TooManyStepsError:
        return None


def _period_on_one_processor(steady: SteadyInstance, limits: Limits) -> Fraction | None:
    able = set.intersection(*(set(times) for times in steady.times.values()))
    need = sum(limits.needs.values(), Fraction(0))
    able = {name for name in able if name not in limits.room or need <= limits.room[name]}
    return min(
        (sum((times[name] for times in steady.times.values()), Fraction(0)) for name in able),
        default=None,
    )


class _Search:
    def __init__(
        self,
        steady: SteadyInstance,
        routes: FixedRoutes,
        below: Fraction,
        limits: Limits,
        most_steps: int,
    ) -> None:
        self._steady = steady
        self._limits = limits
        self._held: Amounts[str] = Amounts()
        self._routes = routes
        self._below = below
        self._left = float(most_steps)
        self._paths: dict[str, dict[str, Uses]] = {}
        self._place: dict[str, str] = {}
        self._loads: Amounts[str] = Amounts()
        self._files: dict[str, list[tuple[str, str, Fraction]]] = {
            task: [] for task in steady.times
        }
        for (source, target), size in steady.sizes.items():
            self._files[source].append((source, target, size))
            self._files[target].append((source, target, size))

    def run(self) -> Fraction | None:
        times = self._steady.times
        order = sorted(times, key=lambda task: (len(times[task]), -min(times[task].values())))
        levels = [self._choices(order[0])]
        taken: list[dict[str, Fraction]] = []
        while levels:
            task = order[len(levels) - 1]
            if task in self._place:
                self._hold(task, self._place.pop(task), -1)
                self._add(taken.pop(), -1)
            choice = next(levels[-1], None)
            if choice is None:
                levels.pop()
                continue
            self._place[task] = choice.processor
            self._hold(task, choice.processor, 1)
            self._add(choice.added, 1)
            taken.append(choice.added)
            if len(levels) == len(order):
                period = self._period(max(self._loads.values()))
                if period < self._below:
                    return period
                continue
            levels.append(self._choices(order[len(levels)]))
        return None

    def _period(self, longest: Fraction) -> Fraction:
        """Give the period of the allocation, whose longest occupation is known."""
        network = self._steady.network
        if not network.one_transfer_each:
            return longest
        times: Amounts[tuple[str, str]] = Amounts()
        for (source, target), size in self._steady.sizes.items():
            sender, receiver = self._place[source], self._place[target]
            for ends in pairwise(self._routes.paths(sender).get(receiver, ())):
                if size and network.switches.isdisjoint(ends):
                    times[min(ends), max(ends)] += size * network.hops[ends].unit_time
        self._pay(len(times) ** 2)
        return least_period(times, longest)

    def _add(self, added: dict[str, Fraction], sign: int) -> None:
        for resource, time in added.items():
            self._loads[resource] += sign * time

    def _hold(self, task: str, processor: str, sign: int) -> None:
        self._held[processor] += sign * self._limits.needs.get(task, 0)

    def _has_room(self, task: str, processor: str) -> bool:
        """Tell whether a task fits, and lies between no two others of another processor."""
        room = self._limits.room.get(processor)
        if room is not None and self._held[processor] + self._limits.needs.get(task, 0) > room:
            return False
        around = [
            processor if other == task else self._place.get(other)
            for other in self._limits.order or ()
        ]
        placed = [name for name in around if name is not None]
        runs = sum(one != other for one, other in pairwise(placed)) + 1
        return not placed or runs == len(set(placed))

    def _choices(self, task: str) -> Iterator[_Choice]:
        """List the processors on which nothing is busy for too long, the best first."""
        found = []
        for processor, time in self._steady.times[task].items():
            self._pay(1)
            added = self._added(task, processor, time)
            if added is None or not self._has_room(task, processor):
                continue
            longest = max(self._loads[name] + t for name, t in added.items())
            if longest < self._below:
                found.append(_Choice(longest, processor, added))
        return iter(sorted(found, key=itemgetter(0, 1)))

    def _added(self, task: str, processor: str, time: Fraction) -> dict[str, Fraction] | None:
        """Give what a task adds on a processor. None if a file has no route."""
        added = Amounts({self._steady.network.computing(processor): time})
        for source, target, size in self._files[task]:
            sender = processor if source == task else self._place.get(source)
            receiver = processor if target == task else self._place.get(target)
            if sender is None or receiver is None or sender == receiver:
                continue
            route = self._path_uses(sender).get(receiver)
            if route is None:
                return None
            for name, per_data in route:
                added[name] += per_data * size
        return added

    def _path_uses(self, origin: str) -> dict[str, Uses]:
        if origin not in self._paths:
            hops = self._steady.network.hops
            self._pay(STEPS_PER_HOP * len(hops))
            self._paths[origin] = {
                target: tuple(use for hop in pairwise(path) for use in hops[hop].uses)
                for target, path in self._routes.paths(origin).items()
            }
        return self._paths[origin]

    def _pay(self, steps: float) -> None:
        self._left -= steps
        if self._left < 0:
            raise _TooManyStepsError
