"""The referee refuses one planted fault per rule."""

from collections.abc import Callable
from copy import deepcopy
from fractions import Fraction
from typing import Any

import pytest

from steadygrid.domain.errors import InvalidScheduleError
from steadygrid.domain.job import Options
from steadygrid.domain.limits import Limits
from steadygrid.kinds import PROBLEMS
from steadygrid.kinds.simulation.schemas import FEWER_ROWS, SimulationResult
from steadygrid.kinds.simulation.validator import validate
from steadygrid.submissions.submission import parse_submission
from tests.kinds.simulation.bodies import example, simulated
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
        (put("clock", "recommended", "execution"), "wrong_recommendation"),
        (put("0", "recommended", "noise"), "wrong_recommendation"),
        (put("1", "objective", "value"), "wrong_recommendation"),
        (put([], "recommended", "alike"), "wrong_recommendation"),
        (put(None, "recommended", "alike"), "wrong_recommendation"),
        (put("1/100", "table", 0, "error"), "wrong_error"),
        (put(None, "table", 1, "error"), "wrong_error"),
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
    assert codes(_another_throughput(0, Fraction(101, 100))) >= {"not_the_plan"}


def test_orders_are_never_slower_than_dates() -> None:
    assert codes(_another_throughput(2, Fraction(99, 100))) == {"slower_than_plan"}
    assert codes(_another_throughput(2, Fraction(101, 100))) == {"above_optimum"}


def test_an_answer_without_errors_is_judged_as_it_was() -> None:
    """It recommends the largest mean, of equal ones the least late, then the first."""

    def older(document: Document) -> None:
        for row in document["table"]:
            del row["error"]
        best = max(
            (row for row in document["table"] if row["noise"] != "0"),
            key=lambda row: Fraction(row["of_plan"]),
        )
        document["recommended"] = {
            name: best[name] for name in ("execution", "overtake", "noise", "of_plan")
        }
        document["objective"] |= {"value": best["throughput"]}

    def newer(document: Document) -> None:
        older(document)
        document["recommended"]["alike"] = []

    assert codes(older) == set()
    assert codes(newer) == {"wrong_recommendation"}


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


def once(edit: Callable[[Document], None]) -> set[str]:
    """Give the faults of a simulation of a schedule that runs once."""
    body = simulated(PROBLEMS["divisible_star"].example, noise=["0", "1/20"], seeds=2)
    document = solve(body).result.model_dump(mode="json")
    edit(document)
    submission = parse_submission(body, Limits())
    try:
        result = SimulationResult.model_validate(document)
        validate(submission.instance, submission.options, result, None)
    except InvalidScheduleError as error:
        return {fault.code for fault in error.faults}
    return set()


@pytest.mark.parametrize(
    ("edit", "code"),
    [
        (put("1", "plan"), "wrong_subject"),
        (put("1", "optimum"), "wrong_subject"),
        (put("1", "period"), "wrong_subject"),
        (put("1", "table", 1, "makespan"), "wrong_summary"),
        (put(None, "table", 1, "makespan"), "wrong_summary"),
        (put("1", "table", 1, "throughput"), "wrong_summary"),
        (put("2", "table", 1, "of_plan"), "wrong_ratio"),
        (put("1", "table", 0, "late"), "not_the_plan"),
        (put("throughput", "objective", "name"), "wrong_objective"),
        (put("1", "objective", "value"), "wrong_recommendation"),
    ],
)
def test_what_is_untrue_of_makespans_is_refused(
    edit: Callable[[Document], None], code: str
) -> None:
    assert once(lambda _: None) == set()
    assert code in once(edit)


def test_a_makespan_without_dates_is_no_longer_than_planned() -> None:
    def edit(document: Document) -> None:
        one = document["table"][2]
        value = 2 * Fraction(document["plan"])
        one.update(runs=[str(value)], of_plan="1/2")
        one.update(dict.fromkeys(("makespan", "least", "greatest"), str(value)))

    assert "slower_than_plan" in once(edit)


def test_an_optimum_of_something_else_is_no_optimum_of_the_makespan() -> None:
    """A chain with the least mean completion has a makespan, and no bound on it."""
    body = deepcopy(dict(PROBLEMS["divisible_chain"].example))
    body["problem"]["objective"] = "mean_completion"
    asked = simulated(body, noise=["0"], seeds=1)
    result = solve(asked).result
    assert result.optimum is None
    instance = parse_submission(asked, Limits()).instance
    wrong = result.model_copy(update={"optimum": result.plan})
    with pytest.raises(InvalidScheduleError) as refused:
        validate(instance, Options(), wrong, None)
    assert "wrong_subject" in {fault.code for fault in refused.value.faults}


def test_a_smaller_error_makes_fewer_rows_alike() -> None:
    def edit(document: Document) -> None:
        for row in document["table"]:
            row["error"] = "0"

    assert codes(edit, noise=["1/20"]) == {"wrong_recommendation"}
