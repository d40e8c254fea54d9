"""Max-min fair rates of flows, in whole units per tick."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Whole = NDArray[np.int64]
_ENDLESS = np.iinfo(np.int64).max


def fair_rates(capacities: Whole, uses: Whole, flows: Whole) -> Whole:
    """Share resources among flows of some routes, so that no flow gets more at the cost of a slower one.

    Parameters
    ----------
    capacities
        Of each resource, units per tick.
    uses
        How often a flow of a route (column) takes a resource (row). Each route takes at least one.
    flows
        How many there are of each route.

    Returns
    -------
    NDArray
        The rate of a flow of each route; 0 if there is none.
    """
    rates = np.zeros(len(flows), np.int64)
    columns = np.flatnonzero(flows)
    used = uses[:, columns] * flows[columns]
    rows = used.any(axis=1)
    left = capacities[rows]
    # Counts are small, so that products of floats are exact; those of whole numbers are slow.
    counts = used[rows].astype(np.float64)
    waiting = np.ones(len(columns))
    while len(columns):
        claims = (counts @ waiting).astype(np.int64)
        shares = np.where(claims > 0, left // np.maximum(claims, 1), _ENDLESS)
        rate = shares.min()
        served = waiting * ((shares == rate) @ counts > 0)
        rates[columns[served > 0]] = rate
        left = left - rate * (counts @ served).astype(np.int64)
        waiting -= served
        if not waiting.any():
            break
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
