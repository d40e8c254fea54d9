"""The platform of a `master_worker` instance whose interchangeable workers are one."""

from steadygrid.domain.platform import Platform
from steadygrid.domain.pools import Pools, changed
from steadygrid.domain.twins import twin_classes
from steadygrid.kinds.master_worker.schemas import MasterWorkerInstance


def pools_of(instance: MasterWorkerInstance) -> Pools:
    """Find the classes of processors that neither the master nor the task tells apart.

    Members have one neighbour: those that pass files on would all do so a little, in more transfers
    than a few of them need. None where the routing is fixed: processors that hang on one hub share their routes then as it is.
    """
    platform, ports = instance.platform, instance.ports
    if instance.routing == "fixed":
        return Pools(platform, ports, ())
    master = platform.index_by_id[instance.master]
    inner = {i for i in range(len(platform.processors)) if not _is_leaf(platform, i)}
    classes = twin_classes(
        platform, ports, instance.compute_times, fixed_routes=False, single=inner | {master}
    )
    return Pools(platform, ports, classes)


def _is_leaf(platform: Platform, i: int) -> bool:
    ends = {arc.target for arc in platform.arcs_out[i]} | {a.source for a in platform.arcs_in[i]}
    return len(ends) == 1


def pooled_instance(instance: MasterWorkerInstance, pools: Pools) -> MasterWorkerInstance:
    """State an instance on the platform of the pools, which compute each task n times as fast.

    It has the same optimum: rates may be taken equal on all members of a class.

    Parameters
    ----------
    instance
        Without faults.
    pools
        Classes of interchangeable processors of this instance.

    Returns
    -------
    MasterWorkerInstance
        The instance itself where there are no classes.
    """
    if not pools.classes:
        return instance
    task = instance.task
    if task.times is not None:
        size = pools.size_by_first
        times = {
            name: time / size.get(name, 1)
            for name, time in task.times.items()
            if name not in pools.dropped
        }
        task = changed(task, times=times)
    return changed(instance, platform=pools.pooled_platform, task=task)
