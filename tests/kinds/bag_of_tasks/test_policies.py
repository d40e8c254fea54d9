"""What policies do with streams, against a naive simulation, and what bounds them."""

import copy
import math
import random
from collections import Counter
from fractions import Fraction
from itertools import permutations, product
from typing import Any

import pytest

from steadygrid.kinds.bag_of_tasks.runs import POLICIES
from tests.draws import draws
from tests.kinds.bag_of_tasks import naive
from tests.kinds.bag_of_tasks.bodies import F, bag, body, drawn, example_b, star, uniform
from tests.kinds.bag_of_tasks.test_agreement import by_hand
from tests.solved import solve


def throughput(problem: dict[str, Any]) -> Fraction:
    result = solve(problem).result
    assert result.outcome == "feasible"
    assert result.bound.value == result.distribution_bound == 2
    value: Fraction = result.objective.value
    return value


def test_example_b_is_arbitrarily_bad_on_demand_and_good_by_the_rates_of_the_program() -> None:
    """Gallet 2009, section 5.4: 0.18 of each per time unit on demand, 1 by the program."""
    stream = {"count": 1000, "seed": 1}
    assert throughput(example_b(method="on_demand", stream=stream)) == F(2000, 5304)
    assert throughput(example_b(method="dispatch", stream=stream)) == F(2000, 1001)
    alternating = {"order": ["T1", "T2"] * 200}
    assert throughput(example_b(method="on_demand", stream=alternating)) == F(4000, 14071)


def test_the_events_are_the_first_ones_and_the_master_gets_no_message() -> None:
    """Two workers, one of them the master; the other waits for each input, one at a time."""
    platform = star({"speed": 1, "bandwidth": "1/2"}, speed="1/4")
    stream = {"order": ["b"] * 4}
    problem = body(platform, bag("b", (1, 2, 1)), method="round_robin", stream=stream)
    (run,) = solve(problem).result.simulation
    told = [(e.task, e.event, e.processor, e.start, e.end) for e in run.events]
    assert told == [
        (0, "compute", "P0", 0, 8),
        (1, "transfer", "P1", 0, 2),
        (1, "compute", "P1", 2, 4),
        (3, "transfer", "P1", 2, 4),
        (3, "compute", "P1", 4, 6),
        (2, "compute", "P0", 8, 16),
    ]
    assert run.makespan == 16
    assert {e.name for e in run.events} == {"b--0"}


def streamed(seed: int) -> dict[str, Any]:
    """Draw an instance that can be simulated, with zero sizes and zero works where they may be."""
    rng = random.Random(seed)
    problem = drawn(seed)
    given = problem["problem"]
    processors = given["platform"]["processors"]
    if given["ports"] == "multiport":
        processors[0].pop("bandwidth_out", None)
    at_master = "speed" in processors[0]
    for one in (one for each in given["bags"] for one in each["classes"]):
        if one["work"] == "0" and (at_master or one["input_size"] == "0"):
            one["work"] = "2"
    for each in given["bags"]:
        if rng.random() < 0.25:
            least, light = F(rng.randint(1, 9), 3), F(rng.randint(1, 9), 7)
            each["uniform"] = {
                "input_size": [str(least), str(least * rng.choice((1, 2, 5)))],
                "work": [str(light), str(light * rng.choice((1, 3, 4)))],
                "correlation": rng.choice(("0", "1/3", "1")),
            }
            del each["classes"]
    names = [each["id"] for each in given["bags"]]
    if rng.random() < 0.3:
        stream: dict[str, Any] = {"order": [rng.choice(names) for _ in range(rng.randint(4, 30))]}
    else:
        stream = {"count": 2 * rng.randint(1, 8)}
        if stream["count"] * sum(F(each["priority"]) for each in given["bags"]) < 2:
            stream["count"] = 4
    given |= {
        "stream": stream | {"seed": rng.randint(0, 99), "seeds": rng.choice((1, 1, 2))},
        "buffer": rng.choice((1, 2, 2, 3, 50)),
        "sample": rng.choice(("1/10", "1/4", "1/2")),
        "split": rng.choice(("arithmetic", "geometric")),
        "buckets": rng.choice((1, 2, 3)),
        "work_buckets": rng.choice((1, 2, 3)),
        "method": "compare",
    }
    return problem


def optimum_of(given: dict[str, Any], tasks: list[naive.Task]) -> Fraction:
    """State the program of some tasks by hand."""
    counts = Counter((task.size, task.work) for task in tasks)
    listed = [(*task, F(number, len(tasks))) for task, number in counts.items()]
    return by_hand({"problem": given | {"bags": [bag("all", *listed)]}})


def planned(run: Any, platform: naive.Star) -> dict[str, dict[int, Fraction]]:
    rates: dict[str, dict[int, Fraction]] = {}
    for one in run.plan.rates:
        rates.setdefault(one.name, {})[platform.names.index(one.processor)] = one.rate
    return rates


def check_sample(
    run: Any, sample: list[naive.Task], tasks: list[naive.Task], given: dict[str, Any]
) -> list[str]:
    """Check what was learnt; give the class of each task."""
    learnt = naive.cells(sample, sample, given)
    order = [each["id"] for each in given["bags"]]
    ranked = sorted(set(learnt), key=lambda cell: (order.index(cell[0]), cell))
    told: dict[Any, Any] = {
        (one.bag, one.size_bucket, one.work_bucket): one for one in run.plan.classes
    }
    assert list(told) == ranked
    for cell, one in told.items():
        own = [task for task, other in zip(sample, learnt, strict=True) if other == cell]
        assert one.count == len(own)
        assert one.input_size == sum(task.size for task in own) / len(own)
        assert one.work == sum(task.work for task in own) / len(own)
    means = [
        naive.Task("", "", one.input_size, one.work)
        for one in told.values()
        for _ in range(one.count)
    ]
    assert sum(one.rate for one in run.plan.rates) == optimum_of(given, means)
    names = []
    for task, cell in zip(tasks, naive.cells(sample, tasks, given), strict=True):
        if cell is None:
            nearest = min(told.values(), key=lambda one: abs(one.input_size - task.size))
        else:
            own = [other for other in ranked if other[0] == cell[0]]
            nearest = told[
                min(own, key=lambda other: abs(other[1] - cell[1]) + abs(other[2] - cell[2]))
            ]
        names.append(nearest.name)
    return names


