"""The portfolio under a limit has what each heuristic in it finds under that limit and some overtime.

Time is counted, not measured: each look at the clock takes a fixed part of a second.
"""

from random import Random
from typing import Any

import pytest

from steadygrid.domain.errors import OutOfTime
from steadygrid.domain.job import Options
from steadygrid.domain.limits import Limits
from steadygrid.engine.mapping import NoMapping
from steadygrid.engine.pipeline import run
from steadygrid.engine.simulation.execution import Simulation
from steadygrid.engine.solving import control as control_module
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.mono_allocation.schemas import REFERENCES
from steadygrid.kinds.mono_allocation.solver import compare, improvement, portfolio
from steadygrid.kinds.mono_allocation.solver.compare import contestants
from steadygrid.kinds.mono_allocation.solver.heuristics.registry import (
    HEURISTICS,
    Effort,
    Heuristic,
)
from steadygrid.kinds.mono_allocation.solver.method_runs import find
from steadygrid.kinds.mono_allocation.solver.tables import MonoTables
from steadygrid.submissions.submission import parse_submission
from tests.draws import draws
from tests.kinds.mono_allocation.drawn import drawn, instance

TICK = 0.01
"""Seconds that pass at each look at the clock."""
IN_PORTFOLIO = ("simple_greedy", "refined_greedy", "delegate", "neighborhood")


