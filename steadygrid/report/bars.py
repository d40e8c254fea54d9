"""Bars: stretches of time in which a lane is busy."""

from collections.abc import Iterable
from fractions import Fraction
from typing import Literal, NamedTuple

Doing = Literal["compute", "send", "receive", "carry", "mixed"]
"""What a bar shows: a link carries, and short bars of several sorts that are joined are mixed."""


class Bar(NamedTuple):
    """A stretch of time in which a lane is busy with one thing, or with several that are joined."""

    start: Fraction
    end: Fraction
    doing: Doing
    what: str
    """The task or file, or how many of them."""
    whom: tuple[str, ...]
    """To whom it sends, or from whom it receives; of lanes that are folded, all of them."""
    count: Fraction | None  # type: ignore[assignment]
    """How often, where the schedule counts. None also where several sorts are joined."""
    busy: Fraction
    """Time for which the lane is busy within: less than the bar is long where it is a share of a
    link's capacity, or where there are gaps between what is joined."""
    number: int | None = None
    """Of the data set, firing or installment. None if there is none, or several."""
    pieces: int = 1
    """How many bars are joined."""


def cut_bars(bars: Iterable[Bar], begin: Fraction, end: Fraction) -> list[Bar]:
    """Cut bars to a window; of one that is cut, the part of its busy time stays, and no count.

    Parameters
    ----------
    bars
        Of one lane, in time units.
    begin, end
        The window, in time units.
    """
    found: list[Bar] = []
    for bar in bars:
        if bar.start >= begin and bar.end <= end:
            found.append(bar)
        elif bar.start < end and bar.end > begin:
            start, till = max(bar.start, begin), min(bar.end, end)
            part = (till - start) / (bar.end - bar.start)
            found.append(bar._replace(start=start, end=till, busy=bar.busy * part, count=None))
    return found


def joined(last: Bar, bar: Bar) -> Bar:
    """Join two bars that touch and show the same."""
    count = None if last.count is None or bar.count is None else last.count + bar.count
    return last._replace(end=bar.end, count=count, busy=last.busy + bar.busy)


def continues(last: Bar, bar: Bar) -> bool:
    """Tell whether two bars touch, show the same, and of a link the same share."""
    return (
        last.end == bar.start
        and (last.doing, last.what, last.whom, last.number)
        == (bar.doing, bar.what, bar.whom, bar.number)
        and (
            bar.doing != "carry"
            or last.busy * (bar.end - bar.start) == bar.busy * (last.end - last.start)
        )
    )
