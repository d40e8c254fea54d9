"""What only some kinds have to tell: speed-ups, local stores, loads and start-ups."""

from collections.abc import Iterator
from fractions import Fraction

from rich.text import Text

from steadygrid.report.glyphs import Glyphs
from steadygrid.report.layout import TOP, Cell, Column, folded, table, titled
from steadygrid.report.quantities import decimal_text, elapsed_text, percent
from steadygrid.report.report import Report


def details(report: Report, width: int, glyphs: Glyphs) -> Iterator[list[Text]]:
    """Give each part under a heading of its own, where the result has it."""
    yield _speed_up(report, width, glyphs)
    yield _local_stores(report, width, glyphs)
    yield _calls(report, width, glyphs)
    yield _loads(report, width, glyphs)
    yield _startups(report, width, glyphs)


def _speed_up(report: Report, width: int, glyphs: Glyphs) -> list[Text]:
    factors = getattr(report.result, "speed_up", None)
    found = {} if factors is None else factors.model_dump(exclude_none=True)
    names = {name: Fraction(found[name]) for name in found if name != report.result.method}
    if not names:
        return []
    longest = max(names.values())
    rows: list[list[Cell]] = [
        [name, f"{decimal_text(factor, 4)} {glyphs.times}", factor / longest]
        for name, factor in names.items()
    ]
    columns = [Column("over"), Column("faster", right=True), Column("", style="green", bar=True)]
    return titled("Speed-ups", table(columns, rows, width, glyphs), len(rows), "methods", width)


def _local_stores(report: Report, width: int, glyphs: Glyphs) -> list[Text]:
    listed = getattr(report.result, "local_store", None)
    if not listed:
        return []
    ranked = sorted(listed, key=lambda store: (-store.used, store.core))
    rows: list[list[Cell]] = [
        [
            store.core,
            decimal_text(store.used),
            decimal_text(store.of),
            percent(store.used / store.of) if store.of else "",
            store.used / store.of if store.of else Fraction(0),
        ]
        for store in ranked[:TOP]
    ]
    columns = [
        Column("core"),
        Column("buffers", right=True),
        Column("room", right=True),
        Column("in use", right=True),
        Column("", style="cyan", bar=True),
    ]
    lines = table(columns, rows, width, glyphs)
    return titled("Local stores", lines, len(ranked), "local stores", width)


def _calls(report: Report, width: int, glyphs: Glyphs) -> list[Text]:
    listed = [use for use in getattr(report.result, "dma", None) or () if use.calls]
    if not listed:
        return []
    ranked = sorted(listed, key=lambda use: (Fraction(-use.calls, use.of), use.core))
    rows: list[list[Cell]] = [
        [
            use.core,
            use.source or "all cores",
            str(use.calls),
            str(use.of),
            Fraction(use.calls, use.of),
        ]
        for use in ranked[:TOP]
    ]
    columns = [
        Column("core"),
        Column("fetches from"),
        Column("files", right=True),
        Column("at most", right=True),
        Column("", style="cyan", bar=True),
    ]
    lines = table(columns, rows, width, glyphs)
    return titled("DMA calls per period", lines, len(ranked), "such limits", width)


def _loads(report: Report, width: int, glyphs: Glyphs) -> list[Text]:
    listed = getattr(report.result, "loads", None)
    if not listed:
        return []
    priced = any(load.startup_ratio is not None for load in listed)
    rows: list[list[Cell]] = [
        [
            report.task_names.within(load.load, min(24, width - 28), glyphs),
            elapsed_text(load.completion, glyphs),
            str(load.installments),
            *([decimal_text(load.startup_ratio or Fraction(0), 4)] if priced else []),
        ]
        for load in listed[:TOP]
    ]
    columns = [
        Column("load"),
        Column("done after", right=True),
        Column("messages", right=True),
        *([Column("sent, over its data", right=True, optional=True)] if priced else []),
    ]
    return titled("Loads", table(columns, rows, width, glyphs), len(listed), "loads", width)


def _startups(report: Report, width: int, glyphs: Glyphs) -> list[Text]:
    paid = getattr(report.result, "makespan_with_startup", None)
    makespan = getattr(report.result, "makespan", None)
    if paid is None or makespan is None:
        return []
    later = f", {percent(paid / makespan - 1)} later" if makespan and paid > makespan else ""
    sentence = (
        "If every message pays its start-up cost, the same shares are done after"
        f" {report.duration(paid, glyphs)}{later}."
    )
    return [Text("Start-ups", style="bold"), *map(Text, folded(sentence, width))]
