"""What a platform's picture says of its processors and links: of an answer, or of the platform alone."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple, Protocol

from steadygrid.domain.platform import Link, Platform
from steadygrid.domain.resources import (
    compute_resource,
    half_resource,
    link_resource,
    medium_resource,
)
from steadygrid.pictures.grading import classes_of, place_in
from steadygrid.report.folding import Facts, Node
from steadygrid.report.quantities import decimal_text, percent, rounded_text
from steadygrid.report.resource_rows import Port, ResourceRow
from steadygrid.report.resources import ResourceList

DOES: Mapping[str, str] = {
    "compute": "computes",
    "send": "sends",
    "receive": "receives",
    "port": "port",
    "out": "sends",
    "in": "receives",
}
"""What a port does, before how much of the time."""
_ALWAYS_BUSY = "always busy"
_THINNEST, _THICKER = 1.5, 3.5
_UNUSED_WIDTH = 1.2
_WIDTHS = (1.2, 2.0, 3.2, 4.8)
"""Of links, by their class of bandwidth, where no answer says how busy they are."""
_ZERO = Fraction(0)


class NodeWords(NamedTuple):
    """What is said of a box.

    Attributes
    ----------
    keys
        Of its resources, as addresses name them.
    lines
        Below its name.
    part
        Of its bar: how busy it is, or how fast next to the fastest. None: it has no bar.
    tag, weight
        Words above it, where it limits, and how much hangs on it.
    """

    keys: tuple[str, ...]
    lines: tuple[str, ...]
    part: Fraction | None
    tag: str = ""
    weight: Fraction = _ZERO
    limits: bool = False
    used: bool = True


_BETWEEN = " / "
"""Stands between what goes in the two directions of a line."""
_DOWN, _UP = "\N{DOWNWARDS ARROW}", "\N{UPWARDS ARROW}"


class Course(NamedTuple):
    """One direction of a line in which something goes."""

    forward: bool
    part: Fraction
    limits: bool


class LineWords(NamedTuple):
    """What is said of a line.

    Attributes
    ----------
    keys
        Of its resources, what is in use first.
    tag, weight
        Words next to it, where it limits, and how much hangs on it.
    told
        What the tag is of; only the first line of a shared resource has it.
    """

    keys: tuple[str, ...]
    text: str
    width: float
    courses: tuple[Course, ...] = ()
    tag: str = ""
    weight: Fraction = _ZERO
    told: str = ""
    limits: bool = False
    used: bool = True

    def facing(self, down: bool) -> "LineWords":
        """Say of two directions which is which.

        Parameters
        ----------
        down
            Whether the first end is drawn above the other.
        """
        first, between, second = self.text.partition(_BETWEEN)
        if not between:
            return self
        lower, upper = (first, second) if down else (second, first)
        return self._replace(text=f"{_DOWN} {lower}{_BETWEEN}{_UP} {upper}")


class Teller(Protocol):
    """Says what there is to say."""

    platform: Platform

    def node(self, node: Node) -> NodeWords:
        """Say what one box is and does."""
        ...

    def line(self, positions: Sequence[int], begin: frozenset[str]) -> LineWords:
        """Say what goes over links.

        Parameters
        ----------
        positions
            In the platform's list.
        begin
            Processors at the end that counts as the first.
        """
        ...

    def forwards(self, name: str) -> bool:
        """Tell whether a processor can only forward."""
        ...


class PlatformTeller:
    """Speeds and bandwidths: what there is to say without an answer."""

    def __init__(self, platform: Platform) -> None:
        self.platform = platform
        self._speeds = {
            one.id: 1 / one.time_per_work
            for one in platform.processors
            if one.time_per_work is not None
        }
        self._fastest = max(self._speeds.values(), default=Fraction(1))
        self._bandwidths = [_bandwidth(link) for link in platform.links]
        self._classes = classes_of(self._bandwidths, len(_WIDTHS))

    def node(self, node: Node) -> NodeWords:
        """Give the speed."""
        speed = self._speeds.get(node.first)
        key = (f"processor:{node.first}",)
        if speed is None:
            return NodeWords(key, (), None)
        return NodeWords(key, (f"speed {number(speed)}",), speed / self._fastest)

    def line(self, positions: Sequence[int], begin: frozenset[str]) -> LineWords:  # noqa: ARG002
        """Give the bandwidth, of several links the greatest.

        Parameters
        ----------
        positions
            In the platform's list.
        begin
            Processors at one end.
        """
        widest = max(self._bandwidths[position] for position in positions)
        links = [self.platform.links[position] for position in positions]
        media = sorted({medium for link in links for medium in link.media})
        first = link_resource(links[0].source, links[0].target).removesuffix(".link")
        width = _WIDTHS[place_in(self._classes, widest)]
        return LineWords(
            (f"link:{first}", *(f"medium:{one}" for one in media)), number(widest), width
        )

    def forwards(self, name: str) -> bool:
        """Tell whether a processor is a switch or a router."""
        return forwards(self.platform, Facts(()), name)


class AnswerTeller:
    """How busy all is, and what limits, of the rows that pages and the API have as well."""

    def __init__(self, platform: Platform, facts: Facts, listed: ResourceList) -> None:
        self.platform, self._facts = platform, facts
        self._row_of = {name: row for row in listed.rows for name in row.names}
        self._processor_row = {
            member: row for row in listed.rows if row.kind == "processor" for member in row.members
        }
        self._sets = [(frozenset(r.members), r) for r in listed.rows if r.kind == "set"]
        self._known = facts.shares is not None
        self._media = {one.id: medium_resource(one.id) for one in platform.media}

    def node(self, node: Node) -> NodeWords:
        """Say what a processor does, and what of it limits.

        Parameters
        ----------
        node
            It may stand for several that are alike.
        """
        row = self._processor_row[node.first]
        ports = [port for port in row.ports if port.busy is not None]
        computing = next((port for port in ports if port.port == "compute"), None)
        shown: list[Port] = []
        busiest = max(ports, key=_busy, default=None)
        if computing is not None and (_busy(computing) > 0 or busiest is computing):
            shown.append(computing)
        elif busiest is not None and _busy(busiest) > 0:
            shown.append(busiest)
        priced = max(row.ports, key=_share, default=None)
        if priced is not None and priced.busy is not None and _share(priced) > 0:
            shown.append(priced)
        lines = [_does(port) for port in dict.fromkeys(shown)]
        if not self._known and row.planned is not None:
            lines = [f"{row.planned.field} {row.planned.text}"]
        part = None if computing is None else computing.busy
        tag, weight = _tag(row)
        return NodeWords((row.key,), tuple(lines), part, tag, weight, row.limits, row.used)

    def line(self, positions: Sequence[int], begin: frozenset[str]) -> LineWords:
        """Say how busy links are in each direction.

        Parameters
        ----------
        positions
            In the platform's list.
        begin
            Processors at the end that counts as the first.
        """
        links = [self.platform.links[position] for position in positions]
        directions = [
            (row, forward) for link in links for row, forward in self._directions(link, begin)
        ]
        found = list({(row.key, forward): (row, forward) for row, forward in directions}.values())
        live = [(row, forward) for row, forward in found if row.busy > 0]
        shared = self._shared(links)
        limiting = [row for row, _ in found if row.limits]
        limiting += [row for row in shared if row.limits and (live or not self._known)]
        greatest = max(limiting, key=lambda row: row.weight, default=None)
        tag, weight = ("", _ZERO) if greatest is None else _tag(greatest)
        if tag and greatest is not None and greatest.kind == "medium":
            tag = f"{greatest.label} {tag}"
        width = max((row.busy for row, _ in live), default=_ZERO)
        texts = [
            percent(row.busy) for row, _ in sorted(live, key=lambda direction: not direction[1])
        ]
        used = bool(live or limiting) or not self._known
        return LineWords(
            tuple(row.key for row in _in_use_first([*(row for row, _ in found), *shared])),
            _BETWEEN.join(texts),
            _THINNEST + _THICKER * float(width) if used else _UNUSED_WIDTH,
            tuple(
                Course(forward, row.busy, row.limits)
                for row, forward in live
                if not row.names[0].endswith(".half")
            ),
            tag,
            weight,
            "" if greatest is None else greatest.key,
            bool(limiting),
            used,
        )

    def forwards(self, name: str) -> bool:
        """Tell whether a processor is a switch or a router."""
        return forwards(self.platform, self._facts, name)

    def _directions(self, link: Link, begin: frozenset[str]) -> Iterable[tuple[ResourceRow, bool]]:
        for name, source in (
            (half_resource(link.source, link.target), link.source),
            (link_resource(link.source, link.target), link.source),
            (link_resource(link.target, link.source), link.target),
        ):
            if name in self._row_of:
                yield self._row_of[name], source in begin

    def _shared(self, links: Sequence[Link]) -> list[ResourceRow]:
        """Give media and sets that links belong to."""
        found: defaultdict[str, list[ResourceRow]] = defaultdict(list)
        for link in links:
            for medium in link.media:
                row = self._row_of.get(self._media[medium])
                if row is not None:
                    found[row.key] = [row]
            for members, row in self._sets:
                if members.issuperset((link.source, link.target)):
                    found[row.key] = [row]
        return [row for rows in found.values() for row in rows]


def forwards(platform: Platform, facts: Facts, name: str) -> bool:
    """Tell whether a processor is a switch, or a router that computes nothing.

    Parameters
    ----------
    platform
        Its processors.
    facts
        What an answer says of the platform, if there is one.
    name
        Id of the processor.
    """
    processor = platform.processors[platform.index_by_id[name]]
    return processor.switch or not computes(platform, facts, name)


def computes(platform: Platform, facts: Facts, name: str) -> bool:
    """Tell whether a processor can compute, as far as platform and answer say."""
    processors = platform.processors
    if all(one.time_per_work is None for one in processors):
        return True
    processor = processors[platform.index_by_id[name]]
    return processor.time_per_work is not None or any(facts.use(compute_resource(name)))


def number(value: Fraction) -> str:
    """Write a number in a few characters."""
    text = decimal_text(value, 4)
    return text if len(text) <= 8 else rounded_text(value, 3)


def _bandwidth(link: Link) -> Fraction:
    if link.bandwidth is not None:
        return link.bandwidth
    assert link.unit_time is not None
    return 1 / link.unit_time


def _busy(port: Port) -> Fraction:
    return _ZERO if port.busy is None else port.busy


def _share(port: Port) -> Fraction:
    return _ZERO if port.share is None else port.share


def _does(port: Port) -> str:
    share = _busy(port)
    if not share:
        return "idle"
    card = f" {port.card}" if port.card else ""
    return f"{DOES.get(port.port, 'in use')}{card} {percent(share)}"


def _tag(row: ResourceRow) -> tuple[str, Fraction]:
    if row.weight > 0:
        return f"limits {percent(row.weight)}", row.weight
    return (_ALWAYS_BUSY if row.limits else "", _ZERO)


def _in_use_first(rows: Iterable[ResourceRow]) -> list[ResourceRow]:
    return sorted(rows, key=lambda row: (-row.weight, row.busy == 0))
