"""HEFT: the published example, and any plan against a plain copy of the algorithm."""

import json
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest

from steadygrid.engine.mapping import NoMapping
from steadygrid.engine.simulation.execution import Operations, topological_order
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.mono_allocation.solver.references.heft import heft, planned
from steadygrid.kinds.mono_allocation.solver.references.ranks import (
    mean_times,
    mean_transfer_times,
    upward_ranks,
)
from steadygrid.kinds.mono_allocation.solver.tables import MonoTables
from tests.data import shared_data
from tests.kinds.mono_allocation.drawn import drawn
from tests.kinds.mono_allocation.executions import check_execution, hops, instance, watched

PUBLISHED = json.loads((Path(__file__).parents[1] / "instances" / "heft-2002.json").read_text())

Row = tuple[Fraction, Fraction, int, int]
"""Start, end, instance and task."""


def published() -> MonoTables:
    return MonoTables(instance(PUBLISHED["body"]["problem"]))


def ranks_of(tables: MonoTables) -> list[Fraction]:
    operations = Operations(tables, Control())
    return upward_ranks(tables, mean_times(tables), mean_transfer_times(operations))


def plan_by_processor(tables: MonoTables, instances: int) -> dict[str, list[Row]]:
    """Give HEFT's plan in time units, each processor's tasks by start."""
    operations = Operations(tables, Control())
    plan, _ = planned(operations, instances, Control())
    rows: dict[str, list[Row]] = {p.id: [] for p in tables.platform.processors}
    for copy, places in enumerate(plan):
        for task, (processor, start) in enumerate(places):
            begin = start * operations.step
            end = begin + tables.time(task, processor)
            rows[tables.platform.processors[processor].id].append((begin, end, copy, task))
    return {name: sorted(listed) for name, listed in rows.items() if listed}


def test_the_published_ranks_are_reproduced() -> None:
    assert ranks_of(published()) == [Fraction(r) for r in PUBLISHED["expected"]["upward_ranks"]]


def test_the_published_schedule_of_length_80_is_reproduced() -> None:
    tables = published()
    assert heft(tables, 1, Control()).planned_makespan == 80
    plan = {
        name: [[tables.tasks[task], start, end] for start, end, _, task in rows]
        for name, rows in plan_by_processor(tables, 1).items()
    }
    assert plan == PUBLISHED["expected"]["plan"]


def test_the_published_plan_takes_longer_where_files_wait_for_each_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tables = published()
    with watched(monkeypatch) as executions:
        answer = heft(tables, 1, Control())
    check_execution(tables, executions[0], answer)
    names = [p.id for p in tables.platform.processors]
    expected = {
        task: name for name, rows in PUBLISHED["expected"]["plan"].items() for task, _, _ in rows
    }
    assert expected == {
        task: names[processor]
        for task, processor in zip(tables.tasks, executions[0].processors[0], strict=True)
    }
    # From P3 to P2 the link carries T1's file for T4 until 18, then that for T6 until 32.
    assert executions[0].departures[0][4] == (18,)
    assert executions[0].starts[0][5] == 32
    assert answer.makespan == 91


def test_the_example_in_the_repository_is_the_published_one() -> None:
    data = json.loads(shared_data("heft-2002-example.json").read_text())
    application = PUBLISHED["body"]["problem"]["application"]
    assert [list(task["times"].values()) for task in application["tasks"]] == data["w"]
    assert [
        [int(file["source"][1:]), int(file["target"][1:]), file["size"]]
        for file in application["files"]
    ] == data["edges"]
    assert int(PUBLISHED["expected"]["planned_makespan"]) == data["heft_makespan"]
    assert {
        name: [[int(task[1:]), start, end] for task, start, end in rows]
        for name, rows in PUBLISHED["expected"]["plan"].items()
    } == data["schedule"]


def plain_heft(tables: MonoTables, instances: int) -> dict[str, list[Row]] | None:
    """Plan by the text of the article, over fractions; None where a task cannot be placed."""
    ranks = ranks_of(tables)
    labels = Operations(tables, Control()).labels
    depth = {task: place for place, task in enumerate(topological_order(tables))}
    copies = [(copy, task) for copy in range(instances) for task in range(len(tables.tasks))]
    copies.sort(key=lambda it: (-ranks[it[1]], it[0], depth[it[1]]))
    placed: dict[tuple[int, int], tuple[int, Fraction]] = {}
    rows: dict[int, list[Row]] = {i: [] for i in range(tables.num_processors)}
    for copy, task in copies:
        choices = []
        for processor in labels[task]:
            ready: Fraction | None = Fraction(0)
            for file in tables.incoming[task]:
                producer, _, size = tables.files[file]
                sender, made = placed[copy, producer]
                if sender != processor and tables.reference_path(sender, processor) is None:
                    ready = None
                    break
                travel = (
                    sum((size * time for time, _ in hops(tables, sender, processor)), Fraction(0))
                    if sender != processor
                    else Fraction(0)
                )
                ready = max(ready or Fraction(0), made + travel)
            if ready is not None:
                time = tables.time(task, processor)
                start = first_gap(rows[processor], ready, time)
                choices.append((start + time, processor, start))
        if not choices:
            return None
        end, processor, start = min(choices)
        placed[copy, task] = (processor, end)
        rows[processor].append((start, end, copy, task))
    return {
        tables.platform.processors[i].id: sorted(listed) for i, listed in rows.items() if listed
    }


