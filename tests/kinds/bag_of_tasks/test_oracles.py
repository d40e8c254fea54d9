"""Examples whose optimum is known, and what periods hold."""

from fractions import Fraction
from typing import Any

import pytest

from steadygrid.domain.errors import OutOfTime
from steadygrid.domain.job import Options
from steadygrid.domain.limits import Limits
from steadygrid.domain.problem import Sizing
from steadygrid.engine.scheduling import messages
from steadygrid.engine.scheduling.case import Case
from steadygrid.engine.solver import solver_for
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.bag_of_tasks.schemas import BagOfTasksInstance
from steadygrid.submissions.submission import parse_submission
from tests.kinds.bag_of_tasks.bodies import F, bag, body, drawn, example_b, star
from tests.solved import solve


def value(problem: dict[str, Any], **options: Any) -> Fraction:
    result = solve(problem, **options).result
    assert result.outcome == "optimal"
    return result.objective.value


def test_each_bag_of_example_b_goes_to_the_worker_that_suits_it() -> None:
    """Gallet 2009, section 5.4: on demand, only 0.18 of each are done per time unit."""
    result = solve(example_b()).result
    assert result.objective.value == 2
    assert result.throughput_by_bag == {"T1": 1, "T2": 1}
    assert [(c.name, c.processor, c.rate) for c in result.computed] == [
        ("T1--0", "P2", 1),
        ("T2--0", "P1", 1),
    ]


@pytest.mark.parametrize(
    ("ports", "out", "expected"),
    [("multiport", None, F(3)), ("multiport", 1, F(1)), ("one_port", 1, F(2))],
)
def test_what_limits_the_master_is_its_bandwidth_or_its_port(
    ports: str, out: int | None, expected: Fraction
) -> None:
    """Two links of bandwidth 1 and 2, and workers that are fast enough."""
    limit = {} if out is None else {"bandwidth_out": out}
    platform = star({"speed": 9, "bandwidth": 1}, {"speed": 9, "bandwidth": 2}, **limit)
    assert value(body(platform, bag("b", (1, 1, 1)), ports=ports)) == expected


def test_bags_are_done_in_proportion_to_their_priorities_and_classes_to_their_counts() -> None:
    counted = {
        "id": "A",
        "priority": 2,
        "tasks": [{"input_size": 1, "work": 1, "count": 3}, {"input_size": 1, "work": 5}],
    }
    result = solve(body(star({"speed": 6, "bandwidth": 9}), counted, bag("B", (0, 2, 1)))).result
    assert result.objective.value == 3
    assert result.rate_per_priority == 1
    assert result.throughput_by_bag == {"A": 2, "B": 1}
    assert [c.probability for c in result.classes] == [F(3, 4), F(1, 4), 1]


def test_a_master_alone_computes_all() -> None:
    platform = {"processors": [{"id": "P0", "speed": 2}], "links": []}
    told = solve(body(platform, bag("b", (7, 1, "1/2"), (0, 0, "1/2"))))
    assert told.result.objective.value == 4
    assert told.result.certificate.prices == {"P0.compute": 4}
    assert not told.schedule.slots


def test_a_class_that_costs_nothing_is_done_as_often_as_its_share_asks() -> None:
    platform = star({"speed": 1, "bandwidth": 1})
    told = solve(body(platform, bag("b", (0, 0, "9/10"), (1, 1, "1/10"))))
    assert told.result.objective.value == 10


@pytest.mark.parametrize("period", [7, 20, 100])
@pytest.mark.parametrize("ports", ["multiport", "one_port"])
def test_every_bounded_period_holds_whole_batches(ports: str, period: int) -> None:
    """One task of A in three is of its second class, and there are two of A for each of B."""
    platform = star({"speed": 3, "bandwidth": 2}, {"speed": "7/3", "bandwidth": 3}, speed=1)
    bags = bag("A", (1, 1, "2/3"), (2, 1, "1/3"), priority=2), bag("B", (1, 4, 1))
    told = solve(body(platform, *bags, ports=ports), max_period=period)
    schedule = told.schedule
    assert 0 < schedule.period <= period
    done = {"A--0": F(0), "A--1": F(0), "B--0": F(0)}
    for allocation in schedule.allocations:
        (task,) = allocation.tasks
        done[task] += allocation.instances_per_period
    batches = done["A--1"] / 2
    assert batches > 0
    assert done == {"A--0": 4 * batches, "A--1": 2 * batches, "B--0": 3 * batches}
    assert schedule.instances_per_period == 9 * batches
    assert schedule.throughput == schedule.instances_per_period / schedule.period


def test_a_period_too_short_for_a_batch_holds_nothing_and_says_how_long_one_takes() -> None:
    platform = star({"speed": 1, "bandwidth": 1})
    told = solve(body(platform, bag("b", (1, 1, "1/100"), (1, 1, "99/100"))), max_period=50)
    assert told.schedule.throughput == 0
    (note,) = told.result.notes
    assert note == "no instance fits a period of 50: a batch takes 100"


def test_an_exact_period_that_is_too_long_to_use_is_rounded_without_losing_proportions() -> None:
    workers = [{"speed": f"{n}/{n + 7}", "bandwidth": 9} for n in (101, 103, 107)]
    told = solve(body(star(*workers), bag("b", (1, 2, "1/3"), (3, 1, "2/3"))))
    assert told.schedule.bounded == "automatic"
    assert 0 < told.schedule.loss < F(1, 100)


@pytest.mark.parametrize("seed", range(6))
def test_without_a_solver_the_answer_is_feasible_and_the_bound_holds(seed: int) -> None:
    submission = parse_submission(drawn(seed), Limits())
    instance = submission.instance
    assert isinstance(instance, BagOfTasksInstance)
    control = Control(30)
    solution = solver_for("bag_of_tasks").best_without_solver(
        instance, Options(), Sizing("lp", {}), control, OutOfTime()
    )
    optimum = value(drawn(seed))
    assert 0 < solution.result.objective.value <= optimum <= solution.result.bound.value


def test_periods_that_hold_no_batch_are_not_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    """A batch of 600 digits: each round number up to it would be a pass over all allocations."""
    tried: list[Fraction] = []

    def rounded_down(case: Case, period: Fraction) -> list[int]:
        tried.append(period)
        return all_of(case, period)

    all_of = messages._rounded_down
    monkeypatch.setattr(messages, "_rounded_down", rounded_down)
    bags = [bag(f"b{k}", (1, 1, 1), priority=f"1/{10**59 + k}") for k in range(12)]
    schedule = solve(body(star({"speed": 1}), *bags), seconds=0).schedule
    assert schedule.instances_per_period > 10**500
    assert 1 <= len(tried) < 20
