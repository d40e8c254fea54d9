"""The experiment of the thesis, section 4.5: allocation methods against references and bounds.

Throughput against the communication-to-computation ratio, in two panels: small graphs, against
the optimal single allocation, and large ones, against delegate. As part of ``make bench`` a few
scenarios are run and summed up; by itself it writes every result as a line of a table:

    python -m benchmarks.mono_allocation_experiment --panel small results.csv

MonoTables of several runs can be joined by `benchmarks.mono_allocation_plot`, which draws the plot
and sums up.
"""

import argparse
import sys
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from statistics import fmean, geometric_mean

from benchmarks.measurement import Measurement, stopwatch
from benchmarks.mono_allocation_scenarios import RATIOS, scenario
from benchmarks.tables import read_rows, write_rows
from steadygrid.domain.errors import OutOfTime
from steadygrid.domain.job import Options
from steadygrid.engine.mapping import NoMapping
from steadygrid.engine.simulation.execution import (
    Execution,
    Operations,
    Simulation,
    repeat,
    topological_order,
)
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.mono_allocation.solver.bounds import prices
from steadygrid.kinds.mono_allocation.solver.method_runs import REFERENCES, find
from steadygrid.kinds.mono_allocation.solver.tables import MonoTables

QUICK = ("simple_greedy", "refined_greedy", "delegate", "neighborhood", "portfolio")
METHODS = {
    "small": ("milp", *QUICK, "rlp_max", "rlp_rand"),
    "large": QUICK,
}
"""The exact program and the roundings are left out of the large panel, as in the source."""
SEARCHES = ("milp", "portfolio")
OPTIMUM = {"small": "milp", "large": "delegate"}
"""What the throughputs of a panel are compared with."""
BENCHED = {"small": ((0, 3), RATIOS), "large": ((0, 5), RATIOS[2::2])}
"""Scenarios and ratios for ``make bench``."""
BOUND, EXECUTED, BLIND = "bound", "delegate executed", "data_parallel blind"


@dataclass(frozen=True)
class Row:
    """What one method made of one scenario at one ratio.

    Attributes
    ----------
    throughput
        Instances per second: of the steady state for allocations, instances over makespan for
        what is executed; 0 where nothing was found.
    seconds
        Time that the method took.
    note
        What is special about it.
    """

    panel: str
    scenario: str
    ratio: str
    method: str
    throughput: float
    seconds: float
    note: str = ""


def rows(
    panel: str,
    seed: int,
    ratio: Fraction,
    instances: int,
    limit: float,
    only: Collection[str] | None = None,
) -> Iterator[Row]:
    """Run every method on a scenario at a ratio.

    Parameters
    ----------
    panel, seed, ratio
        Which scenario.
    instances
        Simulated for the references, and for delegate's allocation.
    limit
        Seconds for each search and for the bound; they answer with the best they have.
    only
        The methods to run; None for all.
    """
    drawn = scenario(panel, seed)
    instance = drawn.instance(ratio)
    options = Options(mip_gap=Fraction(0))
    mapping: list[int] = []

    def allocate(method: str, tables: MonoTables) -> tuple[Fraction, str]:
        control = Control(limit if method in SEARCHES else None)
        finding = find(tables, method, options, control)
        if method == "delegate":
            places = instance.platform.index_by_id
            mapping[:] = [places[finding.allocated.tasks[task][0]] for task in tables.tasks]
        proved = method != "milp" or finding.proved
        return 1 / finding.period, "" if proved else "not proved"

    def execute(method: str, tables: MonoTables) -> tuple[Fraction, str]:
        if method == EXECUTED:
            simulation = repeat(tables, mapping, instances, Control())
        elif method == BLIND:
            simulation = blind(tables, instances)
        else:
            simulation = REFERENCES[method](tables, instances, Control())
        return simulation.instances / simulation.makespan, ""

    def bound(method: str, tables: MonoTables) -> tuple[Fraction, str]:
        found = prices.allocations(tables, Control(limit))
        return 1 / found.period, found.source

    runs: list[tuple[str, Callable[[str, MonoTables], tuple[Fraction, str]]]] = [
        *((method, allocate) for method in METHODS[panel]),
        *((method, execute) for method in REFERENCES),
        (EXECUTED, execute),
        (BLIND, execute),
        (BOUND, bound),
    ]
    for method, run in runs:
        if only is not None and method not in only:
            continue
        throughput, note = Fraction(0), ""
        with stopwatch() as watch:
            try:
                # New tables each time, because they keep what they looked up.
                throughput, note = run(method, MonoTables(instance))
            except NoMapping as reason:
                note = str(reason)
            except OutOfTime:
                note = "out of time"
        yield Row(
            panel, drawn.name, str(ratio), method, float(throughput), round(watch.seconds, 3), note
        )


