"""Lanes and bars of a schedule of any form: which port is busy with what, from when to when, exactly.

A lane is a resource by its name in answers: a processor's computing, sending, receiving, or its only
port; one of its cards; under ``multiport``, where rates are constant, a link; or an actor.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice, pairwise
from operator import attrgetter
from typing import Literal, NamedTuple

from steadygrid.domain.platform import Arc, Platform, arc_uses
from steadygrid.domain.resources import (
    compute_resource,
    port_resource,
    receive_resource,
    send_resource,
)
from steadygrid.domain.schedule import Schedule
from steadygrid.domain.slots import FileName, Slot
from steadygrid.domain.timeline import Timeline
from steadygrid.domain.timetable import Computing, Firing, Row, Sending, Timetable, occurrences
from steadygrid.report.bars import Bar, Doing, continues, joined
from steadygrid.report.occupation import ONE_AT_A_TIME
from steadygrid.report.report import Report

Port = Literal["compute", "send", "receive", "port", "link", "actor"]
"""What a lane is of its owner; `port` where one port does several of these."""

FEWEST_FIRST, MOST_FIRST = 3, 12
"""Data sets or iterations that are drawn of a timetable, where no time is given: a period, but
no fewer and no more than these."""
MOST_STARTS = 50_000
"""Starts of operations that are drawn of a timetable. Where a window has more, it ends earlier."""
_PORTS: tuple[Port, ...] = ("receive", "port", "compute", "send", "link", "actor")
_MOST_WORDS = 4


@dataclass(frozen=True)
class Lane:
    """What one resource does, bars in the order of time.

    Attributes
    ----------
    resource
        Its name in answers; of several lanes side by side, as where a processor has several
        cards that serve any link, all have the same.
    owners
        The processor or actor; or both ends of a link.
    port, card
        What it is of its owner. The name of a card, if it has one.
    track
        From 1; 0 where the resource has this lane only.
    """

    resource: str
    owners: tuple[str, ...]
    port: Port
    card: str
    track: int
    bars: tuple[Bar, ...]

    @property
    def word(self) -> str:
        """What stands behind the owner's name: ``send``, ``eth0 send``, ``send 2``."""
        named = "" if self.port in ("actor", "link") else self.port
        parts = (self.card, named, str(self.track) if self.track else "")
        return " ".join(part for part in parts if part)


class Lanes(NamedTuple):
    """All lanes of a schedule, as far as they do anything, and the time that they show.

    Attributes
    ----------
    begin, end
        Of what is known: a period; from 0 to the makespan; a window of a timetable.
    shares
        Whether bars are shares of constant rates, and no times at which something is sent.
    complete
        Whether everything that begins before the end that was asked for is there.
    unplaced
        Transfers that belong to no lane, since the kind has no platform.
    """

    lanes: tuple[Lane, ...]
    begin: Fraction
    end: Fraction
    shares: bool = False
    complete: bool = True
    unplaced: int = 0


class _Key(NamedTuple):
    resource: str
    owners: tuple[str, ...]
    port: Port
    card: str = ""


class _End(NamedTuple):
    """What a computation or one side of a transfer keeps busy, or a transfer between two switches."""

    key: _Key
    doing: Doing
    whom: tuple[str, ...] = ()


