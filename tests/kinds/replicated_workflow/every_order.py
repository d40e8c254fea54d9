"""Every order of service of a workflow, with every lag in a box, one data set after the other.

The services of each processor are written down for many data sets and sorted; who comes next waits. It
shares nothing with the package.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise, permutations, product
from math import lcm
from typing import Any

from tests.kinds.replicated_workflow.nets import Net

Name = Any
Wait = tuple[int, int, int, int]
"""Nodes, the time of the first, and turns of all rows."""


class Orders:
    """The orders and lags of a body with a mapping."""

    def __init__(self, body: Mapping[str, Any]) -> None:
        self.net = Net(body)
        self.scale = lcm(*(time.denominator for time in self.net.times.values()))
        busy: dict[str, Fraction] = {}
        for (o, n), time in self.net.times.items():
            for resource in self.net.resources(o, n):
                busy[resource] = busy.get(resource, Fraction(0)) + time / self.net.rows
        self.longest = max(busy.values())

    def services(self, most_lag: int) -> Iterator[dict[Name, int]]:
        """Give every order of the files of each stage with every lag up to a number."""
        stages = [name for name in self.net.operations if isinstance(name, str)]
        leaving = [
            [
                f
                for f in self.net.operations
                if f != s and self.net.ends[f][0] == self.net.ends[s][0]
            ]
            for s in stages
        ]
        for orders in product(*map(permutations, leaving)):
            names = [name for s, files in zip(stages, orders, strict=True) for name in (s, *files)]
            moved = [n for n in names if self.net.no_overlap or not isinstance(n, str)]
            for lags in product(range(most_lag + 1), repeat=len(moved)):
                yield dict.fromkeys(names, 0) | dict(zip(moved, lags, strict=True))

    def best(self, most_lag: int) -> Fraction:
        """Give the shortest period of all; none is shorter than what a processor has to do."""
        best: Fraction | None = None
        for service in self.services(most_lag):
            period = self.period(service)
            if period is not None and (best is None or period < best):
                best = period
                if best == self.longest:
                    break
        assert best is not None
        return best

    def period(self, service: Mapping[Name, int]) -> Fraction | None:
        """Give the period with some order and lags; None if operations wait for themselves."""
        waits = self._waits(list(service), list(service.values()))
        ratio = self.longest * self.scale * self.net.rows
        nodes = len(service) * self.net.rows
        while True:
            cycle = _late(nodes, waits, ratio)
            if cycle is None:
                return ratio / self.scale / self.net.rows
            time, turns = sum(wait[2] for wait in cycle), sum(wait[3] for wait in cycle)
            if turns <= 0:
                return None
            ratio = Fraction(time, turns)

    def _waits(self, names: Sequence[Name], lags: Sequence[int]) -> list[Wait]:
        net, rows, size = self.net, self.net.rows, len(names)
        around = max(lags) + 2 * rows
        queues: dict[str, list[tuple[int, int, int]]] = {}
        for n in range(-around, rows + around):
            for position, (name, lag) in enumerate(zip(names, lags, strict=True)):
                for resource in net.resources(name, n):
                    queues.setdefault(resource, []).append((n + lag, position, n))
        found: list[Wait] = []

        def wait(one: int, n: int, other: int, m: int) -> None:
            time = int(net.times[names[one], n % rows] * self.scale)
            found.append(((n % rows) * size + one, (m % rows) * size + other, time, m // rows))

        for listed in queues.values():
            for (_, one, n), (_, other, m) in pairwise(sorted(listed)):
                if 0 <= n < rows:
                    wait(one, n, other, m)
        where = {name: position for position, name in enumerate(names)}
        computing = {net.ends[name][0]: where[name] for name in names if isinstance(name, str)}
        for name in names:
            if not isinstance(name, str):
                for n in range(rows):
                    wait(computing[net.ends[name][0]], n, where[name], n)
                    wait(where[name], n, computing[net.ends[name][1]], n)
        return found


def _late(nodes: int, waits: Sequence[Wait], ratio: Fraction) -> list[Wait] | None:
    """Find a cycle that takes longer than a ratio allows."""
    p, q = ratio.numerator, ratio.denominator
    values, into = [0] * nodes, [-1] * nodes
    weights = [q * time - p * turns for _, _, time, turns in waits]
    last = -1
    for _ in range(nodes + 1):
        last = -1
        for i, (one, other, _, _) in enumerate(waits):
            if values[one] + weights[i] > values[other]:
                values[other], into[other], last = values[one] + weights[i], i, other
        if last < 0:
            return None
    for _ in range(nodes):
        last = waits[into[last]][0]
    cycle = [waits[into[last]]]
    while cycle[-1][0] != last:
        cycle.append(waits[into[cycle[-1][0]]])
    return cycle