def blind(tables: MonoTables, instances: int) -> Simulation:
    """Execute instances wholly on one processor each, chosen as if the network were idle.

    Like `data_parallel`, except that an instance goes where it would end first if its files
    met no others: what a scheduler does that does not know of contention.
    """
    operations, order = Operations(tables, Control()), topological_order(tables)
    bound_to = [labels[0] if len(labels) == 1 else None for labels in tables.labels]
    free = [task for task in order if bound_to[task] is None]
    begins: dict[int, int] = {}
    works: dict[int, int] = {}
    remains: dict[int, int] = {}
    for processor in set.intersection(*(set(tables.labels[task]) for task in free)):
        alone = Execution(operations, 1)
        for task in order:
            place = bound_to[task]
            alone.perform(0, task, processor if place is None else place)
        begins[processor] = min(alone.starts[0][task] for task in free)
        works[processor] = sum(operations.computation(task, processor).duration for task in free)
        remains[processor] = max(alone.ends[0]) - max(alone.ends[0][task] for task in free)
    execution = Execution(operations, instances)
    for instance in range(instances):
        chosen = min(begins, key=lambda i: (begins[i] + works[i] + remains[i], i))
        for task in order:
            place = bound_to[task]
            execution.perform(instance, task, chosen if place is None else place)
        begins[chosen] += works[chosen]
    return execution.simulation()


def measure() -> Iterator[Measurement]:
    """Run two scenarios of each panel, the large ones at some of the ratios, and sum up."""
    for panel, (seeds, ratios) in BENCHED.items():
        seen = [
            row for seed in seeds for ratio in ratios for row in rows(panel, seed, ratio, 100, 5)
        ]
        yield from summary(panel, seen)


def relative(seen: Sequence[Row]) -> dict[str, dict[str, list[float]]]:
    """Give throughputs over that of the panel's optimum, by method and ratio."""
    reference = {
        (row.scenario, row.ratio): row.throughput
        for row in seen
        if row.method == OPTIMUM[row.panel] and row.throughput
    }
    found: dict[str, dict[str, list[float]]] = {}
    for row in seen:
        base = reference.get((row.scenario, row.ratio))
        if base and row.throughput:
            by_ratio = found.setdefault(row.method, {})
            by_ratio.setdefault(row.ratio, []).append(row.throughput / base)
    return found


def summary(panel: str, seen: Sequence[Row]) -> Iterator[Measurement]:
    """Sum up a panel: for each method, its throughput over the optimum's, and its time."""
    runs = len({(row.scenario, row.ratio) for row in seen})
    yield Measurement(f"{panel}: scenarios times ratios", runs, "runs")
    for method, by_ratio in relative(seen).items():
        what = f"{panel}: {method} / {OPTIMUM[panel]}"
        ratios = [ratio for listed in by_ratio.values() for ratio in listed]
        if method != OPTIMUM[panel]:
            yield Measurement(f"{what}, geometric mean", geometric_mean(ratios), "times")
            if panel == "large":
                inverse = fmean(1 / ratio for ratio in ratios)
                yield Measurement(f"{panel}: {OPTIMUM[panel]} / {method}, mean", inverse, "times")
            else:
                yield Measurement(f"{what}, mean", fmean(ratios), "times")
        seconds = fmean(row.seconds for row in seen if row.method == method)
        yield Measurement(f"{panel}: {method}, mean time", seconds, "s")


def read(paths: Sequence[Path]) -> list[Row]:
    """Read tables that this benchmark wrote; of what was run twice, the first run counts."""
    seen: dict[tuple[str, str, str], Row] = {}
    for row in read_rows(paths, Row):
        seen.setdefault((row.scenario, row.ratio, row.method), row)
    return list(seen.values())


def main() -> int:
    """Run what the command line says and write the table line by line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.mono_allocation_experiment")
    parser.add_argument("output", type=Path, help="CSV")
    parser.add_argument("--panel", choices=sorted(METHODS), required=True)
    parser.add_argument("--seeds", nargs="*", type=int, default=range(4), help="scenarios (0-3)")
    parser.add_argument("--ratios", nargs="*", type=Fraction, default=RATIOS)
    parser.add_argument("--instances", type=int, default=200, help="to simulate (200)")
    parser.add_argument("--limit", type=float, default=15, help="seconds per search (15)")
    parser.add_argument("--only", nargs="*", help="methods (all)")
    given = parser.parse_args()
    runs = (
        row
        for ratio in given.ratios
        for seed in given.seeds
        for row in rows(given.panel, seed, ratio, given.instances, given.limit, given.only)
    )
    write_rows(given.output, Row, runs)
    return 0


if __name__ == "__main__":
    sys.exit(main())
