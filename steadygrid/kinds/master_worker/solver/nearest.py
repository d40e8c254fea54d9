"""The routes between the master and its workers, for an answer when there is no time for all legs."""

from collections.abc import Callable

from steadygrid.kinds.master_worker.holders import Holders
from steadygrid.kinds.master_worker.schemas import MasterWorkerInstance
from steadygrid.kinds.master_worker.sizing import Reach
from steadygrid.kinds.master_worker.solver.legs import Leg, Legs, routes_between
from steadygrid.kinds.shared.routes import Path

AT_LEAST = 16
"""Workers that are served, the nearest ones, however late it is."""


def legs_of_master(
    instance: MasterWorkerInstance, enough: Callable[[], bool] = lambda: False
) -> Legs:
    """Find legs that lead from the master to a worker, or back, in one go.

    No file is relayed. One search for the routes there. Where results return, one for each worker.

    Parameters
    ----------
    instance
        Without faults. Its routing is fixed.
    enough
        Asked once there are legs for the `AT_LEAST` nearest workers. The rest get none when it is
        true.
    """
    platform = instance.platform
    master = platform.index_by_id[instance.master]
    holders = Holders.from_instance(instance)
    routes = routes_between(platform, holders)
    workers = [i for i in Reach.from_instance(instance).workers if i != master]
    times = [float(arc.unit_time) for arc in platform.arcs]
    paths = ((i, routes.path(master, i)) for i in workers)
    nearest = sorted(
        (sum(times[arc] for arc in route), i, route) for i, route in paths if route is not None
    )
    there: dict[int, Path] = {}
    back: dict[int, Path] = {}
    for _, worker, route in nearest:
        if len(there) >= AT_LEAST and enough():
            break
        if instance.task.output_size:
            home = routes.path(worker, master)
            if home is None:
                continue
            back[worker] = home
        there[worker] = route
    ends = [(master, worker, route) for worker, route in there.items()]
    ends += [(worker, master, route) for worker, route in back.items()]
    legs = [
        Leg(index, source, target, tuple(platform.arcs[arc] for arc in route))
        for index, (source, target, route) in enumerate(sorted(ends))
    ]
    return Legs(
        platform,
        instance.ports,
        legs,
        [leg for leg in legs if leg.source == master],
        [leg for leg in legs if leg.target == master],
        holders.all,
        routes,
    )
