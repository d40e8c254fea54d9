"""The instance as the methods of this kind read it."""

from collections.abc import Iterable
from functools import cached_property

from steadygrid.problems.mono_allocation.needed import spare
from steadygrid.problems.mono_allocation.schemas import MonoAllocationInstance
from workers.mapping.tables import Tables
from workers.matching.odd_sets import OddSet


class MonoTables(Tables):
    """Tables of an instance of this kind; the platform's routes count where routing is fixed."""

    instance: MonoAllocationInstance

    def __init__(self, instance: MonoAllocationInstance, odd_sets: Iterable[OddSet] = ()) -> None:
        fixed = instance.routing == "fixed"
        super().__init__(instance, given_routes=fixed, odd_sets=tuple(odd_sets))

    def knowing(self, found: Iterable[OddSet]) -> "MonoTables":
        """Give the tables in which these sets of processors are resources, too."""
        sets = tuple(dict.fromkeys((*self.odd_sets, *found)))
        if sets == self.odd_sets:
            return self
        more = MonoTables(self.instance, sets)
        more.routes = self.routes
        return more

    @cached_property
    def needed_labels(self) -> tuple[tuple[int, ...], ...]:
        """For each task, the processors that can run it and are not spare, see `spare`."""
        unneeded = spare(self.instance)
        return tuple(tuple(i for i in row if i not in unneeded) for row in self.labels)
