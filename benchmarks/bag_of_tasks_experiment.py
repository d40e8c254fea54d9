"""The experiment of the thesis, section 5.4: policies for bags of uniform tasks, on small stars.

Throughput as a part of what no policy exceeds on the same tasks, against the
communication-to-computation ratio and the correlation of sizes and works. As part of ``make bench``
a few settings are run and summed up; by itself it writes every run as a line of a table:

    python -m benchmarks.bag_of_tasks_experiment results.csv

`benchmarks.bag_of_tasks_plot` draws it and sums it up.
"""

import argparse
import random
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from statistics import fmean
from typing import Any

from benchmarks.measurement import Measurement, stopwatch
from benchmarks.tables import write_rows
from steadygrid.domain.limits import Limits
from steadygrid.engine.solver import solver_for
from steadygrid.engine.solving.control import Control
from steadygrid.submissions.submission import parse_submission, size_submission

RATIOS = tuple(Fraction(ratio) for ratio in ("1/20", "5/8", "1", "5/3", "20"))
"""Communication-to-computation ratios."""
CORRELATIONS = tuple(Fraction(part, 2) for part in range(3))
SPREADS = tuple(Fraction(spread) for spread in ("1", "1.35", "1.65", "2.35", "2.65"))
"""Greatest over least size, and work, of a bag."""
WORKERS = (3, 5, 10, 15)
PORTS = ("multiport", "one_port")
BUCKETS = {
    "on_demand": None,
    "round_robin": None,
    "lp_samp 1x1": ("arithmetic", 1, 1),
    "lp_samp 2x1": ("arithmetic", 2, 1),
    "lp_samp 2x2": ("arithmetic", 2, 2),
    "lp_samp 4x4": ("arithmetic", 4, 4),
    "lp_samp 4x4 geometric": ("geometric", 4, 4),
}
"""Methods, and how those that learn split their sample."""
BENCHED = 100_000, 50
"""Tasks and workers for ``make bench``."""


@dataclass(frozen=True)
class Row:
    """What one policy made of one setting.

    Attributes
    ----------
    throughput
        Tasks per time unit.
    of_bound
        As a part of what no policy exceeds on these tasks.
    seconds
        To draw, deal out and bound.
    """

    ports: str
    setting: int
    workers: int
    ratio: str
    correlation: str
    method: str
    throughput: float
    of_bound: float
    seconds: float


def setting(
    seed: int, ports: str, ratio: Fraction, correlation: Fraction, count: int
) -> dict[str, Any]:
    """Draw a star and three bags; sizes are scaled so that sending takes `ratio` of computing.

    Sending means all inputs over all links at a time, or, under ``one_port``, one after the other.
    """
    rng = random.Random(seed)
    number = rng.choice(WORKERS)
    speeds = [rng.randint(1, 10) for _ in range(number)]
    bandwidths = [rng.randint(1, 10) for _ in range(number)]
    bags = []
    for name in "ABC":
        size, work = Fraction(rng.randint(10, 100), 10), Fraction(rng.randint(10, 100), 10)
        spread = rng.choice(SPREADS)
        bags.append((name, size, work, spread, rng.choice(SPREADS)))
    data = sum((size * (1 + spread) / 2 for _, size, _, spread, _ in bags), Fraction(0))
    load = sum((work * (1 + spread) / 2 for _, _, work, _, spread in bags), Fraction(0))
    flow = Fraction(sum(bandwidths))
    if ports == "one_port":
        flow /= number
    scale = ratio * (load / sum(speeds)) / (data / flow)
    platform = {
        "processors": [
            {"id": "M"},
            *({"id": f"P{i}", "speed": speed} for i, speed in enumerate(speeds, 1)),
        ],
        "links": [
            {"source": "M", "target": f"P{i}", "bandwidth": bandwidth}
            for i, bandwidth in enumerate(bandwidths, 1)
        ],
    }
    uniform = [
        {
            "id": name,
            "uniform": {
                "input_size": [str(scale * size), str(scale * size * spread)],
                "work": [str(work), str(work * other)],
                "correlation": str(correlation),
            },
        }
        for name, size, work, spread, other in bags
    ]
    return {
        "kind": "bag_of_tasks",
        "platform": platform,
        "master": "M",
        "bags": uniform,
        "ports": ports,
        "stream": {"count": count, "seed": seed},
    }


