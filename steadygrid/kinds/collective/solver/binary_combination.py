"""A message that is combined two by two: in time, or in a fixed order."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import partial

from steadygrid.domain.errors import OutOfTime
from steadygrid.domain.job import Options
from steadygrid.engine.combining.table import whole_prices
from steadygrid.engine.matching.shares import least_period, overfull_sets
from steadygrid.engine.scheduling.in_slots import Income
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.collective.choice import tabulated
from steadygrid.kinds.collective.schemas import CollectiveInstance
from steadygrid.kinds.collective.solver.answer import Cheaper, Delivery, Optimum, busy_arcs
from steadygrid.kinds.collective.solver.best_combinations import (
    MOST_TREES,
    best_combinations,
    one_tree,
)
from steadygrid.kinds.collective.solver.best_trees import bounded_by_cuts
from steadygrid.kinds.collective.solver.copies import Copies
from steadygrid.kinds.collective.solver.copying import BY_HEURISTICS, LATE, layers
from steadygrid.kinds.collective.solver.grouped_messages import CutOff, Network
from steadygrid.kinds.collective.solver.proof import Proof
from steadygrid.kinds.collective.solver.reduction import Reduction
from steadygrid.kinds.shared.reaching import reachable

WHOLE = Fraction(1)
NO_PLACE = "no processor that can combine gets the data of all sources and reaches the target"


def by_joining(
    instance: CollectiveInstance, options: Options, network: Network, control: Control
) -> Optimum:
    """Find the best trees, again as long as they are too much for an odd set of processors.

    Parameters
    ----------
    instance
        Without faults.
    options
        `max_labelling_entries` is read.
    network
        The part of the platform that messages may use, with the messages by their common ends.
    control
        Deadline, cancellation and progress of the solve.
    """
    whole = tabulated(instance, options)
    while True:
        reduction = Reduction.from_instance(instance, network)
        best = best_combinations(
            reduction, control, partial(_bounds, instance, network, control), whole=whole
        )
        routes = [reduction.delivery(tree, rate) for tree, rate in best.rates]
        throughput = sum((rate for _, rate in best.rates), Fraction(0))
        if not best.finished:
            return _slowed(network, routes, throughput, best.proof, (LATE,))
        busy = busy_arcs(network, routes)
        try:
            found = overfull_sets(network.platform, network.ports, busy, control.check)
        except OutOfTime:
            return _slowed(network, routes, throughput, best.proof, (LATE,))
        if not found:
            sought = not whole and instance.order != "fixed" and throughput < best.proof.bound
            notes = (BY_HEURISTICS,) if sought else ()
            return Optimum(routes, throughput, best.proof, notes)
        network = network.knowing(found)


def cheaper(instance: CollectiveInstance, options: Options, network: Network) -> Cheaper | None:
    """Look for trees that cost less than an operation is worth, where a table has them all.

    Parameters
    ----------
    instance
        Without faults.
    options
        `max_labelling_entries` is read.
    network
        The part of the platform that messages may use, with the messages by their common ends.
    """
    if not tabulated(instance, options):
        return None
    reduction = Reduction.from_instance(instance, network)
    nothing = Fraction(0)
    names = [network.platform.processors[i].id for i in reduction.places.combiners]

    def look(
        computing: Mapping[str, Fraction], worth: Mapping[int, Fraction], income: Income
    ) -> list[Delivery]:
        moved = {
            (arc.source, arc.target): worth.get(arc.index, nothing) * arc.unit_time
            for arc in network.arcs
        }
        joined = [
            time * computing.get(name, nothing)
            for name, time in zip(names, reduction.times, strict=True)
        ]
        whole, wholly, unit = whole_prices(moved, joined)
        paid = income(reduction.message.name) / reduction.message.size * unit
        found = reduction.table(whole, wholly).trees(MOST_TREES)
        return [reduction.delivery(tree, WHOLE) for cost, tree in found if cost < paid]

    return look


def single_tree_optimum(
    instance: CollectiveInstance,
    options: Options,
    network: Network,
    guesses: Iterable[Mapping[str, Fraction]],
) -> Optimum:
    """Answer with one tree, and what prices prove; guesses of prices are tried, among others.

    Parameters
    ----------
    instance
        Without faults.
    options
        `max_labelling_entries` is read.
    network
        The part of the platform that messages may use, with the messages by their common ends.
    guesses
        Prices by resource.
    """
    reduction = Reduction.from_instance(instance, network)
    tree = one_tree(reduction)
    uses = reduction.uses(tree)
    rate = 1 / max(uses.values())
    prices = [uses, dict.fromkeys(reduction.resources, WHOLE), *guesses]
    proofs = [proof for proof in (_by_computing(reduction),) if proof is not None]
    copies = Copies.from_instance(instance, network)
    for each in prices:
        if tabulated(instance, options):
            proofs.append(_by_table(reduction, each))
        else:
            proofs += [layers(copies, root, each) for root in copies.demands]
    proof = min((each for each in proofs if each.bound), key=lambda each: each.bound)
    return _slowed(network, [reduction.delivery(tree, rate)], rate, proof)


def find_unreachable_operand(instance: CollectiveInstance, network: Network) -> CutOff | None:
    """Tell a message of which no combiner gets everything and reaches the target.

    Parameters
    ----------
    instance
        Without faults.
    network
        The part of the platform that messages may use, with the messages by their common ends.
    """
    reduction = Reduction.from_instance(instance, network)
    places, platform = reduction.places, network.platform
    inside = reachable(platform, places.target, backwards=True)
    able = set(places.combiners) & inside
    if len(places.owners) > 1:
        for owner in places.owners:
            before, able = able, able & reachable(platform, owner)
            if not able:
                names = [processor.id for processor in platform.processors]
                return CutOff(
                    reduction.message,
                    names[owner],
                    names[min(before)] if before else names[places.target],
                    [names[i] for i in sorted(inside)],
                )
    return None


def _bounds(instance: CollectiveInstance, network: Network, control: Control) -> list[Proof]:
    """Bound by what combining takes, and by what has to cross cuts, if it were free."""
    reduction = Reduction.from_instance(instance, network)
    computing = _by_computing(reduction)
    moving = bounded_by_cuts(Copies.from_instance(instance, network), control)[1]
    return [moving] if computing is None else [computing, moving]


def _by_computing(reduction: Reduction) -> Proof | None:
    prices = reduction.proof_by_computing()
    return None if prices is None else Proof(prices)


def _by_table(reduction: Reduction, prices: Mapping[str, Fraction]) -> Proof:
    """Scale prices so that the cheapest tree costs 1; to 0 if it is free."""
    moved, joined, unit = whole_prices(*reduction.priced(prices, Fraction(0)))
    cost = Fraction(reduction.table(moved, joined).cost) / unit * reduction.message.size
    return Proof({name: price / cost for name, price in prices.items()} if cost else {})


def _slowed(
    network: Network,
    routes: list[Delivery],
    throughput: Fraction,
    proof: Proof,
    notes: tuple[str, ...] = (),
) -> Optimum:
    """Scale rates to what slots of ports of one transfer at a time can carry."""
    busy = busy_arcs(network, routes)
    period = least_period(network.platform, network.ports, busy)
    slower = [replace(route, rate=route.rate / period) for route in routes]
    return Optimum(slower, throughput / period, proof, notes)
