"""Draw the experiment of `benchmarks.mono_allocation_experiment`, and sum it up.

    python -m benchmarks.mono_allocation_plot results.csv more.csv plot.svg

Needs matplotlib: ``pip install -c constraints.txt -e '.[bench]'``.
"""

import argparse
import sys
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from statistics import geometric_mean
from typing import Any

from matplotlib.figure import Figure
from rich.console import Console
from rich.table import Table

from benchmarks.mono_allocation_experiment import (
    BLIND,
    BOUND,
    EXECUTED,
    METHODS,
    OPTIMUM,
    Row,
    read,
    relative,
    summary,
)
from benchmarks.tables import save

STYLES: Mapping[str, Mapping[str, Any]] = {
    BOUND: {"color": "black", "linestyle": "--", "label": "bound on any mix of allocations"},
    "milp": {"color": "black", "label": "milp (optimal single allocation)"},
    "portfolio": {"color": "navy", "marker": "s"},
    "delegate": {"color": "tab:blue", "marker": "o"},
    "neighborhood": {"color": "tab:cyan", "marker": "v"},
    "refined_greedy": {"color": "tab:green", "marker": "^"},
    "simple_greedy": {"color": "tab:olive", "marker": "<"},
    "rlp_max": {"color": "tab:pink", "marker": "x"},
    "rlp_rand": {"color": "tab:purple", "marker": "+"},
    "heft": {"color": "tab:red", "linestyle": ":", "marker": "o"},
    "data_parallel": {"color": "tab:orange", "linestyle": ":", "marker": "s"},
    BLIND: {"color": "tab:orange", "linestyle": ":", "linewidth": 0.8},
    "clustering": {"color": "tab:brown", "linestyle": ":", "marker": "^"},
}
"""In the order of the legend; references are dotted."""


def main() -> int:
    """Read the tables, write the plot, print the sums."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.mono_allocation_plot")
    parser.add_argument("tables", nargs="+", type=Path, help="CSV files")
    parser.add_argument("plot", type=Path, help="SVG")
    given = parser.parse_args()
    seen = read(given.tables)
    figure = Figure(figsize=(11, 5.5), layout="constrained")
    panels = [panel for panel in reversed(METHODS) if any(row.panel == panel for row in seen)]
    handles: dict[str, Any] = {}
    for axes, panel in zip(
        figure.subplots(1, len(panels), squeeze=False)[0], sorted(panels, reverse=True), strict=True
    ):
        _draw(axes, panel, [row for row in seen if row.panel == panel], handles)
    figure.legend(
        [handles[method] for method in STYLES if method in handles],
        [STYLES[method].get("label", method) for method in STYLES if method in handles],
        loc="outside lower center",
        ncols=4,
        fontsize="small",
    )
    save(figure, given.plot)
    for panel in sorted(panels, reverse=True):
        _print(panel, [row for row in seen if row.panel == panel])
    return 0


def _draw(axes: Any, panel: str, seen: Sequence[Row], handles: dict[str, Any]) -> None:
    found = relative(seen)
    for method, style in STYLES.items():
        by_ratio = {Fraction(ratio): values for ratio, values in found.get(method, {}).items()}
        if not by_ratio:
            continue
        ratios = sorted(by_ratio)
        means = [geometric_mean(by_ratio[ratio]) for ratio in ratios]
        (line,) = axes.plot([float(ratio) for ratio in ratios], means, markersize=4, **style)
        handles.setdefault(method, line)
    axes.set(
        xscale="log",
        yscale="log",
        title=f"{panel} graphs",
        xlabel="communication-to-computation ratio",
        ylabel=f"throughput / {OPTIMUM[panel]}'s (geometric mean)",
    )
    axes.grid(visible=True, which="major", alpha=0.4)


def _print(panel: str, seen: Sequence[Row]) -> None:
    """Print a panel: each method by ratio, then the sums over all ratios."""
    found = relative(seen)
    ratios = sorted({Fraction(row.ratio) for row in seen})
    table = Table(title=f"{panel}: throughput / {OPTIMUM[panel]}'s, geometric mean by ratio")
    table.add_column("method")
    for ratio in ratios:
        table.add_column(f"{float(ratio):g}", justify="right")
    for method in (*STYLES, EXECUTED):
        by_ratio = found.get(method)
        if by_ratio:
            cells = [by_ratio.get(str(ratio)) for ratio in ratios]
            table.add_row(method, *(f"{geometric_mean(c):.2f}" if c else "" for c in cells))
    console = Console(width=120)
    console.print(table)
    for measurement in summary(panel, seen):
        console.print(f"{measurement.what}: {measurement.measured:.3g} {measurement.unit}")


if __name__ == "__main__":
    sys.exit(main())
