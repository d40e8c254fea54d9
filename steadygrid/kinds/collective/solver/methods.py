"""The methods of the kind, and what it answers when the time is over."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

from steadygrid.domain.amounts import Amounts
from steadygrid.domain.errors import OutOfTime
from steadygrid.domain.job import Options, Phase
from steadygrid.domain.platform import Arc
from steadygrid.domain.preferred import Preferred
from steadygrid.domain.problem import Sizing
from steadygrid.engine.matching.shares import least_period
from steadygrid.engine.solver import Solution
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.collective.methods import REFERENCES
from steadygrid.kinds.collective.schemas import DIFFERENT, CollectiveInstance, CollectiveResult
from steadygrid.kinds.collective.sizing import table_fits
from steadygrid.kinds.collective.solver import (
    allreduce,
    binary_combination,
    completion,
    copying,
    flows,
    whole_chunks,
)
from steadygrid.kinds.collective.solver.answer import (
    Delivery,
    Optimum,
    answered,
    bounded,
    busy_arcs,
    infeasible,
)
from steadygrid.kinds.collective.solver.compare import compared
from steadygrid.kinds.collective.solver.grouped_messages import Network
from steadygrid.kinds.collective.solver.predicting import with_prediction
from steadygrid.kinds.collective.solver.proof import Proof

WHOLE = Fraction(1)
PROVING_SECONDS = 2.0
"""For which guessed prices are proved when the time is over, and some bound is known."""


def solve(
    instance: CollectiveInstance, options: Options, sizing: Sizing, control: Control
) -> Solution:
    """Find certified routes of all messages, or who cannot be reached.

    Parameters
    ----------
    instance
        Without faults.
    options
        `max_labelling_entries` and `prefer` are read.
    sizing
        Of this instance; names the method, never ``auto``.
    control
        Deadline, cancellation and progress of the solve.
    """
    control.phase(Phase.BUILDING)
    network = Network.from_instance(instance)
    if network.cut_off is not None:
        return infeasible(instance, sizing, network.cut_off)
    if instance.wants_completion:
        return completion.complete(instance, sizing, control)
    if instance.joined_in_twos:
        if (lost := binary_combination.find_unreachable_operand(instance, network)) is not None:
            return infeasible(instance, sizing, lost, binary_combination.NO_PLACE)
        optimum = binary_combination.by_joining(instance, options, network, control)
        cheaper = binary_combination.cheaper(instance, options, network)
        return answered(instance, network, sizing, optimum, control, cheaper)
    if sizing.method == "flows":
        optimum = flows.by_flows(network, options, control)
        found = answered(instance, network, sizing, optimum, control, flows.cheaper(network))
        return _with_traffic(instance, options, found)

    def run(method: str, turn: Control) -> Solution:
        return _by_trees(instance, network, options, replace(sizing, method=method), turn)

    if sizing.method == "compare":
        return with_prediction(instance, compared(run, control), control)
    return with_prediction(instance, run(sizing.method, control), control)


def _by_trees(
    instance: CollectiveInstance,
    network: Network,
    options: Options,
    sizing: Sizing,
    control: Control,
) -> Solution:
    method = sizing.method
    if method == "upper_bound":
        trees = allreduce if instance.operation == "allreduce" else copying
        return bounded(instance, sizing, trees.bound_alone(instance, network, control))
    if instance.chunks is not None:
        optimum = whole_chunks.by_chunks(instance, network, method, control)
        return answered(instance, network, sizing, optimum, control)
    fits = table_fits(instance, options)
    if instance.operation == "allreduce":
        optimum = allreduce.by_pairs(instance, network, control, table_fits=fits)
        pairs = allreduce.cheaper(instance, network, table_fits=fits)
        return answered(instance, network, sizing, optimum, control, pairs)
    optimum = copying.by_trees(instance, network, method, control, table_fits=fits)
    cheaper = None
    if method not in REFERENCES:
        cheaper = copying.cheaper(instance, network, table_fits=fits)
    return answered(instance, network, sizing, optimum, control, cheaper)


def best_without_solver(
    instance: CollectiveInstance,
    options: Options,
    sizing: Sizing,
    control: Control,
    interruption: OutOfTime,
) -> Solution:
    """Answer when the time is over: every message by its fastest routes, and what prices prove.

    Parameters
    ----------
    instance
        Without faults.
    options
        `max_labelling_entries` and `prefer` are read.
    sizing
        Of this instance; names the method, never ``auto``.
    control
        Grace time that is left, and cancellation.
    interruption
        What ended the solve, with the floating-point dual values that were known.
    """
    network = Network.from_instance(instance)
    if network.cut_off is not None:
        return infeasible(instance, sizing, network.cut_off)
    if instance.wants_completion:
        return completion.first_completion(instance, sizing)
    if instance.joined_in_twos:
        if (lost := binary_combination.find_unreachable_operand(instance, network)) is not None:
            return infeasible(instance, sizing, lost, binary_combination.NO_PLACE)
        optimum = binary_combination.single_tree_optimum(
            instance, options, network, [_guessed(interruption)]
        )
        return answered(instance, network, sizing, optimum, control)
    differ = instance.operation in DIFFERENT
    trees = allreduce if instance.operation == "allreduce" else copying
    routes = (
        flows.fastest_deliveries(network) if differ else trees.fastest_deliveries(instance, network)
    )
    loads = _loads(network, routes)
    guesses = [loads, dict.fromkeys(_resources(network), WHOLE)]
    if guess := _guessed(interruption):
        guesses.insert(0, guess)
    proof = _best_proof(instance, network, guesses, control)
    if sizing.method == "upper_bound":
        return bounded(instance, sizing, proof)
    if instance.chunks is not None:
        k = 1 if instance.chunks == "auto" else instance.chunks
        optimum = whole_chunks.one_tree_optimum(instance, network, k, proof)
        return answered(instance, network, sizing, optimum, control)
    rate = 1 / max(loads.values())
    busy = busy_arcs(network, [replace(route, rate=rate) for route in routes])
    rate /= least_period(network.platform, network.ports, busy)
    slowed = [replace(route, rate=rate) for route in routes]
    found = answered(instance, network, sizing, Optimum(slowed, rate, proof), control)
    return _with_traffic(instance, options, found) if differ else found


def _best_proof(
    instance: CollectiveInstance,
    network: Network,
    guesses: Sequence[Mapping[str, Fraction]],
    control: Control,
) -> Proof:
    """Prove what is best of guessed prices and single processors. The first that are proved in time."""
    if instance.operation in DIFFERENT:
        proofs = [Proof(_scaled(network, each)) for each in guesses]
        return min((proof for proof in proofs if proof.bound), key=lambda proof: proof.bound)
    summed = instance.operation == "allreduce"
    prove = allreduce.proof_at if summed else copying.proof_at
    proofs = [] if summed else [copying.proof_by_ends(instance, network)]
    part = control.limited(PROVING_SECONDS, silent=True)
    for guess in guesses:
        with suppress(OutOfTime):
            found = prove(instance, network, guess, part.check if proofs else lambda: None)
            proofs += [found] if found.bound else []
    return min(proofs, key=lambda proof: proof.bound)


def _with_traffic(instance: CollectiveInstance, options: Options, solution: Solution) -> Solution:
    """Say what the traffic is where least is asked for and was not found."""
    result = solution.result
    assert isinstance(result, CollectiveResult)
    if options.prefer == "least_traffic" and result.preferred is None:
        sizes = {message.name: message.size for message in instance.messages}
        index, arcs = instance.platform.index_by_id, instance.platform.arc_by_ends
        traffic = sum(
            (
                route.rate * sizes[route.message] * arcs[index[here], index[there]].unit_time
                for route in result.allocations
                for transfer in route.transfers
                for here, there in pairwise(transfer.path)
            ),
            Fraction(0),
        )
        result.preferred = Preferred.unproved("least_traffic", traffic)
    return solution


def _guessed(interruption: OutOfTime) -> dict[str, Fraction]:
    """Give the prices of resources in what was solved last."""
    return {
        str(index): Fraction(price)
        for (component, index), price in interruption.duals.items()
        if component == "capacity" and price > 0
    }


def _resources(network: Network) -> list[str]:
    return list(dict.fromkeys(use.resource for arc in network.arcs for use in network.uses(arc)))


def _loads(network: Network, routes: list[Delivery]) -> dict[str, Fraction]:
    """Give the share of the time for which each resource is busy."""
    arcs = network.platform.arcs
    shares: Amounts[str] = Amounts()
    for index, share in busy_arcs(network, routes).items():
        for resource, time in network.uses(arcs[index]):
            shares[resource] += share / arcs[index].unit_time * time
    return {resource: share for resource, share in shares.items() if share}


def _scaled(network: Network, guess: Mapping[str, Fraction]) -> dict[str, Fraction]:
    """Scale prices so that an operation costs 1. None if it costs nothing."""

    def price(arc: Arc) -> Fraction:
        return sum(
            (time * guess.get(resource, Fraction(0)) for resource, time in network.uses(arc)),
            Fraction(0),
        )

    cost = flows.cheapest_operation(network, price)
    return {resource: each / cost for resource, each in guess.items() if each} if cost else {}
