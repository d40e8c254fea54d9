"""Exact single allocations: how long the search takes until it proves the best one.

Random layered graphs on random connected platforms with fixed routes, multiport, every processor
with bandwidths in and out; the search starts from `delegate`. ``python -m
benchmarks.mono_allocation_exact`` shows every instance.
"""

import random
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from benchmarks.measurement import Measurement, stopwatch
from steadygrid.domain.job import Options, Result
from steadygrid.domain.limits import Limits
from steadygrid.engine.pipeline import run
from steadygrid.engine.solving.control import Control
from steadygrid.kinds import PROBLEMS
from steadygrid.kinds.mono_allocation.schemas import MonoAllocationInstance
from steadygrid.kinds.mono_allocation.solver.heuristics.delegate import default_source, delegate
from steadygrid.kinds.mono_allocation.solver.programs.search import Search, search_program
from steadygrid.kinds.mono_allocation.solver.tables import MonoTables
from steadygrid.submissions.submission import Submission

SIZES = ((12, 10, 10.0), (20, 20, 120.0))
"""Tasks, processors, and the seconds in which each instance should be proved."""
SEEDS = range(4)
LONGEST = 300.0
"""Seconds for an instance, even if it needs more."""
LARGE = (47, 40)
"""Tasks and processors of the instance that the portfolio answers with a gap."""


def layered(tasks: int, processors: int, seed: int, **fields: Any) -> MonoAllocationInstance:
    """Draw layers of one to four tasks, and a tree of processors with as many links again."""
    draw = random.Random(seed)
    hosts = [
        {
            "id": f"P{i}",
            "speed": draw.randint(1, 10),
            "bandwidth_out": draw.randint(5, 20),
            "bandwidth_in": draw.randint(5, 20),
        }
        for i in range(processors)
    ]
    links = {(draw.randrange(i), i): draw.randint(1, 10) for i in range(1, processors)}
    for _ in range(processors):
        ends = draw.sample(range(processors), 2)
        links.setdefault((min(ends), max(ends)), draw.randint(1, 10))
    layers: list[list[int]] = []
    while (drawn := sum(map(len, layers))) < tasks:
        layers.append(list(range(drawn, min(tasks, drawn + draw.randint(1, 4)))))
    listed = [{"id": f"T{k}", "work": draw.randint(5, 50)} for k in range(tasks)]
    files: dict[tuple[int, int], int] = {}
    for before, after in pairwise(layers):
        for user in after:
            for maker in draw.sample(before, draw.randint(1, min(2, len(before)))):
                files[maker, user] = draw.randint(1, 10)
        for maker in before:
            if not any((maker, user) in files for user in after):
                files[maker, draw.choice(after)] = draw.randint(1, 10)
    return MonoAllocationInstance.model_validate(
        {
            "kind": "mono_allocation",
            "platform": {
                "processors": hosts,
                "links": [
                    {"source": f"P{i}", "target": f"P{j}", "bandwidth": bandwidth}
                    for (i, j), bandwidth in links.items()
                ],
            },
            "application": {
                "tasks": listed,
                "files": [
                    {"source": f"T{k}", "target": f"T{m}", "size": size}
                    for (k, m), size in files.items()
                ],
            },
            **fields,
        }
    )


def search(tables: MonoTables) -> tuple[Search, float, float]:
    """Search from `delegate`; give the seconds, and its period relative to the best."""
    start = delegate(tables, Control(), default_source(tables), 2)
    with stopwatch() as watch:
        found = search_program(tables, Control(time_limit=LONGEST), start=start)
    ratio = float(tables.period(start) / found.period) if found.period else 1.0
    return found, watch.seconds, ratio


def measure() -> Iterator[Measurement]:
    """Measure the longest search of each size."""
    for tasks, processors, claim in SIZES:
        seconds: list[float] = []
        gaps: list[float] = []
        for seed in SEEDS:
            found, spent, _ = search(MonoTables(layered(tasks, processors, seed)))
            seconds.append(spent)
            gaps.append(float(1 - found.bound / found.period) if found.period else 1.0)
        what = f"{tasks} tasks x {processors} processors, fixed routes, {len(SEEDS)} instances"
        yield Measurement(f"{what}: longest search", max(seconds), "s", claim)
        yield Measurement(f"{what}: largest gap", 100 * max(gaps), "%", 0.0)
    answer, spent = portfolio(0)
    what = f"{LARGE[0]} tasks x {LARGE[1]} processors, fixed routes, portfolio"
    yield Measurement(f"{what}: time", spent, "s", LONGEST + 30)
    yield Measurement(f"{what}: gap", 100 * float(answer.gap or 0), "%")


def portfolio(seed: int) -> tuple[Result, float]:
    """Answer a large instance as a whole job does, within `LONGEST`; give the seconds."""
    submission = Submission(
        PROBLEMS["mono_allocation"], layered(*LARGE, seed), Options(time_limit=LONGEST), {}
    )
    with stopwatch() as watch:
        result, _ = run(submission, Control(LONGEST), Limits())
    return result, watch.seconds


def main() -> None:
    """Show every instance."""
    for tasks, processors, _ in SIZES:
        for seed in SEEDS:
            found, spent, ratio = search(MonoTables(layered(tasks, processors, seed)))
            print(
                f"{tasks} x {processors}, seed {seed}: {spent:.1f} s, period {found.period},"
                f" bound {float(found.bound):.4f}, {found.nodes} nodes,"
                f" delegate {ratio:.3f} times as long",
                flush=True,
            )
    for seed in SEEDS:
        result, spent = portfolio(seed)
        print(
            f"{LARGE[0]} x {LARGE[1]}, seed {seed}: {spent:.1f} s, {result.outcome.value},"
            f" gap {100 * float(result.gap or 0):.2f} %, bound exact: {result.bound is not None and result.bound.exact}",
            flush=True,
        )


if __name__ == "__main__":
    main()
