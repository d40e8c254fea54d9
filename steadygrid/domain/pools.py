"""A platform on which interchangeable processors are one: the first of each class stands for a pool.

A resource that each member of a class has for itself, such as its computing capacity, its ports and its
links, is one resource of the pool. A use of time t by the pool's instances is a share ``t / n`` of
what the n members have together.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import TypeVar

from pydantic import BaseModel

from steadygrid.domain.platform import (
    Arc,
    Platform,
    PortModel,
    Processor,
    arc_uses,
    computing_resource,
)
from steadygrid.domain.resources import medium_resource
from steadygrid.domain.twins import TwinClass

M = TypeVar("M", bound=BaseModel)
N = TypeVar("N", Fraction, float)


@dataclass(frozen=True)
class Pools:
    """The classes of a platform.

    Attributes
    ----------
    platform, ports
        With all processors.
    classes
        See `steadygrid.domain.twins.twin_classes`.
    """

    platform: Platform
    ports: PortModel
    classes: Sequence[TwinClass]

    @cached_property
    def names(self) -> list[list[str]]:
        """The ids of the members of each class, the first one first."""
        ids = [processor.id for processor in self.platform.processors]
        return [[ids[i] for i in one.members] for one in self.classes]

    @cached_property
    def size_by_first(self) -> dict[str, int]:
        """The number of members of each class, by the id of its first."""
        return {names[0]: len(names) for names in self.names}

    @cached_property
    def dropped(self) -> frozenset[str]:
        """The ids of all members but the first ones."""
        return frozenset(name for names in self.names for name in names[1:])

    @cached_property
    def own_resources(self) -> list[dict[str, tuple[str, ...]]]:
        """For each class: by a resource of the first member's own, that of every member."""
        return [
            {
                names[0]: names
                for names in zip(*map(self._resources, one.members, one.media), strict=True)
                if names[0] != names[1]
            }
            for one in self.classes
        ]

    @cached_property
    def shares(self) -> dict[str, int]:
        """By each resource of a first member's own, the number of members."""
        return {name: len(names) for own in self.own_resources for name, names in own.items()}

    def prices_of_members(self, prices: Mapping[str, N]) -> dict[str, N]:
        """Give each member its part of the prices of its pool. They sum to the same."""
        alike = {name: names for own in self.own_resources for name, names in own.items()}
        return {
            name: price / len(names)
            for pool, price in prices.items()
            for names in [alike.get(pool, (pool,))]
            for name in names
        }

    def _resources(self, member: int, media: Sequence[int]) -> list[str]:
        """Name the resources on which a member's work and data take time, in one order for a class."""
        platform = self.platform

        def end(arc: Arc) -> tuple[int, bool]:
            return (arc.target, True) if arc.source == member else (arc.source, False)

        arcs = sorted((*platform.arcs_out[member], *platform.arcs_in[member]), key=end)
        named = {medium for arc in arcs for medium in arc.media}
        of_media = {medium_resource(platform.media[medium].id) for medium in named}
        uses = [use.resource for arc in arcs for use in arc_uses(platform, arc, self.ports)]
        return [
            computing_resource(platform.processors[member].id, self.ports),
            *(name for name in uses if name not in of_media),
            *(medium_resource(platform.media[medium].id) for medium in media),
        ]

    @cached_property
    def pooled_platform(self) -> Platform:
        """The platform with only the first member of each class. It computes n times as fast."""
        gone = self.dropped
        return changed(
            self.platform,
            processors=tuple(
                self._pooled_processor(processor)
                for processor in self.platform.processors
                if processor.id not in gone
            ),
            links=tuple(
                link
                for link in self.platform.links
                if link.source not in gone and link.target not in gone
            ),
            routes=tuple(
                route
                for route in self.platform.routes
                if gone.isdisjoint((route.source, *route.via, route.target))
            ),
        )

    def _pooled_processor(self, processor: Processor) -> Processor:
        size = self.size_by_first.get(processor.id, 1)
        time = processor.time_per_work
        if size == 1 or time is None:
            return processor
        return changed(processor, speed=None, unit_time=time / size)


def divide_time(classes: Sequence[Sequence[str]]) -> list[tuple[Fraction, dict[str, str]]]:
    """Divide the time evenly among the members of each of some classes.

    The time is divided into as many equal parts as a class has members, for every class, and each part
    is one member's: so there are no more parts than the classes have members together.

    Returns
    -------
    list
        Of each part, its share of the time and, by the first member of each class, the one whose
        turn it is. One part if there are no classes.

    Examples
    --------
    >>> [(str(part), places["A"], places["C"]) for part, places in in_turn(["AB", "CDE"])]
    [('1/3', 'A', 'C'), ('1/6', 'A', 'D'), ('1/6', 'B', 'D'), ('1/3', 'B', 'E')]
    """
    cuts = {Fraction(k, len(members)) for members in classes for k in range(len(members))}
    return [
        (end - start, {members[0]: members[int(start * len(members))] for members in classes})
        for start, end in pairwise([*sorted(cuts | {Fraction(0)}), Fraction(1)])
    ]


def changed(model: M, **values: object) -> M:
    """Copy a model with other values, which are not checked. Nothing cached is copied."""
    kept = {name: getattr(model, name) for name in type(model).model_fields}
    return type(model).model_construct(**(kept | values))
