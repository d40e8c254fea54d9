"""Lanes and bars of a schedule of any form: which port is busy with what, from when to when, exactly.

A lane is a resource by its name in answers: a processor's computing, sending, receiving, or its only
port; one of its cards; under ``multiport``, where rates are constant, a link; or an actor.
"""

from collections.abc import Iterable, Iterator, Sequence
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
from steadygrid.domain.schedule import Schedule, Slot
from steadygrid.domain.timeline import Timeline
from steadygrid.domain.timetable import Computing, Firing, Sending, Timetable, occurrences
from steadygrid.report.occupation import ONE_AT_A_TIME
from steadygrid.report.report import Report

Doing = Literal["compute", "send", "receive", "carry", "mixed"]
"""What a bar shows: a link carries, and short bars of several sorts that are joined are mixed."""
Port = Literal["compute", "send", "receive", "port", "link", "actor"]
"""What a lane is of its owner; `port` where one port does several of these."""

FEWEST_FIRST, MOST_FIRST = 3, 12
"""Data sets or iterations that are drawn of a timetable, where no time is given: a period, but
no fewer and no more than these."""
MOST_STARTS = 50_000
"""Starts of operations that are drawn of a timetable; where a window has more, it ends earlier."""
_PORTS: tuple[Port, ...] = ("receive", "port", "compute", "send", "link", "actor")
_MOST_WORDS = 4


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
    """How often, where the schedule counts; None also where several sorts are joined."""
    busy: Fraction
    """Time for which the lane is busy within: less than the bar is long where it is a share of a
    link's capacity, or where there are gaps between what is joined."""
    number: int | None = None
    """Of the data set, firing or installment; None where there is none, or several."""
    pieces: int = 1
    """How many bars are joined."""


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
        What it is of its owner; the name of a card, if it has one.
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


