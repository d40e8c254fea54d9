"""The process in which integer programs are searched: it may hang, die, and be killed."""

import os
import resource
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from fractions import Fraction
from math import inf
from pathlib import Path

import pyomo.core as pyo
import pytest

from steadygrid.domain.errors import Cancelled, SolverError
from steadygrid.engine.solving import mixed_integer, search_child
from steadygrid.engine.solving.control import Control
from steadygrid.engine.solving.mixed_integer import search_mixed_integer
from steadygrid.engine.solving.search_processes import SearchProcesses

ROOT = Path(__file__).parents[2]
START = {"placed": {1: 1, 4: 1, 5: 1, 7: 1, 8: 1}, "moved": {9: 1, 13: 1, 14: 1, 15: 1}}
"""Of the program that hangs; the period is then 1.040, where 0.6375 is the least."""


@pytest.fixture
def searches() -> Iterator[SearchProcesses]:
    """Searches of one test."""
    found = SearchProcesses()
    yield found
    found.close()


def hanging() -> pyo.ConcreteModel:
    """HiGHS 1.15.1 presolves it for ever, without its rule for doubleton equations."""
    model = pyo.ConcreteModel()
    model.period = pyo.Var(bounds=(0, Fraction(203, 192)))
    model.placed = pyo.Var(range(1, 9), domain=pyo.Binary)
    model.moved = pyo.Var(range(9, 17), domain=pyo.NonNegativeReals)
    x, y = model.placed, model.moved
    model.least = pyo.Objective(expr=model.period)
    model.rows = pyo.ConstraintList()
    for row in (
        x[2] + x[3] + x[4] == 1,
        x[7] == 1,
        x[8] == 1,
        y[9] - x[1] == 0,
        y[10] + y[11] - x[2] == 0,
        y[12] - x[3] == 0,
        y[13] - x[4] == 0,
        y[15] - x[5] == 0,
        y[16] - x[6] == 0,
        y[10] + y[13] - x[5] == 0,
        y[11] + y[12] - x[6] == 0,
        y[14] - x[8] == 0,
        y[15] + y[16] - x[7] == 0,
        model.period - Fraction(193, 480) * y[9] - y[11] - y[12] - Fraction(51, 80) * y[14] >= 0,
    ):
        model.rows.add(row)
    return model


def started() -> pyo.ConcreteModel:
    """The same with a solution to begin from."""
    model = hanging()
    model.period.set_value(Fraction(51, 80) + Fraction(193, 480))
    for name, values in START.items():
        for key, variable in model.component(name).items():
            variable.set_value(values.get(key, 0))
    return model


def endless(size: int = 60) -> pyo.ConcreteModel:
    """Takes longer than any test: every number is even, what they should sum to is odd."""
    model = pyo.ConcreteModel()
    model.taken = pyo.Var(range(size), domain=pyo.Binary, initialize=0)
    model.missing = pyo.Var(domain=pyo.NonNegativeReals, initialize=1)
    model.goal = pyo.Objective(expr=model.missing)
    numbers = [2 * ((7919 * k * k + 104729 * k) % 9973 + 10000) for k in range(size)]
    total = sum(Fraction(n, 300001) * model.taken[k] for k, n in enumerate(numbers))
    model.sum = pyo.Constraint(expr=total + model.missing == 1)
    return model


def kept(searches: SearchProcesses) -> int:
    """The process that waits for the next search."""
    assert searches.idle is not None
    return searches.idle


