"""A text picture of one period: who talks to whom when, and who computes."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from rich.cells import cell_len
from rich.text import Text

from app.domain.platform import arc_uses
from workers.console.glyphs import Glyphs, bar, pad, shorten
from workers.console.quantities import amount, decimal_text, percent, rounded_text
from workers.console.report import Report

MAX_ROWS = 24
"""Rows of a picture; the busiest processors come first where there are more."""
MAX_LINKS = 12
"""Links of a ``multiport`` picture."""
NAME_WIDTH = 16
_SHARE_WIDTH = 8
_TICK_SPACING = 10

COLOURS = ("cyan", "green", "yellow", "magenta", "blue", "bright_red", "bright_cyan")


class Block(NamedTuple):
    """A stretch of a row; `label` holds its texts, the longest first."""

    start: Fraction
    end: Fraction
    labels: tuple[str, ...]
    fill: str
    capped: bool
    colour: str


@dataclass
class _Track:
    """What one port or processor does in a period: touching blocks of a sort are one."""

    blocks: list[tuple[Fraction, Fraction, tuple[str, str], Fraction]] = field(default_factory=list)

    def add(self, start: Fraction, end: Fraction, what: tuple[str, str], count: Fraction) -> None:
        """Append a stretch that begins no earlier than the last one ends."""
        if self.blocks and self.blocks[-1][1] == start and self.blocks[-1][2] == what:
            first, _, _, so_far = self.blocks.pop()
            start, count = first, so_far + count
        self.blocks.append((start, end, what, count))


def picture(report: Report, width: int, glyphs: Glyphs) -> list[Text]:
    """Draw one period of a schedule.

    Parameters
    ----------
    width
        Cells per line.

    Returns
    -------
    list
        Nothing where the schedule does nothing.
    """
    schedule = report.schedule
    if schedule is None or not report.occupation:
        return []
    chosen, left_out = _busiest_processors(report)
    names = max((cell_len(shorten(p, NAME_WIDTH, glyphs)) for p in chosen), default=0)
    margin = max(names, 4) + 8
    axis_width = max(width - margin - _SHARE_WIDTH, 20)
    lines = [_title(report, glyphs)]
    lines += [
        Text(" " * margin + line, style="dim")
        for line in axis(schedule.period, axis_width, report.time_unit, glyphs)
    ]
    colours = {p.id: COLOURS[i % len(COLOURS)] for i, p in enumerate(report.platform.processors)}
    tracks = _tracks(report, set(chosen))
    for processor in chosen:
        name = pad(shorten(processor, NAME_WIDTH, glyphs), margin - 7)
        for kind in ("send", "recv", "comp"):
            track = tracks.get((processor, kind))
            if track is None:
                continue
            blocks = [_block(report, b, kind, processor, colours, glyphs) for b in track.blocks]
            line = Text(name, style="bold").append(f" {kind}  ", style="not bold")
            line.append_text(row(blocks, schedule.period, axis_width, glyphs))
            line.append(pad(percent(_share(report, processor, kind)), _SHARE_WIDTH, right=True))
            lines.append(line)
            name = " " * cell_len(name)
    if report.ports == "multiport":
        lines += _links(report, width, glyphs)
    lines += [Text(text, style="dim") for text in _legend(report, left_out, glyphs)]
    return lines


def _title(report: Report, glyphs: Glyphs) -> Text:
    assert report.schedule is not None
    period = report.duration(report.schedule.period, glyphs)
    return Text(f"One period: {period}", style="bold")


def _share(report: Report, processor: str, kind: str) -> Fraction:
    resource = {"send": "send", "recv": "receive", "comp": "compute"}[kind]
    return report.occupation.get(f"{processor}.{resource}", Fraction(0))


def _busiest_processors(report: Report) -> tuple[list[str], int]:
    """Choose the processors to draw: all, in the platform's order, or the busiest first."""
    shown = ("compute",) if report.ports == "multiport" else ("send", "receive", "compute")
    rows: dict[str, list[Fraction]] = {}
    weight: dict[str, Fraction] = {}
    for processor in report.platform.processors:
        shares = [report.occupation.get(f"{processor.id}.{r}", Fraction(0)) for r in shown]
        if any(shares):
            rows[processor.id] = [share for share in shares if share]
            # Who sends tells the most about a period: it counts twice.
            weight[processor.id] = sum(shares) + shares[0]
    if sum(map(len, rows.values())) <= MAX_ROWS:
        return list(rows), 0
    chosen: list[str] = []
    room = MAX_ROWS
    for processor_id in sorted(rows, key=lambda p: -weight[p]):
        room -= len(rows[processor_id])
        if room < 0:
            break
        chosen.append(processor_id)
    return chosen, len(rows) - len(chosen)


