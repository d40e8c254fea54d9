"""The command solves in a process of its own, which ends when it has to."""

import os
import pickle
import threading
import time
from pathlib import Path
from typing import Any

import pytest

import workers.cli
from steadygrid.domain.errors import Cancelled, Fault, LimitError, OutOfTime, SolverError
from steadygrid.domain.job import Outcome
from steadygrid.domain.limits import Limits
from steadygrid.problems import PROBLEMS
from steadygrid.problems.submission import Submission, parse_submission
from tests.cli.commands import Command, write
from workers.console import solving
from workers.console.solve_process import portable
from workers.solving.control import Control

ROOT = Path(__file__).resolve().parents[2]
STUBBORN = "tests.cli.stubborn_solver"


def submission(seconds: float = 30) -> Submission:
    example = PROBLEMS["master_worker"].example
    return parse_submission({**example, "options": {"time_limit": seconds}}, Limits())


def solved(control: Control, seconds: float = 30, grace: float = 30, **more: Any) -> Any:
    limits = more.pop("limits", Limits())
    return solving.solve_apart(
        submission(seconds), control, limits, memory=2**32, grace=grace, **more
    )


@pytest.fixture
def stubborn(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Put a process that does something else in the solver's place."""
    paths = [str(ROOT), os.environ.get("PYTHONPATH", "")]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, paths)))
    return lambda what: monkeypatch.setenv("STUBBORN", what)


def test_the_answer_is_that_of_the_pipeline() -> None:
    told: list[dict[str, Any]] = []
    result, schedule = solved(Control(30, told.append))
    assert result.outcome is Outcome.OPTIMAL
    assert result.verified
    assert schedule is not None
    assert schedule.throughput == result.objective.value
    assert "solving" in {state["phase"] for state in told}


def test_what_the_pipeline_refuses_is_refused_here() -> None:
    with pytest.raises(LimitError) as refused:
        solved(Control(30), limits=Limits(max_coefficients=1))
    assert "coefficients" in refused.value.detail
    assert refused.value.faults
    assert refused.value.detail.count("larger than this service accepts") == 1


def test_a_solver_that_keeps_the_interpreter_to_itself_is_stopped(stubborn: Any) -> None:
    stubborn("holds_the_lock")
    told: list[dict[str, Any]] = []
    begun = time.monotonic()
    with pytest.raises(OutOfTime):
        solved(Control(0.1, told.append), 0.1, grace=0.3, module=STUBBORN)
    assert time.monotonic() - begun < 30
    assert told == [{"phase": "solving", "elapsed": 0.0}]


def test_the_command_then_leaves_with_4(
    command: Command, stubborn: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stubborn("holds_the_lock")
    real = solving.solve_apart
    monkeypatch.setenv("STEADYGRID_HARD_STOP_GRACE_SECONDS", "0.3")
    monkeypatch.setattr(
        workers.cli, "solve_apart", lambda *a, **more: real(*a, **more, module=STUBBORN)
    )
    example = {**PROBLEMS["master_worker"].example, "options": {"time_limit": 0.1}}
    finished = command("solve", write(tmp_path / "body.json", example))
    assert finished.code == 4
    assert "the time limit of 0.1 s left no answer" in finished.err


def test_a_process_that_never_begins_is_stopped(
    stubborn: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    stubborn("hears_nothing")
    monkeypatch.setattr(solving, "STARTUP_SECONDS", 0.1)
    with pytest.raises(OutOfTime):
        solved(Control(0.1), 0.1, grace=0.1, module=STUBBORN)


def test_a_process_that_ignores_a_cancel_was_cancelled_all_the_same(stubborn: Any) -> None:
    stubborn("holds_the_lock")
    control = Control(0.5)
    control.cancel()
    with pytest.raises(Cancelled):
        solved(control, 0.5, grace=0.5, module=STUBBORN)


def test_a_cancelled_solve_ends_early() -> None:
    control = Control(30)
    threading.Timer(0.01, control.cancel).start()
    begun = time.monotonic()
    with pytest.raises(Cancelled):
        while True:
            solved(control)
    assert time.monotonic() - begun < 30


@pytest.mark.parametrize(("what", "error"), [("out_of_memory", MemoryError), ("dies", SolverError)])
def test_a_dead_process_is_an_error(stubborn: Any, what: str, error: type[BaseException]) -> None:
    stubborn(what)
    with pytest.raises(error):
        solved(Control(30), module=STUBBORN)


class Odd(Exception):
    """One that cannot travel."""

    def __init__(self, one: int, other: int) -> None:
        super().__init__(f"{one} and {other}")


def test_errors_travel_whole_or_as_their_words() -> None:
    refused = LimitError("9 processors.", [Fault(("problem",), "x", "is odd")])
    there = pickle.loads(pickle.dumps(portable(refused)))
    assert (there.detail, there.faults) == (refused.detail, refused.faults)
    odd = portable(Odd(1, 2))
    assert isinstance(odd, RuntimeError)
    assert str(odd) == "Odd: 1 and 2"
    assert odd.__notes__
