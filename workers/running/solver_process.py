"""The child that runs the pipeline, one job after the other, and may be killed at any time.

It speaks frames: ``job`` and ``cancel`` come in; ``ready``, ``progress``, ``answer``,
``failure`` and ``interrupted`` go out. It knows no database.
"""

import os
import queue
import signal
import sys
import threading
import time
import traceback
from contextlib import suppress
from importlib import import_module
from typing import Any, BinaryIO

from steadygrid.children.frames import FrameReader, encode_frame
from steadygrid.children.lifeline import die_with_parent, limit_memory, peak_memory

PROGRESS_SECONDS = 0.25
"""Least time between two progress frames of the same phase."""
_PIECE = 1 << 16
_REHEARSAL_SECONDS = 10.0


class Wire:
    """Standard input and output, kept away from whatever else may print or read."""

    def __init__(self) -> None:
        self._input = os.dup(0)
        self._output = os.fdopen(os.dup(1), "wb", buffering=0)
        null = os.open(os.devnull, os.O_RDONLY)
        os.dup2(null, 0)
        os.dup2(2, 1)
        self._lock = threading.Lock()

    def send(self, message: dict[str, Any], payload: bytes = b"") -> None:
        """Write one frame; without a reader the process has no purpose and ends."""
        try:
            with self._lock:
                _write_all(self._output, encode_frame(message, payload))
        except OSError:
            os._exit(0)

    def receive(self, frames: "queue.SimpleQueue[Any]", jobs: "CurrentJob") -> None:
        """Read frames until the end, then end the process; runs in a thread of its own."""
        reader = FrameReader()
        while piece := os.read(self._input, _PIECE):
            for frame in reader.feed(piece):
                if frame.message["type"] == "cancel":
                    jobs.cancel(frame.message["number"])
                else:
                    frames.put(frame)
        os._exit(0)


def _write_all(output: BinaryIO, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[output.write(rest) :]


class CurrentJob:
    """Which job runs, so that a late cancel does not hit the next one."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._number = 0
        self._control: Any = None
        self._cancelled = 0

    def begin(self, number: int, control: Any) -> None:
        """Attach the reins of a job, which may have been cancelled before it began."""
        with self._lock:
            self._number, self._control = number, control
            if self._cancelled == number:
                control.cancel()

    def cancel(self, number: int) -> None:
        """Cancel a job if it runs, or when it begins."""
        with self._lock:
            self._cancelled = number
            if self._number == number:
                self._control.cancel()


class Reporter:
    """Sends progress, but not too often."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire
        self._phase: Any = None
        self._sent = 0.0

    def __call__(self, progress: dict[str, Any]) -> None:
        """Send a progress object if its phase is new or the last one is old enough."""
        now = time.monotonic()
        phase = progress.get("phase")
        if phase != self._phase or now - self._sent >= PROGRESS_SECONDS:
            self._phase, self._sent = phase, now
            self._wire.send({"type": "progress", "progress": progress})


def main(arguments: list[str]) -> None:
    """Serve the parent: ``solver_process PARENT MEMORY PIPELINE``.

    With a fourth argument only see whether the pipeline can be imported within the memory.
    """
    parent, memory, pipeline_name = int(arguments[0]), int(arguments[1]), arguments[2]
    die_with_parent(parent)
    # The parent decides: a signal to the whole group must not look like a crash.
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    limit_memory(memory)
    if arguments[3:]:
        sys.exit(None if callable(import_module(pipeline_name).run) else "its `run` is no function")
    wire = Wire()
    frames: queue.SimpleQueue[Any] = queue.SimpleQueue()
    current = CurrentJob()
    threading.Thread(target=wire.receive, args=(frames, current), daemon=True).start()
    pipeline = import_module(pipeline_name)
    rehearse(pipeline, frames)
    wire.send({"type": "ready"})
    while True:
        message, payload = frames.get()
        serve_job(wire, pipeline, current, message, payload)
        del message, payload


def rehearse(pipeline: Any, frames: "queue.SimpleQueue[Any]") -> None:
    """Solve every kind's example while nobody waits: the rest of the imports, done early."""
    from steadygrid.domain.limits import Limits
    from steadygrid.problems import PROBLEMS
    from steadygrid.problems.submission import parse_submission
    from workers.solving.control import Control
    from workers.solving.search_child import start_early

    for problem in PROBLEMS.values():
        if not frames.empty():
            return
        with suppress(Exception):
            submission = parse_submission(problem.example, Limits())
            pipeline.run(submission, Control(_REHEARSAL_SECONDS), Limits())
    start_early()


def serve_job(
    wire: Wire, pipeline: Any, current: CurrentJob, message: dict[str, Any], payload: bytes
) -> None:
    """Run the pipeline for one job and send what came of it."""
    from steadygrid.domain.errors import Cancelled, OutOfTime
    from workers.solving.control import Control

    control = Control(message["time_limit"], Reporter(wire))
    current.begin(message["number"], control)
    try:
        reply, data = _solve(pipeline, control, message["limits"], payload)
    except Cancelled:
        reply, data = {"type": "interrupted"}, b""
    except OutOfTime:
        reply, data = {"type": "failure", "code": "hard_timeout"}, b""
    except BaseException as error:  # noqa: BLE001 whatever it was, the parent is told
        reply, data = _failure(error), b""
    wire.send(reply | {"peak_bytes": peak_memory()}, data)


def _solve(
    pipeline: Any, control: Any, limits: dict[str, Any], packed: bytes
) -> tuple[dict[str, Any], bytes]:
    from app.db.packing import pack, pack_schedule, unpack
    from steadygrid.domain.limits import Limits
    from steadygrid.problems.submission import restore_submission

    bounds = Limits.model_validate(limits)
    submission = restore_submission(unpack(packed))
    control.extend(submission.options.time_limit)
    result, schedule = pipeline.run(submission, control, bounds)
    stored = None if schedule is None else pack_schedule(schedule)
    del schedule
    result.schedule = None if stored is None else stored.id
    document = result.model_dump(mode="json")
    packed_result = pack(document)
    reply: dict[str, Any] = {
        "type": "answer",
        "found": [document[name] for name in ("outcome", "objective", "bound", "gap")],
        "result_size": len(packed_result),
        "schedule": None,
    }
    if stored is None:
        return reply, packed_result
    reply["schedule"] = {
        "id": stored.id,
        "header": stored.header,
        "chunks": [[*chunk[:-1], len(chunk.packed)] for chunk in stored.chunks],
    }
    return reply, b"".join((packed_result, *(chunk.packed for chunk in stored.chunks)))


def _failure(error: BaseException) -> dict[str, Any]:
    from steadygrid.domain.errors import SchedulingError

    if isinstance(error, MemoryError):
        return {"type": "failure", "code": "out_of_memory"}
    if isinstance(error, SchedulingError):
        return {"type": "failure", "code": error.code, "detail": error.detail}
    # Where, but not what: the message of an exception may hold parts of the instance.
    steps = traceback.extract_tb(error.__traceback__)[-8:]
    return {
        "type": "failure",
        "code": "internal",
        "error": type(error).__name__,
        "trace": [f"{step.filename}:{step.lineno} {step.name}" for step in steps],
    }


if __name__ == "__main__":
    main(sys.argv[1:])
