"""A network to a platform: which capacity is a medium, and which a plain bandwidth."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Literal, NamedTuple

from pydantic import TypeAdapter, ValidationError

from steadygrid.domain.components import Parts
from steadygrid.domain.errors import Fault, LimitError
from steadygrid.domain.limits import Limits
from steadygrid.domain.platform import Link, Medium, Platform, Processor, Units
from steadygrid.domain.rational import MAX_DIGITS
from steadygrid.domain.text import Identifier, PlainText
from steadygrid.domain.wording import sentence_for
from steadygrid.formats.simgrid.network import Ends, Network, RoutedArc
from steadygrid.formats.simgrid.notes import Notes
from steadygrid.formats.simgrid.xml import refusal

_IDENTIFIER: TypeAdapter[str] = TypeAdapter(Identifier)
_PLAIN_TEXT: TypeAdapter[str] = TypeAdapter(PlainText)
_TOO_LONG = 10**MAX_DIGITS


def shape_platform(network: Network, name: str, limits: Limits, notes: Notes) -> Platform:
    """Write the platform down.

    Parameters
    ----------
    network
        Points, capacities and arcs.
    name
        Of the platform.
    limits
        Largest document, and number of processors and links, to accept.
    notes
        Gets a line for each sort of thing that is changed or left out.

    Raises
    ------
    InstanceError
        Ids that cannot be those of steadygrid, or numbers longer than a request may carry.
    LimitError
        More links than the limits allow.
    """
    if len(network.points) > limits.max_processors:
        detail = (
            f"the platform has {len(network.points):,} processors and switches, those that routes"
            f" need among them. At most {limits.max_processors:,} are accepted"
        )
        raise LimitError(detail, [Fault((), "limit_exceeded", detail)])
    links = list(_Shaper(network).links())
    if len(links) > limits.max_links:
        detail = f"the platform has {len(links):,} links. At most {limits.max_links:,} are accepted"
        raise LimitError(detail, [Fault((), "limit_exceeded", detail)])
    _note_parts(network, links, notes)
    processors = _rename((point.id for point in network.points), notes)
    used = sorted({index for link in links for index in link.media})
    media = _rename((network.capacities[index].name for index in used), notes)
    return Platform(
        name=_checked(_PLAIN_TEXT, name),
        units=Units(time="s", data="B", work="flop"),
        processors=tuple(
            Processor(
                id=processors[point.id],
                speed=None if point.speed is None else _short(point.speed),
                switch=point.switch,
                members=point.members if point.members > 1 else None,
            )
            for point in network.points
        ),
        links=tuple(
            Link(
                source=processors[link.ends[0]],
                target=processors[link.ends[1]],
                bandwidth=_short(link.bandwidth),
                duplex=link.duplex,
                media=tuple(media[network.capacities[index].name] for index in link.media),
                latency=_short(link.latency),
            )
            for link in links
        ),
        media=tuple(
            Medium(
                id=media[network.capacities[index].name],
                bandwidth=_short(network.capacities[index].bandwidth),
            )
            for index in used
        ),
    )


class _ShapedLink(NamedTuple):
    """A link of the platform, still by SimGrid's names."""

    ends: Ends
    bandwidth: Fraction
    duplex: Literal["full", "half", "simplex"]
    media: tuple[int, ...]
    """Indices into `Network.capacities`."""
    latency: Fraction


