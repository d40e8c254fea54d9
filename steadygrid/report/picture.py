"""A text picture of one period: who talks to whom when, and who computes."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from rich.cells import cell_len
from rich.text import Text

from steadygrid.domain.platform import Platform, Processor
from steadygrid.domain.resources import compute_resource, receive_resource, send_resource
from steadygrid.report.chart import Block, axis, row
from steadygrid.report.glyphs import Glyphs, pad
from steadygrid.report.layout import folded
from steadygrid.report.links import constant_rates
from steadygrid.report.quantities import amount, percent
from steadygrid.report.report import Report

MAX_ROWS = 24
"""Rows of a picture; the busiest processors come first where there are more."""
NAME_WIDTH = 16
CARD_WIDTH = 8
MOST_LANES = 6
"""Rows for what a processor sends side by side, or receives."""
SHORTEST_AXIS = 16
_SHARE_WIDTH = 8

COLOURS = ("cyan", "green", "yellow", "magenta", "blue", "bright_red", "bright_cyan")


@dataclass
class _Track:
    """What one port, card or processor does in a period: touching blocks of a sort are one."""

    blocks: list[tuple[Fraction, Fraction, tuple[str, str], Fraction]] = field(default_factory=list)

    def add(self, start: Fraction, end: Fraction, what: tuple[str, str], count: Fraction) -> None:
        """Append a stretch that begins no earlier than the last one ends."""
        if self.blocks and self.blocks[-1][1] == start and self.blocks[-1][2] == what:
            first, _, _, so_far = self.blocks.pop()
            start, count = first, so_far + count
        self.blocks.append((start, end, what, count))

    def is_free(self, start: Fraction) -> bool:
        """Tell whether nothing lasts beyond a date."""
        return not self.blocks or self.blocks[-1][1] <= start

    @property
    def busy(self) -> Fraction:
        """Time for which something is done."""
        return sum((end - start for start, end, _, _ in self.blocks), Fraction(0))


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
    schedule, platform = report.schedule, report.platform
    if schedule is None or platform is None or not report.occupation:
        return []
    groups, left_out = _busiest_groups(report, platform)
    longest = min(NAME_WIDTH, width - SHORTEST_AXIS - _SHARE_WIDTH - 8)
    names = [_name(report, group, longest, glyphs) for group in groups]
    colours = {p.id: COLOURS[i % len(COLOURS)] for i, p in enumerate(platform.processors)}
    tracks = _tracks(report, platform, {group.processor for group in groups})
    if not tracks and report.ports == "multiport":
        return list(constant_rates(report, platform, width, glyphs))
    cards = {
        card: f" {report.names.within(card, CARD_WIDTH, glyphs)}" for _, _, card in tracks if card
    }
    margin = max([4, *map(cell_len, names)]) + max(map(cell_len, cards.values()), default=0) + 8
    axis_width = width - margin - _SHARE_WIDTH
    lines = [_title(report, glyphs)]
    lines += [
        Text(" " * margin + line, style="dim")
        for line in axis(schedule.period, axis_width, report.time_unit, glyphs)
    ]
    hidden = 0
    for group, name in zip(groups, names, strict=True):
        head = name
        processor = platform.processors[platform.index_by_id[group.processor]]
        for kind in ("send", "recv", "comp"):
            lanes = [
                (card, track)
                for card in (None, *processor.card_names)
                for track in tracks.get((group.processor, kind, card), ())
            ]
            hidden += len(lanes[MOST_LANES:])
            for card, track in lanes[:MOST_LANES]:
                blocks = [
                    _block(report, stretch, kind, group.processor, colours, glyphs)
                    for stretch in track.blocks
                ]
                if processor.has_cards and kind != "comp":
                    share = track.busy / schedule.period
                else:
                    share = _share(report, group.processor, kind)
                shown = pad(head + cards.get(card or "", ""), margin - 7)
                line = Text(shown, style="bold").append(f" {kind}  ", style="not bold")
                line.append_text(row(blocks, schedule.period, axis_width, glyphs))
                line.append(pad(percent(share), _SHARE_WIDTH, right=True))
                lines.append(line)
                head = " " * cell_len(name)
    if hidden:
        lines.append(Text(f"and {amount(hidden, 'more card', glyphs)}, not drawn", style="dim"))
    several = any(group.members > 1 for group in groups)
    lines += [
        Text(line, style="dim")
        for text in _legend(report, left_out, several, glyphs)
        for line in folded(text, width)
    ]
    if report.ports == "multiport":
        rates = constant_rates(report, platform, width, glyphs)
        lines += [Text(), *rates] if rates else []
    return lines


def _title(report: Report, glyphs: Glyphs) -> Text:
    assert report.schedule is not None
    period = report.duration(report.schedule.period, glyphs)
    return Text(f"One period: {period}", style="bold")


def _share(report: Report, processor: str, kind: str) -> Fraction:
    resource = {"send": "send", "recv": "receive", "comp": "compute"}[kind]
    return report.busy.get(f"{processor}.{resource}", Fraction(0))


class _Group(NamedTuple):
    """Processors that do the same at the same time, by the first of them."""

    processor: str
    members: int
    rows: int
    weight: Fraction


def _name(report: Report, group: _Group, width: int, glyphs: Glyphs) -> str:
    more = "" if group.members == 1 else f" +{group.members - 1}"
    return report.names.within(group.processor, width - len(more), glyphs) + more


def _busiest_groups(report: Report, platform: Platform) -> tuple[list[_Group], int]:
    """Choose whom to draw: all, in the platform's order, or the busiest first.

    Returns
    -------
    list, int
        The groups, and the number of processors left out.
    """
    groups = list(_groups(report, platform))
    if sum(group.rows for group in groups) <= MAX_ROWS:
        return groups, 0
    room = MAX_ROWS
    chosen: list[_Group] = []
    for group in sorted(groups, key=lambda group: -group.weight):
        room -= group.rows
        if room < 0:
            break
        chosen.append(group)
    return chosen, sum(g.members for g in groups) - sum(g.members for g in chosen)


def _groups(report: Report, platform: Platform) -> Iterator[_Group]:
    """Put processors together that only compute, and all the same."""
    schedule = report.schedule
    assert schedule is not None
    shown = ("compute",) if report.ports == "multiport" else ("send", "receive", "compute")
    work: dict[str, list[object]] = {}
    for c in schedule.computations:
        # A count that is not drawn makes no difference in a picture.
        count = c.count if _can_be_drawn(c.count) else None
        work.setdefault(c.processor, []).append((c.task, count, c.start, c.time))
    alike: dict[object, list[str]] = {}
    shares_by_processor: dict[str, list[Fraction]] = {}
    lanes = _most_lanes(report, platform)
    for processor in platform.processors:
        shares = [
            sum((report.busy.get(name, Fraction(0)) for name in names), Fraction(0))
            for names in _resources(processor)[-len(shown) :]
        ]
        if any(shares):
            shares_by_processor[processor.id] = shares
            key = processor.id if any(shares[:-1]) else tuple(work.get(processor.id, ()))
            alike.setdefault(key, []).append(processor.id)
    for members in alike.values():
        shares = shares_by_processor[members[0]]
        # Who sends tells the most about a period: it counts twice.
        weight = sum(shares) + shares[0]
        rows = sum(
            lanes.get((members[0], what), 1)
            for what, share in zip(shown, shares, strict=True)
            if share
        )
        yield _Group(members[0], len(members), rows, weight)


def _resources(processor: Processor) -> list[list[str]]:
    """Name what a processor sends by, receives by, and computes with."""
    cards = processor.card_names or (None,)
    return [
        [send_resource(processor.id, card) for card in cards],
        [receive_resource(processor.id, card) for card in cards],
        [compute_resource(processor.id)],
    ]


def _most_lanes(report: Report, platform: Platform) -> dict[tuple[str, str], int]:
    """Count the rows that the transfers of processors with several cards may take."""
    schedule = report.schedule
    assert schedule is not None
    several = {
        p.id: max(p.num_pooled, len(p.card_names)) for p in platform.processors if p.has_cards
    }
    peers: dict[tuple[str, str], set[str]] = {}
    for slot in schedule.slots if several else ():
        for hop in slot.transfers:
            peers.setdefault((hop.sender, "send"), set()).add(hop.receiver)
            peers.setdefault((hop.receiver, "receive"), set()).add(hop.sender)
    return {
        (name, what): min(several[name], len(others), MOST_LANES)
        for (name, what), others in peers.items()
        if name in several
    }


Tracks = dict[tuple[str, str, str | None], list[_Track]]
"""By processor, what it does, and the card by which, if that has a name: what is done side by side."""


def _tracks(report: Report, platform: Platform, chosen: set[str]) -> Tracks:
    """Gather what each port and processor does, in one pass over the schedule."""
    schedule = report.schedule
    assert schedule is not None
    tracks: Tracks = {}
    for computation in schedule.computations:
        if computation.processor in chosen and computation.time:
            (track,) = tracks.setdefault((computation.processor, "comp", None), [_Track()])
            end = computation.start + computation.time
            track.add(computation.start, end, (computation.task, ""), computation.count)
    if report.ports == "multiport":
        return tracks
    index, sizes = platform.index_by_id, report.view.file_sizes
    ports = {p.id for p in platform.processors if not p.switch} & chosen
    for slot in schedule.slots:
        clock: dict[tuple[str, str], Fraction] = {}
        for hop in slot.transfers:
            if hop.sender not in ports and hop.receiver not in ports:
                continue
            pair = (hop.sender, hop.receiver)
            arc = platform.arc_by_ends[index[hop.sender], index[hop.receiver]]
            start = clock.get(pair, slot.start)
            latency = platform.links[arc.link].latency if schedule.grouping is not None else 0
            end = clock[pair] = start + latency + hop.count * sizes[hop.file] * arc.unit_time
            word = report.files[hop.file]
            for name, kind, card, other in (
                (hop.sender, "send", arc.source_card, hop.receiver),
                (hop.receiver, "recv", arc.target_card, hop.sender),
            ):
                if name in ports:
                    lanes = tracks.setdefault((name, kind, card), [])
                    track = _free(lanes, start, (other, word))
                    track.add(start, end, (other, word), hop.count)
    return tracks


def _free(lanes: list[_Track], start: Fraction, what: tuple[str, str]) -> _Track:
    """Give the lane that did the same until now, or else the first that does nothing."""
    free = [lane for lane in lanes if lane.is_free(start)]
    if not free:
        lanes.append(_Track())
        return lanes[-1]
    return next((lane for lane in free if lane.blocks[-1][1:3] == (start, what)), free[0])


def _can_be_drawn(count: Fraction) -> bool:
    return count.denominator == 1 and count < 10**6


def _block(
    report: Report,
    stretch: tuple[Fraction, Fraction, tuple[str, str], Fraction],
    kind: str,
    processor: str,
    colours: dict[str, str],
    glyphs: Glyphs,
) -> Block:
    start, end, (what, word), count = stretch
    small = _can_be_drawn(count)
    labels: tuple[str, ...] = ()
    if kind == "comp":
        if report.noun != "task":
            name = report.task_names.within(what, NAME_WIDTH, glyphs)
            labels = (f" {name} {glyphs.times}{count} ", f" {name} ")[not small :]
        elif small:
            labels = (f" {amount(count, 'task', glyphs)} ", f" {count} ")
        return Block(start, end, labels, glyphs.full, False, colours[processor])
    peer = report.names.within(what, NAME_WIDTH, glyphs)
    arrow = glyphs.to if kind == "send" else glyphs.of
    labels = (f"{arrow}{peer}", peer)
    if small:
        labels = (f"{arrow}{peer} {glyphs.times}{count}", *labels)
    words = list(dict.fromkeys(report.files.values()))
    fill = glyphs.lines[min(words.index(word), len(glyphs.lines) - 1)]
    return Block(start, end, labels, fill, True, colours[what])


def _legend(report: Report, left_out: int, several: bool, glyphs: Glyphs) -> Iterator[str]:
    """Explain what the picture leaves out or cannot say by itself."""
    schedule = report.schedule
    assert schedule is not None
    to, of, times = glyphs.to, glyphs.of, glyphs.times
    if report.ports != "multiport" and any(slot.transfers for slot in schedule.slots):
        runs = any(computation.time for computation in schedule.computations)
        computes = f" {glyphs.full} computes," if runs else ""
        yield f"{to}P {times}5 sends 5 files to P, {of}P receives,{computes} {glyphs.idle} idle"
    if several:
        yield "+N: so do N more processors"
    if left_out:
        yield f"and {amount(left_out, 'less busy processor', glyphs)}, not drawn"
    words = list(dict.fromkeys(report.files.values()))
    if report.ports != "multiport" and len(words) > 1:
        shown = ", ".join(f"{glyphs.lines[i] * 2} {w}" for i, w in enumerate(words[:2]))
        rest = (
            f", {glyphs.lines[2] * 2} the other files"
            if len(words) > 3
            else (f", {glyphs.lines[2] * 2} {words[2]}" if len(words) == 3 else "")
        )
        yield f"files: {shown}{rest}"
