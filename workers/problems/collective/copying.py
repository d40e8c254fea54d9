"""Messages of which copies are made, or that are combined: the best trees for them."""

from collections.abc import Mapping
from fractions import Fraction
from itertools import pairwise

from steadygrid.domain.errors import OutOfTime
from steadygrid.problems.collective.schemas import CollectiveInstance
from workers.matching.shares import overfull_sets
from workers.problems.collective.answer import Cheaper, Optimum, Way, busy_arcs
from workers.problems.collective.best_trees import (
    Packing,
    at_once,
    bounded_by_cuts,
    by_cutting_planes,
    by_least_cut,
    cheapest_at,
    cheapest_trees,
    rated,
)
from workers.problems.collective.copies import Copies
from workers.problems.collective.proof import Proof
from workers.problems.collective.series import Network
from workers.problems.collective.travel import travelling
from workers.scheduling.in_slots import Income
from workers.solving.control import Control

WHOLE = Fraction(1)


def by_trees(
    instance: CollectiveInstance, network: Network, method: str, control: Control
) -> Optimum:
    """Find the best trees, again as long as they are too much for an odd set of processors."""
    while True:
        packing, proof = _packed(instance, network, method, control)
        copies = Copies.of(instance, network)
        ways = [travelling(copies, tree, rate) for tree, rate in packing.rates]
        ways += [
            travelling(copies, copies.fastest(series), packing.throughput)
            for series in network.series
            if series not in copies.series
        ]
        busy = busy_arcs(network, ways)
        found = overfull_sets(network.platform, network.ports, busy, control.check)
        if not found:
            return Optimum(ways, packing.throughput, proof)
        network = network.knowing(found)


def fastest_ways(instance: CollectiveInstance, network: Network) -> list[Way]:
    """Give each message a tree of fastest ways, once per time unit."""
    copies = Copies.of(instance, network)
    return [travelling(copies, copies.fastest(series), WHOLE) for series in network.series]


def cheaper(instance: CollectiveInstance, network: Network) -> Cheaper | None:
    """Look for trees that cost less than a message is worth, where all who copy take part."""
    copies = Copies.of(instance, network)
    if not copies.spans:
        return None

    def look(worth: Mapping[int, Fraction], income: Income) -> list[Way]:
        costs = {
            copies.ends(arc): worth.get(arc.index, Fraction(0)) * arc.unit_time
            for arc in copies.arcs
        }
        return [
            travelling(copies, tree, WHOLE)
            for tree, cost in cheapest_at(copies, costs)
            if cost < income(tree.message.name)
        ]

    return look


def proof_at(
    instance: CollectiveInstance, network: Network, prices: Mapping[str, Fraction]
) -> Proof:
    """Scale prices so that an operation costs at least 1, as trees or cuts prove; to 0 if it is free."""
    copies = Copies.of(instance, network)
    if copies.spans:
        cost = cheapest_trees(copies, prices)[1]
        return Proof({name: price / cost for name, price in prices.items()} if cost else {})
    return max(
        (_layers(copies, root, prices) for root in copies.demands),
        key=lambda proof: (bool(proof.bound), -proof.bound),
    )


def _packed(
    instance: CollectiveInstance, network: Network, method: str, control: Control
) -> tuple[Packing, Proof]:
    copies = Copies.of(instance, network)
    if method == "least_cut":
        return by_least_cut(copies, control)
    if method == "cutting_planes" or copies.spans:
        return by_cutting_planes(copies, control)
    _, proof = bounded_by_cuts(copies, control)
    few = Copies.of(instance, network, few=True)
    try:
        packing, _ = by_cutting_planes(few, control)
        return rated(copies, (copies.regrown(tree) for tree, _ in packing.rates), control)[0], proof
    except OutOfTime:
        return at_once(copies), proof


def _layers(copies: Copies, root: int, prices: Mapping[str, Fraction]) -> Proof:
    """Prove a bound by the sets of processors that are nearer to a root than others, at prices."""
    series = next(series for series in copies.series if series.root == root)
    costs = copies.prices_of(prices)
    found = copies.network.reached(series, lambda arc: costs[copies.ends(arc)])
    far = max(found[end][0] for end in series.messages)
    levels = sorted({min(cost, far) for cost, _ in found.values()} | {far})
    cuts: dict[frozenset[int], Fraction] = {}
    worth = Fraction(0)
    for low, high in pairwise(levels):
        cut = frozenset(i for i, (cost, _) in found.items() if cost <= low)
        cuts[cut] = high - low
        worth += (high - low) * copies.data_leaving(cut)
    if not worth:
        return Proof({})
    return Proof(
        {name: price / worth for name, price in prices.items()},
        cuts=copies.with_dead_ends((cut, weight / worth) for cut, weight in cuts.items()),
    )