class _Shaper:
    """Decides what each shared capacity becomes, by who uses it.

    ============================== ======================================================
    used by                        becomes
    ============================== ======================================================
    one arc                        a bound of that arc's bandwidth
    the two arcs between two       the bandwidth of a half-duplex link, if that says it all;
    points, equally often          nothing, if a medium of both implies it; else a medium
    anything else                  a medium
    ============================== ======================================================

    What an arc alone uses n times bounds it to an nth of the bandwidth.
    """

    def __init__(self, network: Network) -> None:
        self._arcs = network.arcs
        self._capacities = network.capacities
        self._users: dict[int, list[Ends]] = {}
        for ends, arc in network.arcs.items():
            for index in dict.fromkeys(arc.uses):
                if not self._capacities[index].fatpipe:
                    self._users.setdefault(index, []).append(ends)

    def links(self) -> Iterator[_ShapedLink]:
        """Give the links in the order in which their first arcs were declared."""
        done: set[Ends] = set()
        for ends, arc in self._arcs.items():
            back = self._arcs.get(ends[::-1])
            if back is None:
                yield self._shape_direction(ends, arc, self._shared_beyond(ends, arc))
            elif ends[::-1] not in done:
                done.add(ends)
                yield from self._shape_both_directions(ends, arc, back)

    def _shared_beyond(self, ends: Ends, arc: RoutedArc) -> set[int]:
        """Give the capacities of an arc that arcs between other points use too."""
        pair = {ends, ends[::-1]}
        return {index for index in arc.uses if not pair.issuperset(self._users.get(index, ()))}

    def _shape_direction(self, ends: Ends, arc: RoutedArc, media: set[int]) -> _ShapedLink:
        # A medium counts each use by itself.
        bounds = [
            self._capacities[index].bandwidth if index in media else self._bound(index, times)
            for index, times in Counter(arc.uses).items()
        ]
        if arc.ceiling is not None:
            bounds.append(arc.ceiling)
        latency = sum((self._capacities[index].latency for index in arc.uses), Fraction(0))
        used = tuple(index for index in arc.uses if index in media)
        return _ShapedLink(ends, min(bounds), "simplex", used, latency)

    def _bound(self, index: int, times: int) -> Fraction:
        """Give what a capacity leaves to one that uses it some times. A fat pipe never minds."""
        capacity = self._capacities[index]
        return capacity.bandwidth if capacity.fatpipe else capacity.bandwidth / times

    def _shape_both_directions(
        self, ends: Ends, there: RoutedArc, back: RoutedArc
    ) -> Iterator[_ShapedLink]:
        media_there = self._shared_beyond(ends, there)
        media_back = self._shared_beyond(ends[::-1], back)
        times_there, times_back = Counter(there.uses), Counter(back.uses)
        joint: list[tuple[Fraction, int]] = []
        for index in times_there.keys() & times_back.keys():
            if index in media_there or self._capacities[index].fatpipe:
                continue
            if times_there[index] == times_back[index]:
                joint.append((self._bound(index, times_there[index]), index))
            else:
                media_there.add(index)
                media_back.add(index)
        # The tightest of the joint bounds implies the others, and a medium may imply it.
        tightest = min(joint, default=None)
        implied = tightest is not None and any(
            self._bound(index, min(times_there[index], times_back[index])) <= tightest[0]
            for index in media_there & media_back
        )
        first = self._shape_direction(ends, there, media_there)
        second = self._shape_direction(ends[::-1], back, media_back)
        alike = _alike(first, second)
        half = False
        if tightest is not None and not implied:
            half = alike and first.bandwidth == tightest[0]
            if not half:
                first = self._shape_direction(ends, there, media_there | {tightest[1]})
                second = self._shape_direction(ends[::-1], back, media_back | {tightest[1]})
        if alike:
            yield first._replace(duplex="half" if half else "full")
        else:
            yield first
            yield second


def _alike(first: _ShapedLink, second: _ShapedLink) -> bool:
    """Whether one link can stand for both directions."""
    return (
        Counter(first.media) == Counter(second.media)
        and first.bandwidth == second.bandwidth
        and first.latency == second.latency
    )


def _note_parts(network: Network, links: Sequence[_ShapedLink], notes: Notes) -> None:
    """Warn where the platform falls apart, naming one processor of each part."""
    parts = Parts[str]()
    for link in links:
        parts.join(*link.ends)
    names = sorted(point.id for point in network.points)
    first = {parts.root(name): name for name in reversed(names)}
    if len(first) > 1:
        for name in sorted(first.values()):
            notes.add(
                "no route joins the groups of these processors to one another",
                name,
            )


def _rename(names: Iterable[str], notes: Notes) -> dict[str, str]:
    """Give each name an id that the platform accepts."""
    ids: dict[str, str] = {}
    taken: set[str] = set()
    for name in names:
        plain = name.replace("->", "\N{RIGHTWARDS ARROW}")
        while "--" in plain:
            plain = plain.replace("--", "-")
        plain = plain.strip("-")
        if plain != name:
            notes.add(
                'names were changed, since ids cannot contain "->" or "--", nor begin or end with'
                ' "-"',
                name,
            )
        if plain in taken:
            raise refusal([f"{name[:80]!r} and another name would both become {plain[:80]!r}"])
        taken.add(plain)
        ids[name] = _checked(_IDENTIFIER, plain)
    return ids


def _checked(rule: TypeAdapter[str], name: str) -> str:
    try:
        return rule.validate_python(name)
    except ValidationError as error:
        raise refusal([f"the name {name[:80]!r}: {sentence_for(error.errors()[0])}"]) from None


def _short(value: Fraction) -> Fraction:
    """Refuse what would not survive a request in JSON."""
    if value.numerator >= _TOO_LONG or value.denominator >= _TOO_LONG:
        raise refusal([f"a number needs more than {MAX_DIGITS} digits: {float(value):.6g}"])
    return value
