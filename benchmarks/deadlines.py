"""Seconds past the time limit: a large instance of every kind, each in a process of its own.

An answer is there where it is refereed and has its schedule. The claim is the limit and a tenth of
it, at least two seconds.
"""

import random
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import pairwise
from typing import Any

from benchmarks.boxes import mi250
from benchmarks.collectives import allgather, broadcast
from benchmarks.dataflow import SHAPES, drawn
from benchmarks.generators import random_platform, random_task_graph
from benchmarks.measurement import Measurement, stopwatch
from benchmarks.mono_allocation_exact import layered
from benchmarks.uniform_tasks import random_star
from benchmarks.vocoder import vocoder
from steadygrid.domain.errors import SchedulingError
from steadygrid.domain.limits import Limits
from steadygrid.solving import Solver
from steadygrid.submissions.submission import parse_submission

LIMIT = 10.0
"""Seconds."""
LATE = max(2.0, LIMIT / 10)
"""Seconds past it that an answer may come."""
TWO_HALVES = ("mono_allocation, 60 tasks on 200 processors", "cell, 141 tasks")
"""What a search of two halves answers, which two cores work on side by side."""
SHAPE = "as many as an image decoder (JPEG2000), repetitions to 768, bounded, in deadlock"


def measure() -> Iterator[Measurement]:
    """Ask for everything, and tell how late it came."""
    with Solver(Limits()) as solver:
        for what, make in INSTANCES.items():
            body = make()
            asked = parse_submission({**body, "options": {"time_limit": LIMIT}}, Limits())
            with stopwatch() as watch:
                try:
                    found = solver.solve(asked).result
                    told = f"{found.outcome.value}"
                    if found.gap is not None and found.gap:
                        told += f", gap {100 * float(found.gap):.3g} %"
                except SchedulingError as error:
                    told = type(error).__name__
            late = max(0.0, watch.seconds - LIMIT)
            yield Measurement(f"{what} ({told}): past the limit", late, "s", LATE)
    for what in TWO_HALVES:
        for cores in (1, 2):
            yield _gap(what, cores)


def _gap(what: str, cores: int) -> Measurement:
    """Measure how far the answer may be from the best one, by the number of cores."""
    asked = parse_submission({**INSTANCES[what](), "options": {"time_limit": LIMIT}}, Limits())
    with Solver(Limits(), cores=cores) as solver:
        gap = solver.solve(asked).result.gap
    return Measurement(f"{what}, cores {cores}: gap", 100 * float(1 if gap is None else gap), "%")


def _body(instance: Any) -> dict[str, Any]:
    return {"problem": instance.model_dump(mode="json", exclude_none=True, exclude_defaults=True)}


def _chain() -> dict[str, Any]:
    """Draw ten processors and 50 loads of six installments each, whose proof is long."""
    draw = random.Random(0)
    names = [f"P{i}" for i in range(10)]
    return {
        "problem": {
            "kind": "divisible_chain",
            "platform": {
                "processors": [{"id": name, "speed": draw.randint(50, 200)} for name in names],
                "links": [
                    {"source": one, "target": other, "bandwidth": draw.randint(50, 200)}
                    for one, other in pairwise(names)
                ],
            },
            "loads": [
                {
                    "id": f"L{k}",
                    "communication_volume": (volume := draw.randint(100, 1000)),
                    "computation_volume": str(Fraction(draw.randint(50, 200), 100) * volume),
                    "installments": 6,
                }
                for k in range(50)
            ],
        }
    }


def _star(workers: int, **more: Any) -> dict[str, Any]:
    """Draw workers with latencies of which no order is known to be the best."""
    draw = random.Random(1)
    names = [f"P{i}" for i in range(1, workers + 1)]

    def some(most: int) -> str:
        return str(Fraction(draw.randint(most // 10, most), 100))

    return {
        "problem": {
            "kind": "divisible_star",
            "platform": {
                "processors": [
                    {"id": "M"},
                    *({"id": n, "unit_time": some(1000), "latency": some(20)} for n in names),
                ],
                "links": [
                    {"source": "M", "target": n, "unit_time": some(100), "latency": some(20)}
                    for n in names
                ],
            },
            "master": "M",
            "load": {"communication_volume": 1, "computation_volume": 1},
            **more,
        }
    }


def _workflow() -> dict[str, Any]:
    """Draw a chain of stages to be mapped on processors that differ."""
    draw = random.Random(2)
    names = [f"P{i}" for i in range(20)]
    stages = [f"S{k}" for k in range(8)]
    return {
        "problem": {
            "kind": "replicated_workflow",
            "platform": {
                "processors": [{"id": name, "speed": draw.randint(1, 20)} for name in names],
                "links": [
                    {"source": one, "target": other, "bandwidth": draw.randint(5, 50)}
                    for i, one in enumerate(names)
                    for other in names[:i]
                ],
            },
            "application": {
                "tasks": [{"id": stage, "work": draw.randint(10, 100)} for stage in stages],
                "files": [
                    {"source": one, "target": other, "size": draw.randint(1, 40)}
                    for one, other in pairwise(stages)
                ],
            },
        }
    }


INSTANCES: Mapping[str, Callable[[], dict[str, Any]]] = {
    "master_worker, 8,000 processors": lambda: _body(random_platform(0, 8_000, 48_000)),
    "task_graph, 40 tasks on 60 processors": lambda: _body(random_task_graph(0, 40, 60, 3)),
    "mono_allocation, 60 tasks on 200 processors": lambda: _body(layered(60, 200, 0)),
    "collective, broadcast to 300": lambda: broadcast(300, uneven=True),
    "collective, allgather of 64 GPUs": lambda: allgather(mi250(4)),
    "divisible_chain, 10 processors, 50 loads": _chain,
    "divisible_star, 40 workers": lambda: _star(40),
    "divisible_star, 10 workers, several rounds": lambda: _star(10, max_rounds=5),
    "cell, 141 tasks": lambda: _body(vocoder(spes=6)),
    "bag_of_tasks, 100 workers": lambda: _body(random_star(random.Random(0), 100)),
    "replicated_workflow, 8 stages on 20 processors": _workflow,
    "dataflow, 240 actors": lambda: {"problem": drawn(SHAPES[SHAPE], 0)},
}
