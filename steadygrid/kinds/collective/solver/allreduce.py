"""The best pairs of trees of an allreduce: cuts from above, trees packed into both halves from below.

The program of roots says how many pieces are combined where, and how much data of each half every link
carries, as nearly as floats can. Trees are packed into both halves. An exact program says how often each
is used. Where that is less than the bound of the cuts, the cheapest trees of both halves join it.
"""

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction

from steadygrid.domain.errors import OutOfTime
from steadygrid.domain.rational import approximate
from steadygrid.engine.arborescences.cuts import violated
from steadygrid.engine.arborescences.packing import balanced, pack
from steadygrid.engine.exact import solve_certified
from steadygrid.engine.matching.shares import overfull_sets
from steadygrid.engine.scheduling.in_slots import Income
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.collective.schemas import CollectiveInstance
from steadygrid.kinds.collective.solver.allreduce_halves import (
    Halves,
    Pairing,
    best_root,
    joined,
    layers,
)
from steadygrid.kinds.collective.solver.answer import Cheaper, Delivery, Optimum, busy_arcs
from steadygrid.kinds.collective.solver.best_trees import (
    CLOSE,
    GRAINS,
    PACKED_GRAINS,
    SLACK,
    scaled,
)
from steadygrid.kinds.collective.solver.copies import Tree
from steadygrid.kinds.collective.solver.copying import pricing_of, why_below
from steadygrid.kinds.collective.solver.grouped_messages import Network
from steadygrid.kinds.collective.solver.model_of_pairs import build_pairs
from steadygrid.kinds.collective.solver.model_of_roots import (
    GATHERING,
    SPREADING,
    RootedFlow,
    RootProgram,
)
from steadygrid.kinds.collective.solver.proof import Proof
from steadygrid.kinds.collective.solver.tree_pricing import GRAINS as PRICE_GRAINS
from steadygrid.kinds.collective.solver.tree_pricing import SPANNING, Pricing

MOST_TRIED = 16
"""Participants whose fastest trees are looked at where the time is over."""

Trees = tuple[list[Tree], list[Tree]]
"""Of both halves."""


def by_pairs(
    instance: CollectiveInstance, network: Network, control: Control, *, table_fits: bool
) -> Optimum:
    """Find the best pairs of trees, again as long as they are too much for an odd set of processors.

    Where others than those who take part combine and copy, all trees are priced if a table of them fits.

    Parameters
    ----------
    instance
        Without faults.
    network
        The part of the platform that messages may use, with the messages by their common ends.
    control
        Deadline, cancellation and progress of the solve.
    table_fits
        Whether all trees are priced by a table, where others than those who take part copy.
    """
    while True:
        halves = Halves.from_instance(instance, network)
        pairing, proof = _best(instance, halves, control, table_fits=table_fits)
        routes = pairing.deliveries(halves)
        busy = busy_arcs(network, routes)
        found = overfull_sets(network.platform, network.ports, busy, control.check)
        if not found:
            notes = why_below("trees", pairing.throughput, proof.bound, control)
            return Optimum(routes, pairing.throughput, proof, notes)
        network = network.knowing(found)


def cheaper(instance: CollectiveInstance, network: Network, *, table_fits: bool) -> Cheaper:
    """Look for pairs of trees that cost less than an operation is worth.

    Parameters
    ----------
    instance
        Without faults.
    network
        The part of the platform that messages may use, with the messages by their common ends.
    table_fits
        Whether all trees are priced by a table, where others than those who take part copy.
    """
    halves = Halves.from_instance(instance, network)
    pricing = pricing_of(halves.spreading, table_fits=table_fits)

    def look(
        _: Mapping[str, Fraction], worth: Mapping[int, Fraction], income: Income
    ) -> list[Delivery]:
        costs = {
            arc.index: worth.get(arc.index, Fraction(0)) * arc.unit_time for arc in network.arcs
        }
        return [
            joined(halves, pair, Fraction(1))
            for pair, cost in _pairs_at(halves, pricing, costs, lambda: None)
            if cost < income(halves.message.name)
        ]

    return look


def fastest_deliveries(instance: CollectiveInstance, network: Network) -> list[Delivery]:
    """Combine and spread once per time unit, on fastest routes.

    Parameters
    ----------
    instance
        Without faults.
    network
        The part of the platform that messages may use, with the messages by their common ends.
    """
    halves = Halves.from_instance(instance, network)
    return [joined(halves, best_root(halves, MOST_TRIED, lambda: None), Fraction(1))]


def bound_alone(instance: CollectiveInstance, network: Network, control: Control) -> Proof:
    """Bound what any trees can do that combine each piece at one processor, by cuts.

    Parameters
    ----------
    instance
        Without faults.
    network
        The part of the platform that messages may use, with the messages by their common ends.
    control
        Deadline, cancellation and progress of the solve.
    """
    return bounded_by_cuts(Halves.from_instance(instance, network), control)[1]