def exists(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def gone(pid: int) -> bool:
    """Whether a process ends within some seconds."""
    patience = time.monotonic() + 20
    while exists(pid) and time.monotonic() < patience:
        time.sleep(0.05)
    return not exists(pid)


def children() -> set[int]:
    """The processes that this thread has started."""
    path = Path(f"/proc/self/task/{os.getpid()}/children")
    return {int(pid) for pid in path.read_text(encoding="ascii").split()}


def started_early(searches: SearchProcesses) -> int:
    """Start the process of the next search, which then loses no time."""
    assert search_mixed_integer(endless(4), Control(searches=searches)).proved
    return kept(searches)


def test_a_search_that_hangs_is_begun_again_and_ends(searches: SearchProcesses) -> None:
    tree = search_mixed_integer(hanging(), Control(time_limit=8, searches=searches))
    assert tree.proved
    assert tree.best is not None
    assert tree.best.objective == pytest.approx(0.6375)


def test_a_search_that_hangs_to_the_end_gives_what_it_began_with(
    monkeypatch: pytest.MonkeyPatch,
    searches: SearchProcesses,
) -> None:
    monkeypatch.setattr(mixed_integer, "WITHOUT_PRESOLVE", {})
    process = started_early(searches)
    model = started()
    control = Control(time_limit=3, searches=searches)
    tree = search_mixed_integer(model, control, warm=True)
    assert control.elapsed < 10
    assert not tree.proved
    assert tree.bound == -inf
    assert tree.best is not None
    assert tree.best.objective == pytest.approx(0.6375 + 193 / 480)
    assert tree.best.values_of(model.placed) == START["placed"]
    assert not exists(process)


def test_values_that_are_no_solution_are_not_given_back(
    monkeypatch: pytest.MonkeyPatch, searches: SearchProcesses
) -> None:
    monkeypatch.setattr(mixed_integer, "WITHOUT_PRESOLVE", {})
    started_early(searches)
    model = started()
    model.placed[1].set_value(0)
    tree = search_mixed_integer(model, Control(time_limit=1, searches=searches), warm=True)
    assert tree.best is None


def test_a_search_that_hangs_is_cancelled(searches: SearchProcesses) -> None:
    control = Control(searches=searches)
    timer = threading.Timer(2, control.cancel)
    timer.start()
    with pytest.raises(Cancelled):
        search_mixed_integer(hanging(), control)
    timer.join()
    assert control.elapsed < 10
    assert searches.idle is None


def test_a_search_that_freezes_gives_the_best_so_far_and_the_last_bound(
    searches: SearchProcesses,
) -> None:
    heard: list[float] = []
    others = children()

    def freeze(bound: float, _: int) -> None:
        heard.append(bound)
        for process in children() - others:
            os.kill(process, signal.SIGSTOP)

    control = Control(time_limit=6, searches=searches)
    tree = search_mixed_integer(endless(), control, warm=True, advance=freeze)
    assert control.elapsed < 20
    assert tree.best is not None
    assert 0 < tree.best.objective <= 1
    assert tree.bound == max(heard)
    assert not tree.proved


def test_a_process_that_is_killed_is_an_error_and_the_next_search_has_another(
    searches: SearchProcesses,
) -> None:
    process = started_early(searches)

    def kill(*_: object) -> None:
        os.kill(process, signal.SIGKILL)

    with pytest.raises(SolverError, match="exit code -9"):
        search_mixed_integer(endless(), Control(searches=searches), advance=kill)
    assert search_mixed_integer(endless(4), Control(searches=searches)).proved
    assert kept(searches) != process


def test_searches_share_a_process_also_after_errors_and_cancels(
    searches: SearchProcesses, monkeypatch: pytest.MonkeyPatch
) -> None:
    # However slow this machine is now.
    monkeypatch.setattr("steadygrid.engine.solving.search_child.SECONDS_TO_STOP", 60.0)

    def refuse(*_: object) -> None:
        raise ArithmeticError("no")

    assert search_mixed_integer(endless(4), Control(searches=searches)).proved
    process = kept(searches)
    with pytest.raises(ArithmeticError):
        search_mixed_integer(endless(), Control(searches=searches), advance=refuse)
    with pytest.raises(SolverError, match="no_such_option"):
        search_mixed_integer(endless(), Control(searches=searches), options={"no_such_option": 1})
    assert search_mixed_integer(endless(4), Control(searches=searches)).proved
    assert kept(searches) == process


def test_a_process_that_was_started_early_serves_the_first_search(
    searches: SearchProcesses,
) -> None:
    searches.start_early()
    process = kept(searches)
    assert search_mixed_integer(endless(4), Control(searches=searches)).proved
    assert kept(searches) == process


def test_a_search_within_a_search_has_a_process_of_its_own(searches: SearchProcesses) -> None:
    inner: list[bool] = []
    tree = search_mixed_integer(
        endless(),
        Control(time_limit=3, searches=searches),
        incumbent=lambda _: inner.append(
            search_mixed_integer(endless(4), Control(searches=searches)).proved
        ),
    )
    assert tree.best is not None
    assert inner
    assert all(inner)
    assert exists(kept(searches))


def test_an_idle_process_that_died_is_replaced(searches: SearchProcesses) -> None:
    assert search_mixed_integer(endless(4), Control(searches=searches)).proved
    process = kept(searches)
    os.kill(process, signal.SIGKILL)
    assert search_mixed_integer(endless(4), Control(searches=searches)).proved
    assert kept(searches) != process
    assert not exists(process)


def test_a_process_outlives_the_thread_that_started_it(searches: SearchProcesses) -> None:
    thread = threading.Thread(
        target=search_mixed_integer, args=(endless(4), Control(searches=searches))
    )
    thread.start()
    thread.join()
    process = kept(searches)
    assert search_mixed_integer(endless(4), Control(searches=searches)).proved
    assert kept(searches) == process


def test_too_little_memory_is_a_memory_error(searches: SearchProcesses) -> None:
    assert search_mixed_integer(endless(4), Control(searches=searches)).proved
    sizes = Path(f"/proc/{kept(searches)}/statm").read_text(encoding="ascii").split()
    most = int(sizes[0]) * resource.getpagesize() + (1 << 20)
    resource.prlimit(kept(searches), resource.RLIMIT_AS, (most, most))
    with pytest.raises(MemoryError):
        search_mixed_integer(endless(20000), Control(time_limit=20, searches=searches))
    assert searches.idle is None
    assert search_mixed_integer(endless(4), Control(searches=searches)).proved


def test_a_process_that_has_grown_is_not_kept(
    monkeypatch: pytest.MonkeyPatch, searches: SearchProcesses
) -> None:
    monkeypatch.setattr(search_child, "MOST_KEPT_BYTES", 1)
    assert search_mixed_integer(endless(4), Control(searches=searches)).proved
    assert searches.idle is None


@pytest.mark.parametrize(
    ("number", "error"), [(12, MemoryError), (11, SolverError)], ids=["no memory", "no process"]
)
def test_a_process_that_cannot_be_started_is_an_error(
    monkeypatch: pytest.MonkeyPatch, searches: SearchProcesses, number: int, error: type[Exception]
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(subprocess, "Popen", fail)
    with pytest.raises(error, match="search process"):
        search_mixed_integer(endless(4), Control(searches=searches))


SCRIPT = """
import sys
from tests.engine.solving.test_search_child import endless, hanging, kept
from steadygrid.engine.solving.search_processes import LASTING
from steadygrid.engine.solving.control import Control
from steadygrid.engine.solving.mixed_integer import search_mixed_integer
search_mixed_integer(endless(4), Control())
print(kept(LASTING), flush=True)
if sys.argv[1] == "hang":
    search_mixed_integer(hanging(), Control())
"""


def user(what: str) -> tuple[subprocess.Popen[str], int]:
    """A process that searches, and its search process."""
    process = subprocess.Popen(
        [sys.executable, "-c", SCRIPT, what], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    with process.stdout as lines:
        return process, int(lines.readline())


def test_nothing_is_left_when_the_interpreter_ends() -> None:
    process, searching = user("end")
    assert process.wait(20) == 0
    assert gone(searching)


def test_nothing_is_left_when_the_interpreter_is_killed() -> None:
    process, searching = user("hang")
    time.sleep(1)
    assert exists(searching)
    process.kill()
    process.wait()
    assert gone(searching)


def test_a_forked_process_leaves_the_search_process_to_its_parent(
    searches: SearchProcesses,
) -> None:
    assert search_mixed_integer(endless(4), Control(searches=searches)).proved
    process = kept(searches)
    forked = os.fork()
    if forked == 0:
        proved = False
        try:
            proved = search_mixed_integer(endless(4), Control(searches=searches)).proved
            searches.close()
        finally:
            os._exit(not proved)
    assert os.waitpid(forked, 0)[1] == 0
    assert kept(searches) == process
    assert search_mixed_integer(endless(4), Control(searches=searches)).proved
    assert kept(searches) == process


def test_what_is_found_meanwhile_is_known_even_if_the_search_ends_without_it(
    monkeypatch: pytest.MonkeyPatch, searches: SearchProcesses
) -> None:
    monkeypatch.setattr(mixed_integer, "WITHOUT_PRESOLVE", {})
    started_early(searches)
    better = iter([None, True, False])
    model, known = hanging(), started()

    def meanwhile() -> bool | None:
        found = next(better, None)
        if found:
            for name in ("period", "placed", "moved"):
                for key, variable in model.component(name).items():
                    variable.set_value(known.component(name)[key].value)
        return found

    control = Control(time_limit=2, searches=searches)
    tree = search_mixed_integer(model, control, meanwhile=meanwhile)
    assert tree.best is not None
    assert tree.best.objective == pytest.approx(0.6375 + 193 / 480)
    assert tree.best.values_of(model.placed) == START["placed"]


def test_what_is_found_meanwhile_spares_the_search_what_is_worse(
    searches: SearchProcesses,
) -> None:
    def incumbents(given: dict[int, float] | None) -> list[tuple[float, dict[int, float]]]:
        model, once = endless(40), iter([given])
        heard: list[tuple[float, dict[int, float]]] = []

        def meanwhile() -> bool | None:
            values = next(once, None)
            for key, value in (values or {}).items():
                model.taken[key].set_value(round(value))
            # What is left is what makes the row right.
            left = 1 - pyo.value(model.sum.body - model.missing)
            model.missing.set_value(float(left))
            return None if values is None else True

        search_mixed_integer(
            model,
            Control(time_limit=60, searches=searches),
            incumbent=lambda one: heard.append((one.objective, one.values_of(model.taken))),
            meanwhile=meanwhile,
            options={"mip_heuristic_effort": 0.0, "mip_max_nodes": 20_000},
        )
        return heard

    alone = incumbents(None)
    best, values = alone[-1]
    helped = incumbents(values)
    second = alone[-2][0]
    assert all(objective > second or objective <= best + 1e-9 for objective, _ in helped)
