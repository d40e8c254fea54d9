"""The referee's rules for the second objective of messages that differ."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise

from steadygrid.domain.errors import Pointer
from steadygrid.domain.job import Options
from steadygrid.domain.preferred import Preferred
from steadygrid.kinds.collective.referee_bounds import price_cheapest_paths
from steadygrid.kinds.collective.referee_messages import Movement
from steadygrid.kinds.collective.schemas import CollectiveResult
from steadygrid.verification.exact import show
from steadygrid.verification.findings import Findings
from steadygrid.verification.network import Network
from steadygrid.verification.odd_sets import with_odd_sets
from steadygrid.verification.prices import PriceList, check_prices
from steadygrid.verification.traffic import (
    check_stated,
    with_price_of_traffic,
    with_traffic,
)


def check_preferred(
    network: Network,
    movement: Movement,
    options: Options,
    result: CollectiveResult,
    findings: Findings,
) -> None:
    """Check what an answer says of its second objective.

    Parameters
    ----------
    network
        Platform of the instance, by resources and hops.
    movement
        The messages of the operation, and what may happen to them on their route.
    options
        `prefer` is read.
    result
        The answer.
    findings
        Collects the faults that are found.

    Notes
    -----
    Rules, in this order:

    == =================================================================== ====================
    1  it is there where `prefer` asks for it and the method is ``flows``, `wrong_preferred`
       and not where any rates are asked for, or by other methods
    2  its value is the time for which links carry the messages            see `check_stated`
    3  the prices are of resources and not negative                        see `check_prices`
    4  the throughput at its worth, less the prices, is the value          `traffic_not_least`
    5  no operation costs less than its worth, with its traffic            `cheap_traffic`
    == =================================================================== ====================

    Rules 4 and 5 together: no routes of this throughput, or more, have less traffic. An operation
    costs the sizes of its messages times their cheapest routes.
    """
    preferred, at = result.preferred, ("result", "preferred")
    differs = result.method == "flows" and movement.different and result.objective is not None
    asked = options.prefer == "least_traffic" and differs
    allowed = options.prefer != "any" and differs
    if (preferred is None and asked) or (preferred is not None and not allowed):
        findings.add(
            at,
            "wrong_preferred",
            "The answer says what is preferred where `prefer` asks for it and the method is flows,"
            " and not where any rates are asked for, or by other methods.",
        )
        return
    if preferred is None or result.objective is None:
        return
    traffic = sum(_busy(network, movement, result), Fraction(0))
    worth = check_stated(preferred, traffic, findings, "an operation")
    if worth is not None:
        throughput = result.objective.value
        _check_least(network, movement, preferred, worth, throughput, findings, at)


def _busy(network: Network, movement: Movement, result: CollectiveResult) -> Iterator[Fraction]:
    """Give the time that links take for each route. What is not known takes none."""
    for allocation in result.allocations:
        message = movement.messages.get(allocation.message)
        for transfer in allocation.transfers if message else ():
            hops = (network.hops.get(ends) for ends in pairwise(transfer.path))
            time = sum((hop.unit_time for hop in hops if hop is not None), Fraction(0))
            assert message is not None
            yield allocation.rate * transfer.share * message.size * time


def _check_least(
    network: Network,
    movement: Movement,
    preferred: Preferred,
    worth: Fraction,
    throughput: Fraction,
    findings: Findings,
    at: Pointer,
) -> None:
    listed = preferred.prices
    total = sum(listed.values(), Fraction(0))
    network = with_odd_sets(network, listed)
    here = (*at, "prices")
    if check_prices(network, (), listed, total, findings, here) is None:
        return
    if worth * throughput - total != preferred.value:
        findings.add(
            at,
            "traffic_not_least",
            f"{show(throughput)} operations of worth {show(worth)}, less prices of {show(total)},"
            f" prove another value than {show(preferred.value)}.",
        )
    prices = PriceList(with_traffic(network), with_price_of_traffic(listed, worth))
    cost = price_cheapest_paths(movement, prices)
    if cost < 1:
        findings.add(
            here,
            "cheap_traffic",
            f"At these prices, and 1 for traffic, an operation costs {show(cost * worth)}, less than"
            f" its worth {show(worth)}: they do not prove that no optimal routes have less traffic.",
        )
