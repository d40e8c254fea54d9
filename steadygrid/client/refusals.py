"""What the service refuses, as exceptions: those of `solve` where there are such."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import unquote

from steadygrid.domain.errors import Fault, InstanceError, LimitError, Pointer, SchedulingError

_TOO_LARGE = ("limit_exceeded", "body_too_large")


class RefusedRequest(SchedulingError):
    """The service has refused a request.

    Attributes
    ----------
    status
        Of HTTP.
    """

    def __init__(self, status: int, code: str, detail: str) -> None:
        self.status = status
        self._code = code
        super().__init__(detail)

    @property
    def code(self) -> str:
        """Stable; what programs read."""
        return self._code


class Gone(RefusedRequest):
    """It was there, and has been deleted."""


class ServiceUnavailable(RefusedRequest):
    """The service did not answer in time: check its address, or try again later.

    Its `status` is 0 where the service could not be reached.
    """


class JobFailed(SchedulingError):
    """The job has failed; `code` says why."""

    def __init__(self, code: str, detail: str) -> None:
        self._code = code
        super().__init__(detail)

    @property
    def code(self) -> str:
        """Such as ``out_of_memory``."""
        return self._code


class JobCancelled(SchedulingError):
    """The job was cancelled."""


def no_answer(error: Exception, *, lost: bool) -> ServiceUnavailable:
    """Say that no answer has come.

    Parameters
    ----------
    error
        Of the connection.
    lost
        Whether the service may have done what must not be done twice.
    """
    code = "answer_lost" if lost else "unreachable"
    detail = f"No answer: {error!r}."
    if lost:
        detail += " The service may have done what was asked. See what it has before you ask again."
    return ServiceUnavailable(0, code, detail)


def refusal_of(status: int, document: Any) -> SchedulingError:
    """Make an exception of an answer that is a problem of RFC 9457.

    Parameters
    ----------
    status
        Of HTTP.
    document
        The body as JSON. None where it is none.
    """
    told: Mapping[str, Any] = document if isinstance(document, dict) else {}
    code = str(told.get("code", "unknown"))
    detail = str(told.get("detail", f"The service has answered with status {status}."))
    if status == 413 or code in _TOO_LARGE:
        return LimitError(detail, _faults(told))
    if status == 422:
        return InstanceError(detail, _faults(told))
    if status == 410:
        return Gone(status, code, detail)
    kind = ServiceUnavailable if status in (429, 502, 503, 504) else RefusedRequest
    return kind(status, code, detail)


def _faults(told: Mapping[str, Any]) -> list[Fault]:
    return [
        Fault(_pointer(str(one.get("pointer", ""))), str(one.get("code")), str(one.get("detail")))
        for one in told.get("errors", ())
        if isinstance(one, dict)
    ]


def _pointer(text: str) -> Pointer:
    steps = unquote(text.removeprefix("#")).split("/")[1:]
    plain = (step.replace("~1", "/").replace("~0", "~") for step in steps)
    return tuple(int(step) if step.isdecimal() else step for step in plain)
