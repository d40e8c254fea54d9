"""The client that blocks; `tests.client.sync_writer` makes it."""

from collections.abc import Iterator, Mapping
from time import sleep
from typing import Any, Generic, Self, overload

from steadygrid.answer import Answer
from steadygrid.client.bodies import (
    AGAIN,
    BROKEN_STREAMS,
    ENDED,
    EventLines,
    check_end,
    job_body,
    pause_after,
    read_answer,
)
from steadygrid.client.refusals import RefusedRequest, refusal_of
from steadygrid.client.synchronous_connection import Connection, document_of
from steadygrid.client.synchronous_grids import Platforms, RunningJob
from steadygrid.client.synchronous_webhooks import Webhooks
from steadygrid.documents import AnyPath, plain, read_file
from steadygrid.domain.limits import Limits
from steadygrid.submissions.question import Question, R_co
from steadygrid.submissions.submission import Submission


class Client(Connection):
    """A client of one service.

    Requests that got no answer, or 429, 502 or 503, are repeated. What makes something carries an
    ``Idempotency-Key``, so that repeats make it once. Webhooks have no such keys: what makes or sends
    something there is repeated only where it has certainly not been done.

    Parameters
    ----------
    url
        Of the service; by default ``STEADYGRID_URL``, or ``http://127.0.0.1:8000``.
    key
        By default ``STEADYGRID_KEY``; without one, none is sent.
    timeout
        Seconds that a request may take, its repeats included.
    limits
        How large problems may be that are read, if not as large as by default.
    transport
        Of httpx2, in place of the network.
    """

    def __init__(
        self,
        url: str | None = None,
        *,
        key: str | None = None,
        timeout: float = 10,
        limits: Limits | None = None,
        transport: Any = None,
    ) -> None:
        super().__init__(url, key, timeout, limits or Limits(), transport)
        self.platforms = Platforms(self)
        """Those that the service keeps, and what was measured of them."""
        self.webhooks = Webhooks(self)
        """Receivers that hear of what ends."""

    @overload
    def submit(
        self,
        problem: Question[R_co],
        *,
        name: str | None = ...,
        labels: Mapping[str, str] | None = ...,
        priority: int | None = ...,
        **options: Any,
    ) -> "Job[R_co]": ...
    @overload
    def submit(
        self,
        problem: Mapping[str, Any] | AnyPath | Submission,
        *,
        name: str | None = ...,
        labels: Mapping[str, str] | None = ...,
        priority: int | None = ...,
        **options: Any,
    ) -> "Job[Any]": ...
    def submit(
        self,
        problem: Mapping[str, Any] | AnyPath | Submission,
        *,
        name: str | None = None,
        labels: Mapping[str, str] | None = None,
        priority: int | None = None,
        **options: Any,
    ) -> "Job[Any]":
        """Submit a problem, as `solve` takes it.

        Parameters
        ----------
        problem
            A question, a body, or the path of a file that holds one.
        name, labels, priority
            Of the job. They change no answer.
        **options
            How to solve, such as ``time_limit``.

        Raises
        ------
        InstanceError, LimitError
            With every fault that the service found.
        """
        body = job_body(problem, name, labels, priority, options, self.limits)
        return Job(self, self.make("/v1/jobs", body))

    @overload
    def solve(self, problem: Question[R_co], **options: Any) -> Answer[R_co]: ...
    @overload
    def solve(
        self, problem: Mapping[str, Any] | AnyPath | Submission, **options: Any
    ) -> Answer[Any]: ...
    def solve(
        self, problem: Mapping[str, Any] | AnyPath | Submission, **options: Any
    ) -> Answer[Any]:
        """Submit a problem, wait, and give its answer.

        Parameters
        ----------
        problem, **options
            As of `submit`.
        """
        job = self.submit(problem, **options)
        return job.answer()

    def job(self, job_id: str) -> "Job[Any]":
        """Find a job by its id.

        Parameters
        ----------
        job_id
            Such as ``job_...``.
        """
        return Job(self, self.get(f"/v1/jobs/{job_id}"))

    def jobs(self, **filters: Any) -> "Iterator[Job[Any]]":
        """List jobs, the newest first; pages are fetched as they are needed.

        Parameters
        ----------
        **filters
            ``state``, ``kind``, ``label``, ``outcome``, ``name``, ``find``, ``sweep`` and ``order``; lists
            give several.
        """
        for document in self.items("/v1/jobs", filters):
            yield Job(self, document)

    def sweep(self, body: Mapping[str, Any] | AnyPath) -> "Sweep":
        """Submit a sweep.

        Parameters
        ----------
        body
            Of ``POST /v1/sweeps``, or the path of a file that holds it.
        """
        asked = (
            plain(body)
            if isinstance(body, Mapping)
            else read_file(body, self.limits.max_body_bytes)
        )
        return Sweep(self, self.make("/v1/sweeps", asked))

    def what_if(self, job: "Job[Any]", factor: Any = 2, **asked: Any) -> "Sweep":
        """Ask what would help most.

        Parameters
        ----------
        job
            With an answer.
        factor
            How many times faster; 0: what is lost where something fails.
        **asked
            ``solve``, ``resources``, ``twins`` and ``options``.
        """
        body = plain({"factor": factor, **asked})
        return Sweep(self, self.make(f"/v1/jobs/{job.id}/what-if", body))

    def replan(self, job: "Job[Any]", measured: Mapping[str, Any], **asked: Any) -> dict[str, Any]:
        """Say what was measured; wait for what is kept of the schedule, and what is best now.

        Parameters
        ----------
        job
            With a schedule that repeats.
        measured
            As `steadygrid.replan` takes it.
        **asked
            ``scale``, ``solve``, ``tolerance``, ``cost``, ``horizon`` and others of the request.
        """
        body = plain({"measured": measured, **asked})
        made = self.make(f"/v1/jobs/{job.id}/replan", body)
        states = (*ENDED, "none", "deleted")
        told: dict[str, Any] = self.ended(f"/v1/replans/{made['id']}", states, None)
        return told

    def check(self, job: "Job[Any]") -> Answer[Any]:
        """Fetch an answer, and have the referee judge it on this machine.

        Parameters
        ----------
        job
            That has ended, or will.

        Raises
        ------
        InvalidScheduleError
            The referee refuses it.
        """
        return job.answer(verify=True)


