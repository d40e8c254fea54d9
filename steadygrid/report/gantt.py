"""A text picture of a schedule that runs once: what every processor and every link does when."""

from collections.abc import Iterator, Sequence

from rich.cells import cell_len
from rich.text import Text

from steadygrid.domain.platform import Platform
from steadygrid.domain.timeline import Event, Timeline
from steadygrid.report.chart import Block, axis, row, short_signs
from steadygrid.report.glyphs import Glyphs, pad
from steadygrid.report.layout import folded
from steadygrid.report.picture import COLOURS, MAX_ROWS, NAME_WIDTH, SHORTEST_AXIS
from steadygrid.report.quantities import amount, percent
from steadygrid.report.report import Report

_SHARE_WIDTH = 8


def gantt(report: Report, width: int, glyphs: Glyphs) -> list[Text]:
    """Draw a schedule that runs once, from 0 to its makespan.

    Parameters
    ----------
    width
        Cells per line.

    Returns
    -------
    list
        Nothing where there is no such schedule, or it takes no time.
    """
    timeline, platform = report.timeline, report.platform
    if timeline is None or platform is None or not timeline.makespan:
        return []
    rows = list(_rows(timeline, platform))
    longest = min(NAME_WIDTH, width - SHORTEST_AXIS - _SHARE_WIDTH - 8)
    names = [_name(report, place, longest, glyphs) for place, _ in rows[:MAX_ROWS]]
    margin = max(map(cell_len, names)) + 8
    axis_width = width - margin - _SHARE_WIDTH
    lines = [Text(f"From 0 to {report.duration(timeline.makespan, glyphs)}", style="bold")]
    lines += [
        Text(" " * margin + line, style="dim")
        for line in axis(timeline.makespan, axis_width, report.time_unit, glyphs)
    ]
    loads = list(dict.fromkeys(event.load for event in timeline.events))
    colours = {load: COLOURS[i % len(COLOURS)] for i, load in enumerate(sorted(loads))}
    numbered = _is_numbered(timeline)
    for name, (place, events) in zip(names, rows, strict=False):
        computes = isinstance(place, str)
        line = Text(pad(name, margin - 7), style="bold" if computes else "")
        line.append(" comp  " if computes else " send  ", style="not bold")
        blocks = [_block(report, event, colours[event.load], numbered, glyphs) for event in events]
        line.append_text(row(blocks, timeline.makespan, axis_width, glyphs))
        busy = sum((event.end - event.start for event in events), timeline.makespan * 0)
        line.append(pad(percent(busy / timeline.makespan), _SHARE_WIDTH, right=True))
        lines.append(line)
    if len(rows) > MAX_ROWS:
        left_out = amount(len(rows) - MAX_ROWS, "row", glyphs)
        lines.append(Text(f"and {left_out} more, not drawn", style="dim"))
    return [
        *lines,
        *(
            Text(line, style="dim")
            for line in folded(_legend(report, timeline, lines, glyphs), width)
        ),
    ]


def _legend(report: Report, timeline: Timeline, drawn: Sequence[Text], glyphs: Glyphs) -> str:
    short = f" {signs} too short to draw," if (signs := short_signs(drawn, glyphs)) else ""
    numbered = f"L.2 is {report.view.part} 2 of load L; " if _is_numbered(timeline) else ""
    return f"{numbered}{glyphs.full} computes, {glyphs.caps} sends,{short} {glyphs.idle} idle"


def _is_numbered(timeline: Timeline) -> bool:
    return any(event.installment > 1 for event in timeline.events)


def _rows(
    timeline: Timeline, platform: Platform
) -> Iterator[tuple[str | tuple[str, str], list[Event]]]:
    """Give each processor that computes, and then the links on which it sends."""
    events: dict[str | tuple[str, str], list[Event]] = {}
    for event in timeline.events:
        events.setdefault(event.place, []).append(event)
    position = platform.index_by_id
    first = {place: listed[0].start for place, listed in events.items()}
    senders = {place if isinstance(place, str) else place[0] for place in events}
    begun = {
        sender: min(
            first[place]
            for place in events
            if sender == (place if isinstance(place, str) else place[0])
        )
        for sender in senders
    }
    arrivals = {
        place[1]: first[place]
        for place in events
        if not isinstance(place, str) and first[place] < begun.get(place[1], first[place] + 1)
    }
    # Data goes from those who get theirs first to those who get it later; who begins before
    # anything arrives had it from the start.
    for sender in sorted(senders, key=lambda id_: (arrivals.get(id_, -1), position[id_])):
        if sender in events:
            yield sender, events[sender]
        yield from (
            (place, listed)
            for place, listed in events.items()
            if not isinstance(place, str) and place[0] == sender
        )


def _name(report: Report, place: str | tuple[str, str], width: int, glyphs: Glyphs) -> str:
    if isinstance(place, str):
        return report.names.within(place, width, glyphs)
    room = (width - len(glyphs.to)) // 2
    names = [report.names.within(end, room, glyphs) for end in place]
    return glyphs.to.join(names)


def _block(report: Report, event: Event, colour: str, numbered: bool, glyphs: Glyphs) -> Block:
    name = report.task_names.within(event.load, NAME_WIDTH, glyphs)
    if event.place in report.view.returned:
        name = "result"
    with_number = (f" {name}.{event.installment} ",) if numbered else ()
    labels = (*with_number, f" {name} ", name)
    if isinstance(event.place, str):
        return Block(event.start, event.end, labels, glyphs.full, False, colour)
    return Block(event.start, event.end, labels, glyphs.lines[0], True, colour)
