"""Trees that one operation may take, and how many chunks travel on each."""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from heapq import heappop, heappush
from itertools import pairwise
from math import gcd, lcm
from types import MappingProxyType
from typing import NamedTuple

from steadygrid.engine.arborescences.chunk_times import (
    least_chunk_time,
    whole_chunks,
)
from steadygrid.engine.arborescences.few_routes import Direct, few_routes
from steadygrid.engine.arborescences.level_growth import Variant, grow_by_levels
from steadygrid.engine.arborescences.packing import balanced
from steadygrid.engine.arborescences.timed_growth import grow_by_time
from steadygrid.formats.msccl.moves import Route, Tree
from steadygrid.formats.msccl.network import Hop
from steadygrid.kinds.collective.schemas import COMBINING, CollectiveInstance, Message
from steadygrid.kinds.collective.solver.completion_cuts import Wire, wires_of

Check = Callable[[], None]
Routes = Sequence[Route]
"""From a root on: each begins there, or where an earlier one ends."""


class Loaded(NamedTuple):
    """A tree, and the message whose chunks it carries."""

    message: Message
    tree: Tree


@dataclass(frozen=True)
class Packing:
    """Trees of all messages, whose chunks are equal."""

    trees: tuple[Loaded, ...]
    chunk: Fraction

    @property
    def hops(self) -> int:
        """Hops of all chunks."""
        return sum(tree.chunks * (len(tree.spread) + len(tree.combined)) for _, tree in self.trees)

    def cut(self, number: int) -> "Packing":
        """Cut each chunk into so many, which travel alike."""
        trees = (
            loaded._replace(tree=loaded.tree._replace(chunks=number * loaded.tree.chunks))
            for loaded in self.trees
        )
        return Packing(tuple(trees), self.chunk / number)


@dataclass(frozen=True)
class Operation:
    """What moves, by indices of processors, and over which wires.

    Attributes
    ----------
    roots
        The messages, without those of size 0, by where each begins or is combined. None of an allreduce.
    gathers, spreads
        Whether messages are combined, and whether they are copied.
    """

    number: int
    members: tuple[int, ...]
    wires: tuple[Wire, ...]
    roots: Mapping[int, Message]
    whole: Message
    gathers: bool
    spreads: bool

    @classmethod
    def from_instance(cls, instance: CollectiveInstance) -> "Operation":
        """Read an instance that asks for a completion.

        Parameters
        ----------
        instance
            Without faults.
        """
        index = instance.platform.index_by_id
        gathers = instance.operation in (*COMBINING, "allreduce")
        spreads = instance.operation not in COMBINING
        moved = [message for message in instance.messages if message.size]
        names = dict.fromkeys(
            name for message in moved for name in (*message.sources, *message.receivers)
        )
        roots = {}
        if not (gathers and spreads):
            roots = {index[one.receiver if gathers else one.origin]: one for one in moved}
        return cls(
            len(instance.platform.processors),
            tuple(index[name] for name in names),
            wires_of(instance.platform),
            roots,
            moved[0],
            gathers,
            spreads,
        )

    def loaded(self, message: Message, root: int, chunks: int, out: Routes, back: Routes) -> Loaded:
        """Let chunks take routes from a root, and routes to it that are listed from there on."""
        combined = tuple(route[::-1] for route in reversed(back)) if self.gathers else ()
        return Loaded(message, Tree(root, chunks, tuple(out) if self.spreads else (), combined))

    def packing(
        self, routes: Callable[[int, bool], Routes], roots: Collection[int] = ()
    ) -> Packing:
        """Give each message the routes of its root, in as few chunks as sizes allow.

        Parameters
        ----------
        routes
            By root, and whether they are routes back to it.
        roots
            Of an allreduce, where its parts are combined.
        """
        share, chunk = self.shares(roots)
        listed = []
        for root, chunks in share.items():
            out = routes(root, False) if self.spreads else ()
            back = routes(root, True) if self.gathers else ()
            listed.append(self.loaded(self.roots.get(root, self.whole), root, chunks, out, back))
        return Packing(tuple(listed), chunk)

    def shares(self, roots: Collection[int] = ()) -> tuple[dict[int, int], Fraction]:
        """Count the chunks of each root where they are as large as can be, and give their size."""
        if not self.roots:
            at = roots or self.members
            return dict.fromkeys(at, 1), self.whole.size / len(at)
        chunk = _common_divisor([message.size for message in self.roots.values()])
        return {root: int(one.size / chunk) for root, one in self.roots.items()}, chunk

    @property
    def directions(self) -> list[bool]:
        """Whether routes are sought from roots, back to them, or both."""
        return [back for back, asked in ((False, self.spreads), (True, self.gathers)) if asked]

    def hops(self, k: int) -> int:
        """Count the hops of trees of so many chunks for the smallest message."""
        share, _ = self.shares()
        return k * sum(share.values()) * (len(self.members) - 1) * len(self.directions)

    def bandwidths(self, unit: Fraction, *, back: bool) -> dict[tuple[int, int], Fraction]:
        """Give the bandwidths of wires in units of so much data, in reverse for routes back."""
        return {(w.source, w.target): w.bandwidth / unit for w in self.wires_from_root(back=back)}

    def wires_from_root(self, *, back: bool) -> tuple[Wire, ...]:
        """Give the wires, in reverse where routes back are sought."""
        return tuple(wire.reversed for wire in self.wires) if back else self.wires


