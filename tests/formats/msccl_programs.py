"""Random platforms, and trees of any operation on them."""

import random
from fractions import Fraction
from typing import NamedTuple

from steadygrid.formats.msccl.buffers import Buffers
from steadygrid.formats.msccl.dialects import DIFFERENT, ONE_ROOT, DialectName, Operation
from steadygrid.formats.msccl.fitting import Collective
from steadygrid.formats.msccl.moves import Route, Tree
from steadygrid.formats.msccl.network import Network

OPERATIONS: tuple[Operation, ...] = Buffers.__annotations__["operation"].__args__


class Case(NamedTuple):
    """Ranks, some of whose pairs are joined by a route, and trees."""

    ranks: list[int]
    """The processor of each rank."""
    routes: dict[tuple[int, int], Route]
    network: Network
    operation: Operation
    trees: list[Tree]

    @property
    def collective(self) -> Collective:
        rank_of = {processor: rank for rank, processor in enumerate(self.ranks)}
        dialect: DialectName = "executor" if self.operation in ("scatter", "gather") else "msccl"
        return Collective(self.operation, rank_of, dialect=dialect)


def drawn_network(draw: random.Random, ranks: list[int], switches: list[int]) -> Network:
    """Join all ranks and switches both ways; half of the links share a bus."""
    everyone = ranks + switches
    pairs = {(everyone[draw.randrange(i)], everyone[i]) for i in range(1, len(everyone))}
    for _ in range(draw.randint(0, 3)):
        one, other = draw.sample(everyone, 2)
        pairs.add((one, other))
    bandwidths = [Fraction(draw.randint(1, 9), 2)]
    uses: dict[tuple[int, int], tuple[int, ...]] = {}
    latencies: dict[tuple[int, int], Fraction] = {}
    delayed = draw.random() < 0.5
    for ends in pairs:
        shared = (0,) * draw.choice([0, 0, 1, 2])
        for hop in (ends, ends[::-1]):
            if hop not in uses:
                uses[hop] = (len(bandwidths), *shared)
                bandwidths.append(Fraction(draw.randint(1, 9), draw.choice([1, 3])))
                if delayed:
                    latencies[hop] = Fraction(draw.randint(0, 5), 40)
    return Network(bandwidths, uses, latencies)


def routes_between(ranks: list[int], network: Network) -> dict[tuple[int, int], Route]:
    """Find the shortest route from each rank to each other that passes no rank, where there is one."""
    routes: dict[tuple[int, int], Route] = {}
    for rank in ranks:
        queue: list[Route] = [(rank,)]
        seen = {rank}
        for route in queue:
            for source, target in network.uses:
                if source == route[-1] and target not in seen:
                    seen.add(target)
                    if target in ranks:
                        routes[rank, target] = (*route, target)
                    else:
                        queue.append((*route, target))
    return routes


def drawn_spread(
    draw: random.Random, root: int, ranks: list[int], routes: dict[tuple[int, int], Route]
) -> tuple[Route, ...]:
    """Draw a tree from a rank to all others."""
    inside, found = [root], []
    while len(inside) < len(ranks):
        ends = draw.choice([e for e in routes if e[0] in inside and e[1] not in inside])
        inside.append(ends[1])
        found.append(routes[ends])
    draw.shuffle(found)
    return tuple(found)


def chain(spread: tuple[Route, ...], root: int, target: int) -> tuple[Route, ...]:
    """Give the part of a tree that leads to one rank."""
    into = {route[-1]: route for route in spread}
    found: list[Route] = []
    while target != root:
        found.append(into[target])
        target = into[target][0]
    return tuple(found[::-1])


def parts(draw: random.Random, chunks: int) -> list[int]:
    """Cut chunks into one to three parts."""
    cuts = sorted(draw.sample(range(1, chunks), min(draw.randint(0, 2), chunks - 1)))
    return [last - first for first, last in zip([0, *cuts], [*cuts, chunks], strict=True)]


def drawn_case(draw: random.Random, operation: Operation, most: int = 6) -> Case:
    """Draw a platform, and trees for one operation with the same number of chunks of each message."""
    count, others = draw.randint(2, most), draw.randint(0, 2)
    everyone = draw.sample(range(20), count + others)
    ranks, switches = everyone[:count], everyone[count:]
    network = drawn_network(draw, ranks, switches)
    routes = routes_between(ranks, network)
    chunks = draw.choice([1, 1, 2, 3, 5])
    trees: list[Tree] = []

    def spread(root: int) -> tuple[Route, ...]:
        return drawn_spread(draw, root, ranks, routes)

    def combined(root: int) -> tuple[Route, ...]:
        back = {ends[::-1]: route[::-1] for ends, route in routes.items()}
        return tuple(route[::-1] for route in drawn_spread(draw, root, ranks, back))

    if operation in DIFFERENT:
        pairs = [(a, b) for a in ranks for b in ranks if a != b]
        if operation != "all_to_all":
            side = 0 if operation == "scatter" else 1
            pairs = [pair for pair in pairs if pair[side] == ranks[0]]
        trees += [
            Tree(a, part, chain(spread(a), a, b)) for a, b in pairs for part in parts(draw, chunks)
        ]
    elif operation == "allreduce":
        for part in parts(draw, chunks * count):
            root = draw.choice(ranks)
            trees.append(Tree(root, part, spread(root), combined(root)))
    else:
        for root in ranks[:1] if operation in ONE_ROOT else ranks:
            for part in parts(draw, chunks):
                if operation in ("reduce", "reduce_scatter"):
                    trees.append(Tree(root, part, (), combined(root)))
                else:
                    trees.append(Tree(root, part, spread(root)))
    draw.shuffle(trees)
    return Case(ranks, routes, network, operation, trees)
