"""Schedules that are simulated with their jobs: the result says how to carry them out."""

from fractions import Fraction
from typing import Any

import pytest

from steadygrid.domain.errors import LimitError
from steadygrid.domain.limits import Limits
from steadygrid.engine import pipeline, robustness
from steadygrid.kinds import PROBLEMS
from steadygrid.report.glyphs import UNICODE
from steadygrid.report.report import Report
from steadygrid.report.summary import facts
from steadygrid.submissions.submission import (
    parse_submission,
    restore_submission,
    size_submission,
)
from tests.engine.executions.seen import example, pair
from tests.solved import Solved, solve


def simulated(body: dict[str, Any]) -> Solved:
    return solve(body, simulate=True)


@pytest.mark.parametrize("kind", ["master_worker", "collective"])
def test_the_result_says_how_to_carry_the_schedule_out(kind: str) -> None:
    body = example(kind, "one_port")
    answer = simulated(body)
    told = answer.result.robustness
    assert told.noise == Fraction(1, 20)
    assert Fraction(9, 10) < told.of_plan < Fraction(11, 10)
    asked = parse_submission(body | {"options": {"simulate": True}}, Limits())
    lines = dict(facts(Report(asked, *answer), 100, UNICODE))
    assert "of the plan at 5 % noise, simulated. As good: " in lines["run it"]


def test_nothing_is_said_unasked() -> None:
    answer = solve(pair(3, 2))
    assert answer.result.robustness is None
    asked = parse_submission(pair(3, 2), Limits())
    assert "run it" not in dict(facts(Report(asked, *answer), 100, UNICODE))


def test_what_takes_too_many_operations_is_noted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(robustness, "SIMULATED_OPERATIONS", 10)
    result = simulated(pair(3, 2)).result
    assert result.robustness is None
    assert any("was not simulated: that takes" in note for note in result.notes)


def test_an_answer_outlives_its_simulation(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any) -> Any:
        raise LimitError("too long")

    monkeypatch.setattr(pipeline, "add_robustness", refuse)
    result = simulated(pair(3, 2)).result
    assert (result.verified, result.robustness) == (True, None)
    assert any("was not simulated:" in note for note in result.notes)


def test_older_workers_leave_it_to_newer_ones() -> None:
    plain = parse_submission(pair(3, 2), Limits())
    asked = parse_submission(pair(3, 2) | {"options": {"simulate": True}}, Limits())
    assert (plain.requires, asked.requires) == (0, 13)
    assert "simulate" not in plain.document()["options"]
    assert restore_submission(asked.document()).options.simulate is True


def test_kinds_that_are_not_simulated_say_that_it_is_not_used() -> None:
    body = dict(PROBLEMS["simulation"].example) | {"options": {"simulate": True}}
    warnings = size_submission(parse_submission(body, Limits()), Limits()).warnings
    assert "simulate is not used: schedules of this kind are not simulated" in warnings
