"""What of a platform a resource stands for: what is changed in a body to make it faster."""

from collections.abc import Collection, Hashable, Iterator, Mapping
from dataclasses import dataclass, fields
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

from steadygrid.domain.errors import Pointer
from steadygrid.domain.platform import Arc, Platform, Processor
from steadygrid.domain.resources import (
    compute_resource,
    in_resource,
    medium_resource,
    out_resource,
)
from steadygrid.domain.twins import twin_classes
from steadygrid.report.occupation import Resource, resources_of
from steadygrid.verification.network import Network

COMPUTES_BY_PORT = ("no_overlap", "strict_one_port")
"""Port models under which a processor computes by the port by which it sends."""
_PLATFORM: Pointer = ("problem", "platform")
_NO_POSITIONS: frozenset[int] = frozenset()


@dataclass(frozen=True)
class Part:
    """Some of a platform, by positions in its lists.

    Attributes
    ----------
    speeds
        Processors, as far as they compute.
    links, media
        Whole links, both directions of those that have two; media.
    outs, ins
        Processors, as far as they have a bandwidth for all that leaves or enters them.
    """

    speeds: frozenset[int] = _NO_POSITIONS
    links: frozenset[int] = _NO_POSITIONS
    media: frozenset[int] = _NO_POSITIONS
    outs: frozenset[int] = _NO_POSITIONS
    ins: frozenset[int] = _NO_POSITIONS

    def __or__(self, other: "Part") -> "Part":
        return Part(
            **{
                field.name: getattr(self, field.name) | getattr(other, field.name)
                for field in fields(Part)
            }
        )


class Place(NamedTuple):
    """A quantity of a body that says how fast something is."""

    pointer: Pointer
    rising: bool
    """Whether more is faster: a bandwidth, and not a time."""


@dataclass(frozen=True)
class Parts:
    """The resources of a body, and what each of them is there.

    Attributes
    ----------
    document
        The canonical body.
    platform, ports
        As the kind sees them.
    """

    document: Mapping[str, Any]
    platform: Platform
    ports: str
    named: Collection[str] = ()
    """Resources of which the answer speaks."""

    @cached_property
    def resources(self) -> tuple[Resource, ...]:
        """All resources, each once, by processor, by link, media, sets."""
        named = dict.fromkeys((*self.named, *map(compute_resource, self.times)))
        found = resources_of(self.platform, self.ports, named)
        return tuple({one.name: one for one in found}.values())

    @cached_property
    def times(self) -> dict[str, tuple[Pointer, ...]]:
        """Places of the times that are given for each processor."""
        found: dict[str, list[Pointer]] = {}
        for pointer, listed in members(self.document["problem"], ("times",)):
            for name in self.platform.index_by_id.keys() & listed.keys():
                found.setdefault(name, []).append(("problem", *pointer, name))
        return {name: tuple(pointers) for name, pointers in found.items()}

    def part_of(self, resource: Resource) -> Part:
        """Give what a resource is. Nothing where no quantity says how fast it is."""
        links = frozenset(arc.link for arc in self._arcs(resource))
        positions = frozenset(self.platform.index_by_id[end] for end in resource.ends)
        match resource.what:
            case "compute":
                return Part(speeds=positions)
            case "out":
                return Part(outs=positions)
            case "in":
                return Part(ins=positions)
            case "medium":
                media = enumerate(self.platform.media)
                return Part(
                    media=frozenset(i for i, medium in media if medium.id == resource.medium)
                )
            case "port" if self.ports in COMPUTES_BY_PORT and self._computes(resource.ends[0]):
                return Part(speeds=positions, links=links)
            case _:
                return Part(links=links)

    def _computes(self, processor: str) -> bool:
        place = self.platform.index_by_id[processor]
        return self.platform.processors[place].time_per_work is not None or processor in self.times

    def _arcs(self, resource: Resource) -> Iterator[Arc]:
        platform = self.platform
        ends = [platform.index_by_id[end] for end in resource.ends]
        if resource.what in ("link", "half"):
            yield platform.arc_by_ends[ends[0], ends[1]]
        elif resource.what == "odd":
            yield from (a for end in ends for a in platform.arcs_out[end] if a.target in ends)
        if resource.what in ("send", "port"):
            for arc in platform.arcs_out[ends[0]]:
                if resource.card in (None, arc.source_card):
                    yield arc
        if resource.what in ("receive", "port"):
            for arc in platform.arcs_in[ends[0]]:
                if resource.card in (None, arc.target_card):
                    yield arc

    def places(self, part: Part) -> Iterator[Place]:
        """List the quantities that say how fast a part is."""
        platform = self.platform
        for i in sorted(part.speeds):
            processor = platform.processors[i]
            if processor.speed is not None:
                yield Place((*_PLATFORM, "processors", i, "speed"), rising=True)
            if processor.unit_time is not None:
                yield Place((*_PLATFORM, "processors", i, "unit_time"), rising=False)
            for pointer in self.times.get(processor.id, ()):
                yield Place(pointer, rising=False)
        for i in sorted(part.links):
            by_time = platform.links[i].unit_time is not None
            name = "unit_time" if by_time else "bandwidth"
            yield Place((*_PLATFORM, "links", i, name), rising=not by_time)
        for i in sorted(part.media):
            yield Place((*_PLATFORM, "media", i, "bandwidth"), rising=True)
        for name, positions in (("bandwidth_out", part.outs), ("bandwidth_in", part.ins)):
            for i in sorted(positions):
                yield Place((*_PLATFORM, "processors", i, name), rising=True)

    def relieved(self, network: Network, part: Part) -> frozenset[str]:
        """Name every resource of which something takes less where a part is faster.

        Of a link these are all that its transfers occupy for as long as they last: ports at both ends,
        the link itself, odd sets around it; not what has a bandwidth of its own. In both directions, as
        a link has one bandwidth.

        Parameters
        ----------
        network
            What transfers take of resources.
        part
            Some of the platform, by positions in its lists.
        """
        processors, media = self.platform.processors, self.platform.media
        found = {network.computing(processors[i].id) for i in part.speeds}
        found |= {medium_resource(media[i].id) for i in part.media}
        found |= {out_resource(processors[i].id) for i in part.outs}
        found |= {in_resource(processors[i].id) for i in part.ins}
        for i in part.links:
            link = self.platform.links[i]
            apart = {medium_resource(medium) for medium in link.media}
            for sender, receiver in ((link.source, link.target), (link.target, link.source)):
                hop = network.hops.get((sender, receiver))
                if hop is not None:
                    own = {*apart, out_resource(sender), in_resource(receiver)}
                    found |= {name for name, _ in hop.uses if name not in own}
        return frozenset(found)