class _Found:
    """Bars as they are found, by what they keep busy: all, or what some owners have.

    Parameters
    ----------
    report
        The answer, and what was asked.
    ports
        The port model of the schedule.
    owners
        As in `lanes_of`.
    window
        What bars have to meet. None: any do.
    """

    def __init__(
        self,
        report: Report,
        ports: str,
        owners: Collection[str] | None,
        window: tuple[Fraction, Fraction] | None = None,
    ) -> None:
        self.report, self.ports, self.owners, self.window = report, ports, owners, window
        self.bars: dict[_Key, list[Bar]] = {}
        self._ends: dict[str | tuple[str, str], list[_End]] = {}

    def ends_at(self, place: str | tuple[str, str]) -> list[_End]:
        """Say what a computation on a processor, or a transfer over a link, keeps busy."""
        ends = self._ends.get(place)
        if ends is None:
            found = self._computing(place) if isinstance(place, str) else self._transferring(place)
            ends = self._ends[place] = [
                end
                for end in found
                if self.owners is None
                or (end.key.port != "link" and end.key.owners[0] in self.owners)
            ]
        return ends

    def add(
        self,
        ends: Iterable[_End],
        start: Fraction,
        end: Fraction,
        what: str,
        count: Fraction | None,
        busy: Fraction,
        number: int | None = None,
    ) -> None:
        """Add a bar for each end, unless it takes no time."""
        if not busy:
            return
        meets = self.window is None or (start < self.window[1] and end > self.window[0])
        for key, doing, whom in ends:
            bars = self.bars.setdefault(key, [])
            if meets:
                bar = Bar(start, end, doing, what, whom, count, busy, number)
                if bars and continues(bars[-1], bar):
                    bars[-1] = joined(bars[-1], bar)
                else:
                    bars.append(bar)

    def meets(self, slot: Slot) -> bool:
        """Tell whether a slot meets the window."""
        if self.window is None:
            return True
        begin, end = self.window
        return slot.start < end and slot.start + slot.duration > begin

    def _computing(self, owner: str) -> list[_End]:
        if self.report.fires:
            return [_End(_Key(owner, (owner,), "actor"), "compute")]
        if self.ports == "no_overlap":
            return [_End(_Key(port_resource(owner), (owner,), "port"), "compute")]
        return [_End(_Key(compute_resource(owner), (owner,), "compute"), "compute")]

    def _transferring(self, direction: tuple[str, str]) -> list[_End]:
        platform = self.report.platform
        if self.owners is not None and not (
            direction[0] in self.owners or direction[1] in self.owners
        ):
            return []
        if platform is None:
            return self._sent(direction, None, None)
        arc = _arc(platform, direction)
        through = [platform.processors[place].switch for place in (arc.source, arc.target)]
        if self.ports == "multiport" or all(through):
            # A link, in one direction, or in both where these share its capacity.
            resource = arc_uses(platform, arc, "multiport")[0].resource
            owners = direction if arc.half is None else (min(direction), max(direction))
            return [_End(_Key(resource, owners, "link"), "carry")]
        found = self._sent(direction, arc.source_card, arc.target_card)
        return [end for end, switch in zip(found, through, strict=True) if not switch]

    def _sent(self, direction: tuple[str, str], card: str | None, other: str | None) -> list[_End]:
        sender, receiver = direction
        return [
            _End(self._port(sender, "send", card), "send", (receiver,)),
            _End(self._port(receiver, "receive", other), "receive", (sender,)),
        ]

    def _port(self, owner: str, port: Literal["send", "receive"], card: str | None) -> _Key:
        if self.ports in ONE_AT_A_TIME:
            return _Key(port_resource(owner), (owner,), "port")
        name = send_resource if port == "send" else receive_resource
        return _Key(name(owner, card), (owner,), port, card or "")

    def lanes(self) -> tuple[Lane, ...]:
        """Put bars into the lanes of their resources, processor by processor as they are listed."""
        platform = self.report.platform
        processors = () if platform is None else platform.processors
        known: Iterable[str] = [one.id for one in processors] or self.report.view.tasks
        if platform is None and not self.report.fires:
            known = dict.fromkeys(key.owners[0] for key in self.bars)
        order = {name: place for place, name in enumerate(known)}
        named = dict.fromkeys(card for one in processors for card in one.card_names)
        cards = {name: place for place, name in enumerate(("", *named))}

        def position(key: _Key) -> tuple[bool, int, int, int, int]:
            first, last = order.get(key.owners[0], 0), order.get(key.owners[-1], 0)
            return key.port == "link", first, _PORTS.index(key.port), cards[key.card], last

        lanes: list[Lane] = []
        for key in sorted(self.bars, key=position):
            tracks = _side_by_side(self.bars[key]) or [[]]
            for number, bars in enumerate(tracks, start=1):
                track = number if len(tracks) > 1 else 0
                lanes.append(Lane(key.resource, key.owners, key.port, key.card, track, tuple(bars)))
        return tuple(lanes)


