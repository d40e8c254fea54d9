"""What one instance takes of the resources."""

from fractions import Fraction
from itertools import pairwise

from steadygrid.domain.amounts import Amounts
from steadygrid.domain.schedule import Allocation
from steadygrid.verification.steady import SteadyInstance


def occupation(steady: SteadyInstance, allocation: Allocation) -> dict[str, Fraction]:
    """Sum up the time that one instance takes on each resource. What does not exist is left out.

    Parameters
    ----------
    steady
        What is run, and on which network.
    allocation
        Where tasks run, and how files travel.

    Returns
    -------
    dict
        In time units, by name of the resource.
    """
    times: Amounts[str] = Amounts()
    for task, processors in allocation.tasks.items():
        for processor in processors:
            time = steady.times.get(task, {}).get(processor, Fraction(0))
            times[steady.network.computing(processor)] += time
    for transfer in allocation.transfers:
        data = steady.sizes.get(transfer.file, Fraction(0)) * transfer.share
        for ends in pairwise(transfer.path):
            hop = steady.network.hops.get(ends)
            for name, time in () if hop is None else hop.uses:
                times[name] += time * data
    return times
