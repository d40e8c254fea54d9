"""The platform: processors, links, media and routes, each with its own speed."""

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import Annotated, Literal, NamedTuple

from pydantic import Discriminator, Field, Tag, model_validator

from steadygrid.domain.cards import card_faults, own_card_faults
from steadygrid.domain.errors import Fault, Pointer
from steadygrid.domain.graph_objects import NetworkGraph
from steadygrid.domain.nearest import Known
from steadygrid.domain.quantity import without_platform_units
from steadygrid.domain.rational import PositiveWithUnit, Rational, RationalWithUnit
from steadygrid.domain.resources import (
    compute_resource,
    half_resource,
    in_resource,
    link_resource,
    medium_resource,
    out_resource,
    port_resource,
    receive_resource,
    send_resource,
)
from steadygrid.domain.text import Frozen, Identifier, PlainText
from steadygrid.domain.wording import shown

PortModel = Literal["one_port", "multiport", "send_or_receive", "no_overlap"]
SINGLE_PORT = ("send_or_receive", "no_overlap")
"""The port models in which a processor takes part in one transfer at a time."""
MOST_CARDS = 10**6

NumCards = Annotated[int, Field(ge=1, le=MOST_CARDS)]
NamedCards = Annotated[tuple[Identifier, ...], Field(strict=False, min_length=1)]
_CARDS_GIVEN_AS: dict[type, str] = {int: "number", list: "names", tuple: "names"}
Cards = Annotated[
    Annotated[NumCards, Tag("number")] | Annotated[NamedCards, Tag("names")],
    Discriminator(
        lambda given: _CARDS_GIVEN_AS.get(type(given)),
        custom_error_type="cards_type",
        custom_error_message="expected a whole number, or a list of names",
    ),
]


class Units(Frozen):
    """Labels of the user's own units, to which quantities with units of the platform are converted."""

    time: PlainText | None = Field(None, description="unit of time. Default: none")
    data: PlainText | None = Field(None, description="unit of data. Default: none")
    work: PlainText | None = Field(None, description="unit of work. Default: none")


class Processor(Frozen):
    """A computing resource, a router (no speed) or a switch (forwards only, no ports)."""

    id: Identifier = Field(description="names the processor, unique in the platform")
    speed: PositiveWithUnit | None = Field(None, description="work per time unit")
    unit_time: PositiveWithUnit | None = Field(None, description="time per unit of work")
    bandwidth_in: PositiveWithUnit | None = Field(None, description="data per time unit")
    bandwidth_out: PositiveWithUnit | None = Field(None, description="data per time unit")
    switch: bool = Field(default=False, description="forwards without limits of its own")
    latency: RationalWithUnit = Field(
        Fraction(0),
        description="time before the executions of one task that follow each other. Used where"
        " options.latencies is paid, and by divisible_star",
    )
    cards: Cards | None = Field(
        None,
        description="network cards, each of which sends one file and receives one at a time: how"
        " many (1 if not given), any of which serves any link, or their names, one_port",
    )
    memory: Rational | None = Field(
        None,
        description="what the tasks that run here may need together, in the unit of tasks[].memory."
        " No limit if not given, mono_allocation",
    )
    members: Annotated[int, Field(ge=2)] | None = Field(
        None,
        description="how many interchangeable processors this one stands for. Its speed,"
        " bandwidth_in and bandwidth_out, and those of its links, are of all of them together:"
        " multiport, and kinds that choose several allocations",
    )

    @property
    def num_pooled(self) -> int:
        """Cards of which any may serve any link; 1 where links name theirs."""
        return self.cards if isinstance(self.cards, int) else 1

    @property
    def card_names(self) -> tuple[str, ...]:
        """Names of the cards. None where any card serves any link."""
        return self.cards if isinstance(self.cards, tuple) else ()

    @property
    def has_cards(self) -> bool:
        """Whether it has more than one card, or a name for each."""
        return self.num_pooled > 1 or self.card_names != ()

    @cached_property
    def time_per_work(self) -> Fraction | None:
        """Time for one unit of work. None for a router or a switch."""
        if self.unit_time is not None:
            return self.unit_time
        return None if self.speed is None else 1 / self.speed


class Link(Frozen):
    """A link between two processors; `duplex` says how its two directions share it."""

    source: Identifier = Field(description="id of one end. The sender of a simplex link")
    target: Identifier = Field(description="id of the other end. The receiver of a simplex link")
    bandwidth: PositiveWithUnit | None = Field(None, description="data per time unit")
    unit_time: PositiveWithUnit | None = Field(None, description="time per unit of data")
    duplex: Literal["full", "half", "simplex"] = Field(
        "full", description="half: both directions share bandwidth. simplex: only to the target"
    )
    media: tuple[Identifier, ...] = Field(
        (), strict=False, description="media whose bandwidth it shares with others. Multiport"
    )
    latency: RationalWithUnit = Field(
        Fraction(0),
        description="time before the data of a message flows. Used where options.latencies is paid,"
        " and by divisible_star",
    )
    source_card: Identifier | None = Field(None, description="where the source names its cards")
    target_card: Identifier | None = Field(None, description="where the target names its cards")