def lanes_of(
    report: Report,
    begin: Fraction | None = None,
    end: Fraction | None = None,
    owners: Collection[str] | None = None,
) -> Lanes | None:
    """Gather the lanes of an answer's schedule.

    Linear in the schedule's entries, but for the sorting of those that are not in order.

    Parameters
    ----------
    begin, end
        What is to be shown. Of a timetable: from the data set on with which everything has begun,
        and about a period, if None. Of a schedule that repeats period by period: a part of the
        period, of which all lanes are given, and the bars that meet it; slots elsewhere need not be
        there. One that runs once is gathered whole.
    owners
        Processors or actors whose lanes are gathered, and no links. None: all.

    Returns
    -------
    Lanes or None
        None where there is no schedule, or it takes no time.
    """
    if report.timetable is not None:
        found = _Found(report, report.timetable.ports or "", owners)
        return _of_timetable(found, report.timetable, begin, end)
    if report.timeline is not None and report.timeline.makespan:
        return _of_timeline(_Found(report, report.timeline.ports, owners), report.timeline)
    if report.schedule is not None and report.schedule.period:
        window = None
        if begin is not None or end is not None:
            begin = Fraction(0) if begin is None else begin
            window = begin, report.schedule.period if end is None else end
        found = _Found(report, report.schedule.ports, owners, window)
        return _of_schedule(found, report.schedule)
    return None


def _of_schedule(found: _Found, schedule: Schedule) -> Lanes:
    report, unplaced = found.report, 0
    for done in schedule.computations:
        if ends := found.ends_at(done.processor):
            till = done.start + done.time
            found.add(ends, done.start, till, done.task, done.count, done.time)
    if report.platform is None:
        unplaced = schedule.counts["transfers"]
    else:
        if found.window is not None:
            _know_ports(found, report.platform, schedule)
        if schedule.ports != "multiport":
            _transfer(found, report.platform, schedule)
        elif found.owners is None:
            for slot in filter(found.meets, schedule.slots):
                _carry(found, report.platform, slot)
    shares = schedule.ports == "multiport"
    return Lanes(found.lanes(), Fraction(0), schedule.period, shares, unplaced=unplaced)


def _arc(platform: Platform, direction: tuple[str, str]) -> Arc:
    index = platform.index_by_id
    return platform.arc_by_ends[index[direction[0]], index[direction[1]]]


def _know_ports(found: _Found, platform: Platform, schedule: Schedule) -> None:
    """Add what transfers keep busy in the whole period, as the allocations say, without bars."""
    sizes, latencies = found.report.view.file_sizes, schedule.grouping
    moved: dict[tuple[str, str], bool] = {}
    for allocation in schedule.allocations:
        for transfer in allocation.transfers:
            takes = sizes[transfer.file] > 0
            for direction in pairwise(transfer.path):
                moved[direction] = moved.get(direction, False) or takes
    for direction, takes in moved.items():
        latency = latencies is not None and platform.links[_arc(platform, direction).link].latency
        if takes or latency:
            for end in found.ends_at(direction):
                found.bars.setdefault(end.key, [])


class _Sent(NamedTuple):
    """Files of one sort that a link carries from some moment on."""

    start: Fraction
    direction: tuple[str, str]
    file: FileName
    count: Fraction  # type: ignore[assignment]


def _transfer(found: _Found, platform: Platform, schedule: Schedule) -> None:
    """Add the bars of both ends of what is sent; over one link, one after the other."""
    sizes, words = found.report.view.file_sizes, found.report.files
    latencies: dict[tuple[str, str], Fraction] = {}
    times: dict[tuple[str, str, FileName], Fraction] = {}
    clock: dict[tuple[str, str], Fraction] = {}
    for sent in _sent(found, schedule):
        if not (ends := found.ends_at(sent.direction)):
            continue
        one = (*sent.direction, sent.file)
        if one not in times:
            arc = _arc(platform, sent.direction)
            times[one] = sizes[sent.file] * arc.unit_time
            if schedule.grouping is not None:
                latencies[sent.direction] = platform.links[arc.link].latency
        time = sent.count * times[one]
        if sent.direction in latencies:
            time += latencies[sent.direction]
        start = max(clock.get(sent.direction, sent.start), sent.start)
        end = clock[sent.direction] = start + time
        found.add(ends, start, end, words[sent.file], sent.count, time)


def _sent(found: _Found, schedule: Schedule) -> Iterator[_Sent]:
    """Go through what is sent, link by link in order."""
    if schedule.runs is None:
        for slot in filter(found.meets, schedule.slots):
            for hop in slot.transfers:
                yield _Sent(slot.start, (hop.sender, hop.receiver), hop.file, hop.count)
        return
    for run in schedule.runs:
        for start, _, cargo in run.stretches():
            yield _Sent(start, (run.sender, run.receiver), cargo.file, cargo.count)


