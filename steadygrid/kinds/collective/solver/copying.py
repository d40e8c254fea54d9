"""Messages of which copies are made, or that are combined: the best trees for them."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import pairwise

from steadygrid.domain.errors import OutOfTime
from steadygrid.domain.platform import Arc
from steadygrid.engine.matching.shares import overfull_sets
from steadygrid.engine.scheduling.in_slots import Income
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.collective.schemas import CollectiveInstance
from steadygrid.kinds.collective.solver.answer import Cheaper, Delivery, Optimum, busy_arcs
from steadygrid.kinds.collective.solver.best_trees import (
    Packing,
    bounded_by_cuts,
    by_cutting_planes,
    by_least_cut,
    improved,
    one_tree_each,
)
from steadygrid.kinds.collective.solver.copies import Copies
from steadygrid.kinds.collective.solver.grouped_messages import Network
from steadygrid.kinds.collective.solver.proof import Proof
from steadygrid.kinds.collective.solver.references import REFERENCES
from steadygrid.kinds.collective.solver.tree_pricing import NEARBY, SPANNING, TABLE, Pricing
from steadygrid.kinds.collective.solver.tree_transfers import travelling

WHOLE = Fraction(1)
LATE = "the time limit was reached before the optimum was proved; more time may find better trees"
BY_HEURISTICS = (
    "the trees were found by heuristics: a table that prices all trees would have more entries than"
    " are made"
)


def by_trees(
    instance: CollectiveInstance,
    network: Network,
    method: str,
    control: Control,
    *,
    table_fits: bool,
) -> Optimum:
    """Find the best trees, again as long as they are too much for an odd set of processors.

    Where others than those who take part copy, all trees are priced if a table of them fits.

    Parameters
    ----------
    instance
        Without faults.
    network
        The part of the platform that messages may use, with the messages by their common ends.
    method
        Name of the one that looks for trees.
    control
        Deadline, cancellation and progress of the solve.
    table_fits
        Whether all trees are priced by a table, where others than those who take part copy.
    """
    while True:
        packing, proof = _packed(instance, network, method, control, table_fits=table_fits)
        copies = Copies.from_instance(instance, network)
        routes = [travelling(copies, tree, rate) for tree, rate in packing.rates]
        routes += [
            travelling(copies, copies.fastest(series), packing.throughput)
            for series in network.series
            if series not in copies.series
        ]
        busy = busy_arcs(network, routes)
        found = overfull_sets(network.platform, network.ports, busy, control.check)
        if not found:
            notes = why_below(method, packing.throughput, proof.bound, control)
            return Optimum(routes, packing.throughput, proof, notes)
        network = network.knowing(found)


def fastest_deliveries(instance: CollectiveInstance, network: Network) -> list[Delivery]:
    """Give each message a tree of fastest routes, once per time unit.

    Parameters
    ----------
    instance
        Without faults.
    network
        The part of the platform that messages may use, with the messages by their common ends.
    """
    copies = Copies.from_instance(instance, network)
    return [travelling(copies, copies.fastest(series), WHOLE) for series in network.series]


def cheaper(instance: CollectiveInstance, network: Network, *, table_fits: bool) -> Cheaper:
    """Look for trees that cost less than a message is worth.

    Parameters
    ----------
    instance
        Without faults.
    network
        The part of the platform that messages may use, with the messages by their common ends.
    table_fits
        Whether all trees are priced by a table, where others than those who take part copy.
    """
    copies = Copies.from_instance(instance, network)
    pricing = pricing_of(copies, table_fits=table_fits)

    def look(
        _: Mapping[str, Fraction], worth: Mapping[int, Fraction], income: Income
    ) -> list[Delivery]:
        costs = {
            copies.ends(arc): worth.get(arc.index, Fraction(0)) * arc.unit_time
            for arc in copies.arcs
        }
        return [
            travelling(copies, tree, WHOLE)
            for tree, cost in pricing.cheapest_trees(copies, costs)
            if cost < income(tree.message.name)
        ]

    return look


def pricing_of(copies: Copies, *, table_fits: bool) -> Pricing:
    """Give the method to look for cheap trees that suits.

    Parameters
    ----------
    copies
        What trees may use, and what they have to reach.
    table_fits
        Whether all trees are priced by a table, where others than those who take part copy.
    """
    if copies.spans:
        return SPANNING
    return TABLE if table_fits else NEARBY


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
    copies = Copies.from_instance(instance, network)
    if copies.spans:
        cost = SPANNING.trees(copies, prices, check)[1]
        return Proof({name: price / cost for name, price in prices.items()} if cost else {})
    return max(
        (layers(copies, root, prices) for root in copies.demands),
        key=lambda proof: (bool(proof.bound), -proof.bound),
    )


def proof_by_ends(instance: CollectiveInstance, network: Network) -> Proof:
    """Prove the bound of one processor, whichever is the least: what it has to send, or to receive.

    Parameters
    ----------
    instance
        Without faults.
    network
        The part of the platform that messages may use, with the messages by their common ends.
    """
    copies = Copies.from_instance(instance, network)
    leaving: dict[int, list[Arc]] = {}
    entering: dict[int, list[Arc]] = {}
    for arc in copies.arcs:
        near, far = copies.ends(arc)
        leaving.setdefault(near, []).append(arc)
        entering.setdefault(far, []).append(arc)
    complete = frozenset(range(copies.number))
    sets = [(frozenset({root}), leaving[root]) for root in copies.demands]
    sets += [(complete - {end}, entering[end]) for end in copies.receivers]
    best = Proof({})
    for cut, arcs in sets:
        data = copies.data_leaving(cut)
        for which in (0, -1):
            prices: dict[str, Fraction] = {}
            for resource, time in (copies.uses(arc)[which] for arc in arcs):
                prices[resource] = max(prices.get(resource, Fraction(0)), 1 / (time * data))
            bound = sum(prices.values(), Fraction(0))
            if not best.bound or bound < best.bound:
                best = Proof(prices, cuts=copies.with_dead_ends([(cut, 1 / data)]))
    return best


def _packed(
    instance: CollectiveInstance,
    network: Network,
    method: str,
    control: Control,
    *,
    table_fits: bool,
) -> tuple[Packing, Proof]:
    copies = Copies.from_instance(instance, network)
    if method == "least_cut":
        return by_least_cut(copies, control)
    if method == "cutting_planes" or (copies.spans and method not in REFERENCES):
        return by_cutting_planes(copies, control)
    _, proof = bounded_by_cuts(copies, control)
    if method in REFERENCES:
        return REFERENCES[method](copies, control), proof
    few = Copies.from_instance(instance, network, few=True)
    try:
        packing, _ = by_cutting_planes(few, control.limited(control.remaining, silent=True))
    except OutOfTime:
        return one_tree_each(copies), proof
    trees = [copies.regrown(tree) for tree, _ in packing.rates]
    return improved(copies, trees, proof, control, pricing_of(copies, table_fits=table_fits))


def why_below(
    method: str, throughput: Fraction, bound: Fraction, control: Control
) -> tuple[str, ...]:
    """Say why the best trees found may not be the best there are.

    Parameters
    ----------
    method
        Name of the one that found them.
    throughput
        Of the trees, in operations per time unit.
    bound
        Of the throughput of any trees.
    control
        Deadline, cancellation and progress of the solve.

    Returns
    -------
    tuple of str
        Notes for the answer.
    """
    if throughput == bound:
        return ()
    if control.remaining == 0:
        return (LATE,)
    return () if method in REFERENCES else (BY_HEURISTICS,)


def bound_alone(instance: CollectiveInstance, network: Network, control: Control) -> Proof:
    """Bound what any trees can do, by cuts.

    Parameters
    ----------
    instance
        Without faults.
    network
        The part of the platform that messages may use, with the messages by their common ends.
    control
        Deadline, cancellation and progress of the solve.
    """
    return bounded_by_cuts(Copies.from_instance(instance, network), control)[1]


def layers(copies: Copies, root: int, prices: Mapping[str, Fraction]) -> Proof:
    """Prove a bound by the sets of processors that are nearer to a root than others, at prices.

    Parameters
    ----------
    copies
        What trees may use, and what they have to reach.
    root
        Index of the processor where messages begin, or end.
    prices
        By resource. What is not named is free.
    """
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
