"""The referee refuses one planted fault per rule."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from steadygrid.domain.errors import InvalidScheduleError
from steadygrid.domain.limits import Limits
from steadygrid.kinds.simulation.schemas import FEWER_ROWS, SimulationResult
from steadygrid.kinds.simulation.validator import validate
from steadygrid.submissions.submission import parse_submission
from tests.kinds.simulation.bodies import example
from tests.solved import solve

BODY: dict[str, Any] = {"noise": ["0", "1/20"], "instances": 40, "seeds": 2}
Document = dict[str, Any]


def codes(edit: Callable[[Document], None], **members: Any) -> set[str]:
    body = example(**(BODY | members))
    document = solve(body).result.model_dump(mode="json")
    edit(document)
    submission = parse_submission(body, Limits())
    try:
        result = SimulationResult.model_validate(document)
        validate(submission.instance, submission.options, result, None)
    except InvalidScheduleError as error:
        return {fault.code for fault in error.faults}
    return set()


def put(value: Any, *path: str | int) -> Callable[[Document], None]:
    def edit(document: Document) -> None:
        *way, last = path
        place: Any = document
        for step in way:
            place = place[step]
        place[last] = value

    return edit


@pytest.mark.parametrize(
    ("edit", "code"),
    [
        (put([], "notes"), "no_note"),
        (put("task_graph", "simulated"), "wrong_subject"),
        (put("1", "plan"), "wrong_subject"),
        (put("1", "optimum"), "wrong_subject"),
        (put(None, "optimum"), "wrong_subject"),
        (put("1", "period"), "wrong_subject"),
        (lambda d: d["table"].pop(), "wrong_rows"),
        (lambda d: d["table"].reverse(), "wrong_rows"),
        (put(True, "table", 4, "overtake"), "wrong_rows"),
        (lambda d: d["table"][1]["runs"].pop(), "wrong_runs"),
        (put(["0", "3"], "table", 1, "runs"), "no_throughput"),
        (put("1", "table", 1, "throughput"), "wrong_summary"),
        (put("1", "table", 1, "least"), "wrong_summary"),
        (put("1", "table", 1, "greatest"), "wrong_summary"),
        (put("1/2", "table", 1, "of_plan"), "wrong_ratio"),
        (put("1/2", "table", 1, "of_optimum"), "wrong_ratio"),
        (put("1", "table", 0, "late"), "not_the_plan"),
        (put(None, "recommended"), "wrong_recommendation"),
        (put("on_demand", "recommended", "execution"), "wrong_recommendation"),
        (put("0", "recommended", "noise"), "wrong_recommendation"),
        (put("1", "objective", "value"), "wrong_recommendation"),
    ],
)
def test_the_referee_refuses_what_is_untrue(edit: Callable[[Document], None], code: str) -> None:
    assert code in codes(edit)


def _another_throughput(row: int, factor: Fraction) -> Callable[[Document], None]:
    def edit(document: Document) -> None:
        one = document["table"][row]
        value = factor * Fraction(document["plan"])
        one.update(runs=[str(value)], of_plan=str(factor))
        one.update(dict.fromkeys(("throughput", "least", "greatest"), str(value)))
        one["of_optimum"] = str(value / Fraction(document["optimum"]))

    return edit


def test_without_noise_the_clock_does_the_plan_and_nothing_else() -> None:
    assert codes(_another_throughput(0, Fraction(101, 100))) == {"not_the_plan"}


def test_orders_are_never_slower_than_dates() -> None:
    assert codes(_another_throughput(2, Fraction(99, 100))) == {"slower_than_plan"}
    assert codes(_another_throughput(2, Fraction(101, 100))) == set()


def test_rows_may_lack_only_where_time_was_over() -> None:
    def without_last(document: Document) -> None:
        del document["table"][-1]

    def noted(document: Document) -> None:
        document["notes"].append(FEWER_ROWS)
        without_last(document)
        document["table"][0], document["table"][1] = document["table"][:2][::-1]

    assert codes(without_last) >= {"wrong_rows"}
    assert codes(noted) >= {"wrong_rows"}


def test_the_right_answer_is_accepted() -> None:
    assert codes(lambda _: None) == set()
    assert codes(lambda _: None, executions=["order", "dispatch"], overtake=False) == set()
    assert codes(lambda _: None, ports="multiport") == set()
