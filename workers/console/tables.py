"""The tables of an answer: who computes what, the busiest resources, the allocations."""

from fractions import Fraction

from rich.cells import cell_len
from rich.text import Text

from app.domain.schedule import Allocation, Transfer
from workers.console.glyphs import Glyphs, shorten
from workers.console.layout import TOP, Cell, Column, table, titled
from workers.console.quantities import cell_text, decimal_text, percent, plural
from workers.console.report import Report

LONGEST_RESOURCE = 34
"""Cells of a resource's name in a table."""


def who_computes(report: Report, width: int, glyphs: Glyphs) -> list[Text]:
    """Tabulate what each processor computes in a period, the most first."""
    schedule = report.schedule
    if schedule is None or not schedule.computations:
        return []
    counts: dict[str, Fraction] = {}
    for computation in schedule.computations:
        counts[computation.processor] = (
            counts.get(computation.processor, Fraction(0)) + computation.count
        )
    total = sum(counts.values())
    ranked = sorted(counts, key=lambda p: -counts[p])
    rows: list[list[Cell]] = [
        [
            shorten(report.names.of(processor), 24, glyphs),
            cell_text(counts[processor]),
            decimal_text(counts[processor] / schedule.period, 4),
            percent(counts[processor] / total),
            counts[processor] / total,
        ]
        for processor in ranked[:TOP]
    ]
    columns = [
        Column("processor"),
        Column("per period", right=True),
        Column(report.per_time, right=True),
        Column("of all", right=True),
        Column("", style="green", bar=True),
    ]
    title = "Who computes how many tasks"
    return titled(title, table(columns, rows, width, glyphs), len(ranked), "processors")


def busiest(report: Report, width: int, glyphs: Glyphs) -> list[Text]:
    """Tabulate the busiest resources, with what one more unit of each would bring."""
    shares, prices = report.occupation, report.result.certificate.prices
    if not shares:
        return []
    ranked = sorted(shares, key=lambda r: (-shares[r], -prices.get(r, Fraction(0)), r))
    priced = bool(prices) and report.result.certificate.type == "lp_duality"
    rows: list[list[Cell]] = [
        [
            report.names.of_resource(resource, LONGEST_RESOURCE, glyphs),
            percent(shares[resource]),
            shares[resource],
            *([cell_text(prices.get(resource, Fraction(0)))] if priced else []),
        ]
        for resource in ranked[:TOP]
    ]
    columns = [
        Column("resource"),
        Column("in use", right=True),
        Column("", style="cyan", bar=True),
        *([Column("price", right=True)] if priced else []),
    ]
    lines = table(columns, rows, width, glyphs)
    return titled("Busiest resources", lines, len(ranked), "resources in use")


def allocations(report: Report, width: int, glyphs: Glyphs) -> list[Text]:
    """List the allocations: how often each is used, where its tasks run, how its files go."""
    schedule = report.schedule
    if schedule is None or not schedule.allocations:
        return []
    ranked = sorted(schedule.allocations, key=lambda a: (-a.rate, a.index))
    numbers = [
        [str(a.index), cell_text(a.instances_per_period), cell_text(a.rate)] for a in ranked[:TOP]
    ]
    columns = [
        Column("", right=True, style="dim"),
        Column("per period", right=True),
        Column(("optimum " if schedule.loss else "") + report.per_time, right=True),
    ]
    used = max(cell_len(line.plain) for line in table(columns, numbers, width, glyphs))
    rows = [
        [*cells, shorten(_way(report, allocation, glyphs), max(width - used - 2, 8), glyphs)]
        for cells, allocation in zip(numbers, ranked, strict=False)
    ]
    title = f"Allocations: the ways that {plural(report.noun)} take"
    lines = table([*columns, Column("way")], rows, width, glyphs)
    return titled(title, lines, len(ranked), "allocations")


def _way(report: Report, allocation: Allocation, glyphs: Glyphs) -> str:
    places = [" and ".join(map(report.names.of, place)) for place in allocation.tasks.values()]
    if len(places) != 1:
        return ", ".join(
            f"{task} on {place}" for task, place in zip(allocation.tasks, places, strict=True)
        )
    moved = [t for t in allocation.transfers if len(t.path) > 1]
    if not moved:
        return f"{places[0]}, nothing is sent"
    if len(moved) == 2 and moved[0].path == moved[1].path[::-1]:
        return f"{_path(report, moved[0], glyphs)} and back"
    several = len({t.file for t in moved}) > 1
    return "; ".join(
        (f"{report.files[t.file]} " if several else "") + _path(report, t, glyphs) for t in moved
    )


def _path(report: Report, transfer: Transfer, glyphs: Glyphs) -> str:
    path = f" {glyphs.to} ".join(map(report.names.of, transfer.path))
    return path if transfer.share == 1 else f"{percent(transfer.share)} by {path}"
