"""The best bound of any set, sources in it and receivers outside, by trying all of them."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations

Hops = dict[tuple[int, int], tuple[Fraction, Fraction]]
"""Bandwidth and latency by ends."""
Messages = list[tuple[frozenset[int], frozenset[int], Fraction]]
"""Sources, receivers and size of each."""


def _distances(number: int, hops: Hops) -> list[list[Fraction | None]]:
    """Floyd and Warshall."""
    least: list[list[Fraction | None]] = [
        [Fraction(0) if i == j else None for j in range(number)] for i in range(number)
    ]
    for (i, j), (_, latency) in hops.items():
        least[i][j] = latency
    for k in range(number):
        for i in range(number):
            for j in range(number):
                first, second, known = least[i][k], least[k][j], least[i][j]
                if first is not None and second is not None:
                    total = first + second
                    if known is None or total < known:
                        least[i][j] = total
    return least


def subsets(names: frozenset[int]) -> Iterator[frozenset[int]]:
    """List all sets of some names but the empty one."""
    for size in range(1, len(names) + 1):
        yield from map(frozenset, combinations(sorted(names), size))


def time_over(
    number: int,
    hops: Hops,
    messages: Messages,
    inside: frozenset[int],
    near: frozenset[int],
    far: frozenset[int],
) -> Fraction:
    """Give the time before which what some need from some cannot have left a set; 0 if nothing must."""
    least = _distances(number, hops)
    needed = sum((size for at, to, size in messages if at & near and to & far), Fraction(0))
    wires = []
    for (i, j), (bandwidth, latency) in hops.items():
        before = [x for r in near if (x := least[r][i]) is not None]
        after = [x for t in far if (x := least[j][t]) is not None]
        if i in inside and j not in inside and before and after:
            wires.append((min(before) + latency + min(after), bandwidth))
    if not needed or not wires:
        return Fraction(0)
    # The time is that at which some of the wires, all together, have carried all: the largest such
    # time at which those that carry anything are just these.
    for time in sorted(
        (needed + sum(b * x for x, b in some)) / sum(b for _, b in some)
        for size in range(1, len(wires) + 1)
        for some in combinations(wires, size)
    ):
        if sum(b * max(Fraction(0), time - x) for x, b in wires) == needed:
            return time
    raise AssertionError("some time is enough")


def best_time(number: int, hops: Hops, messages: Messages) -> Fraction:
    """Try all."""
    everything = frozenset(range(number))
    sources = frozenset[int]().union(*(at for at, _, _ in messages))
    receivers = frozenset[int]().union(*(to for _, to, _ in messages))
    return max(
        time_over(number, hops, messages, inside, near, far)
        for inside in subsets(everything)
        if inside != everything
        for near in subsets(sources & inside)
        for far in subsets(receivers - inside)
    )
