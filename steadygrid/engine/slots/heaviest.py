"""The slot that is worth most, found exactly where there are few transfers to choose from.

A slot has at most one transfer from each send port, one into each receive port, and never both
directions of a half-duplex link. Branch and bound over the send ports, in whole numbers: what is
left can be worth no more than the best transfer of each port that is left.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import accumulate
from math import lcm

from steadygrid.domain.platform import Arc, Platform, Port, receiving_port, sending_port
from steadygrid.engine.solving.control import Control

SlotArcs = frozenset[int]
"""The arcs of a slot, by index."""

MOST_ARCS = 300
"""More are left to the integer program from the start. The search is as deep as they are many."""
MOST_STEPS = 100_000
"""Of the search, a tenth of a second or two; beyond, too, the integer program is better."""
STEPS_BETWEEN_CHECKS = 1_000


class _TooLong(Exception):
    """The search has no end in sight."""


def heaviest_slot(
    platform: Platform, worth: Mapping[int, Fraction], control: Control
) -> SlotArcs | None:
    """Find the set of transfers that may run side by side and is worth most.

    Parameters
    ----------
    worth
        By arc index; arcs that are worth nothing are in no slot.

    Returns
    -------
    frozenset or None
        None where that takes too long; O(2 ** arcs) at worst.

    Raises
    ------
    Cancelled, OutOfTime
        If cancelled, or out of time.
    """
    paid = {index: price for index, price in worth.items() if price > 0}
    if len(paid) > MOST_ARCS:
        return None
    common = lcm(*(price.denominator for price in paid.values()))
    weights = {index: int(price * common) for index, price in paid.items()}
    try:
        return _Search(platform, weights, control).best()
    except _TooLong:
        return None


class _Search:
    """Branch and bound over groups of transfers of which at most one is in a slot."""

    def __init__(self, platform: Platform, weights: Mapping[int, int], control: Control) -> None:
        self._weights = weights
        self._control = control
        groups: dict[Port | int, list[Arc]] = {}
        for index in sorted(weights, key=lambda index: (-weights[index], index)):
            arc = platform.arcs[index]
            port = sending_port(platform, arc)
            groups.setdefault(index if port is None else port, []).append(arc)
        self._groups: Sequence[list[Arc]] = list(groups.values())
        best = [weights[group[0].index] for group in self._groups]
        self._left = [*accumulate(reversed(best), initial=0)][::-1]
        self._receives = {
            index: frozenset[Port]() if port is None else frozenset({port})
            for index in weights
            for port in [receiving_port(platform, platform.arcs[index])]
        }
        self._most = -1
        self._slot: SlotArcs = frozenset()
        self._steps = 0

    def best(self) -> SlotArcs:
        """Search everything."""
        self._extend(0, 0, set(), frozenset())
        return self._slot

    def _extend(self, place: int, total: int, chosen: set[int], received: frozenset[Port]) -> None:
        self._steps += 1
        if self._steps > MOST_STEPS:
            raise _TooLong
        if self._steps % STEPS_BETWEEN_CHECKS == 0:
            self._control.check()
        if total > self._most:
            self._most, self._slot = total, frozenset(chosen)
        if total + self._left[place] <= self._most:
            return
        for arc in self._groups[place]:
            port = self._receives[arc.index]
            if port & received or arc.half in chosen:
                continue
            chosen.add(arc.index)
            self._extend(place + 1, total + self._weights[arc.index], chosen, received | port)
            chosen.remove(arc.index)
        self._extend(place + 1, total, chosen, received)
