"""What people read about an answer of `master_worker`."""

from dataclasses import replace

from steadygrid.domain.job import Options
from steadygrid.domain.schedule import Schedule
from steadygrid.domain.view import Measure, Share, View
from steadygrid.kinds.master_worker.schemas import MasterWorkerInstance, MasterWorkerResult
from steadygrid.kinds.shared.headlines import periodic_view
from steadygrid.kinds.shared.preferring import traffic_told


def view(
    instance: MasterWorkerInstance,
    options: Options,
    result: MasterWorkerResult,
    schedule: Schedule | None,
) -> View:
    """Say how many tasks are done how often, and by whom. All else is in envelope and schedule.

    Parameters
    ----------
    instance
        Without faults.
    options
        Not read.
    result
        The answer, but for its schedule.
    schedule
        Of the answer. None where it has none.
    """
    return replace(
        periodic_view(instance, schedule, result.bound, fixed_routes=instance.routing == "fixed"),
        roles={instance.master: "master"},
        shares=tuple(Share(name, "", rate) for name, rate in result.computed.items()),
        shared=Measure.RATE,
        facts=traffic_told(result.preferred, "files"),
    )
