"""What must hold of any answer, whatever the numbers."""

import random
from fractions import Fraction
from typing import Any

import pytest

from benchmarks.vocoder import vocoder
from steadygrid.domain.errors import InstanceError
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.cell.periods import first_periods
from steadygrid.kinds.cell.schemas import CellInstance
from steadygrid.kinds.cell.solver.local_search import LocalSearch
from steadygrid.kinds.cell.solver.references import greedy, ppe_only
from steadygrid.kinds.cell.solver.tables import Occupancy, Tables
from tests.kinds.cell.bodies import body, both, chain
from tests.kinds.cell.enumeration import period_of
from tests.kinds.cell.random_instances import random_body
from tests.kinds.cell.replay import assert_replays
from tests.kinds.told import facts_of
from tests.solved import solve


def shortest(asked: dict[str, Any]) -> Fraction | None:
    try:
        return solve(asked).result.period
    except InstanceError:
        return None


@pytest.mark.parametrize("seed", range(12))
def test_times_three_times_as_long_make_the_period_three_times_as_long(seed: int) -> None:
    asked = random_body(seed)
    before = shortest(asked)
    machine = asked["problem"]["machine"]
    machine["bandwidth"] = f"{machine['bandwidth']}/3"
    for task in asked["problem"]["application"]["tasks"]:
        for name in ("time_ppe", "time_spe"):
            if name in task:
                task[name] = str(3 * Fraction(task[name]))
    assert shortest(asked) == (None if before is None else 3 * before)


@pytest.mark.parametrize("seed", range(12))
def test_other_names_and_another_order_change_nothing(seed: int) -> None:
    asked = random_body(seed)
    before = shortest(asked)
    application = asked["problem"]["application"]
    for task in application["tasks"]:
        task["id"] = f"{task['id']} renamed"
    for file in application["files"]:
        file["source"], file["target"] = f"{file['source']} renamed", f"{file['target']} renamed"
    random.Random(seed).shuffle(application["tasks"])
    application["files"].reverse()
    assert shortest(asked) == before


@pytest.mark.parametrize(
    "more", [{"spes": 4}, {"ppes": 3}, {"local_store": 10**6}, {"bandwidth": 100}]
)
def test_more_of_anything_never_hurts(more: dict[str, Any]) -> None:
    for seed in range(8):
        asked = random_body(seed)
        before = shortest(asked)
        asked["problem"]["machine"] |= more
        after = shortest(asked)
        assert before is None or (after is not None and after <= before)


def test_first_periods_wait_for_files_and_peeks() -> None:
    tasks = {"a": both(peek=9), "b": both(peek=2), "c": both(), "d": both(peek=1)}
    asked = body(tasks, {"a b": 1, "a c": 1, "b d": 1, "c d": 1})
    # a needs no file, so its peek does not count; b: 1 + 1 + 2 + 1; d: 5 + 1 + 1 + 1.
    assert first_periods(CellInstance.model_validate(asked["problem"])) == [1, 5, 3, 8]


def test_first_periods_of_a_cycle_do_not_exist() -> None:
    asked = body({"a": both(), "b": both()}, {"a b": 1, "b a": 1})
    with pytest.raises(ValueError, match="cycle"):
        first_periods(CellInstance.model_validate(asked["problem"]))


def test_buffers_count_twice_where_both_ends_share_a_store() -> None:
    result, _ = solve(chain("greedy", spes=2, local_store=12))
    assert [use.used for use in result.local_store] == [12, 0]
    assert [buffer.data for buffer in result.buffers] == [2, 2, 2]


def test_calls_are_those_of_files_between_different_cores() -> None:
    result, schedule = solve(chain("greedy", spes=2, local_store=5))
    assert list(result.mapping.values()) == ["SPE1", "SPE2", "PPE1", "PPE1"]
    assert [(use.core, use.source, use.calls, use.of) for use in result.dma] == [
        ("SPE1", None, 0, 16),
        ("SPE2", None, 1, 16),
        ("PPE1", "SPE2", 1, 8),
    ]
    assert [t.path for t in schedule.allocations[0].transfers] == [
        ("SPE1", "SPE2"),
        ("SPE2", "PPE1"),
    ]


