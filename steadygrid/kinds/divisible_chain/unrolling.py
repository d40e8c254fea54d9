"""What the events of loads on a chain wait for."""

from fractions import Fraction

from steadygrid.domain.errors import Fault
from steadygrid.domain.timeline import Event, Timeline
from steadygrid.domain.unrolling import Unrolling
from steadygrid.kinds.divisible_chain.schemas import DivisibleChainInstance, DivisibleChainResult
from steadygrid.kinds.shared.running_once import unrolled_once


def unrolled(
    instance: DivisibleChainInstance, result: DivisibleChainResult, schedule: Timeline
) -> Unrolling | list[Fault]:
    """Say what each event waits for; or why the schedule does not hold.

    Parameters
    ----------
    instance
        Without faults.
    result
        The answer. It names the chain.
    schedule
        Of the answer.
    """
    root = result.chain[0] if result.chain else ""
    released = {load.id: load.release_date for load in instance.loads}

    def not_before(event: Event) -> Fraction:
        date = Fraction(0)
        if isinstance(event.place, str):
            date = instance.availability.get(event.place, date)
        if event.place == root or event.place[0] == root:
            date = max(date, released.get(event.load, date))
        return date

    return unrolled_once(schedule, root, not_before)