def _carry(found: _Found, platform: Platform, slot: Slot) -> None:
    """Add a bar for each link: all that it carries in a slot, at constant rates."""
    report, sizes = found.report, found.report.view.file_sizes
    busy: dict[_End, list[Fraction]] = {}
    words: dict[_End, dict[str, None]] = {}
    for hop in slot.transfers:
        direction = (hop.sender, hop.receiver)
        (end,) = found.ends_at(direction)
        sums = busy.setdefault(end, [Fraction(0), Fraction(0)])
        sums[0] += hop.count * sizes[hop.file] * _arc(platform, direction).unit_time
        sums[1] += hop.count
        words.setdefault(end, {})[report.files[hop.file]] = None
    for end, (time, count) in busy.items():
        till = slot.start + slot.duration
        found.add([end], slot.start, till, _several(list(words[end])), count, time)


def _several(words: Sequence[str]) -> str:
    more = len(words) - _MOST_WORDS
    listed = ", ".join(words[:_MOST_WORDS])
    return f"{listed} and {more} more" if more > 0 else listed


def _of_timeline(found: _Found, timeline: Timeline) -> Lanes:
    numbered = any(event.installment > 1 for event in timeline.events)
    returned = found.report.view.returned
    for event in timeline.events:
        if ends := found.ends_at(event.place):
            what = f"result of {event.load}" if event.place in returned else event.load
            number = event.installment if numbered else None
            found.add(ends, event.start, event.end, what, None, event.end - event.start, number)
    return Lanes(found.lanes(), Fraction(0), timeline.makespan)


def _of_timetable(
    found: _Found, timetable: Timetable, begin: Fraction | None, end: Fraction | None
) -> Lanes | None:
    usual = steady_window(timetable)
    begin = usual[0] if begin is None else max(begin, Fraction(0))
    end = begin + usual[1] - usual[0] if end is None else end
    if end <= begin:
        return None
    rows = rows_of(timetable, found.owners)
    drawn = list(islice(occurrences(rows, begin, end), MOST_STARTS + 1))
    complete = len(drawn) <= MOST_STARTS
    if not complete:
        end = drawn[-1].start
    for one in drawn:
        row = rows[one.row]
        match row.operation:
            case Computing(task=what, processor=place):
                ends = found.ends_at(place)
            case Firing(actor=place, phase=phase):
                ends, what = found.ends_at(place), f"phase {phase}"
            case Sending(file=(source, target), sender=sender, receiver=receiver):
                ends, what = found.ends_at((sender, receiver)), f"{source}>{target}"
        number = row.residue + one.turn * row.modulus
        found.add(ends, one.start, one.start + row.time, what, None, row.time, number)
    return Lanes(found.lanes(), begin, end, complete=complete)


def rows_of(timetable: Timetable, owners: Collection[str] | None) -> Sequence[Row]:
    """Give the rows that keep any of some processors or actors busy. None: all."""
    if owners is None:
        return timetable.rows
    return [row for row in timetable.rows if any(one in owners for one in row.operation.places)]


def steady_window(timetable: Timetable) -> tuple[Fraction, Fraction]:
    """Give a window in which every row has begun, of whole data sets: about a period."""
    each = timetable.period / timetable.instances_per_period
    begin = max((row.start for row in timetable.rows), default=each)
    begin = -(-begin // each) * each
    number = min(max(timetable.instances_per_period, FEWEST_FIRST), MOST_FIRST)
    return begin, begin + number * each


def _side_by_side(bars: list[Bar]) -> list[list[Bar]]:
    """Share bars out over as few tracks as needed; touching ones of the same sort are one."""
    if bars and all(one.end <= two.start for one, two in pairwise(bars)):
        return [bars]
    tracks: list[list[Bar]] = []
    for bar in sorted(bars, key=attrgetter("start")):
        for track in tracks:
            if continues(track[-1], bar):
                track[-1] = joined(track[-1], bar)
                break
        else:
            for track in tracks:
                if track[-1].end <= bar.start:
                    track.append(bar)
                    break
            else:
                tracks.append([bar])
    return tracks
