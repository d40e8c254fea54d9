"""One transfer at a time, against the program over all slots there are."""

import itertools
import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pyomo.core as pyo
import pytest

from steadygrid.domain.platform import Platform
from steadygrid.engine.exact import solve_certified
from steadygrid.engine.solving.control import Control
from tests.engine.matching.all_slots import all_slots, share_time
from tests.solved import solve

F = Fraction
PORTS = ("send_or_receive", "no_overlap")


def drawn(seed: int, ports: str) -> dict[str, Any]:
    """Draw a small platform with cycles; a switch, links of all sorts, and results at times."""
    draw = random.Random(seed)
    count = draw.randint(3, 5)
    pairs = list(itertools.combinations(range(count), 2))
    chosen = {(i, i + 1) for i in range(count - 1)} | {
        pair for pair in pairs if draw.random() < 0.7
    }
    processors: list[dict[str, Any]] = [{"id": "P0"}]
    for i in range(1, count):
        kind = draw.choice(["router", "switch", *["worker"] * 5])
        processors.append({"id": f"P{i}"})
        if kind == "switch":
            processors[-1]["switch"] = True
        elif kind == "worker":
            processors[-1]["unit_time"] = str(F(draw.randint(1, 9), 4))
    links = [
        {
            "source": f"P{a}",
            "target": f"P{b}",
            "unit_time": str(F(draw.randint(1, 6), draw.randint(1, 3))),
            "duplex": draw.choice(["full", "full", "half", "simplex"]),
        }
        for a, b in sorted(chosen)
    ]
    task = {"work": 1, "input_size": 1, "output_size": draw.choice([0, 1, 2])}
    return {
        "problem": {
            "kind": "master_worker",
            "platform": {"processors": processors, "links": links},
            "master": "P0",
            "task": task,
            "ports": ports,
        }
    }


def by_all_slots(
    body: dict[str, Any], listed: Callable[[Platform], list[frozenset[int]]] = all_slots
) -> Fraction:
    """Solve over all slots, whatever the odd sets."""
    problem = body["problem"]
    platform, task = Platform.model_validate(problem["platform"]), problem["task"]
    times = {i: p.unit_time for i, p in enumerate(platform.processors) if p.unit_time}
    sizes = {1: F(task["input_size"]), -1: F(task["output_size"])}
    arcs = platform.arcs
    model = pyo.ConcreteModel()
    model.x = pyo.Var(list(times), domain=pyo.NonNegativeReals)
    model.sent = pyo.Var(
        [(sign, arc.index) for sign, size in sizes.items() if size for arc in arcs],
        domain=pyo.NonNegativeReals,
    )
    model.rows = pyo.ConstraintList()
    for sign, i in itertools.product(
        [1, -1] if sizes[-1] else [1], range(1, len(platform.processors))
    ):
        here = [(a.index, 1 if a.target == i else -1) for a in arcs if i in (a.source, a.target)]
        balance = sum(entering * model.sent[sign, index] for index, entering in here)
        if here:
            model.rows.add(balance == (sign * model.x[i] if i in times else 0))
        elif i in times:
            model.rows.add(model.x[i] == 0)
    carried = {
        arc.index: sum(
            size * arc.unit_time * model.sent[sign, arc.index]
            for sign, size in sizes.items()
            if size
        )
        for arc in arcs
    }
    computed = {i: time * model.x[i] for i, time in times.items()}
    share_time(model, platform, problem["ports"], carried, computed, listed=listed)
    model.total = pyo.Objective(expr=sum(model.x.values()), sense=pyo.maximize)
    return solve_certified(model, Control()).objective


@pytest.mark.parametrize("ports", PORTS)
@pytest.mark.parametrize("seed", range(12))
def test_the_throughput_is_that_of_all_slots(seed: int, ports: str) -> None:
    body = drawn(seed, ports)
    if not any("unit_time" in p for p in body["problem"]["platform"]["processors"]):
        return
    solved = solve(body, whole_files=False, max_period="exact")
    assert solved.result.outcome == "optimal"
    assert solved.result.objective.value == by_all_slots(body)
    assert solved.schedule.loss == 0
