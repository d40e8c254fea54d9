"""What a page shows of a schedule by time: lanes of resources, twins together, and their bars."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from steadygrid.pictures.gantt import Window, gathered, titles_of, window_of
from steadygrid.pictures.gantt_rows import Ruler, bar_words, ruler, sentence
from steadygrid.pictures.picture import Wanted
from steadygrid.pictures.thinning import thin
from steadygrid.report.bars import Bar, cut_bars
from steadygrid.report.glyphs import UNICODE, printable
from steadygrid.report.lanes import Lane, Lanes
from steadygrid.report.names import distinct
from steadygrid.report.quantities import decimal_text, percent
from steadygrid.report.report import Report
from steadygrid.report.resource_rows import ResourceRow
from steadygrid.report.resources import ResourceList

MOST_LANES = 36
"""Lanes of a page. The rest, less busy, is counted."""
MOST_PAGE_BARS = 240
"""Bars of a page, which has to stay small. The files have more."""
_CELLS = 400
_LEAST_LINK = Fraction(1, 20)
"""Links that carry for less of the time have no lane."""
_WIDEST = {False: 18, True: 34}
"""Cells of a name. Where links have lanes, more."""
_WORDS = {
    "compute": "computes",
    "send": "sends",
    "receive": "receives",
    "port": "port",
    "link": "carries",
    "actor": "fires",
}
_ORDER = ("receive", "port", "compute", "send", "actor", "link")
_TICKS = 5


class PeriodBar(NamedTuple):
    """A bar.

    Attributes
    ----------
    left, width
        Parts of the window.
    height
        Part of the lane: of what is done side by side, the share of the capacity.
    long, short
        Words on it, and fewer of them.
    said
        All that it shows, with its times.
    """

    left: float
    width: float
    height: float
    doing: str
    long: str
    short: str
    said: str


class PeriodLane(NamedTuple):
    """A lane.

    Attributes
    ----------
    name
        Of the resource; empty where it is that of the lane above.
    key
        Of the resource, as addresses name it. None: it has no row.
    limit
        ``most``, ``limits`` or empty.
    """

    name: str
    word: str
    key: str | None
    share: str
    limit: str
    bars: tuple[PeriodBar, ...]


class Period(NamedTuple):
    """What is shown of a schedule.

    Attributes
    ----------
    begin, end
        Of the window, in time units.
    asked
        Whether it is a part that was asked for.
    first, last
        Of all that there is. None: it goes on.
    ticks
        What is written below the window, at equal distances.
    side_by_side
        Whether heights are shares, and no times at which something is sent.
    left_out
        Lanes that are less busy and not shown.
    joined
        Pieces that are too short to be shown one by one.
    """

    title: str
    subtitle: str
    begin: Fraction
    end: Fraction
    asked: bool
    first: Fraction
    last: Fraction | None
    lanes: tuple[PeriodLane, ...]
    ticks: tuple[str, ...]
    side_by_side: bool
    left_out: int
    joined: int


class _Chosen(NamedTuple):
    """A lane, the row that it belongs to, and its bars within the window."""

    lane: Lane
    row: ResourceRow | None
    bars: list[Bar]

    @property
    def busy(self) -> Fraction:
        return sum((bar.busy for bar in self.bars), Fraction(0))


def period_of(
    report: Report, listed: ResourceList, begin: Fraction | None, end: Fraction | None
) -> Period:
    """Gather what a page shows of a schedule.

    Parameters
    ----------
    report
        The answer, and what was asked. Its schedule takes time.
    listed
        Its resources: lanes are folded as its rows are.
    begin, end
        Of the window, in time units. None: as the schedule.

    Raises
    ------
    UnfitPicture
        If nothing of the schedule lies in the window.
    """
    wanted = Wanted(begin=begin, end=end)
    lanes = gathered(report, wanted)
    window = window_of(lanes, wanted)
    found = _ordered(report, _chosen(lanes, listed, window.begin, window.end), window.length)
    kept = found
    if len(found) > MOST_LANES:
        busiest = sorted(range(len(found)), key=lambda i: (-found[i].busy, i))[:MOST_LANES]
        kept = [found[i] for i in sorted(busiest)]
    thinned = thin([one.bars for one in kept], *window, _CELLS, MOST_PAGE_BARS)
    scale = ruler(report, lanes, *window)
    title, subtitle = titles_of(report, lanes, window)
    names = _names(report, kept, wide=lanes.shares)
    greatest = max((_weight(one) for one in kept), default=Fraction(0))
    told: list[PeriodLane] = []
    for i, (one, bars) in enumerate(zip(kept, thinned.bars, strict=True)):
        weight, row = _weight(one), one.row
        limit = "most" if weight and weight == greatest else "limits" if weight else ""
        words = (one.lane.card, _WORDS[one.lane.port], str(one.lane.track or ""))
        told.append(
            PeriodLane(
                names[i] if i == 0 or names[i] != names[i - 1] else "",
                " ".join(word for word in words if word),
                None if row is None else row.key,
                percent(one.busy / window.length),
                limit,
                tuple(_bar(report, lanes, window, bar) for bar in bars),
            )
        )
    return Period(
        title,
        subtitle,
        *window,
        begin is not None or end is not None,
        lanes.begin if report.timetable is None else Fraction(0),
        lanes.end if report.timetable is None else None,
        tuple(told),
        _ticks(scale, report, window.begin, window.end),
        lanes.shares,
        len(found) - len(kept),
        sum(bar.pieces for bars in thinned.bars for bar in bars if bar.pieces > 1),
    )


def _chosen(lanes: Lanes, listed: ResourceList, begin: Fraction, end: Fraction) -> list[_Chosen]:
    """Give the lanes with their bars; of twins those of the first."""
    row_of: Mapping[str, ResourceRow] = {name: row for row in listed.rows for name in row.names}
    of_member = {row.members[0]: row for row in listed.rows if row.kind in ("processor", "actor")}
    found: list[_Chosen] = []
    for lane in lanes.lanes:
        row = row_of.get(lane.resource) or of_member.get(lane.owners[0])
        if row is not None and len(row.members) > 1 and not _is_first(row, lane):
            continue
        bars = cut_bars(lane.bars, begin, end)
        one = _Chosen(lane, row, bars)
        if bars and (lane.port != "link" or one.busy >= _LEAST_LINK * (end - begin)):
            found.append(one)
    return found


def _is_first(row: ResourceRow, lane: Lane) -> bool:
    return lane.resource == row.names[0] or lane.owners == (row.members[0],)


def _ordered(report: Report, found: Sequence[_Chosen], length: Fraction) -> list[_Chosen]:
    """Put masters first, then what is busiest, links last. The lanes of one stay together."""
    roles = report.view.roles
    busiest: dict[tuple[str, ...], Fraction] = {}
    for one in found:
        owners = one.lane.owners
        busiest[owners] = max(busiest.get(owners, Fraction(0)), one.busy / length)
    place = {owners: i for i, owners in enumerate(busiest)}
    return sorted(
        found,
        key=lambda one: (
            one.lane.port == "link",
            roles.get(one.lane.owners[0]) not in ("master", "source"),
            -busiest[one.lane.owners],
            place[one.lane.owners],
            _ORDER.index(one.lane.port),
            one.lane.card,
            one.lane.track,
        ),
    )


def _weight(one: _Chosen) -> Fraction:
    """Give how much of the optimum hangs on the port of a lane."""
    ports = () if one.row is None else one.row.ports
    if one.lane.port in ("link", "actor"):
        return Fraction(0) if one.row is None else one.row.weight
    shares = (
        port.share
        for port in ports
        if port.port == one.lane.port and (port.card or "") == one.lane.card
    )
    return next((share for share in shares if share is not None), Fraction(0))


def _names(report: Report, kept: Sequence[_Chosen], *, wide: bool) -> list[str]:
    """Name the resource of each lane; two that differ never have the same name."""
    known = report.task_names if report.fires else report.names
    labels: dict[tuple[str, ...], str] = {}
    for one in kept:
        arrow = f" {UNICODE.to} "
        plain = arrow.join(known.name_of(owner) for owner in one.lane.owners)
        labels[one.lane.owners] = plain if one.row is None else one.row.label
    short = distinct([printable(text) for text in labels.values()], _WIDEST[wide], UNICODE)
    by_owner = dict(zip(labels, short, strict=True))
    return [by_owner[one.lane.owners] for one in kept]


def _bar(report: Report, lanes: Lanes, window: Window, bar: Bar) -> PeriodBar:
    length = window.length
    words = bar_words(report, bar, shares=lanes.shares)
    partial = lanes.shares or bar.pieces > 1
    unit = f" {report.time_unit}" if report.time_unit else ""
    times = f"{decimal_text(bar.start)} to {decimal_text(bar.end)}{unit}"
    return PeriodBar(
        float((bar.start - window.begin) / length),
        float((bar.end - bar.start) / length),
        float(bar.busy / (bar.end - bar.start)) if partial else 1.0,
        bar.doing,
        words["long"],
        words["short"],
        f"{sentence(report, bar)}: {times}",
    )


def _ticks(scale: Ruler, report: Report, begin: Fraction, end: Fraction) -> tuple[str, ...]:
    """Write the times at equal distances, with the unit at both ends."""
    unit = report.time_unit or "" if scale.unit == 1 else scale.title
    found: list[str] = []
    for k in range(_TICKS + 1):
        time = begin + (end - begin) * k / _TICKS
        text = decimal_text((time - scale.zero) / scale.unit, 4)
        found.append(f"{text} {unit}".strip() if k in (0, _TICKS) else text)
    return tuple(found)
