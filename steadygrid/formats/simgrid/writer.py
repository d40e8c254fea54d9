"""A platform of steadygrid as SimGrid platform XML, version 4.1: what the importer reads back.

======================= ==================================================================
platform                SimGrid
======================= ==================================================================
processor               host; of speed 0 where it only forwards
switch                  router
link                    link, and the route between its ends: full duplex ``SPLITDUPLEX``,
                        half duplex ``SHARED``, of one direction ``SHARED`` with
                        ``symmetrical="NO"``
medium                  link, ``SHARED``, on the route of each link that names it
route that is given,    bypassRoute, where SimGrid, which takes the fewest links, would not
or of least total time  take it by itself
======================= ==================================================================

All is in one zone of the routing Floyd, or DijkstraCache where there are many processors.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from decimal import Context, Decimal
from fractions import Fraction
from itertools import pairwise, permutations, product
from xml.sax.saxutils import quoteattr

from steadygrid.domain.components import is_forest
from steadygrid.domain.errors import Fault, LimitError
from steadygrid.domain.limits import Limits
from steadygrid.domain.platform import Link, Platform, Processor
from steadygrid.domain.rational import MAX_DIGITS, decimal_text
from steadygrid.domain.resources import pair_name
from steadygrid.formats.exporter import Exported
from steadygrid.formats.fault_list import refused
from steadygrid.formats.simgrid.declarations import DeclaredRoute
from steadygrid.formats.simgrid.fixed import MOST_MEMBERS, MOST_PAIRS
from steadygrid.formats.simgrid.static import Chain, dijkstra, floyd
from steadygrid.verification.network import read_network
from steadygrid.verification.routes import FixedRoutes

_ROUNDED = "numbers that no decimal says are rounded to 17 digits"
_UNITS = "SimGrid reads numbers as bytes, flops and seconds. The units of the platform are others"
_MEDIA = "media that one link alone uses, or that are no narrower than a link, are read back as its bandwidth"


def write_simgrid(platform: Platform) -> Exported:
    """Write a platform.

    Parameters
    ----------
    platform
        Without what SimGrid cannot say.

    Returns
    -------
    Exported
        Its notes say what SimGrid reads otherwise than we. They stand in the file, too.

    Raises
    ------
    InstanceError
        ``not_in_format``, with the first thing that cannot be said.
    LimitError
        ``limit_exceeded``: too many routes.
    """
    for reason in _not_said(platform):
        raise refused(
            "", "not_in_format", f"{reason} is not said by SimGrid: write the platform as JSON"
        )
    writer = _Writer(platform)
    body = [*writer.members(), *writer.links(), *writer.routes(), *writer.bypasses()]
    notes = tuple(writer.notes())
    return Exported("\n".join([*writer.opening(notes), *body, *_CLOSING]) + "\n", notes)


_CLOSING = ("  </zone>", "</platform>")


def _not_said(platform: Platform) -> Iterator[str]:
    for processor in platform.processors:
        said = processor.model_dump(exclude_defaults=True).keys()
        if rest := sorted(said - {"id", "speed", "unit_time", "switch"}):
            yield f"{rest[0]} of processor {processor.id!r}"
        if processor.switch and said & {"speed", "unit_time"}:
            yield f"the speed of switch {processor.id!r}"
    for link in platform.links:
        if link.source_card is not None or link.target_card is not None:
            yield f"the card of the link from {link.source!r} to {link.target!r}"
    for route in platform.routes:
        if route.missing:
            yield f"that there is no route from {route.source!r} to {route.target!r}"


class _Writer:
    """Gives the parts of the document, and remembers what it had to round."""

    def __init__(self, platform: Platform) -> None:
        self._platform = platform
        self._rounded = False
        names = {processor.id for processor in platform.processors}
        self._zone = platform.name or "platform"
        while self._zone in names:
            self._zone += " zone"  # SimGrid has one set of names for both
        self._link_of: dict[tuple[str, str], Link] = {}
        for link in platform.links:
            self._link_of[link.source, link.target] = link
            if link.duplex != "simplex":
                self._link_of[link.target, link.source] = link

    def opening(self, notes: Sequence[str]) -> Iterator[str]:
        yield "<?xml version='1.0'?>"
        yield '<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">'
        for note in notes:
            yield f"<!-- {note.replace('--', '- -')} -->"
        yield '<platform version="4.1">'
        yield f"  <zone id={quoteattr(self._zone)} routing={quoteattr(self._routing)}>"

    @property
    def _routing(self) -> str:
        return "Floyd" if len(self._platform.processors) <= MOST_MEMBERS else "DijkstraCache"

    def members(self) -> Iterator[str]:
        for processor in self._platform.processors:
            if processor.switch:
                yield f"    <router id={quoteattr(processor.id)}/>"
            else:
                yield f'    <host id={quoteattr(processor.id)} speed="{self._speed(processor)}"/>'

    def _speed(self, processor: Processor) -> str:
        time = processor.time_per_work
        return "0f" if time is None else self._quantity(1 / time, "f")

    def links(self) -> Iterator[str]:
        for medium in self._platform.media:
            yield self._link(medium.id, medium.bandwidth, Fraction(0), "SHARED")
        for link in self._platform.links:
            policy = "SPLITDUPLEX" if link.duplex == "full" else "SHARED"
            yield self._link(_name(link), _bandwidth(link), link.latency, policy)

    def _link(self, name: str, bandwidth: Fraction, latency: Fraction, policy: str) -> str:
        return (
            f'    <link id={quoteattr(name)} bandwidth="{self._quantity(bandwidth, "Bps")}"'
            f' latency="{self._quantity(latency, "s")}" sharing_policy="{policy}"/>'
        )

    def routes(self) -> Iterator[str]:
        for link in self._platform.links:
            one_way = ' symmetrical="NO"' if link.duplex == "simplex" else ""
            yield self._route("route", link.source, link.target, one_way, self._hops(link))

    @staticmethod
    def _route(tag: str, source: str, target: str, more: str, hops: Sequence[str]) -> str:
        ends = f"src={quoteattr(source)} dst={quoteattr(target)}"
        return f"    <{tag} {ends}{more}>{''.join(hops)}</{tag}>"

    def _hops(self, link: Link, *, back: bool = False) -> list[str]:
        own = f"<link_ctn id={quoteattr(_name(link))}"
        if link.duplex == "full":
            own += f' direction="{"DOWN" if back else "UP"}"'
        shared = [f"<link_ctn id={quoteattr(medium)}/>" for medium in link.media]
        hops = [f"{own}/>", *shared]
        return hops[::-1] if back else hops

    def bypasses(self) -> Iterator[str]:
        """Give the routes that SimGrid would not take by itself."""
        platform = self._platform
        ends = [(link.source, link.target) for link in platform.links]
        if is_forest(ends) and not platform.routes:
            return
        sorts = self._sorts()
        if len(sorts) ** 2 > MOST_PAIRS:
            raise _limit_error(len(sorts) ** 2, "pairs of hosts", MOST_PAIRS)
        ours = FixedRoutes(read_network(platform, "multiport"), platform.routes)
        theirs = self._chain()
        count, most = len(ends), Limits().max_links
        for first, second in permutations(sorts, 2):
            path = ours.path(first, second)
            if path is None or [*pairwise(path)] == theirs(first, second):
                continue
            count += len(sorts[first]) * len(sorts[second])
            if count > most:
                raise _limit_error(count, "routes", most)
            for source, target in product(sorts[first], sorts[second]):
                steps = pairwise((source, *path[1:-1], target))
                hops = [hop for step in steps for hop in self._step(step)]
                yield self._route("bypassRoute", source, target, "", hops)

    def _sorts(self) -> dict[str, list[str]]:
        """List the hosts. Those that hang alike on one point, with no route given, under the first.

        What leads from one such host leads from all, and what leads to it to all: between two of
        one sort there is one path only.
        """
        platform = self._platform
        onward: dict[str, set[str]] = {}
        back: dict[str, set[str]] = {}
        for source, target in self._link_of:
            onward.setdefault(source, set()).add(target)
            back.setdefault(target, set()).add(source)
        given = {end for route in platform.routes for end in (route.source, route.target)}
        found: dict[object, list[str]] = {}
        for one in platform.processors:
            out, into = onward.get(one.id, set()), back.get(one.id, set())
            alike = len(out | into) == 1 and one.id not in given
            if not one.switch:
                key = (*out, "out", *into) if alike else one.id
                found.setdefault(key, []).append(one.id)
        return {hosts[0]: hosts for hosts in found.values()}

    def _step(self, ends: tuple[str, str]) -> list[str]:
        link = self._link_of[ends]
        return self._hops(link, back=link.source != ends[0])

    def _chain(self) -> Chain:
        """Give what finds SimGrid's routes."""
        costs = {ends: 1 + len(link.media) for ends, link in self._link_of.items()}
        if self._routing == "Floyd":
            return floyd([one.id for one in self._platform.processors], costs)
        declared = [
            DeclaredRoute(link.source, link.target, None, link.duplex != "simplex", [], 0)
            for link in self._platform.links
        ]
        return dijkstra(declared, costs)

    def _quantity(self, value: Fraction, unit: str) -> str:
        text = decimal_text(value)
        if "/" in text or len(text) > MAX_DIGITS:
            self._rounded = True
            text = _seventeen_digits(value)
        return text + unit

    def notes(self) -> Iterator[str]:
        """Say what SimGrid reads otherwise; asked last."""
        platform = self._platform
        units = None if platform.units is None else platform.units.model_dump(exclude_none=True)
        if units is not None and units != {"time": "s", "data": "B", "work": "flop"}:
            yield _UNITS
        if platform.name != self._zone:
            yield f"the platform is called by its zone, {self._zone!r}"
        if self._rounded:
            yield _ROUNDED
        if _has_narrow_media(platform):
            yield _MEDIA


