"""In how many periods an instance is done: tasks of one processor run in one period, one behind the other."""

from collections.abc import Mapping
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest

from steadygrid.domain.errors import InvalidScheduleError
from steadygrid.domain.job import Options
from steadygrid.kinds.mono_allocation.schemas import MonoAllocationInstance
from steadygrid.kinds.mono_allocation.validator import validate
from tests.solved import solve


def problem(
    chain: list[str], files: list[tuple[str, str]], ports: str, mapping: Mapping[str, str]
) -> dict[str, Any]:
    """Ask for a mapping of tasks of time 1 onto processors that are all joined."""
    processors = sorted(set(mapping.values()))
    return {
        "kind": "mono_allocation",
        "method": "given",
        "routing": "free",
        "ports": ports,
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


def answer(
    chain: list[str], files: list[tuple[str, str]], ports: str = "multiport", **mapping: str
) -> Any:
    """Judge such a mapping."""
    return solve({"problem": problem(chain, files, ports, mapping)})


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


CHAIN, FILES = ["u", "v", "x"], [("u", "v"), ("v", "x")]
MAPPING = {"u": "P", "v": "P", "x": "Q"}


def test_one_thing_at_a_time_an_answer_tells_the_latency_that_its_schedule_keeps() -> None:
    """P sends in [0, 1), runs u in [1, 2) and v in [2, 3): v follows u within a period."""
    result, schedule = answer(CHAIN, FILES, "no_overlap", **MAPPING)
    assert [(one.task, one.start) for one in schedule.computations] == [
        ("u", 1),
        ("v", 2),
        ("x", 1),
    ]
    periods = {entry.task: entry.period for entry in result.first_periods}
    assert periods == {"u": 1, "v": 1, "x": 3}
    assert result.latency_periods == schedule.latency_periods == 3
    # v has the file of u within a period, and its own one until it is sent in the next.
    assert {entry.processor: entry.data for entry in result.buffers} == {"P": 1 + 2, "Q": 2}


def test_one_thing_at_a_time_the_referee_takes_the_latency_of_the_schedule_or_the_plain_one() -> (
    None
):
    """Answers that were stored before tell the plain one: each task waits for the next period."""
    asked = problem(CHAIN, FILES, "no_overlap", MAPPING)
    instance = MonoAllocationInstance.model_validate(asked)
    result, schedule = solve({"problem": asked})

    def codes(v: int, x: int, last: int, held: int) -> set[str]:
        periods = [
            entry.model_copy(update={"period": {"u": 1, "v": v, "x": x}[entry.task]})
            for entry in result.first_periods
        ]
        room = [
            entry.model_copy(update={"data": Fraction(held)}) if entry.processor == "P" else entry
            for entry in result.buffers
        ]
        changed = {"first_periods": periods, "latency_periods": last, "buffers": room}
        try:
            validate(instance, Options(), result.model_copy(update=changed), schedule)
        except InvalidScheduleError as refused:
            return {fault.code for fault in refused.faults}
        return set()

    assert codes(1, 3, 3, 3) == set()
    assert codes(2, 4, 4, 4) == set()
    assert codes(1, 3, 4, 3) == {"wrong_latency"}
    assert codes(2, 4, 3, 4) == {"wrong_latency"}
    assert codes(1, 3, 3, 4) == {"wrong_buffer"}
    assert codes(1, 2, 2, 3) == {"wrong_first_period", "wrong_latency"}
