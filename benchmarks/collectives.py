"""Collective operations: allgathers of boxes of graphics processors, and one-port broadcasts.

Seconds are those of the processor. All are solved one after the other in one process, refereed
schedules included, so that the ratios do not depend on the machine's mood.
"""

import random
import time
from collections.abc import Iterator
from typing import Any, NamedTuple

from benchmarks.boxes import Boxes, a100, mi250
from benchmarks.measurement import Measurement, peak_gigabytes
from steadygrid.domain.job import Outcome, Phase
from steadygrid.domain.limits import Limits
from steadygrid.engine import pipeline
from steadygrid.engine.solving.control import Control
from steadygrid.formats.exporter import Answer
from steadygrid.kinds.collective.schemas import CollectiveResult
from steadygrid.submissions.exports import EXPORTERS
from steadygrid.submissions.submission import parse_submission

Body = dict[str, Any]

BOXES = {
    "8 GPUs, one box of A100": a100(1),
    "32 GPUs, four boxes of A100": a100(4),
    "64 GPUs, eight boxes of A100": a100(8),
    "128 GPUs, sixteen boxes of A100": a100(16),
    "16 GPUs, one box of MI250": mi250(1),
    "32 GPUs, two boxes of MI250": mi250(2),
    "64 GPUs, four boxes of MI250": mi250(4),
}
BROADCASTS = (50, 100, 150)
LINKS_EACH = 6


class Spent(NamedTuple):
    """Seconds of the processor."""

    solved: float
    """Until the trees are packed, and the optimum is proved."""
    scheduled: float
    refereed: float

    @property
    def total(self) -> float:
        """All of it."""
        return sum(self)


def measure() -> Iterator[Measurement]:
    """Solve everything, refereed schedules included."""
    _solved(allgather(a100(1)))  # a worker has imported everything before its first job
    for name, boxes in BOXES.items():
        yield from _allgather(name, allgather(boxes))
    for uneven in (True, False):
        yield from _broadcasts(uneven)
    yield Measurement("peak memory", peak_gigabytes(), "GB")


def _allgather(name: str, body: Body) -> Iterator[Measurement]:
    spent, result = _solved(body)
    trees = len(result.allocations)
    yield Measurement(f"allgather, {name}: {trees} trees, proved and packed", spent.solved, "s")
    yield Measurement(f"{name}: scheduled", spent.scheduled, "s")
    yield Measurement(f"{name}: refereed", spent.refereed, "s")
    start = time.process_time()
    EXPORTERS["msccl"].write(Answer(result))
    yield Measurement(f"{name}: written as MSCCL XML", time.process_time() - start, "s")


def _broadcasts(uneven: bool) -> Iterator[Measurement]:
    kind = "uneven" if uneven else "even"
    first = None
    for number in BROADCASTS:
        spent, result = _solved(broadcast(number, uneven=uneven))
        what = f"broadcast, {number} processors, {kind} links"
        trees = len(result.allocations)
        yield Measurement(f"{what}: {trees} trees, proved and packed", spent.solved, "s")
        yield Measurement(f"{what}: scheduled", spent.scheduled, "s")
        yield Measurement(f"{what}: refereed", spent.refereed, "s")
        if first is not None:
            ratio = spent.total / first
            yield Measurement(f"{what}: all, over that of {BROADCASTS[0]}", ratio, "times")
        first = first or spent.total


def _solved(body: Body) -> tuple[Spent, CollectiveResult]:
    """Solve a body, and take the time of the phases."""
    began: dict[str, float] = {}

    def report(progress: dict[str, Any]) -> None:
        began.setdefault(progress["phase"], time.process_time())

    submission = parse_submission(body, Limits())
    start = time.process_time()
    control = Control(submission.options.time_limit, report)
    result, schedule = pipeline.run(submission, control, Limits())
    end = time.process_time()
    if not isinstance(result, CollectiveResult) or result.outcome is not Outcome.OPTIMAL:
        raise ArithmeticError(f"{result.outcome}: {result.notes}")
    if schedule is None:
        raise ArithmeticError(f"no schedule: {result.notes}")
    scheduling, verifying = began[Phase.RECONSTRUCTING], began[Phase.VERIFYING]
    return Spent(scheduling - start, verifying - scheduling, end - verifying), result


def allgather(boxes: Boxes) -> Body:
    """Ask for an allgather of all members, with messages of one size."""
    number, bandwidths, members = boxes
    names = [f"G{vertex}" if vertex in set(members) else f"S{vertex}" for vertex in range(number)]
    problem = {
        "kind": "collective",
        "operation": "allgather",
        "ports": "multiport",
        "platform": {
            "processors": [{"id": n, "switch": True} if n[0] == "S" else {"id": n} for n in names],
            "links": [
                {
                    "source": names[tail],
                    "target": names[head],
                    "bandwidth": bandwidth,
                    "duplex": "simplex",
                }
                for (tail, head), bandwidth in bandwidths.items()
            ],
        },
    }
    return {"problem": problem, "options": {"time_limit": 600}}


def broadcast(number: int, *, uneven: bool, seed: int = 0) -> Body:
    """Draw a connected platform with 6 links of each processor on average, and a broadcast on it.

    Unit times are 1/10 to 10 where links are uneven, and else 9/10 to 11/10.
    """
    draw = random.Random(seed)
    pairs = {(draw.randrange(i), i): None for i in range(1, number)}
    while 2 * len(pairs) < LINKS_EACH * number:
        tail, head = sorted(draw.sample(range(number), 2))
        pairs[tail, head] = None
    least, most = (1, 100) if uneven else (9, 11)
    problem = {
        "kind": "collective",
        "operation": "broadcast",
        "source": "P0",
        "platform": {
            "processors": [{"id": f"P{i}"} for i in range(number)],
            "links": [
                {
                    "source": f"P{tail}",
                    "target": f"P{head}",
                    "unit_time": f"{draw.randint(least, most)}/10",
                }
                for tail, head in pairs
            ],
        },
    }
    return {"problem": problem, "options": {"time_limit": 600}}
