"""Ctrl-C: the solver is asked to stop, and the process ends in order, or at once."""

import os
import signal
import threading
from typing import Any

import pytest

import workers.cli
from steadygrid.domain.errors import Cancelled
from steadygrid.domain.limits import Limits
from steadygrid.problems import PROBLEMS
from steadygrid.problems.submission import Submission
from workers.console.documents import folded_json
from workers.console.running import interruptible
from workers.solving.control import Control


def ctrl_c() -> None:
    os.kill(os.getpid(), signal.SIGINT)


def test_ctrl_c_cancels_the_solve_and_leaves_with_130(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stopped = threading.Event()

    def run(submission: Submission, control: Control, limits: Limits) -> Any:
        ctrl_c()
        while not control.cancelled:
            stopped.wait(0.01)
        stopped.set()
        raise Cancelled

    monkeypatch.setattr("workers.cli.run_pipeline", run)
    body = tmp_path / "body.json"
    body.write_text(folded_json(PROBLEMS["master_worker"].example, ascii_only=True))
    with pytest.raises(SystemExit) as exit_:
        workers.cli.main(["solve", str(body), "--json"])
    assert exit_.value.code == 130
    assert stopped.is_set()
    out, err = capsys.readouterr()
    assert out == ""
    assert err == "steadygrid: interrupted\n"


def test_work_that_does_not_stop_is_left_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    left = []
    go_on = threading.Event()

    def work() -> None:
        ctrl_c()
        go_on.wait(30)

    monkeypatch.setattr("os._exit", left.append)
    with pytest.raises(KeyboardInterrupt):
        interruptible(work, cancel=lambda: None, grace=0.01)
    assert left == [130]
    go_on.set()


def test_a_second_ctrl_c_does_not_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    left = []
    go_on = threading.Event()

    def work() -> None:
        ctrl_c()
        go_on.wait(30)

    monkeypatch.setattr("os._exit", left.append)
    with pytest.raises(KeyboardInterrupt):
        interruptible(work, cancel=lambda: threading.Timer(0.05, ctrl_c).start(), grace=30)
    assert left == [130]
    go_on.set()


def test_what_the_work_gives_or_raises_comes_through() -> None:
    assert interruptible(lambda: 7, cancel=lambda: None) == 7
    with pytest.raises(MemoryError):
        interruptible(exhausted, cancel=lambda: None)


def exhausted() -> None:
    raise MemoryError
