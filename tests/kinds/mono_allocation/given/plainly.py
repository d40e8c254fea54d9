"""Given mappings evaluated by the sums of `Enumeration`, and all moves of one task tried."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from typing import Any

from steadygrid.kinds.mono_allocation.schemas import MonoAllocationInstance
from tests.kinds.mono_allocation.drawn import instance
from tests.kinds.mono_allocation.enumeration import Enumeration

Places = tuple[tuple[str, ...], ...]
Move = tuple[str, str, str]


class Plainly:
    """A mapping, its period, and that after each move; None where a file has no way."""

    def __init__(self, problem: dict[str, Any]) -> None:
        self.asked: MonoAllocationInstance = instance(problem)
        self._all = Enumeration(self.asked)
        if self.asked.routing != "fixed":
            self._all.given = {}
        self._tasks = [task.id for task in self.asked.application.tasks]
        mapping = self.asked.mapping or {}
        self.places: Places = tuple(mapping[task] for task in self._tasks)

    def period(self, places: Places | None = None) -> Fraction | None:
        places = self.places if places is None else places
        load = self._all.computing(places)
        for k, m, size in self.asked.files:
            for user in places[m]:
                if user in places[k]:
                    continue
                ways = self._ways((self._tasks[k], self._tasks[m]), places[k], user)
                if not ways:
                    return None
                for way, share in ways:
                    for name, time in self._all.load_of(size, way, share).items():
                        load[name] = load.get(name, Fraction(0)) + time
        return self._all.period(load)

    def _ways(
        self, file: tuple[str, str], makers: tuple[str, ...], user: str
    ) -> list[tuple[tuple[str, ...], Fraction]]:
        given = [
            (path.path, path.share)
            for path in self.asked.paths or ()
            if path.file == file and path.source in makers and path.target == user
        ]
        if given:
            return given
        ways = [way for maker in makers if (way := self._all.fixed_way(maker, user)) is not None]
        unit = self._all.unit
        ways.sort(key=lambda way: (sum(unit[hop] for hop in pairwise(way)), len(way), way))
        return [(way, Fraction(1)) for way in ways[:1]]

    def moves(self) -> Iterator[tuple[Move, Fraction | None]]:
        for k, row in enumerate(self.places):
            for source in row:
                for target in self._all.times[k].keys() - set(row):
                    moved = (*(name for name in row if name != source), target)
                    places = (*self.places[:k], moved, *self.places[k + 1 :])
                    if self._all.kept(places):
                        yield (self._tasks[k], source, target), self.period(places)

    def best_move(self) -> Fraction | None:
        """Give the shortest period after one move that is shorter than without; None if none is."""
        now = self.period()
        found = [period for _, period in self.moves() if period is not None]
        best = min(found, default=None)
        return None if best is None or (now is not None and best >= now) else best

    def optimum(self) -> Fraction | None:
        return self._all.best()
