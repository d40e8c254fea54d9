"""Spans of a job in a worker: how long it waited, its attempt, and the phases of its solve."""

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Protocol

from app.db.queue import Claim
from app.tracing import Tracing, fail

if TYPE_CHECKING:
    from opentelemetry.trace import Span


class JobSpans(Protocol):
    """What a worker says of an attempt at a job."""

    def phase(self, name: object) -> None:
        """Say that another phase of the solve has begun."""

    def store(self) -> None:
        """Say that the solve is over, and its end is being stored."""

    def end(self, state: str, code: str = "") -> None:
        """Say how the attempt has ended; only the first word counts."""


class NoSpans:
    """Where there are no traces."""

    def phase(self, name: object) -> None:
        """Say nothing."""

    def store(self) -> None:
        """Say nothing."""

    def end(self, state: str, code: str = "") -> None:
        """Say nothing."""


NO_SPANS = NoSpans()


class AttemptSpans:
    """Goes on with the trace of the request that made the job.

    Parameters
    ----------
    tracing
        Makes the spans.
    claim
        The job.
    """

    def __init__(self, tracing: Tracing, claim: Claim) -> None:
        self._tracing = tracing
        named = {
            "steadygrid.job": claim.job_id,
            "steadygrid.kind": claim.kind,
            "steadygrid.tenant": claim.tenant,
            "steadygrid.attempt": claim.attempt,
        }
        now = datetime.now(UTC)
        queued = min(now, claim.queued_at or now)
        waiting = tracing.start("queue", claim.traceparent, since=queued, attributes=named)
        waiting.end()
        parent = claim.traceparent or tracing.traceparent(waiting)
        self._attempt: Span | None = tracing.start(
            "attempt", parent, kind="consumer", attributes=named
        )
        self._parent = tracing.traceparent(self._attempt)
        self._name: object = None
        self._phase: Span | None = None

    def phase(self, name: object) -> None:
        """End the phase before, and begin this one."""
        if self._attempt is None or name == self._name:
            return
        self._end_phase()
        self._name = name
        self._phase = self._tracing.start(f"phase {name}", self._parent)

    def store(self) -> None:
        """End the last phase, and begin to store."""
        self.phase("store")

    def _end_phase(self) -> None:
        if self._phase is not None:
            self._phase.end()
            self._phase = None

    def end(self, state: str, code: str = "") -> None:
        """End the attempt."""
        if self._attempt is None:
            return
        self._end_phase()
        self._attempt.set_attribute("steadygrid.state", state)
        if code:
            self._attempt.set_attribute("steadygrid.code", code)
        if state in ("failed", "lost"):
            fail(self._attempt, code or state)
        self._attempt.end()
        self._attempt = None


def spans_of(tracing: Tracing | None, claim: Claim) -> JobSpans:
    """Give the spans of an attempt.

    Parameters
    ----------
    tracing
        None: there are no traces.
    claim
        The job.
    """
    return NO_SPANS if tracing is None else AttemptSpans(tracing, claim)