class Medium(Frozen):
    """A bandwidth that all the links naming it share: a bus, a backbone, a wide-area link."""

    id: Identifier = Field(description="names the medium, unique in the platform")
    bandwidth: PositiveWithUnit = Field(description="data per time unit")


class Route(Frozen):
    """The directed route that ``routing: fixed`` takes from `source` to `target`; or that it has none."""

    source: Identifier = Field(description="id of the processor where the route begins")
    target: Identifier = Field(description="id of the processor where the route ends")
    via: tuple[Identifier, ...] = Field(
        (), strict=False, description="processors between the two, in order"
    )
    missing: Literal[True] | None = Field(
        None,
        description="there is no route from source to target, even where links join them: no file"
        " goes there in one go",
    )

    @property
    def path(self) -> tuple[str, ...] | None:
        """The processors from the source to the target. None where there is no route."""
        return None if self.missing else (self.source, *self.via, self.target)


class Arc(NamedTuple):
    """One direction of a link, by indices."""

    index: int  # type: ignore[assignment]  # hides a method of tuples that no arc needs
    source: int
    target: int
    unit_time: Fraction
    """Time for one unit of data."""
    half: int | None
    """Index of the opposite arc where both share a half-duplex link."""
    media: tuple[int, ...]
    """Indices into `Platform.media`. An index stands twice if the link uses a medium twice."""
    link: int
    """Index into `Platform.links`."""
    source_card: str | None = None
    """By which card of its source it leaves, where that has names for them."""
    target_card: str | None = None


class Platform(NetworkGraph):
    """Processors and the links among them."""

    name: PlainText | None = Field(None, description="label for people. Default: none")
    units: Units | None = Field(None, description="labels of all units. Default: none")
    processors: tuple[Processor, ...] = Field(strict=False, min_length=1, description="not empty")
    links: tuple[Link, ...] = Field((), strict=False, description="default: none")
    media: tuple[Medium, ...] = Field((), strict=False, description="shared by links")
    routes: tuple[Route, ...] = Field((), strict=False, description="used by `routing: fixed`")

    _without_units = model_validator(mode="before")(without_platform_units)

    @cached_property
    def missing_routes(self) -> frozenset[tuple[str, str]]:
        """Pairs of processors that have no route."""
        return frozenset((r.source, r.target) for r in self.routes if r.missing)

    @cached_property
    def index_by_id(self) -> dict[str, int]:
        """Position of each processor in `processors`."""
        return {processor.id: i for i, processor in enumerate(self.processors)}

    @property
    def running(self) -> Iterator[str]:
        """Ids of the processors that are no switches."""
        return (processor.id for processor in self.processors if not processor.switch)

    @cached_property
    def arcs(self) -> tuple[Arc, ...]:
        """Every direction in which data can move, in the order of `links`."""
        processors = self.index_by_id
        media = {medium.id: i for i, medium in enumerate(self.media)}
        arcs: list[Arc] = []
        for position, link in enumerate(self.links):
            if link.unit_time is not None:
                unit_time = link.unit_time
            elif link.bandwidth is not None:
                unit_time = 1 / link.bandwidth
            else:
                raise ValueError(f"link {position} has no speed")
            source, target = processors[link.source], processors[link.target]
            used = tuple(media[medium] for medium in link.media)
            first = len(arcs)
            half = link.duplex == "half"
            there = Arc(
                first,
                source,
                target,
                unit_time,
                first + 1 if half else None,
                used,
                position,
                link.source_card,
                link.target_card,
            )
            arcs.append(there)
            if link.duplex != "simplex":
                back = there._replace(
                    index=first + 1,
                    source=target,
                    target=source,
                    half=first if half else None,
                    source_card=link.target_card,
                    target_card=link.source_card,
                )
                arcs.append(back)
        return tuple(arcs)

    @cached_property
    def arc_by_ends(self) -> dict[tuple[int, int], Arc]:
        """The arc from one processor's index to another's."""
        return {(arc.source, arc.target): arc for arc in self.arcs}

    @cached_property
    def arcs_out(self) -> tuple[tuple[Arc, ...], ...]:
        """For each processor, the arcs that leave it."""
        return self._incident("source")

    @cached_property
    def arcs_in(self) -> tuple[tuple[Arc, ...], ...]:
        """For each processor, the arcs that enter it."""
        return self._incident("target")

    def _incident(self, end: str) -> tuple[tuple[Arc, ...], ...]:
        incident: list[list[Arc]] = [[] for _ in self.processors]
        for arc in self.arcs:
            incident[getattr(arc, end)].append(arc)
        return tuple(tuple(arcs) for arcs in incident)


