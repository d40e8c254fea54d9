"""Optima found by a second way, and what follows from the question alone."""

from fractions import Fraction
from typing import Any

import pytest

from steadygrid.domain.limits import Limits
from steadygrid.submissions.submission import parse_submission
from tests.draws import draws
from tests.kinds.bag_of_tasks.bodies import F, bag, body, drawn, example_b, star
from tests.solved import solve


def optimum(rows: list[list[Fraction]], limits: list[Fraction], gain: int) -> Fraction:
    """Maximise one variable under rows of ``a x <= b``, ``b >= 0``, by Bland's simplex algorithm."""
    tableau = [
        [*row, *(F(i == j) for j in range(len(rows))), limit]
        for i, (row, limit) in enumerate(zip(rows, limits, strict=True))
    ]
    costs = [F(-(j == gain)) for j in range(len(tableau[0]))]
    basis = [len(rows[0]) + i for i in range(len(rows))]
    while (entering := next((j for j, c in enumerate(costs[:-1]) if c < 0), None)) is not None:
        ratios = [
            (row[-1] / row[entering], basis[i], i)
            for i, row in enumerate(tableau)
            if row[entering] > 0
        ]
        *_, leaving = min(ratios)
        basis[leaving] = entering
        pivot = tableau[leaving][entering]
        tableau[leaving] = [entry / pivot for entry in tableau[leaving]]
        for row in (*tableau, costs):
            if row is not tableau[leaving] and (factor := row[entering]):
                row[:] = [a - factor * b for a, b in zip(row, tableau[leaving], strict=True)]
    return costs[-1]


def by_hand(problem: dict[str, Any]) -> Fraction:
    """State the program from the words of the contract, by ids, and solve it."""
    given = problem["problem"]
    processors = {p["id"]: p for p in given["platform"]["processors"]}
    bandwidth = {link["target"]: F(link["bandwidth"]) for link in given["platform"]["links"]}
    total = sum(F(b.get("priority", 1)) for b in given["bags"])
    classes = [
        (F(c["input_size"]), F(c["work"]), F(c["probability"]) * F(b.get("priority", 1)) / total)
        for b in given["bags"]
        for c in b["classes"]
    ]
    computing = [name for name, p in processors.items() if "speed" in p]
    columns = [(k, name) for k in range(len(classes)) for name in computing]
    rows, limits = [], []

    def limited(use: Any, limit: Fraction) -> None:
        rows.append([F(0), *(use(classes[k], name) for k, name in columns)])
        limits.append(limit)

    for k, (_, _, share) in enumerate(classes):
        rows.append([share, *(F(-(k == j)) for j, _ in columns)])
        limits.append(F(0))
    for name in computing:
        limited(lambda c, other, name=name: c[1] * (other == name), F(processors[name]["speed"]))
    for name, most in bandwidth.items():
        limited(lambda c, other, name=name: c[0] * (other == name), most)
    if given["ports"] == "one_port":
        limited(lambda c, name: F(0) if name == "P0" else c[0] / bandwidth[name], F(1))
    else:
        for name, p in processors.items():
            if "bandwidth_in" in p:
                most = F(p["bandwidth_in"])
                limited(lambda c, other, name=name: c[0] * (other == name), most)
        if "bandwidth_out" in processors["P0"]:
            out = F(processors["P0"]["bandwidth_out"])
            limited(lambda c, name: F(0) if name == "P0" else c[0], out)
    return optimum(rows, limits, 0)


@pytest.mark.parametrize("seed", range(draws(6, 1500)))
def test_the_optimum_is_that_of_a_program_stated_and_solved_by_hand(seed: int) -> None:
    problem = drawn(seed)
    result = solve(problem).result
    assert result.outcome == "optimal"
    assert result.objective.value == by_hand(problem)


@pytest.mark.parametrize("seed", range(draws(3, 300)))
def test_one_bag_of_one_class_is_master_worker_tasking(seed: int) -> None:
    problem = drawn(seed)
    del problem["problem"]["bags"][1:]
    (one,) = problem["problem"]["bags"]
    one["classes"] = [one["classes"][0] | {"probability": 1}]
    task = {name: one["classes"][0][name] for name in ("input_size", "work")}
    tasking = {name: problem["problem"][name] for name in ("platform", "master", "ports")}
    expected = solve({"problem": tasking | {"kind": "master_worker", "task": task}})
    assert solve(problem).result.objective.value == expected.result.objective.value


@pytest.mark.parametrize("seed", range(draws(4, 300)))
def test_bounded_periods_are_refereed_too(seed: int) -> None:
    problem = drawn(seed)
    told = solve(problem, max_period=30, latencies="ignored")
    assert told.schedule.throughput <= told.result.objective.value
    whole = solve(problem, max_period=30, whole_files=True)
    assert whole.schedule.throughput <= told.result.objective.value


def test_classes_that_are_alike_may_be_one_and_priorities_have_no_unit() -> None:
    platform = star({"speed": 2, "bandwidth": 3}, {"speed": 5, "bandwidth": 1})
    one = body(platform, bag("A", (1, 2, 1), priority=1), bag("B", (3, 1, 1), priority=2))
    split = body(
        platform,
        bag("A", (1, 2, "1/3"), (1, 2, "2/3"), priority=3),
        bag("B", (3, 1, "1/2"), (3, 1, "1/2"), priority=6),
    )
    assert solve(one).result.objective.value == solve(split).result.objective.value


def test_classes_are_those_that_the_contract_says() -> None:
    listed = {"id": "c", "tasks": [{"input_size": 4, "work": 5, "count": 3}, {"input_size": 6, "work": 7}]}  # fmt: skip
    problem = body(star({"speed": 1}), bag("b", (1, 2, "1/3"), (0, 3, "2/3"), priority=3), listed)
    instance: Any = parse_submission(problem, Limits()).instance
    assert [tuple(one) for one in instance.classes] == [
        ("b--0", "b", 0, F(1, 3), F(1, 4), 1, 2),
        ("b--1", "b", 1, F(2, 3), F(1, 2), 0, 3),
        ("c--0", "c", 0, F(3, 4), F(3, 16), 4, 5),
        ("c--1", "c", 1, F(1, 4), F(1, 16), 6, 7),
    ]
    assert instance.file_sizes == {
        ("begin", "b--0"): 1,
        ("begin", "b--1"): 0,
        ("begin", "c--0"): 4,
        ("begin", "c--1"): 6,
    }


def test_paid_latencies_keep_the_proportions() -> None:
    problem = example_b()
    problem["problem"]["platform"]["links"][0]["latency"] = 2
    told = solve(problem, latencies="paid", total_instances=100)
    assert told.result.objective.value == 2
    first, second = told.schedule.allocations
    assert first.instances_per_period == second.instances_per_period > 1
