"""The rows of a Gantt chart: positions for paper, exact numbers for people."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from steadygrid.domain.rational import approximate
from steadygrid.pictures.folded_lanes import Fold, arrow
from steadygrid.pictures.house_style import INK, ON_PORT_COLOURS
from steadygrid.pictures.picture import Cell, PictureTable, Theme
from steadygrid.report.bars import Bar
from steadygrid.report.folding import group_label, named
from steadygrid.report.glyphs import UNICODE, shorten
from steadygrid.report.lanes import (
    Lanes,
)
from steadygrid.report.quantities import decimal_text, percent
from steadygrid.report.report import Report

LONGEST_EXACT = 60
"""Characters of an exact number in a tooltip. The middle of a longer one is left out."""
LONGEST_NAME, LONGEST_LINK = 24, 30
NARROW = 480
"""Pixels of a drawing below which ports have short names, and lanes' names more of the width."""
_SHORTEST_NAME, _SHORTEST_LINK, _BOLD = 6, 12, 7.2
_SHORT_WORDS = {"compute": "comp", "receive": "recv"}
MOST_LABELS = 600
"""Bars, the longest, that carry words where there is room for them."""
_LONGEST_LABEL = 30
_GREATEST = Fraction(10**15)
_LEAST = Fraction(1, 10**9)
_PALE = Fraction(9, 10)
"""Where bars are that faint, words on them are written as on paper."""
_HALVES = {"send": (0.08, 0.58), "receive": (0.42, 0.92)}
"""Where a port that does both sends and receives."""
_VERBS = {"compute": "computes", "send": "sends", "receive": "receives", "carry": "carries"}
_COLUMNS = (
    "lane", "port", "members", "does", "what", "with", "count", "number", "from", "to", "busy",
    "pieces",
)  # fmt: skip


class Ruler(NamedTuple):
    """How times become positions.

    Attributes
    ----------
    zero
        The time at position 0.
    unit
        The time between two positions whose difference is 1.
    title
        What the axis shows.
    """

    zero: Fraction
    unit: Fraction
    title: str

    def position(self, time: Fraction) -> float:
        """Give the position of a time."""
        found = approximate((time - self.zero) / self.unit)
        return 0.0 if found is None else found


def ruler(report: Report, lanes: Lanes, begin: Fraction, end: Fraction) -> Ruler:
    """Choose what a double can tell apart: times as they are, or parts of the period, or of a window.

    Parameters
    ----------
    report
        The answer, and what was asked.
    lanes
        All lanes of the schedule, and the time that they show.
    begin, end
        The window, in time units.
    """
    unit = report.time_unit
    label = f"time in {unit}" if unit else "time"
    periodic = report.schedule is not None
    whole = lanes.end if report.timetable is None else end
    if (end - begin) < _LEAST * max(end, lanes.end):
        return Ruler(begin, end - begin, "part of the window")
    if whole > _GREATEST or whole < _LEAST:
        return Ruler(Fraction(0), whole, f"part of the {'period' if periodic else 'whole'}")
    return Ruler(Fraction(0), Fraction(1), label)


def exact_text(value: Fraction) -> str:
    """Write a number exactly, the middle of a long one left out, and about how much it is."""
    text = str(value)
    if len(text) > LONGEST_EXACT:
        half = (LONGEST_EXACT - 1) // 2
        text = f"{text[:half]}…{text[-half:]}"
    return text if value.denominator == 1 and len(text) <= 15 else f"{text} ≈ {decimal_text(value)}"


def lane_rows(
    report: Report, folds: Sequence[Fold], busy: Sequence[Fraction], length: Fraction, width: int
) -> list[dict[str, Any]]:
    """Give what is written next to each lane, from the top, in a drawing of so many pixels.

    Parameters
    ----------
    report
        The answer, and what was asked.
    folds
        The lanes that are drawn, from the top.
    busy
        For each of the folds, how long it is busy, in time units.
    length
        Of the window, in time units.
    width
        Of the whole drawing, in pixels.
    """
    rows: list[dict[str, Any]] = []
    before = None
    words = [_word(one, width) for one in folds]
    letters = _letters(width, max((pixels(word) for word in words if word), default=0))
    for row, (one, time) in enumerate(zip(folds, busy, strict=True)):
        name = _name(report, one, *letters)
        rows.append(
            {
                "row": row,
                "middle": row + 0.5,
                "name": name if name != before else "",
                "word": words[row],
                "share": percent(time / length),
                "lane": f"{one.name} {one.word}".strip(),
                "members": named(one.members),
                "first": name != before,
            }
        )
        before = name
    return rows