def first_gap(rows: list[Row], ready: Fraction, time: Fraction) -> Fraction:
    candidates = [ready, *(end for _, end, _, _ in rows if end > ready)]
    return min(
        start
        for start in candidates
        if all(end <= start or begin >= start + time for begin, end, _, _ in rows if begin < end)
        or not time
    )


@pytest.mark.parametrize("seed", range(12))
def test_plans_are_those_of_the_article(seed: int) -> None:
    random = Random(f"plan {seed}")
    tables = MonoTables(instance(drawn(random, tasks=random.randint(1, 7), processors=3)))
    expected = plain_heft(tables, 5)
    if expected is None:
        with pytest.raises(NoMapping):
            heft(tables, 5, Control())
        return
    assert plan_by_processor(tables, 5) == expected
    makespan = max(end for rows in expected.values() for _, end, _, _ in rows)
    assert heft(tables, 5, Control()).planned_makespan == makespan


def test_a_short_task_is_inserted_into_a_gap() -> None:
    tables = two_processors(
        [
            {"id": "long", "times": {"A": 10}},
            {"id": "after", "times": {"B": 9}},
            {"id": "short", "times": {"B": 2}},
        ],
        [{"source": "long", "target": "after", "size": 1}],
    )
    plan = plan_by_processor(tables, 1)
    assert [(start, end) for start, end, _, _ in plan["B"]] == [(0, 2), (11, 20)]


def test_among_equal_processors_the_first_is_taken_and_earlier_instances_go_first() -> None:
    tables = two_processors([{"id": "T", "times": {"A": 1, "B": 1}}], [])
    plan = plan_by_processor(tables, 3)
    assert [(start, copy) for start, _, copy, _ in plan["A"]] == [(0, 0), (1, 2)]
    assert [(start, copy) for start, _, copy, _ in plan["B"]] == [(0, 1)]


def test_tasks_of_equal_rank_keep_the_order_of_the_graph() -> None:
    tables = two_processors(
        [
            {"id": "second", "times": {"A": 1}},
            {"id": "first", "times": {"A": 0}},
        ],
        [{"source": "first", "target": "second", "size": 0}],
    )
    assert ranks_of(tables) == [1, 1]
    assert heft(tables, 4, Control()).planned_makespan == 4


def test_processors_that_cannot_pass_their_files_on_are_left_out() -> None:
    tables = two_processors(
        [{"id": "S", "times": {"A": 5, "C": 1}}, {"id": "T", "times": {"A": 5, "B": 1}}],
        [{"source": "S", "target": "T", "size": 1}],
        [{"id": "C"}],
    )
    plan = plan_by_processor(tables, 1)
    assert set(plan) == {"A", "B"}


def test_heft_gives_up_where_its_own_choices_leave_no_path() -> None:
    links = [{"source": s, "target": t, "unit_time": 1} for s, t in ("AC", "BD")]
    tables = MonoTables(
        instance(
            {
                "platform": {"processors": [{"id": name} for name in "ABCD"], "links": links},
                "application": {
                    "tasks": [
                        {"id": "left", "times": {"A": 1, "B": 2}},
                        {"id": "right", "times": {"A": 2, "B": 1}},
                        {"id": "join", "times": {"C": 1, "D": 1}},
                    ],
                    "files": [
                        {"source": "left", "target": "join", "size": 1},
                        {"source": "right", "target": "join", "size": 1},
                    ],
                },
            }
        )
    )
    with pytest.raises(NoMapping, match="'join' is reached"):
        heft(tables, 1, Control())


def test_a_task_that_no_processor_can_feed_is_named() -> None:
    tables = two_processors(
        [{"id": "S", "times": {"C": 1}}, {"id": "T", "times": {"A": 1}}],
        [{"source": "S", "target": "T", "size": 1}],
        [{"id": "C"}],
    )
    with pytest.raises(NoMapping, match="no processor can run task 'S'"):
        heft(tables, 1, Control())


def two_processors(
    tasks: list[Mapping[str, Any]],
    files: list[Mapping[str, Any]],
    others: list[Mapping[str, Any]] | None = None,
) -> MonoTables:
    """A and B with one link of unit time, and processors without any."""
    return MonoTables(
        instance(
            {
                "platform": {
                    "processors": [{"id": "A"}, {"id": "B"}, *(others or [])],
                    "links": [{"source": "A", "target": "B", "unit_time": 1}],
                },
                "application": {"tasks": tasks, "files": files},
            }
        )
    )
