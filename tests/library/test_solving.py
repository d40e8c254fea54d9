"""Solving in a process of its own, which ends when it has to."""

import os
import pickle
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from steadygrid import solving
from steadygrid.domain.errors import (
    Fault,
    InternalError,
    LimitError,
    SolverError,
    TimeLimitError,
)
from steadygrid.domain.job import Outcome
from steadygrid.domain.limits import Limits
from steadygrid.engine import answer_process
from steadygrid.engine.answer_process import portable
from steadygrid.engine.solving.mixed_integer import NoSolution
from steadygrid.kinds import PROBLEMS
from steadygrid.processes.child import Child
from steadygrid.processes.frames import Frame
from steadygrid.submissions.submission import Submission, parse_submission
from tests.integration.drills import gone, until

STUBBORN = "tests.library.stubborn_solver"


def submission(seconds: float = 30) -> Submission:
    example = PROBLEMS["master_worker"].example
    return parse_submission({**example, "options": {"time_limit": seconds}}, Limits())


def solved(seconds: float = 30, **more: Any) -> Any:
    limits = more.pop("limits", Limits())
    return solving.solve_apart(submission(seconds), limits, **more)


@pytest.fixture
def stubborn(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Put a process that does something else in the solver's place."""
    monkeypatch.setattr(solving, "MODULE", STUBBORN)
    return lambda what: monkeypatch.setenv("STUBBORN", what)


def test_the_answer_is_that_of_the_pipeline() -> None:
    told: list[dict[str, Any]] = []
    result, schedule, trace = solved(on_progress=told.append)
    assert trace == (), "a linear program tells of nothing on the way"
    assert result.outcome is Outcome.OPTIMAL
    assert result.verified
    assert schedule is not None
    assert schedule.throughput == result.objective.value
    assert "solving" in {state["phase"] for state in told}


def test_one_process_answers_one_submission_after_the_other() -> None:
    with solving.Solver(Limits()) as solver:
        first = solver.solve(submission())
        child = solver._child
        again = solver.solve(submission())
        assert solver._child is child
        assert first.result == again.result
        with pytest.raises(InternalError):
            solver.solve(replace(submission(), instance=None))
        assert solver._child is None
        assert solver.solve(submission()).result == first.result
        child = solver._child
    assert child is not None
    assert not child.alive


def kept() -> int:
    """Give the process that is kept."""
    solver = solving._IDLE._solver
    assert solver is not None
    assert solver._child is not None
    return solver._child.pid


def test_the_main_thread_keeps_the_process_for_the_next_solve() -> None:
    solved()
    process = kept()
    solved()
    assert kept() == process
    solved(memory=solving.MEMORY - 2**20)
    assert kept() != process, "the memory of a process is bounded once"
    process = kept()
    solving.close()
    assert gone(process)


def test_another_thread_keeps_no_process_since_it_would_die_with_the_thread() -> None:
    with ThreadPoolExecutor(1) as threads:
        assert threads.submit(solved).result().result.verified
        assert solving._IDLE._solver is None


def test_a_process_that_is_kept_and_dies_is_replaced() -> None:
    solved()
    process = kept()
    os.kill(process, signal.SIGKILL)
    until(lambda: gone(process))
    assert solved().result.verified
    assert kept() != process


def test_a_process_that_is_kept_ends_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solving, "IDLE_SECONDS", 0.05)
    solved()
    until(lambda: gone(kept()))
    assert solved().result.verified


