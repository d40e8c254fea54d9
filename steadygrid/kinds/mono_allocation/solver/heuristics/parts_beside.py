"""The large-neighbourhood search as the other half of a portfolio, on another core."""

from collections.abc import Sequence
from fractions import Fraction

from steadygrid.engine.solving.control import Control
from steadygrid.engine.solving.half_process import Partner
from steadygrid.kinds.mono_allocation.schemas import MonoAllocationInstance
from steadygrid.kinds.mono_allocation.solver.heuristics.large_neighborhood import (
    Incumbent,
    search_parts,
)
from steadygrid.kinds.mono_allocation.solver.heuristics.local_search import improved
from steadygrid.kinds.mono_allocation.solver.tables import MonoTables


class SharedIncumbent(Incumbent):
    """The best mapping so far of two halves."""

    def __init__(self, tables: MonoTables, control: Control, partner: Partner) -> None:
        super().__init__(tables, control)
        self._partner = partner

    def refresh(self) -> None:
        """Take what the other half has found, if it is better."""
        for mapping in self._partner.heard():
            super().offer(mapping, None)

    def offer(self, mapping: Sequence[int], found_by: str | None) -> bool:
        """Keep a mapping if it is the best, and tell the other half."""
        better = super().offer(mapping, found_by)
        if better and found_by is not None:
            self._partner.send((found_by, self.mapping))
        return better


def search_parts_beside(
    partner: Partner,
    control: Control,
    instance: MonoAllocationInstance,
    mappings: Sequence[Sequence[int]],
    floor: Fraction,
) -> None:
    """Improve mappings to their end, then search small programs; tell every better one.

    Parameters
    ----------
    partner
        The half that hears it.
    control
        Deadline of the search.
    instance
        With fixed routing and without copies.
    mappings
        Where to begin, the best first.
    floor
        Period that none is shorter than.
    """
    tables = MonoTables(instance)
    best = SharedIncumbent(tables, control, partner)
    for mapping in mappings:
        best.offer(mapping, None)
    for mapping in mappings:
        if best.period > floor and control.remaining > 0:
            best.offer(improved(tables, mapping, control), "local_search")
    search_parts(tables, best, floor, control)