def rows(
    seeds: Iterable[int],
    ports: Iterable[str],
    ratios: Iterable[Fraction],
    correlations: Sequence[Fraction],
    count: int,
) -> Iterator[Row]:
    """Run every method on every setting; `count` tasks of each bag."""
    for ratio in ratios:
        for port in ports:
            for correlation in correlations:
                for seed in seeds:
                    problem = setting(seed, port, ratio, correlation, count)
                    yield from _setting_rows(problem, seed, ratio, correlation)


def _setting_rows(
    problem: dict[str, Any], seed: int, ratio: Fraction, correlation: Fraction
) -> Iterator[Row]:
    for method, split in BUCKETS.items():
        with stopwatch() as watch:
            run = simulated(problem, method, split)
        yield Row(
            problem["ports"],
            seed,
            len(problem["platform"]["links"]),
            str(ratio),
            str(correlation),
            method,
            float(run.throughput),
            float(run.throughput / run.empirical_bound),
            round(watch.seconds, 3),
        )


def simulated(
    problem: Mapping[str, Any], method: str, split: tuple[str, int, int] | None = None
) -> Any:
    """Give the first run of a policy."""
    asked = dict(problem) | {"method": method.split()[0]}
    if split is not None:
        asked |= dict(zip(("split", "buckets", "work_buckets"), split, strict=True))
    submission = parse_submission({"problem": asked}, Limits())
    sizing = size_submission(submission, Limits())
    solver = solver_for(submission.kind)
    answer = solver.solve(submission.instance, submission.options, sizing, Control(600))
    result: Any = answer.result
    return result.simulation[0]


def measure() -> Iterator[Measurement]:
    """Deal out a long stream to many workers, and run some settings."""
    tasks, workers = BENCHED
    problem = setting(0, "multiport", Fraction(1), Fraction(0), 2)
    rng = random.Random(1)
    names = [f"P{i}" for i in range(1, workers + 1)]
    problem["platform"] = {
        "processors": [{"id": "M"}, *({"id": n, "speed": rng.randint(1, 9)} for n in names)],
        "links": [{"source": "M", "target": n, "bandwidth": rng.randint(1, 9)} for n in names],
    }
    classes = [
        {"input_size": f"{rng.randint(1, 99)}/7", "work": f"{rng.randint(1, 99)}/3"}
        for _ in range(10)
    ]
    for what, bags in (
        ("10 classes", [{"id": "A", "tasks": classes}]),
        ("uniform", [problem["bags"][0]]),
    ):
        asked = problem | {"bags": bags, "stream": {"count": tasks}}
        with stopwatch() as watch:
            simulated(asked, "on_demand")
        title = f"{tasks:,} tasks ({what}) on {workers} workers on demand, with their bound"
        yield Measurement(title, watch.seconds, "s", 10)
    seen = list(rows((0,), PORTS, RATIOS[::2], CORRELATIONS[:1], 200))
    for method in BUCKETS:
        mean = fmean(row.of_bound for row in seen if row.method == method)
        yield Measurement(f"{method}, mean part of the bound", mean, "times")


def main() -> int:
    """Run what the command line says and write the table line by line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.bag_of_tasks_experiment")
    parser.add_argument("output", type=Path, help="CSV")
    parser.add_argument("--seeds", nargs="*", type=int, default=range(4), help="settings (0-3)")
    parser.add_argument("--ports", nargs="*", default=PORTS)
    parser.add_argument("--ratios", nargs="*", type=Fraction, default=RATIOS)
    parser.add_argument("--correlations", nargs="*", type=Fraction, default=CORRELATIONS)
    parser.add_argument("--count", type=int, default=1000, help="tasks of each bag (1000)")
    given = parser.parse_args()
    table = rows(given.seeds, given.ports, given.ratios, given.correlations, given.count)
    write_rows(given.output, Row, table)
    return 0


if __name__ == "__main__":
    sys.exit(main())
