"""Sarkar's clusters, and where they are sent."""

from typing import Any

import pytest

from steadygrid.engine.mapping import NoMapping
from steadygrid.engine.simulation.execution import Operations
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.mono_allocation.solver.references.clustering import clustering, clusters
from steadygrid.kinds.mono_allocation.solver.references.ranks import mean_times, mean_transfer_times
from steadygrid.kinds.mono_allocation.solver.tables import MonoTables
from tests.kinds.mono_allocation.executions import check_execution, instance, watched

File = tuple[str, str, int]


def graph(tasks: list[dict[str, Any]], files: list[File], links: str = "AB AC BC") -> MonoTables:
    """Processors A, B and C of speed 1 with links of unit time."""
    return MonoTables(
        instance(
            {
                "platform": {
                    "processors": [{"id": name, "speed": 1} for name in "ABC"],
                    "links": [
                        {"source": one, "target": other, "unit_time": 1}
                        for one, other in links.split()
                    ],
                },
                "application": {
                    "tasks": tasks,
                    "files": [{"source": s, "target": t, "size": size} for s, t, size in files],
                },
            }
        )
    )


def works(**by_name: int) -> list[dict[str, Any]]:
    return [{"id": name, "work": work} for name, work in by_name.items()]


def clusters_of(tables: MonoTables) -> list[set[str]]:
    operations = Operations(tables, Control())
    leaders = clusters(tables, operations, mean_times(tables), mean_transfer_times(operations))
    groups: dict[int, set[str]] = {}
    for task, leader in zip(tables.tasks, leaders, strict=True):
        groups.setdefault(leader, set()).add(task)
    return list(groups.values())


def test_a_chain_becomes_one_cluster() -> None:
    tables = graph(works(a=1, b=1, c=1), [("a", "b", 5), ("b", "c", 0)])
    assert clusters_of(tables) == [{"a", "b", "c"}]


def test_branches_stay_parallel_where_files_cost_less_than_waiting() -> None:
    files = [("fork", "left", 2), ("fork", "right", 1), ("left", "join", 2), ("right", "join", 1)]
    tables = graph(works(fork=1, left=10, right=10, join=1), files)
    assert clusters_of(tables) == [{"fork", "left", "join"}, {"right"}]


def test_branches_are_joined_where_files_cost_more_than_waiting() -> None:
    files = [("fork", "left", 9), ("fork", "right", 9), ("left", "join", 9), ("right", "join", 9)]
    tables = graph(works(fork=1, left=2, right=2, join=1), files)
    assert clusters_of(tables) == [{"fork", "left", "right", "join"}]


def test_the_costliest_file_is_looked_at_first() -> None:
    tables = graph(works(a=4, b=4, c=4), [("a", "c", 3), ("b", "c", 4)])
    assert clusters_of(tables) == [{"a"}, {"b", "c"}]


def test_tasks_that_share_no_processor_are_not_merged() -> None:
    tasks = [
        {"id": "a", "work": 1, "allowed": ["A", "B"]},
        {"id": "b", "work": 1},
        {"id": "c", "work": 1, "allowed": ["C", "B"]},
        {"id": "d", "work": 1, "allowed": ["C", "A"]},
    ]
    files = [("a", "b", 9), ("b", "c", 8), ("c", "d", 7)]
    assert clusters_of(graph(tasks, files)) == [{"a", "b", "c"}, {"d"}]


def test_nothing_is_gathered_around_a_task_that_is_bound_to_one_processor() -> None:
    tasks = [{"id": "read", "work": 0, "allowed": ["A"]}, *works(a=1, b=1)]
    tables = graph(tasks, [("read", "a", 9), ("a", "b", 9)])
    assert clusters_of(tables) == [{"read"}, {"a", "b"}]


def test_a_cluster_runs_on_one_processor_and_instances_on_several(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tasks = [{"id": "read", "work": 0, "allowed": ["A"]}, *works(a=5, b=5)]
    tables = graph(tasks, [("read", "a", 1), ("a", "b", 9)])
    with watched(monkeypatch) as executions:
        answer = clustering(tables, 6, Control())
    check_execution(tables, executions[0], answer)
    assert executions[0].processors == [
        [0, 0, 0],
        [0, 1, 1],
        [0, 2, 2],
        [0, 0, 0],
        [0, 1, 1],
        [0, 2, 2],
    ]
    assert answer.makespan == 21


def test_a_cluster_is_sent_where_its_results_can_leave_soon(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tasks = [*works(a=5, b=5), {"id": "write", "work": 0, "allowed": ["C"]}]
    tables = graph(tasks, [("a", "b", 9), ("b", "write", 11)])
    with watched(monkeypatch) as executions:
        clustering(tables, 2, Control())
    assert executions[0].processors == [[2, 2, 2], [2, 2, 2]]


def test_a_cluster_that_no_processor_can_feed_is_named() -> None:
    tasks = [
        {"id": "left", "work": 5, "allowed": ["A", "B"]},
        {"id": "right", "times": {"A": 9, "B": 1}},
        {"id": "join", "work": 3, "allowed": ["C"]},
    ]
    files = [("left", "join", 1), ("right", "join", 1)]
    assert clustering(graph(tasks, files, "AC BC"), 1, Control()).makespan == 9
    with pytest.raises(NoMapping, match="no processor can run task 'left'"):
        clustering(graph(tasks, files, "AB"), 1, Control())