def proof_at(
    instance: CollectiveInstance,
    network: Network,
    prices: Mapping[str, Fraction],
    check: Callable[[], None] = lambda: None,
) -> Proof:
    """Scale prices so that an operation costs at least 1, as trees or cuts prove; to 0 if it is free.

    Parameters
    ----------
    instance
        Without faults.
    network
        The part of the platform that messages may use, with the messages by their common ends.
    prices
        By resource. What is not named is free.
    check
        Called between the steps; may raise, which ends the work.
    """
    halves = Halves.from_instance(instance, network)
    if halves.spans:
        cost = min(cost for _, cost in cheapest_pairs(halves, SPANNING, prices, check))
        return Proof({name: price / cost for name, price in prices.items()} if cost else {})
    return max(
        (layers(halves, end, prices) for end in sorted(halves.ends)),
        key=lambda proof: (bool(proof.bound), -proof.bound),
    )


def _best(
    instance: CollectiveInstance, halves: Halves, control: Control, *, table_fits: bool
) -> tuple[Pairing, Proof]:
    if halves.spans:
        return _by_cutting_planes(halves, control)
    _, proof = bounded_by_cuts(halves, control)
    few = Halves.from_instance(instance, halves.network, few=True)
    try:
        pairing, _ = _by_cutting_planes(few, control.limited(control.remaining, silent=True))
    except OutOfTime:
        return pair_of_one_root(halves), proof
    trees = (
        [halves.gathering.regrown(tree) for tree, _ in pairing.gathered],
        [halves.spreading.regrown(tree) for tree, _ in pairing.spread],
    )
    pricing = pricing_of(halves.spreading, table_fits=table_fits)
    return improved(halves, trees, proof, control, pricing)


def _by_cutting_planes(halves: Halves, control: Control) -> tuple[Pairing, Proof]:
    """Find the best trees where all that combine and copy take part."""
    flow, proof = bounded_by_cuts(halves, control)
    try:
        pairs = [halves.fastest(root) for root in flow.roots]
        trees = packed(halves, flow, control)
    except OutOfTime:
        return pair_of_one_root(halves), proof
    for known, some in zip(trees, zip(*pairs, strict=True), strict=True):
        known += some
    return improved(halves, trees, proof, control)


def bounded_by_cuts(halves: Halves, control: Control) -> tuple[RootedFlow, Proof]:
    """Solve the program of roots: as floats until no cut is too narrow, and then exactly.

    Parameters
    ----------
    halves
        What trees that combine, and trees that spread, may use and have to reach.
    control
        Deadline, cancellation and progress of the solve.
    """
    program = RootProgram(halves, _unit(halves), control)
    complete = frozenset(range(halves.spreading.number))
    try:
        for half in (GATHERING, SPREADING):
            program.add(half, [complete - {end} for end in sorted(halves.ends)])
            program.add(half, [frozenset({root}) for root in sorted(halves.members)])
        while True:
            flow = program.solve()
            control.progress(value=None, bound=approximate(flow.rate))
            if not sum(program.add(half, _narrow(halves, half, flow)) for half in (0, 1)):
                break
    finally:
        program.close()
    return flow, program.proof(program.solved())


def improved(
    halves: Halves,
    trees: Trees,
    proof: Proof,
    control: Control,
    pricing: Pricing = SPANNING,
) -> tuple[Pairing, Proof]:
    """Add trees until they reach a bound, or none is cheaper; or until the time is over.

    Parameters
    ----------
    halves
        What trees that combine, and trees that spread, may use and have to reach.
    trees
        Of both halves, to begin with.
    proof
        Prices, and perhaps cuts, that prove a bound.
    control
        Deadline, cancellation and progress of the solve.
    pricing
        Looks for cheap trees.
    """
    best: Pairing | None = None
    known: Trees = ([*trees[GATHERING]], [*trees[SPREADING]])
    while True:
        try:
            best, prices = rated(halves, known, control)
            control.progress(value=halves.network.answered(best.throughput), bound=proof.bound)
            new = 0
            # Prices that are rounded are added faster, and tell nearly always enough.
            for rounded in (True, False):
                if best.throughput == proof.bound or new:
                    break
                found = cheapest_pairs(halves, pricing, prices, control.check, rounded=rounded)
                cost = min(cost for _, cost in found)
                if pricing.proves and cost and sum(prices.values()) / cost < proof.bound:
                    proof = Proof({name: price / cost for name, price in prices.items()})
                new = _add(known, (pair for pair, cost in found if cost < 1))
        except OutOfTime:
            return best or pair_of_one_root(halves), proof
        if best.throughput == proof.bound or not new:
            return best, proof


def _add(known: Trees, pairs: Iterable[tuple[Tree, Tree]]) -> int:
    """Add trees to those of both halves; give how many are new."""
    before = sum(map(len, known))
    for pair in pairs:
        for some, tree in zip(known, pair, strict=True):
            if tree not in some:
                some.append(tree)
    return sum(map(len, known)) - before