def _tracks(report: Report, chosen: set[str]) -> dict[tuple[str, str], _Track]:
    """Gather what each port and processor does, in one pass over the schedule."""
    schedule, platform = report.schedule, report.platform
    assert schedule is not None
    tracks: dict[tuple[str, str], _Track] = {}
    for computation in schedule.computations:
        if computation.processor in chosen and computation.time:
            track = tracks.setdefault((computation.processor, "comp"), _Track())
            end = computation.start + computation.time
            track.add(computation.start, end, (computation.task, ""), computation.count)
    if report.ports == "multiport":
        return tracks
    index, sizes = platform.index_by_id, report.submission.instance.file_sizes
    ports = {p.id for p in platform.processors if not p.switch} & chosen
    for slot in schedule.slots:
        clock: dict[tuple[str, str], Fraction] = {}
        for hop in slot.transfers:
            if hop.sender not in ports and hop.receiver not in ports:
                continue
            pair = (hop.sender, hop.receiver)
            arc = platform.arc_by_ends[index[hop.sender], index[hop.receiver]]
            start = clock.get(pair, slot.start)
            end = clock[pair] = start + hop.count * sizes[hop.file] * arc.unit_time
            word = report.files[hop.file]
            if hop.sender in ports:
                track = tracks.setdefault((hop.sender, "send"), _Track())
                track.add(start, end, (hop.receiver, word), hop.count)
            if hop.receiver in ports:
                track = tracks.setdefault((hop.receiver, "recv"), _Track())
                track.add(start, end, (hop.sender, word), hop.count)
    return tracks


def _block(
    report: Report,
    stretch: tuple[Fraction, Fraction, tuple[str, str], Fraction],
    kind: str,
    processor: str,
    colours: dict[str, str],
    glyphs: Glyphs,
) -> Block:
    start, end, (what, word), count = stretch
    small = count.denominator == 1 and count < 10**6
    labels: tuple[str, ...] = ()
    if kind == "comp":
        if report.noun != "task":
            name = shorten(what, NAME_WIDTH, glyphs)
            labels = (f" {name} {glyphs.times}{count} ", f" {name} ")[not small :]
        elif small:
            labels = (f" {amount(count, 'task', glyphs)} ", f" {count} ")
        return Block(start, end, labels, glyphs.full, False, colours[processor])
    peer = shorten(what, NAME_WIDTH, glyphs)
    arrow = glyphs.to if kind == "send" else glyphs.of
    labels = (f"{arrow}{peer}", peer)
    if small:
        labels = (f"{arrow}{peer} {glyphs.times}{count}", *labels)
    words = list(dict.fromkeys(report.files.values()))
    fill = glyphs.lines[min(words.index(word), len(glyphs.lines) - 1)]
    return Block(start, end, labels, fill, True, colours[what])


def row(blocks: Sequence[Block], period: Fraction, width: int, glyphs: Glyphs) -> Text:
    """Draw the blocks of one row to scale.

    A block that is too short for a column of its own is not lost: such columns are shaded
    by the part of them that is busy.
    """
    cells = [glyphs.idle] * width
    styles = ["dim"] * width
    crumbs: dict[int, Fraction] = {}
    for block in blocks:
        first, last = column(block.start, period, width), column(block.end, period, width)
        if first == last:
            place = min(int(block.start * width / period), width - 1)
            crumbs[place] = crumbs.get(place, Fraction(0)) + (block.end - block.start)
            styles[place] = block.colour
            continue
        for place, text in zip(
            range(first, last), _drawn(block, last - first, glyphs), strict=True
        ):
            cells[place] = text
            styles[place] = block.colour
    for place, time in crumbs.items():
        if cells[place] == glyphs.idle:
            level = int(time * width / period * len(glyphs.shades))
            cells[place] = glyphs.shades[min(level, len(glyphs.shades) - 1)]
    line = Text()
    for style, run in groupby(zip(styles, cells, strict=True), key=itemgetter(0)):
        line.append("".join(cell for _, cell in run), style=style)
    return line


def _drawn(block: Block, width: int, glyphs: Glyphs) -> Iterator[str]:
    """Give a block's cells; a wide character takes one cell and leaves the next one empty."""
    left, right = glyphs.caps[0], glyphs.caps[1]
    if not block.capped:
        left = right = block.fill
    if width == 1:
        yield glyphs.sliver if block.capped else block.fill
        return
    room = width - 2
    label = next((text for text in block.labels if cell_len(text) <= room), "")
    yield left
    for character in label:
        yield character
        yield from [""] * (cell_len(character) - 1)
    yield from block.fill * (room - cell_len(label))
    yield right


def column(time: Fraction, period: Fraction, width: int) -> int:
    """Give the column boundary nearest to a time, in integers only."""
    above = time.numerator * period.denominator * width
    below = time.denominator * period.numerator
    return (2 * above + below) // (2 * below)


