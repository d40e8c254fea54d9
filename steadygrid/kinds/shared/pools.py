"""Collections of task graphs on a platform whose interchangeable processors are one."""

from typing import TypeVar

from steadygrid.domain.application import Task
from steadygrid.domain.pools import Pools, changed
from steadygrid.domain.twins import twin_classes
from steadygrid.kinds.shared.collection import CollectionInstance

I = TypeVar("I", bound=CollectionInstance)


def pools_of(instance: CollectionInstance, *, fixed_routes: bool) -> Pools:
    """Find the classes of processors that no task and no file tells apart.

    Parameters
    ----------
    instance
        Without faults.
    fixed_routes
        Whether files take given routes, which tell processors apart.
    """
    own = instance.times_given
    classes = twin_classes(instance.platform, instance.ports, own, fixed_routes=fixed_routes)
    return Pools(instance.platform, instance.ports, classes)


def pooled_instance(instance: I, pools: Pools) -> I:
    """State an instance on the platform of the pools, which run each task n times as fast.

    Some optimal mix of allocations uses one member of each class at most: put all that an allocation
    places on a class onto one member, and at equal prices on all members it never costs more.

    Parameters
    ----------
    instance
        Without faults.
    pools
        Classes of interchangeable processors of this instance.

    Returns
    -------
    I
        The instance itself where there are no classes.
    """
    if not pools.classes:
        return instance
    application = instance.application
    tasks = tuple(_pooled_task(task, pools) for task in application.tasks)
    return changed(
        instance, platform=pools.pooled_platform, application=changed(application, tasks=tasks)
    )


def _pooled_task(task: Task, pools: Pools) -> Task:
    times, allowed = task.times, task.allowed
    if times is None and allowed is None:
        return task
    if times is not None:
        size = pools.size_by_first
        times = {
            name: time / size.get(name, 1)
            for name, time in times.items()
            if name not in pools.dropped
        }
    if allowed is not None:
        allowed = tuple(name for name in allowed if name not in pools.dropped)
    return changed(task, times=times, allowed=allowed)
