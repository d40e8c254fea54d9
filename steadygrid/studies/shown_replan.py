"""Re-planning as people read it: what is kept, what is best now, advice, notes."""

from collections.abc import Iterator

from rich.text import Text

from steadygrid.report.glyphs import Glyphs, printable
from steadygrid.report.layout import Column, break_lines, table
from steadygrid.report.quantities import cell_text, exact_text, percent
from steadygrid.studies.replanned import KeptRate, ReplanOut
from steadygrid.studies.sentences import changes, lost

_AT_MOST = 2
"""Resources that a line names."""
_ADVICE = {
    ("same_slots", "keep"): "keep the schedule as it is",
    ("same_slots", "change"): "change",
    ("same_shares", "keep"): "keep the shares, in a new order",
    ("same_shares", "change"): "change",
    ("same_shares", None): "unknown: this is a bound",
}


def replan_lines(told: ReplanOut, width: int, glyphs: Glyphs) -> list[Text]:
    """Draw what is known: what was done, what is kept, what is best now, what changes, notes.

    Parameters
    ----------
    told
        What replanning found.
    width
        Cells per line.
    glyphs
        Characters to draw with.
    """
    sentences = [
        f"The schedule was made for {exact_text(told.before.value, glyphs)} per time unit."
    ]
    lines = [Text(line) for line in break_lines(sentences[0], width)]
    columns = [
        Column("on the platform of now"),
        Column("throughput", right=True),
        Column("of the best", right=True),
        Column("limited by", optional=True),
    ]
    lines += [Text(), *table(columns, list(_rows(told)), width, glyphs), Text()]
    for sentence in (*_closing(told, glyphs), *(f"note: {note}" for note in told.notes)):
        lines += [Text(line) for line in break_lines(printable(sentence), width)]
    return lines


def _rows(told: ReplanOut) -> Iterator[list[str]]:
    parts = told.of_optimum
    slots, shares = (None, None) if parts is None else (parts.same_slots, parts.same_shares)
    for title, kept, part in (
        ("as it stands", told.kept.same_slots, slots),
        ("in a new order", told.kept.same_shares, shares),
    ):
        sign = "" if kept.exact else "<= "
        share = "" if part is None else sign + percent(part)
        yield [title, sign + cell_text(kept.value), share, _limits(kept)]
    if told.optimum is not None:
        bound = told.bound
        best = "best" if bound is not None and bound.value == told.optimum.value else "best known"
        yield [best, cell_text(told.optimum.value), "100 %" if told.optimum.value else "", ""]


def _limits(kept: KeptRate) -> str:
    names = kept.limited_by
    more = f" and {len(names) - _AT_MOST} more" if len(names) > _AT_MOST else ""
    return printable(", ".join(names[:_AT_MOST]) + more)


def _closing(told: ReplanOut, glyphs: Glyphs) -> Iterator[str]:
    if told.gone:
        yield lost(told.gone)
    if told.advice is not None:
        slots = _ADVICE["same_slots", told.advice.same_slots]
        shares = _ADVICE["same_shares", told.advice.same_shares]
        by, done = "the tolerance", told.instances_done
        if done is not None and told.horizon is not None:
            left = exact_text(told.horizon, glyphs)
            yield (
                f"Complete within {left} time units: {done.same_slots:,} as it stands,"
                f" {done.same_shares:,} in a new order, {done.after_change:,} after a change, during"
                " which nothing is done."
            )
            by = "that"
        yield f"By {by}, as it stands: {slots}. In a new order: {shares}."
    if told.change is not None:
        yield changes(told.change)
