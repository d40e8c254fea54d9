"""Kinds whose solver hands over the schedule itself, of either form."""

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from steadygrid.cli.documents import read_schedule
from steadygrid.documents import schedule_chunks
from steadygrid.domain.forms import AnySchedule
from steadygrid.domain.job import Options
from steadygrid.domain.limits import Limits
from steadygrid.domain.problem import Sizing
from steadygrid.domain.schedule import ScheduleLimits
from steadygrid.domain.timeline import Event, Timeline
from steadygrid.engine import pipeline
from steadygrid.engine.solver import Solution, Solver, solver_for
from steadygrid.engine.solving.control import Control
from steadygrid.submissions.submission import Submission, parse_submission
from tests import every_answer
from tests.databases import small_schedule
from tests.http.bodies import BODY

ONCE = Timeline(
    "one_port", Fraction(1), (Event(Fraction(0), Fraction(1), "W", "a", 1, Fraction(1)),)
)


@pytest.fixture(autouse=True)
def unwatched(monkeypatch: pytest.MonkeyPatch) -> None:
    """Answers of kinds whose referee is replaced here are not looked at."""
    monkeypatch.setattr(every_answer.ANSWERS, "look", lambda *answer: None)


def submission_judged_by(judged: list[Any], form: Any) -> Submission:
    """A submission of a kind with schedules of this form; what its referee gets is noted."""
    asked = parse_submission(BODY, Limits())

    def validate(
        instance: Any, options: Options, result: Any, schedule: Any, limits: ScheduleLimits
    ) -> None:
        judged.append(schedule)

    problem = replace(asked.problem, form=form, validate=validate, validate_in_time=None)
    return replace(asked, problem=problem)


@pytest.mark.parametrize("schedule", [ONCE, small_schedule()], ids=["once", "periodic"])
def test_a_ready_made_schedule_goes_to_the_referee_and_into_the_answer(
    schedule: AnySchedule, monkeypatch: pytest.MonkeyPatch
) -> None:
    def solve(instance: Any, options: Options, sizing: Sizing, control: Control) -> Solution:
        solution = solver_for("master_worker").solve(instance, options, sizing, control)
        return Solution(solution.result, schedule=schedule)

    def never(*_: Any) -> Solution:
        raise AssertionError

    monkeypatch.setattr(pipeline, "solver_for", lambda kind: Solver(solve, never))
    judged: list[Any] = []
    asked = submission_judged_by(judged, type(schedule))
    answer = pipeline.run(asked, Control(60.0), Limits())
    assert answer.schedule is schedule
    assert judged == [schedule]
    assert answer.result.verified


def test_a_schedule_that_runs_once_is_written_and_read_by_the_command_line(tmp_path: Path) -> None:
    file = tmp_path / "schedule.json"
    file.write_text("".join(schedule_chunks(ONCE)), encoding="utf-8")
    assert json.loads(file.read_text()) == ONCE.document
    assert read_schedule(str(file), Limits(), Timeline) == ONCE
