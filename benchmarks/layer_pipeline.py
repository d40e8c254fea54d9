"""Pipelines of layers that train with little memory: the search and the referee."""

from collections.abc import Iterator
from random import Random
from typing import Any

from benchmarks.measurement import Measurement, stopwatch
from steadygrid.domain.job import Options
from steadygrid.domain.schedule import USUAL_LIMITS
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.layer_pipeline.schemas import LayerPipelineInstance, LayerPipelineResult
from steadygrid.kinds.layer_pipeline.sizing import sizing
from steadygrid.kinds.layer_pipeline.solver.methods import solve
from steadygrid.kinds.layer_pipeline.validator import validate

SECONDS = 10.0
"""Claimed for the search and the referee together."""
TRAINED = ((24, (8,)), (48, (16,)), (48, (32,)), (24, (8, 8)), (96, (32,)), (48, (16, 16)))
INTERVALS = ((24, 8, 8), (48, 16, 16), (96, 32, 4), (128, 64, 2))


def measure() -> Iterator[Measurement]:
    """Solve and referee chains that train, then chains of forward passes without copies."""
    for number, counts in TRAINED:
        name = f"{number} layers on {' + '.join(map(str, counts))}"
        yield from _both(name, _training(number, counts))
    for number, devices, device_types in INTERVALS:
        name = f"forward, {number} layers on {devices} of {device_types} device types"
        yield from _both(name, _forward(number, devices, device_types))


def _both(name: str, asked: dict[str, Any]) -> Iterator[Measurement]:
    instance, options = LayerPipelineInstance.model_validate(asked), Options()
    with stopwatch() as watch:
        solution = solve(instance, options, sizing(instance, options), Control(None))
    result = solution.result
    assert isinstance(result, LayerPipelineResult)
    with stopwatch() as refereed:
        validate(instance, options, result, solution.schedule, USUAL_LIMITS)  # type: ignore[arg-type]
    tests, states = result.statistics.tests, result.statistics.states
    yield Measurement(f"{name}: search, {tests} tests, {states} states", watch.seconds, "s")
    both = watch.seconds + refereed.seconds
    yield Measurement(f"{name}: with the referee", both, "s", claim=SECONDS)


def _training(number: int, counts: tuple[int, ...]) -> dict[str, Any]:
    rng = Random(1)
    layers = []
    for i in range(number):
        work = rng.randint(20, 40)
        layer = {"id": f"l{i}", "forward": work, "backward": 2 * work, "output": 2}
        layer |= {"memory": rng.randint(30, 70), "in_flight": rng.randint(10, 40)}
        layers.append(layer | {"weights": rng.randint(10, 30)})
    devices = [
        {
            "id": f"s{i}",
            "count": count,
            "speed": ("1", "2/3")[i],
            "memory": (900, 600)[i] * number // sum(counts) // 4 + 500,
            "reduce_bandwidth": 50,
        }
        for i, count in enumerate(counts)
    ]
    more = {"bandwidth": 1, "update_every": 64}
    return {"kind": "layer_pipeline", "layers": layers, "devices": devices} | more


def _forward(number: int, devices: int, device_types: int) -> dict[str, Any]:
    rng = Random(0)
    room = int(number * 5 / devices * 1.35)
    layers = [
        {"id": f"l{i}", "forward": rng.randint(20, 40), "memory": rng.randint(3, 7)}
        for i in range(number)
    ]
    counted = [
        {
            "id": f"s{i}",
            "count": devices // device_types,
            "speed": 10 + 3 * i,
            "memory": room + 4 * (i % 3),
        }
        for i in range(device_types)
    ]
    asked = {"kind": "layer_pipeline", "layers": layers, "devices": counted}
    return asked | {"max_replicas": 1}
