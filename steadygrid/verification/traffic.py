"""Traffic as if it were a resource: what prices need to bound it from below."""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

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
