"""The best trees of messages that are copied: cuts from above, trees packed into their solution from below.

The program of cuts says how much data every link carries, as nearly as floats can. Trees are packed into
these amounts in whole numbers. An exact program says how often each is used. Where that is less than
the bound that the prices of the cuts prove, the cheapest trees at its own prices join it.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from steadygrid.domain.amounts import Amounts
from steadygrid.domain.errors import OutOfTime
from steadygrid.engine.arborescences.cuts import least_cut, violated
from steadygrid.engine.arborescences.packing import Arborescence, balanced, pack
from steadygrid.engine.exact import solve_certified
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.collective.solver.copies import Copies, Tree, message_of
from steadygrid.kinds.collective.solver.model_of_cuts import CutProgram, Number
from steadygrid.kinds.collective.solver.model_of_trees import build_trees, times
from steadygrid.kinds.collective.solver.proof import Proof
from steadygrid.kinds.collective.solver.tree_pricing import SPANNING, Pricing

CLOSE = Fraction(1, 10**8)
"""Part of the data by which a cut may be too narrow before it is worth a row."""
SLACK = Fraction(1, 10**6)
"""Part by which demands are less than what the program of cuts says, so that trees fit."""
GRAINS = 2**30
"""Whole numbers into which the least demand is cut where cuts are sought,"""
PACKED_GRAINS = 10**7
"""and where trees are packed, which then have few different weights."""
MOST_SHALLOW = 40
"""Who copy, where shallow trees are tried as well: with more it takes long, and gives more trees."""


@dataclass(frozen=True)
class Packing:
    """Trees with their rates, in operations per time unit, which sum up alike for every message."""

    rates: Sequence[tuple[Tree, Fraction]]
    throughput: Fraction


@dataclass(frozen=True)
class Flow:
    """Data per time unit on arcs that nearly satisfies every cut, and operations per time unit."""

    amounts: Mapping[int, Number]
    rate: Number


def by_cutting_planes(copies: Copies, control: Control) -> tuple[Packing, Proof]:
    """Find the best trees where all that copy take part in every message.

    Parameters
    ----------
    copies
        What trees may use, and what they have to reach.
    control
        Deadline, cancellation and progress of the solve.
    """
    flow, proof = bounded_by_cuts(copies, control)
    trees = [copies.fastest(series) for series in copies.series]
    trees += packed(copies, flow, control)
    return improved(copies, trees, proof, control)


def by_least_cut(copies: Copies, control: Control) -> tuple[Packing, Proof]:
    """Find the best trees where all that copy take part, and only links limit.

    Parameters
    ----------
    copies
        What trees may use, and what they have to reach.
    control
        Deadline, cancellation and progress of the solve.
    """
    wide = {copies.ends(arc): 1 / arc.unit_time for arc in copies.arcs}
    proof = proof_by_least_cut(copies)
    ratio = proof.bound
    control.check()
    numbers = [*wide.values(), *(ratio * size for size in copies.demands.values())]
    unit = lcm(*(number.denominator for number in numbers))
    capacities = {ends: int(width * unit) for ends, width in wide.items()}
    demands = {root: int(ratio * size * unit) for root, size in copies.demands.items()}
    found = _fewest(copies, capacities, demands, control)
    of_root = {series.root: message_of(series) for series in copies.series}
    rates = [
        (
            Tree(of_root[one.root], one.root, one.routes),
            Fraction(one.weight, unit) / of_root[one.root].size,
        )
        for one in found
    ]
    return Packing(rates, ratio), proof


def proof_by_least_cut(copies: Copies) -> Proof:
    """Bound what any trees can do where only links limit, by the worst cut.

    Parameters
    ----------
    copies
        What trees may use, and what they have to reach.
    """
    wide = {copies.ends(arc): 1 / arc.unit_time for arc in copies.arcs}
    _, cut = least_cut(copies.number, wide, copies.demands, copies.receivers)
    data = copies.data_leaving(cut)
    prices = {
        copies.uses(arc)[0].resource: 1 / (arc.unit_time * data)
        for arc in copies.arcs
        if copies.ends(arc)[0] in cut and copies.ends(arc)[1] not in cut
    }
    return Proof(prices, cuts=copies.with_dead_ends([(cut, 1 / data)]))


def bounded_by_cuts(copies: Copies, control: Control) -> tuple[Flow, Proof]:
    """Solve the program of cuts: as floats until no cut is too narrow, and then exactly.

    Parameters
    ----------
    copies
        What trees may use, and what they have to reach.
    control
        Deadline, cancellation and progress of the solve.
    """
    program = CutProgram(copies, _unit(copies), control)
    try:
        complete = frozenset(range(copies.number))
        program.add([complete - {end} for end in copies.receivers])
        program.add([frozenset({root}) for root in copies.demands])
        while True:
            rate, amounts = program.solve()
            control.progress(value=None, bound=rate)
            if not program.add(_narrow(copies, amounts, rate)):
                break
    finally:
        program.close()
    model = program.model
    solved = solve_certified(model, control)
    if solved.status != "optimal" or solved.objective is None or not solved.objective:
        raise AssertionError(f"messages can arrive, yet the program is {solved.status}")
    proof = Proof(
        program.prices(solved.prices_of(model.capacity)),
        copies.potentials_with_dead_ends(program.potentials(solved.prices_of(model.kept))),
        copies.with_dead_ends(program.weights(solved.prices_of(model.crossed)).items()),
    )
    return Flow(amounts, rate), proof


def improved(
    copies: Copies,
    trees: Iterable[Tree],
    proof: Proof,
    control: Control,
    pricing: Pricing = SPANNING,
) -> tuple[Packing, Proof]:
    """Add trees until they reach a bound, or none is cheaper; or until the time is over.

    Parameters
    ----------
    copies
        What trees may use, and what they have to reach.
    trees
        One of each message at least, to begin with.
    proof
        Prices, and perhaps cuts, that prove a bound.
    control
        Deadline, cancellation and progress of the solve.
    pricing
        Looks for cheap trees.
    """
    known = list(dict.fromkeys(trees))
    best: Packing | None = None
    while True:
        try:
            best, prices = rated(copies, known, control)
            control.progress(value=copies.network.answered(best.throughput), bound=proof.bound)
            cheaper: list[Tree] = []
            # Prices that are rounded are added faster, and tell nearly always enough.
            for rounded in (True, False):
                if best.throughput == proof.bound or cheaper:
                    break
                found, cost = pricing.trees(copies, prices, control.check, rounded=rounded)
                if pricing.proves and cost and sum(prices.values()) / cost < proof.bound:
                    proof = Proof({name: price / cost for name, price in prices.items()})
                cheaper = _cheaper(copies, found, best, prices)
        except OutOfTime:
            return best or one_tree_each(copies), proof
        if best.throughput == proof.bound or not cheaper:
            return best, proof
        known += cheaper


def _cheaper(
    copies: Copies, found: Iterable[Tree], best: Packing, prices: Mapping[str, Fraction]
) -> list[Tree]:
    """Give the trees that cost less than those of the same message that are used."""

    def cost(tree: Tree) -> Fraction:
        return sum(
            (prices.get(r, Fraction(0)) * time for r, time in times(copies, tree).items()),
            Fraction(0),
        )

    used = {tree.root: tree for tree, _ in best.rates}
    least = {root: cost(tree) for root, tree in used.items()}
    return [tree for tree in found if cost(tree) < least[tree.root]]


def rated(
    copies: Copies, trees: Iterable[Tree], control: Control
) -> tuple[Packing, dict[str, Fraction]]:
    """Find the best rates of some trees, exactly, and prices of resources that say why.

    Parameters
    ----------
    copies
        What trees may use, and what they have to reach.
    trees
        One of each message at least.
    control
        Deadline, cancellation and progress of the solve.
    """
    known = list(dict.fromkeys(trees))
    model = build_trees(copies, known)
    solved = solve_certified(model, control)
    if solved.status != "optimal" or solved.objective is None or not solved.objective:
        raise AssertionError(f"every message has a tree, yet this is {solved.status}")
    rates = [(known[k], rate) for k, rate in solved.values_of(model.rate).items() if rate]
    return Packing(rates, solved.objective), solved.prices_of(model.capacity)


def packed(copies: Copies, flow: Flow, control: Control) -> list[Tree]:
    """Pack trees into the amounts of a flow, for a little less than its rate. None if that fails.

    Parameters
    ----------
    copies
        What trees may use, and what they have to reach.
    flow
        Data on arcs that nearly satisfies every cut.
    control
        Deadline, cancellation and progress of the solve.
    """
    demands, unit = _whole(copies, Fraction(flow.rate) * (1 - SLACK), PACKED_GRAINS)
    capacities = scaled(copies, flow.amounts, unit)
    forwarders = frozenset(range(copies.number)) - copies.members
    try:
        found = _fewest(copies, balanced(capacities, forwarders), demands, control)
    except ValueError:
        return []  # Rounded, it was too little somewhere: trees come by their prices instead.
    of_root = {series.root: message_of(series) for series in copies.series}
    return [Tree(of_root[one.root], one.root, one.routes) for one in found]


def one_tree_each(copies: Copies, trees: Sequence[Tree] = ()) -> Packing:
    """Give each message its tree, by default its fastest, at the rate at which all have room.

    Parameters
    ----------
    copies
        What trees may use, and what they have to reach.
    trees
        One of each message. None for the fastest ones.
    """
    trees = trees or [copies.fastest(series) for series in copies.series]
    rate = 1 / max(_busy(copies, trees).values())
    return Packing([(tree, rate) for tree in trees], rate)


def _fewest(
    copies: Copies,
    capacities: Mapping[tuple[int, int], int],
    demands: Mapping[int, int],
    control: Control,
) -> list[Arborescence]:
    """Pack trees; shallow ones where these are no more, which switches often allow.

    Raises
    ------
    ValueError
        If there is no packing.
    """
    given = copies.number, capacities, demands, copies.members, control.check
    trees = pack(*given)
    if len(copies.members) == copies.number or len(copies.members) > MOST_SHALLOW:
        return trees
    return min(trees, pack(*given, shallow=True), key=lambda some: (len(some), _depth(some)))


def _depth(trees: Iterable[Arborescence]) -> int:
    """Give the largest number of hops from a root to a processor."""
    depth = 0
    for tree in trees:
        reached = {tree.root: 0}
        for route in tree.routes:
            reached[route[-1]] = reached[route[0]] + len(route) - 1
        depth = max(depth, *reached.values())
    return depth


def _narrow(copies: Copies, amounts: Mapping[int, Number], rate: Number) -> list[frozenset[int]]:
    """Find the cuts through which these amounts let too little."""
    demands, unit = _whole(copies, Fraction(rate) * (1 - CLOSE), GRAINS)
    capacities = scaled(copies, amounts, unit)
    return violated(copies.number, capacities, demands, copies.receivers)


def scaled(
    copies: Copies, amounts: Mapping[int, Number], unit: Fraction
) -> dict[tuple[int, int], int]:
    """Give amounts on arcs in whole numbers, by the ends of the arcs.

    Parameters
    ----------
    copies
        What trees may use, and what they have to reach.
    amounts
        By index of the arc.
    unit
        By which amounts are multiplied before they are rounded down.
    """
    arcs = copies.platform.arcs
    return {
        copies.ends(arcs[index]): int(Fraction(amount) * unit) for index, amount in amounts.items()
    }


def _whole(copies: Copies, rate: Fraction, grains: int) -> tuple[dict[int, int], Fraction]:
    """Give the demands for a rate of operations in whole numbers, and how many make a unit of data."""
    unit = grains / (min(copies.demands.values()) * rate)
    return {root: int(size * rate * unit) for root, size in copies.demands.items()}, unit


def _unit(copies: Copies) -> Fraction:
    """Give a power of two near what the fastest trees alone can do, in operations per time unit."""
    most = max(_busy(copies, map(copies.fastest, copies.series)).values())
    return Fraction(2) ** (most.denominator.bit_length() - most.numerator.bit_length())


def _busy(copies: Copies, trees: Iterable[Tree]) -> Amounts[str]:
    """Give the time that an operation takes of each resource."""
    data: Amounts[int] = Amounts()
    for tree in trees:
        for index, number in copies.hops(tree.routes).items():
            data[index] += number * tree.message.size
    busy: Amounts[str] = Amounts()
    arcs = copies.platform.arcs
    for index, amount in data.items():
        for resource, time in copies.uses(arcs[index]):
            busy[resource] += time * amount
    return busy
