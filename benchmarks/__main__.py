"""Run the benchmarks, each in a process of its own, and print one table.

``python -m benchmarks`` runs all, ``python -m benchmarks trees service`` some. The exit code
tells of errors only: a claim that does not hold on this machine is a line of the table.
"""

import argparse
import importlib
import json
import subprocess
import sys
from dataclasses import asdict

from rich.console import Console
from rich.table import Table

from benchmarks.measurement import Measurement

BENCHMARKS = (
    "matchings",
    "cycles",
    "dataflow",
    "layer_pipeline",
    "trees",
    "random_platforms",
    "exact_programs",
    "fixed_routes",
    "task_graphs",
    "grids",
    "imports",
    "rules",
    "mono_allocation_exact",
    "mono_allocation_experiment",
    "heft",
    "cell",
    "collectives",
    "programs",
    "divisible_chain",
    "bag_of_tasks_experiment",
    "uniform_tasks",
    "divisible_star",
    "divisible_star_jobs",
    "replicated_workflow",
    "replicated_workflow_experiment",
    "service",
    "pages",
    "turns",
    "sweeps",
    "workers",
    "deadlines",
    "purges",
    "finished",
    "reality",
    "hostile_clients",
    "hostile_tenant",
)


def main() -> int:
    """Parse the command line; give the exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("name", nargs="*", help=f"some of: {', '.join(BENCHMARKS)}")
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    names = arguments.name or list(BENCHMARKS)
    if unknown := set(names) - set(BENCHMARKS):
        parser.error(f"no benchmark is called {', '.join(sorted(unknown))}")
    if arguments.child:
        return _measure(names[0])
    return max(_show(name) for name in names)


def _measure(name: str) -> int:
    """Write one JSON line for each measurement, as soon as it is there."""
    measurement: Measurement
    for measurement in importlib.import_module(f"benchmarks.{name}").measure():
        print(json.dumps(asdict(measurement)), flush=True)
    return 0


def _show(name: str) -> int:
    """Run one benchmark in a child, so that its peak memory is its own, and print its table."""
    console = Console(width=110)
    table = Table(title=name, title_justify="left", expand=True)
    table.add_column("what")
    for heading in ("measured", "claimed", ""):
        table.add_column(heading, justify="right", no_wrap=True)
    command = [sys.executable, "-m", "benchmarks", "--child", name]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
        for line in child.stdout or ():
            table.add_row(*_cells(Measurement(**json.loads(line))))
    console.print(table)
    if child.returncode != 0:
        console.print(f"{name} ended with an error")
        return 1
    return 0


def _cells(seen: Measurement) -> tuple[str, str, str, str]:
    claim = ""
    if seen.claim is not None:
        claim = f"{'at least' if seen.at_least else 'at most'} {seen.claim:g} {seen.unit}"
    verdict = {None: "", True: "holds", False: "does not hold here"}[seen.holds]
    return seen.what, f"{seen.measured:.3g} {seen.unit}", claim, verdict


if __name__ == "__main__":
    sys.exit(main())
