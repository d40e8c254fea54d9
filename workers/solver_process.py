"""The child that runs the pipeline, one job after the other, and may be killed at any time.

It speaks frames: ``job`` and ``cancel`` come in; ``ready``, ``progress``, ``answer``,
``failure`` and ``interrupted`` go out. It knows no database.
"""

import gc
import queue
import sys
import threading
import time
import traceback
from contextlib import suppress
from importlib import import_module
from typing import Any

from steadygrid.engine.reporter import Reporter
from steadygrid.processes.frames import Frame
from steadygrid.processes.lifeline import (
    limit_memory,
    live_for,
    peak_memory,
    resident_memory,
)
from steadygrid.processes.wire import Wire

_REHEARSAL_SECONDS = 10.0


class Jobs:
    """What the parent gives: jobs, one after the other, and cancels that come in between.

    A late cancel does not hit the next job.
    """

    def __init__(self) -> None:
        self._waiting: queue.SimpleQueue[Frame] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._number = 0
        self._control: Any = None
        self._cancelled = 0

    def hear(self, frame: Frame) -> None:
        """Take a frame as it arrives."""
        if frame.message["type"] == "cancel":
            self._cancel(frame.message["number"])
        else:
            self._waiting.put(frame)

    @property
    def waiting(self) -> bool:
        """Whether there is one to begin with."""
        return not self._waiting.empty()

    def next(self) -> Frame:
        """Wait for a job."""
        return self._waiting.get()

    def begin(self, number: int, control: Any) -> None:
        """Attach the reins of a job, which may have been cancelled before it began.

        Parameters
        ----------
        number
            Of the job, as the parent counts.
        control
            Its `cancel` ends the job.
        """
        with self._lock:
            self._number, self._control = number, control
            if self._cancelled == number:
                control.cancel()

    def _cancel(self, number: int) -> None:
        with self._lock:
            self._cancelled = number
            if self._number == number:
                self._control.cancel()


def main(arguments: list[str]) -> None:
    """Serve the parent: ``solver_process PARENT MEMORY PIPELINE``.

    With a fourth argument only see whether the pipeline can be imported within the memory.
    """
    parent, memory, pipeline_name = int(arguments[0]), int(arguments[1]), arguments[2]
    live_for(parent)
    limit_memory(memory)
    if arguments[3:]:
        sys.exit(None if callable(import_module(pipeline_name).run) else "its `run` is no function")
    wire = Wire()
    jobs = Jobs()
    wire.listen(jobs.hear)
    pipeline = import_module(pipeline_name)
    rehearse(pipeline, jobs)
    gc.collect()
    gc.freeze()  # else collections in the middle of solves walk over all that was imported
    cost = {"resident_bytes": resident_memory(), "cpu_seconds": time.process_time()}
    wire.send({"type": "ready"} | cost)
    given = Given()
    while True:
        message, payload = jobs.next()
        serve_job(wire, pipeline, jobs, given, message, payload)
        del message, payload


def rehearse(pipeline: Any, jobs: Jobs) -> None:
    """Solve every kind's example while no job waits: the rest of the imports, done early.

    Parameters
    ----------
    pipeline
        The module whose `run` solves.
    jobs
        Once one waits, the rehearsal ends.
    """
    from steadygrid.domain.limits import Limits
    from steadygrid.engine.solving.control import Control
    from steadygrid.engine.solving.search_processes import LASTING
    from steadygrid.kinds import PROBLEMS
    from steadygrid.submissions.submission import parse_submission

    for problem in PROBLEMS.values():
        if jobs.waiting:
            return
        with suppress(Exception):
            submission = parse_submission(problem.example, Limits())
            found = pipeline.run(submission, Control(_REHEARSAL_SECONDS), Limits())
            _limiter(submission, *found)
    LASTING.start_early()


class Given:
    """Reads submissions. The plan of the last sweep is kept, since its next job is likely to come."""

    def __init__(self) -> None:
        self._bodies: Any = None

    def submission(self, message: dict[str, Any], packed: bytes, limits: Any) -> Any:
        """Read what a frame brings: a body that was accepted, or one job of a sweep.

        The body of the latter was never seen before: it is read in full.

        Parameters
        ----------
        message
            Of the frame.
        packed
            Compressed: a body, or the plan of a sweep; empty: the plan is the one before.
        limits
            How large the problem may be.

        Raises
        ------
        InstanceError, LimitError
            With pointers into the body.
        """
        from app.db.packing import unpack
        from steadygrid.studies.bodies import Bodies
        from steadygrid.submissions.submission import restore_submission

        if "index" not in message:
            return restore_submission(unpack(packed))
        if packed:
            self._bodies = None  # there is not always room for two, and no frame needs the old one
            self._bodies = Bodies(unpack(packed))
        return self._bodies.submission(message["index"], limits)


