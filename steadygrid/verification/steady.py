"""What the referee must know of an instance whose answer is a periodic schedule."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

from steadygrid.domain.schedule import FileName
from steadygrid.verification.network import Network


@dataclass(frozen=True)
class SteadyInstance:
    """One application, repeated for ever, on one network.

    Attributes
    ----------
    times
        By task, the time of one execution on each processor that may run it.
    sizes
        Data of each file of the application.
    ends
        Fictitious tasks that run nowhere, and the processor where their files begin or end.
    duplication
        Whether several processors may run copies of a task (``tasks``), and whether processors
        that do not run its producer may send a file on to several others (``tasks_and_files``).
    first_periods
        Of each task, where the kind has a rule of its own, which its allocations then give; None:
        every operation runs in the period after those it needs.
    """

    network: Network
    times: Mapping[str, Mapping[str, Fraction]]
    sizes: Mapping[FileName, Fraction]
    ends: Mapping[str, str] = field(default_factory=dict)
    duplication: Literal["none", "tasks", "tasks_and_files"] = "none"
    first_periods: Mapping[str, int] | None = None