def _common_divisor(sizes: Sequence[Fraction]) -> Fraction:
    """Give the largest size of which all are multiples."""
    grain = lcm(*(size.denominator for size in sizes))
    return Fraction(gcd(*(int(size * grain) for size in sizes)), grain)


def first_packing(operation: Operation) -> Packing:
    """Give the trees of least latency from each root, or to it.

    Parameters
    ----------
    operation
        Whose members all have routes.
    """
    leaving = {back: leaving_wires(operation.wires_from_root(back=back)) for back in (False, True)}
    through = frozenset(range(operation.number))
    load = {back: Counter[Hop]() for back in (False, True)}

    def routes(root: int, back: bool) -> Routes:
        return least_latency_tree(leaving[back], root, operation.members, through, load[back])

    return operation.packing(routes)


def idle_trees(instance: CollectiveInstance) -> list[Loaded]:
    """Give the messages of size 0 trees, too, which carry no chunks.

    Parameters
    ----------
    instance
        Of which some message has a size.
    """
    operation = Operation.from_instance(instance)
    leaving = leaving_wires(operation.wires_from_root(back=operation.gathers))
    through, index = range(operation.number), instance.platform.index_by_id
    listed = []
    for message in instance.messages:
        if not message.size:
            root = index[message.receiver if operation.gathers else message.origin]
            routes = least_latency_tree(leaving, root, operation.members, through)
            listed.append(operation.loaded(message, root, 0, routes, routes))
    return listed


def leaving_wires(wires: Sequence[Wire]) -> dict[int, list[Wire]]:
    """List the wires that leave each vertex."""
    leaving: dict[int, list[Wire]] = {}
    for wire in wires:
        leaving.setdefault(wire.source, []).append(wire)
    return leaving


def least_paths(
    leaving: Mapping[int, Sequence[Wire]],
    root: int,
    through: Collection[int],
    load: Mapping[Hop, int] = MappingProxyType({}),
) -> dict[int, Route]:
    """Find a route to each other vertex: of least latency, of fewest hops, the widest, the least busy.

    Parameters
    ----------
    leaving
        Wires by the vertex that they leave.
    root
        Where routes begin.
    through
        Who may pass data on.
    load
        How often each hop is taken already.
    """
    found: dict[int, Route] = {}
    start = (Fraction(0), 0, Fraction(0), 0, (root,))
    heap: list[tuple[Fraction, int, Fraction, int, Route]] = [start]
    while heap:
        latency, hops, narrow, busy, path = heappop(heap)
        here = path[-1]
        if here in found:
            continue
        found[here] = path
        if here != root and here not in through:
            continue
        for wire in leaving.get(here, ()):
            if wire.target not in found:
                width = max(narrow, 1 / wire.bandwidth)
                most = max(busy, load.get((here, wire.target), 0))
                longer = (*path, wire.target)
                heappush(heap, (latency + wire.latency, hops + 1, width, most, longer))
    return found


def least_latency_tree(
    leaving: Mapping[int, Sequence[Wire]],
    root: int,
    members: Collection[int],
    through: Collection[int],
    load: Counter[Hop] | None = None,
) -> Routes:
    """Give the tree of least routes to all members, cut where it passes one, and add it to the load.

    Parameters
    ----------
    leaving
        Wires by the vertex that they leave.
    root
        Where the tree begins.
    members
        Where it ends, and may branch.
    through
        Who may pass data on.
    load
        How often each hop is taken already. None if that does not matter.
    """
    paths = least_paths(leaving, root, through, {} if load is None else load)
    routes: dict[int, Route] = {}
    ends = set(members)
    for member in members:
        path = paths[member]
        stops = [place for place, here in enumerate(path) if here in ends]
        for start, end in pairwise(stops):
            routes.setdefault(path[end], path[start : end + 1])
    if load is not None:
        load.update(hop for route in routes.values() for hop in pairwise(route))
    return list(routes.values())


def pack_chunks(operation: Operation, k: int, variant: Variant, check: Check) -> Packing | None:
    """Pack trees of few chunks into the links, in the least time for so many. None if they do not fit.

    Parameters
    ----------
    operation
        Whose members all have routes.
    k
        Chunks of the smallest message, or of each part of an allreduce.
    variant
        In which order trees grow.
    check
        Called often; may raise.
    """
    share, unit = operation.shares()
    directions = operation.directions
    grown = [
        _grown(operation, operation.bandwidths(unit, back=back), k, share, variant, check)
        for back in directions
    ]
    return _joined(operation, directions, grown, unit / k) if all(grown) else None


