"""What the events of a load on a star or a tree wait for."""

from steadygrid.domain.errors import Fault
from steadygrid.domain.timeline import Timeline
from steadygrid.domain.unrolling import Unrolling
from steadygrid.kinds.divisible_star.schemas import DivisibleStarInstance, DivisibleStarResult
from steadygrid.kinds.shared.running_once import unrolled_once


def unrolled(
    instance: DivisibleStarInstance, _result: DivisibleStarResult, schedule: Timeline
) -> Unrolling | list[Fault]:
    """Say what each event waits for; or why the schedule does not hold.

    Parameters
    ----------
    instance
        Without faults.
    _result
        Not read.
    schedule
        Of the answer.
    """
    return unrolled_once(schedule, instance.master)
