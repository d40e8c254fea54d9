"""Solving for a command: what the pipeline raises becomes messages and exit codes."""

from collections.abc import Iterator
from contextlib import contextmanager

from steadygrid.cli.console import progress
from steadygrid.cli.json_files import fault_lines
from steadygrid.cli.solve_settings import settings
from steadygrid.cli.terminal import INTERRUPTED, Refusal
from steadygrid.domain.errors import (
    InstanceError,
    InternalError,
    LimitError,
    SchedulingError,
    TimeLimitError,
    failure_of,
)
from steadygrid.domain.job import Outcome, Result
from steadygrid.domain.limits import Limits
from steadygrid.domain.quantity import DATA, parse_quantity
from steadygrid.domain.stated_program import StatedProgram
from steadygrid.report.glyphs import printable
from steadygrid.solving import Found, Told, program_apart, solve_apart
from steadygrid.submissions.submission import Submission

MOST_MEMORY = 2**63 - 1
"""Bytes that a system can be asked to limit a process to."""
FAILED, INFEASIBLE, LIMIT_REACHED = 1, 3, 4
"""Exit codes of answers, of `check` and of Ctrl-C; `FAILURES` has those of failed solves."""


def memory_of(asked: str | None) -> int:
    """Give the bytes of address space of a solver process: those of ``--memory``, or of the settings.

    Parameters
    ----------
    asked
        The value of ``--memory``, None where the command is called without it.
    """
    if asked is None:
        return settings().solver_memory_bytes
    try:
        size = parse_quantity(asked, DATA, DATA.label, "the options")
    except ValueError as error:
        raise Refusal(f"--memory: {error}") from None
    if not 1 <= size <= MOST_MEMORY:
        raise Refusal(f"--memory {printable(asked)}: from 1 byte to {MOST_MEMORY:,} bytes")
    return int(size)


def answer(submission: Submission, limits: Limits, memory: int) -> Found:
    """Run the pipeline; turn what it raises into messages and exit codes.

    Parameters
    ----------
    submission
        What was asked, with its options.
    limits
        How large a problem may be.
    memory
        Bytes of address space of the solver process.
    """
    with _refusing(submission), interruptible(), progress() as report:
        return run_pipeline(submission, limits, memory, report)


def program(submission: Submission, limits: Limits, memory: int) -> StatedProgram:
    """Have the linear program of a submission stated; refused as `answer` is.

    Parameters
    ----------
    submission
        What was asked, with its options.
    limits
        How large a problem may be.
    memory
        Bytes of address space of the solver process.
    """
    grace = settings().hard_stop_grace_seconds
    with _refusing(submission), interruptible(), progress() as report, _without_program():
        return program_apart(submission, limits, memory=memory, grace=grace, on_progress=report)


@contextmanager
def _without_program() -> Iterator[None]:
    """Say that there is no program. It is no fault of the problem."""
    try:
        yield
    except InstanceError as error:
        if [fault.code for fault in error.faults] == ["no_program"]:
            raise Refusal(printable(error.faults[0].detail)) from None
        raise


@contextmanager
def _refusing(submission: Submission) -> Iterator[None]:
    """Turn what a solve raises into messages and exit codes."""
    try:
        yield
    except TimeLimitError as error:
        raise Refusal(
            f"the time limit of {submission.options.time_limit:g} s left no answer:"
            " set options.time_limit, or --time-limit, higher",
            failure_of(error).exit_code,
        ) from None
    except InternalError:
        raise
    except (InstanceError, LimitError) as error:
        raise Refusal(
            [error.detail, *(fault_lines("the problem", error.faults)[1:])],
            failure_of(error).exit_code,
            coded=bool(error.faults),
        ) from None
    except SchedulingError as error:
        failure = failure_of(error)
        raise Refusal(
            f"failed ({failure.code}): {printable(error.detail)}",
            failure.exit_code,
            coded=True,
        ) from None


@contextmanager
def interruptible() -> Iterator[None]:
    """Let Ctrl-C end the command with a line."""
    try:
        yield
    except KeyboardInterrupt:
        raise Refusal("interrupted", INTERRUPTED) from None


def run_pipeline(submission: Submission, limits: Limits, memory: int, report: Told | None) -> Found:
    """Build, solve, prove, reconstruct and verify, in a process that a hard stop can end.

    Parameters
    ----------
    submission
        What was asked, with its options.
    limits
        How large a problem may be.
    memory
        Bytes of address space of the solver process.
    report
        Is called with how far the solve is. None: nothing is reported.
    """
    chosen = settings()
    return solve_apart(
        submission,
        limits,
        memory=memory,
        grace=chosen.hard_stop_grace_seconds,
        cores=chosen.solver_cores,
        on_progress=report,
    )


def exit_code(submission: Submission, result: Result) -> int:
    """Give the exit code of an answer. A bound is success where a bound was asked for.

    Parameters
    ----------
    submission
        What was asked, with its options.
    result
        The answer.
    """
    if result.outcome is Outcome.INFEASIBLE:
        return INFEASIBLE
    if result.outcome is Outcome.BOUND_ONLY:
        view = submission.problem.view(submission.instance, submission.options, result, None)
        return 0 if view.bound_asked else LIMIT_REACHED
    return LIMIT_REACHED if result.outcome is Outcome.UNKNOWN else 0