def axis(period: Fraction, width: int, unit: str | None, glyphs: Glyphs) -> list[str]:
    """Draw a time axis from 0 to the period, with round numbers at its ticks."""
    left, right = glyphs.axis_ends[0], glyphs.axis_ends[1]
    ruler = [left, *glyphs.axis * (width - 2), right]
    labels = [" "] * width
    last = _tick_text(period) + (f" {unit}" if unit else "")
    _write(labels, last, width - cell_len(last))
    labels[0] = "0"
    step = _tick_step(period, max(width // _TICK_SPACING, 1))
    tick = step
    while tick < period:
        place = min(column(tick, period, width), width - 1)
        text = _tick_text(tick)
        begin = place - cell_len(text) // 2
        end = begin + cell_len(text)
        if end < width - cell_len(last) and begin > 1 and labels[begin - 1] == " ":
            ruler[place] = glyphs.tick
            _write(labels, text, begin)
        tick += step
    return ["".join(labels), "".join(ruler)]


def _write(cells: list[str], text: str, place: int) -> None:
    for i, character in enumerate(text[: len(cells)]):
        cells[max(place, 0) + i] = character


def _tick_text(time: Fraction) -> str:
    return decimal_text(time, 4) if time < 10**6 else rounded_text(time, 4)


def _tick_step(period: Fraction, most: int) -> Fraction:
    """Choose the smallest of 1, 2, 5 times a power of ten with at most `most` steps."""
    step = Fraction(10) ** (len(str(int(period / most))) if period >= most else 0)
    while step * most >= period:
        step /= 10
    for factor in (1, 2, 5, 10):
        if step * factor * most >= period:
            return step * factor
    return step * 10


def _links(report: Report, width: int, glyphs: Glyphs) -> list[Text]:
    """Show how much of each link, medium and port bandwidth is in use all the time."""
    carried = _carried(report)
    shares = {
        resource: share
        for resource, share in report.occupation.items()
        if not resource.endswith(".compute")
    }
    if not shares:
        return []
    ranked = sorted(shares, key=lambda r: (-shares[r], r))
    names = min(max(cell_len(r) for r in ranked[:MAX_LINKS]), 34)
    room = max(width - names - _SHARE_WIDTH - 2, 10)
    carried_width = min(30, room // 2)
    lines = [Text(), Text("Carried all the time, at constant rates", style="bold")]
    for resource in ranked[:MAX_LINKS]:
        line = Text(pad(shorten(resource, names, glyphs), names) + "  ")
        scale = room - carried_width - 2
        drawn = bar(shares[resource], scale, glyphs)
        line.append(drawn, style="cyan")
        line.append(glyphs.idle * (scale - len(drawn)), style="dim")
        line.append(pad(percent(shares[resource]), _SHARE_WIDTH, right=True))
        if resource in carried:
            text = shorten(carried[resource], carried_width, glyphs)
            line.append(f"  {text}", style="dim")
        lines.append(line)
    if len(ranked) > MAX_LINKS:
        more = len(ranked) - MAX_LINKS
        lines.append(Text(f"and {amount(more, 'less busy one', glyphs)}", style="dim"))
    return lines


def _carried(report: Report) -> dict[str, str]:
    """Say for each link how many files of each sort cross it per time unit."""
    schedule, platform = report.schedule, report.platform
    assert schedule is not None
    index = platform.index_by_id
    counts: dict[str, dict[str, Fraction]] = {}
    for slot in schedule.slots:
        for hop in slot.transfers:
            arc = platform.arc_by_ends[index[hop.sender], index[hop.receiver]]
            link = arc_uses(platform, arc, "multiport")[0].resource
            of_link = counts.setdefault(link, {})
            word = report.files[hop.file]
            of_link[word] = of_link.get(word, Fraction(0)) + hop.count
    return {
        link: ", ".join(
            f"{decimal_text(count / schedule.period, 3)} {word}" for word, count in files.items()
        )
        + f" {report.per_time}"
        for link, files in counts.items()
    }


def _legend(report: Report, left_out: int, glyphs: Glyphs) -> Iterable[str]:
    """Explain what the picture leaves out or cannot say by itself."""
    schedule = report.schedule
    assert schedule is not None
    to, of, times = glyphs.to, glyphs.of, glyphs.times
    if report.ports == "one_port" and any(slot.transfers for slot in schedule.slots):
        yield f"{to}P {times}5 sends 5 files to P, {of}P receives, {glyphs.full} computes, {glyphs.idle} idle"
    if left_out:
        yield f"and {amount(left_out, 'less busy processor', glyphs)}, not drawn"
    words = list(dict.fromkeys(report.files.values()))
    if report.ports == "one_port" and len(words) > 1:
        shown = ", ".join(f"{glyphs.lines[i] * 2} {w}" for i, w in enumerate(words[:2]))
        rest = (
            f", {glyphs.lines[2] * 2} the other files"
            if len(words) > 3
            else (f", {glyphs.lines[2] * 2} {words[2]}" if len(words) == 3 else "")
        )
        yield f"files: {shown}{rest}"
