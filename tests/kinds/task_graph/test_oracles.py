"""Published and hand-made instances whose optimum is known, compared exactly."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from benchmarks.joins import without_joins
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.master_worker.schemas import MasterWorkerInstance
from steadygrid.kinds.task_graph.schemas import TaskGraphInstance
from steadygrid.kinds.task_graph.solver.constraint_lists.method import solve
from tests.kinds.task_graph.enumeration import check_plans, enumerated
from tests.kinds.task_graph.solving import solve as solve_as_asked

HERE = Path(__file__).parent
INSTANCES = sorted((HERE / "instances").glob("*.json"))
MASTER_WORKER = sorted((HERE.parent / "master_worker" / "instances").glob("*.json"))


def load(path: Path) -> tuple[TaskGraphInstance, dict[str, Any]]:
    document = json.loads(path.read_text())
    return TaskGraphInstance.model_validate(document["body"]["problem"]), document["expected"]


@pytest.mark.parametrize("path", INSTANCES, ids=lambda path: path.stem)
def test_the_optimum_of_the_literature_is_reproduced_exactly(path: Path) -> None:
    instance, expected = load(path)
    answer = solve(instance, Control())
    check_plans(instance, answer.plans)
    assert answer.statistics.dependency_depth == expected["dependency_depth"]
    if expected["throughput"] is None:
        assert answer.infeasible
        assert answer.plans == []
        assert answer.bound is None
        return
    assert answer.throughput == answer.bound == Fraction(expected["throughput"])
    assert answer.exact
    assert sum(answer.prices.values()) == answer.bound
    if "rates" in expected:
        assert [plan.rate for plan in answer.plans] == [Fraction(r) for r in expected["rates"]]


@pytest.mark.parametrize("method", ["constraint_lists", "column_generation"])
@pytest.mark.parametrize("path", INSTANCES, ids=lambda path: path.stem)
def test_the_referee_accepts_what_each_method_answers(path: Path, method: str) -> None:
    instance, expected = load(path)
    result, schedule = solve_as_asked(instance, method)
    if expected["throughput"] is None:
        assert result.outcome == "infeasible"
        assert result.objective is None
        assert schedule is None
        return
    value = Fraction(expected["throughput"])
    assert result.outcome == "optimal"
    assert result.objective is not None
    assert result.objective.value == value
    assert result.gap == 0
    assert schedule is not None
    assert schedule.throughput == value
    assert sum(allocation.rate for allocation in schedule.allocations) == value


@pytest.mark.parametrize("path", INSTANCES, ids=lambda path: path.stem)
def test_enumeration_finds_the_same(path: Path) -> None:
    instance, expected = load(path)
    assert enumerated(instance) == Fraction(expected["throughput"] or 0)
    if "without_joins" in expected:
        assert without_joins(instance) == Fraction(expected["without_joins"])


def as_task_graph(instance: MasterWorkerInstance) -> TaskGraphInstance:
    """Write independent tasks as begin -> task (-> end, if outputs return)."""
    ids = [processor.id for processor in instance.platform.processors]
    times = {
        name: time
        for name, time in zip(ids, instance.compute_times, strict=True)
        if time is not None
    }
    tasks = [{"id": "begin", "times": {instance.master: 0}}, {"id": "task", "times": times}]
    files = [{"source": "begin", "target": "task", "size": instance.task.input_size}]
    if instance.task.output_size:
        tasks.append({"id": "end", "times": {instance.master: 0}})
        files.append({"source": "task", "target": "end", "size": instance.task.output_size})
    return TaskGraphInstance.model_validate(
        {
            "kind": "task_graph",
            "platform": instance.platform,
            "application": {"tasks": tasks, "files": files},
            "ports": instance.ports,
        }
    )


@pytest.mark.parametrize("method", ["constraint_lists", "column_generation"])
@pytest.mark.parametrize("path", MASTER_WORKER, ids=lambda path: path.stem)
def test_independent_tasks_written_as_a_graph_have_the_same_throughput(
    path: Path, method: str
) -> None:
    document = json.loads(path.read_text())
    expected = document["expected"]
    bound = Fraction(expected.get("bound", expected["throughput"]))
    if not bound:
        return
    instance = MasterWorkerInstance.model_validate(document["body"]["problem"])
    result, schedule = solve_as_asked(as_task_graph(instance), method)
    assert result.bound is not None
    assert result.bound.value == bound
    assert schedule is not None
    if "bound" in expected:
        assert result.outcome == "feasible"
        assert schedule.throughput < bound
    else:
        assert result.outcome == "optimal"
        assert schedule.throughput == bound
