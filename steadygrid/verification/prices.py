"""Certificates of steady-state throughput: prices that no allocation can undercut.

Give every limited resource a price ``u >= 0`` per unit of time. An allocation of rate ``r`` uses
each resource for at most the time there is, so if every allocation costs at least 1 then
``sum r <= sum r cost <= sum u``: no schedule is faster than the sum of the prices. (This is weak
duality; no optimality of anything has to be trusted.)
"""

import heapq
from collections.abc import Iterable, Mapping
from fractions import Fraction
from itertools import count
from typing import Any

from steadygrid.domain.errors import Pointer
from steadygrid.verification.exact import (
    Ratio,
    add,
    common_denominator,
    equals,
    less_or_equal,
    scaled_ratio,
    show,
)
from steadygrid.verification.findings import Findings
from steadygrid.verification.network import Network

_BITS = 256


class Cost:
    """A sum of prices: an enclosure for nearly all comparisons, the exact value for ties.

    The value lies in ``[low, low + slack] / 2**256``. Sums along a path share their beginning.
    """

    __slots__ = ("_before", "_exact", "_step", "low", "slack")

    def __init__(self, low: int, slack: int, exact: Ratio | None) -> None:
        self.low = low
        self.slack = slack
        self._exact = exact
        self._before = self._step = self

    def plus(self, step: "Cost") -> "Cost":
        """Add one step, or what several cost. A free step changes nothing."""
        if not step.slack:
            return self
        total = Cost(self.low + step.low, self.slack + step.slack, None)
        total._before, total._step = self, step
        return total

    def __lt__(self, other: "Cost") -> bool:
        if self is other or other.low + other.slack <= self.low:
            return False
        if self.low + self.slack < other.low:
            return True
        return not less_or_equal(other.exact, self.exact)

    @property
    def exact(self) -> Ratio:
        """The value times the certificate's common denominator."""
        trail: list[Cost] = []
        here = self
        while here._exact is None:
            trail.append(here)
            here = here._before
        total = here._exact
        for cost in reversed(trail):
            total = add((total, cost._step.exact))
            cost._exact = total
        return total


FREE = Cost(0, 0, (0, 1))
"""No cost at all."""


