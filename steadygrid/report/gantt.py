"""A text picture of a schedule of any form: who sends, receives and computes when."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

from rich.cells import cell_len
from rich.text import Text

from steadygrid.domain.amounts import Amounts
from steadygrid.domain.resources import compute_resource, receive_resource, send_resource
from steadygrid.domain.timetable import Computing, Firing, Operation, Sending
from steadygrid.report.bars import Bar, cut_bars
from steadygrid.report.chart import Block, axis, row, short_signs
from steadygrid.report.glyphs import Glyphs, pad
from steadygrid.report.lanes import (
    MOST_FIRST,
    Lane,
    Lanes,
    Port,
    lanes_of,
    rows_of,
    steady_window,
)
from steadygrid.report.layout import break_lines
from steadygrid.report.links import constant_rates
from steadygrid.report.occupation import occupation_of, resources_of
from steadygrid.report.quantities import amount, percent
from steadygrid.report.report import Report

MAX_ROWS = 24
"""Rows of a picture. Where there are more, the busiest are drawn."""
MOST_LANES = 6
"""Rows for what a processor sends side by side, or receives, or for what an actor fires."""
MOST_DRAWN = 5_000
"""Blocks of a timetable. Where a period has more, the picture shows part of one."""
NAME_WIDTH = 16
CARD_WIDTH = 8
SHORTEST_AXIS = 16
_SHARE_WIDTH = 8
COLOURS = ("cyan", "green", "yellow", "magenta", "blue", "bright_red", "bright_cyan")
_WORDS: Mapping[Port, str] = {
    "send": "send",
    "receive": "recv",
    "port": "port",
    "compute": "comp",
    "actor": "",
}
"""What a row is of its processor, in the order of the rows."""


class _Group(NamedTuple):
    """Processors that do the same at the same time, by the first of them; or an actor."""

    owner: str
    members: int
    weight: Fraction


class _Chosen(NamedTuple):
    """Whom a picture shows, each with the lanes that are its rows.

    Attributes
    ----------
    left_out
        Processors or actors that are less busy.
    hidden
        Lanes of those who are shown, beyond `MOST_LANES`.
    """

    rows: Mapping[_Group, Sequence[Lane]]
    left_out: int
    hidden: int


def gantt(report: Report, width: int, glyphs: Glyphs) -> list[Text]:
    """Draw a period of a schedule, or all of one that runs once, or a window of a timetable.

    Of a timetable, every row has begun. The window is a period where that has few data sets or
    iterations, else as many as can be told apart. Where rates are constant, a table says what
    links carry.

    Parameters
    ----------
    width
        Cells per line.

    Returns
    -------
    list
        Nothing where the schedule does nothing.
    """
    rates: list[Text] = []
    if report.schedule is not None and report.platform is not None and report.ports == "multiport":
        rates = constant_rates(report, report.platform, width, glyphs)
    shares = _shares(report)
    groups = _groups(report, shares)
    busiest = sorted(groups, key=lambda group: -group.weight)[:MAX_ROWS]
    owners = {group.owner for group in busiest}
    lanes = lanes_of(report, *_window(report, owners), owners)
    if lanes is None or not lanes.lanes:
        return rates
    chosen, signs = _chosen(report, groups, busiest, lanes), _Signs(report, glyphs)
    drawn, charts = _drawn(lanes, chosen, shares, signs, width)
    said = signs.legend(chosen, charts)
    return [
        *(Text(line, style="bold") for line in break_lines(_title(report, lanes, glyphs), width)),
        *drawn,
        *(Text(line, style="dim") for text in said for line in break_lines(text, width)),
        *([Text(), *rates] if rates else []),
    ]


def _shares(report: Report) -> Mapping[str, Fraction]:
    """Give the share of the time for which each resource, or each actor, is busy in the long run."""
    if report.schedule is not None:
        return report.busy
    if report.platform is not None or report.timetable is None:
        return occupation_of(report) or {}
    shares: Amounts[str] = Amounts()
    for one in report.timetable.rows:
        for resource, _ in _busied(one.operation):
            shares[resource] += one.time / one.every
    return shares


def _busied(operation: Operation) -> Iterator[tuple[str, str]]:
    """Give what an operation keeps busy where there is no platform, and whose it is."""
    match operation:
        case Computing(processor=owner):
            yield compute_resource(owner), owner
        case Firing(actor=owner):
            yield owner, owner
        case Sending(sender=sender, receiver=receiver):
            yield send_resource(sender), sender
            yield receive_resource(receiver), receiver


def _groups(report: Report, shares: Mapping[str, Fraction]) -> list[_Group]:
    """List who is busy. Those that only compute, and all the same, are together."""
    if report.platform is None:
        owned: Amounts[str] = Amounts()
        for one in () if report.timetable is None else report.timetable.rows:
            for _, owner in _busied(one.operation):
                owned[owner] += one.time / one.every
        return [_Group(owner, 1, share) for owner, share in owned.items()]
    work: dict[str, list[object]] = {}
    for done in () if report.schedule is None else report.schedule.computations:
        # A count that is not drawn makes no difference in a picture.
        count = done.count if _can_be_drawn(done.count) else None
        work.setdefault(done.processor, []).append((done.task, count, done.start, done.time))
    weights: Amounts[str] = Amounts()
    for resource in resources_of(report.platform, report.ports, shares):
        if resource.what in ("send", "receive", "compute") and resource.name in shares:
            (owner,) = resource.ends
            # Who sends tells the most: it counts twice.
            weights[owner] += shares[resource.name] * (1 + (resource.what == "send"))
            if resource.what != "compute":
                work.pop(owner, None)
    alike: dict[object, list[str]] = {}
    for owner in weights:
        alike.setdefault(tuple(work.get(owner, ())) or owner, []).append(owner)
    return [_Group(members[0], len(members), weights[members[0]]) for members in alike.values()]


def _window(report: Report, owners: Collection[str]) -> tuple[Fraction | None, Fraction | None]:
    """Choose what is shown of a timetable: no more than a period, and of whole data sets if few."""
    timetable = report.timetable
    if timetable is None or not owners:
        return None, None
    begin, _ = steady_window(timetable)
    each = timetable.period / timetable.instances_per_period
    few = min(timetable.instances_per_period, MOST_FIRST) * each
    starts = sum((1 / one.every for one in rows_of(timetable, owners)), Fraction(0))
    return begin, begin + min(few, MOST_DRAWN / starts)


def _chosen(
    report: Report, groups: Sequence[_Group], busiest: Sequence[_Group], lanes: Lanes
) -> _Chosen:
    """Choose whom to draw: all, in the order given, or as many of the busiest as there is room for."""
    found: dict[tuple[str, Port], list[Lane]] = {}
    for lane in lanes.lanes:
        found.setdefault((lane.owners[0], lane.port), []).append(lane)
    rows: dict[_Group, list[Lane]] = {}
    room, hidden = MAX_ROWS, 0
    for group in busiest:
        listed = [found.get((group.owner, port), []) for port in _WORDS]
        shown = [lane for several in listed for lane in several[:MOST_LANES]]
        room -= len(shown)
        if room < 0:
            break
        rows[group] = shown
        hidden += sum(map(len, listed)) - len(shown)
    left_out = sum(group.members for group in groups) - sum(group.members for group in rows)
    if not left_out or report.schedule is None:
        rows = {group: rows[group] for group in groups if group in rows}
    return _Chosen(rows, left_out, hidden)


def _title(report: Report, lanes: Lanes, glyphs: Glyphs) -> str:
    timetable, length = report.timetable, report.duration(lanes.end - lanes.begin, glyphs)
    if timetable is None:
        return f"From 0 to {length}" if report.schedule is None else f"One period: {length}"
    number = (lanes.end - lanes.begin) * timetable.throughput
    whole = number == timetable.instances_per_period
    shown = "one period" if whole else f"{length} of the period"
    if number.denominator == 1:
        shown = f"{shown}, {amount(number, report.noun, glyphs)}"
    return f"From {report.duration(lanes.begin, glyphs)} on: {shown}"


def _drawn(
    lanes: Lanes, chosen: _Chosen, shares: Mapping[str, Fraction], signs: "_Signs", width: int
) -> tuple[list[Text], list[Text]]:
    """Draw the axis, and a row for each lane; give what stands below the axis by itself, too."""
    report, glyphs = signs.report, signs.glyphs
    longest = min(NAME_WIDTH, width - SHORTEST_AXIS - _SHARE_WIDTH - 8)
    names = {group: _name(report, group, longest, glyphs) for group in chosen.rows}
    named = {lane.card for listed in chosen.rows.values() for lane in listed if lane.card}
    cards = {card: f" {report.names.short_name(card, CARD_WIDTH, glyphs)}" for card in named}
    margin = max([4, *map(cell_len, names.values())]) + 8
    margin += max(map(cell_len, cards.values()), default=0)
    axis_width, length = width - margin - _SHARE_WIDTH, lanes.end - lanes.begin
    shortest = 2 * length / axis_width
    lines = [
        Text(" " * margin + line, style="dim")
        for line in axis(length, axis_width, report.time_unit, glyphs)
    ]
    charts: list[Text] = []
    for group, listed in chosen.rows.items():
        head = names[group]
        for lane in listed:
            bars: Sequence[Bar] = lane.bars
            if report.timetable is not None:
                bars = cut_bars(bars, lanes.begin, lanes.end)
            if report.schedule is None and not lane.track:
                # What is shown of a timetable may be no whole period.
                share = shares[lane.resource]
            else:
                share = sum((bar.busy for bar in bars), Fraction(0)) / length
            blocks = [signs.block(lane, bar, lanes.begin, shortest) for bar in bars]
            charts.append(row(blocks, length, axis_width, glyphs))
            line = Text(pad(head + cards.get(lane.card, ""), margin - 7), style="bold")
            line.append(f" {signs.word(lane):<4}  ", style="not bold")
            line.append_text(charts[-1])
            line.append(pad(percent(share), _SHARE_WIDTH, right=True))
            lines.append(line)
            head = " " * cell_len(head)
    return lines, charts


def _name(report: Report, group: _Group, width: int, glyphs: Glyphs) -> str:
    more = "" if group.members == 1 else f" +{group.members - 1}"
    names = report.task_names if report.fires else report.names
    return names.short_name(group.owner, width - len(more), glyphs) + more


def _can_be_drawn(count: Fraction | None) -> bool:
    return count is not None and count.denominator == 1 and count < 10**6


@dataclass(frozen=True)
class _Signs:
    """What lanes and bars look like, and the legend that explains it."""

    report: Report
    glyphs: Glyphs

    def word(self, lane: Lane) -> str:
        """Say what a row is of its processor."""
        everything = lane.port == "port" and self.report.ports == "no_overlap"
        return "all" if everything else _WORDS[lane.port]

    def block(self, lane: Lane, bar: Bar, begin: Fraction, shortest: Fraction) -> Block:
        """Draw a bar in a window that begins at some time; one that is not longer has no label."""
        sends = bar.doing != "compute"
        fill = self._fills.get(bar.what, self.glyphs.lines[0]) if sends else self.glyphs.full
        start, end = (bar.start - begin, bar.end - begin) if begin else (bar.start, bar.end)
        colour = COLOURS[self._number(lane, bar) % len(COLOURS)]
        labels = self._labels(bar) if bar.busy > shortest else ()
        return Block(start, end, labels, fill, sends, colour)

    def _number(self, lane: Lane, bar: Bar) -> int:
        """Tell peers apart; of what runs once, loads; of timetables, data sets."""
        if self.report.timeline is not None:
            return self._loads[bar.what][0]
        if bar.number is not None:
            return bar.number
        index = {} if self.report.platform is None else self.report.platform.index_by_id
        return index[bar.whom[0] if bar.whom else lane.owners[0]]

    def _labels(self, bar: Bar) -> tuple[str, ...]:
        """Say what is done, and with whom, the longest first."""
        told = self._descriptions(bar)
        if self.report.timetable is not None or not bar.whom:
            return (*(f" {one} " for one in told), *told[-1:])
        arrow = self.glyphs.to if bar.doing == "send" else self.glyphs.of
        peer = self.report.names.short_name(bar.whom[0], NAME_WIDTH, self.glyphs)
        return (*(f"{arrow}{peer} {one}" for one in told), f"{arrow}{peer}", peer)

    def _descriptions(self, bar: Bar) -> tuple[str, ...]:
        """Say what is done, and how often, or for which data set, or which part of it."""
        report, glyphs = self.report, self.glyphs
        if report.timeline is not None:
            name = self._loads[bar.what][1]
            return (f"{name}.{bar.number}", name) if bar.number is not None else (name,)
        if report.timetable is not None:
            phase = bar.what.replace("phase ", ".") if self._phased else ""
            number = f"{bar.number}{phase}"
            if report.fires:
                return (number,)
            name = report.task_names.short_name(bar.what, 2 * NAME_WIDTH, glyphs)
            return f"{name} {number}", number
        count = bar.count if _can_be_drawn(bar.count) else None
        if bar.doing != "compute":
            return (f"{glyphs.times}{count}",) if count is not None else ()
        if report.noun == "task":
            return (amount(count, "task", glyphs), f"{count}") if count is not None else ()
        name = report.task_names.short_name(bar.what, NAME_WIDTH, glyphs)
        return (f"{name} {glyphs.times}{count}", name) if count is not None else (name,)

    @cached_property
    def _fills(self) -> Mapping[str, str]:
        words, lines = dict.fromkeys(self.report.files.values()), self.glyphs.lines
        return {word: lines[min(i, len(lines) - 1)] for i, word in enumerate(words)}

    @cached_property
    def _loads(self) -> Mapping[str, tuple[int, str]]:
        """Number what is sent and computed of a schedule that runs once, and give it short names."""
        timeline, names = self.report.timeline, self.report.task_names
        loads = sorted({event.load for event in timeline.events} if timeline is not None else ())
        results = {f"result of {load}": (i, "result") for i, load in enumerate(loads)}
        return results | {
            load: (i, names.short_name(load, NAME_WIDTH, self.glyphs))
            for i, load in enumerate(loads)
        }

    @cached_property
    def _phased(self) -> bool:
        """Tell whether any actor has more than one phase."""
        timetable = self.report.timetable
        return timetable is not None and any(
            isinstance(one.operation, Firing) and one.operation.phase != 1 for one in timetable.rows
        )

    def legend(self, chosen: _Chosen, charts: Sequence[Text]) -> Iterator[str]:
        """Explain what a picture leaves out or cannot say by itself."""
        report, glyphs, actors = self.report, self.glyphs, self.report.fires
        lanes = [lane for listed in chosen.rows.values() for lane in listed]
        if chosen.hidden:
            hidden = amount(chosen.hidden, "more row" if actors else "more card", glyphs)
            yield f"and {hidden}{' of firings at the same time' if actors else ''}, not drawn"
        doing = {bar.doing for lane in lanes for bar in lane.bars}
        if report.schedule is None or doing != {"compute"}:
            short = short_signs(charts, glyphs)
            said = [
                *self._numbers(lanes),
                *(self._transfers() if doing != {"compute"} else ()),
                *(
                    [f"{glyphs.full} {'fires' if actors else 'computes'}"]
                    if "compute" in doing
                    else []
                ),
                *([f"{short} too short to draw"] if short else []),
                f"{glyphs.idle} idle",
            ]
            yield ", ".join(said)
        if any(group.members > 1 for group in chosen.rows):
            yield "+N: so do N more processors"
        if chosen.left_out:
            noun = "less busy actor" if actors else "less busy processor"
            yield f"and {amount(chosen.left_out, noun, glyphs)}, not drawn"
        if len(self._fills) > 1 and doing != {"compute"}:
            yield f"files: {', '.join(self._files())}"

    def _numbers(self, lanes: Sequence[Lane]) -> Iterator[str]:
        """Explain numbers on bars."""
        if self.report.timeline is not None:
            if any(bar.number is not None for lane in lanes for bar in lane.bars):
                yield f"L.2 is {self.report.view.part} 2 of load L"
        elif self.report.timetable is not None:
            if not self.report.fires:
                yield "n: for data set n"
            elif self._phased:
                yield "n.1: phase 1 of cycle n of the actor"
            else:
                yield "n: firing n of the actor"

    def _transfers(self) -> tuple[str, ...]:
        glyphs = self.glyphs
        if self.report.timetable is not None:
            return (f"{glyphs.caps} sends",)
        sends = f"{glyphs.to}P sends to P"
        if self.report.schedule is not None:
            sends = f"{glyphs.to}P {glyphs.times}5 sends 5 files to P"
        return sends, f"{glyphs.of}P receives"

    def _files(self) -> list[str]:
        """Show the fill of each file; many share the last one."""
        listed = list(self._fills.items())
        most = len(self.glyphs.lines)
        shown = [f"{fill * 2} {word}" for word, fill in listed[:most]]
        if len(listed) > most:
            shown[-1] = f"{listed[-1][1] * 2} the other files"
        return shown
