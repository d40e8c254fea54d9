"""What a schedule says of its run is judged: planted faults are named."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from steadygrid.domain.job import Bound
from steadygrid.domain.limits import Limits
from steadygrid.domain.run import RunGoal, RunPromise
from steadygrid.domain.schedule import Schedule
from steadygrid.kinds import PROBLEMS
from steadygrid.submissions.submission import parse_submission
from steadygrid.verification.promises import Complete, Earliest, earliest_by_rate
from tests.solved import solve
from tests.verification.answers import Answer

F = Fraction
BODY = PROBLEMS["master_worker"].example


def answer(**options: Any) -> Answer:
    submission = parse_submission({**BODY, "options": options}, Limits())
    return Answer(submission.instance, submission.options, *solve({**BODY, "options": options}))


@pytest.fixture(scope="module", name="right")
def right_answers() -> dict[str, Answer]:
    return {
        "counted": answer(run={"instances": 1_000}),
        "timed": answer(run={"horizon": 1_000}),
        "plain": answer(),
        "older": answer(total_instances=1_000),
        "few": answer(run={"instances": 3}),
        "nothing": answer(run={"instances": 3}, max_period="1/10"),
    }


def told(**members: Any) -> Any:
    """Change what the header says of the run."""

    def change(schedule: Any) -> Any:
        return replace(schedule, run=schedule.run._replace(**members))

    return change


PLANTED = [
    ("counted", "schedule/run", None, "wrong_run", "The header has no run."),
    ("plain", "schedule/run", RunPromise(9, None, 1), "wrong_run", "not of what was asked"),
    ("counted", "options/run", RunGoal(instances=999), "wrong_run", "not of what was asked"),
    ("counted", "options/run", RunGoal(horizon=F(9)), "wrong_run", "not of what was asked"),
    ("older", "options/total_instances", 999, "wrong_run", "not of what was asked"),
    ("counted", "schedule", told(periods=49, completion_time_at_most=F(1960)), "wrong_run_periods",
     "After 49 periods 999 instances are complete"),
    ("counted", "schedule", told(periods=51, completion_time_at_most=F(2040)), "wrong_run_periods",
     "after one less 1020"),
    ("counted", "schedule", told(completion_time_at_most=F(1999)), "wrong_completion_time",
     "complete after 1999, but its periods end after 2000"),
    ("counted", "schedule", told(completion_time_at_most=None), "wrong_completion_time",
     "complete after no time"),
    ("counted", "schedule", told(no_schedule_before=F(40121, 21)), "wrong_earliest_time",
     "It is not proved that 40121/21"),
    ("counted", "schedule", told(no_schedule_before=F(40000, 21)), "wrong_earliest_time", "40000/21"),
    ("counted", "schedule", told(no_schedule_before=None), "wrong_earliest_time", "no time"),
    ("timed", "schedule", told(periods=24), "wrong_run_periods", "24 periods of 40"),
    ("timed", "schedule", told(instances_at_least=500), "wrong_instances_done", "but that is 495"),
    ("timed", "schedule", told(instances_at_most=525), "wrong_instances_bound", "but that is 522"),
    ("timed", "schedule", told(instances_at_most=None), "wrong_instances_bound", "nothing"),
    ("nothing", "schedule", told(periods=1), "wrong_run_periods", "After 1 periods 0 instances"),
    ("few", "options/run", None, "wrong_bounded", "but it was 'automatic'"),
    ("few", "schedule/bounded", "automatic", "rounded_without_need", "the exact one fits"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("case", "path", "value", "code", "sentence"),
    PLANTED,
    ids=[f"{i}-{row[0]}-{row[3]}" for i, row in enumerate(PLANTED)],
)
def test_a_planted_fault_is_named(
    case: str, path: str, value: Any, code: str, sentence: str, right: dict[str, Answer]
) -> None:
    assert right[case].faults() == []
    faults = right[case].change(path, value).faults()
    assert any(fault.code == code and sentence in fault.detail for fault in faults), faults


def test_answers_of_versions_without_runs_stay_right(right: dict[str, Answer]) -> None:
    assert right["older"].change("schedule/run", None).faults() == []


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (5, "run is an object"),
        ({"ratio": "1"}, "the ratio of run is not that of its two times"),
        ({"ratio": None}, "the ratio of run is not that of its two times"),
        ({"instances_at_least": "3"}, "and no others"),
        ({"instances": "7/2"}, "expected a whole number"),
    ],
)
def test_what_does_not_belong_to_a_run_is_not_read(
    change: Any, words: str, right: dict[str, Answer]
) -> None:
    document = right["counted"].schedule.document
    run = document["run"] | change if isinstance(change, dict) else change
    assert Schedule.from_document(document) == right["counted"].schedule
    with pytest.raises((TypeError, ValueError), match=words):
        Schedule.from_document(document | {"run": run})


def test_the_earliest_time_is_where_the_prices_have_had_time_enough() -> None:
    """Of two resources worth 1 and 2 the second waits for 4: 7 instances take until 5."""
    earliest = Earliest({"a": F(1), "b": F(2)}, {"b": F(4)}, F(3))
    assert [earliest.capacity(F(t)) for t in (0, 4, 5)] == [0, 4, 7]
    assert [t for t in range(9) if earliest.is_earliest(F(t), 7)] == [5]
    assert [t for t in range(9) if earliest.is_earliest(F(t), 2)] == [3]
    assert [earliest.most_instances(F(t)) for t in (2, 3, 5)] == [0, 3, 7]


def test_only_what_is_proved_says_that_no_schedule_is_earlier() -> None:
    assert earliest_by_rate(None) is None
    assert earliest_by_rate(Bound.from_value(F(1), exact=False)) is None
    assert earliest_by_rate(Bound.from_value(F(1, 2), exact=True)) == Earliest({"": F(1, 2)})


def test_an_instance_is_complete_with_the_last_of_its_messages() -> None:
    """Allocations of few periods do not wait for others, messages do."""
    first = (F(1), ((F(2), 1), (F(1), 3)))
    second = (F(2), ((F(5), 2),))
    assert [Complete((first,)).count_after(k) for k in range(5)] == [0, 2, 4, 7, 10]
    assert [Complete((first, second)).count_after(k) for k in range(5)] == [0, 0, 2, 5, 7]
    assert Complete((first,)).count_after(2, F(3, 2)) == 6
    assert Complete(()).count_after(9) == 0
