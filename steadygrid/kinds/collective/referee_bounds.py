"""What proves a bound on the throughput of a collective operation, or that it cannot be done."""

from collections.abc import Collection, Iterable, Mapping
from fractions import Fraction

from steadygrid.domain.errors import Pointer
from steadygrid.kinds.collective.certificates import UnreachableCertificate, WeighedCuts
from steadygrid.kinds.collective.referee_cuts import check_cuts, scaled_prices
from steadygrid.kinds.collective.referee_messages import Movement
from steadygrid.kinds.collective.referee_reductions import cheapest_reduction, none_combines
from steadygrid.kinds.collective.schemas import CollectiveResult
from steadygrid.verification.cheapest_trees import (
    Arcs,
    Price,
    SteinerTable,
    cheapest_arborescence,
    cheapest_path_prices,
)
from steadygrid.verification.exact import Ratio, add, show, times
from steadygrid.verification.findings import Findings
from steadygrid.verification.network import Network
from steadygrid.verification.odd_sets import with_odd_sets
from steadygrid.verification.prices import Cost, PriceList, check_prices

MOST_ENTRIES = 50_000_000
"""Of a table of Steiner trees that the referee makes itself."""

_AT: Pointer = ("result", "certificate")


def check_bound(
    network: Network, movement: Movement, result: CollectiveResult, findings: Findings
) -> None:
    """Check that prices prove the bound of a result, by themselves or with cuts.

    Parameters
    ----------
    network
        Platform of the instance, by resources and hops.
    movement
        The messages of the operation, and what may happen to them on their route.
    result
        The answer, but for its schedule.
    findings
        Collects the faults that are found.

    Notes
    -----
    Rules, in this order:

    == ================================================================ ==================
    1  the prices are of resources, not negative, and sum to the bound  see `check_prices`
    2  cuts prove the bound, where the certificate has any              see `check_cuts`
    3  without cuts, the cheapest trees are found by a table of at most `not_proved`
       `MOST_ENTRIES` entries
    4  without cuts, an operation costs at least 1 at these prices      `cheap_operation`
    == ================================================================ ==================

    By rule 4 no schedule has more throughput than the sum of the prices. An operation costs the
    sizes times the cheapest routes from origins to receivers, for messages that differ. For others
    it is times the cheapest trees, in reductions with all links turned round. For an allreduce
    these are the cheapest trees to and from any one processor. Where all who may copy are the ends
    of the message, trees lead to all of these, and no table is needed. Where combining takes time,
    or the order of operands is fixed, see `cheapest_reduction`.
    """
    certificate, bound = result.certificate, result.bound
    if bound is None or certificate.type not in ("lp_duality", "cuts", "whole_chunks"):
        return
    worth = bound.value
    if certificate.type == "whole_chunks" and result.chunks is not None:
        worth = result.chunks.unlimited
    priced = with_odd_sets(network, certificate.prices)
    at = (*_AT, "prices")
    computing = movement.combining or ()
    prices = check_prices(priced, computing, certificate.prices, worth, findings, at)
    if isinstance(certificate, WeighedCuts):
        check_cuts(priced, movement, certificate, findings)
    elif prices is not None:
        if movement.different:
            cost: Fraction | None = price_cheapest_paths(movement, prices)
        elif movement.in_twos:
            cost = cheapest_reduction(priced, movement, certificate.prices)
        else:
            cost = _cheapest_operation(priced, movement, certificate.prices)
        if cost is None:
            findings.add(
                at,
                "not_proved",
                "The cheapest trees are found by a table, and here it would have too many entries:"
                " prices alone do not prove the bound.",
            )
        elif cost < 1:
            findings.add(
                at,
                "cheap_operation",
                f"At these prices an operation costs {show(cost)}, less than 1: they do not prove"
                " the bound.",
            )


def price_cheapest_paths(movement: Movement, prices: PriceList) -> Fraction:
    """Price the cheapest routes of all messages; one search for all that begin, or end, in one place.

    Where a message cannot arrive there is no operation, and nothing that a bound could miss.

    Parameters
    ----------
    movement
        The messages of the operation, which differ.
    prices
        Of resources.
    """
    messages = movement.messages.values()
    home = len({each.receivers for each in messages}) == 1
    cheapest: dict[str, Mapping[str, Cost]] = {}
    costs: list[Ratio] = []
    for (origin,), (receiver,), size in messages:
        root, end = (receiver, origin) if home else (origin, receiver)
        if root not in cheapest:
            cheapest[root] = prices.cheapest_costs(root, Fraction(1), homeward=home)
        least = cheapest[root].get(end)
        if least is None:
            return Fraction(1)
        costs.append(times(size, least.exact))
    return Fraction(*add(costs)) / prices.common


