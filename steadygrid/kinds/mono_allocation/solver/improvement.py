"""Where the portfolio improves mappings: a platform, or a part of it, with plain routes."""

from collections.abc import Sequence
from dataclasses import replace

from steadygrid.domain.errors import OutOfTime
from steadygrid.domain.platform import SINGLE_PORT
from steadygrid.engine.solving.control import Control
from steadygrid.engine.solving.other_half import OtherHalf
from steadygrid.kinds.mono_allocation.solver.allocated import Allocated, Finding
from steadygrid.kinds.mono_allocation.solver.heuristics.few import PlatformPart, choose_part
from steadygrid.kinds.mono_allocation.solver.heuristics.large_neighborhood import (
    Incumbent,
    mapping_of,
)
from steadygrid.kinds.mono_allocation.solver.heuristics.local_search import improved
from steadygrid.kinds.mono_allocation.solver.tables import MonoTables
from steadygrid.kinds.mono_allocation.solver.transfer_routes.carried import over_best_paths

IMPROVING_SHARE = 0.15
"""Of the time left, for the improvement of one mapping."""


class Improvement:
    """Where mappings are improved.

    Attributes
    ----------
    seen
        The part of the platform that is looked at, with fixed routing and without copies.
    best
        The best mapping so far on that part, over the reference routes.
    tables
        The whole instance.
    """

    def __init__(
        self, tables: MonoTables, plain: MonoTables, seen: PlatformPart, control: Control
    ) -> None:
        self.seen = seen
        self.best = Incumbent(seen.tables, control)
        self.tables = tables
        self._plain = tables is plain
        self._control = control
        self._tried: set[tuple[int, ...]] = set()

    def improve(self, found: Sequence[Finding]) -> None:
        """Improve what heuristics found by moves and swaps, the best first."""
        tables, best = self.seen.tables, self.best
        mappings = self.parts(found)
        best.told = False
        for mapping, one in zip(mappings, found, strict=True):
            best.offer(mapping, one.found_by)
        best.told = self._plain and tables.instance.ports not in SINGLE_PORT
        for mapping in sorted(mappings, key=tables.period):
            if tuple(mapping) not in self._tried and self._control.remaining > 0:
                self._tried.add(tuple(mapping))
                part = self._control.limited(IMPROVING_SHARE * self._control.remaining)
                best.offer(improved(tables, mapping, part), "local_search")

    def parts(self, found: Sequence[Finding]) -> list[list[int]]:
        """Give the mappings that heuristics found, by positions in the part."""
        return [self.seen.part(mapping_of(self.tables, one.allocated)) for one in found]

    def finished(self, best: Finding, rounds: int) -> Finding:
        """Give the better of an answer and the best mapping, over the best routes."""
        best = replace(best, rounds=rounds)
        mapping = self.seen.whole(self.best.mapping)
        found = over_best_paths(self.tables, mapping, self._control)
        if found.period >= best.period:
            return best
        if found.period:
            self._control.progress(value=1 / found.period)
        return replace(best, allocated=found, found_by=self.best.found_by)


class Exchanged:
    """What two halves of a search tell each other.

    Attributes
    ----------
    rounds
        How often the other half has told of a better mapping.
    """

    def __init__(self, search: Improvement, other: OtherHalf) -> None:
        self._search = search
        self._other = other
        self.rounds = 0

    def hear(self) -> bool:
        """Hear the other half; tell whether that brings a mapping that is better than the best."""
        better = False
        for found_by, mapping in self._other.heard():
            self.rounds += found_by == "large_neighborhood"
            better |= self._search.best.offer(mapping, found_by)
        return better

    def heard(self) -> list[int] | None:
        """Give the best mapping by positions in the whole platform, if it is new."""
        search = self._search
        return search.seen.whole(search.best.mapping) if self.hear() else None

    def send(self, found: Allocated) -> None:
        """Tell the other half an allocation, if it sees all the processors and there are no copies."""
        index = self._search.tables.platform.index_by_id
        places = [[index[name] for name in found.tasks[task]] for task in self._search.tables.tasks]
        try:
            mapping = self._search.seen.part([place for (place,) in places])
        except (KeyError, ValueError):
            return
        self._other.send(mapping)


def improvement_of(tables: MonoTables, control: Control) -> Improvement | None:
    """Look at a platform, or a part of it, to search it. None if there is no time for that."""
    plain = _plain(tables)
    try:
        control.check()
        return Improvement(tables, plain, choose_part(plain, control), control)
    except OutOfTime:
        return None


def _plain(tables: MonoTables) -> MonoTables:
    """Give the same tasks and reference routes with fixed routing and no copies."""
    instance = tables.instance
    if instance.routing == "fixed" and instance.duplication == "none":
        return tables
    changes: dict[str, object] = {"routing": "fixed", "duplication": "none"}
    if instance.routing != "fixed":
        changes["platform"] = instance.platform.model_copy(update={"routes": ()})
    return MonoTables(instance.model_copy(update=changes))