def pack_by_time(
    operation: Operation, k: int, longest: Fraction | None, check: Check
) -> Packing | None:
    """Pack trees of few chunks into few routes, so that chunks which follow each other arrive early.

    Parameters
    ----------
    operation
        Whose members all have routes.
    k
        Chunks of the smallest message, or of each part of an allreduce.
    longest
        Time within which all chunks have to fit into these routes. None: any.
    check
        Called often; may raise.

    Returns
    -------
    Packing or None
        None where they do not fit.
    """
    share, unit = operation.shares()
    directions = operation.directions
    grown = []
    for back in directions:
        direct = few_routes(
            operation.number, operation.bandwidths(unit, back=back), operation.members
        )
        trees = _grown_by_time(operation, direct, k, share, longest, check)
        if trees is None:
            return None
        grown.append(trees)
    return _joined(operation, directions, grown, unit / k)


def _grown_by_time(
    operation: Operation,
    direct: Direct,
    k: int,
    share: Mapping[int, int],
    longest: Fraction | None,
    check: Check,
) -> dict[int, list[tuple[int, Routes]]] | None:
    """Give the trees of each root, one chunk each. None where they do not fit."""
    members = operation.members
    place = {member: number for number, member in enumerate(members)}
    faster = {
        (place[tail], place[head]): k * width for (tail, head), width in direct.bandwidths.items()
    }
    chunks = {place[root]: k * count for root, count in share.items()}
    try:
        time = least_chunk_time(len(members), faster, chunks, place.values(), check).time
    except ValueError:
        return None  # without forwarders, not all members are reached
    if longest is not None and time > longest:
        return None
    found = grow_by_time(len(members), faster, whole_chunks(faster, time), chunks, check)
    if found is None:
        return None
    trees: dict[int, list[tuple[int, Routes]]] = {}
    for tree in found:
        routes = [direct.routes[members[tail], members[head]] for tail, head in tree.routes]
        trees.setdefault(members[tree.root], []).append((1, routes))
    return trees


def least_time(operation: Operation, k: int, check: Check) -> Fraction:
    """Give the time below which so many chunks of each message fit into no links.

    Parameters
    ----------
    operation
        Whose members all have routes.
    k
        Chunks of the smallest message, or of each part of an allreduce.
    check
        Called often; may raise.

    Returns
    -------
    Fraction
        Of one operation; of an allreduce the longer of its halves.
    """
    share, unit = operation.shares()
    chunks = {root: k * count for root, count in share.items()}
    return max(
        least_chunk_time(
            operation.number,
            _times(operation.bandwidths(unit, back=back), k),
            chunks,
            operation.members,
            check,
        ).time
        for back in operation.directions
    )


def _times(
    bandwidths: Mapping[tuple[int, int], Fraction], k: int
) -> dict[tuple[int, int], Fraction]:
    return {ends: k * bandwidth for ends, bandwidth in bandwidths.items()}


def _grown(
    operation: Operation,
    bandwidths: Mapping[tuple[int, int], Fraction],
    k: int,
    share: Mapping[int, int],
    variant: Variant,
    check: Check,
) -> dict[int, list[tuple[int, Routes]]]:
    """Give the trees of each root with the number of their chunks. None where they do not fit."""
    chunks = {root: k * count for root, count in share.items()}
    faster = _times(bandwidths, k)
    time = least_chunk_time(operation.number, faster, chunks, operation.members, check).time
    room = whole_chunks(faster, time)
    others = frozenset(range(operation.number)) - set(operation.members)
    found = grow_by_levels(
        operation.number, balanced(room, others), chunks, operation.members, variant, check
    )
    trees: dict[int, list[tuple[int, Routes]]] = {}
    for tree in found or ():
        trees.setdefault(tree.root, []).append((tree.weight, tree.routes))
    return trees


def _joined(
    operation: Operation,
    directions: Sequence[bool],
    grown: Sequence[Mapping[int, list[tuple[int, Routes]]]],
    chunk: Fraction,
) -> Packing:
    listed = []
    for root in grown[0]:
        message = operation.roots.get(root, operation.whole)
        if len(directions) == 2:
            # A chunk is combined along one tree, and spread along another.
            for back, out in zip(
                _unit_trees(grown[1][root]), _unit_trees(grown[0][root]), strict=True
            ):
                listed.append(operation.loaded(message, root, 1, out, back))
        else:
            listed += [
                operation.loaded(message, root, weight, routes, routes)
                for weight, routes in grown[0][root]
            ]
    return Packing(tuple(listed), chunk)


def _unit_trees(trees: Sequence[tuple[int, Routes]]) -> list[Routes]:
    return [routes for weight, routes in trees for _ in range(weight)]