def room_for_names(width: int) -> int:
    """Give the pixels on the left, for the names of lanes and of their ports."""
    return width * 2 // 5 if width < NARROW else width // 3


def _word(one: Fold, width: int) -> str:
    """Give the name of a port; in a narrow drawing that of terminals."""
    *card, last = one.word.split(" ")
    return " ".join((*card, _SHORT_WORDS.get(last, last))) if width < NARROW else one.word


def _letters(width: int, words: float) -> tuple[int, int]:
    """Say how long names of processors and of links are at most, next to words so wide."""
    room = room_for_names(width)
    name, link = int((room - words - 22) / _BOLD), int((room - 10) / _BOLD)
    return (
        min(max(name, _SHORTEST_NAME), LONGEST_NAME),
        min(max(link, _SHORTEST_LINK), LONGEST_LINK),
    )


def _name(report: Report, one: Fold, longest: int, longest_link: int) -> str:
    """Shorten the name of a lane; ends of a link each by itself."""
    names = report.task_names if report.fires else report.names
    lane, number = one.lanes[0], len(one.lanes)
    more = f" … ×{number}" if number > 1 else ""
    if len(lane.owners) > 1:
        room = (longest_link - len(more) - 1) // 2
        return arrow(lane).join(names.short_name(end, room, UNICODE) for end in lane.owners) + more
    if not more:
        return names.short_name(lane.owners[0], longest, UNICODE)
    return shorten(one.name.removesuffix(more), max(longest - len(more), 1), UNICODE) + more


def bar_rows(
    report: Report,
    lanes: Lanes,
    window: tuple[Fraction, Fraction],
    folds: Sequence[Fold],
    bars: Iterable[Sequence[Bar]],
    theme: Theme,
) -> list[dict[str, Any]]:
    """Give the bars: where they are, how dense, and what is said of them.

    Parameters
    ----------
    report
        The answer, and what was asked.
    lanes
        All lanes of the schedule, and the time that they show.
    window
        Begin and end of what is shown, in time units.
    folds
        The lanes that are drawn, from the top.
    bars
        For each of the folds, what is drawn on it.
    theme
        Of the page: light or dark.
    """
    scale = ruler(report, lanes, *window)
    rows: list[dict[str, Any]] = []
    longest: list[tuple[float, int]] = []
    for row, (one, listed) in enumerate(zip(folds, bars, strict=True)):
        members = {"members": named(one.members)} if len(one.lanes) > 1 else {"members": "—"}
        lane = f"{one.name} {one.word}".strip()
        for bar in listed:
            length = bar.end - bar.start
            density = bar.busy / length
            start, end = scale.position(bar.start), scale.position(bar.end)
            top, bottom = (0.12, 0.88)
            if one.lanes[0].port == "port":
                top, bottom = _HALVES.get(bar.doing, (top, bottom))
            pale = density < _PALE
            longest.append((end - start, len(rows)))
            rows.append(
                {
                    "lane": lane,
                    "start": start,
                    "end": end,
                    "top": row + top,
                    "bottom": row + bottom,
                    "doing": bar.doing,
                    "density": float(density),
                    "what": sentence(report, bar),
                    "from": exact_text(bar.start),
                    "to": exact_text(bar.end),
                    "busy": _busy(lanes, bar, density),
                    "ink": INK[theme] if pale else ON_PORT_COLOURS[theme][bar.doing],
                    **members,
                }
            )
            rows[-1] |= bar_words(report, bar, shares=lanes.shares)
    chosen = {place for _, place in sorted(longest, reverse=True)[:MOST_LABELS]}
    for place, drawn in enumerate(rows):
        drawn["labelled"] = place in chosen and bool(drawn["long"])
    return rows


