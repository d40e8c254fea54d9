"""The process that answers one submission after the other, for the command and the library.

It speaks frames: ``job`` and ``shared`` come in; ``begun``, ``progress``, ``answer`` and ``failure`` go
out. Their bytes are pickled, since both ends are one installation.
"""

import gc
import pickle
import queue
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from steadygrid.domain.errors import InternalError, OutOfTime, SchedulingError, TimeLimitError
from steadygrid.engine.reporter import Reporter
from steadygrid.processes.frames import Frame
from steadygrid.processes.lifeline import (
    MOST_ANSWERED,
    MOST_GROWN,
    OUT_OF_MEMORY,
    limit_memory,
    live_for,
    resident_memory,
)
from steadygrid.processes.wire import Wire

if TYPE_CHECKING:
    from steadygrid.domain.limits import Limits
    from steadygrid.domain.stated_program import StatedProgram
    from steadygrid.solving import Found, Told
    from steadygrid.submissions.submission import Submission


def main(arguments: list[str]) -> None:
    """Answer what comes in, until it is ended: ``answer_process PARENT MEMORY [IDLE]``.

    With ``IDLE`` it ends by itself after so many seconds without a question, and where it has grown
    or answered too much.
    """
    parent, memory = map(int, arguments[:2])
    idle = float(arguments[2]) if arguments[2:] else None
    live_for(parent)
    limit_memory(memory)
    wire = Wire()
    jobs: queue.SimpleQueue[Frame] = queue.SimpleQueue()
    wire.listen(jobs.put)
    shared = _Shared()
    answered = small = 0
    while True:
        try:
            message, payload = jobs.get(timeout=idle)
        except queue.Empty:
            return
        if message["type"] == "shared":
            shared.packed = payload
            continue
        _answer_next(wire, payload, shared)
        del payload
        answered, size = answered + 1, resident_memory()
        small = small or size
        if idle is not None and (answered == MOST_ANSWERED or size - small > MOST_GROWN):
            return


class _Shared:
    """What the questions have in common, read with the first of them, which tells what is wrong."""

    def __init__(self) -> None:
        self.packed: bytes | None = None
        self._read: Any = None

    def read(self) -> Any:
        """Give it. None where nothing was given."""
        packed, self.packed = self.packed, None
        if packed is not None:
            self._read = None  # there is not always room for two
            self._read = pickle.loads(packed)  # noqa: S301 - both ends are one installation
        return self._read


def _answer_next(wire: Wire, job: bytes, shared: _Shared) -> None:
    try:
        # The modelling language takes a second to load.
        from steadygrid.engine.solver import solver_for
        from steadygrid.solving import ProgramQuestion
        from steadygrid.submissions.submission import Submission

        asked, limits, told, cores = pickle.loads(job)  # noqa: S301 - both ends are one installation
        submission = asked if isinstance(asked, Submission) else asked.read(limits, shared.read())
        solver_for(submission.kind)
        if not gc.get_freeze_count():
            gc.freeze()  # else collections in the middle of solves walk over all that was imported
        wire.send({"type": "begun"})
        give: Any = program if isinstance(asked, ProgramQuestion) else answer
        found = give(submission, limits, Reporter(wire) if told else None, cores)
        packed = pickle.dumps(found if asked is submission else asked.extract(found))
    except BaseException as error:  # noqa: BLE001 - of any kind: the parent hears of it
        wire.send({"type": "failure"}, pickle.dumps(portable(error)))
    else:
        wire.send({"type": "answer"}, packed)


def answer(
    submission: "Submission",
    limits: "Limits",
    on_progress: "Told | None" = None,
    cores: int = 1,
) -> "Found":
    """Answer a submission here.

    Parameters
    ----------
    submission
        What is asked, with its options. These give the time limit.
    limits
        How large the problem and its answer may be.
    on_progress
        Is called now and then with how far the solve is. None: nothing is reported.
    cores
        How many it computes on.

    Raises
    ------
    SchedulingError
        As the pipeline does; `TimeLimitError` where it ran out of time.
    """
    from steadygrid.engine.pipeline import run
    from steadygrid.engine.solving.control import Control
    from steadygrid.solving import Found

    control = Control(submission.options.time_limit, on_progress, cores=cores)
    with _in_time(submission):
        result, schedule = run(submission, control, limits)
    return Found(result, schedule, control.trace(result))


def program(
    submission: "Submission",
    limits: "Limits",
    on_progress: "Told | None" = None,
    cores: int = 1,
) -> "StatedProgram":
    """Give the linear program of a submission, solved here.

    Parameters
    ----------
    submission, limits, on_progress, cores
        As `answer` takes them.

    Raises
    ------
    SchedulingError
        As the pipeline does; `TimeLimitError` where it ran out of time.
    """
    from steadygrid.engine.pipeline import state_program
    from steadygrid.engine.solving.control import Control

    control = Control(submission.options.time_limit, on_progress, cores=cores)
    with _in_time(submission):
        return state_program(submission, control, limits)


@contextmanager
def _in_time(submission: "Submission") -> Iterator[None]:
    try:
        yield
    except OutOfTime:
        seconds = submission.options.time_limit
        raise TimeLimitError(f"{seconds:g} s were not enough; give more.") from None


def portable(error: BaseException) -> BaseException:
    """Give an error as a process that knows no solver can raise it, with its trace as a note."""
    if isinstance(error, MemoryError) or _lacks_memory(error):
        return MemoryError()
    found: SchedulingError
    if isinstance(error, SchedulingError):
        heart = SchedulingError.__module__
        kind: type[SchedulingError] = next(
            kind for kind in type(error).__mro__ if kind.__module__ == heart
        )
        found = kind.__new__(kind, error.detail)
        found.detail, found.faults, found.source = error.detail, error.faults, error.source
    else:
        found = InternalError(f"{type(error).__name__}: {error}")
    found.add_note("".join(traceback.format_exception(error)))
    return found


def _lacks_memory(error: BaseException) -> bool:
    """Whether a library could not be loaded for want of memory."""
    said = str(error).encode()
    return isinstance(error, ImportError) and any(words in said for words in OUT_OF_MEMORY)


if __name__ == "__main__":
    main(sys.argv[1:])