class Use(NamedTuple):
    """A share of a resource: time on `resource` per unit of data that crosses an arc."""

    resource: str
    time_per_data: Fraction


def arc_uses(platform: Platform, arc: Arc, ports: PortModel) -> list[Use]:
    """List what one unit of data on an arc takes from each resource, by contract names.

    Parameters
    ----------
    platform, arc
        The arc must be one of the platform's.
    ports
        ``one_port``: `P.send` and `P.receive`, by the name of a card `P--card.send` and
        `P--card.receive`. Where k cards serve any link, a k-th part of `P.send` or `P.receive`, and
        `A->B.link`. ``send_or_receive`` and ``no_overlap``: `P.port` of
        both ends. Switches have no ports: between two of them it is `A->B.link`. A half-duplex
        link takes `A--B.half`, too, unless a port of one transfer at a time does so already.
        ``multiport``: `A->B.link` (`A--B.half` takes its place), `P.out` and `P.in` where the
        processor has such a bandwidth, `M.medium` with all the times that the link names it
        together.
    """
    source, target = platform.processors[arc.source], platform.processors[arc.target]
    time = arc.unit_time
    uses: list[Use] = []
    without_ports = source.switch and target.switch
    several_cards = ports == "one_port" and max(source.num_pooled, target.num_pooled) > 1
    if arc.half is not None:
        if without_ports or ports not in SINGLE_PORT:
            uses.append(Use(half_resource(source.id, target.id), time))
    elif without_ports or several_cards or ports == "multiport":
        uses.append(Use(link_resource(source.id, target.id), time))
    if ports in SINGLE_PORT:
        ends = (source, target)
        return uses + [Use(port_resource(end.id), time) for end in ends if not end.switch]
    if ports == "one_port":
        if not source.switch:
            share = time / source.num_pooled if several_cards else time
            uses.append(Use(send_resource(source.id, arc.source_card), share))
        if not target.switch:
            share = time / target.num_pooled if several_cards else time
            uses.append(Use(receive_resource(target.id, arc.target_card), share))
        return uses
    if source.bandwidth_out is not None and not source.switch:
        uses.append(Use(out_resource(source.id), 1 / source.bandwidth_out))
    if target.bandwidth_in is not None and not target.switch:
        uses.append(Use(in_resource(target.id), 1 / target.bandwidth_in))
    for index, times in Counter(arc.media).items():
        medium = platform.media[index]
        uses.append(Use(medium_resource(medium.id), times / medium.bandwidth))
    return uses


class Port(NamedTuple):
    """What sends one file, or receives one, at a time; or several, where cards serve any link."""

    processor: int
    card: str | None


def sending_port(platform: Platform, arc: Arc) -> Port | None:
    """Give what an arc leaves by, under ``one_port``. None at a switch, which has no ports."""
    if platform.processors[arc.source].switch:
        return None
    return Port(arc.source, arc.source_card)


def receiving_port(platform: Platform, arc: Arc) -> Port | None:
    """Give what an arc enters by, under ``one_port``. None at a switch, which has no ports."""
    if platform.processors[arc.target].switch:
        return None
    return Port(arc.target, arc.target_card)


def computing_resource(processor: str, ports: PortModel) -> str:
    """Name what computing takes of a processor: its only port under ``no_overlap``."""
    return port_resource(processor) if ports == "no_overlap" else compute_resource(processor)


def platform_faults(platform: Platform, at: Pointer) -> Iterator[Fault]:
    """List what is wrong with a well-formed platform.

    Rules, in order: ids of processors and media are unique. A processor has at most one of `speed`
    and `unit_time`. A switch has none, and no cards. Names of cards differ. A link has exactly one
    of `bandwidth` and `unit_time`, known media, and two different known ends. An ordered pair has
    one link (``full`` and ``half`` count for both). A link names a card at each end whose processor
    has names for them, and only there. Each named card has a link. Routes join two different known
    processors over existing links, once per pair.

    Parameters
    ----------
    platform
        Well-formed. It may have faults.
    at
        Where the platform is in the document; faults point there.
    """
    processors, faults = _unique_ids(
        [p.id for p in platform.processors], (*at, "processors"), "processor"
    )
    yield from faults
    media, faults = _unique_ids([m.id for m in platform.media], (*at, "media"), "medium")
    yield from faults
    for i, processor in enumerate(platform.processors):
        here = (*at, "processors", i)
        if processor.speed is not None and processor.unit_time is not None:
            yield Fault(here, "ambiguous_speed", "give speed or unit_time, not both")
        if processor.switch and (processor.speed is not None or processor.unit_time is not None):
            yield Fault(
                here, "switch_computes", "a switch only forwards: leave out its speed or unit_time"
            )
        yield from own_card_faults(processor, (*here, "cards"))
        if processor.members is not None and processor.switch:
            yield Fault(
                (*here, "members"),
                "members_of_switch",
                "a switch stands for itself: leave out members",
            )
    known = Known(processor.id for processor in platform.processors)
    yield from _link_faults(platform, processors, media, known, at)
    yield from card_faults(platform, at)
    yield from _route_faults(platform, processors, known, at)