def serve_job(
    wire: Wire,
    pipeline: Any,
    jobs: Jobs,
    given: Given,
    message: dict[str, Any],
    payload: bytes,
) -> None:
    """Run the pipeline for one job and send what came of it.

    Parameters
    ----------
    wire
        To the parent.
    pipeline
        The module whose `run` solves.
    jobs
        Knows which job has been cancelled.
    given
        Reads the body.
    message
        Of the frame: number, time limit, and what else belongs to the job.
    payload
        Of the frame: what `given` unpacks.
    """
    from steadygrid.domain.errors import Cancelled
    from steadygrid.engine.solving.control import Control

    control = Control(message["time_limit"], Reporter(wire), cores=message["cores"])
    jobs.begin(message["number"], control)
    try:
        reply, data = _solve(pipeline, control, given, message, payload)
    except Cancelled:
        reply, data = {"type": "interrupted"}, b""
    except BaseException as error:  # noqa: BLE001 of any kind: the parent hears of it
        reply, data = _failure(error), b""
    sizes = {"peak_bytes": peak_memory(), "resident_bytes": resident_memory()}
    wire.send(reply | sizes, data)


def _solve(
    pipeline: Any, control: Any, given: Given, message: dict[str, Any], packed: bytes
) -> tuple[dict[str, Any], bytes]:
    from app.db.packing import pack, pack_schedule
    from steadygrid.domain.limits import Limits
    from steadygrid.domain.trace import trace_document

    bounds = Limits.model_validate(message["limits"])
    submission = given.submission(message, packed, bounds)
    control.restart()
    result, schedule = pipeline.run(submission, control, bounds)
    trace = control.trace(result)
    limiter = _limiter(submission, result, schedule)
    stored = None if schedule is None else pack_schedule(schedule)
    del schedule
    result.schedule = None if stored is None else stored.id
    document = result.model_dump(mode="json")
    packed_result = pack(document)
    reply: dict[str, Any] = {
        "type": "answer",
        "found": [*(document[name] for name in ("outcome", "objective", "bound", "gap")), limiter],
        "result_size": len(packed_result),
        "schedule": None,
        "warnings": document["warnings"],
    }
    packed_trace = pack(trace_document(trace)) if trace else b""
    reply["trace_size"] = len(packed_trace)
    if stored is None:
        return reply, packed_result + packed_trace
    reply["schedule"] = {
        "id": stored.id,
        "header": stored.header,
        "chunks": [[*chunk[:-1], len(chunk.packed)] for chunk in stored.chunks],
    }
    chunks = (chunk.packed for chunk in stored.chunks)
    return reply, b"".join((packed_result, *chunks, packed_trace))


def _limiter(submission: Any, result: Any, schedule: Any) -> dict[str, Any] | None:
    from steadygrid.report.limiter import chief_limiter
    from steadygrid.report.report import Report

    try:
        found = chief_limiter(Report(submission, result, schedule))
    except Exception:  # noqa: BLE001 an answer is stored, whether or not lists can say what limits it
        return None
    return None if found is None else found._asdict()


def _parts_of_body(error: Any) -> list[dict[str, str]]:
    """List the faults of a job's body, as refusals do. Other documents are not the caller's."""
    from steadygrid.domain.errors import InstanceError, LimitError, format_pointer

    if not isinstance(error, InstanceError | LimitError):
        return []
    return [
        {"pointer": format_pointer(pointer), "code": code, "detail": detail}
        for pointer, code, detail in error.faults
    ]


def _failure(error: BaseException) -> dict[str, Any]:
    from steadygrid.domain.errors import SchedulingError, failure_of

    reply: dict[str, Any] = {"type": "failure", "code": failure_of(error).code}
    if isinstance(error, SchedulingError):
        return reply | {"detail": error.detail, "errors": _parts_of_body(error)}
    if reply["code"] != "internal":
        return reply
    # Where, but not what: the message of an exception may hold parts of the instance.
    steps = traceback.extract_tb(error.__traceback__)[-8:]
    return reply | {
        "error": type(error).__name__,
        "trace": [f"{step.filename}:{step.lineno} {step.name}" for step in steps],
    }


if __name__ == "__main__":
    main(sys.argv[1:])
