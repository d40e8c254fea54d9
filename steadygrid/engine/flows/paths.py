"""Flows taken apart into weighted paths."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from math import lcm

from steadygrid.domain.amounts import Amounts
from steadygrid.domain.platform import Platform
from steadygrid.engine.flows.cycles import without_cycles

Path = tuple[int, ...]
Shares = list[tuple[Path, Fraction]]
"""Paths, each with the share that takes it."""

NEARLY_NOTHING = 1e-6
"""Shares in double precision below this are taken for rounding."""
ROUNDED_SHARE = 10**6
"""The largest denominator of a share that is read from double precision."""


def paths_to(platform: Platform, flow: Mapping[int, Fraction], receivers: Sequence[int]) -> Shares:
    """Take a flow apart into paths of arcs that bring one copy to each receiver.

    Parameters
    ----------
    flow
        How much each arc carries, by its index. Leaves processors from which more goes out than
        comes in; receivers take one copy each.

    Returns
    -------
    list of (path, share)
        Paths without a cycle, each once; at most as many as arcs and receivers.

    Notes
    -----
    Thesis, proof of Theorem 4.4, backwards: from a receiver along arcs that carry something to
    where nothing comes in that has not gone out again. The least share on the path is subtracted.
    Cycles are taken out before.
    """
    left = without_cycles(platform.arcs, flow)
    supply: Amounts[int] = Amounts()
    for arc, amount in left.items():
        ends = platform.arcs[arc]
        supply[ends.source] += amount
        supply[ends.target] -= amount
    for receiver in receivers:
        supply[receiver] += 1
    found: Amounts[Path] = Amounts()
    for receiver in receivers:
        missing = Fraction(1)
        while missing:
            route: list[int] = []
            place = receiver
            while place == receiver or supply[place] <= 0:
                arc = next(a.index for a in platform.arcs_in[place] if left.get(a.index, 0))
                route.append(arc)
                place = platform.arcs[arc].source
            share = min(missing, supply[place], *(left[arc] for arc in route))
            for arc in route:
                left[arc] -= share
            supply[place] -= share
            missing -= share
            key = tuple(reversed(route))
            found[key] += share
    return list(found.items())


def nearly_paths_to(
    platform: Platform, flow: dict[int, float], senders: Sequence[int], receiver: int
) -> Shares:
    """Follow about one copy back from a receiver, along a flow in double precision.

    Along the largest shares first. What leads nowhere is dropped from the flow, and the shares are
    scaled to sum to 1. Nothing if too little is left of the flow to find a path.

    Parameters
    ----------
    platform
        Its processors and arcs, by index.
    flow
        By arc, copies of the data; changed in place.
    senders
        Positions of the processors that have the data.
    receiver
        The position of the processor where paths end.

    Returns
    -------
    list
        Paths, as indices of arcs from a sender on, with their shares.
    """
    found: Amounts[Path] = Amounts()
    missing = 1.0
    while missing > NEARLY_NOTHING:
        route: list[int] = []
        passed = {receiver}
        place = receiver
        while place not in senders:
            arriving = [
                (flow[arc.index], -arc.index)
                for arc in platform.arcs_in[place]
                if flow.get(arc.index, 0.0) > NEARLY_NOTHING and arc.source not in passed
            ]
            if not arriving:
                break
            route.append(-max(arriving)[1])
            place = platform.arcs[route[-1]].source
            passed.add(place)
        if place not in senders:
            if not route:
                break
            del flow[route[-1]]
            continue
        share = min(missing, *(flow[arc] for arc in route))
        for arc in route:
            flow[arc] -= share
        missing -= share
        key = tuple(reversed(route))
        found[key] += Fraction(share).limit_denominator(ROUNDED_SHARE)
    total = sum(found.values(), Fraction(0))
    return [(route, share / total) for route, share in found.items() if share]


def paths_from(
    source: int, flow: Mapping[tuple[int, int], Fraction], demand: Mapping[int, Fraction]
) -> dict[int, Shares]:
    """Take a flow without cycles apart into paths of processors, by the one where they end.

    Parameters
    ----------
    source
        Where all of it begins.
    flow
        How much goes from one processor to another.
    demand
        How much each processor takes.
    """
    # Whole numbers of a common unit: they are subtracted many times.
    unit = lcm(*(value.denominator for part in (flow, demand) for value in part.values()))
    left = {hop: int(value * unit) for hop, value in flow.items()}
    wanted = {end: int(value * unit) for end, value in demand.items()}
    leaving: dict[int, list[int]] = defaultdict(list)
    for start, target in sorted(left, reverse=True):
        leaving[start].append(target)
    routes: dict[int, Shares] = defaultdict(list)
    while True:
        path = [source]
        amount: int | None = None
        while not wanted.get(path[-1]):
            targets = leaving[path[-1]]
            while targets and not left[path[-1], targets[-1]]:
                targets.pop()
            if not targets:
                break
            step = left[path[-1], targets[-1]]
            amount = step if amount is None else min(amount, step)
            path.append(targets[-1])
        end = path[-1]
        if not wanted.get(end):
            return routes
        amount = wanted[end] if amount is None else min(amount, wanted[end])
        wanted[end] -= amount
        for hop in pairwise(path):
            left[hop] -= amount
        routes[end].append((tuple(path), Fraction(amount, unit)))
