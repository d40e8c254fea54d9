"""Trees that are tried for one operation, the most promising first."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from math import gcd, lcm

from steadygrid.domain.errors import InstanceError
from steadygrid.engine.arborescences.chunk_times import fewest_chunks
from steadygrid.engine.arborescences.level_growth import Variant
from steadygrid.formats.msccl.moves import Route
from steadygrid.kinds.collective.execution import MOST_PIECES
from steadygrid.kinds.collective.exported_trees import tree_of
from steadygrid.kinds.collective.schemas import CollectiveInstance, MessageAllocation
from steadygrid.kinds.collective.solver.answer import messages_told
from steadygrid.kinds.collective.solver.completion_trees import (
    Check,
    Loaded,
    Operation,
    Packing,
    Routes,
    first_packing,
    least_latency_tree,
    least_paths,
    leaving_wires,
    pack_chunks,
)

MOST_HOPS = 4_000
"""Of a program that is tried, but where its trees grow as it runs."""
LOSS = Fraction(1, 100)
"""Of the throughput, by which packings of the fewest chunks are chosen."""
FEW = (1, 2, 3)
"""Chunks of each message that are tried in any case."""
MANY = 16
"""Chunks of each message that are tried at most."""


def packings(operation: Operation, *, doubling: bool, check: Check) -> Iterator[Packing]:
    """List trees to be tried, the most promising first.

    Parameters
    ----------
    operation
        Whose members all have routes.
    doubling
        Whether few channels, or few steps, may be worth more than short routes.
    check
        Called often; may raise.
    """
    yield first_packing(operation)
    ring = ring_packing(operation, check)
    if ring is not None:
        yield ring
    if not operation.roots:
        yield from _around_one_root(operation, check)
    if doubling:
        yield from _doubling(operation, check)
    yield from _packed(operation, check)


def _around_one_root(operation: Operation, check: Check) -> Iterator[Packing]:
    """Combine everything at one member, that from which the farthest is nearest."""
    through = frozenset(range(operation.number))
    leaving = {back: leaving_wires(operation.wires_from_root(back=back)) for back in (False, True)}
    latency = {(wire.source, wire.target): wire.latency for wire in operation.wires}

    def farthest(root: int) -> Fraction:
        check()
        paths = least_paths(leaving[False], root, through)
        return max(
            sum((latency[hop] for hop in pairwise(path)), Fraction(0))
            for member, path in paths.items()
            if member in operation.members
        )

    center = min(operation.members, key=farthest)

    def routes(root: int, back: bool) -> Routes:
        return least_latency_tree(leaving[back], root, operation.members, through)

    yield operation.packing(routes, (center,))


def _doubling(operation: Operation, check: Check) -> Iterator[Packing]:
    """Let those that have a chunk double with each step: recursive doubling, and Bruck's algorithm.

    The partner is the member whose number differs in one bit, or that with a number so much higher.
    Only for a power of two of members, any two of which have a route past all others.
    """
    members = operation.members
    count = len(members)
    if count & (count - 1) or count < 4:
        return
    between = frozenset(range(operation.number)) - set(members)
    paths = {}
    for back in (False, True):
        leaving = leaving_wires(operation.wires_from_root(back=back))
        for member in members:
            check()
            paths[member, back] = least_paths(leaving, member, between)
            if not paths[member, back].keys() >= set(members):
                return
    place = {member: number for number, member in enumerate(members)}
    for bits in (True, False):

        def routes(root: int, back: bool, bits: bool = bits) -> Routes:
            reached, found = [root], []
            step = 1
            while step < count:
                for here in reached[:]:
                    number = place[here] ^ step if bits else (place[here] + step) % count
                    reached.append(members[number])
                    found.append(paths[here, back][members[number]])
                step *= 2
            return found

        yield operation.packing(routes)


def ring_packing(operation: Operation, check: Check) -> Packing | None:
    """Pass all chunks on from member to member, in the order in which they are listed, round a ring.

    Each member sends to one other only, so it takes two blocks.

    Parameters
    ----------
    operation
        Whose members all have routes.
    check
        Called often; may raise.

    Returns
    -------
    Packing or None
        None where a member has no route to the next one past all others.
    """
    members = operation.members
    count = len(members)
    between = frozenset(range(operation.number)) - set(members)
    onward: dict[tuple[int, bool], Route] = {}
    for back in operation.directions:
        leaving = leaving_wires(operation.wires_from_root(back=back))
        for number, member in enumerate(members):
            check()
            other = members[(number + (-1 if back else 1)) % count]
            route = least_paths(leaving, member, between).get(other)
            if route is None:
                return None
            onward[member, back] = route
    place = {member: number for number, member in enumerate(members)}

    def routes(root: int, back: bool) -> Routes:
        step = -1 if back else 1
        return [
            onward[members[(place[root] + step * number) % count], back]
            for number in range(count - 1)
        ]

    return operation.packing(routes)


def _packed(operation: Operation, check: Check) -> Iterator[Packing]:
    """Pack trees of few chunks into the links, as shallow as they come."""
    share, unit = operation.shares()
    some = operation.bandwidths(unit, back=not operation.spreads)
    tried = set[int]()
    for wanted in (*FEW, None):
        k = wanted or fewest_chunks(
            operation.number, some, share, operation.members, LOSS, MANY, check
        )
        if k in tried or operation.hops(k) > MOST_PIECES:
            continue
        tried.add(k)
        for variant in (Variant(), Variant(nearest_first=True)):
            packing = pack_chunks(operation, k, variant, check)
            if packing is not None:
                yield packing


def own_packing(
    instance: CollectiveInstance, allocations: Sequence[MessageAllocation]
) -> Packing | None:
    """Give the trees of an answer as chunks of one size.

    Parameters
    ----------
    instance
        Without faults.
    allocations
        Of its answer.

    Returns
    -------
    Packing or None
        None where others than ranks copy, or the chunks take more than `MOST_HOPS` hops.
    """
    messages = {message.name: message for message in instance.messages}
    index = instance.platform.index_by_id
    moved = [one for one in allocations if messages[one.message].size]
    total = lcm(*(one.rate.denominator for one in moved))
    data = [int(one.rate * total) * messages[one.message].size for one in moved]
    grain = lcm(*(amount.denominator for amount in data))
    unit = Fraction(gcd(*(int(amount * grain) for amount in data)), grain)
    if sum(amount / unit for amount in data) * len(instance.taking_part) > MOST_HOPS:
        return None
    told = {message.message: message for message in messages_told(instance)}
    ranks = {name: number for number, name in enumerate(instance.taking_part)}
    listed = []
    rates = dict.fromkeys(messages, Fraction(0))
    for one, amount in zip(moved, data, strict=True):
        rates[one.message] += one.rate
        try:
            tree = tree_of(
                one, told[one.message], instance.operation, int(amount / unit), index, ranks
            )
        except InstanceError:
            return None
        listed.append(Loaded(messages[one.message], tree))
    # A chunk is so much of the message that the chunks of all its trees make it up.
    chunk = unit / (total * max(rates.values()))
    return Packing(tuple(listed), chunk)
