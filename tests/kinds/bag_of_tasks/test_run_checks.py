"""What the referee asks of simulated streams: a right answer, and one thing changed in it."""

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any

import pytest

from steadygrid.domain.certificate import DualityCertificate
from steadygrid.domain.errors import OutOfTime
from steadygrid.domain.job import Bound, Objective, Outcome
from steadygrid.domain.limits import Limits
from steadygrid.domain.problem import Sizing
from steadygrid.engine.solver import solver_for
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.bag_of_tasks.runs import FEWER_SEEDS
from steadygrid.kinds.bag_of_tasks.solver import by_cells, policy_runs
from steadygrid.kinds.bag_of_tasks.solver.draws import Drawn, draw_stream
from steadygrid.kinds.bag_of_tasks.solver.model import build_model
from steadygrid.kinds.bag_of_tasks.solver.program import Optimum, optimum
from steadygrid.kinds.bag_of_tasks.solver.star import Star
from steadygrid.submissions.submission import parse_submission, size_submission
from tests.kinds.bag_of_tasks.bodies import F, bag, body, example_b, star, uniform
from tests.kinds.bag_of_tasks.test_validator import answered
from tests.kinds.bag_of_tasks.test_validator import right as optimal
from tests.verification.answers import Answer

STREAM = {"count": 12, "seed": 3, "seeds": 2}
RUNS = "result/simulation"


@cache
def compared() -> Answer:
    """All policies, two bags, buckets of both sorts, a master that computes."""
    bags = (
        bag("A", (1, 2, "1/2"), (3, 1, "1/2"), priority=2),
        bag("B", (0, 4, "1/3"), (2, 1, "2/3")),
    )
    return answered(
        body(
            star({"speed": 2, "bandwidth": 1}, {"speed": 1, "bandwidth": 3}, speed="1/2"),
            *bags,
            method="compare",
            ports="one_port",
            stream=STREAM,
            sample="1/3",
            split="geometric",
            buckets=2,
            work_buckets=2,
        )
    )


@cache
def alone() -> Answer:
    return answered(example_b(method="dispatch", stream={"order": ["T1", "T2", "T2"]}))


@cache
def bound_only() -> Answer:
    """What is said where the time was over before the first run was."""
    body = example_b(method="on_demand", stream={"count": 5})
    submission = parse_submission(body, Limits())
    sizing = size_submission(submission, Limits())
    solution = solver_for("bag_of_tasks").best_without_solver(
        submission.instance, submission.options, sizing, Control(), OutOfTime()
    )
    return Answer(submission.instance, submission.options, solution.result, None)


def test_right_answers_are_accepted() -> None:
    for answer in (compared(), alone(), bound_only()):
        assert answer.faults() == []
    assert len(compared().result.simulation) == 8
    assert bound_only().result.outcome == "bound_only"


def test_runs_may_be_missing_at_the_end_if_a_note_says_so() -> None:
    """Six of eight: then the comparison has to be of those."""
    fewer = compared().change(RUNS, lambda runs: runs[:6])
    assert {"wrong_runs"} <= fewer.codes()
    said = fewer.change("result/notes", lambda notes: [*notes, FEWER_SEEDS])
    assert said.codes() == {"wrong_comparison"}
    assert "wrong_runs" in said.change(RUNS, []).codes()


def over(star: Star, control: Control) -> Optimum:
    raise OutOfTime


def test_the_time_may_be_over_after_some_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    def late(instance: Any, seed: int, control: Control) -> Drawn:
        if seed > STREAM["seed"]:
            monkeypatch.setattr(policy_runs, optimum.__name__, over)
            raise OutOfTime
        return draw_stream(instance, seed, control)

    monkeypatch.setattr(policy_runs, draw_stream.__name__, late)
    told = answered(example_b(method="on_demand", stream=STREAM))
    assert told.faults() == []
    assert FEWER_SEEDS in told.result.notes
    assert [run.seed for run in told.result.simulation] == [3]


def more(prices: Any) -> Any:
    return {name: 2 * price for name, price in prices.items()}


def cheaper(run: Any) -> Any:
    """Claim half the bound, with prices that sum to it."""
    prices = {name: price / 2 for name, price in run.prices.items()}
    return run.model_copy(update={"prices": prices, "empirical_bound": run.empirical_bound / 2})


