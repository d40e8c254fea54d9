"""What the referee of bags asks: a right answer, and one thing changed in it."""

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from steadygrid.domain.certificate import DualityCertificate, NoCertificate
from steadygrid.domain.job import NO_TIME_FOR_SCHEDULE, Bound, Objective, Outcome
from steadygrid.domain.limits import Limits
from steadygrid.engine.pipeline import run
from steadygrid.engine.solving.control import Control
from steadygrid.submissions.submission import parse_submission
from tests.kinds.bag_of_tasks.bodies import F, bag, body, example_b, star
from tests.verification.answers import Answer


def answered(problem: dict[str, Any], **options: Any) -> Answer:
    """Let an instance be solved; what is changed afterwards, the referee has not seen."""
    submission = parse_submission({**problem, "options": options}, Limits())
    result, schedule = run(submission, Control(30), Limits())
    return Answer(submission.instance, submission.options, result, schedule)  # type: ignore[arg-type]


@cache
def right() -> Answer:
    return answered(example_b())


@cache
def rounded() -> Answer:
    """Two of A for one of B, in a period that is too short for the exact rates."""
    workers = {"speed": "7/3", "bandwidth": 9}, {"speed": "11/5", "bandwidth": 9}
    bags = bag("A", (1, 1, 1), priority=2), bag("B", (1, 3, 1))
    return answered(body(star(*workers), *bags), max_period=5)


@cache
def master() -> Answer:
    return answered(body(star({"speed": 1}, speed=1), bag("b", (1, 1, 1))))


def test_right_answers_are_accepted() -> None:
    for answer in (right(), rounded(), master()):
        assert answer.faults() == []
    assert rounded().schedule.rounding_loss is not None


def test_a_worker_is_read_by_its_time_and_one_without_a_link_not_at_all() -> None:
    platform = star({"unit_time": "1/10", "bandwidth": 1}, {"unit_time": 1, "bandwidth": 10})
    platform["processors"].append({"id": "idle"})
    answer = answered(body(platform, bag("T1", (10, 1, 1)), bag("T2", (1, 10, 1))))
    assert answer.faults() == []
    assert answer.result.objective.value == right().result.objective.value


def test_a_bound_that_nothing_proves_is_refused() -> None:
    assert "unproved_bound" in right().change("result/certificate", NoCertificate()).codes()


def test_a_value_of_0_has_a_rate_and_no_value_has_none() -> None:
    """Null is not 0."""
    told = {
        "outcome": Outcome.FEASIBLE,
        "objective": Objective.throughput(F(0)),
        "gap": F(1),
        "rate_per_priority": F(0),
        "throughput_by_bag": dict.fromkeys(right().result.throughput_by_bag, F(0)),
        "computed": [],
        "notes": [NO_TIME_FOR_SCHEDULE],
    }
    nothing = right()._replace(result=right().result.model_copy(update=told), schedule=None)
    assert nothing.codes() == set()
    assert nothing.change("result/rate_per_priority", None).codes() == {"wrong_sum"}


def more(answer: Answer) -> Answer:
    """Claim twice the throughput, with prices that sum to it, and without a schedule."""
    result = answer.result
    value = 2 * result.objective.value
    told = {
        "outcome": Outcome.FEASIBLE,
        "objective": Objective.throughput(value),
        "bound": Bound.from_value(value, exact=True),
        "gap": F(0),
        "certificate": DualityCertificate(
            prices={name: 2 * price for name, price in result.certificate.prices.items()}
        ),
        "rate_per_priority": 2 * result.rate_per_priority,
        "throughput_by_bag": {b: 2 * rate for b, rate in result.throughput_by_bag.items()},
        "computed": [c.model_copy(update={"rate": 2 * c.rate}) for c in result.computed],
        "notes": [NO_TIME_FOR_SCHEDULE],
    }  # fmt: skip
    return answer._replace(result=result.model_copy(update=told), schedule=None)


def swapped(listed: Any) -> Any:
    """Give one instance of the second allocation to the first, so that their sum is the same."""
    first, second, *rest = listed
    return (
        first._replace(instances_per_period=first.instances_per_period + 1),
        second._replace(instances_per_period=second.instances_per_period - 1),
        *rest,
    )


