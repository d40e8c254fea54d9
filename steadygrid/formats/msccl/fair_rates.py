"""Max-min fair rates of flows, in whole units per tick."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Whole = NDArray[np.int64]


def fair_rates(capacities: Whole, uses: Whole, flows: Whole) -> Whole:
    """Share resources among flows of some routes, so that no flow gets more at the cost of a slower one.

    Parameters
    ----------
    capacities
        Of each resource, units per tick.
    uses
        How often a flow of a route (column) takes a resource (row); each route takes at least one.
    flows
        How many there are of each route.

    Returns
    -------
    NDArray
        The rate of a flow of each route; 0 where there is none.
    """
    rates = np.zeros(len(flows), np.int64)
    used = uses * flows
    rows = used.any(axis=1)
    used, left = used[rows], capacities[rows].copy()
    takes = used > 0
    waiting = flows > 0
    while waiting.any():
        claims = used @ waiting
        shares = np.where(claims > 0, left // np.maximum(claims, 1), np.iinfo(np.int64).max)
        rate = shares.min()
        served = waiting & takes[shares == rate].any(axis=0)
        rates[served] = rate
        left -= rate * (used @ served)
        waiting &= ~served
    return rates


class Sharing:
    """Rates of flows over resources that are not shared with any other flows; each set once.

    Parameters
    ----------
    capacities, uses
        As for `fair_rates`.
    """

    def __init__(self, capacities: Sequence[int], uses: Sequence[Sequence[int]]) -> None:
        self._capacities = np.array(capacities, np.int64)
        self._uses = np.array(uses, np.int64)
        self._known: dict[bytes, Whole] = {}

    def rates(self, flows: Whole) -> Whole:
        """Give the rate of a flow of each route, for this number of flows of each."""
        key = flows.tobytes()
        rates = self._known.get(key)
        if rates is None:
            rates = self._known[key] = fair_rates(self._capacities, self._uses, flows)
        return rates