def rated(halves: Halves, trees: Trees, control: Control) -> tuple[Pairing, dict[str, Fraction]]:
    """Find the best rates of some trees, exactly, and prices of resources that say why.

    Parameters
    ----------
    halves
        What trees that combine, and trees that spread, may use and have to reach.
    trees
        Of both halves; at least one root has trees in both.
    control
        Deadline, cancellation and progress of the solve.
    """
    known = [list(dict.fromkeys(some)) for some in trees]
    model = build_pairs(halves, (known[GATHERING], known[SPREADING]))
    solved = solve_certified(model, control)
    if solved.status != "optimal" or solved.objective is None or not solved.objective:
        raise AssertionError(f"some root has trees, yet this is {solved.status}")
    used: tuple[list[tuple[Tree, Fraction]], ...] = ([], [])
    for (half, k), rate in solved.values_of(model.rate).items():
        if rate:
            used[half].append((known[half][k], rate))
    return Pairing(used[GATHERING], used[SPREADING], solved.objective), solved.prices_of(
        model.capacity
    )


def packed(halves: Halves, flow: RootedFlow, control: Control) -> Trees:
    """Pack trees into the amounts of both halves, for a little less. None of a half if that fails.

    Parameters
    ----------
    halves
        What trees that combine, and trees that spread, may use and have to reach.
    flow
        Data on arcs that nearly satisfies every cut.
    control
        Deadline, cancellation and progress of the solve.
    """
    unit = PACKED_GRAINS * len(flow.roots) / (halves.message.size * flow.rate)
    demands = _whole(halves, flow, unit * (1 - SLACK))
    found: Trees = ([], [])
    for copies, amounts, trees in zip(halves.both, flow.amounts, found, strict=True):
        forwarders = frozenset(range(copies.number)) - copies.members
        capacities = balanced(scaled(copies, amounts, unit), forwarders)
        try:
            listed = pack(copies.number, capacities, demands, copies.members, check=control.check)
        except ValueError:
            continue  # Rounded, it was too little somewhere: trees come by their prices instead.
        trees += [Tree(halves.message, one.root, one.routes) for one in listed]
    return found


def pair_of_one_root(halves: Halves) -> Pairing:
    """Use the fastest trees of one participant alone."""
    pair = best_root(halves, MOST_TRIED, lambda: None)
    rate = 1 / max(halves.busy(pair).values())
    return Pairing([(pair[0], rate)], [(pair[1], rate)], rate)


def cheapest_pairs(
    halves: Halves,
    pricing: Pricing,
    prices: Mapping[str, Fraction],
    check: Callable[[], None] = lambda: None,
    *,
    rounded: bool = False,
) -> list[tuple[tuple[Tree, Tree], Fraction]]:
    """Give trees to and from each root, and what they cost together; rounded, a little less than that.

    Parameters
    ----------
    halves
        What trees that combine, and trees that spread, may use and have to reach.
    pricing
        Looks for cheap trees.
    prices
        By resource. What is not named is free.
    check
        Called between the steps; may raise, which ends the work.
    rounded
        Whether prices of arcs are rounded down, which is faster.
    """
    exact = halves.spreading.prices_of(prices)
    arcs = halves.spreading.arc_between
    unit = max(exact.values(), default=Fraction(0)) / PRICE_GRAINS if rounded else Fraction(0)
    costs = {arcs[ends].index: price // unit if unit else price for ends, price in exact.items()}
    return [
        (pair, cost * unit if unit else cost)
        for pair, cost in _pairs_at(halves, pricing, costs, check)
    ]


def _pairs_at(
    halves: Halves,
    pricing: Pricing,
    costs: Mapping[int, Fraction | int],
    check: Callable[[], None],
) -> list[tuple[tuple[Tree, Tree], Fraction]]:
    """Give trees to and from each root, at costs of a unit of data on arcs (by index)."""
    gathered, spread = (
        pricing.cheapest_trees(half, {half.ends(arc): costs[arc.index] for arc in half.arcs}, check)
        for half in halves.connected.both
    )
    return [
        ((first, second), cost + further)
        for (first, cost), (second, further) in zip(gathered, spread, strict=True)
    ]


def _narrow(halves: Halves, half: int, flow: RootedFlow) -> list[frozenset[int]]:
    """Find the cuts through which the amounts of a half let too little."""
    unit = GRAINS / (halves.message.size * flow.rate)
    copies = halves.both[half]
    capacities = scaled(copies, flow.amounts[half], unit)
    demands = _whole(halves, flow, unit * (1 - CLOSE))
    return violated(copies.number, capacities, demands, copies.receivers)


def _whole(halves: Halves, flow: RootedFlow, unit: Fraction) -> dict[int, int]:
    """Give the data of each root in whole numbers."""
    size = halves.message.size * unit
    found = {root: int(pieces * size) for root, pieces in flow.roots.items()}
    return {root: data for root, data in found.items() if data}


def _unit(halves: Halves) -> Fraction:
    """Give a power of two near what the fastest trees of a root can do, in operations per time unit."""
    most = max(halves.busy(best_root(halves, 1, lambda: None)).values())
    return Fraction(2) ** (most.denominator.bit_length() - most.numerator.bit_length())
