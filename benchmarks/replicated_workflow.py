"""Replicated workflows: the period of a mapping whose rows are too many to list, and copies found.

Chains whose copies have few common divisors. Where times are drawn from 50 to 100, few resources are
nearly critical; balanced ones keep every processor busy for 98 to 102 % of the same time.
Copies are sought for chains with short files, on processors that are all linked alike.
"""

import random
from collections.abc import Iterator, Sequence
from itertools import combinations
from math import lcm
from typing import Any

from benchmarks.measurement import Measurement, peak_gigabytes, stopwatch
from steadygrid.domain.limits import Limits
from steadygrid.engine.pipeline import run
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.replicated_workflow.solver.evaluation import Evaluation, evaluate
from steadygrid.kinds.replicated_workflow.solver.model import Workflow
from steadygrid.submissions.submission import parse_submission

CHAINS = (
    ((5, 21, 27, 11), 0.5, 2.0),
    ((16, 27, 25, 7, 13), 10.0, 10.0),
    ((3, 5, 7, 11, 13, 17, 19, 23), 10.0, 10.0),
)
"""Copies, and the claims for drawn times and for balanced ones."""
SOUGHT = (
    ((4,) * 8, (1,) * 32),
    ((1, 2, 3, 4, 5, 6, 7, 4), (1,) * 32),
    ((3, 5, 2, 7, 4), (1, 2, 3) * 4),
    ((5, 9, 13, 7), (1,) * 16),
    ((1, 7, 5, 3), (1, *(2,) * 6, *(3,) * 4)),
)
"""Works of the stages of a chain, and speeds of the processors."""
DRAWN = 12
"""More such chains, of 3 to 6 stages."""
PORTS = ("no_overlap", "one_port")
BUSY = 10**6
"""Time for which a balanced processor is busy per data set."""


def chain(seed: int, copies: Sequence[int], ports: str, *, balanced: bool) -> dict[str, Any]:
    """Draw the body of a chain of stages."""
    draw = random.Random(seed)
    names = [[f"P{k}.{j}" for j in range(number)] for k, number in enumerate(copies)]
    sending = BUSY * min(copies) // 5
    last = len(copies) - 1

    def computing(k: int) -> int:
        if not balanced:
            return draw.randint(50, 100)
        return round(
            (copies[k] * BUSY - ((k > 0) + (k < last)) * sending) * draw.uniform(0.98, 1.02)
        )

    def transfer() -> int:
        return round(sending * draw.uniform(0.98, 1.02)) if balanced else draw.randint(50, 100)

    return {
        "problem": {
            "kind": "replicated_workflow",
            "ports": ports,
            "platform": {
                "processors": [{"id": name} for listed in names for name in listed],
                "links": [
                    {"source": a, "target": b, "unit_time": transfer()}
                    for k in range(last)
                    for a in names[k]
                    for b in names[k + 1]
                ],
            },
            "application": {
                "tasks": [
                    {"id": f"T{k}", "times": {name: computing(k) for name in listed}}
                    for k, listed in enumerate(names)
                ],
                "files": [
                    {"source": f"T{k}", "target": f"T{k + 1}", "size": 1} for k in range(last)
                ],
            },
            "mapping": [
                {"tasks": [f"T{k}"], "processors": listed} for k, listed in enumerate(names)
            ],
        }
    }


def measure() -> Iterator[Measurement]:
    """Evaluate each chain, and have each answer refereed."""
    for copies, *claims in CHAINS:
        for ports in PORTS:
            for balanced, claim in zip((False, True), claims, strict=True):
                body = chain(1, copies, ports, balanced=balanced)
                yield from _measured(body, f"{lcm(*copies):,} rows, {ports}", balanced, claim)
    yield from _sought()
    yield Measurement("memory", peak_gigabytes(), "GB")


def _measured(
    body: dict[str, Any], what: str, balanced: bool, claim: float
) -> Iterator[Measurement]:
    submission = parse_submission(body, Limits())
    with stopwatch() as watch:
        workflow = Workflow(submission.instance, submission.instance.mapping)
        found = Evaluation()
        evaluate(workflow, found, lambda: None)
    assert found.exact
    how = f"{found.rounds} rounds, {found.nodes:,} nodes"
    if found.turns is not None:
        how += f", {found.turns} turns"
    kind = "balanced" if balanced else "drawn"
    yield Measurement(f"{what}, {kind} times: {how}", watch.seconds, "s", claim=claim)
    with stopwatch() as watch:
        result, _ = run(submission, Control(600), Limits())
    assert result.outcome == "optimal"
    yield Measurement(f"{what}, {kind} times: answered and refereed", watch.seconds, "s")


def alike(works: Sequence[int], speeds: Sequence[int]) -> dict[str, Any]:
    """Give the body of a chain whose copies are to be found."""
    names = [f"P{i}" for i in range(len(speeds))]
    return {
        "problem": {
            "kind": "replicated_workflow",
            "platform": {
                "processors": [{"id": n, "speed": s} for n, s in zip(names, speeds, strict=True)],
                "links": [
                    {"source": a, "target": b, "unit_time": 1} for a, b in combinations(names, 2)
                ],
            },
            "application": {
                "tasks": [{"id": f"T{k}", "work": work} for k, work in enumerate(works)],
                "files": [
                    {"source": f"T{k}", "target": f"T{k + 1}", "size": "1/100"}
                    for k in range(len(works) - 1)
                ],
            },
        }
    }


def _sought() -> Iterator[Measurement]:
    draw = random.Random(5)
    sought = [*SOUGHT]
    for _ in range(DRAWN):
        stages = draw.randint(3, 6)
        number, speeds = draw.randint(2 * stages, 3 * stages), draw.choice([(1,), (1, 2, 3)])
        works = tuple(draw.randint(1, 9) for _ in range(stages))
        sought.append((works, tuple(draw.choice(speeds) for _ in range(number))))
    for works, speeds in sought:
        submission = parse_submission(alike(works, speeds), Limits())
        with stopwatch() as watch:
            result, _ = run(submission, Control(10), Limits())
        assert result.outcome == "optimal"
        assert result.objective is not None
        what = f"works {' '.join(map(str, works))} on {len(speeds)} processors: period"
        yield Measurement(f"{what} {1 / result.objective.value}", watch.seconds, "s", claim=1.0)
