"""HEFT's plan of one instance, and the lattice of dates that it counts in."""

import random
from collections.abc import Iterator
from typing import Any

from benchmarks.measurement import Measurement, stopwatch
from steadygrid.engine.simulation.execution import Operations
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.mono_allocation.schemas import MonoAllocationInstance
from steadygrid.kinds.mono_allocation.solver.references.heft import planned
from steadygrid.kinds.mono_allocation.solver.tables import MonoTables

TASKS, PROCESSORS = 200, 20
_RUNS = 5


def drawn(tasks: int, processors: int) -> dict[str, Any]:
    """Draw a graph whose tasks need one to three of the twenty before them; all processors are linked."""
    draw = random.Random(tasks)
    files = [
        {"source": f"t{source}", "target": f"t{target}", "size": draw.randint(1, 20)}
        for target in range(1, tasks)
        for source in draw.sample(
            range(max(0, target - 20), target), min(target, draw.randint(1, 3))
        )
    ]
    return {
        "kind": "mono_allocation",
        "ports": "multiport",
        "application": {
            "name": "drawn",
            "tasks": [{"id": f"t{task}", "work": draw.randint(1, 50)} for task in range(tasks)],
            "files": files,
        },
        "platform": {
            "processors": [
                {"id": f"P{place}", "speed": draw.randint(1, 5)} for place in range(processors)
            ],
            "links": [
                {"source": f"P{one}", "target": f"P{other}", "bandwidth": draw.randint(1, 5)}
                for one in range(processors)
                for other in range(one + 1, processors)
            ],
        },
    }


def measure() -> Iterator[Measurement]:
    """Plan the graph; that takes little longer than finding the lattice."""
    tables = MonoTables(MonoAllocationInstance.model_validate(drawn(TASKS, PROCESSORS)))
    lattice, plan = [], []
    for _ in range(_RUNS):
        with stopwatch() as watch:
            operations = Operations(tables, Control())
        lattice.append(watch.seconds)
        with stopwatch() as watch:
            planned(operations, 1, Control())
        plan.append(watch.seconds)
    what = f"{TASKS} tasks on {PROCESSORS} processors: plan"
    yield Measurement(what, min(plan), "s", claim=1.0)
    yield Measurement(f"{what}, over lattice", min(plan) / min(lattice), "times", claim=8.0)
