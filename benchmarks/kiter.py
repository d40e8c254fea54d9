"""Periods of Kiter's own graphs beside Kiter: processor time to solve, reading left out.

Kiter (github.com/bbodin/kiter) is no part of this project. `STEADYGRID_KITER` names a checkout with
its release build in `Release/bin/kiter`; without it, nothing is measured. ``python -m benchmarks.kiter``
prints the table of ``docs/dataflow.md``, or the rows of some graphs whose names it is given.
"""

import json
import os
import re
import resource
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

from benchmarks.measurement import Measurement
from steadygrid.domain.errors import OutOfTime
from steadygrid.domain.job import Options
from steadygrid.domain.problem import Sizing
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.dataflow import PROBLEM
from steadygrid.kinds.dataflow.schemas import DataflowInstance, DataflowResult
from steadygrid.kinds.dataflow.solver.methods import best_without_solver, solve
from steadygrid.kinds.dataflow.solver.net import net_of
from steadygrid.kinds.dataflow.solver.rounds import Progress, run_rounds
from steadygrid.submissions.imports import INSTANCE_IMPORTERS

RUNS = 7
"""Of graphs that take less than three seconds in all; the least time counts."""
LIMIT = 300.0
"""Seconds for each."""
MEASURABLE = 0.05
"""Seconds of Kiter's; below, starting it is a good part of what is measured."""
CLAIM = 3.0
_PERIOD = re.compile(r"KPeriodic Period is\s+(\S+)")


class Row(NamedTuple):
    """One graph."""

    name: str
    actors: int
    channels: int
    firings: int | None
    """Of the largest round."""
    outcome: str
    period: Fraction | None
    seconds: float
    """From the graph to the answer: its period, timetable, circuit and buffers."""
    seconds_of_rounds: float
    """Of that, what Kiter does: the period."""
    theirs: str | None
    """Kiter's period, as it prints it; None where it has not ended."""
    their_seconds: float | None

    @property
    def alike(self) -> bool | None:
        """Whether both give the same period, as far as Kiter prints it; None where it gives none."""
        if self.theirs is None:
            return None
        mine = Fraction(0) if self.period is None else self.period
        return f"{float(mine):.6f}" == self.theirs


def graphs(folder: Path) -> list[Path]:
    """List the SDF3 files of a checkout."""
    files = sorted((folder / "benchmarks").rglob("*.xml"))
    return [file for file in files if b"<sdf3" in file.read_bytes()[:2000]]


def compared(folder: Path, file: Path) -> Row:
    """Solve one graph with both."""
    body = INSTANCE_IMPORTERS["dataflow"].read(file.read_bytes()).body
    instance = DataflowInstance.model_validate_json(json.dumps(body["problem"]))
    graph = instance.graph
    name, sizes = file.stem, (len(graph.actors), len(graph.channels))
    theirs, their_seconds = _theirs(folder, file)
    if faults := list(PROBLEM.faults(instance, Options(), ())):
        code = faults[0].code
        return Row(name, *sizes, None, code, None, 0.0, 0.0, theirs, their_seconds)
    result, seconds, in_rounds = _ours(instance)
    firings, outcome = result.statistics.nodes, result.outcome.value
    return Row(
        name, *sizes, firings, outcome, result.period, seconds, in_rounds, theirs, their_seconds
    )


def _ours(instance: DataflowInstance) -> tuple[DataflowResult, float, float]:
    seconds: list[float] = []
    in_rounds: list[float] = []
    while len(seconds) < RUNS and sum(seconds) < 3:
        begun = time.process_time()
        control, sizing = Control(LIMIT), Sizing("k_periodic", {})
        try:
            solution = solve(instance, Options(), sizing, control)
        except OutOfTime as over:
            control.extend(LIMIT)
            solution = best_without_solver(instance, Options(), sizing, control, over)
        seconds.append(time.process_time() - begun)
        if sum(seconds) < 3:
            in_rounds.append(_in_rounds(instance))
    assert isinstance(solution.result, DataflowResult)
    return solution.result, min(seconds), min(in_rounds, default=min(seconds))


def _in_rounds(instance: DataflowInstance) -> float:
    net, control = net_of(instance), Control(LIMIT)
    begun = time.process_time()
    run_rounds(net, Progress(), control.check, lambda *_: None, lambda: control.remaining)
    return time.process_time() - begun


def _theirs(folder: Path, file: Path) -> tuple[str | None, float | None]:
    program = [str(folder / "Release/bin/kiter"), "-f", str(file)]
    solving = [*program, "-a", "KPeriodicThroughput"]
    found: str | None = None
    seconds: list[float] = []
    reading = min(_run(program)[1] for _ in range(RUNS))
    while len(seconds) < RUNS and sum(seconds) < 3:
        try:
            text, used = _run(solving)
        except subprocess.TimeoutExpired:
            return None, None
        match = _PERIOD.search(text)
        found = match.group(1) if match else None
        seconds.append(used)
    return found, max(0.0, min(seconds) - reading)


def _run(command: Sequence[str]) -> tuple[str, float]:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return done.stdout, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measure() -> Iterator[Measurement]:
    """Say how many times as long ours takes, where Kiter takes long enough to be measured."""
    folder = os.environ.get("STEADYGRID_KITER")
    for file in graphs(Path(folder)) if folder else ():
        row = compared(Path(folder or ""), file)
        if row.their_seconds is None or row.their_seconds < MEASURABLE:
            yield Measurement(f"{row.name}: {row.outcome}", row.seconds, "s")
        else:
            ratio = row.seconds / row.their_seconds
            what = f"{row.name}: {row.outcome}, over Kiter's {row.their_seconds:.2f} s"
            yield Measurement(what, ratio, "times", claim=CLAIM)


def _print(names: Sequence[str]) -> None:
    folder = Path(os.environ["STEADYGRID_KITER"])
    for file in graphs(folder):
        if names and file.stem not in names:
            continue
        row = compared(folder, file)
        verdict = {None: "none", True: "the same", False: row.theirs}[row.alike]
        kiter = "" if row.their_seconds is None else f"{row.their_seconds:.3f}"
        period = row.outcome if row.period is None else str(row.period)
        cells = (row.name, row.actors, row.channels, row.firings, period, row.outcome)
        print(
            f"| {' | '.join(map(str, cells))} | {row.seconds:.3f} | {row.seconds_of_rounds:.3f} | {kiter}"
            f" | {verdict} |",
            flush=True,
        )


if __name__ == "__main__":
    _print(sys.argv[1:])