PRICES = "result/certificate/prices"
PLANTED: list[tuple[str, Callable[[], Answer], str, Any]] = [
    ("wrong_kind", right, "result/kind", "cell"),
    ("never_infeasible", right, "result/outcome", Outcome.INFEASIBLE),
    ("ghost_resource", right, PRICES, {"P0.out": F(2)}),
    ("negative_price", right, PRICES, {"P1.compute": F(3), "P2.compute": F(-1)}),
    ("prices_miss_bound", right, PRICES, {"P1.compute": F(1)}),
    ("cheap_tasks", right, PRICES, {"P1.compute": F(2)}),
    ("cheap_tasks", right, PRICES, {"P0->P2.link": F(2)}),
    ("wrong_class", right, "result/classes", lambda listed: listed[::-1]),
    ("wrong_class", right, "result/classes", lambda listed: listed[:1]),
    ("wrong_class", right, "result/classes", lambda listed: [*listed, listed[0]]),
    ("wrong_class", right, "result/classes/0/name", "T1--1"),
    ("wrong_class", right, "result/classes/0/bag", "T2"),
    ("wrong_class", right, "result/classes/0/number", 1),
    ("wrong_class", right, "result/classes/0/probability", F(1, 2)),
    ("wrong_class", right, "result/classes/0/input_size", F(1)),
    ("wrong_class", right, "result/classes/1/work", F(1)),
    ("wrong_bags", right, "result/throughput_by_bag", {"T1": F(2)}),
    ("wrong_bags", right, "result/throughput_by_bag", {"T1": F(3, 2), "T2": F(1, 2)}),
    ("wrong_sum", right, "result/rate_per_priority", F(2)),
    ("rate_not_positive", right, "result/computed/0/rate", F(0)),
    ("computed_twice", right, "result/computed", lambda listed: [*listed, listed[0]]),
    ("unknown_class", right, "result/computed/0/name", "T3--0"),
    ("cannot_compute", right, "result/computed/0/processor", "P0"),
    ("wrong_proportion", right, "result/computed/0/rate", F(1, 2)),
    ("wrong_proportion", right, "result/computed", lambda listed: listed[:1]),
    ("overloaded", right, "result/computed/0/processor", "P1"),
    ("rates_disagree", right, "schedule/allocations/0/rate", F(1, 2)),
    ("rates_disagree", right, "schedule/allocations/0/tasks", {"T1--0": ("P1",)}),
    ("rates_miss_throughput", right, "schedule/allocations/0/rate", F(1, 2)),
    ("unknown_stream", right, "schedule/allocations/0/tasks", {"T3--0": ("P2",)}),
    ("unknown_stream", right, "schedule/allocations/0/tasks", {}),
    ("wrong_instances", right, "schedule/allocations", swapped),
    ("wrong_instances", rounded, "schedule/allocations", swapped),
    ("wrong_rounding_loss", rounded, "schedule/rounding_loss", F(0)),
    ("wrong_files", right, "schedule/files", lambda files: files[:1]),
    ("no_schedule", right, "schedule", None),
]  # fmt: skip


@pytest.mark.parametrize(("code", "answer", "place", "value"), PLANTED)
def test_a_planted_fault_is_found(
    code: str, answer: Callable[[], Answer], place: str, value: Any
) -> None:
    assert code in answer().change(place, value).codes()


@pytest.mark.parametrize("answer", [right, rounded, master])
def test_more_than_the_resources_can_do_is_found(answer: Callable[[], Answer]) -> None:
    assert more(answer()).codes() >= {"overloaded"}


def test_a_bound_below_the_optimum_is_not_proved_by_prices_of_one_class() -> None:
    """Prices at which the dear class costs more than 1, and all together less."""
    prices = {"P1.compute": F(1), "P2.compute": F(1, 10)}
    bound = Bound.from_value(F(11, 10), exact=True)
    told = right().change(PRICES, prices).change("result/bound", bound)
    assert {"cheap_tasks"} <= told.codes()
    assert not {"prices_miss_bound"} & told.codes()
