"""One transfer at a time, against all placements and all slots there are."""

from collections import defaultdict
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pyomo.core as pyo
import pytest

from steadygrid.domain.platform import Platform
from steadygrid.engine.exact import solve_certified
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.task_graph.schemas import TaskGraphInstance
from tests.engine.matching.all_slots import all_slots, share_time
from tests.kinds.task_graph.enumeration import mappings
from tests.kinds.task_graph.random_instances import random_instance
from tests.solved import solve

F = Fraction
PORTS = ("send_or_receive", "no_overlap")


def ring(processors: int, ports: str, **problem: Any) -> dict[str, Any]:
    """Tasks in a row, each on a processor of its own, that hand files on all around a ring."""
    names = [f"P{k}" for k in range(processors)]
    tasks = [
        {"id": f"T{k}", "work": 0, "allowed": [names[k % processors]]}
        for k in range(processors + 1)
    ]
    return {
        "problem": {
            "kind": "task_graph",
            "platform": {
                "processors": [{"id": name, "unit_time": 1} for name in names],
                "links": [
                    {"source": names[k], "target": names[(k + 1) % processors], "unit_time": 1}
                    for k in range(processors)
                ],
            },
            "application": {
                "tasks": tasks,
                "files": [
                    {"source": f"T{k}", "target": f"T{k + 1}", "size": 1} for k in range(processors)
                ],
            },
            "ports": ports,
        }
        | problem
    }


def by_all_slots(
    instance: TaskGraphInstance,
    listed: Callable[[Platform], list[frozenset[int]]] = all_slots,
) -> Fraction:
    """Solve over all placements, with one flow per file and pair of processors, and all slots."""
    platform: Platform = instance.platform
    every = list(mappings(instance))
    model = pyo.ConcreteModel()
    model.rate = pyo.Var(range(len(every)), domain=pyo.NonNegativeReals)
    demand: dict[tuple[int, int, int], list[Any]] = defaultdict(list)
    computed: dict[int, Any] = defaultdict(int)
    for number, mapping in enumerate(every):
        for k, i in enumerate(mapping):
            computed[i] += instance.times[k][i] * model.rate[number]
        for f, (source, target, _) in enumerate(instance.files):
            if mapping[source] != mapping[target]:
                demand[f, mapping[source], mapping[target]].append(model.rate[number])
    model.flow = pyo.Var(list(demand), range(len(platform.arcs)), domain=pyo.NonNegativeReals)
    model.rows = pyo.ConstraintList()
    carried: dict[int, Any] = defaultdict(int)
    for (f, i, j), rates in demand.items():
        for node in range(len(platform.processors)):
            entering = sum(model.flow[f, i, j, a.index] for a in platform.arcs_in[node])
            leaving = sum(model.flow[f, i, j, a.index] for a in platform.arcs_out[node])
            wanted = ((node == j) - (node == i)) * sum(rates)
            if not isinstance(entering - leaving - wanted, int):
                model.rows.add(entering - leaving - wanted == 0)
        for arc in platform.arcs:
            if size := instance.files[f][2]:
                carried[arc.index] += size * arc.unit_time * model.flow[f, i, j, arc.index]
    share_time(model, platform, instance.ports, carried, computed, listed=listed)
    model.total = pyo.Objective(expr=sum(model.rate.values()), sense=pyo.maximize)
    return solve_certified(model, Control()).objective


def drawn(shape: str, seed: int, ports: str) -> dict[str, Any]:
    """Draw an instance on a few processors that tasks share."""
    problem = random_instance(shape, 2 * seed).model_dump(mode="json", exclude_none=True)
    problem["platform"]["media"] = []
    for link in problem["platform"]["links"]:
        link["media"] = []
    return {"problem": problem | {"ports": ports}}


@pytest.mark.parametrize("ports", PORTS)
@pytest.mark.parametrize(
    ("shape", "seed"), [("fork_join", 1), ("fork_join", 2), ("out_tree", 3), ("layered", 4)]
)
def test_the_throughput_is_that_of_all_slots(shape: str, seed: int, ports: str) -> None:
    body = drawn(shape, seed, ports)
    solved = solve(body, whole_files=False)
    if solved.result.outcome != "infeasible":
        assert solved.result.outcome == "optimal"
        best = by_all_slots(TaskGraphInstance.model_validate(body["problem"]))
        assert solved.result.objective.value == best
        assert solved.schedule.loss == 0


@pytest.mark.parametrize("ports", PORTS)
@pytest.mark.parametrize(("processors", "best"), [(3, F(1, 3)), (5, F(2, 5))])
def test_around_an_odd_ring_less_than_half_of_the_processors_send(
    processors: int, best: Fraction, ports: str
) -> None:
    solved = solve(ring(processors, ports))
    all_processors = "--".join(f"P{k}" for k in range(processors))
    assert solved.result.objective.value == best
    assert solved.result.certificate.prices == {f"{all_processors}.odd": best}
    assert sum(len(slot.transfers) for slot in solved.schedule.slots) >= processors
