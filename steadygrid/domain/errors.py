"""What can go wrong, each with a stable code (`FAILURES`). The class docstring opens the message.

Infeasible and unbounded are not here: they are outcomes, data on the job.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

Pointer = tuple[str | int, ...]
"""A walk through a JSON document: ``("problem", "platform", "links", 3, "target")``."""
_BETWEEN_WORDS = re.compile(r"(?<=[a-z])(?=[A-Z])")


def format_pointer(pointer: Pointer) -> str:
    """Write a walk as the fragment form of RFC 6901: ``#/problem/platform/links/3/target``."""
    return "#" + "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in pointer)


def opening_of(error: type[Exception]) -> str:
    """Give the first sentence of an error: the docstring's, or its name where Python has left those out."""
    lines = (error.__doc__ or "").splitlines()
    return lines[0] if lines else _BETWEEN_WORDS.sub(" ", error.__name__).capitalize() + "."


class Fault(NamedTuple):
    """One fault of a submission: where, a stable code, and a sentence with the remedy."""

    pointer: Pointer
    code: str
    detail: str

    def moved(self, pointer: Pointer, document: str = "job") -> "Fault":
        """Give the fault another place, and say where in its document it was.

        Parameters
        ----------
        pointer
            Where the request names or changes that document.
        document
            What the document is called.
        """
        where = f" (at {format_pointer(self.pointer)} of the {document})" if self.pointer else ""
        return Fault(pointer, self.code, f"{self.detail}{where}")


class SchedulingError(Exception):
    """The job could not be done.

    Attributes
    ----------
    detail
        One sentence or two.
    faults
        All that was found, where it was a document that is at fault.
    source
        What this document is, such as the name of a file; empty where it was not said.
    """

    def __init__(self, detail: str = "", faults: Iterable[Fault] = ()) -> None:
        self.faults: Sequence[Fault] = tuple(faults)
        opening = opening_of(type(self))
        if not detail and self.faults:
            detail = "; ".join(f"{format_pointer(f.pointer)}: {f.detail}" for f in self.faults[:5])
        self.detail = f"{opening} {detail}".strip()
        self.source = ""
        super().__init__(self.detail)

    @property
    def code(self) -> str:
        """Stable; what programs read."""
        return failure_of(self).code

    def __str__(self) -> str:
        if not self.faults:
            return self.detail
        opening = self.source or opening_of(type(self)).rstrip(".")
        if len(self.faults) == 1 and not self.faults[0].pointer:
            return f"{opening}: {self.faults[0].detail}"
        count = "1 fault" if len(self.faults) == 1 else f"{len(self.faults)} faults"
        return "\n".join(
            (f"{opening}: {count}", *(f"  {self._format_fault(f)}" for f in self.faults))
        )

    def _format_fault(self, fault: Fault) -> str:
        return f"{format_pointer(fault.pointer)}: {fault.detail}"


class InstanceError(SchedulingError):
    """The input breaks a rule."""


class LimitError(SchedulingError):
    """The instance is larger than this service accepts."""


class SolverError(SchedulingError):
    """The solver gave up."""


class CertificationError(SchedulingError):
    """The solver's answer could not be proved exactly."""


class InvalidScheduleError(SchedulingError):
    """The referee refused the schedule. Report it if steadygrid computed it."""

    def _format_fault(self, fault: Fault) -> str:
        # The walk begins with the document: result or schedule.
        document, walk = fault.pointer[:1], fault.pointer[1:]
        return f"{document[0]}{format_pointer(walk)}: {fault.detail}" if document else fault.detail


class InternalError(SchedulingError):
    """Something went wrong that should not have."""


class Cancelled(Exception):
    """The solve was asked to stop."""


class OutOfTime(Exception):
    """The time of the solve is over.

    Attributes
    ----------
    duals
        Floating-point dual values that the solver held, by constraint (component name, index),
        signed like prices; empty if there are none.
    values
        Its floating-point solution, by variable, likewise; zeros left out.
    """

    def __init__(self, *words: str) -> None:
        super().__init__(*words)
        self.duals: dict[tuple[str, Any], float] = {}
        self.values: dict[tuple[str, Any], float] = {}


class TimeLimitError(SchedulingError, OutOfTime):
    """The time limit left no answer."""


class Failure(NamedTuple):
    """A manner in which a job fails.

    Attributes
    ----------
    code
        Of ``job.error``.
    raised
        What the solve ends with. None where only the end of its process tells.
    sentence
        What is reported where the exception has no words of its own.
    exit_code
        Of the command that solves.
    """

    code: str
    raised: type[BaseException] | None
    sentence: str
    exit_code: int = 1


FAILURES: Mapping[str, Failure] = {
    failure.code: failure
    for failure in (
        Failure("invalid_request", InstanceError, opening_of(InstanceError), exit_code=2),
        Failure("limit_exceeded", LimitError, opening_of(LimitError), exit_code=2),
        Failure("not_certified", CertificationError, opening_of(CertificationError)),
        Failure("invalid_schedule", InvalidScheduleError, opening_of(InvalidScheduleError)),
        Failure(
            "out_of_memory",
            MemoryError,
            "The solve needed more memory than this service gives to one job.",
        ),
        Failure(
            "hard_timeout",
            OutOfTime,
            "The solve went on long after its time limit and was stopped.",
            exit_code=4,
        ),
        Failure(
            "poison",
            None,
            "The solve ended its process again and again. It is not tried any more.",
        ),
        Failure(
            "internal",
            Exception,
            "Something went wrong that should not have. The service's log says where.",
        ),
    )
}
"""Every manner in which a job fails, by code. The first whose exception fits is taken."""


def failure_of(error: BaseException) -> Failure:
    """Tell how a job fails that ends with this exception; cancelling is no failure."""
    fitting = (f for f in FAILURES.values() if f.raised is not None and isinstance(error, f.raised))
    return next(fitting, FAILURES["internal"])
