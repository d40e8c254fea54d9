from fractions import Fraction
from typing import Any

import pytest

from steadygrid.domain.errors import Cancelled, OutOfTime
from steadygrid.domain.job import Bound, Outcome, Phase
from steadygrid.engine.solver import without_schedule
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.master_worker.schemas import MasterWorkerResult


class Solver:
    def __init__(self):
        self.cancelled = 0

    def cancelSolve(self):
        self.cancelled += 1


def test_without_a_limit_time_is_endless():
    control = Control()
    assert control.remaining == float("inf")
    control.check()


def test_time_that_is_over_interrupts():
    control = Control(0)
    assert control.remaining == 0
    with pytest.raises(OutOfTime) as caught:
        control.check()
    assert caught.value.duals == {}


def test_cancelling_reaches_the_solvers_that_run_and_those_that_start():
    control = Control()
    assert not control.cancelled
    running, later, done = Solver(), Solver(), Solver()
    with control.attached(done):
        pass
    with control.attached(running):
        control.cancel()
    with control.attached(later):
        pass
    assert control.cancelled
    assert (running.cancelled, later.cancelled, done.cancelled) == (1, 1, 0)
    with pytest.raises(Cancelled):
        control.check()


def test_progress_tells_what_changed_and_what_stayed():
    told: list[Any] = []
    control = Control(report=told.append)
    control.phase(Phase.SOLVING)
    control.progress(iterations=3, value=Fraction(1, 2))
    control.progress(bound=Fraction(2, 3))
    assert [{k: v for k, v in state.items() if k != "elapsed"} for state in told] == [
        {"phase": "solving"},
        {"phase": "solving", "iterations": 3, "value": "1/2", "exact": True},
        {"phase": "solving", "iterations": 3, "value": "1/2", "bound": "2/3", "exact": True},
    ]
    assert all(state["elapsed"] >= 0 for state in told)


def test_floats_are_told_as_the_shortest_decimals_and_as_not_exact() -> None:
    told: list[Any] = []
    control = Control(report=told.append)
    control.progress(value=0.1, bound=Fraction(1, 3))
    control.progress(value=float("nan"))
    control.progress(value=Fraction(1, 7))
    assert [(state["value"], state["bound"], state["exact"]) for state in told] == [
        ("1/10", "1/3", False),
        ("1/10", "1/3", False),
        ("1/7", "1/3", True),
    ]


def test_parts_of_a_solve_share_its_trace_but_for_silent_ones() -> None:
    control = Control()
    control.limited(10).progress(iterations=4, bound=2.5)
    control.limited(10, silent=True).progress(value=Fraction(1, 3))
    result = without_schedule(MasterWorkerResult, Outcome.BOUND_ONLY, "lp")
    result.bound = Bound.from_value(Fraction(2), exact=True)
    first, last = control.trace(result)
    assert (first.iteration, first.value, first.bound) == (4, None, Fraction(5, 2))
    assert last[2:] == (None, Fraction(2), True)
    assert 0 <= first.seconds <= last.seconds <= control.elapsed


def test_a_part_of_the_work_has_less_time_and_the_same_reins():
    told: list[dict[str, object]] = []
    whole = Control(time_limit=100, report=told.append)
    part = whole.limited(0)

    with pytest.raises(OutOfTime):
        part.check()
    whole.check()
    assert whole.limited(1000).remaining <= 100
    assert 0 < Control().limited(5).remaining <= 5
    part.progress(iterations=3)
    assert told[-1]["iterations"] == 3
    solver = Solver()
    with part.attached(solver):
        whole.cancel()
    assert solver.cancelled
    with pytest.raises(Cancelled):
        part.check()


def test_timed_items_stop_when_the_time_is_over() -> None:
    control = Control()
    seen = []
    with pytest.raises(Cancelled):
        for item in control.timed("abc"):
            seen.append(item)
            if item == "b":
                control.cancel()
    assert seen == ["a", "b"]
