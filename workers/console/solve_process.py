"""The process in which the command solves: killed where it goes on long after its time limit.

It speaks the frames of `steadygrid.children.frames`; their bytes are pickled, since both ends are one command.
"""

import pickle
import sys
import traceback
from typing import Any

from steadygrid.children.lifeline import limit_memory, live_for
from steadygrid.children.wire import Wire
from workers.running.reporter import Reporter
from workers.running.solver_process import Jobs


def main(arguments: list[str]) -> None:
    """Solve one submission for the command: ``solve_process PARENT MEMORY``."""
    parent, memory = int(arguments[0]), int(arguments[1])
    live_for(parent)
    limit_memory(memory)
    wire = Wire()
    jobs = Jobs()
    wire.listen(jobs.hear)
    _, payload = jobs.next()
    try:
        found: Any = _answer(wire, jobs, payload)
    except BaseException as error:  # noqa: BLE001 - whatever it was, the command is told
        wire.send({"type": "error"}, pickle.dumps(portable(error)))
    else:
        wire.send({"type": "answer"}, pickle.dumps(found))


def _answer(wire: Wire, jobs: Jobs, payload: bytes) -> Any:
    # The modelling language takes a second to load.
    from steadygrid.problems.submission import restore_submission
    from workers.pipeline import run
    from workers.solving.control import Control

    document, limits = pickle.loads(payload)  # noqa: S301 - both ends are one command
    submission = restore_submission(document)
    wire.send({"type": "begun"})
    control = Control(submission.options.time_limit, Reporter(wire))
    jobs.begin(1, control)
    return tuple(run(submission, control, limits))


def portable(error: BaseException) -> BaseException:
    """Give an error as another process can raise it, with its trace as a note."""
    trace = "".join(traceback.format_exception(error))
    found = error
    try:
        pickle.loads(pickle.dumps(error))  # noqa: S301 - just written
    except Exception:  # noqa: BLE001 - an error of a library that cannot travel
        found = RuntimeError(f"{type(error).__name__}: {error}")
    found.add_note(trace)
    return found


if __name__ == "__main__":
    main(sys.argv[1:])
