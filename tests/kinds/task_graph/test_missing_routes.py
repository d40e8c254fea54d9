"""Pairs of processors that have no route: no file goes there, even if links join them."""

from fractions import Fraction
from itertools import pairwise, permutations, product
from random import Random
from typing import Any

import pyomo.core as pyo
import pytest

from steadygrid.domain.job import Outcome
from steadygrid.domain.platform import Platform, Route, arc_uses
from steadygrid.domain.pools import Pools
from steadygrid.domain.resources import compute_resource
from steadygrid.engine.exact import solve_certified
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.task_graph.schemas import TaskGraphInstance
from steadygrid.kinds.task_graph.solver import column_generation
from tests import solved
from tests.draws import draws
from tests.kinds.task_graph.enumeration import places
from tests.kinds.task_graph.random_instances import SHAPES, random_instance
from tests.kinds.task_graph.test_twins import drawn
from tests.pair_routes import all_routes
from tests.solved import Solved


def closed(platform: Platform, random: Random) -> Platform:
    """Let some pairs of processors have no route."""
    pairs = list(permutations([processor.id for processor in platform.processors], 2))
    number = random.choice((1, len(pairs) // 3, 2 * len(pairs) // 3))
    missing = [Route(source=a, target=b, missing=True) for a, b in random.sample(pairs, number)]
    return platform.model_copy(update={"routes": tuple(missing)})


def solve(instance: TaskGraphInstance) -> Solved:
    return solved.solve({"problem": instance.model_dump(mode="json", exclude_none=True)})


def over_all_placements(instance: TaskGraphInstance) -> Fraction | None:
    """Solve the program with a variable for each placement whose files have routes."""
    platform = instance.platform
    ways = all_routes(platform)
    rows: dict[str, Any] = {}
    model = pyo.ConcreteModel()
    model.rate = pyo.VarList(domain=pyo.NonNegativeReals)
    for placement in product(*places(instance)):
        files = [(placement[s], placement[t], size) for s, t, size in instance.files]
        if any(i != j and (i, j) not in ways for i, j, _ in files):
            continue
        rate = model.rate.add()
        for k, i in enumerate(placement):
            name = compute_resource(platform.processors[i].id)
            rows[name] = rows.get(name, 0) + (instance.times[k][i] or 0) * rate
        for i, j, size in files:
            for hop in pairwise(ways.get((i, j), ())):
                for name, time in arc_uses(platform, platform.arc_by_ends[hop], instance.ports):
                    rows[name] = rows.get(name, 0) + size * time * rate
    if not len(model.rate):
        return None
    model.rows = pyo.ConstraintList()
    for row in rows.values():
        if not isinstance(row, int) and not row.is_constant():
            model.rows.add(row <= 1)
    model.objective = pyo.Objective(expr=sum(model.rate.values()), sense=pyo.maximize)
    return solve_certified(model, Control()).objective


def test_the_optimum_is_that_of_all_placements() -> None:
    impossible = hindered = 0
    for seed in range(draws(12, 600)):
        shape = sorted(SHAPES)[seed % len(SHAPES)]
        free = random_instance(shape, seed)
        instance = free.model_copy(
            update={"routing": "fixed", "platform": closed(free.platform, Random(seed))}
        )
        expected = over_all_placements(instance)
        result, schedule = solve(instance)
        if expected is None:
            assert result.outcome is Outcome.INFEASIBLE
            impossible += 1
            continue
        hindered += expected < over_all_placements(free)
        assert result.bound.value == expected
        if instance.ports != "one_port":
            assert result.objective.value == expected
        for allocation in schedule.allocations if schedule else ():
            for transfer in allocation.transfers:
                ends = transfer.path[0], transfer.path[-1]
                assert ends not in instance.platform.missing_routes
    assert impossible
    assert hindered


def over_all_hosts(instance: TaskGraphInstance, **_: Any) -> Pools:
    return Pools(instance.platform, instance.ports, ())


def closed_alike(platform: Platform, random: Random) -> Platform:
    """Let processors of equal speed have the same routes missing, or some only of them."""
    sorts: dict[object, list[str]] = {}
    for processor in platform.processors:
        sorts.setdefault((processor.time_per_work, processor.switch), []).append(processor.id)
    groups = list(sorts.values())
    missing: dict[tuple[str, str], Route] = {}
    for _ in range(2):
        for source, target in product(random.choice(groups), random.choice(groups)):
            if source != target and random.random() < random.choice((1, 1, 0.9)):
                missing[source, target] = Route(source=source, target=target, missing=True)
    return platform.model_copy(update={"routes": tuple(missing.values())})


def test_pools_have_the_optimum_of_all_hosts(monkeypatch: pytest.MonkeyPatch) -> None:
    with_classes = 0
    for seed in range(draws(30, 3_000)):
        instance = drawn(seed, "one_port", "multiport")
        if instance is None:
            continue
        platform = closed_alike(instance.platform, Random(seed))
        instance = instance.model_copy(update={"routing": "fixed", "platform": platform})
        pools = solve(instance).result
        if not pools.classes:
            continue
        with_classes += 1
        with monkeypatch.context() as patched:
            patched.setattr(column_generation, "pools_of", over_all_hosts)
            hosts = solve(instance).result
        assert pools.bound == hosts.bound, seed
        assert pools.outcome is hosts.outcome or instance.ports == "one_port"
    assert with_classes > 5


def test_a_job_that_needs_a_missing_route_is_infeasible_and_says_so() -> None:
    instance = TaskGraphInstance.model_validate(
        {
            "kind": "task_graph",
            "routing": "fixed",
            "platform": {
                "processors": [{"id": "a", "speed": 1}, {"id": "b", "speed": 1}, {"id": "r"}],
                "links": [{"source": name, "target": "r", "unit_time": 1} for name in "ab"],
                "routes": [{"source": "a", "target": "b", "missing": True}],
            },
            "application": {
                "tasks": [
                    {"id": "make", "work": 1, "allowed": ["a"]},
                    {"id": "use", "work": 1, "allowed": ["b"]},
                ],
                "files": [{"source": "make", "target": "use", "size": 1}],
            },
        },
        strict=False,
    )
    result = solve(instance).result
    assert result.outcome is Outcome.INFEASIBLE
    assert any("routes are missing, such as that from 'a' to 'b'" in note for note in result.notes)
    assert solve(instance.model_copy(update={"routing": "free"})).result.outcome is Outcome.OPTIMAL
