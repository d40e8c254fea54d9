"""A text picture of a schedule that repeats row by row: who is at work for which data set when."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from rich.cells import cell_len
from rich.text import Text

from steadygrid.domain.timetable import (
    Computing,
    Firing,
    Row,
    Sending,
    Timetable,
    occurrences,
)
from steadygrid.report.chart import Block, axis, row, short_signs
from steadygrid.report.glyphs import Glyphs, pad
from steadygrid.report.layout import folded
from steadygrid.report.picture import (
    COLOURS,
    MAX_ROWS,
    MOST_LANES,
    NAME_WIDTH,
    SHORTEST_AXIS,
)
from steadygrid.report.quantities import amount, percent
from steadygrid.report.report import Report

MOST_DRAWN = 5_000
"""Blocks of a picture; where a period has more, it shows part of one."""
_FEW_INSTANCES = 12
_SHARE_WIDTH = 8


class _Lane(NamedTuple):
    """A processor, or one of its ports, or an actor."""

    name: str
    doing: str


def rows(report: Report, width: int, glyphs: Glyphs) -> list[Text]:
    """Draw a window of a timetable in which every row has begun.

    A period where it has few data sets or iterations, else as many as can be told apart.

    Parameters
    ----------
    width
        Cells per line.

    Returns
    -------
    list
        Nothing where there is no such schedule.
    """
    timetable = report.timetable
    if timetable is None:
        return []
    lanes = _lanes(timetable)
    shares = {
        lane: sum((one.time / one.every for one in listed), Fraction(0))
        for lane, listed in lanes.items()
    }
    chosen = list(lanes)
    if len(chosen) > MAX_ROWS:
        busiest = set(sorted(chosen, key=lambda lane: -shares[lane])[:MAX_ROWS])
        chosen = [lane for lane in chosen if lane in busiest]
    begin, end = _window(timetable, [one for lane in chosen for one in lanes[lane]])
    longest = min(NAME_WIDTH, width - SHORTEST_AXIS - _SHARE_WIDTH - 8)
    names = {lane: _name(report, lane.name, longest, glyphs) for lane in chosen}
    margin = max(map(cell_len, names.values())) + 8
    axis_width = width - margin - _SHARE_WIDTH
    phased = _phased(timetable)
    title = _title(report, timetable, begin, end, glyphs)
    lines = [
        *(Text(line, style="bold") for line in folded(title, width)),
        *(
            Text(" " * margin + line, style="dim")
            for line in axis(end - begin, axis_width, report.time_unit, glyphs)
        ),
    ]
    before, hidden = None, 0
    for lane in chosen:
        drawn = _drawn(report, lanes[lane], begin, end, phased, glyphs)
        hidden += len(drawn[MOST_LANES:])
        for number, blocks in enumerate(drawn[:MOST_LANES]):
            head = names[lane] if lane.name != before and not number else ""
            line = Text(pad(head, margin - 7), style="bold")
            line.append(f" {lane.doing:<4}  ", style="not bold")
            line.append_text(row(blocks, end - begin, axis_width, glyphs))
            share = "" if number else percent(shares[lane])
            line.append(pad(share, _SHARE_WIDTH, right=True))
            lines.append(line)
        before = lane.name
    if hidden:
        more = amount(hidden, "more row", glyphs)
        lines.append(Text(f"and {more} of firings at the same time, not drawn", style="dim"))
    if len(lanes) > len(chosen):
        left_out = amount(len(lanes) - len(chosen), "less busy row", glyphs)
        lines.append(Text(f"and {left_out}, not drawn", style="dim"))
    legend = _legend(timetable, lines, glyphs)
    return [*lines, *(Text(line, style="dim") for line in folded(legend, width))]


def _lanes(timetable: Timetable) -> Mapping[_Lane, list[Row]]:
    """Sort the rows by who is busy: a port of its own for each direction, or one for all."""
    found: dict[_Lane, list[Row]] = {}
    one_port = timetable.ports == "one_port"
    for one in timetable.rows:
        match one.operation:
            case Computing(processor=processor):
                places = [_Lane(processor, "comp" if one_port else "all")]
            case Sending(sender=sender, receiver=receiver):
                places = [
                    _Lane(sender, "send" if one_port else "all"),
                    _Lane(receiver, "recv" if one_port else "all"),
                ]
            case Firing(actor=actor):
                places = [_Lane(actor, "")]
        for place in places:
            found.setdefault(place, []).append(one)
    order = {name: i for i, name in enumerate(dict.fromkeys(lane.name for lane in found))}
    kinds = ("recv", "all", "comp", "send", "")
    sort = sorted(found, key=lambda lane: (order[lane.name], kinds.index(lane.doing)))
    return {lane: found[lane] for lane in sort}


def _window(timetable: Timetable, drawn: Sequence[Row]) -> tuple[Fraction, Fraction]:
    """Choose when to begin and to end: after the last first start, at a whole instance."""
    each = timetable.period / timetable.instances_per_period
    begin = max((one.start for one in drawn), default=each)
    begin = -(-begin // each) * each
    per_time = sum((1 / one.every for one in drawn), Fraction(0))
    few = min(timetable.instances_per_period, _FEW_INSTANCES) * each
    return begin, begin + min(few, MOST_DRAWN / per_time)


def _title(
    report: Report, timetable: Timetable, begin: Fraction, end: Fraction, glyphs: Glyphs
) -> str:
    each = timetable.period / timetable.instances_per_period
    whole = end - begin == timetable.period
    shown = "one period" if whole else f"{report.duration(end - begin, glyphs)} of the period"
    if (end - begin) % each == 0:
        number = amount(int((end - begin) / each), report.noun, glyphs)
        shown = f"{shown}, {number}"
    return f"From {report.duration(begin, glyphs)} on: {shown}"


def _name(report: Report, name: str, width: int, glyphs: Glyphs) -> str:
    names = report.task_names if report.platform is None else report.names
    return names.within(name, width, glyphs)


def _drawn(
    report: Report,
    listed: Sequence[Row],
    begin: Fraction,
    end: Fraction,
    phased: bool,
    glyphs: Glyphs,
) -> list[list[Block]]:
    """Give the blocks of a row, and of further ones where an actor fires several times at once."""
    lanes: list[list[Block]] = []
    for one in occurrences(listed, begin, end):
        done = listed[one.row]
        if not done.time:
            continue
        number = done.residue + one.turn * done.modulus
        block = Block(
            max(one.start - begin, Fraction(0)),
            min(one.start + done.time, end) - begin,
            _labels(report, done, number, phased, glyphs),
            glyphs.lines[0] if isinstance(done.operation, Sending) else glyphs.full,
            isinstance(done.operation, Sending),
            COLOURS[number % len(COLOURS)],
        )
        free = next((lane for lane in lanes if lane[-1].end <= block.start), None)
        if free is None:
            lanes.append([block])
        else:
            free.append(block)
    return lanes or [[]]


def _labels(
    report: Report, done: Row, number: int, phased: bool, glyphs: Glyphs
) -> tuple[str, ...]:
    match done.operation:
        case Computing(task=task):
            name = report.task_names.within(task, NAME_WIDTH, glyphs)
            return (f" {name} {number} ", f" {number} ", f"{number}")
        case Sending(file=(source, target)):
            ends = [report.task_names.within(one, NAME_WIDTH, glyphs) for one in (source, target)]
            return (f" {glyphs.to.join(ends)} {number} ", f" {number} ", f"{number}")
        case Firing(phase=phase):
            name = f"{number}.{phase}" if phased else f"{number}"
            return (f" {name} ", name)


def _phased(timetable: Timetable) -> bool:
    """Tell whether any actor has more than one phase."""
    return any(
        isinstance(one.operation, Firing) and one.operation.phase != 1 for one in timetable.rows
    )


def _legend(timetable: Timetable, drawn: Sequence[Text], glyphs: Glyphs) -> str:
    firing = any(isinstance(one.operation, Firing) for one in timetable.rows)
    sends = any(isinstance(one.operation, Sending) for one in timetable.rows)
    number = "n: for data set n"
    if firing:
        phased = _phased(timetable)
        number = "n.1: phase 1 of cycle n of the actor" if phased else "n: firing n of the actor"
    said = [
        number,
        f"{glyphs.full} {'fires' if firing else 'computes'}",
        *([f"{glyphs.caps} sends"] if sends else []),
        *([f"{signs} too short to draw"] if (signs := short_signs(drawn, glyphs)) else []),
        f"{glyphs.idle} idle",
    ]
    return ", ".join(said)
