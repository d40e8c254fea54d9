"""The one route that files take between two processors where the routing is fixed."""

import heapq
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from math import lcm

from steadygrid.domain.platform import Route
from steadygrid.verification.network import Network

Path = tuple[str, ...]

LONGEST_SCALE = 2048
"""Bits of a common denominator; beyond, times stay fractions."""


class FixedRoutes:
    """Given routes; for other pairs the path of least total time per unit of data.

    Ties go to fewer hops, then to the path whose processors' ids come first. Pairs whose route is said to
    be missing have none.

    Parameters
    ----------
    given
        The platform's, or some of them.
    check
        Called before each search; may raise, which ends the work.

    Attributes
    ----------
    given
        By origin and end. None where the route is missing.
    """

    def __init__(
        self, network: Network, given: Iterable[Route], check: Callable[[], None] = lambda: None
    ) -> None:
        self.given: dict[tuple[str, str], Path | None] = {
            (r.source, r.target): None if r.missing else (r.source, *r.via, r.target) for r in given
        }
        self._check = check
        self._names = sorted(network.processors)
        self._numbers = {name: number for number, name in enumerate(self._names)}
        times = [hop.unit_time for hop in network.hops.values()]
        scale = lcm(*(time.denominator for time in times))
        if scale.bit_length() > LONGEST_SCALE:
            scale = 1
        self._receivers: list[list[tuple[int, int | Fraction]]] = [[] for _ in self._names]
        for (sender, receiver), hop in network.hops.items():
            time = hop.unit_time * scale
            self._receivers[self._numbers[sender]].append(
                (self._numbers[receiver], time.numerator if time.denominator == 1 else time)
            )
        self._from: dict[str, dict[str, Path]] = {}
        self._searches: dict[int, _Search] = {}

    def path(self, origin: str, end: str) -> Path | None:
        """Give the route from one processor to another. None if there is none.

        Processors with the same only neighbour are one search: what leaves them goes there, and
        on as from there. A search goes no further than it was asked to.

        Parameters
        ----------
        origin, end
            Ids of processors.

        Returns
        -------
        tuple
            Ids of the processors on it, both ends included.
        """
        if (origin, end) in self.given:
            return self.given[origin, end]
        start, goal = self._numbers.get(origin), self._numbers.get(end)
        if start is None or goal is None:
            return (origin,) if origin == end else None
        onward = self._receivers[start]
        alone = len(onward) == 1 and goal != start
        root = onward[0][0] if alone else start
        if root not in self._searches:
            self._searches[root] = self._search(root)
        numbers = self._searches[root].path(goal)
        if numbers is None:
            return None
        rest = tuple(self._names[number] for number in numbers)
        return (origin, *rest) if alone else rest

    def paths(self, origin: str) -> dict[str, Path]:
        """Give the route to each processor that can be reached, the origin itself included."""
        if origin not in self._from:
            found_paths = self.search(origin)
            for (start, end), path in self.given.items():
                if start == origin:
                    found_paths.pop(end, None)
                    if path is not None:
                        found_paths[end] = path
            self._from[origin] = found_paths
        return self._from[origin]

    def search(self, origin: str) -> dict[str, Path]:
        """Find the routes from a processor as they are without given routes."""
        found_paths: dict[str, Path] = {}
        for here, before in self.walk(origin):
            found_paths[here] = (here,) if before is None else (*found_paths[before], here)
        return found_paths

    def walk(self, origin: str) -> Iterator[tuple[str, str | None]]:
        """Follow the routes from a processor as they are without given routes, the nearest first.

        Yields
        ------
        tuple
            The processor at the end of a route, and the one before it. None for the origin itself.
        """
        names = self._names
        if origin not in self._numbers:
            yield origin, None
            return
        search = self._search(self._numbers[origin])
        for here in search.settle():
            before = search.before[here]
            yield names[here], None if before is None else names[before]

    def _search(self, origin: int) -> "_Search":
        self._check()
        return _Search(self._receivers, origin)


class _Search:
    """A search for the shortest paths from a processor that goes on when more is asked.

    Processors have numbers in the order of their ids. Keys are time and hops. Each hop
    makes the key larger. So the path to a processor is settled before that processor is compared.
    At a tie the two paths are compared from the processor where they part.

    Attributes
    ----------
    before
        The processor before each on its path; final for those that are settled.
    """

    def __init__(self, receivers: Sequence[list[tuple[int, int | Fraction]]], origin: int) -> None:
        self._receivers = receivers
        self._settled: set[int] = set()
        self.before: dict[int, int | None] = {origin: None}
        self._best: dict[int, tuple[int | Fraction, int]] = {origin: (0, 0)}
        self._heap: list[tuple[int | Fraction, int, int]] = [(0, 0, origin)]

    def path(self, end: int) -> tuple[int, ...] | None:
        """Give the path to a processor. None if there is none."""
        if end not in self._settled and end not in self.settle():
            return None
        back = [end]
        while (before := self.before[back[-1]]) is not None:
            back.append(before)
        return tuple(reversed(back))

    def settle(self) -> Iterator[int]:
        """Settle one processor after the other, the nearest first, from where the search stands."""
        best, heap = self._best, self._heap
        while heap:
            time, hops, here = heapq.heappop(heap)
            if here in self._settled:
                continue
            self._settled.add(here)
            for there, unit_time in self._receivers[here]:
                if there in self._settled:
                    continue
                found = (time + unit_time, hops + 1)
                known = best.get(there)
                if known is None or found < known:
                    best[there] = found
                    self.before[there] = here
                    heapq.heappush(heap, (*found, there))
                elif found == known and self._comes_first(here, self.before[there]):
                    self.before[there] = here
            yield here

    def _comes_first(self, one: int | None, other: int | None) -> bool:
        """Compare the ids on two paths of as many hops."""
        first = False
        while one is not None and other is not None and one != other:
            first = one < other
            one, other = self.before[one], self.before[other]
        return first
