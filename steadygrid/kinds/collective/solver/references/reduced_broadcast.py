"""A broadcast to all who copy, on fewer and fewer relays."""

from collections.abc import Collection
from dataclasses import replace
from fractions import Fraction

from steadygrid.domain.amounts import Amounts
from steadygrid.domain.errors import OutOfTime
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.collective.solver.best_trees import (
    Flow,
    Packing,
    bounded_by_cuts,
    by_cutting_planes,
    one_tree_each,
    rated,
)
from steadygrid.kinds.collective.solver.copies import Copies, message_of


def reduced_broadcast(copies: Copies, control: Control) -> Packing:
    """Broadcast to all who copy, and drop the relay that gets least as long as nothing is lost.

    Its trees are pruned at last, where they lead to no processor that wants the message.

    Parameters
    ----------
    copies
        With one message.
    control
        Deadline, cancellation and progress of the solve.

    Notes
    -----
    After REDUCED BROADCAST of RR-5123 (O. Beaumont, A. Legrand, L. Marchal, Y. Robert).
    """
    part = control.limited(control.remaining, silent=True)
    try:
        relays = _fewer(copies, part)
        packing, _ = by_cutting_planes(_broadcast(copies, relays), part)
        trees = [copies.regrown(tree) for tree, _ in packing.rates]
        return rated(copies, trees, control)[0]
    except OutOfTime:
        return one_tree_each(copies)


def _fewer(copies: Copies, control: Control) -> frozenset[int]:
    (series,) = copies.series
    ends = {series.root, *series.messages}
    relays = copies.members - ends
    wide = _broadcast(copies, relays)
    flow, proof = bounded_by_cuts(wide, control)
    best = proof.bound
    dropped = True
    while dropped:
        dropped = False
        relays = wide.members - ends
        for relay in _by_inflow(copies, flow, relays):
            fewer = _broadcast(copies, relays - {relay})
            if not ends <= fewer.members:
                continue
            smaller, proof = bounded_by_cuts(fewer, control)
            if proof.bound >= best:
                wide, flow, best, dropped = fewer, smaller, proof.bound, True
                break
    return relays


def _by_inflow(copies: Copies, flow: Flow, relays: Collection[int]) -> list[int]:
    """Sort relays by how much they get, the least first."""
    inflow: Amounts[int] = Amounts()
    for index, amount in flow.amounts.items():
        inflow[copies.ends(copies.platform.arcs[index])[1]] += Fraction(amount)
    return sorted(relays, key=lambda relay: (inflow.get(relay, Fraction(0)), relay))


def _broadcast(copies: Copies, relays: frozenset[int]) -> Copies:
    """Let the relays want the message, too, and leave out all others that could copy it.

    Only processors that can be reached then want it.
    """
    (series,) = copies.series
    gone = copies.members - relays - {series.root, *series.messages}
    arcs = [arc for arc in copies.arcs if gone.isdisjoint(copies.ends(arc))]
    network = replace(copies.network, arcs=arcs)
    members = (copies.members - gone) & network.reached(series).keys()
    wanted = dict.fromkeys(sorted(members - {series.root}), message_of(series))
    return Copies(replace(network, series=[replace(series, messages=wanted)]), members)
