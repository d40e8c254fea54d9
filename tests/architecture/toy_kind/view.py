"""What people are told about an answer of `one_worker`."""

from steadygrid.kinds.one_worker.schemas import OneWorkerInstance, OneWorkerResult

from steadygrid.domain.job import Options
from steadygrid.domain.schedule import Schedule
from steadygrid.domain.view import View
from steadygrid.kinds.shared.headlines import periodic_view


def view(
    instance: OneWorkerInstance,
    options: Options,
    result: OneWorkerResult,
    schedule: Schedule | None,
) -> View:
    """Say how many tasks are done how often."""
    return periodic_view(instance, schedule, result.bound)