def test_a_file_of_size_zero_needs_a_call_and_no_slot() -> None:
    tasks = {"a": {"time_ppe": 3}, "b": {"time_spe": 3}}
    result, schedule = solve(body(tasks, {"a b": 0}, spes=1))
    assert result.dma[0].calls == 1
    assert len(schedule.allocations[0].transfers) == 1
    assert schedule.slots == ()


def test_the_view_names_what_is_busy_and_what_is_full() -> None:
    tasks = {"a": both(4), "b": both(3), "c": both(2), "d": {"time_ppe": 1}}
    asked = body(tasks, {"a d": 1, "b d": 1, "c d": 1}, spes=1, local_store=3)
    result, _ = solve(asked)
    assert result.bottleneck == "PPE1.compute"
    assert result.notes == []
    assert facts_of(asked, result)["busy with"] == (
        "'b', 'c', 'd'; SPE1 would have time for more, but no room for any task of PPE1"
    )


def test_tasks_that_only_send_are_named_by_what_they_send() -> None:
    tasks = {"a": both(0, write=3), "b": both(0), "c": both(0, read=2), "d": both(0, write=9)}
    asked = body(tasks, {"a b": 4, "b c": 6}, "ppe_only", spes=0)
    result, _ = solve(asked)
    assert result.bottleneck == "PPE1.out"
    assert facts_of(asked, result)["busy with"] == "'d', 'a'"


@pytest.mark.parametrize("seed", range(15))
def test_putting_and_taking_tasks_keeps_the_account(seed: int) -> None:
    """What is counted step by step is what the plain words say of the outcome."""
    instance = CellInstance.model_validate(random_body(seed)["problem"])
    tables = Tables(instance)
    draw = random.Random(seed)
    able = [
        [c for c in range(len(tables.cores)) if tables.time(task, c) is not None]
        for task in range(len(tables.tasks))
    ]
    use = Occupancy(tables, [draw.choice(cores) for cores in able])
    for _ in range(20):
        task = draw.randrange(len(able))
        use.take(task)
        use.place_task(task, draw.choice(able[task]))
    fresh = Occupancy(tables, use.place)
    assert (use.times, use.used, use.excess) == (fresh.times, fresh.used, fresh.excess)
    placed = {
        name: tables.cores[core or 0] for name, core in zip(tables.tasks, use.place, strict=True)
    }
    period = period_of(instance, placed)
    assert (period is None) == (use.excess > 0)
    assert period in (None, use.longest * tables.unit)


def test_a_task_is_taken_from_a_core_only_once() -> None:
    tables = Tables(CellInstance.model_validate(chain()["problem"]))
    use = Occupancy(tables, [None] * 4)
    with pytest.raises(ValueError, match="no core"):
        use.take(0)


def test_a_vocoder_of_141_tasks_is_mapped_twice_as_well_as_by_filling_in_order() -> None:
    instance = vocoder(spes=6)
    tables = Tables(instance)
    assert (len(tables.tasks), instance.machine.spes) == (141, 6)
    filled = Occupancy(tables, greedy(tables)).longest
    mapping = LocalSearch(tables, Control(60)).run(
        [greedy(tables), ppe_only(tables)], lambda period: 2 * period <= filled
    )
    assert mapping is not None
    assert 2 * Occupancy(tables, mapping).longest <= filled


def test_the_schedule_of_a_vocoder_runs() -> None:
    asked = {"problem": vocoder(spes=6).model_dump(mode="json", exclude_none=True)}
    asked["problem"]["method"] = "greedy"
    _, schedule = solve(asked)
    assert schedule.prologue_periods > 100
    assert_replays(vocoder(spes=6), schedule)
