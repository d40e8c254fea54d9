"""Shares of time on the links of a platform, where a processor takes part in one transfer at a time."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from math import lcm

from steadygrid.domain.platform import SINGLE_PORT, Platform, PortModel
from steadygrid.engine.matching.odd_sets import OddSet, Pair


def overfull_sets(
    platform: Platform,
    ports: PortModel,
    busy: Mapping[int, Fraction],
    check: Callable[[], None] = lambda: None,
) -> list[OddSet]:
    """Find odd sets of processors that have more to do than slots can carry.

    Parameters
    ----------
    busy
        Share of the time for which each arc, by index, is in use. No port has more than all.
    check
        Called between steps; may raise.

    Returns
    -------
    list of OddSet
        Empty only if slots can carry the shares, as far as ports of one transfer at a time limit
        them; under other port models always.
    """
    if ports not in SINGLE_PORT:
        return []
    from steadygrid.engine.matching import (
        separation,  # loads networkx, which other ports do not need
    )

    times, unit = _times(platform, busy)
    return separation.violated_sets(times, unit, check)


def least_period(
    platform: Platform,
    ports: PortModel,
    busy: Mapping[int, Fraction],
    check: Callable[[], None] = lambda: None,
) -> Fraction:
    """Give how many time units take slots for one, at least 1; parameters as `overfull_sets`.

    Rounded up by less than one part of the unit in which all shares are whole.

    Parameters
    ----------
    platform
        Its processors and arcs, by index.
    ports
        The port model.
    busy
        Share of the time for which each arc, by index, is in use.
    check
        Called between steps; may raise.
    """
    if ports not in SINGLE_PORT:
        return Fraction(1)
    from steadygrid.engine.matching import separation  # as above

    times, unit = _times(platform, busy)
    return Fraction(separation.least_length(times, unit, check), unit)


def needs_of_sets(
    platform: Platform,
    ports: PortModel,
    times: Mapping[int, Fraction],
    period: Fraction,
    known: Iterable[OddSet] = (),
) -> dict[OddSet, Fraction]:
    """Give the time that odd sets of processors need for one instance, exactly.

    Parameters
    ----------
    times
        That one instance takes on each arc, by index.
    period
        That no port is busy for longer than.
    known
        Sets that are looked at in any case.

    Returns
    -------
    dict
        The known sets, and others: the largest of these times and `period` is the least period
        with slots for the instance.

    Notes
    -----
    Newton's method: the period rises to the longest time that a violated set needs, until there is
    none.
    """
    needs = {odd: _needed(platform, times, odd) for odd in known}
    least = max([period, *needs.values()])
    while least and (
        found := overfull_sets(platform, ports, {k: time / least for k, time in times.items()})
    ):
        needs |= {odd: _needed(platform, times, odd) for odd in found}
        least = max(needs.values())
    return needs


def _needed(platform: Platform, times: Mapping[int, Fraction], odd: OddSet) -> Fraction:
    inside = (time for index, time in times.items() if platform.arcs[index] in odd)
    return sum(inside, Fraction(0)) / odd.max_transfers


def _times(platform: Platform, busy: Mapping[int, Fraction]) -> tuple[dict[Pair, int], int]:
    """Give the times between processors, in whole parts of a time unit, and how many these are."""
    unit = lcm(*(share.denominator for share in busy.values()))
    times: Counter[Pair] = Counter()
    for index, share in busy.items():
        arc = platform.arcs[index]
        if share and not any(platform.processors[i].switch for i in (arc.source, arc.target)):
            times[min(arc[1:3]), max(arc[1:3])] += int(share * unit)
    return times, unit
