"""Instances that stay on one processor."""

from fractions import Fraction
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from steadygrid.engine.mapping import NoMapping
from steadygrid.engine.simulation.execution import Execution
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.mono_allocation.solver.references import clustering as clustering_module
from steadygrid.kinds.mono_allocation.solver.references import data_parallel as data_parallel_module
from steadygrid.kinds.mono_allocation.solver.references.clustering import clustering
from steadygrid.kinds.mono_allocation.solver.references.data_parallel import data_parallel
from steadygrid.kinds.mono_allocation.solver.tables import MonoTables
from tests.kinds.mono_allocation.drawn import drawn
from tests.kinds.mono_allocation.executions import instance, watched


def processors_used(
    tables: MonoTables, instances: int, monkeypatch: pytest.MonkeyPatch
) -> list[list[str]]:
    with watched(monkeypatch) as executions:
        data_parallel(tables, instances, Control())
    names = [processor.id for processor in tables.platform.processors]
    return [[names[i] for i in row] for row in executions[0].processors]


def of(document: dict[str, Any]) -> MonoTables:
    return MonoTables(instance(document))


def star(tasks: list[dict[str, Any]], size: int) -> MonoTables:
    """A chain on A and B, of speeds 1 and 2, with a link of unit time."""
    return of(
        {
            "platform": {
                "processors": [{"id": "A", "speed": 1}, {"id": "B", "speed": 2}],
                "links": [{"source": "A", "target": "B", "unit_time": 1}],
            },
            "application": {
                "tasks": tasks,
                "files": [
                    {"source": one["id"], "target": other["id"], "size": size}
                    for one, other in pairwise(tasks)
                ],
            },
        }
    )


def test_each_instance_goes_where_it_ends_first(monkeypatch: pytest.MonkeyPatch) -> None:
    tables = star([{"id": "S", "work": 1}, {"id": "T", "work": 3}], 100)
    assert processors_used(tables, 4, monkeypatch) == [["B"] * 2, ["A"] * 2, ["B"] * 2, ["B"] * 2]
    answer = data_parallel(tables, 4, Control())
    assert answer.makespan == 6
    assert answer.latency == Fraction(2 + 4 + 2 + 2, 4)
    assert answer.planned_makespan is None


def test_bound_tasks_stay_and_their_files_travel(monkeypatch: pytest.MonkeyPatch) -> None:
    tasks = [
        {"id": "read", "work": 0, "allowed": ["A"]},
        {"id": "T", "work": 6},
        {"id": "write", "work": 0, "allowed": ["A"]},
    ]
    assert processors_used(star(tasks, 1), 3, monkeypatch) == [
        ["A", "B", "A"],
        ["A", "A", "A"],
        ["A", "B", "A"],
    ]
    assert data_parallel(star(tasks, 1), 3, Control()).makespan == 8


def test_costly_files_keep_everything_at_the_source(monkeypatch: pytest.MonkeyPatch) -> None:
    tasks = [
        {"id": "read", "work": 0, "allowed": ["A"]},
        {"id": "T", "work": 6},
    ]
    assert processors_used(star(tasks, 100), 3, monkeypatch) == [["A", "A"]] * 3


def test_tasks_that_are_all_bound_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    tasks = [{"id": "S", "work": 1, "allowed": ["A"]}, {"id": "T", "work": 1, "allowed": ["B"]}]
    assert processors_used(star(tasks, 1), 2, monkeypatch) == [["A", "B"]] * 2


def test_tasks_of_one_instance_run_one_after_the_other() -> None:
    tables = of(
        {
            "platform": {"processors": [{"id": "A", "speed": 1}, {"id": "B", "speed": 1}]},
            "application": {"tasks": [{"id": "S", "work": 1}, {"id": "T", "work": 1}]},
        }
    )
    assert data_parallel(tables, 2, Control()).makespan == 2
    assert data_parallel(tables, 2, Control()).latency == 2


def test_nothing_can_be_done_where_no_processor_runs_the_rest() -> None:
    tables = of(
        {
            "platform": {"processors": [{"id": name, "speed": 1} for name in "ABCD"]},
            "application": {
                "tasks": [
                    {"id": "S", "work": 1, "allowed": ["A", "B"]},
                    {"id": "T", "work": 1, "allowed": ["C", "D"]},
                ]
            },
        }
    )
    with pytest.raises(NoMapping, match="no processor can run every task"):
        data_parallel(tables, 2, Control())


def test_nothing_can_be_done_without_a_path_to_the_bound_tasks() -> None:
    tables = of(
        {
            "platform": {"processors": [{"id": name, "speed": 1} for name in "ABC"]},
            "application": {
                "tasks": [
                    {"id": "S", "work": 1, "allowed": ["A"]},
                    {"id": "T", "work": 1, "allowed": ["B", "C"]},
                ],
                "files": [{"source": "S", "target": "T", "size": 1}],
            },
        }
    )
    with pytest.raises(NoMapping, match="no processor that can run all tasks has a path"):
        data_parallel(tables, 2, Control())


@pytest.mark.parametrize("reference", [data_parallel, clustering])
@pytest.mark.parametrize("seed", range(12))
def test_trying_only_what_could_be_best_changes_nothing(
    seed: int, reference: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = drawn(Random(f"lazy {seed}"), tasks=6, processors=5, everywhere=True)
    document["application"]["tasks"][0]["allowed"] = ["P0"]
    tables = of(document)
    with watched(monkeypatch) as executions:
        reference(tables, 15, Control())

        def all_tried(
            execution: Execution, bounds: dict[int, int], instance: int, end_on: Any
        ) -> int:
            ends = {}
            for processor in bounds:
                execution.timetable.begin_trial()
                ends[processor] = end_on(processor, instance)
                execution.timetable.end_trial()
            return min(ends, key=lambda processor: (ends[processor], processor))

        with monkeypatch.context() as patch:
            patch.setattr(data_parallel_module, "first_to_finish", all_tried)
            patch.setattr(clustering_module, "first_to_finish", all_tried)
            reference(tables, 15, Control())
    lazy, exhaustive = executions
    assert lazy.processors == exhaustive.processors
    assert lazy.starts == exhaustive.starts
