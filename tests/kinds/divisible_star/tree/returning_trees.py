"""Trees whose results come back the other way round, by an exact program for every choice.

Nothing here knows a closed form: who sends what when is a graph of transfers and computations, and
the makespan the longest of its paths, each of which takes a time in proportion to the shares.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import chain, combinations, permutations, product
from random import Random
from typing import Any

from tests.kinds.divisible_star.bodies import random_tree
from tests.kinds.divisible_star.results.returned import least_maximum

F = Fraction
Step = tuple[str, str]
"""What is done, ``down``, ``compute`` or ``up``, and whose message, work or result it is."""
Children = Mapping[str, Sequence[str]]


def with_ways_back(document: dict[str, Any], random: Random, **problem: Any) -> dict[str, Any]:
    """Let the results of a random tree come back, over some links as fast, over others not."""
    asked = document["problem"]
    asked["load"]["return_volume"] = random.choice(["1", "1/2", "3"])
    for link in asked["platform"]["links"][:]:
        if random.random() < 0.7:
            link["duplex"] = "simplex"
            back = {"source": link["target"], "target": link["source"], "duplex": "simplex"}
            time = random.choice(["1", "2", "1/3", "5"])
            asked["platform"]["links"].append(back | {"unit_time": time})
    asked |= {"return_orders": "lifo", **problem}
    return document


def random_returning_tree(random: Random, most: int, **problem: Any) -> dict[str, Any]:
    """Draw a tree whose results come back the other way round."""
    ports = random.choice(["one_port", "strict_one_port"])
    return with_ways_back(random_tree(random, most), random, ports=ports, **problem)


class Returning:
    """Times of a tree, by processor: of the whole load down, of its work, and of all results up."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        asked = document["problem"]
        load = {name: F(volume) for name, volume in asked["load"].items()}
        self.master = asked["master"]
        self.two_ports = asked["ports"] == "one_port"
        self.work = {
            one["id"]: F(one["unit_time"]) * load["computation_volume"]
            for one in asked["platform"]["processors"]
            if "unit_time" in one
        }
        self.down: dict[str, Fraction] = {}
        self.up: dict[str, Fraction] = {}
        self.children: dict[str, list[str]] = {}
        above = {self.master}
        for link in asked["platform"]["links"]:
            a, b, time = link["source"], link["target"], F(link["unit_time"])
            # In these documents every way down is listed from the top, and before the ways up.
            if b in above:
                self.up[a] = time * load["return_volume"]
                continue
            above.add(b)
            self.children.setdefault(a, []).append(b)
            self.down[b] = time * load["communication_volume"]
            self.up[b] = time * load["return_volume"]

    def orders(self) -> Iterator[Children]:
        """Give all orders of all children."""
        ways = product(*(permutations(siblings) for siblings in self.children.values()))
        return (dict(zip(self.children, way, strict=True)) for way in ways)

    def participants(self) -> Iterator[tuple[str, ...]]:
        """Give all sets of those who compute something."""
        names = list(self.work)
        return chain.from_iterable(combinations(names, size) for size in range(1, len(names) + 1))

    def below(self, name: str) -> set[str]:
        """Give a processor and all behind it."""
        return {name}.union(*map(self.below, self.children.get(name, ())))

    def shortest(self, orders: Children, computing: Sequence[str]) -> Fraction:
        """Give the least makespan at some orders, where only these processors compute."""
        after = self._after(orders, computing)
        times = {step: self._time(step, computing) for step in after}
        paths: dict[Step, set[tuple[Fraction, ...]]] = {}

        def to(step: Step) -> set[tuple[Fraction, ...]]:
            if step not in paths:
                before = set().union(*map(to, after[step])) or {(F(0),) * len(computing)}
                paths[step] = {
                    tuple(a + b for a, b in zip(way, times[step], strict=True)) for way in before
                }
            return paths[step]

        rows = set().union(*map(to, after))
        kept = [
            row
            for row in rows
            if not any(
                other != row and all(a <= b for a, b in zip(row, other, strict=True))
                for other in rows
            )
        ]
        return least_maximum(kept, [F(0)] * len(kept))

    def _time(self, step: Step, computing: Sequence[str]) -> tuple[Fraction, ...]:
        what, whose = step
        if what == "compute":
            return tuple(self.work[whose] if name == whose else F(0) for name in computing)
        time = self.down[whose] if what == "down" else self.up[whose]
        behind = self.below(whose)
        return tuple(time if name in behind else F(0) for name in computing)

    def _after(self, orders: Children, computing: Sequence[str]) -> dict[Step, list[Step]]:
        """Say after which others each step comes."""
        after: dict[Step, list[Step]] = {("compute", name): [] for name in computing}
        for sender, siblings in orders.items():
            taking = [name for name in siblings if self.below(name) & {*computing}]
            for place, name in enumerate(taking):
                after["down", name] = [("down", one) for one in taking[:place]]
                after["up", name] = [("up", one) for one in taking[place + 1 :]]
                if sender != self.master:
                    after["down", name].append(("down", sender))
                if not self.two_ports:
                    after["up", name] += [("down", one) for one in taking]
                after["up", name].append(("down", name))
                after["up", name] += [
                    ("up", one)
                    for one in self.children.get(name, ())
                    if self.below(one) & {*computing}
                ]
                if name in computing:
                    after["compute", name] = [("down", name)]
                    after["up", name].append(("compute", name))
        return after
