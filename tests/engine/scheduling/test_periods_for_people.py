"""Periods that people can use, where the exact one holds a great many instances."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from steadygrid.domain.errors import InstanceError, InvalidScheduleError, OutOfTime
from steadygrid.domain.limits import Limits
from steadygrid.domain.schedule import MOST_IN_A_PERIOD, MOST_LOST
from steadygrid.engine.scheduling import schedule as reconstruction
from steadygrid.submissions.submission import parse_submission, schedule_limits
from tests.solved import solve

LIMITS = schedule_limits(Limits())


def star(*unit_times: str, ports: str = "one_port") -> dict[str, Any]:
    """Workers with numbers that have nothing in common."""
    names = [f"W{i}" for i in range(len(unit_times))]
    processors = [{"id": n, "unit_time": t} for n, t in zip(names, unit_times, strict=True)]
    links = [{"source": "M", "target": name, "unit_time": "1/97"} for name in names]
    platform = {"processors": [{"id": "M"}, *processors], "links": links}
    problem = {"kind": "master_worker", "platform": platform, "master": "M", "ports": ports}
    return {"problem": problem | {"task": {"work": 1}}}


LONG = star("101/100", "103/90", "107/80")
"""The exact period is that of 101 * 103 * 107 instances or so."""


@pytest.mark.parametrize("ports", ["one_port", "multiport"])
def test_a_long_exact_period_is_replaced_by_a_short_one(ports: str) -> None:
    body = star("101/100", "103/90", "107/80", ports=ports)
    schedule = solve(body).schedule
    exact = solve(body, max_period="exact").schedule
    assert exact.instances_per_period > MOST_IN_A_PERIOD
    assert exact.period > 10 * schedule.period
    assert (exact.loss, exact.rounding_loss, exact.bounded) == (0, None, None)
    assert 0 < schedule.loss <= MOST_LOST
    assert schedule.bounded == "automatic"
    assert not schedule.preempted
    assert schedule == solve(body).schedule


@pytest.mark.parametrize("whole", [False, True])
def test_pools_get_a_short_period_too_and_whole_files_stay_as_asked(whole: bool) -> None:
    body = star(*["101/100"] * 7, *["103/90"] * 5, *["107/80"] * 3)
    schedule = solve(body, whole_files=whole).schedule
    exact = solve(body, whole_files=whole, max_period="exact").schedule
    assert len(exact.allocations) == 15
    assert exact.instances_per_period > MOST_IN_A_PERIOD
    assert exact.period > 10 * schedule.period
    assert 0 < schedule.loss <= MOST_LOST
    assert schedule.bounded == "automatic"
    assert not (whole and schedule.preempted)


def test_the_rates_stay_exact_and_the_answer_says_what_was_done() -> None:
    result, _ = solve(LONG)
    exact = solve(LONG, max_period="exact")
    assert result.objective == exact.result.objective
    assert result.certificate == exact.result.certificate
    (note,) = result.notes
    period, instances = exact.schedule.period, exact.schedule.instances_per_period
    assert note.startswith(f"the exact period of {period} holds {int(instances):,} instances: ")
    assert "the rates stay as they are" in note
    assert exact.result.notes == []


def test_a_short_exact_period_is_kept() -> None:
    schedule = solve(star("2", "3")).schedule
    assert (schedule.loss, schedule.bounded) == (0, None)


def test_a_period_that_was_asked_for_says_so() -> None:
    assert solve(LONG, max_period=10).schedule.bounded == "asked"


def test_the_exact_one_is_kept_where_no_time_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    def late(_: Any) -> None:
        raise OutOfTime

    monkeypatch.setattr(reconstruction, "automatic", late)
    assert solve(LONG).schedule.loss == 0


def judged(options: dict[str, Any], change: Any) -> set[str]:
    """Let the referee judge the short schedule, changed, for other options."""
    submission = parse_submission({**LONG, "options": options}, Limits())
    result, schedule = solve(LONG)
    with pytest.raises(InvalidScheduleError) as refused:
        submission.problem.validate(
            submission.instance, submission.options, result, change(schedule), LIMITS
        )
    return {fault.code for fault in refused.value.faults}


def test_the_referee_knows_when_a_period_may_be_short() -> None:
    assert judged({"max_period": "exact"}, lambda s: s) == {"rounded_without_need"}
    assert judged({}, lambda s: replace(s, bounded="asked")) == {"wrong_bounded"}
    assert "wrong_bounded" in judged({}, lambda s: replace(s, rounding_loss=None))


def test_the_referee_lets_no_automatic_period_lose_much() -> None:
    """Asked for, a period of 2 may lose what it must; by itself no schedule may."""
    submission = parse_submission(LONG, Limits())
    result, schedule = solve(LONG, max_period=2, whole_files=True)
    assert schedule.loss > MOST_LOST
    with pytest.raises(InvalidScheduleError) as refused:
        submission.problem.validate(
            submission.instance,
            submission.options,
            result,
            replace(schedule, bounded="automatic"),
            LIMITS,
        )
    assert "loses_too_much" in {fault.code for fault in refused.value.faults}


@pytest.mark.parametrize("wrong", ["Exact", "exactly", True, [], "0"])
def test_other_words_are_refused(wrong: Any) -> None:
    with pytest.raises(InstanceError):
        parse_submission({**LONG, "options": {"max_period": wrong}}, Limits())


def test_whole_files_are_the_default_of_the_exact_period() -> None:
    def options(period: Any) -> Any:
        return parse_submission({**LONG, "options": {"max_period": period}}, Limits()).options

    assert options("exact").wants_whole_files
    assert options(None).wants_whole_files
    assert not options(Fraction(10)).wants_whole_files
