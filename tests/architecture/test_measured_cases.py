"""The gate measures the coverage of chosen cases; it stands still while others run."""

import os
import subprocess
import sys
import threading
from importlib import import_module
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.measured_cases import loading_traced, paused, pytest_collection
from tests.slow_cases import UNMEASURED, listed

QUICK = """
import pytest
from hypothesis import given, strategies
from tests.draws import draws

def test_one(): ...

@pytest.mark.parametrize("seed", range(7))
def test_several(seed): ...

@pytest.mark.parametrize("word", range(6))
class TestRoom:
    def test_inside(self, word): ...

@pytest.mark.unmeasured
def test_large(): ...

def test_drawn():
    for _ in range(draws(2, 4)): ...

@given(strategies.integers())
def test_property(number): ...
"""
WHOLE = """
import pytest
from tests.draws import draws

@pytest.mark.parametrize("fault", range(3))
def test_planted(fault):
    for _ in range(draws(2, 4)): ...
"""
PAGE = "def test_page(): ..."


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    for name, text in {
        "pytest.ini": "[pytest]\nmarkers =\n    measured\n    unmeasured\n    slow\n",
        "quick/test_quick.py": QUICK,
        "quick/test_validator.py": WHOLE,
        "exact/test_exact.py": WHOLE,
        "browser/test_browser.py": PAGE,
    }.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    return tmp_path


def collected(suite: Path, marks: str) -> list[str]:
    plugins = ["-p", "tests.slow_cases", "-p", "tests.measured_cases", "-p", "no:cacheprovider"]
    listed = subprocess.run(
        [sys.executable, "-m", "pytest", "--collect-only", "-q", *plugins, "-m", marks, "."],
        cwd=suite,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    return [line.rpartition("/")[2] for line in listed.splitlines() if "::" in line]


def test_chosen_cases_are_measured(suite: Path) -> None:
    path, _, function = min(listed(UNMEASURED)).partition("::")
    (suite / path).parent.mkdir(parents=True)
    (suite / path).write_text(f"def {function}(): ...")
    assert len(collected(suite, "not measured")) == 8
    assert collected(suite, "measured") == [
        *(f"test_exact.py::test_planted[{number}]" for number in range(3)),
        "test_quick.py::test_one",
        *(f"test_quick.py::test_several[{number}]" for number in range(5)),
        *(f"test_quick.py::TestRoom::test_inside[{number}]" for number in range(5)),
        *(f"test_validator.py::test_planted[{number}]" for number in range(3)),
    ]


@pytest.mark.parametrize(("worker", "traced"), [(None, True), ("gw0", True), ("gw1", False)])
def test_one_process_measures_what_collecting_loads(worker: str | None, traced: bool) -> None:
    def trace(*_: Any) -> None:
        return None

    given = {} if worker is None else {"workerinput": {"workerid": worker}}
    before = sys.gettrace()
    sys.settrace(trace)
    try:
        collecting = pytest_collection(SimpleNamespace(config=SimpleNamespace(**given)))
        next(collecting)
        assert (sys.gettrace() is trace) is traced
        with pytest.raises(StopIteration):
            collecting.send(None)
        assert sys.gettrace() is trace
    finally:
        sys.settrace(before)


def test_nothing_is_traced_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []

    def trace(frame: Any, _event: str, _argument: Any) -> None:
        seen.append(frame.f_code.co_name)

    def called() -> None:
        return None

    def quiet() -> None:
        return None

    monkeypatch.setenv("COVERAGE_PROCESS_CONFIG", "x")
    before = sys.gettrace(), threading.gettrace()
    sys.settrace(trace)
    threading.settrace(trace)
    try:
        with paused():
            quiet()
            thread = threading.Thread(target=quiet)
            thread.start()
            thread.join()
            assert "COVERAGE_PROCESS_CONFIG" not in os.environ
        called()
        assert os.environ["COVERAGE_PROCESS_CONFIG"] == "x"
    finally:
        sys.settrace(before[0])
        threading.settrace(before[1])
    assert "called" in seen
    assert "quiet" not in seen


def test_modules_that_are_loaded_meanwhile_are_traced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "loaded_meanwhile.py").write_text("def quiet(): ...\nquiet()\n")
    monkeypatch.syspath_prepend(tmp_path)
    seen: list[str] = []

    def trace(frame: Any, _event: str, _argument: Any) -> None:
        seen.append(f"{Path(frame.f_code.co_filename).stem}:{frame.f_code.co_name}")

    with loading_traced(trace):
        module = import_module("loaded_meanwhile")
        seen.append("loaded")
        module.quiet()
    assert "loaded_meanwhile:<module>" in seen
    assert "loaded_meanwhile:quiet" not in seen[seen.index("loaded") :]
    load = SourceFileLoader.exec_module
    with loading_traced(trace):
        pass
    assert SourceFileLoader.exec_module is load