class Clock:
    """Counts."""

    def __init__(self) -> None:
        self.now = 0.0

    def monotonic(self) -> float:
        self.now += TICK
        return self.now


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Count time, and leave out what waits for solvers, which do not know this clock."""
    monkeypatch.setattr(control_module, "time", Clock())
    monkeypatch.setattr(portfolio, "OVERTIME", 5.0)
    monkeypatch.setattr(portfolio, "ROUNDED_COEFFICIENTS", 0)
    monkeypatch.setattr(portfolio, "MOST_SEARCHED", 0)


def document(seed: int) -> dict[str, Any]:
    return drawn(Random(seed), tasks=10, processors=6, everywhere=True, density=0.3)


@pytest.mark.usefixtures("counted")
@pytest.mark.parametrize("limit", [0.0, 0.5, 2.0, 4.0, 8.0, 16.0])
@pytest.mark.parametrize("seed", range(draws(2, 4)))
def test_what_a_heuristic_finds_the_portfolio_has(seed: int, limit: float) -> None:
    best = find(MonoTables(instance(document(seed))), "portfolio", Options(), Control(limit))
    for method in IN_PORTFOLIO:
        try:
            alone = find(MonoTables(instance(document(seed))), method, Options(), Control(limit))
        except OutOfTime:
            continue
        assert best.period <= alone.period, method


@pytest.mark.usefixtures("counted")
@pytest.mark.parametrize("limit", [1e-6, 0.3, 1.0, 3.0, 10.0])
@pytest.mark.parametrize("seed", range(10, 10 + draws(1, 3)))
def test_so_it_is_for_answers(seed: int, limit: float) -> None:
    def answered(method: str) -> Any:
        problem = {"kind": "mono_allocation", **document(seed), "method": method}
        body = {"problem": problem, "options": {"time_limit": limit}}
        result = run(parse_submission(body, Limits()), Control(limit), Limits()).result
        return 0 if result.objective is None else result.objective.value

    best = answered("portfolio")
    assert best > 0
    assert all(answered(method) <= best for method in IN_PORTFOLIO)


@pytest.mark.usefixtures("counted")
@pytest.mark.parametrize("routing", ["free", "multipath"])
def test_the_best_paths_decide_between_heuristics(
    routing: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(improvement, "choose_part", lambda *_: over())

    def over() -> None:
        raise OutOfTime

    for seed in range(20, 20 + draws(2, 4)):
        tables = MonoTables(instance({**document(seed), "routing": routing}))
        best = find(tables, "portfolio", Options(), Control())
        alone = [find(tables, method, Options(), Control()) for method in IN_PORTFOLIO]
        assert best.period <= min(finding.period for finding in alone)


def test_a_heuristic_that_takes_all_its_time_leaves_the_next_its_own(
    counted: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    seconds = {}

    def endless(name: str) -> Any:
        def heuristic(_: MonoTables, control: Control) -> list[int]:
            begun = control.elapsed
            while True:
                seconds[name] = control.elapsed - begun
                control.check()

        return heuristic

    for name in ("delegate", "neighborhood"):
        monkeypatch.setitem(HEURISTICS, name, Heuristic(name, endless(name), Effort.PAIRS))
    control = Control(4)
    find(MonoTables(instance(document(0))), "portfolio", Options(), control)
    assert seconds["delegate"] == pytest.approx(4, abs=1)
    assert seconds["neighborhood"] == pytest.approx(4, abs=2)
    assert control.elapsed < 4 + portfolio.OVERTIME + 2


@pytest.mark.usefixtures("counted")
@pytest.mark.parametrize(("limit", "overtime"), [(4.0, 2.0), (40.0, 4.0)])
def test_no_heuristic_begins_long_after_the_limit(
    limit: float, overtime: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(portfolio, "OVERTIME", 1.5)

    def endless(_: MonoTables, control: Control) -> list[int]:
        while True:
            control.check()

    for name in ("delegate", "neighborhood"):
        monkeypatch.setitem(HEURISTICS, name, Heuristic(name, endless, Effort.PAIRS))
    control = Control(limit)
    find(MonoTables(instance(document(0))), "portfolio", Options(), control)
    assert control.elapsed < limit + overtime


def test_no_period_below_the_longest_task_is_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(improvement, "choose_part", lambda *_: pytest.fail("searched"))
    found = {
        "platform": {"processors": [{"id": "A", "speed": 1}, {"id": "B", "speed": 1}]},
        "application": {"tasks": [{"id": "a", "work": 5}, {"id": "b", "work": 2}]},
    }
    finding = find(MonoTables(instance(found)), "portfolio", Options(), Control())
    assert finding.period == 5
    assert finding.bound is not None
    assert finding.bound.period == 5
    assert finding.bound.exact


@pytest.mark.usefixtures("counted")
def test_compare_gives_the_portfolio_what_the_heuristics_found() -> None:
    tables = MonoTables(instance({**document(1), "instances": 3}))
    ran = {
        row.method: (row, finding) for row, finding in contestants(tables, Options(), Control(30))
    }
    assert list(ran)[:2] == ["simple_greedy", "refined_greedy"]
    assert set(list(ran)[2:5]) == REFERENCES
    assert list(ran)[-2:] == ["portfolio", "milp"]
    portfolio_row, best = ran["portfolio"]
    assert best is not None
    for name in IN_PORTFOLIO:
        row, finding = ran[name]
        assert finding is None or best.period <= finding.period
        assert portfolio_row.seconds >= row.seconds


def test_a_reference_without_time_for_all_instances_simulates_fewer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[int] = []
    real = compare.REFERENCES["heft"]

    def slow(tables: MonoTables, instances: int, control: Control) -> Simulation:
        asked.append(instances)
        if instances > 30:
            raise OutOfTime
        return real(tables, instances, control)

    monkeypatch.setitem(compare.REFERENCES, "heft", slow)
    tables = MonoTables(instance({**document(1), "instances": 200}))
    ran = {row.method: row for row, _ in contestants(tables, Options(), Control(20))}
    assert asked == [1, 30, 200]
    assert ran["heft"].throughput is not None
    assert ran["heft"].note == ("simulated for 30 instances only: there was no time for 200")
    assert ran["clustering"].note is None


def test_a_reference_that_cannot_place_a_task_has_no_row_of_numbers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def stuck(*_: Any) -> Simulation:
        raise NoMapping("no way")

    monkeypatch.setitem(compare.REFERENCES, "heft", stuck)
    tables = MonoTables(instance({**document(1), "instances": 2}))
    ran = {row.method: row for row, _ in contestants(tables, Options(), Control(20))}
    assert ran["heft"].throughput is None
    assert ran["heft"].note == "no way"
