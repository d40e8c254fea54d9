"""What both clients send, and read of what they get. Nothing here waits."""

import os
import random
from collections.abc import Mapping
from contextlib import suppress
from email.utils import parsedate_to_datetime
from importlib import import_module
from time import time
from typing import Any

from steadygrid.answer import Answer
from steadygrid.client.refusals import JobCancelled, JobFailed
from steadygrid.documents import (
    AnyPath,
    merged,
    naming,
    plain,
    read_file,
    read_json,
    read_result,
    read_schedule,
    read_submission,
)
from steadygrid.domain.limits import Limits
from steadygrid.domain.trace import trace_from_document
from steadygrid.submissions.submission import Submission
from steadygrid.submissions.verdict import judge

ENDED = ("succeeded", "failed", "cancelled")
AGAIN = (429, 502, 503)
"""Statuses after which a request is repeated."""
LONGEST_POLL = 30
BROKEN_STREAMS = 3
"""After so many streams that broke, events are no longer waited for, but the end is."""
_FIRST_PAUSE, _LONGEST_PAUSE = 0.2, 5.0


def find_http() -> Any:
    """Import what speaks HTTP.

    Raises
    ------
    ModuleNotFoundError
        With what installs it.
    """
    try:
        return import_module("httpx2")
    except ModuleNotFoundError as error:
        error.add_note("pip install 'steadygrid[client]' installs it")
        raise


def address_of(url: str | None) -> str:
    """Give the address of the service: as said, else as ``STEADYGRID_URL`` says."""
    told = os.environ.get("STEADYGRID_URL", "http://127.0.0.1:8000") if url is None else url
    return told.rstrip("/")


def headers_of(key: str | None) -> dict[str, str]:
    """Give the fields of each request: with the key as said, else of ``STEADYGRID_KEY``."""
    told = os.environ.get("STEADYGRID_KEY") if key is None else key
    return {"Accept": "application/json"} | (
        {} if told is None else {"Authorization": f"Bearer {told}"}
    )


def pause_after(attempt: int, retry_after: str | None) -> float:
    """Give the seconds until a request is repeated.

    Parameters
    ----------
    attempt
        How many have been made.
    retry_after
        What the service has said, in seconds or as a date.
    """
    if retry_after is not None:
        if retry_after.isdecimal():
            return float(retry_after)
        with suppress(ValueError):
            return max(0.0, parsedate_to_datetime(retry_after).timestamp() - time())
    longest = min(_FIRST_PAUSE * 2.0 ** (attempt - 1), _LONGEST_PAUSE)
    return longest * random.uniform(0.5, 1)


def job_body(
    problem: Mapping[str, Any] | AnyPath | Submission,
    name: str | None,
    labels: Mapping[str, str] | None,
    priority: int | None,
    options: Mapping[str, Any],
    limits: Limits,
) -> dict[str, Any]:
    """Give the body of ``POST /v1/jobs``.

    Parameters
    ----------
    problem
        As `solve` takes it.
    name, labels, priority, options
        Go before those of the body.
    limits
        How long a file may be.
    """
    if isinstance(problem, str | os.PathLike):
        with naming(problem, "the problem"):
            body = read_file(problem, limits.max_body_bytes)
    else:
        body = plain(problem.document() if isinstance(problem, Submission) else problem)
    if not isinstance(body, dict):
        raise TypeError(f"a problem is an object, not {type(body).__name__}")
    if "kind" in body and "problem" not in body:
        body = {"problem": body}
    more = {"name": name, "labels": labels, "priority": priority}
    body |= {member: plain(value) for member, value in more.items() if value is not None}
    if options:
        body["options"] = merged(body.get("options", {}), plain(options))
    return body


def check_end(job: Mapping[str, Any]) -> None:
    """Pass a job that has an answer.

    Raises
    ------
    JobFailed, JobCancelled
        It has none.
    """
    if job["state"] == "cancelled":
        raise JobCancelled(f"Job {job['id']} was cancelled.")
    if job["state"] == "failed":
        told = job.get("error") or {}
        raise JobFailed(str(told.get("code")), f"Job {job['id']} failed: {told.get('detail')}")


def read_answer(
    instance: bytes,
    result: bytes,
    schedule: bytes | None,
    trace: bytes | None,
    limits: Limits,
    *,
    verify: bool,
) -> Answer[Any]:
    """Make an answer of the documents of a job.

    Parameters
    ----------
    instance, result, schedule, trace
        As the service gives them.
    limits
        How large the problem may be.
    verify
        Whether to have the referee judge it here.

    Raises
    ------
    InvalidScheduleError
        The referee refuses it.
    """
    submission = read_submission(read_json(instance), limits)
    found = read_result(read_json(result), submission)
    form = submission.problem.form
    planned = None if schedule is None else read_schedule(read_json(schedule), form)
    points = () if trace is None else trace_from_document(read_json(trace)["items"])
    if verify:
        judge(submission, found, planned, limits)
    return Answer(submission, found, planned, points)


class EventLines:
    """Lines of a stream of server-sent events, put together."""

    def __init__(self) -> None:
        self.last_id: str | None = None
        """Of the last event that was whole."""
        self._id: str | None = None
        self._event = ""
        self._data: list[str] = []

    def take(self, line: str) -> tuple[str, Any] | None:
        """Take a line; give name and document of the event that it ends.

        Parameters
        ----------
        line
            Without its end.
        """
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        match name:
            case "id":
                self._id = value
            case "event":
                self._event = value
            case "data":
                self._data.append(value)
            case "" if not line:
                return self._ended()
        return None

    def _ended(self) -> tuple[str, Any] | None:
        event, data = self._event, "\n".join(self._data)
        self._event, self._data = "", []
        self.last_id = self._id
        return (event, read_json(data.encode())) if data else None
