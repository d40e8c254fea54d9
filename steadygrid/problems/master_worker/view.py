"""What people are told about an answer of `master_worker`."""

from dataclasses import replace

from steadygrid.domain.job import Options
from steadygrid.domain.schedule import Schedule
from steadygrid.domain.view import View
from steadygrid.problems.headlines import periodic_view
from steadygrid.problems.master_worker.schemas import MasterWorkerInstance, MasterWorkerResult


def view(
    instance: MasterWorkerInstance,
    options: Options,
    result: MasterWorkerResult,
    schedule: Schedule | None,
) -> View:
    """Say how many tasks are done how often; all else is in the envelope and the schedule."""
    told = periodic_view(instance, schedule, fixed_routes=instance.routing == "fixed")
    return replace(told, roles={instance.master: "master"})
