"""Which processors one allocation needs at most: of interchangeable ones as many as there are tasks."""

from steadygrid.domain.twins import twin_classes
from steadygrid.kinds.mono_allocation.schemas import MonoAllocationInstance


def classes_of(instance: MonoAllocationInstance) -> list[tuple[int, ...]]:
    """Find interchangeable processors that no file passes: by class, their positions, ascending."""
    own = instance.times_given
    found = twin_classes(instance.platform, instance.ports, own, fixed_routes=True)
    return [one.members for one in found]


def spare(instance: MonoAllocationInstance) -> frozenset[int]:
    """Give the positions of processors without which there is as good an allocation.

    Every task runs on one processor, so of a class no more members run tasks than there are tasks,
    and these may be the first ones. With duplication there may be more: then none is spare.
    """
    if instance.duplication != "none":
        return frozenset()
    most = len(instance.application.tasks)
    return frozenset(i for members in classes_of(instance) for i in members[most:])