class PriceList:
    """The prices of a certificate, ready to add up.

    Parameters
    ----------
    network
        What hops use.
    prices
        By resource name. What is not named is free.

    Attributes
    ----------
    common
        By which the exact values of costs are multiplied.
    """

    def __init__(self, network: Network, prices: Mapping[str, Fraction]) -> None:
        self._network = network
        self.common = common_denominator(prices.values())
        self._price = {
            name: scaled_ratio(price, self.common) for name, price in prices.items() if price
        }
        self._low = {
            name: (price.numerator << _BITS) // price.denominator
            for name, price in prices.items()
            if price
        }
        self._steps: dict[tuple[Any, ...], dict[str, list[tuple[str, Cost]]]] = {}

    def cost_of(self, uses: Iterable[tuple[str, Fraction]], size: Fraction) -> Cost:
        """Price the use of several resources, `size` units at the given times per unit.

        Parameters
        ----------
        uses
            Names of resources, with times per unit.
        size
            How many units.
        """
        low = slack = 0
        terms: list[Ratio] = []
        for name, time in uses:
            price = self._price.get(name)
            if price is None or not size or not time:
                continue
            numerator = time.numerator * size.numerator
            denominator = time.denominator * size.denominator
            low += numerator * self._low[name] // denominator
            slack += numerator // denominator + 2
            terms.append((numerator * price[0], denominator * price[1]))
        return Cost(low, slack, add(terms)) if terms else FREE

    def cheapest_costs(
        self,
        origin: str,
        size: Fraction,
        *,
        homeward: bool = False,
        shut: frozenset[tuple[str, str]] = frozenset(),
    ) -> dict[str, Cost]:
        """Price the cheapest route of `size` units of data from one processor to all others.

        Parameters
        ----------
        homeward
            The routes lead from all others to `origin` instead.
        shut
            Hops that may not be taken, by sender and receiver.

        Returns
        -------
        dict
            By processor. What cannot be reached is left out.

        Notes
        -----
        Dijkstra's algorithm over exact numbers: ``O((p + e) log p)`` comparisons of enclosures,
        and an exact one for each tie.
        """
        return self.cheapest_onward({origin: FREE}, size, homeward=homeward, shut=shut)

    def cheapest_onward(
        self,
        starts: Mapping[str, Cost],
        size: Fraction,
        *,
        homeward: bool = False,
        shut: frozenset[tuple[str, str]] = frozenset(),
    ) -> dict[str, Cost]:
        """Price the cheapest route as `cheapest_costs` does, from whichever start is best.

        Parameters
        ----------
        starts
            By processor, what has been paid before.
        size
            Of the file, in units of data.
        homeward
            The routes lead from all others to the starts instead.
        shut
            Hops that may not be taken, by sender and receiver.

        Returns
        -------
        dict
            By processor. What cannot be reached is left out.
        """
        cheapest: dict[str, Cost] = {}
        order = count()
        heap = [(cost, next(order), processor) for processor, cost in starts.items()]
        heapq.heapify(heap)
        best = dict(starts)
        steps = self._steps_towards(homeward, size, shut)
        while heap:
            cost, _, processor = heapq.heappop(heap)
            if processor in cheapest:
                continue
            cheapest[processor] = cost
            for neighbour, step in steps.get(processor, ()):
                if neighbour in cheapest:
                    continue
                through = cost.plus(step)
                if neighbour not in best or through < best[neighbour]:
                    best[neighbour] = through
                    heapq.heappush(heap, (through, next(order), neighbour))
        return cheapest

    def _steps_towards(
        self, homeward: bool, size: Fraction, shut: frozenset[tuple[str, str]]
    ) -> dict[str, list[tuple[str, Cost]]]:
        key = homeward, size, shut
        if key not in self._steps:
            steps: dict[str, list[tuple[str, Cost]]] = {}
            for (sender, receiver), hop in self._network.hops.items():
                if (sender, receiver) not in shut:
                    here, there = (receiver, sender) if homeward else (sender, receiver)
                    steps.setdefault(here, []).append((there, self.cost_of(hop.uses, size)))
            self._steps[key] = steps
        return self._steps[key]

    def reach_one(self, costs: Iterable[Cost]) -> bool:
        """Tell whether the sum of the costs is at least 1, exactly."""
        parts = list(costs)
        low = sum(cost.low for cost in parts)
        if low >= 1 << _BITS:
            return True
        if low + sum(cost.slack for cost in parts) < 1 << _BITS:
            return False
        return less_or_equal((self.common, 1), add(cost.exact for cost in parts))

    def value_of(self, costs: Iterable[Cost]) -> Fraction:
        """Give the sum of the costs."""
        numerator, denominator = add(cost.exact for cost in costs)
        return Fraction(numerator, denominator * self.common)


def check_prices(
    network: Network,
    computing: Iterable[str],
    prices: Mapping[str, Fraction],
    bound: Fraction,
    findings: Findings,
    at: Pointer,
) -> PriceList | None:
    """Check what prices must be before they are worth anything.

    Parameters
    ----------
    computing
        The processors that can compute. Each has a resource for that.

    Returns
    -------
    PriceList or None
        Ready for the kind's own rule, that no allocation costs less than 1. None if a price is
        negative.

    Notes
    -----
    Rules, in this order:

    == ==================================== ===================
    1  each price is of a limited resource  `ghost_resource`
    2  no price is negative                 `negative_price`
    3  the prices sum to the bound, exactly `prices_miss_bound`
    == ==================================== ===================
    """
    known = network.resources.union(network.computing(processor) for processor in computing)
    for name, price in prices.items():
        if name not in known:
            findings.add(
                (*at, name),
                "ghost_resource",
                f"The certificate prices {name!r}, which is no limited resource of this platform"
                f" under {network.ports}.",
            )
        if price < 0:
            findings.add((*at, name), "negative_price", f"The price of {name!r} is negative.")
    common = common_denominator(prices.values())
    numerator, denominator = add(scaled_ratio(price, common) for price in prices.values())
    if not equals((numerator, denominator), scaled_ratio(bound, common)):
        findings.add(
            at,
            "prices_miss_bound",
            f"The prices sum to {show((numerator, denominator * common))}, but the bound is"
            f" {show(bound)}.",
        )
    if any(price < 0 for price in prices.values()):
        return None
    return PriceList(network, prices)
