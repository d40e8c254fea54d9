"""Methods side by side, as people are shown them."""

from collections.abc import Collection, Iterable, Sequence
from fractions import Fraction
from typing import Protocol

from steadygrid.domain.view import Cell, Column, Measure, Method, Phrase, Section, Table

_BOUND = "upper_bound"
"""The method that finds a bound only."""
TOLD = "The referee judges the answer alone: what other methods reached is told as they told it."


class Compared(Protocol):
    """A row: what one method found, and how long it took."""

    method: str
    ratio_to_bound: Fraction | None
    seconds: float
    note: str | None


def comparison(
    ranked: Sequence[tuple[Compared, Sequence[Cell]]],
    found: Column,
    *others: Column,
    text: Phrase = (),
    remarks: Iterable[tuple[str, str]] = (),
) -> Section:
    """Put methods side by side.

    Parameters
    ----------
    ranked
        The best first. Each with its cells of the columns `found` and `others`.
    found
        The column of what is compared.
    text
        What is to be known before the table is read.
    remarks
        On its rows, each with the name of the row. What the methods remark themselves comes after.
    """
    rows = tuple(
        (
            row.method,
            cells[0],
            row.ratio_to_bound,
            _nearness(row.ratio_to_bound),
            *cells[1:],
            Fraction(row.seconds),
        )
        for row, cells in ranked
    )
    columns = (
        Column("method", Measure.TEXT),
        found,
        Column("of the bound", Measure.SHARE),
        Column("", Measure.BEST),
        *others,
        Column("seconds", Measure.SECONDS, optional=True),
    )
    notes = tuple((row.method, row.note) for row, _ in ranked if row.note is not None)
    return Section(
        "All methods, the best first",
        (*text, " ", TOLD) if text else (TOLD,),
        Table(columns, rows),
        (*remarks, *notes),
    )


def methods(
    ranked: Iterable[tuple[Compared, Fraction | None, bool]], mixing: Collection[str] = ()
) -> tuple[Method, ...]:
    """Give methods side by side as plain data.

    Parameters
    ----------
    ranked
        The best first, each with what it reached, and whether the answer is its, or as good.
    mixing
        Methods that the bound does not hold for.
    """
    return tuple(
        Method(
            row.method,
            value,
            () if row.ratio_to_bound is None else (row.ratio_to_bound,),
            answers and row.method != _BOUND,
            row.method == _BOUND,
            row.note or "",
            row.method in mixing,
        )
        for row, value, answers in ranked
    )


def _nearness(ratio: Fraction | None) -> Fraction:
    """Give how full a bar is: full at the bound, whether that is above or below."""
    if ratio is None or ratio == 0:
        return Fraction(0)
    return min(ratio, 1 / ratio)
