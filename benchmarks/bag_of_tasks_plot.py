"""Draw the experiment of `benchmarks.bag_of_tasks_experiment`, and sum it up.

    python -m benchmarks.bag_of_tasks_plot results.csv plot.svg

Needs matplotlib: ``pip install -c constraints.txt -e '.[bench]'``.
"""

import argparse
import sys
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from statistics import fmean
from typing import Any

from matplotlib.figure import Figure
from rich.console import Console
from rich.table import Table

from benchmarks.bag_of_tasks_experiment import BUCKETS, PORTS, Row
from benchmarks.tables import read_rows, save

STYLES: Mapping[str, Mapping[str, Any]] = {
    "on_demand": {"color": "tab:red", "linestyle": ":", "marker": "o"},
    "round_robin": {"color": "tab:orange", "linestyle": ":", "marker": "s"},
    "lp_samp 1x1": {"color": "navy", "marker": "s"},
    "lp_samp 2x1": {"color": "tab:blue", "marker": "o"},
    "lp_samp 2x2": {"color": "tab:cyan", "marker": "v"},
    "lp_samp 4x4": {"color": "tab:green", "marker": "^"},
    "lp_samp 4x4 geometric": {"color": "tab:olive", "marker": "<"},
}


def main() -> int:
    """Read the tables, write the plot, print the sums."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.bag_of_tasks_plot")
    parser.add_argument("tables", nargs="+", type=Path, help="CSV files")
    parser.add_argument("plot", type=Path, help="SVG")
    given = parser.parse_args()
    seen = list(read_rows(given.tables, Row))
    correlations = sorted({Fraction(row.correlation) for row in seen})
    figure = Figure(figsize=(11, 6.5), layout="constrained")
    grid = figure.subplots(len(PORTS), len(correlations), squeeze=False, sharex=True, sharey=True)
    for line, ports in zip(grid, PORTS, strict=True):
        for axes, correlation in zip(line, correlations, strict=True):
            own = [r for r in seen if r.ports == ports and Fraction(r.correlation) == correlation]
            _draw(axes, own)
            axes.set_title(f"{ports}, correlation {correlation}", fontsize="medium")
    for axes in grid[-1]:
        axes.set_xlabel("communication-to-computation ratio")
    for line in grid:
        line[0].set_ylabel("part of the bound (mean)")
    figure.legend(*grid[0][0].get_legend_handles_labels(), loc="outside lower center", ncols=4)
    save(figure, given.plot)
    _print(seen)
    return 0


def means(seen: Sequence[Row], method: str) -> dict[Fraction, float]:
    """Give the mean part of the bound by ratio."""
    ratios = sorted({Fraction(row.ratio) for row in seen})
    return {
        ratio: fmean(
            row.of_bound for row in seen if row.method == method and Fraction(row.ratio) == ratio
        )
        for ratio in ratios
    }


def _draw(axes: Any, seen: Sequence[Row]) -> None:
    for method in BUCKETS:
        found = means(seen, method)
        ratios = [float(ratio) for ratio in found]
        axes.plot(ratios, list(found.values()), markersize=4, label=method, **STYLES[method])
    axes.set(xscale="log", ylim=(0, 1.02))
    axes.grid(visible=True, alpha=0.4)


def _print(seen: Sequence[Row]) -> None:
    """Print, by ports, each method by ratio, its mean over all, and its least."""
    console = Console(width=120)
    for ports in PORTS:
        own = [row for row in seen if row.ports == ports]
        ratios = sorted({Fraction(row.ratio) for row in own})
        table = Table(title=f"{ports}: part of the bound, mean by ratio")
        table.add_column("method")
        for ratio in (*(f"{float(ratio):g}" for ratio in ratios), "all", "least"):
            table.add_column(ratio, justify="right")
        for method in BUCKETS:
            listed = [row.of_bound for row in own if row.method == method]
            cells = [*means(own, method).values(), fmean(listed), min(listed)]
            table.add_row(method, *(f"{cell:.3f}" for cell in cells))
        console.print(table)


if __name__ == "__main__":
    sys.exit(main())
