"""Bytes and bus bandwidth of an operation, as nccl-tests count them."""

from fractions import Fraction

from steadygrid.kinds.collective.schemas import CollectiveInstance


def counted_data(instance: CollectiveInstance) -> Fraction:
    """Give the data of an operation: of all ranks together, or of one where all have the same.

    Parameters
    ----------
    instance
        Without faults. Its messages are copied or combined.
    """
    sizes = [message.size for message in instance.messages]
    return sum(sizes, Fraction(0))


def bus_factor(instance: CollectiveInstance) -> Fraction:
    """Give what the algorithm bandwidth is multiplied by, to compare it with that of links.

    Parameters
    ----------
    instance
        Without faults. Its messages are copied or combined.
    """
    number = len(instance.taking_part)
    if instance.operation in ("allgather", "reduce_scatter"):
        return Fraction(number - 1, number)
    if instance.operation == "allreduce":
        return Fraction(2 * (number - 1), number)
    return Fraction(1)
