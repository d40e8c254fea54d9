"""Algorithm 7 and all tasks on the PPE, by hand."""

from fractions import Fraction
from typing import Any

import pytest

from steadygrid.domain.job import Outcome
from tests.kinds.cell.bodies import body, both, chain
from tests.kinds.told import facts_of
from tests.solved import solve


@pytest.mark.parametrize(
    ("local_store", "cores"),
    [
        (12, ["SPE1", "SPE1", "SPE1", "SPE1"]),
        (10, ["SPE1", "SPE1", "SPE1", "SPE2"]),
        (6, ["SPE1", "SPE1", "SPE2", "SPE2"]),
        # d would fit on SPE1, but no core is visited twice.
        (5, ["SPE1", "SPE2", "PPE1", "PPE1"]),
        (1, ["PPE1", "PPE1", "PPE1", "PPE1"]),
    ],
)
def test_greedy_fills_one_spe_after_the_other(local_store: int, cores: list[str]) -> None:
    result, _ = solve(chain("greedy", spes=2, local_store=local_store))
    assert list(result.mapping.values()) == cores
    assert result.speed_up.greedy == 1


def test_greedy_counts_the_calls_of_tasks_placed_before() -> None:
    tasks = {"x": {"time_ppe": 1}, "y": {"time_ppe": 1}, "z": both(), "w": both()}
    asked = body(tasks, {"x z": 1, "y z": 1}, "greedy", spes=2, dma_into_spe=1)
    result, _ = solve(asked)
    assert result.mapping == {"x": "PPE1", "y": "PPE1", "z": "PPE1", "w": "PPE1"}
    asked["problem"]["machine"]["dma_into_spe"] = 2
    assert solve(asked).result.mapping == {"x": "PPE1", "y": "PPE1", "z": "SPE1", "w": "SPE1"}


def test_a_task_without_a_time_on_spes_leaves_the_current_core_as_it_is() -> None:
    tasks = {"a": both(), "p": {"time_ppe": 1}, "b": both()}
    result, _ = solve(body(tasks, {}, "greedy", spes=2))
    assert result.mapping == {"a": "SPE1", "p": "PPE1", "b": "SPE1"}


@pytest.mark.parametrize(
    ("asked", "reason"),
    [
        (
            body({n: both() for n in "abc"}, {"a b": 1, "b c": 1}, ppes=0, spes=2, local_store=5),
            "task 'c' finds no core: the buffers on SPE2 do not fit into its local store",
        ),
        (
            body(
                {
                    "a": {"time_spe": 1},
                    "p": {"time_ppe": 1},
                    "b": {"time_spe": 1},
                    "q": {"time_ppe": 1},
                },
                {"a p": 1, "b q": 1},
                spes=2,
                dma_spe_to_ppe=1,
            ),
            "task 'q' runs on PPEs only, and PPE1 would fetch 2 files from SPE1, and can 1",
        ),
        (
            body(
                {"a": both(), "b": {"time_spe": 1}, "c": {"time_spe": 1}},
                {"a b": 1, "b c": 1},
                spes=1,
                local_store=6,
            ),
            "task 'c' finds no core: it has no time on PPE1",
        ),
        (
            body(
                {
                    "p": {"time_ppe": 1},
                    "q": {"time_ppe": 1},
                    "z": {"time_spe": 1},
                    "y": {"time_spe": 1},
                },
                {"p z": 1, "q y": 1},
                ppes=2,
                spes=1,
                dma_into_spe=1,
            ),
            "task 'y' finds no core: it has no time on PPE1",
        ),
    ],
)
def test_greedy_says_why_it_finds_no_mapping(asked: dict[str, Any], reason: str) -> None:
    asked["problem"]["method"] = "greedy"
    result, schedule = solve(asked)
    assert result.outcome is Outcome.UNKNOWN
    assert schedule is None
    assert result.notes == [f"greedy finds no mapping: {reason}; milp may find one"]


def test_all_tasks_on_the_ppe_take_the_sum_of_their_times() -> None:
    tasks = {"a": both(2, read=3), "b": both(5, write=20), "c": both("1/2")}
    result, schedule = solve(body(tasks, {"a b": 100}, "ppe_only", ppes=2, bandwidth=4))
    assert set(result.mapping.values()) == {"PPE1"}
    assert result.period == Fraction(15, 2)
    assert {use.resource: use.time for use in result.occupation} == {
        "PPE1.compute": Fraction(15, 2),
        "PPE1.out": 5,
        "PPE1.in": Fraction(3, 4),
    }
    assert result.speed_up.ppe_only == 1
    assert schedule.slots == ()


def test_memory_alone_may_bind() -> None:
    tasks = {"a": both(2, read=3), "b": both(5, write=20)}
    asked = body(tasks, {"a b": 100}, "ppe_only")
    result, _ = solve(asked)
    assert (result.period, result.bottleneck) == (20, "PPE1.out")
    assert result.notes == []
    assert facts_of(asked, result)["busy with"] == "'b'"


def test_ppe_only_names_a_task_without_a_ppe_time() -> None:
    tasks = {"a": both(), "b": {"time_spe": 1}}
    result, _ = solve(body(tasks, {}, "ppe_only"))
    assert result.outcome is Outcome.UNKNOWN
    assert result.notes == [
        "ppe_only finds no mapping: task 'b' has no PPE time; milp may find one"
    ]


def test_the_speed_up_over_both_references_is_told() -> None:
    tasks = {n: {"time_ppe": 3, "time_spe": 2} for n in "abcd"}
    result, _ = solve(body(tasks, {}, spes=2))
    # a and b, c on the SPEs and d on the PPE would take 4; so do two on each SPE.
    assert result.period == 4
    assert (result.speed_up.ppe_only, result.speed_up.greedy) == (3, 2)
