"""Programs of allgathers: the share of the proved bound that they reach when they are simulated.

Operations of 1 GB, without latencies. The usual search, and the one that ``"execution": {}`` asks
for; seconds are those of the processor, for the whole answer with its schedule and its referee.
"""

import time
from collections.abc import Iterator
from itertools import combinations
from random import Random
from typing import Any

from benchmarks.boxes import Boxes, a100, mi250
from benchmarks.collectives import allgather
from benchmarks.measurement import Measurement
from steadygrid.domain.limits import Limits
from steadygrid.engine import pipeline
from steadygrid.engine.arborescences.cuts import Arc
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.collective.schemas import CollectiveResult
from steadygrid.submissions.submission import parse_submission

NEAR = 0.9
"""Share of the bound that is claimed."""
NVLINKS = (
    "01 1, 02 1, 03 2, 04 2, 12 2, 13 1, 15 2, 23 2, 26 1, 37 1, 45 1, 46 1, 47 2, 56 2, 57 1, 67 2"
)
"""Of a DGX-1 with V100: 25 GB/s each."""
SEARCHES: dict[str, dict[str, Any]] = {"usual": {}, "asked for": {"execution": {}}}


def measure() -> Iterator[Measurement]:
    """Ask for every allgather in both searches."""
    _answered(allgather(a100(1)), {})  # a worker has imported everything before its first job
    for name, boxes in TOPOLOGIES.items():
        for search, more in SEARCHES.items():
            start = time.process_time()
            told = _answered(allgather(boxes), more).execution
            seconds = time.process_time() - start
            assert told is not None
            row = told.predicted[-1]
            program = told.programs[row.program]
            chunks = sum(tree.chunks for tree in program.trees) // len(boxes[2])
            what = f"{name}, {search} search: k = {chunks}, depth {program.depth}, {program.split}"
            share = float(row.of_bound or 0)
            yield Measurement(f"{what}, of the bound", share, "", NEAR, at_least=True)
            yield Measurement(f"{name}, {search} search: the whole answer", seconds, "s")


def _answered(body: dict[str, Any], more: dict[str, Any]) -> CollectiveResult:
    asked = {**body, "problem": body["problem"] | more, "options": {"time_limit": 120}}
    submission = parse_submission(asked, Limits())
    control = Control(submission.options.time_limit)
    result, _ = pipeline.run(submission, control, Limits())
    assert isinstance(result, CollectiveResult)
    return result


def _joined(number: int, pairs: dict[Arc, int]) -> Boxes:
    back = {(head, tail): bandwidth for (tail, head), bandwidth in pairs.items()}
    return number, pairs | back, list(range(number))


def _dgx_1() -> Boxes:
    listed = (entry.split() for entry in NVLINKS.split(", "))
    return _joined(8, {(int(ends[0]), int(ends[1])): 25 * int(count) for ends, count in listed})


def _ring(number: int) -> Boxes:
    return _joined(number, {(v, (v + 1) % number): 1 for v in range(number)})


def _torus(side: int) -> Boxes:
    pairs = {}
    for row in range(side):
        for column in range(side):
            here = side * row + column
            pairs[here, side * row + (column + 1) % side] = 1
            pairs[here, side * ((row + 1) % side) + column] = 1
    return _joined(side * side, pairs)


def _hypercube(dimensions: int) -> Boxes:
    number = 2**dimensions
    pairs = {
        (one, other): 1
        for one, other in combinations(range(number), 2)
        if (one ^ other).bit_count() == 1
    }
    return _joined(number, pairs)


def _random(seed: int, members: int, switches: int) -> Boxes:
    """Join processors and switches by a tree and as many links more, of bandwidths 1 to 9."""
    draw = Random(seed)
    number = members + switches
    pairs = {}
    for vertex in range(1, number):
        pairs[vertex, draw.randrange(vertex)] = draw.randint(1, 9)
    for _ in range(number):
        one, other = draw.sample(range(number), 2)
        pairs.pop((other, one), None)
        pairs[one, other] = draw.randint(1, 9)
    _, bandwidths, _ = _joined(number, pairs)
    return number, bandwidths, list(range(members))


RANDOM = ((1, 6, 2), (2, 8, 3), (3, 10, 0), (4, 12, 4), (5, 8, 6), (6, 14, 5))
"""Seed, processors, switches."""
TOPOLOGIES = {
    "one box of A100": a100(1),
    "two boxes of A100": a100(2),
    "four boxes of A100": a100(4),
    "one box of MI250": mi250(1),
    "two boxes of MI250": mi250(2),
    "DGX-1": _dgx_1(),
    "ring of 8": _ring(8),
    "torus of 4 x 4": _torus(4),
    "hypercube of 16": _hypercube(4),
} | {
    f"random, {members} processors and {switches} switches": _random(seed, members, switches)
    for seed, members, switches in RANDOM
}
