"""A schedule by time in a page: drawn by the server, in the window that the address names."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import NamedTuple

from app.http.dates import read_date
from app.http.refusals import Refusal
from steadygrid.pictures import gantt
from steadygrid.pictures.errors import UnfitPicture
from steadygrid.pictures.period import Period, period_of
from steadygrid.pictures.period_svg import period_svg
from steadygrid.pictures.svg import PageBrush
from steadygrid.report.report import Report
from steadygrid.report.resources import ResourceList

WIDE, NARROW = 1_120, 624
"""Pixels below the first screen, and on it."""
PHONE = 324
"""On a screen of 390."""
MOST_PARTS = 20_000
"""Entries of a schedule that is drawn here. A longer one is drawn in a process of its own."""
LONGEST_DATE = 120
"""Characters of a date in an address."""
_MOVES = {
    "Earlier": (Fraction(-1, 2), Fraction(-1, 2)),
    "Later": (Fraction(1, 2), Fraction(1, 2)),
    "Closer": (Fraction(1, 4), Fraction(-1, 4)),
    "Wider": (Fraction(-1, 2), Fraction(1, 2)),
}
"""Of what is shown, the part by which either end moves."""


class PeriodFigure(NamedTuple):
    """A picture as the page has it.

    Attributes
    ----------
    svg
        The drawing, as markup, and once more for small screens: the style sheet shows one.
    moves
        Queries that show another window, by what they are called.
    strange
        Why the window that was asked for is not shown; empty where it is.
    """

    period: Period
    svg: str
    moves: Mapping[str, str]
    strange: str


class Marking(NamedTuple):
    """How a picture knows resources.

    Attributes
    ----------
    places
        Their indices in the page's list, by their keys.
    chosen
        Key of the one that is open.
    href
        Gives the address that opens one, by its key. None: none can be opened.
    """

    places: Mapping[str, int]
    chosen: str | None
    href: Callable[[str], str] | None


def period_figure(
    report: Report,
    listed: ResourceList,
    dates: tuple[str, str],
    marking: Marking,
    query: Callable[[str, str], str],
    width: int,
    now: Callable[[Fraction, Fraction], Fraction | None] | None = None,
) -> PeriodFigure | None:
    """Draw a schedule. None if there is none, or it is too long to be drawn here.

    Parameters
    ----------
    report
        The answer, and what was asked.
    listed
        Its resources.
    dates
        Begin and end of the window, as the address has them; empty: as the schedule.
    marking
        How the picture knows resources.
    query
        Gives the query for a window, by the texts of its begin and its end.
    width
        Of the drawing, in pixels.
    now
        Gives the part of a window that is over, if the schedule runs.
    """
    if report.found is None or not gantt.applies_to(report) or report.unread:
        return None
    if sum(report.found.counts.values()) > MOST_PARTS:
        return None
    strange = ""
    try:
        period = period_of(report, listed, _date("from", dates[0]), _date("to", dates[1]))
    except (UnfitPicture, Refusal) as error:
        strange = error.detail
        try:
            period = period_of(report, listed, None, None)
        except UnfitPicture:
            return None
    brush = PageBrush(marking.places.get, marking.href, marking.chosen)
    over = None if now is None else now(period.begin, period.end)
    svg = period_svg(period, brush, width, over)
    svg += period_svg(period, brush, PHONE, over, narrow=True)
    return PeriodFigure(period, svg, _moves(period, query), strange)


def _date(name: str, text: str) -> Fraction | None:
    return read_date(name, text) if text else None


def _moves(period: Period, query: Callable[[str, str], str]) -> dict[str, str]:
    """Give the windows that can be shown next."""
    length = period.end - period.begin
    found: dict[str, str] = {}
    for name, (left, right) in _MOVES.items():
        begin = max(period.first, period.begin + left * length)
        end = period.end + right * length
        if left == right:  # moved as far as there is something
            end = begin + length
            if period.last is not None and end > period.last:
                begin, end = period.last - length, period.last
        elif period.last is not None:
            end = min(period.last, end)
        texts = str(begin), str(end)
        if begin < end and (begin, end) != (period.begin, period.end) and not _is_long(texts):
            found[name] = query(*texts)
    if period.asked:
        found["Whole"] = query("", "")
    return found


def _is_long(texts: tuple[str, str]) -> bool:
    return max(map(len, texts)) > LONGEST_DATE
