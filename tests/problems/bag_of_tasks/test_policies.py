"""What policies do with streams, against a naive simulation, and what bounds them."""

import math
import random
from collections import Counter
from fractions import Fraction
from itertools import permutations, product
from typing import Any

import pytest

from steadygrid.problems.bag_of_tasks.runs import POLICIES
from tests.draws import draws
from tests.problems.bag_of_tasks import naive
from tests.problems.bag_of_tasks.bodies import F, bag, drawn
from tests.problems.bag_of_tasks.test_agreement import by_hand
from tests.solved import solve


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


@pytest.mark.parametrize("seed", range(draws(30, 1500)))
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
    assert result.distribution_bound == (None if is_uniform else by_hand(problem))


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
