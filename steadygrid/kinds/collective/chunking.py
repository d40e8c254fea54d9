"""How messages are cut into whole chunks."""

from collections.abc import Iterable
from fractions import Fraction
from math import gcd, lcm

from steadygrid.kinds.collective.schemas import CollectiveInstance

MOST_CHUNKS = 4_096
"""Of all messages of an operation."""
USUAL_LOSS = Fraction(1, 100)
"""Of throughput, for which ``auto`` takes fewer chunks."""


def chunk_unit(instance: CollectiveInstance) -> Fraction:
    """Give the size of a chunk where each of the smallest parts is one.

    All chunks are equal, so it is the largest size of which all messages are multiples. The message of an
    allreduce has a part for each participant.

    Parameters
    ----------
    instance
        Without faults. Some message has a size.
    """
    sizes = [message.size for message in instance.messages if message.size]
    if instance.operation == "allreduce":
        return sizes[0] / len(instance.taking_part)
    return _common_measure(sizes)


def _common_measure(sizes: Iterable[Fraction]) -> Fraction:
    common = list(sizes)
    unit = lcm(*(size.denominator for size in common))
    return Fraction(gcd(*(int(size * unit) for size in common)), unit)


def units_in_all(instance: CollectiveInstance) -> int:
    """Count the chunks of all messages where each of the smallest parts is one.

    Parameters
    ----------
    instance
        Without faults.
    """
    sizes = [message.size for message in instance.messages if message.size]
    return int(sum(sizes, Fraction(0)) / chunk_unit(instance)) if sizes else 0