def _cheapest_operation(
    network: Network, movement: Movement, prices: Mapping[str, Fraction]
) -> Fraction | None:
    """Price the cheapest trees of all messages. None where a table would have too many entries."""
    if not movement.spread:
        costs = _cheapest_trees(network, movement, prices)
        return None if costs is None else _total(costs.values())
    halves = [_cheapest_trees(network, half, prices) for half in movement.halves]
    first, second = halves
    if first is None or second is None:
        return None
    return min(_total((first[root], second[root])) for root in first)


def _total(costs: Iterable[Fraction | None]) -> Fraction:
    """Sum up costs. Where a processor cannot be reached, a bound can miss nothing."""
    total = Fraction(0)
    for cost in costs:
        if cost is None:
            return Fraction(1)
        total += cost
    return total


def _cheapest_trees(
    network: Network, movement: Movement, prices: Mapping[str, Fraction]
) -> dict[str, Fraction | None] | None:
    """Price the cheapest tree of each root. None where a table would have too many entries."""
    arcs, common = _priced(network, movement, prices)
    forwarders = network.processors - movement.copiers
    if all(members == movement.copiers for members in movement.by_members):
        over = [
            (here, there, price)
            for here in movement.copiers
            for there, price in cheapest_path_prices(arcs, here, forwarders).items()
            if there in movement.copiers
        ]
        found = {
            root: cheapest_arborescence(root, movement.copiers, over)
            for root, _, _ in movement.rooted
        }
        costs = [(root, found[root], size) for root, _, size in movement.rooted]
    else:
        ends = sorted(frozenset[str]().union(*(ends for _, ends, _ in movement.rooted)))
        if 3 ** len(ends) * len(network.processors) > MOST_ENTRIES:
            return None
        table = SteinerTable(arcs, ends, movement.copiers)
        costs = [(root, table.cost(root, ends), size) for root, ends, size in movement.rooted]
    return {
        root: None if cost is None else size * Fraction(cost) / common for root, cost, size in costs
    }


def _priced(
    network: Network, movement: Movement, prices: Mapping[str, Fraction]
) -> tuple[Arcs, int]:
    """Price all hops, in the direction in which trees are built, times a common denominator."""
    hops, common = scaled_prices(network, prices, ())
    arcs: dict[str, list[tuple[str, Price]]] = {}
    for hop, price in hops.items():
        here, there = movement.outward(hop)
        arcs.setdefault(here, []).append((there, price))
    return arcs, common


def check_unreachable(
    network: Network, movement: Movement, result: CollectiveResult, findings: Findings
) -> None:
    """Check that some message cannot arrive.

    Parameters
    ----------
    network
        Platform of the instance, by resources and hops.
    movement
        The messages of the operation, and what may happen to them on their route.
    result
        The answer, but for its schedule.
    findings
        Collects the faults that are found.

    Notes
    -----
    Rules, in this order:

    == =============================================================== =====================
    1  there are no allocations                                        `wrong_outcome`
    2  the certificate names processors that a message cannot leave    `infeasible_unproved`
    3  its message is one of the operation                             `unknown_message`
    4  no link leads out of the processors, or in reductions into them `not_closed`
    5  they hold the origin of the message, and lack a receiver        `proves_nothing`
    == =============================================================== =====================

    Rule 5: in reductions they hold the receiver, and lack one of the sources, or, where combining
    takes time, every processor that could combine all that they have (`none_combines`). Of an
    allreduce they hold a participant, and lack one.
    """
    if result.allocations:
        findings.add(
            ("result", "allocations"),
            "wrong_outcome",
            "The outcome is infeasible, but there are allocations.",
        )
    if not isinstance(result.certificate, UnreachableCertificate):
        findings.add(
            (*_AT, "type"),
            "infeasible_unproved",
            "That a message cannot arrive is proved by the processors that it cannot leave.",
        )
        return
    message = movement.messages.get(result.certificate.message)
    if message is None:
        findings.add(
            (*_AT, "message"),
            "unknown_message",
            f"There is no message {result.certificate.message!r}.",
        )
        return
    inside = set(result.certificate.processors)
    home = movement.combined and not movement.spread
    across = next(
        (hop for hop in network.hops if _leaves(inside, *(hop[::-1] if home else hop))), None
    )
    if across is not None:
        direction = "into" if home else "out of"
        findings.add(
            (*_AT, "processors"),
            "not_closed",
            f"The link from {across[0]!r} to {across[1]!r} leads {direction} these processors.",
        )
    if movement.spread:
        parts = {name in inside for name in message.sources}
        if len(parts) < 2:
            findings.add(
                (*_AT, "processors"),
                "proves_nothing",
                "The processors must hold a participant, and lack one.",
            )
        return
    root, ends = movement.root_and_ends(message)
    if root in inside and none_combines(network, movement, message, inside):
        return
    if root not in inside or ends <= inside:
        other = repr(min(ends)) if len(ends) == 1 else f"all of {', '.join(sorted(ends)[:3])}"
        findings.add(
            (*_AT, "processors"),
            "proves_nothing",
            f"The processors must hold {root!r}, and not {other}.",
        )


def _leaves(inside: Collection[str], here: str, there: str) -> bool:
    return here in inside and there not in inside
