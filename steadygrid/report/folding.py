"""Twins told as one: processors that differ in nothing but their names."""

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from steadygrid.domain.platform import Platform, Processor
from steadygrid.report.occupation import Resource, occupation_of, prices_of, resources_of
from steadygrid.report.report import Report

MOST_NAMED = 50
"""Members of a node that are named one by one; above, the rest is counted."""


@dataclass(frozen=True)
class Node:
    """What is drawn as one.

    Attributes
    ----------
    members
        Ids of its processors, in the platform's order; at least one.
    """

    members: tuple[str, ...]

    @property
    def first(self) -> str:
        """The processor that stands for all."""
        return self.members[0]


@dataclass(frozen=True)
class Folding:
    """A platform with its twins joined.

    Attributes
    ----------
    nodes
        In the order of their first members. Every processor is a member of one.
    edges
        Positions of the platform's links between two nodes, by the positions of these, the smaller
        one first.
    """

    nodes: tuple[Node, ...]
    edges: Mapping[tuple[int, int], tuple[int, ...]] = field(repr=False)


@dataclass(frozen=True)
class Facts:
    """What an answer says of a platform, as far as its picture shows it.

    Attributes
    ----------
    resources
        All that can be busy.
    shares, prices
        By the names of resources. None and nothing where there is no answer.
    roles
        What a processor is to the problem, by its id.
    side
        Processors on one side of the cut that is the bottleneck.
    """

    resources: tuple[Resource, ...]
    shares: Mapping[str, Fraction] | None = None
    prices: Mapping[str, Fraction] = field(default_factory=dict)
    roles: Mapping[str, str] = field(default_factory=dict)
    side: frozenset[str] = frozenset()

    def use(self, name: str) -> tuple[Fraction, Fraction]:
        """Give occupation and price of a resource."""
        return (self.shares or {}).get(name, Fraction(0)), self.prices.get(name, Fraction(0))


def facts_of(report: Report, platform: Platform) -> Facts:
    """Gather what an answer says of its platform, for the schedule that runs.

    Parameters
    ----------
    platform
        The report's.
    """
    shares, prices, view = occupation_of(report), prices_of(report), report.view
    resources = tuple(resources_of(platform, report.ports, {**(shares or {}), **prices}))
    return Facts(resources, shares, prices, view.roles, view.cut)


def fold(platform: Platform, facts: Facts, apart: str | None = None) -> Folding:
    """Join the processors that differ in nothing that a picture shows.

    These have one neighbour, and agree in it and in all that their links to it say (media, too).
    They also agree in speed and limits, in their role, and in the exact occupation and price of all
    that is theirs.

    Parameters
    ----------
    platform
        Its processors, links and media.
    facts
        What the answer says of the platform.
    apart
        Id of a processor that stands alone, also where it has twins: they are two links away from it.

    Notes
    -----
    O(processors + links + resources).
    """
    joined = twins_among(platform, facts, frozenset(platform.index_by_id).difference((apart,)))
    alone = [] if apart is None else [Node((apart,))]
    return _joined_platform(platform, [*alone, *joined])


def twins_among(platform: Platform, facts: Facts, ids: Collection[str]) -> list[Node]:
    """Join some processors of a platform as `fold` joins all.

    Parameters
    ----------
    platform
        Its processors, links and media.
    facts
        What the answer says of the platform.
    ids
        Of the processors, with all that are twins of one of them.

    Returns
    -------
    list of Node
        In the order of their first members.
    """
    index, processors = platform.index_by_id, platform.processors
    positions = sorted(index[one] for one in ids)
    keys = _keys(platform, facts, positions)
    groups: dict[Hashable, list[str]] = {}
    for i in positions:
        groups.setdefault(keys[i], []).append(processors[i].id)
    return [Node(tuple(members)) for members in groups.values()]


def group_label(members: Sequence[str]) -> str:
    """Name twins in a few characters: the first id up to its first dot, and how many they are."""
    first = members[0]
    if len(members) == 1:
        return first
    return f"{first.partition('.')[0] or first} … ×{len(members)}"


def named(members: Sequence[str]) -> str:
    """Name the members of a node, the first `MOST_NAMED` of them."""
    more = len(members) - MOST_NAMED
    listed = ", ".join(members[:MOST_NAMED])
    return f"{listed} and {more:,} more" if more > 0 else listed


def _joined_platform(platform: Platform, nodes: Iterable[Node]) -> Folding:
    order = platform.index_by_id
    ranked = sorted(nodes, key=lambda node: order[node.first])
    node_of = {member: i for i, node in enumerate(ranked) for member in node.members}
    edges: dict[tuple[int, int], list[int]] = {}
    for position, link in enumerate(platform.links):
        one, other = sorted((node_of[link.source], node_of[link.target]))
        if one != other:
            edges.setdefault((one, other), []).append(position)
    return Folding(tuple(ranked), {ends: tuple(links) for ends, links in edges.items()})


def _keys(platform: Platform, facts: Facts, positions: Iterable[int]) -> dict[int, Hashable]:
    """Give each of some processors what its twins must have, or its own position."""
    index = platform.index_by_id
    keys: dict[int, Hashable] = {}
    exactly: dict[int, list[Hashable]] = {}
    neighbours: dict[int, int] = {}
    for i in positions:
        keys[i] = i
        around = {arc.target for arc in platform.arcs_out[i]}
        around.update(arc.source for arc in platform.arcs_in[i])
        if len(around) == 1:
            exactly[i], neighbours[i] = [], around.pop()
    for resource in facts.resources:
        amounts = facts.use(resource.name)
        for place, end in enumerate(resource.ends):
            if (own := exactly.get(index[end])) is not None:
                # A half-duplex link is the same from both ends; no set is like another one.
                direction = place if resource.what == "link" else 0
                same = resource.name if resource.what == "odd" else resource.card
                own.append((resource.what, same, direction, amounts))
    for i, neighbour in neighbours.items():
        processor = platform.processors[i]
        role = facts.roles.get(processor.id), processor.id in facts.side
        own_facts = frozenset(exactly[i])
        keys[i] = (neighbour, _limits(processor), _links(platform, i), role, own_facts)
    return keys


def _limits(processor: Processor) -> Hashable:
    return (
        processor.time_per_work,
        processor.bandwidth_in,
        processor.bandwidth_out,
        processor.switch,
        processor.latency,
        processor.cards,
        processor.memory,
        processor.members,
    )


def _links(platform: Platform, i: int) -> Hashable:
    found: list[Hashable] = []
    for leaves, arcs in ((True, platform.arcs_out[i]), (False, platform.arcs_in[i])):
        for arc in arcs:
            link = platform.links[arc.link]
            cards = (arc.source_card, arc.target_card)
            media = tuple(sorted(arc.media))
            found.append((leaves, arc.unit_time, link.duplex, link.latency, cards, media))
    return frozenset(found)