@pytest.mark.parametrize("seed", range(draws(4, 1500)))
def test_policies_do_what_a_naive_simulation_does(seed: int) -> None:
    problem = streamed(seed)
    given = problem["problem"]
    result = solve(problem).result
    platform = naive.Star(given)
    is_uniform = any("uniform" in each for each in given["bags"])
    assert {run.policy for run in result.simulation} == set(POLICIES) - (
        {"dispatch"} if is_uniform else set()
    )
    for run in result.simulation:
        stream = naive.stream(given, run.seed)
        tasks = stream[len(stream) - run.tasks :]
        times = [(task.size, task.work) for task in tasks]
        if run.policy == "on_demand":
            makespan = naive.on_demand(platform, times, given["buffer"])
        elif run.policy == "round_robin":
            turns = [n % len(platform.names) for n in range(len(tasks))]
            makespan = naive.known(platform, times, turns)
        else:
            names = [task.name for task in tasks]
            if run.policy == "lp_samp":
                sample = stream[: math.ceil(F(given["sample"]) * len(stream))]
                names = check_sample(run, sample, tasks, given)
                assert len(sample) + len(tasks) == len(stream)
            workers = naive.counted(planned(run, platform), names)
            makespan = naive.known(platform, times, workers)
        assert run.makespan == makespan
        assert run.empirical_bound == optimum_of(given, tasks)
        assert run.throughput <= run.empirical_bound
    if not is_uniform:
        assert result.distribution_bound == by_hand(problem)
        return
    means = {name: given[name] for name in ("kind", "platform", "master", "bags", "ports")}
    told = solve({"problem": means | {"method": "means", "epsilon": "1/2"}}).result
    assert told.objective.value <= result.distribution_bound <= F(101, 100) * told.bound.value


def test_the_long_run_of_uniform_bags_is_bounded_by_what_their_tasks_cost() -> None:
    """One worker that computes for 3, longer than it receives; two bags, one of them listed."""
    platform = star({"speed": 1, "bandwidth": 9})
    bags = uniform("u", (1, 2), (1, 5)), bag("b", (1, 2, "1/2"), (1, 4, "1/2"), priority=3)
    problem = body(platform, *bags, method="on_demand", stream={"count": 2})
    assert solve(problem).result.distribution_bound == F(1, 3)


@pytest.mark.parametrize("seed", range(draws(4, 300)))
def test_no_order_and_no_allocation_of_the_tasks_beats_their_bound(seed: int) -> None:
    """Every worker for every task, in every order."""
    given = streamed(seed)["problem"] | {"method": "round_robin"}
    names = [each["id"] for each in given["bags"]]
    given["stream"] = {"order": [random.Random(seed).choice(names) for _ in range(4)]}
    (run,) = solve({"problem": given}).result.simulation
    platform = naive.Star(given)
    times = [(task.size, task.work) for task in naive.stream(given, 0)]
    least = min(
        naive.known(platform, list(order), list(workers))
        for order in permutations(times)
        for workers in product(range(len(platform.names)), repeat=len(times))
    )
    assert len(times) / least <= run.empirical_bound


@pytest.mark.parametrize("seed", range(draws(4, 200)))
def test_times_have_no_unit_and_names_no_meaning(seed: int) -> None:
    """Everything takes three times as long, and processors and bags have other names."""
    problem = streamed(seed)
    told = solve(problem).result
    given = copy.deepcopy(problem)["problem"]
    for processor in given["platform"]["processors"]:
        processor["id"] = f"X{processor['id']}"
        if "speed" in processor:
            processor["speed"] = str(F(processor["speed"]) / 3)
        if "bandwidth_in" in processor:
            processor["bandwidth_in"] = str(F(processor["bandwidth_in"]) / 3)
    for link in given["platform"]["links"]:
        link["bandwidth"] = str(F(link["bandwidth"]) / 3)
        link |= {end: f"X{link[end]}" for end in ("source", "target")}
    given["master"] = "XP0"
    for each in given["bags"]:
        each["id"] = f"Y{each['id']}"
    if "order" in given["stream"]:
        given["stream"]["order"] = [f"Y{name}" for name in given["stream"]["order"]]
    slow = solve({"problem": given}).result
    for one, other in zip(told.simulation, slow.simulation, strict=True):
        if one.policy in ("on_demand", "round_robin"):
            assert other.makespan == 3 * one.makespan
        assert other.empirical_bound == one.empirical_bound / 3


def test_a_stream_of_one_class_is_a_count_of_equal_tasks() -> None:
    """Workers as fast as each other in turn: on demand is round robin, and nearly the bound."""
    platform = star(*({"speed": 1, "bandwidth": 4} for _ in range(4)))
    problem = body(platform, bag("b", (1, 1, 1)), method="compare", stream={"count": 100})
    told = {run.policy: run for run in solve(problem).result.simulation}
    assert told["on_demand"].makespan == told["round_robin"].makespan == 25 + F(1, 4)
    assert told["dispatch"].empirical_bound == 4
