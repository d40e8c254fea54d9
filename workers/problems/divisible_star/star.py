"""A star whose messages and computations may take a time of their own, and what is sent on it."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

ZERO = Fraction(0)


@dataclass(frozen=True)
class Costs:
    r"""What a worker needs for the fraction :math:`a` of the load, above 0.

    Receiving it takes :math:`C + c a`, computing it :math:`W + w a`, returning its result
    :math:`D + d a`; nothing of that is paid where nothing is sent.

    Attributes
    ----------
    wire, work, back
        c, w and d: times of the whole load.
    wire_latency, work_latency, back_latency
        C, W and D: times of a message, a computation and a result, whatever its size.
    """

    wire: Fraction
    work: Fraction
    back: Fraction = ZERO
    wire_latency: Fraction = ZERO
    work_latency: Fraction = ZERO
    back_latency: Fraction = ZERO


@dataclass(frozen=True)
class Star:
    """A master and those of its workers that compute.

    Attributes
    ----------
    master
        Its identifier.
    own
        What the master needs for a fraction that it computes itself, beside its messages: `work` and
        `work_latency`; None where it does not compute.
    names, workers
        The workers, in the order that is asked for, or in the platform's.
    two_ports
        Whether the master may receive a result while it sends.
    """

    master: str
    own: Costs | None
    names: Sequence[str]
    workers: Sequence[Costs]
    two_ports: bool


@dataclass(frozen=True)
class Message:
    """A fraction of the load, above 0, on its way to a worker, by its place in the star."""

    worker: int
    round: int
    """Counted from 1."""
    share: Fraction


@dataclass(frozen=True)
class Plan:
    """What is computed where, and in which order it is sent: all that dates need.

    Attributes
    ----------
    own
        The fraction that the master computes.
    messages
        In the order in which they are sent, back to back from 0.
    returns
        Workers in the order in which their results come back; empty without results.
    """

    own: Fraction
    messages: Sequence[Message]
    returns: Sequence[int] = ()
