"""Timetables and schedules that run once: by hand, and against a simulation of their own."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from hashlib import sha256
from math import inf
from typing import Any

import pytest

from steadygrid.domain.limits import Limits
from steadygrid.kinds import PROBLEMS
from steadygrid.kinds.simulation.schemas import SimulationResult
from steadygrid.submissions.submission import parse_submission, size_submission
from tests.engine.executions.seen import pair
from tests.kinds.dataflow import bodies as dataflow
from tests.kinds.divisible_star.bodies import star, tree, with_results
from tests.kinds.replicated_workflow import bodies as workflows
from tests.kinds.simulation.bodies import simulated
from tests.kinds.simulation.test_faults import faults
from tests.solved import solve

FEW: dict[str, Any] = {"noise": ["0", "1/20"], "instances": 40, "seeds": 2}
TWO_RATES = {"problem": dataflow.problem({"a": 2, "b": 3}, "a 1>2 b; b 2>1 a 4")}
UNROLLED = (
    "divisible_chain",
    "divisible_star",
    "replicated_workflow",
    "dataflow",
    "layer_pipeline",
)


def answer(body: dict[str, Any]) -> SimulationResult:
    result = solve(body).result
    assert isinstance(result, SimulationResult)
    return result


def factor_of(resource: str, k: int, noise: float, seed: int = 0) -> float:
    """Give the factor of the k-th operation of a resource, as the contract says."""
    digest = sha256(f"{seed}:{resource}:{k // 4}".encode()).digest()
    drawn = int.from_bytes(digest[k % 4 * 8 : k % 4 * 8 + 8], "big") / 2**64
    return 1 + noise * (2 * drawn - 1)


@pytest.mark.parametrize("kind", UNROLLED)
def test_without_noise_the_schedule_is_kept_exactly(kind: str) -> None:
    result = answer(simulated(PROBLEMS[kind].example, **FEW))
    assert [(row.execution, row.noise) for row in result.table] == [
        ("clock", 0),
        ("clock", Fraction(1, 20)),
        ("order", 0),
        ("order", Fraction(1, 20)),
    ]
    clock, order = result.table[0], result.table[2]
    assert (clock.of_plan, clock.late, order.late) == (1, 0, 0)
    assert order.of_plan >= 1
    once = kind.startswith("divisible")
    assert (clock.makespan if once else clock.throughput) == result.plan
    assert (result.period is None) == once
    assert result.objective is not None
    assert result.objective.name == ("makespan" if once else "throughput")
    for one in result.progress:
        dates, counts = zip(*one.points, strict=True)
        assert (list(dates), list(counts)) == (sorted(dates), sorted(set(counts)))
        assert once or counts[-1] == 40


@pytest.mark.parametrize("kind", UNROLLED)
def test_a_job_may_ask_how_to_carry_its_schedule_out(kind: str) -> None:
    told = solve(dict(PROBLEMS[kind].example), simulate=True).result.robustness
    assert told.execution in ("clock", "order")
    assert Fraction(9, 10) < told.of_plan < Fraction(11, 10)


CHAIN = {
    "kind": "divisible_chain",
    "platform": {
        "processors": [
            {"id": name, "speed": speed} for name, speed in (("P1", 1), ("P2", 2), ("P3", 5))
        ],
        "links": [
            {"source": "P1", "target": "P2", "bandwidth": 9},
            {"source": "P2", "target": "P3", "bandwidth": 2},
        ],
    },
    "loads": [
        {"id": "a", "communication_volume": 1, "computation_volume": 3, "installments": 2},
        {"id": "b", "communication_volume": 4, "computation_volume": 9, "release_date": "3/2"},
    ],
    "availability": {"P2": "1/3"},
}
HARDER: dict[str, Any] = {
    "results": with_results([1, 2, 1], [2, 1, 3], [1, 1, 2], ports="one_port"),
    "a tree with results": tree(
        {"M": 3, "A": 1, "B": 2, "C": 1},
        {("M", "A"): 1, ("A", "B"): 2, ("A", "C"): 1},
        load={"communication_volume": 1, "computation_volume": 1, "return_volume": 1},
        return_orders="lifo",
    ),
    "rounds": star([1, 2], [3, 2], rounds=3, order=["P2", "P1"]),
    "a chain": {"problem": CHAIN},
    "a chain, both ways": {"problem": CHAIN | {"ports": "one_port", "rounds": 2}},
    "copies": workflows.published_a(),
    "a ring": {
        "problem": dataflow.problem({"a": 2, "b": 0, "c": 5}, "a 1>2 b; b 2>1 c; c 1>1 a 3")
    },
    "any number at a time": {
        "problem": dataflow.problem(
            {"a": 2, "b": 7}, "a 1>1 b; b 1>1 a 3", concurrency="auto", schedule="k_periodic"
        )
    },
    "few places": {
        "problem": dataflow.problem({"a": [1, 2], "b": 3}, "ab:a 1,2>3 b", capacities={"ab": 4})
    },
}


@pytest.mark.parametrize("name", HARDER)
def test_dates_ports_places_and_results_are_kept(name: str) -> None:
    """Nothing in a schedule that holds is late; without dates nothing is later."""
    result = answer(simulated(HARDER[name], noise=["0"], instances=25))
    clock, order = result.table
    assert (clock.of_plan, clock.late, order.late) == (1, 0, 0)
    assert order.of_plan >= 1


def test_two_workers_of_a_star_by_hand() -> None:
    """Two messages after each other, each then computed: noise is of links and of workers."""
    body = star(["1", "2"], ["3", "2"])
    asked = simulated(body, noise=["1/10"], seeds=1, executions=["order"])
    shares = {
        one["processor"]: float(Fraction(one["fraction"]))
        for one in asked["problem"]["result"]["shares"]
    }
    names = [one for one in asked["problem"]["result"]["order"] if one in shares]
    times = {"P1": (1, 3), "P2": (2, 2)}
    port, ends = 0.0, []
    for name in names:
        wire, work = times[name]
        port += shares[name] * wire * factor_of(f"M->{name}", 0, 0.1)
        ends.append(port + shares[name] * work * factor_of(name, 0, 0.1))
    (row,) = answer(asked).table
    assert row.makespan == Fraction(f"{max(ends):.9g}")


def test_a_timetable_does_what_a_simulation_by_rounds_does() -> None:
    """Each operation of a data set waits for what it needs, and for who had its ports before."""
    body = {"problem": dict(PROBLEMS["replicated_workflow"].example["problem"])}
    number = 30
    asked = simulated(body, noise=["1/10"], seeds=1, executions=["order"], instances=number)
    drawn: dict[str, int] = {}

    def took(resource: str, time: float) -> float:
        drawn[resource] = drawn.get(resource, -1) + 1
        return time * factor_of(resource, drawn[resource], 0.1)

    free = dict.fromkeys(("P1", "P2", "P3"), 0.0)
    work, wire = {"P2": 7, "P3": 4}, {"P2": 3, "P3": 5}
    for n in range(number):
        there = ("P2", "P3")[n % 2]
        free["P1"] += took("P1", 2)
        sent = max(free["P1"], free[there]) + 0
        free["P1"] = free[there] = sent + took(f"P1->{there}", wire[there])
        free[there] += took(there, work[there])
    (row,) = answer(asked).table
    rows = asked["problem"]["schedule"]["rows"]
    planned = max(
        Fraction(one["start"])
        + (number - 1 - int(one["residue"])) // int(one["modulus"]) * Fraction(one["every"])
        + Fraction(one["time"])
        for one in rows
    )
    plan = Fraction(asked["problem"]["schedule"]["throughput"])
    assert row.throughput == Fraction(f"{float(plan * planned / Fraction(max(free.values()))):.9g}")


def _self_timed(
    times: Mapping[str, int], channels: Mapping[tuple[str, str], tuple[int, int, int]], most: int
) -> Callable[[str, int], float]:
    """Give when firings end, each as soon as its tokens are there and its actor has ended the last."""
    ends: dict[tuple[str, int], float] = {}
    for _ in range(most):
        for actor, time in times.items():
            firing = sum(1 for name, _ in ends if name == actor)
            begin = ends.get((actor, firing - 1), 0.0)
            for (source, target), (made, taken, tokens) in channels.items():
                if target != actor:
                    continue
                last = ((firing + 1) * taken - tokens + made - 1) // made - 1
                if last >= 0:
                    begin = max(begin, ends.get((source, last), inf))
            if begin < inf:
                ends[actor, firing] = begin + time * factor_of(actor, firing, 0.1)
    return lambda actor, firing: ends[actor, firing]


def test_tokens_are_waited_for_as_the_graph_says() -> None:
    """Two firings of a feed one of b, and five tokens in all go round."""
    asked = simulated(TWO_RATES, noise=["1/10"], seeds=1, executions=["order"], instances=20)
    ended = _self_timed({"a": 2, "b": 3}, {("a", "b"): (1, 2, 0), ("b", "a"): (2, 1, 4)}, 100)
    last = max(ended("a", 39), ended("b", 19))
    (row,) = answer(asked).table
    schedule = asked["problem"]["schedule"]
    planned = max(
        Fraction(one["start"])
        + Fraction(one["time"])
        + (counts[one["actor"]] - 1 - int(one["residue"]))
        // int(one["modulus"])
        * Fraction(one["every"])
        for counts in [{"a": 40, "b": 20}]
        for one in schedule["rows"]
    )
    plan = Fraction(schedule["throughput"])
    assert row.throughput == Fraction(f"{float(plan * planned / Fraction(last)):.9g}")


def test_a_schedule_that_does_not_hold_is_refused_where_it_does_not() -> None:
    body = simulated(star(["1", "2"], ["3", "2"]))
    events = body["problem"]["schedule"]["events"]
    late = next(
        i for i, one in enumerate(events) if one["kind"] == "compute" and one["start"] != "0"
    )
    events[late] |= {"start": "0"}
    assert "too_early" in faults(body).values()
    body = simulated(star(["1", "2"], ["3", "2"]))
    body["problem"]["schedule"]["makespan"] = "1"
    assert faults(body) == {"schedule/makespan": "wrong_makespan"}


def test_a_timetable_is_one_of_its_instance() -> None:
    body = simulated(workflows.published_a())
    body["problem"]["schedule"]["rows"][0]["time"] = "1"
    assert faults(body)["schedule/rows"] == "wrong_time"
    body = simulated(TWO_RATES)
    body["problem"]["result"]["repetitions"]["a"] += 1
    assert faults(body) == {"result/repetitions": "wrong_repetitions"}
    body = simulated(PROBLEMS["layer_pipeline"].example)
    body["problem"]["result"]["stages"] = []
    assert faults(body) == {"result/stages": "wrong_stages"}


def test_what_would_not_fit_into_memory_is_refused() -> None:
    body = simulated(PROBLEMS["dataflow"].example, instances=1_000_000)
    assert faults(body) == {"instances": "too_many_operations"}
    tasks = simulated(pair(3, 2), executions=["heft"], instances=600_000)
    assert faults(tasks) == {"instances": "too_many_operations"}


def test_what_runs_once_has_no_instances() -> None:
    submission = parse_submission(simulated(star(["1"], ["1"]), instances=7), Limits())
    sizing = size_submission(submission, Limits())
    assert "instances is not used: the schedule runs once" in sizing.warnings
    assert sizing.sizes["simulated_operations"] == 2 * sizing.sizes["runs"]