class Job(RunningJob, Generic[R_co]):
    """A job of the service; `document` is what was known of it last."""

    def wait(self, timeout: float | None = None) -> Self:
        """Wait until it has ended, well or not.

        Parameters
        ----------
        timeout
            Seconds. None: for ever.

        Raises
        ------
        TimeoutError
            It has not ended, and goes on.
        """
        if self.state not in ENDED:
            try:
                self.document = self._client.ended(self._path, ENDED, timeout)
            except KeyboardInterrupt as error:
                error.add_note(f"job {self.id} goes on")
                raise
        return self

    def answer(self, *, timeout: float | None = None, verify: bool = False) -> Answer[R_co]:
        """Wait, and fetch the whole answer.

        Parameters
        ----------
        timeout
            Seconds to wait. None: for ever.
        verify
            Whether to have the referee judge it on this machine.

        Raises
        ------
        JobFailed, JobCancelled
            There is no answer.
        TimeoutError
            It has not ended, and goes on.
        InvalidScheduleError
            The referee refuses it.
        """
        self.wait(timeout)
        check_end(self.document)
        client = self._client
        instance = client.request("GET", f"{self._path}/instance")
        result = client.request("GET", f"{self._path}/result")
        schedule, trace = None, None
        if (of_schedule := self.document.get("schedule")) is not None:
            whole = client.request("GET", f"/v1/schedules/{of_schedule}/document")
            schedule = whole.content
        if "trace" in self.document["links"]:
            trace = (client.request("GET", f"{self._path}/trace")).content
        return read_answer(
            instance.content, result.content, schedule, trace, client.limits, verify=verify
        )

    def resources(self, **filters: Any) -> Iterator[dict[str, Any]]:
        """Wait, and go through the resources of its answer: their use, their work and their prices.

        Parameters
        ----------
        **filters
            ``fold``, ``show``, ``sort`` and ``find``.

        Raises
        ------
        JobFailed, JobCancelled
            There is no answer.
        """
        self.wait()
        check_end(self.document)
        for row in self._client.items(f"{self._path}/resources", filters):
            yield row

    def dispatch(
        self, count: int = 100, *, before: int = 0, message: str | None = None
    ) -> Iterator[int]:
        """Wait, and go through the order in which instances go to the allocations of its schedule.

        Parameters
        ----------
        count
            How many instances.
        before
            How many have been handed out before.
        message
            Whose order, where allocations carry a message.

        Raises
        ------
        JobFailed, JobCancelled
            There is no answer.
        RefusedRequest
            The answer has no schedule that repeats.
        """
        self.wait()
        check_end(self.document)
        if (schedule := self.document.get("schedule")) is None:
            raise RefusedRequest(
                422, "not_periodic", f"The answer of job {self.id} has no schedule."
            )
        asked = {"count": count, "from": before, "message": message}
        for allocation in self._client.items(f"/v1/schedules/{schedule}/dispatch", asked):
            yield allocation

    def events(self) -> Iterator[tuple[str, Any]]:
        """Follow it: names and documents of its events, the last of which is ``end``.

        A stream that breaks is resumed after the last event. After three of them the end is waited
        for.
        """
        lines, broken = EventLines(), 0
        while broken < BROKEN_STREAMS:
            fields = {"Accept": "text/event-stream"}
            if lines.last_id is not None:
                fields["Last-Event-ID"] = lines.last_id
            try:
                with self._client.stream(f"{self._path}/events", fields) as stream:
                    if stream.status_code == 204:
                        break
                    if stream.status_code in AGAIN:
                        sleep(pause_after(broken + 1, stream.headers.get("Retry-After")))
                    elif not stream.is_success:
                        stream.read()
                        raise refusal_of(stream.status_code, document_of(stream))
                    for line in stream.iter_lines():
                        event = lines.take(line)
                        if event is not None:
                            yield event
                            if event[0] == "end":
                                return
            except self._client.http.TransportError:
                pass
            broken += 1
        self.wait()
        yield "end", self.document

    def cancel(self) -> Self:
        """Ask for its end; one that has ended stays as it is."""
        self.document = (self._client.request("POST", f"{self._path}/cancel")).json()
        return self

    def label(self, labels: Mapping[str, str | None]) -> Self:
        """Set labels, and remove those that are None; the others stay.

        Parameters
        ----------
        labels
            Values by their keys.
        """
        sent = {"labels": dict(labels)}
        self.document = (self._client.request("PATCH", self._path, json=sent)).json()
        return self

    def delete(self) -> None:
        """Delete it, and its schedule unless another job has it. It must have ended.

        What is gone already is no fault.
        """
        try:
            self._client.request("DELETE", self._path)
        except RefusedRequest as error:
            if error.status not in (404, 410):
                raise


class Sweep:
    """A sweep of the service; `document` is what was known of it last."""

    def __init__(self, client: Client, document: Mapping[str, Any]) -> None:
        self._client = client
        self.document = dict(document)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.id!r}, {self.document['state']})"

    @property
    def id(self) -> str:
        """Its id."""
        return str(self.document["id"])

    def wait(self, timeout: float | None = None) -> Self:
        """Wait until all its jobs have ended.

        Parameters
        ----------
        timeout
            Seconds. None: for ever.

        Raises
        ------
        TimeoutError
            It has not ended, and goes on.
        """
        self.document = self._client.ended(f"/v1/sweeps/{self.id}", ENDED, timeout)
        return self

    def rows(self) -> Iterator[dict[str, Any]]:
        """Wait, and go through the rows of its table."""
        self.wait()
        for row in self._client.items(f"/v1/sweeps/{self.id}/table", {}):
            yield row