def _has_narrow_media(platform: Platform) -> bool:
    """Whether a medium is not read back: one link uses it, or the link could carry no more."""
    uses = Counter(medium for link in platform.links for medium in set(link.media))
    bandwidths = {medium.id: medium.bandwidth for medium in platform.media}
    return any(uses[medium] < 2 for medium in bandwidths) or any(
        bandwidths[medium] < _bandwidth(link)
        or (link.duplex == "half" and bandwidths[medium] == _bandwidth(link))
        for link in platform.links
        for medium in link.media
    )


def _name(link: Link) -> str:
    """Name a link. No medium is called so, since no id has ``->`` in it."""
    return pair_name(link.source, link.target)


def _bandwidth(link: Link) -> Fraction:
    if link.unit_time is not None:
        return 1 / link.unit_time
    if link.bandwidth is None:
        raise ValueError(f"the link {_name(link)} has no speed")
    return link.bandwidth


def _seventeen_digits(value: Fraction) -> str:
    context = Context(prec=17)
    return str(context.divide(Decimal(value.numerator), Decimal(value.denominator)))


def _limit_error(number: int, noun: str, most: int) -> LimitError:
    detail = f"the platform has {number:,} {noun}. At most {most:,} are written for SimGrid"
    return LimitError(detail, [Fault((), "limit_exceeded", detail)])
