"""The experiment of the thesis, section 6.5: how often no resource of a workflow is critical.

Random chains on random platforms, with and without overlap: the exact period against the largest
mean time of a resource. As part of ``make bench`` a few chains are run and summed up; by itself it
writes every run as a line of a table:

    python -m benchmarks.replicated_workflow_experiment results.csv

`benchmarks.replicated_workflow_plot` draws it and sums it up.
"""

import argparse
import random
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

from benchmarks.measurement import Measurement, stopwatch
from benchmarks.tables import write_rows
from steadygrid.domain.limits import Limits
from steadygrid.engine.solver import solver_for
from steadygrid.engine.solving.control import Control
from steadygrid.submissions.submission import parse_submission, size_submission

PORTS = ("one_port", "no_overlap")
SECONDS = 600.0


@dataclass(frozen=True)
class Setting:
    """A line of Table 6.2, for both port models.

    Attributes
    ----------
    sizes
        Stages and processors, in turn.
    computing, sending
        Least and greatest time.
    runs
        Of all sizes together.
    """

    name: str
    sizes: tuple[tuple[int, int], ...]
    computing: tuple[int, int]
    sending: tuple[int, int]
    runs: int


SETTINGS = (
    Setting("10 stages, alike", ((10, 20), (10, 30)), (5, 15), (5, 15), 220),
    Setting("10 stages, uneven", ((10, 20), (10, 30)), (10, 1000), (10, 1000), 220),
    Setting("20 stages, alike", ((20, 30),), (5, 15), (5, 15), 68),
    Setting("20 stages, uneven", ((20, 30),), (10, 1000), (10, 1000), 68),
    Setting("2 or 3 stages, alike", ((2, 7), (3, 7)), (1, 1), (5, 10), 1000),
    Setting("2 or 3 stages, uneven", ((2, 7), (3, 7)), (1, 1), (10, 50), 1000),
)


@dataclass(frozen=True)
class Row:
    """What one chain came to.

    Attributes
    ----------
    rows
        Least common multiple of the copies.
    period, mct
        Exact; time per data set, and largest mean time of a resource.
    outcome
        ``optimal`` where the period is proved.
    seconds
        To evaluate it.
    """

    setting: str
    ports: str
    seed: int
    stages: int
    processors: int
    rows: int
    period: str
    mct: str
    outcome: str
    seconds: float

    @property
    def excess(self) -> float:
        """By how much of it the period exceeds `mct`."""
        return float(Fraction(self.period) / Fraction(self.mct) - 1)


def chain(setting: Setting, seed: int, ports: str) -> dict[str, Any]:
    """Draw copies, a platform and times; both port models get the same chain.

    All ways to give every stage a number of processors are equally likely.
    """
    draw = random.Random(f"{setting.name} {seed}")
    stages, processors = setting.sizes[seed % len(setting.sizes)]
    cuts = [0, *sorted(draw.sample(range(1, processors), stages - 1)), processors]
    names = [[f"P{j}" for j in range(one, other)] for one, other in pairwise(cuts)]
    return {
        "kind": "replicated_workflow",
        "ports": ports,
        "platform": {
            "processors": [{"id": f"P{j}"} for j in range(processors)],
            "links": [
                {"source": a, "target": b, "unit_time": draw.randint(*setting.sending)}
                for k in range(stages - 1)
                for a in names[k]
                for b in names[k + 1]
            ],
        },
        "application": {
            "tasks": [
                {"id": f"T{k}", "times": {n: draw.randint(*setting.computing) for n in listed}}
                for k, listed in enumerate(names)
            ],
            "files": [
                {"source": f"T{k}", "target": f"T{k + 1}", "size": 1} for k in range(stages - 1)
            ],
        },
        "mapping": [{"tasks": [f"T{k}"], "processors": listed} for k, listed in enumerate(names)],
    }


def rows(settings: Iterable[Setting], ports: Iterable[str], most: int) -> Iterator[Row]:
    """Evaluate the chains of each setting, `most` at most."""
    for setting in settings:
        for port in ports:
            for seed in range(min(setting.runs, most)):
                yield evaluated(setting, port, seed)


def evaluated(setting: Setting, ports: str, seed: int) -> Row:
    """Evaluate one chain."""
    submission = parse_submission({"problem": chain(setting, seed, ports)}, Limits())
    sizing = size_submission(submission, Limits())
    solver = solver_for(submission.kind)
    with stopwatch() as watch:
        answer = solver.solve(submission.instance, submission.options, sizing, Control(SECONDS))
    result: Any = answer.result
    return Row(
        setting.name,
        ports,
        seed,
        len(result.mapping),
        len(submission.instance.platform.processors),
        int(result.rows),
        str(result.period),
        str(result.mct),
        result.outcome.value,
        round(watch.seconds, 3),
    )


def measure() -> Iterator[Measurement]:
    """Evaluate some chains of each setting."""
    for ports in PORTS:
        for setting in SETTINGS:
            seen = list(rows([setting], [ports], 20))
            share = sum(row.excess > 0 for row in seen) / len(seen)
            what = f"{setting.name}, {ports}: "
            yield Measurement(f"{what}without a critical resource", share, "of all")
            slowest = max(row.seconds for row in seen)
            yield Measurement(f"{what}longest of {len(seen)} evaluations", slowest, "s")


def main() -> int:
    """Run what the command line says and write the table line by line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.replicated_workflow_experiment")
    parser.add_argument("output", type=Path, help="CSV")
    parser.add_argument("--ports", nargs="*", default=PORTS)
    parser.add_argument("--most", type=int, default=1000, help="chains of a setting (1000)")
    given = parser.parse_args()
    write_rows(given.output, Row, rows(SETTINGS, given.ports, given.most))
    return 0


if __name__ == "__main__":
    sys.exit(main())