def _route_faults(
    platform: Platform, processors: set[str], known: Known, at: Pointer
) -> Iterator[Fault]:
    pairs = _connected_pairs(platform.links)
    seen: set[tuple[str, str]] = set()
    for i, route in enumerate(platform.routes):
        here = (*at, "routes", i)
        hops = (route.source, *route.via, route.target)
        unknown = [step for step in hops if step not in processors]
        if unknown:
            yield Fault(here, "unknown_processor", no_processor(unknown[0], known))
        elif len(set(hops)) < len(hops):
            yield Fault(here, "route_repeats", "a route visits each processor at most once")
        elif (route.source, route.target) in seen:
            yield Fault(here, "duplicate_route", "this pair of processors has a route already")
        elif route.missing:
            if route.via:
                detail = "a route that is missing passes no processors: leave out via"
                yield Fault((*here, "via"), "missing_route_via", detail)
        else:
            for hop in pairwise(hops):
                if hop not in pairs:
                    yield Fault(
                        here,
                        "route_without_link",
                        f"there is no link from {hop[0]!r} to {hop[1]!r}",
                    )
        seen.add((route.source, route.target))


def media_faults(platform: Platform, ports: PortModel, at: Pointer) -> Iterator[Fault]:
    """Refuse links that name media where the port model knows none: once, at the first of them."""
    named = [i for i, link in enumerate(platform.links) if link.media]
    if named and ports != "multiport":
        others = f" ({len(named):,} links name media)" if len(named) > 1 else ""
        yield Fault(
            (*at, "links", named[0], "media"),
            "media_need_multiport",
            f'shared media need "ports": "multiport"{others}',
        )


def has_latencies(platform: Platform) -> bool:
    """Tell whether anything takes time to start: a message on a link, or tasks on a processor."""
    running = (p for p in platform.processors if not p.switch)
    return any(p.latency for p in running) or any(e.latency for e in platform.links)


def _unique_ids(listed: Sequence[str], at: Pointer, noun: str) -> tuple[set[str], list[Fault]]:
    ids: set[str] = set()
    faults: list[Fault] = []
    for i, id_ in enumerate(listed):
        if id_ in ids:
            faults.append(
                Fault((*at, i, "id"), f"duplicate_{noun}", f"{noun} {id_!r} is given twice")
            )
        ids.add(id_)
    return ids, faults


def no_processor(name: str, known: Known) -> str:
    """Say that a processor does not exist, and which one may have been meant."""
    return f"there is no processor {shown(name)}{known.suggestion(name)}"


def _link_faults(
    platform: Platform, processors: set[str], media: set[str], known: Known, at: Pointer
) -> Iterator[Fault]:
    taken: set[tuple[str, str]] = set()
    known_media = Known(medium.id for medium in platform.media)
    for i, link in enumerate(platform.links):
        here = (*at, "links", i)
        if (link.bandwidth is None) == (link.unit_time is None):
            yield Fault(here, "ambiguous_speed", "give exactly one of bandwidth and unit_time")
        for end in ("source", "target"):
            if getattr(link, end) not in processors:
                yield Fault(
                    (*here, end),
                    "unknown_processor",
                    no_processor(getattr(link, end), known),
                )
        for j, medium in enumerate(link.media):
            if medium not in media:
                detail = f"there is no medium {shown(medium)}{known_media.suggestion(medium)}"
                yield Fault((*here, "media", j), "unknown_medium", detail)
        if link.source == link.target:
            yield Fault(here, "self_link", "a link joins two different processors")
            continue
        pairs = _pairs(link)
        if any(pair in taken for pair in pairs):
            yield Fault(
                here,
                "duplicate_link",
                f"there is already a link from {link.source!r} to {link.target!r}"
                " (full and half links count for both directions)",
            )
        taken.update(pairs)


def _pairs(link: Link) -> list[tuple[str, str]]:
    pair = (link.source, link.target)
    return [pair] if link.duplex == "simplex" else [pair, pair[::-1]]


def _connected_pairs(links: Sequence[Link]) -> set[tuple[str, str]]:
    return {pair for link in links for pair in _pairs(link)}
