"""What can go wrong, each with a stable code. The class docstring opens the message.

Infeasible and unbounded are not here: they are outcomes, data on the job.
"""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

Pointer = tuple[str | int, ...]
"""A walk through a JSON document: ``("problem", "platform", "links", 3, "target")``."""


def format_pointer(pointer: Pointer) -> str:
    """Write a walk as the fragment form of RFC 6901: ``#/problem/platform/links/3/target``."""
    return "#" + "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in pointer)


class Fault(NamedTuple):
    """One fault of a submission: where, a stable code, and a sentence with the remedy."""

    pointer: Pointer
    code: str
    detail: str


class SchedulingError(Exception):
    """The job could not be done."""

    code = "internal"

    def __init__(self, detail: str = "", faults: Iterable[Fault] = ()) -> None:
        self.faults: Sequence[Fault] = tuple(faults)
        opening = (type(self).__doc__ or "").splitlines()[0]
        if not detail and self.faults:
            detail = "; ".join(f"{format_pointer(f.pointer)}: {f.detail}" for f in self.faults[:5])
        self.detail = f"{opening} {detail}".strip()
        super().__init__(self.detail)


class InstanceError(SchedulingError):
    """The instance breaks a rule of its problem."""

    code = "invalid_request"


class LimitError(SchedulingError):
    """The instance is larger than this service accepts."""

    code = "limit_exceeded"


class SolverError(SchedulingError):
    """The solver gave up."""

    code = "internal"


class CertificationError(SchedulingError):
    """The solver's answer could not be proved exactly."""

    code = "not_certified"


class InvalidScheduleError(SchedulingError):
    """The referee refused the schedule; this is our fault, not the instance's."""

    code = "invalid_schedule"


class Cancelled(Exception):
    """The solve was told to stop."""


class OutOfTime(Exception):
    """The time of the solve is over.

    Attributes
    ----------
    duals
        Floating-point dual values that the solver held, by constraint (component name, index),
        signed like prices; empty where there are none.
    values
        Its floating-point solution, by variable, likewise; zeros left out.
    """

    def __init__(self) -> None:
        super().__init__()
        self.duals: dict[tuple[str, Any], float] = {}
        self.values: dict[tuple[str, Any], float] = {}
