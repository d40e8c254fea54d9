"""Periods of dataflow graphs, from the body of the request to the answer without its referee."""

import json
import random
from collections.abc import Iterator, Sequence
from math import lcm
from typing import Any, NamedTuple

from benchmarks.measurement import Measurement, stopwatch
from steadygrid.domain.job import Options
from steadygrid.domain.problem import Sizing
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.dataflow import PROBLEM
from steadygrid.kinds.dataflow.schemas import DataflowInstance
from steadygrid.kinds.dataflow.solver.methods import solve
from steadygrid.kinds.dataflow.validator import validate


class Shape(NamedTuple):
    """What a random graph looks like; sizes are those of published benchmarks."""

    actors: int
    channels: int
    repetitions: Sequence[int]
    """Drawn from these."""
    phases: Sequence[int]
    room: int
    """Of each channel, in productions and consumptions, by a channel back; 0: without limit."""
    concurrency: str
    claim: float


SHAPES = {
    "as many actors and channels as a video decoder (H264)": Shape(
        666, 3128, (1, 1, 1, 2, 4, 8), (1,), 0, "sequential", 3
    ),
    "the same with bounded channels, auto": Shape(
        666, 3128, (1, 1, 1, 2, 4, 8), (1,), 16, "auto", 8
    ),
    "as many as an image decoder (JPEG2000), repetitions to 768, bounded, in deadlock": Shape(
        240, 703, (1, 3, 9, 16, 48, 256, 768), (1,), 16, "auto", 8
    ),
    "25 actors of up to 1,091 phases, bounded": Shape(
        25, 40, (1, 2, 3), (1, 291, 609, 1091), 2, "sequential", 3
    ),
    "12 actors, repetitions about 1,000 without common divisors, bounded, auto": Shape(
        12, 20, (997, 1009, 1013, 1019, 1021, 1031), (1,), 6, "auto", 5
    ),
}


def drawn(shape: Shape, seed: int) -> dict[str, Any]:
    """Draw a connected graph whose channels lead forwards, and back where room is bounded."""
    chance = random.Random(seed)
    cycles = [chance.choice(shape.repetitions) for _ in range(shape.actors)]
    phases = [chance.choice(shape.phases) for _ in range(shape.actors)]
    channels: list[dict[str, Any]] = []
    for place in range(shape.channels):
        if place < shape.actors - 1:
            target = place + 1
            source = chance.randint(max(0, target - 8), target - 1)
        else:
            source = chance.randrange(shape.actors - 1)
            target = chance.randint(source + 1, min(shape.actors - 1, source + 10))
        moved = lcm(cycles[source], cycles[target])
        made = _split(chance, moved // cycles[source], phases[source])
        taken = _split(chance, moved // cycles[target], phases[target])
        ends = {"source": f"a{source}", "target": f"a{target}"}
        channels.append({**ends, "production": made, "consumption": taken})
        if shape.room:
            back: dict[str, Any] = {"source": f"a{target}", "target": f"a{source}"}
            room = shape.room * (moved // cycles[source] + moved // cycles[target])
            channels.append({**back, "production": taken, "consumption": made, "tokens": room})
    actors = [
        {"id": f"a{place}", "times": [chance.randint(1, 1000) for _ in range(count)]}
        for place, count in enumerate(phases)
    ]
    graph = {"actors": actors, "channels": channels}
    return {"kind": "dataflow", "graph": graph, "concurrency": shape.concurrency}


def _split(chance: random.Random, total: int, parts: int) -> list[int]:
    cuts = sorted(chance.randint(0, total) for _ in range(parts - 1))
    return [end - start for start, end in zip([0, *cuts], [*cuts, total], strict=True)]


LONG = {
    "actors": [{"id": "a", "times": 3}, {"id": "b", "times": 2}],
    "channels": [
        {"source": "a", "target": "b", "production": 20_000, "consumption": 20_001},
        {
            "source": "b",
            "target": "a",
            "production": 20_001,
            "consumption": 20_000,
            "tokens": 40_000,
        },
    ],
}
"""A critical circuit of 40,001 firings."""


def judged() -> Measurement:
    """Compare the referee with the solver on a long circuit."""
    instance = DataflowInstance.model_validate({"kind": "dataflow", "graph": LONG})
    with stopwatch() as solving:
        solution = solve(instance, Options(), Sizing("k_periodic", {}), Control())
    with stopwatch() as judging:
        validate(instance, Options(), solution.result, solution.schedule)  # type: ignore[arg-type]
    firings = len(solution.result.critical_circuit or ())  # type: ignore[attr-defined]
    what = f"a circuit of {firings:,} firings: judged, over solved"
    return Measurement(what, judging.seconds / solving.seconds, "times", claim=2.0)


def measure() -> Iterator[Measurement]:
    """Read and solve one graph of each shape; judge a long circuit."""
    yield judged()
    for seed, (what, shape) in enumerate(SHAPES.items(), 1):
        text = json.dumps(drawn(shape, seed))
        with stopwatch() as watch:
            instance = DataflowInstance.model_validate_json(text)
            assert not list(PROBLEM.faults(instance, Options(), ()))
            result = solve(instance, Options(), Sizing("k_periodic", {}), Control()).result
        rounds, nodes = result.statistics.rounds, result.statistics.nodes  # type: ignore[attr-defined]
        yield Measurement(
            f"{what}: {result.outcome.value}, {rounds} rounds of up to {nodes:,} firings",
            watch.seconds,
            "s",
            claim=shape.claim,
        )