def slower(run: Any) -> Any:
    """Claim a makespan twice as long, and what follows from it."""
    return run.model_copy(update={"makespan": 2 * run.makespan, "throughput": run.throughput / 2})


def lazy(plan: Any) -> Any:
    """Follow half the rates: feasible, in proportion, and no optimum."""
    rates = [one.model_copy(update={"rate": one.rate / 2}) for one in plan.rates]
    return plan.model_copy(update={"rates": rates})


def swapped(listed: Any) -> Any:
    return [listed[1], listed[0], *listed[2:]]


PLANTED: list[tuple[str, Callable[[], Answer], str, Any]] = [
    ("no_bound", alone, "result/distribution_bound", None),
    ("prices_miss_bound", alone, "result/distribution_bound", F(3)),
    ("cheap_tasks", alone, "result/distribution_prices", {"P0->P1.link": F(2)}),
    ("wrong_runs", compared, RUNS, swapped),
    ("wrong_runs", compared, RUNS, lambda runs: runs[:4]),
    ("wrong_runs", compared, f"{RUNS}/7/seed", 5),
    ("wrong_run", compared, f"{RUNS}/0/tasks", 37),
    ("wrong_run", compared, f"{RUNS}/1", slower),
    ("wrong_run", compared, f"{RUNS}/2", slower),
    ("wrong_run", compared, f"{RUNS}/3", slower),
    ("wrong_run", compared, f"{RUNS}/7/throughput", F(1)),
    ("wrong_run", compared, f"{RUNS}/7/makespan", F(0)),
    ("wrong_run", compared, f"{RUNS}/0/empirical_bound", F(0)),
    ("wrong_events", compared, f"{RUNS}/0/events", swapped),
    ("wrong_events", compared, f"{RUNS}/1/events/3/end", F(99)),
    ("wrong_events", compared, f"{RUNS}/3/events/0/name", "B--1"),
    ("wrong_events", compared, f"{RUNS}/4/events", lambda _: compared().result.simulation[0].events),
    ("prices_miss_bound", compared, f"{RUNS}/0/empirical_bound", F(99)),
    ("ghost_resource", compared, f"{RUNS}/0/prices", {"P0.out": F(2)}),
    ("negative_price", compared, f"{RUNS}/0/prices", {"P1.compute": F(-2)}),
    ("cheap_tasks", compared, f"{RUNS}/0", cheaper),
    ("cheap_tasks", compared, f"{RUNS}/7", cheaper),
    ("no_plan", compared, f"{RUNS}/2/plan", None),
    ("no_plan", alone, f"{RUNS}/0/plan", None),
    ("no_plan", compared, f"{RUNS}/3/plan/rates", lambda rates: rates[:1]),
    ("no_plan", compared, f"{RUNS}/2/plan/rates/0/rate", F(0)),
    ("no_plan", compared, f"{RUNS}/2/plan/rates/0/processor", "P9"),
    ("wrong_plan", compared, f"{RUNS}/0/plan", lambda _: compared().result.simulation[2].plan),
    ("wrong_buckets", compared, f"{RUNS}/2/plan/classes", lambda _: sampled().classes),
    ("wrong_buckets", compared, f"{RUNS}/3/plan/classes", swapped),
    ("wrong_buckets", compared, f"{RUNS}/3/plan/classes/0/count", 7),
    ("wrong_buckets", compared, f"{RUNS}/3/plan/classes/0/work", F(7)),
    ("wrong_buckets", compared, f"{RUNS}/3/plan/classes/0/size_bucket", 9),
    ("wrong_proportion", compared, f"{RUNS}/3/plan/rates/0/rate", F(1, 99)),
    ("unknown_class", compared, f"{RUNS}/3/plan/rates/0/name", "C--0"),
    ("overloaded", compared, f"{RUNS}/2/plan/rates", lambda rates: [one.model_copy(update={"rate": 2 * one.rate}) for one in rates]),
    ("plan_not_optimal", compared, f"{RUNS}/2/plan", lazy),
    ("plan_not_optimal", compared, f"{RUNS}/3/plan", lazy),
    ("plan_not_optimal", compared, f"{RUNS}/3/plan/prices", more),
    ("cheap_tasks", compared, f"{RUNS}/3/plan/prices", {}),
    ("wrong_answer", compared, "result/objective", Objective.throughput(F(1, 100))),
    ("wrong_answer", compared, "result/bound", Bound.from_value(F(100), exact=True)),
    ("wrong_answer", compared, "result/certificate", DualityCertificate(prices={})),
    ("wrong_bags", compared, "result/throughput_by_bag", {"A": F(1)}),
    ("wrong_bags", compared, "result/rate_per_priority", F(1)),
    ("wrong_computed", compared, "result/computed", lambda listed: listed[1:]),
    ("wrong_computed", compared, "result/computed/0/rate", F(1)),
    ("wrong_comparison", compared, "result/comparison", None),
    ("wrong_comparison", compared, "result/comparison", swapped),
    ("wrong_comparison", compared, "result/comparison/0/mean", F(1)),
    ("wrong_comparison", compared, "result/comparison/0/least", F(1)),
    ("wrong_comparison", compared, "result/comparison/1/greatest", F(1)),
    ("wrong_comparison", compared, "result/comparison/2/least_ratio", F(1)),
    ("wrong_comparison", compared, "result/comparison/3/runs", 1),
    ("wrong_comparison", compared, "result/comparison/3/seconds", -1.0),
    ("wrong_schedule", alone, "schedule", lambda _: optimal().schedule),
    ("no_schedule", alone, "result/notes", []),
    ("wrong_runs", bound_only, RUNS, lambda _: alone().result.simulation),
    ("wrong_runs", bound_only, "result/rate_per_priority", F(1)),
    ("wrong_bound", bound_only, "result/bound", Bound.from_value(F(100), exact=True)),
    ("never_simulated", optimal, RUNS, lambda _: alone().result.simulation),
    ("never_simulated", optimal, "result/distribution_bound", F(2)),
]  # fmt: skip


