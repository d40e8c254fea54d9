"""Draw the experiment of `benchmarks.replicated_workflow_experiment`, and sum it up.

    python -m benchmarks.replicated_workflow_plot results.csv plot.svg

Needs matplotlib: ``pip install -c constraints.txt -e '.[bench]'``.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure
from rich.console import Console
from rich.table import Table

from benchmarks.replicated_workflow_experiment import PORTS, SETTINGS, Row
from benchmarks.tables import read_rows, save

STYLES = {
    setting.name: {"color": color, "linestyle": line}
    for setting, (color, line) in zip(
        SETTINGS,
        [(color, line) for color in ("tab:blue", "tab:red", "tab:green") for line in ("-", "--")],
        strict=True,
    )
}


def main() -> int:
    """Read the tables, write the plot, print the sums."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.replicated_workflow_plot")
    parser.add_argument("tables", nargs="+", type=Path, help="CSV files")
    parser.add_argument("plot", type=Path, help="SVG")
    given = parser.parse_args()
    seen = list(read_rows(given.tables, Row))
    figure = Figure(figsize=(11, 4.2), layout="constrained")
    grid = figure.subplots(1, len(PORTS), sharex=True, sharey=True)
    for axes, ports in zip(grid, PORTS, strict=True):
        _draw(axes, [row for row in seen if row.ports == ports])
        axes.set_title(ports, fontsize="medium")
        axes.set_xlabel("period longer than the largest mean time by more than (%)")
    grid[0].set(xlim=(-0.2, None), ylim=(0, None))
    grid[0].set_ylabel("of all workflows (%)")
    figure.legend(*grid[0].get_legend_handles_labels(), loc="outside lower center", ncols=3)
    save(figure, given.plot)
    _print(seen)
    return 0


def _draw(axes: Any, seen: Sequence[Row]) -> None:
    """Draw how many workflows exceed how much; the height at 0 is the part without a critical resource."""
    for setting in SETTINGS:
        excesses = sorted(row.excess for row in seen if row.setting == setting.name)
        number = len(excesses)
        above = [(100 * excess, place) for place, excess in enumerate(excesses) if excess]
        steps = [(0.0, len(above)), *((x, number - place - 1) for x, place in above)]
        axes.step(
            [x for x, _ in steps],
            [100 * count / number for _, count in steps],
            where="post",
            label=setting.name,
            **STYLES[setting.name],
        )
    axes.grid(visible=True, alpha=0.4)


def _print(seen: Sequence[Row]) -> None:
    """Print, by setting and ports, how many workflows have no critical resource, and the largest gap."""
    table = Table(title="without a critical resource")
    for column in ("setting", *PORTS):
        table.add_column(column, justify="left" if column == "setting" else "right")
    for setting in SETTINGS:
        cells = []
        for ports in PORTS:
            own = [r for r in seen if r.setting == setting.name and r.ports == ports]
            without = [row.excess for row in own if row.excess]
            largest = f" ({100 * max(without):.1f} %)" if without else ""
            cells.append(f"{len(without)} of {len(own)}{largest}")
        table.add_row(setting.name, *cells)
    Console(width=120).print(table)


if __name__ == "__main__":
    sys.exit(main())