def test_a_process_that_ends_just_as_it_is_given_something_is_replaced(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(solving, "IDLE_SECONDS", 0.05)
    solved()
    until(lambda: gone(kept()))
    monkeypatch.setattr(Child, "alive", True)
    assert solved().result.verified


def test_a_process_that_is_killed_before_it_begins_is_replaced(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    solved()
    process, send = kept(), Child.send

    def kill_and_send(child: Child, *given: Any) -> None:
        if child.pid == process:
            os.kill(process, signal.SIGKILL)
        send(child, *given)

    monkeypatch.setattr(Child, "send", kill_and_send)
    assert solved().result.verified
    assert kept() != process


def test_a_fork_within_a_solve_leaves_the_process_to_its_parent() -> None:
    code = (
        "import os, steadygrid as sg\n"
        "body, forks = sg.problems()['mono_allocation'].example, []\n"
        "def told(_):\n"
        "    if not forks:\n"
        "        forks.append(os.fork())\n"
        "        if not forks[0]: raise RuntimeError\n"
        "try: answer = sg.solve(body, on_progress=told)\n"
        "except RuntimeError: os._exit(0)\n"
        "assert os.waitpid(forks[0], 0)[1] == 0\n"
        "print(answer.verified)"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=120
    )
    assert (ran.stdout, ran.stderr) == ("True\n", "")


def test_a_solve_within_a_solve_has_a_process_of_its_own() -> None:
    inner: list[Any] = []

    def told(_: object) -> None:
        if not inner:
            inner.append(solved())

    assert solved(on_progress=told).result.verified
    assert len(inner) == 1
    kept()


def test_a_fork_leaves_the_process_to_its_parent() -> None:
    code = (
        "import os, steadygrid as sg\n"
        "body = sg.problems()['master_worker'].example\n"
        "sg.solve(body)\n"
        "if not (fork := os.fork()):\n"
        "    os._exit(0 if sg.solve(body).verified else 1)\n"
        "assert os.waitpid(fork, 0)[1] == 0\n"
        "print(sg.solve(body).verified)"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=120
    )
    assert (ran.stdout, ran.stderr) == ("True\n", "")


@pytest.mark.parametrize(
    ("sizes", "answered"), [((1, 2**20, 2**40, 1), 3), ((2**40, 2**40, 1, 1), 4)]
)
def test_a_process_that_has_grown_or_answered_enough_ends_after_its_answer(
    monkeypatch: pytest.MonkeyPatch, sizes: tuple[int, ...], answered: int
) -> None:
    monkeypatch.setattr(answer_process, "resident_memory", iter(sizes).__next__)
    monkeypatch.setattr(answer_process, "MOST_ANSWERED", 4)
    wire = Heard([{"type": "job"}] * 5)
    monkeypatch.setattr(answer_process, "Wire", lambda: wire)
    for name in ("live_for", "limit_memory"):
        monkeypatch.setattr(answer_process, name, lambda _: None)
    monkeypatch.setattr(answer_process, "_answer_next", lambda *_: wire.answered.append(1))
    answer_process.main(["0", "0", "60"])
    assert len(wire.answered) == answered


class Heard:
    """A wire on which everything has been said already."""

    def __init__(self, messages: list[dict[str, Any]]) -> None:
        self._messages = messages
        self.answered: list[int] = []

    def listen(self, hear: Callable[[Frame], None]) -> None:
        for message in self._messages:
            hear(Frame(message, b""))


def test_what_the_pipeline_refuses_is_refused_here() -> None:
    with pytest.raises(LimitError) as refused:
        solved(limits=Limits(max_coefficients=1))
    assert refused.value.faults[0].pointer == ("problem",)
    assert refused.value.detail.count("larger than this service accepts") == 1
    assert "in run" in refused.value.__notes__[0]


def test_a_solver_that_keeps_the_interpreter_to_itself_is_stopped(stubborn: Any) -> None:
    stubborn("holds_the_lock")
    told: list[dict[str, Any]] = []
    begun = time.monotonic()
    with pytest.raises(TimeLimitError, match=r"0\.3 s after its 0\.1 s"):
        solved(0.1, grace=0.3, on_progress=told.append)
    assert time.monotonic() - begun < 30
    assert told == [{"phase": "solving", "elapsed": 0.0}]


def test_a_process_that_never_begins_is_stopped(
    stubborn: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    stubborn("hears_nothing")
    monkeypatch.setattr(solving, "STARTUP_SECONDS", 0.1)
    with pytest.raises(TimeLimitError):
        solved(0.1, grace=0.1)


def test_what_is_raised_while_it_is_told_ends_the_solve(stubborn: Any) -> None:
    stubborn("holds_the_lock")

    def refuse(_: object) -> None:
        raise ArithmeticError("no")

    begun = time.monotonic()
    with pytest.raises(ArithmeticError):
        solved(on_progress=refuse)
    assert time.monotonic() - begun < 30


def test_what_was_broken_off_is_not_the_answer_of_the_next(stubborn: Any) -> None:
    stubborn("holds_the_lock")

    def refuse(_: object) -> None:
        raise LimitError("enough")

    with solving.Solver(Limits()) as solver:
        with pytest.raises(LimitError):
            solver.solve(submission(), refuse)
        assert solver._child is None


def test_a_second_interrupt_does_not_leave_an_old_answer_to_the_next_solve(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stop, interrupts = solving.Solver.stop, [KeyboardInterrupt(), KeyboardInterrupt()]

    def interrupt(*_: object) -> Any:
        raise interrupts.pop()

    def stop_unless_interrupted(solver: solving.Solver) -> int:
        return interrupt() if interrupts else stop(solver)

    collective = parse_submission(PROBLEMS["collective"].example, Limits())
    with monkeypatch.context() as patched:
        patched.setattr(solving.Solver, "listen", interrupt)
        patched.setattr(solving.Solver, "stop", stop_unless_interrupted)
        with pytest.raises(KeyboardInterrupt):
            solving.solve_apart(collective, Limits())
    assert not interrupts
    assert solved().result.objective.value == Fraction(21, 40)
    solving.close()


def test_a_process_without_memory_is_a_memory_error() -> None:
    with pytest.raises(MemoryError, match="more than the 100,000,000 bytes"):
        solved(memory=10**8)


@pytest.mark.parametrize(
    ("what", "error", "words"),
    [
        ("out_of_memory", MemoryError, "more than the 4,294,967,296 bytes"),
        ("lacks_memory", MemoryError, "more than the 4,294,967,296 bytes"),
        ("dies", SolverError, "ended with exit code 5"),
        ("is_killed", SolverError, "was killed by signal 9"),
    ],
)
def test_a_dead_process_is_an_error(
    stubborn: Any, what: str, error: type[BaseException], words: str
) -> None:
    stubborn(what)
    with pytest.raises(error, match=words):
        solved()


def test_the_last_words_of_a_dead_process_are_a_note(stubborn: Any) -> None:
    stubborn("dies")
    with pytest.raises(SolverError) as died:
        solved()
    assert died.value.__notes__ == ["It said last:\nfarewell"]


class Odd(Exception):
    """One that cannot travel."""

    def __init__(self, one: int, other: int) -> None:
        super().__init__(f"{one} and {other}")


def travelled(error: BaseException) -> BaseException:
    there: BaseException = pickle.loads(pickle.dumps(portable(error)))
    return there


def test_a_library_that_no_memory_was_left_to_load_is_a_memory_error() -> None:
    lacking = ImportError("libgfortran.so.5: failed to map segment from shared object")
    assert isinstance(portable(lacking), MemoryError)
    assert not isinstance(portable(ImportError("no module named x")), MemoryError)


def test_errors_travel_whole_or_as_their_words() -> None:
    refused = LimitError("9 processors.", [Fault(("problem",), "x", "is odd")])
    there = travelled(refused)
    assert isinstance(there, LimitError)
    assert (there.detail, there.faults, str(there)) == (
        refused.detail,
        refused.faults,
        str(refused),
    )
    odd = travelled(Odd(1, 2))
    assert isinstance(odd, InternalError)
    assert str(odd) == "Something went wrong that should not have. Odd: 1 and 2"
    assert odd.__notes__


def test_what_only_solvers_raise_is_a_solver_error_to_all_callers() -> None:
    there = travelled(NoSolution("none"))
    assert type(there) is SolverError
    assert str(there) == NoSolution("none").detail


ENDLESS = """
import os
from steadygrid import Limits, problems, solving
from steadygrid.submissions.submission import parse_submission
solving.MODULE = "tests.library.stubborn_solver"
submission = parse_submission(problems()["master_worker"].example, Limits())
def told(_):
    os.write(1, b"begun\\n")
try:
    solving.solve_apart(submission, Limits(), on_progress=told)
except KeyboardInterrupt:
    os.write(1, b"interrupted\\n")
"""


def children(pid: int) -> list[int]:
    listed = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii")
    return [int(child) for child in listed.split()]


@pytest.fixture
def endless(stubborn: Any) -> Iterator[tuple["subprocess.Popen[str]", int]]:
    """A program that solves and solves, and its solver."""
    stubborn("holds_the_lock")
    with subprocess.Popen(
        [sys.executable, "-c", ENDLESS], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as program:
        assert program.stdout is not None
        assert program.stdout.readline() == "begun\n"
        (solver,) = children(program.pid)
        yield program, solver
        program.kill()


def test_ctrl_c_ends_the_solve_at_once(endless: Any) -> None:
    program, solver = endless
    begun = time.monotonic()
    program.send_signal(signal.SIGINT)
    assert program.stdout.readline() == "interrupted\n"
    assert time.monotonic() - begun < 30
    assert gone(solver)
    assert program.wait(30) == 0


def test_ctrl_c_again_and_again_leaves_nothing_behind(endless: Any) -> None:
    program, solver = endless
    while program.poll() is None:
        program.send_signal(signal.SIGINT)
    until(lambda: gone(solver), 45)


def test_the_solver_dies_with_a_program_that_is_killed(endless: Any) -> None:
    program, solver = endless
    program.kill()
    program.wait()
    until(lambda: gone(solver), 45)