def lanes_of(
    report: Report, begin: Fraction | None = None, end: Fraction | None = None
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

    Returns
    -------
    Lanes or None
        None where there is no schedule, or it takes no time.
    """
    if report.timetable is not None:
        return _of_timetable(report, report.timetable, begin, end)
    if report.timeline is not None:
        return _of_timeline(report, report.timeline) if report.timeline.makespan else None
    if report.schedule is not None and report.schedule.period:
        return _of_schedule(report, report.schedule, begin, end)
    return None


def _of_schedule(
    report: Report, schedule: Schedule, begin: Fraction | None, end: Fraction | None
) -> Lanes:
    begin = Fraction(0) if begin is None else begin
    end = schedule.period if end is None else end
    found: list[tuple[_Key, Bar]] = []
    for done in schedule.computations:
        bar = Bar(
            done.start, done.start + done.time, "compute", done.task, (), done.count, done.time
        )
        found.append((_computing(done.processor, schedule.ports), bar))
    slots = [one for one in schedule.slots if one.start < end and one.start + one.duration > begin]
    platform, unplaced, keys = report.platform, 0, {key for key, bar in found if bar.busy}
    if platform is None:
        unplaced = sum(len(slot.transfers) for slot in slots)
    else:
        keys |= _transferring_keys(report, platform, schedule)
        for slot in slots:
            if schedule.ports == "multiport":
                found += _carried(report, platform, slot)
            else:
                found += _transferred(report, platform, schedule, slot)
    meeting = [(key, bar) for key, bar in found if bar.start < end and bar.end > begin]
    shares = schedule.ports == "multiport"
    lanes = _sorted_lanes(report, meeting, keys)
    return Lanes(lanes, Fraction(0), schedule.period, shares, unplaced=unplaced)


def _computing(processor: str, ports: str) -> _Key:
    if ports == "no_overlap":
        return _Key(port_resource(processor), (processor,), "port")
    return _Key(compute_resource(processor), (processor,), "compute")


def _transferring(processor: str, ports: str, *, sends: bool, card: str | None = None) -> _Key:
    if ports in ONE_AT_A_TIME:
        return _Key(port_resource(processor), (processor,), "port")
    if sends:
        return _Key(send_resource(processor, card), (processor,), "send", card or "")
    return _Key(receive_resource(processor, card), (processor,), "receive", card or "")


class _End(NamedTuple):
    """What a transfer keeps busy on one side, or the link between two switches."""

    key: _Key
    doing: Doing
    whom: tuple[str, ...]


def _ends(platform: Platform, arc: Arc, ends: tuple[str, str], ports: str) -> list[_End]:
    """Say what a transfer over one link keeps busy."""
    if ports == "multiport":
        return [_End(_link(platform, arc, ends), "carry", ())]
    through = [platform.processors[place].switch for place in (arc.source, arc.target)]
    if all(through):
        return [_End(_link(platform, arc, ends), "carry", ())]
    sender, receiver = ends
    found: list[_End] = []
    if not through[0]:
        key = _transferring(sender, ports, sends=True, card=arc.source_card)
        found.append(_End(key, "send", (receiver,)))
    if not through[1]:
        key = _transferring(receiver, ports, sends=False, card=arc.target_card)
        found.append(_End(key, "receive", (sender,)))
    return found


def _transferring_keys(report: Report, platform: Platform, schedule: Schedule) -> set[_Key]:
    """Name what transfers keep busy in the whole period, as the allocations say."""
    index, sizes, latencies = platform.index_by_id, report.view.file_sizes, schedule.grouping
    moved: dict[tuple[str, str], bool] = {}
    for allocation in schedule.allocations:
        for transfer in allocation.transfers:
            takes = sizes[transfer.file] > 0
            for hop in pairwise(transfer.path):
                moved[hop] = moved.get(hop, False) or takes
    keys: set[_Key] = set()
    for (sender, receiver), takes in moved.items():
        arc = platform.arc_by_ends[index[sender], index[receiver]]
        if takes or (latencies is not None and platform.links[arc.link].latency):
            ends = _ends(platform, arc, (sender, receiver), schedule.ports)
            keys.update(end.key for end in ends)
    return keys


def _transferred(
    report: Report, platform: Platform, schedule: Schedule, slot: Slot
) -> Iterator[tuple[_Key, Bar]]:
    """Give the bars of both ends of what is sent in a slot; over one link, one after the other."""
    index, sizes = platform.index_by_id, report.view.file_sizes
    clock: dict[tuple[str, str], Fraction] = {}
    for hop in slot.transfers:
        ends = (hop.sender, hop.receiver)
        arc = platform.arc_by_ends[index[hop.sender], index[hop.receiver]]
        start = clock.get(ends, slot.start)
        latency = platform.links[arc.link].latency if schedule.grouping is not None else 0
        end = clock[ends] = start + latency + hop.count * sizes[hop.file] * arc.unit_time
        word = report.files[hop.file]
        for key, doing, whom in _ends(platform, arc, ends, schedule.ports):
            yield key, Bar(start, end, doing, word, whom, hop.count, end - start)


def _link(platform: Platform, arc: Arc, ends: tuple[str, str]) -> _Key:
    """Name a direction of a link, or both where they share its capacity."""
    resource = arc_uses(platform, arc, "multiport")[0].resource
    return _Key(resource, ends if arc.half is None else (min(ends), max(ends)), "link")


def _carried(report: Report, platform: Platform, slot: Slot) -> Iterator[tuple[_Key, Bar]]:
    """Give a bar for each link: all that it carries in a slot, at constant rates."""
    index, sizes = platform.index_by_id, report.view.file_sizes
    busy: dict[_Key, list[Fraction]] = {}
    words: dict[_Key, dict[str, None]] = {}
    keys: dict[tuple[str, str], tuple[_Key, Fraction]] = {}
    for hop in slot.transfers:
        ends = (hop.sender, hop.receiver)
        if ends not in keys:
            arc = platform.arc_by_ends[index[hop.sender], index[hop.receiver]]
            keys[ends] = _link(platform, arc, ends), arc.unit_time
        key, unit_time = keys[ends]
        sums = busy.setdefault(key, [Fraction(0), Fraction(0)])
        sums[0] += hop.count * sizes[hop.file] * unit_time
        sums[1] += hop.count
        words.setdefault(key, {})[report.files[hop.file]] = None
    for key, (time, count) in busy.items():
        if time:
            what, end = _several(list(words[key])), slot.start + slot.duration
            yield key, Bar(slot.start, end, "carry", what, (), count, time)


def _several(words: Sequence[str]) -> str:
    more = len(words) - _MOST_WORDS
    listed = ", ".join(words[:_MOST_WORDS])
    return f"{listed} and {more} more" if more > 0 else listed


def _of_timeline(report: Report, timeline: Timeline) -> Lanes:
    found: list[tuple[_Key, Bar]] = []
    numbered = any(event.installment > 1 for event in timeline.events)
    for event in timeline.events:
        start, end, busy = event.start, event.end, event.end - event.start
        number = event.installment if numbered else None
        if isinstance(event.place, str):
            bar = Bar(start, end, "compute", event.load, (), None, busy, number)
            found.append((_computing(event.place, timeline.ports), bar))
            continue
        sender, receiver = event.place
        word = f"result of {event.load}" if event.place in report.view.returned else event.load
        for owner, doing, other in ((sender, "send", receiver), (receiver, "receive", sender)):
            key = _transferring(owner, timeline.ports, sends=doing == "send")
            bar = Bar(start, end, "send", word, (other,), None, busy, number)
            found.append((key, bar if doing == "send" else bar._replace(doing="receive")))
    return Lanes(_sorted_lanes(report, found), Fraction(0), timeline.makespan)


def _of_timetable(
    report: Report, timetable: Timetable, begin: Fraction | None, end: Fraction | None
) -> Lanes | None:
    usual = steady_window(timetable)
    begin = usual[0] if begin is None else max(begin, Fraction(0))
    end = begin + usual[1] - usual[0] if end is None else end
    if end <= begin:
        return None
    found: list[tuple[_Key, Bar]] = []
    drawn = list(islice(occurrences(timetable.rows, begin, end), MOST_STARTS + 1))
    complete = len(drawn) <= MOST_STARTS
    if not complete:
        end = drawn[-1].start
    ports = timetable.ports or ""
    for one in drawn:
        row = timetable.rows[one.row]
        start, till = one.start, one.start + row.time
        number = row.residue + one.turn * row.modulus
        match row.operation:
            case Computing(task=task, processor=processor):
                bar = Bar(start, till, "compute", task, (), None, row.time, number)
                found.append((_computing(processor, ports), bar))
            case Firing(actor=actor, phase=phase):
                bar = Bar(start, till, "compute", f"phase {phase}", (), None, row.time, number)
                found.append((_Key(actor, (actor,), "actor"), bar))
            case Sending(file=(source, target), sender=sender, receiver=receiver):
                word = f"{source}>{target}"
                out = Bar(start, till, "send", word, (receiver,), None, row.time, number)
                found.append((_transferring(sender, ports, sends=True), out))
                come = out._replace(doing="receive", whom=(sender,))
                found.append((_transferring(receiver, ports, sends=False), come))
    return Lanes(_sorted_lanes(report, found), begin, end, complete=complete)


def steady_window(timetable: Timetable) -> tuple[Fraction, Fraction]:
    """Give a window in which every row has begun, of whole data sets: about a period."""
    each = timetable.period / timetable.instances_per_period
    begin = max((row.start for row in timetable.rows), default=each)
    begin = -(-begin // each) * each
    number = min(max(timetable.instances_per_period, FEWEST_FIRST), MOST_FIRST)
    return begin, begin + number * each


def _sorted_lanes(
    report: Report, found: Iterable[tuple[_Key, Bar]], known_keys: Iterable[_Key] = ()
) -> tuple[Lane, ...]:
    """Put bars into the lanes of their resources, processor by processor as they are listed."""
    gathered: dict[_Key, list[Bar]] = {key: [] for key in known_keys}
    for key, bar in found:
        if bar.end > bar.start:
            gathered.setdefault(key, []).append(bar)
    platform = report.platform
    known: Iterable[str] = report.view.tasks
    if platform is not None:
        known = (processor.id for processor in platform.processors)
    order = {name: place for place, name in enumerate(known)}
    cards = {name: place for place, name in enumerate(dict.fromkeys(key.card for key in gathered))}

    def position(key: _Key) -> tuple[bool, int, int, int, int]:
        first, last = order.get(key.owners[0], 0), order.get(key.owners[-1], 0)
        return key.port == "link", first, _PORTS.index(key.port), cards[key.card], last

    lanes: list[Lane] = []
    for key in sorted(gathered, key=position):
        tracks = _side_by_side(gathered[key]) or [[]]
        for number, bars in enumerate(tracks, start=1):
            track = number if len(tracks) > 1 else 0
            lanes.append(Lane(key.resource, key.owners, key.port, key.card, track, tuple(bars)))
    return tuple(lanes)


def _side_by_side(bars: list[Bar]) -> list[list[Bar]]:
    """Share bars out over as few tracks as needed; touching ones of the same sort are one."""
    tracks: list[list[Bar]] = []
    for bar in sorted(bars, key=attrgetter("start", "end")):
        free = [track for track in tracks if track[-1].end <= bar.start]
        same = next((track for track in free if _continues(track[-1], bar)), None)
        if same is not None:
            last = same[-1]
            count = None if last.count is None or bar.count is None else last.count + bar.count
            same[-1] = last._replace(end=bar.end, count=count, busy=last.busy + bar.busy)
        elif free:
            free[0].append(bar)
        else:
            tracks.append([bar])
    return tracks


def _continues(last: Bar, bar: Bar) -> bool:
    return (
        last.end == bar.start
        and (last.doing, last.what, last.whom, last.number)
        == (bar.doing, bar.what, bar.whom, bar.number)
        and last.busy * (bar.end - bar.start) == bar.busy * (last.end - last.start)
    )
