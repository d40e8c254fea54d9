"""Flows of task graphs that ignore which instance a file belongs to."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import pyomo.core as pyo

from steadygrid.domain.platform import Arc, arc_uses
from steadygrid.domain.resources import compute_resource
from steadygrid.engine.exact import solve_certified
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.task_graph.schemas import TaskGraphInstance


def places(instance: TaskGraphInstance) -> list[list[int]]:
    """Tell where each task can run."""
    return [[i for i, time in enumerate(row) if time is not None] for row in instance.times]


def without_joins(instance: TaskGraphInstance) -> Fraction:
    """Bound the throughput by flows that ignore instances; exact where no join matters."""
    model = pyo.ConcreteModel()
    arcs = instance.platform.arcs
    able = places(instance)
    model.total = pyo.Var(domain=pyo.NonNegativeReals)
    model.placed = pyo.Var(
        [(k, i) for k, row in enumerate(able) for i in row], domain=pyo.NonNegativeReals
    )
    model.sent = pyo.Var(range(len(instance.files)), range(len(arcs)), domain=pyo.NonNegativeReals)
    model.rows = pyo.ConstraintList()
    capacity: dict[str, list[Any]] = defaultdict(list)
    for k, row in enumerate(able):
        model.rows.add(sum(model.placed[k, i] for i in row) == model.total)
        for i in row:
            if instance.times[k][i]:
                capacity[compute_of(instance, i)].append(instance.times[k][i] * model.placed[k, i])
    for f, (source, target, size) in enumerate(instance.files):
        for node in range(len(instance.platform.processors)):
            balance = sum(model.sent[f, arc.index] for arc in arcs if arc.target == node)
            balance -= sum(model.sent[f, arc.index] for arc in arcs if arc.source == node)
            if node in able[source]:
                balance += model.placed[source, node]
            if node in able[target]:
                balance -= model.placed[target, node]
            if not isinstance(balance, int):
                model.rows.add(balance == 0)
        for arc in arcs:
            use_arc(instance, arc, size, model.sent[f, arc.index], capacity)
    return optimum_of(model, model.total, capacity)


def compute_of(instance: TaskGraphInstance, processor: int) -> str:
    """Name the computing capacity of a processor by its index."""
    return compute_resource(instance.platform.processors[processor].id)


def use_arc(
    instance: TaskGraphInstance, arc: Arc, size: Fraction, flow: Any, capacity: dict[str, list[Any]]
) -> None:
    """Count what a flow of files takes from each resource of an arc."""
    if size:
        for resource, time in arc_uses(instance.platform, arc, instance.ports):
            capacity[resource].append(size * time * flow)


def optimum_of(model: Any, objective: Any, capacity: Mapping[str, Sequence[Any]]) -> Fraction:
    """Solve the program exactly under the capacities."""
    for terms in capacity.values():
        model.rows.add(sum(terms) <= 1)
    model.objective = pyo.Objective(expr=objective, sense=pyo.maximize)
    solved = solve_certified(model, Control())
    if solved.objective is None:
        raise ArithmeticError(f"the program is {solved.status}")
    return solved.objective