def sentence(report: Report, bar: Bar) -> str:
    """Say what is done in a bar.

    Parameters
    ----------
    report
        The answer, and what was asked.
    bar
        What a lane does for a stretch of time.
    """
    if bar.pieces > 1 and not bar.what:
        doing = "of several sorts" if bar.doing == "mixed" else f"in which it {_VERBS[bar.doing]}"
        return f"{bar.pieces:,} short pieces {doing}"
    verb = "fires" if report.fires else _VERBS[bar.doing]
    words = [verb]
    if bar.count is not None:
        words.append(f"{decimal_text(bar.count)} ×")
    words.append(bar.what)
    if bar.number is not None:
        words.append(_numbered(report, bar.number))
    if bar.whom:
        words.append(f"{'to' if bar.doing == 'send' else 'from'} {named(bar.whom)}")
    said = " ".join(words)
    return f"{bar.pieces:,} short pieces: {said}" if bar.pieces > 1 else said


def _numbered(report: Report, number: int) -> str:
    if report.timetable is None:
        return f"({report.view.part} {number})"
    return f"of cycle {number}" if report.fires else f"for {report.noun} {number}"


def _busy(lanes: Lanes, bar: Bar, density: Fraction) -> str:
    if bar.doing == "carry" and lanes.shares:
        return f"{exact_text(density)} of the capacity"
    if density == 1:
        return f"all the time, {exact_text(bar.busy)}"
    return f"{exact_text(bar.busy)}, {percent(density)} of it"


def bar_words(report: Report, bar: Bar, *, shares: bool) -> dict[str, Any]:
    """Give the words on a bar, and a few where there is less room; with pixels that they need.

    Parameters
    ----------
    report
        The answer, and what was asked.
    bar
        What a lane does for a stretch of time.
    shares
        Whether bars of links are shares of their capacity.
    """
    long = short = ""
    if bar.pieces == 1:
        times = "" if bar.count is None else f" ×{decimal_text(bar.count, 4)}"
        number = "" if bar.number is None else f" {bar.number}"
        if bar.doing in ("send", "receive"):
            arrow, whom = ("→" if bar.doing == "send" else "←"), group_label(bar.whom)
            several = bar.number is not None or len(report.files) > 1
            what = f" {bar.what}{number}" if several else number
            long, short = f"{arrow}{whom}{what}{times}", f"{arrow}{whom}"
        elif bar.doing == "carry" and shares:
            what = shorten(bar.what, _LONGEST_LABEL - len(times), UNICODE)
            long, short = f"{what}{times}", what
        else:
            what = bar.what
            if report.fires:
                what = "" if bar.what == "phase 1" else bar.what
            long = f"{what}{number}{times}".strip()
            short = number.strip() or bar.what
    long, short = (shorten(text, _LONGEST_LABEL, UNICODE) for text in (long, short))
    return {"long": long, "short": short, "room": pixels(long), "least": pixels(short)}


def pixels(text: str) -> float:
    """Guess how much room a word takes, with a margin."""
    return round(sum(6.4 if ord(letter) < 0x2E80 else 12 for letter in text) + 8)


def table(folds: Sequence[Fold], bars: Iterable[Sequence[Bar]]) -> PictureTable:
    """List the bars that are drawn, exactly.

    Parameters
    ----------
    folds
        The lanes that are drawn, from the top.
    bars
        For each of the folds, what is drawn on it.
    """
    rows: list[tuple[Cell, ...]] = []
    for one, listed in zip(folds, bars, strict=True):
        lane = (one.name, one.word, named(one.members))
        for bar in listed:
            whom = named(bar.whom) if bar.whom else None
            did = (bar.doing, bar.what or None, whom, bar.count, bar.number)
            rows.append((*lane, *did, bar.start, bar.end, bar.busy, bar.pieces))
    return PictureTable(_COLUMNS, tuple(rows))


def doings(bars: Iterable[Mapping[str, Any]]) -> list[str]:
    """List what is done in any of the bars, in the order of the legend."""
    seen = {bar["doing"] for bar in bars}
    return [one for one in ("compute", "send", "receive", "carry", "mixed") if one in seen]
