"""What policies do with streams, against a naive simulation, and what bounds them."""

import random
from fractions import Fraction
from typing import Any

import pytest

from tests.draws import draws
from tests.problems.bag_of_tasks import naive
from tests.problems.bag_of_tasks.bodies import F, bag, body, drawn, example_b, star
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


def optimum_of(given: dict[str, Any], tasks: list[tuple[str, int]]) -> Fraction:
    """State the program of the classes of some tasks by hand."""
    classes = {each["id"]: each["classes"] for each in given["bags"]}
    listed = [
        (
            classes[name][j]["input_size"],
            classes[name][j]["work"],
            F(tasks.count((name, j)), len(tasks)),
        )
        for name, j in sorted(set(tasks))
    ]
    return by_hand({"problem": given | {"bags": [bag("all", *listed)]}})


def throughput(problem: dict[str, Any]) -> Fraction:
    result = solve(problem).result
    assert result.outcome == "feasible"
    assert result.bound.value == result.distribution_bound == 2
    return result.objective.value


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


@pytest.mark.parametrize("seed", range(draws(25, 1200)))
def test_policies_do_what_a_naive_simulation_does(seed: int) -> None:
    problem = streamed(seed)
    given = problem["problem"]
    result = solve(problem).result
    platform = naive.Star(given)
    costs = {
        (each["id"], j): (F(one["input_size"]), F(one["work"]))
        for each in given["bags"]
        for j, one in enumerate(each["classes"])
    }
    assert {run.policy for run in result.simulation} == set(naive_policies)
    for run in result.simulation:
        stream = naive.stream(given, run.seed)
        tasks = stream[len(stream) - run.tasks :]
        times = [costs[task] for task in tasks]
        if run.policy == "on_demand":
            makespan = naive.on_demand(platform, times, given["buffer"])
        elif run.policy == "round_robin":
            turns = [n % len(platform.names) for n in range(len(tasks))]
            makespan = naive.known(platform, times, turns)
        elif run.policy == "dispatch":
            rates: dict[str, dict[int, Fraction]] = {}
            for one in run.plan.rates:
                rates.setdefault(one.name, {})[platform.names.index(one.processor)] = one.rate
            workers = naive.counted(rates, [f"{name}--{j}" for name, j in tasks])
            makespan = naive.known(platform, times, workers)
        else:
            makespan = run.makespan
        assert run.makespan == makespan
        assert run.empirical_bound == optimum_of(given, tasks)
        assert run.throughput <= run.empirical_bound
    assert result.distribution_bound == by_hand(problem)


naive_policies = ("on_demand", "round_robin", "dispatch", "lp_samp")