def sampled() -> Any:
    return compared().result.simulation[3].plan


@pytest.mark.parametrize(("code", "answer", "place", "value"), PLANTED)
def test_a_planted_fault_is_found(
    code: str, answer: Callable[[], Answer], place: str, value: Any
) -> None:
    assert code in answer().change(place, value).codes()


def test_a_run_without_a_stream_is_refused() -> None:
    answer = alone()
    instance = answer.instance.model_copy(update={"stream": None})
    assert "wrong_runs" in answer._replace(instance=instance).codes()


@cache
def of_uniform_bags() -> Answer:
    """Long tasks for one worker and much data for the other, so that cells lose something."""
    workers = {"speed": 4, "bandwidth": 1}, {"speed": 1, "bandwidth": 4}
    bags = uniform("u", (1, 9), (1, 9)), bag("b", (1, 3, 1))
    return answered(body(star(*workers), *bags, method="compare", stream=STREAM))


def test_uniform_bags_have_a_bound_of_their_own_in_the_long_run() -> None:
    """At the prices tasks cost 1 on the average, no less: their bound is not 1/1000 too large."""
    done = of_uniform_bags()
    assert done.faults() == []
    prices = done.result.distribution_prices

    def claimed(factor: Fraction) -> Answer:
        less = {name: price * factor for name, price in prices.items()}
        told = done.change("result/distribution_prices", less)
        return told.change("result/distribution_bound", sum(less.values()))

    assert claimed(F(999, 1000)).codes() == {"cheap_tasks"}
    assert claimed(F(2)).faults() == []
    assert done.change("result/distribution_bound", None).codes() == {"no_bound"}
    assert "wrong_computed" in done.change("result/computed/0/name", "u--0").codes()
    assert "wrong_events" in done.change(f"{RUNS}/0/events/0/end", F(99)).codes()


def test_without_a_run_of_uniform_bags_there_is_their_bound_at_equal_prices() -> None:
    done = of_uniform_bags()
    solution = solver_for("bag_of_tasks").best_without_solver(
        done.instance, done.options, Sizing("compare", {}), Control(), OutOfTime()
    )
    answer = Answer(done.instance, done.options, solution.result, None)
    assert answer.result.outcome == "bound_only"
    assert answer.faults() == []
    assert answer.result.bound.value >= done.result.distribution_bound
    assert "wrong_outcome" in answer.change("result/outcome", Outcome.UNKNOWN).codes()


def test_uniform_bags_are_bounded_at_equal_prices_where_their_program_takes_too_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(by_cells, build_model.__name__, over)
    done = of_uniform_bags()
    prices = by_cells.long_run_prices(done.instance, Control())
    assert set(prices) >= {"P1.compute", "P2.compute"}
    assert len(set(prices.values())) == 1
    assert sum(prices.values()) >= done.result.distribution_bound
