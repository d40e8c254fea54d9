"""Whole answers of divisible loads on a star, the referee's part included.

Results of six workers, all pairs of orders: c, d from 1/10 to 1 and w from 1 to 10. Rounds: the same
c and w without results; linear ones by the program, as many messages as are accepted by it, and
with latencies by the search for the messages that are sent.
"""

import random
import time
from collections.abc import Iterator
from typing import Any

from benchmarks.measurement import Measurement, stopwatch
from steadygrid.domain.limits import Limits
from steadygrid.engine.pipeline import run
from steadygrid.engine.solving.control import Control
from steadygrid.submissions.submission import parse_submission

RESULT_WORKERS, SEEDS, SECONDS = 6, 3, 5.0
LINEAR_ROUNDS = ((3, 20), (10, 10), (10, 100))
"""Workers and rounds."""
LATE_ROUNDS = ((5, 3), (5, 4))
RULED_ROUNDS = (100, 100)


def measure() -> Iterator[Measurement]:
    """Answer stars with results under both port models, then stars in several rounds."""
    for ports in ("one_port", "strict_one_port"):
        longest = gap = 0.0
        for seed in range(SEEDS):
            body = random_body(seed, RESULT_WORKERS, ports=ports)
            body["load"]["return_volume"] = 1
            start = time.process_time()
            _, found = _answered(body)
            longest, gap = max(longest, time.process_time() - start), max(gap, found)
        what = f"{SEEDS} stars of {RESULT_WORKERS} workers with results, {ports}: "
        yield Measurement(f"{what}longest, processor time", longest, "s", claim=SECONDS)
        yield Measurement(f"{what}greatest gap", gap, "", claim=0)
    for workers, rounds in LINEAR_ROUNDS:
        seconds, gap = _answered(random_body(1, workers, rounds=rounds))
        what = f"{workers} workers, {rounds} linear rounds: "
        yield Measurement(f"{what}answered", seconds, "s")
        yield Measurement(f"{what}gap to any number of messages", gap, "")
    for workers, rounds in LATE_ROUNDS:
        seconds, gap = _answered(random_body(1, workers, latency=0.05, rounds=rounds))
        what = f"{workers} workers, {rounds} rounds with latencies: "
        yield Measurement(f"{what}answered", seconds, "s")
        yield Measurement(f"{what}gap to any number of messages", gap, "")
    workers, rounds = RULED_ROUNDS
    for method in ("umr", "periodic"):
        body = random_body(1, workers, latency=0.0001, max_rounds=rounds, method=method)
        seconds, gap = _answered(body)
        what = f"{workers} workers, up to {rounds} rounds, {method}: "
        yield Measurement(f"{what}answered", seconds, "s")
        yield Measurement(f"{what}gap to any number of messages", gap, "")


def _answered(problem: dict[str, Any]) -> tuple[float, float]:
    """Answer like a job; give the seconds and the gap."""
    submission = parse_submission({"problem": problem}, Limits())
    with stopwatch() as watch:
        result = run(submission, Control(60), Limits()).result
    assert result.gap is not None
    return watch.seconds, float(result.gap)


def random_body(seed: int, workers: int, *, latency: float = 0, **members: Any) -> dict[str, Any]:
    """Draw a star, with links there and back, whose latencies are some `latency` each or none."""
    chance = random.Random(seed)
    names = [f"P{i}" for i in range(1, workers + 1)]
    processors = [{"id": "M"}, *({"id": n, "unit_time": _between(chance, 1, 10)} for n in names)]
    links = [
        {
            "source": source,
            "target": target,
            "unit_time": _between(chance, 0.1, 1),
            "duplex": "simplex",
        }
        for name in names
        for source, target in (("M", name), (name, "M"))
    ]
    if latency:
        for part in (*processors[1:], *links):
            part["latency"] = _between(chance, latency / 2, latency)
    return {
        "kind": "divisible_star",
        "platform": {"processors": processors, "links": links},
        "master": "M",
        "load": {"communication_volume": 1, "computation_volume": 1},
    } | members


def _between(chance: random.Random, least: float, most: float) -> str:
    return f"{chance.uniform(least, most):.6f}"
