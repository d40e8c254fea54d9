"""Traffic as if it were a resource: what prices need to bound it from below."""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from steadygrid.domain.preferred import Preferred
from steadygrid.verification.exact import show
from steadygrid.verification.findings import Findings
from steadygrid.verification.network import Network

_TRAFFIC = "traffic"
"""A resource by which every link is used; names of others have a point."""


def with_traffic(network: Network) -> Network:
    """Let every hop use traffic, too, for as long as it carries data."""
    hops = {
        ends: hop._replace(uses=(*hop.uses, (_TRAFFIC, hop.unit_time)))
        for ends, hop in network.hops.items()
    }
    return replace(network, hops=hops)


def with_price_of_traffic(prices: Mapping[str, Fraction], worth: Fraction) -> dict[str, Fraction]:
    """Let traffic cost 1 per time unit, and divide all prices by what an instance is worth.

    If every instance costs at least 1 then, those at a throughput make at least
    ``worth * throughput - sum of prices`` of traffic.

    Parameters
    ----------
    prices
        By resource.
    worth
        Above 0.
    """
    scaled = {name: price / worth for name, price in prices.items()}
    return scaled | {_TRAFFIC: 1 / worth}


def check_stated(
    preferred: Preferred, traffic: Fraction, findings: Findings, noun: str
) -> Fraction | None:
    """Check what is said of the least traffic, but for its prices; give what one is worth.

    Parameters
    ----------
    preferred
        What the answer says.
    traffic
        The time for which links carry what the answer sends.
    findings
        Collects the faults that are found.
    noun
        What is counted, with its article.

    Returns
    -------
    Fraction or None
        None where nothing is proved, or its members do not belong together.

    Notes
    -----
    Rules, in this order:

    == ================================================================ ==================
    1  the value is the traffic                                         `wrong_traffic`
    2  it is not more than before                                       `more_than_before`
    3  worth and prices belong to what is proved, and worth is above 0  `wrong_proof`
    == ================================================================ ==================
    """
    at = ("result", "preferred")
    if traffic != preferred.value:
        findings.add(
            (*at, "value"),
            "wrong_traffic",
            f"Links carry data for {show(traffic)} of the time together, not for"
            f" {show(preferred.value)}.",
        )
    if preferred.before < preferred.value:
        findings.add(
            (*at, "before"),
            "more_than_before",
            f"The traffic was {show(preferred.before)} before, and is {show(preferred.value)} now.",
        )
    is_proved, worth = preferred.proof == "exact", preferred.worth
    if is_proved != (worth is not None) or (preferred.prices and not is_proved):
        findings.add(
            (*at, "proof"),
            "wrong_proof",
            "What is proved has a worth and prices, and nothing else.",
        )
        return None
    if worth is not None and worth <= 0:
        findings.add((*at, "worth"), "wrong_proof", f"What {noun} is worth is not above 0.")
        return None
    return worth
