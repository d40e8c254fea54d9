"""The instance as the methods of this kind read it."""

from functools import cached_property

from steadygrid.problems.mono_allocation.needed import spare
from steadygrid.problems.mono_allocation.schemas import MonoAllocationInstance
from workers.mapping.tables import Tables


class MonoTables(Tables):
    """Tables of an instance of this kind; the platform's routes count where routing is fixed."""

    instance: MonoAllocationInstance

    def __init__(self, instance: MonoAllocationInstance) -> None:
        super().__init__(instance, given_routes=instance.routing == "fixed")

    @cached_property
    def needed_labels(self) -> tuple[tuple[int, ...], ...]:
        """For each task, the processors that can run it and are not spare, see `spare`."""
        unneeded = spare(self.instance)
        return tuple(tuple(i for i in row if i not in unneeded) for row in self.labels)
