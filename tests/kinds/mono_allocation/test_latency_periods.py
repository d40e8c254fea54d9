"""In how many periods an instance is done: tasks of one processor run in one period, one behind the other."""

from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest

from tests.solved import solve


def answer(chain: list[str], files: list[tuple[str, str]], **mapping: str) -> Any:
    """Judge a mapping of tasks of time 1 onto processors that are all joined."""
    processors = sorted(set(mapping.values()))
    problem = {
        "kind": "mono_allocation",
        "method": "given",
        "routing": "free",
        "ports": "multiport",
        "mapping": {task: [name] for task, name in mapping.items()},
        "platform": {
            "processors": [{"id": name, "speed": 1} for name in processors],
            "links": [
                {"source": one, "target": other, "bandwidth": 1}
                for one in processors
                for other in processors
                if one < other
            ],
        },
        "application": {
            "tasks": [{"id": task, "work": 1} for task in chain],
            "files": [{"source": one, "target": other, "size": 1} for one, other in files],
        },
    }
    return solve({"problem": problem})


def chain_of(number: int, each: int) -> Any:
    tasks = [f"t{i:02}" for i in range(number)]
    files = list(pairwise(tasks))
    return answer(tasks, files, **{task: f"P{i // each}" for i, task in enumerate(tasks)})


@pytest.mark.parametrize(
    ("number", "each", "periods"),
    [(24, 3, 15), (8, 1, 15), (5, 5, 1), (6, 4, 3)],
)
def test_a_chain_takes_a_period_on_each_processor_and_on_each_hop(
    number: int, each: int, periods: int
) -> None:
    result, schedule = chain_of(number, each)
    assert result.latency_periods == schedule.latency_periods == periods
    assert schedule.prologue_periods == periods - 1


def test_what_comes_back_to_a_processor_waits_for_its_file() -> None:
    result, schedule = answer(
        ["u", "x", "w"], [("u", "x"), ("x", "w"), ("u", "w")], u="P", x="Q", w="P"
    )
    periods = {entry.task: entry.period for entry in result.first_periods}
    assert periods == {"u": 1, "x": 3, "w": 5}
    assert schedule.latency_periods == 5


def test_data_for_the_same_processor_waits_within_one_period() -> None:
    result, _ = chain_of(3, 3)
    assert [(entry.processor, entry.data) for entry in result.buffers] == [("P0", Fraction(2))]


def test_tasks_are_run_in_the_order_of_their_files_however_they_are_listed() -> None:
    result, schedule = answer(["w", "v", "u"], [("u", "v"), ("v", "w")], u="P", v="P", w="P")
    assert [one.task for one in schedule.computations] == ["u", "v", "w"]
    assert result.latency_periods == schedule.latency_periods == 1
