"""What a change of the instance does to the period."""

import random
from copy import deepcopy
from fractions import Fraction
from typing import Any

import pytest

from tests.draws import draws
from tests.kinds.replicated_workflow.workflows import example_a, random_workflow
from tests.solved import solve


def _drawn(name: str) -> list[dict[str, Any]]:
    rng = random.Random(name)
    return [
        random_workflow(rng, rng.choice(("one_port", "no_overlap"))) for _ in range(draws(8, 300))
    ]


def _period(body: dict[str, Any]) -> Fraction:
    found: Fraction = solve(body).result.period
    return found


def test_longer_times_make_the_period_longer_by_the_same_factor() -> None:
    factor = Fraction(7, 3)
    for body in _drawn("scaling"):
        longer = deepcopy(body)
        for link in longer["problem"]["platform"]["links"]:
            link["unit_time"] = str(factor * Fraction(link["unit_time"]))
        for task in longer["problem"]["application"]["tasks"]:
            task["times"] = {p: str(factor * Fraction(time)) for p, time in task["times"].items()}
        assert _period(longer) == factor * _period(body)


def test_names_mean_nothing() -> None:
    for body in _drawn("names"):
        problem = deepcopy(body["problem"])
        tasks = {task["id"]: f"x{i}" for i, task in enumerate(problem["application"]["tasks"])}
        places = {
            one["id"]: f"q{i}" for i, one in enumerate(reversed(problem["platform"]["processors"]))
        }
        for one in problem["platform"]["processors"]:
            one["id"] = places[one["id"]]
        for link in problem["platform"]["links"]:
            link |= {end: places[link[end]] for end in ("source", "target")}
        for task in problem["application"]["tasks"]:
            task |= {
                "id": tasks[task["id"]],
                "times": {places[name]: time for name, time in task["times"].items()},
            }
        for file in problem["application"]["files"]:
            file |= {end: tasks[file[end]] for end in ("source", "target")}
        for stage in problem["mapping"]:
            stage["tasks"] = [tasks[name] for name in stage["tasks"]]
            stage["processors"] = [places[name] for name in stage["processors"]]
        assert _period({"problem": problem}) == _period(body)


def test_the_first_data_set_may_be_any() -> None:
    """Each stage begins with another processor: the data sets are numbered from another one."""
    for body in _drawn("turning"):
        turned = deepcopy(body)
        for stage in turned["problem"]["mapping"]:
            places = stage["processors"]
            stage["processors"] = places[1:] + places[:1]
        assert _period(turned) == _period(body)


def test_a_stage_that_is_not_critical_may_be_as_slow_as_the_period() -> None:
    body = example_a("one_port")
    slow = deepcopy(body)
    slow["problem"]["application"]["tasks"][0]["times"]["S1.0"] = 189
    assert _period(slow) == _period(body) == 189


def test_without_overlap_nothing_is_faster() -> None:
    for body in _drawn("ports"):
        periods = [
            _period({"problem": body["problem"] | {"ports": ports}})
            for ports in ("one_port", "no_overlap")
        ]
        assert periods[0] <= periods[1]


def test_tasks_of_one_stage_add_up_and_their_files_cost_nothing() -> None:
    problem = deepcopy(example_a("no_overlap")["problem"])
    times = problem["application"]["tasks"][0]["times"]
    problem["application"]["tasks"][0]["times"] = {"S1.0": 20}
    problem["application"]["tasks"].append({"id": "S0", "work": 1})
    problem["platform"]["processors"][0]["unit_time"] = 2
    problem["application"]["files"].append({"source": "S0", "target": "S1", "size": 1000})
    problem["mapping"][0]["tasks"].append("S0")
    assert times == {"S1.0": 22}
    result = solve({"problem": problem}).result
    assert result.period == Fraction(692, 3)
    assert result.copies == {"S1": 1, "S2": 2, "S3": 3, "S4": 1}


@pytest.mark.parametrize("ports", ["one_port", "no_overlap"])
def test_a_faster_operation_never_hurts(ports: str) -> None:
    rng = random.Random(ports)
    for _ in range(draws(8, 300)):
        body = random_workflow(rng, ports)
        faster = deepcopy(body)
        task = rng.choice(faster["problem"]["application"]["tasks"])
        place = rng.choice([*task["times"]])
        task["times"][place] = str(Fraction(task["times"][place]) / 2)
        assert _period(faster) <= _period(body)
