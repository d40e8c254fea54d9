"""The instance as the methods of this kind read it."""

from steadygrid.problems.mono_allocation.schemas import MonoAllocationInstance
from workers.mapping.tables import Tables


class MonoTables(Tables):
    """Tables of an instance of this kind; the platform's routes count where routing is fixed."""

    instance: MonoAllocationInstance

    def __init__(self, instance: MonoAllocationInstance) -> None:
        super().__init__(instance, given_routes=instance.routing == "fixed")
