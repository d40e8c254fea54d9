"""The referee's own look for better rates, where a bound rests on a search's word."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import pairwise
from math import exp

from steadygrid.domain.amounts import Amounts
from steadygrid.verification.routes import FixedRoutes
from steadygrid.verification.steady import SteadyInstance

MOST_STEPS = 50_000
"""Processors looked at for a task, over all allocations that are found."""
STEPS_PER_HOP = 0.25
"""What it costs to find the routes from one more processor."""
MOST_ALLOCATIONS = 100
"""Of a mix."""
MOST_SWEEPS = 3
"""Looks at all tasks of one allocation."""
GROWTH = 0.5
"""How fast a resource that is used becomes dearer."""

Uses = Mapping[str, Fraction]
"""Resources, with the time that one instance takes on each."""


class _TooManyStepsError(Exception):
    """The search would take longer than is sensible."""


def beaten_by(
    steady: SteadyInstance, routes: FixedRoutes, bound: Fraction, most_steps: int = MOST_STEPS
) -> Fraction | None:
    """Look for allocations that do more together than a bound says.

    Each task runs once, each file takes the one route that `routes` gives: such allocations are
    right for every routing, so that finding them refutes the bound. Finding none proves nothing.

    Parameters
    ----------
    steady
        The instance in the terms of periodic schedules.
    routes
        The one route between each two processors.
    bound
        Of the throughput, in instances per time unit; above 0.
    most_steps
        After so many steps the search gives up.

    Returns
    -------
    Fraction or None
        Their throughput.

    Notes
    -----
    One allocation after the other is added that is cheap at the prices of now, as often as it could run
    alone; then what it uses becomes dearer (Garg and Könemann, 1998). Prices are doubles, which only
    guide. What the mix does is added up exactly.
    """
    search = _Search(steady, routes, most_steps)
    done, busy = Fraction(0), Amounts[str]()
    try:
        for uses in search.allocations():
            longest = max(uses.values(), default=Fraction(0))
            if not longest:
                return None
            done += 1 / longest
            for name, time in uses.items():
                busy[name] += time / longest
            most = max(busy.values())
            if done > bound * most:
                return done / most
    except (_TooManyStepsError, OverflowError):
        pass  # or numbers that no double holds
    return None


class _Search:
    def __init__(self, steady: SteadyInstance, routes: FixedRoutes, most_steps: int) -> None:
        self._steady = steady
        self._routes = routes
        self._left = float(most_steps)
        self._known: set[str] = set()
        self._dear: dict[str, float] = {}
        self._files: dict[str, list[tuple[str, str, Fraction]]] = {
            task: [] for task in steady.times
        }
        for (source, target), size in steady.sizes.items():
            self._files[source].append((source, target, size))
            self._files[target].append((source, target, size))

    def allocations(self) -> Iterator[Uses]:
        """Give cheap allocations, by what they use, and make that dearer."""
        for _ in range(MOST_ALLOCATIONS):
            uses = self._cheap()
            if uses is None:
                return
            yield uses
            longest = max(uses.values())
            for name, time in uses.items():
                self._dear[name] = self._price(name, Fraction(1)) * exp(GROWTH * time / longest)

    def _cheap(self) -> Uses | None:
        """Place one task after the other where it is cheapest, then again together with all others."""
        place: dict[str, str] = {}
        for _ in range(MOST_SWEEPS):
            before = dict(place)
            for task in self._steady.times:
                best = min(self._choices(task, place), default=None)
                if best is None:
                    return None
                place[task] = best[1]
            if place == before:
                break
        found: Amounts[str] = Amounts()
        for task, processor in place.items():
            found[self._steady.network.computing(processor)] += self._steady.times[task][processor]
        for source, target, size in (file for files in self._files.values() for file in files):
            for name, time in self._uses(place[source], place[target], size / 2) or ():
                found[name] += time
        return found

    def _choices(self, task: str, place: Mapping[str, str]) -> Iterator[tuple[float, str]]:
        """Give the processors of a task that others reach, with what it costs there."""
        for processor, time in self._steady.times[task].items():
            self._pay(1)
            cost = self._price(self._steady.network.computing(processor), time)
            for source, target, size in self._files[task]:
                sender = processor if source == task else place.get(source)
                receiver = processor if target == task else place.get(target)
                if sender is None or receiver is None:
                    continue
                uses = self._uses(sender, receiver, size)
                if uses is None:
                    break
                cost += sum(self._price(name, each) for name, each in uses)
            else:
                yield cost, processor

    def _price(self, name: str, time: Fraction) -> float:
        return self._dear.get(name, 1.0) * float(time)

    def _uses(
        self, sender: str, receiver: str, size: Fraction
    ) -> list[tuple[str, Fraction]] | None:
        """Give what a file takes of resources on its route. None if there is none."""
        if sender == receiver:
            return []
        if sender not in self._known:
            self._known.add(sender)
            self._pay(STEPS_PER_HOP * len(self._steady.network.hops))
        path = self._routes.paths(sender).get(receiver)
        if path is None:
            return None
        hops = self._steady.network.hops
        return [(name, size * time) for ends in pairwise(path) for name, time in hops[ends].uses]

    def _pay(self, steps: float) -> None:
        self._left -= steps
        if self._left < 0:
            raise _TooManyStepsError