def members(problem: Any, names: Collection[str]) -> Iterator[tuple[Pointer, Mapping[str, Any]]]:
    """Find the objects of a problem, outside its platform, that are members of these names.

    Parameters
    ----------
    problem
        As JSON has it.
    names
        Of the members.
    """
    found = _members(problem, names)
    return ((at, member) for at, member in found if isinstance(member, Mapping))


def lists(problem: Any, names: Collection[str]) -> Iterator[tuple[Pointer, list[Any]]]:
    """Find the lists of a problem, outside its platform, that are members of these names.

    Parameters
    ----------
    problem
        As JSON has it.
    names
        Of the members.
    """
    found = _members(problem, names)
    return ((at, member) for at, member in found if isinstance(member, list))


def _members(problem: Any, names: Collection[str]) -> Iterator[tuple[Pointer, Any]]:
    parts: list[tuple[Pointer, Any]] = [((), problem)]
    while parts:
        at, part = parts.pop()
        deeper: list[tuple[Pointer, Any]] = []
        for name, member in part.items() if isinstance(part, Mapping) else enumerate(part):
            if not isinstance(member, Mapping | list) or (at, name) == ((), "platform"):
                continue
            if name in names:
                yield (*at, name), member
            deeper.append(((*at, name), member))
        parts += reversed(deeper)


class Twins:
    """Which resources are the same but for their names, so that one of them stands for all.

    Processors are twins here if neither the platform nor anything in the problem tells them apart: see
    `twin_classes`; one that the problem names other than by times of its own is no processor's
    twin.
    """

    def __init__(self, parts: Parts, *, free_routes: bool) -> None:
        self._first: dict[str, str] = {}
        self._media: dict[str, str] = {}
        platform = parts.platform
        ids = platform.index_by_id
        told: list[list[Hashable]] = [[_of_its_own(one)] for one in platform.processors]
        single: set[int] = set()
        stack: list[tuple[Pointer, Any]] = [
            ((name,), value)
            for name, value in parts.document["problem"].items()
            if name != "platform"
        ]
        while stack:
            at, part = stack.pop()
            if isinstance(part, str):
                single.update({ids[part]} if part in ids else ())
                continue
            if isinstance(part, Mapping):
                for name in ids.keys() & part.keys():
                    number = isinstance(part[name], int | float)
                    said = part[name] if number or isinstance(part[name], str) else name
                    told[ids[name]].append((at, said))
            if isinstance(part, Mapping | list):
                entries = part.items() if isinstance(part, Mapping) else enumerate(part)
                stack += [((*at, name), value) for name, value in entries if name not in ids]
        classes = twin_classes(
            platform,
            parts.ports,
            [frozenset(one) for one in told],
            fixed_routes=not free_routes,
            single=single,
        )
        for found in classes:
            names = [platform.processors[i].id for i in found.members]
            self._first |= dict.fromkeys(names, names[0])
            for media in zip(*found.media, strict=True):
                alike = [platform.media[i].id for i in media]
                self._media |= dict.fromkeys(alike, alike[0])

    def key(self, resource: Resource) -> Hashable:
        """Give what the resources have in common that stand for each other."""
        ends = [self._first.get(end, end) for end in resource.ends]
        if resource.what in ("half", "odd"):
            ends.sort()
        medium = resource.medium
        if medium is not None:
            medium = self._media.get(medium, medium)
        return resource.what, tuple(ends), resource.card, medium


def _of_its_own(processor: Processor) -> Hashable:
    """Give what a processor says of itself besides its id."""
    return tuple(
        getattr(processor, name) for name in Processor.model_fields if name not in ("id", "cards")
    )


def worth(prices: Mapping[str, Fraction], names: Collection[str]) -> Fraction:
    """Sum up the prices of some resources.

    Parameters
    ----------
    prices
        By name of the resource; others are free.
    names
        Of resources.
    """
    if len(names) > len(prices):
        return sum((price for name, price in prices.items() if name in names), Fraction(0))
    return sum((prices.get(name, Fraction(0)) for name in names), Fraction(0))
