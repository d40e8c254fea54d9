"""The explicit net of a workflow, row by row, as the source draws it, read from the body alone."""

from collections.abc import Mapping
from fractions import Fraction
from math import lcm
from typing import Any


class Net:
    """All operations of `rows` data sets, and which of them wait for which.

    Attributes
    ----------
    times
        By operation and data set.
    """

    def __init__(self, body: Mapping[str, Any]) -> None:
        problem = body["problem"]
        mapping = problem["mapping"]
        tasks = [task["id"] for task in problem["application"]["tasks"]]
        times = {task["id"]: task["times"] for task in problem["application"]["tasks"]}
        stage = {task: i for i, one in enumerate(mapping) for task in one["tasks"]}
        files = problem["application"]["files"]
        between = [f for f in files if stage[f["source"]] != stage[f["target"]]]
        order: list[int] = []
        while len(order) < len(mapping):
            order.append(
                next(
                    i
                    for i in range(len(mapping))
                    if i not in order
                    and all(stage[f["source"]] in order for f in between if stage[f["target"]] == i)
                )
            )
        speed = {
            (link["source"], link["target"]): Fraction(link["unit_time"])
            for link in problem["platform"]["links"]
        }
        self.mapping, self.no_overlap = mapping, problem["ports"] == "no_overlap"
        self.rows = lcm(*(len(one["processors"]) for one in mapping))
        self.operations: list[Any] = []
        self.ends: dict[Any, tuple[int, ...]] = {}
        for i in order:
            name = min(mapping[i]["tasks"], key=tasks.index)
            self.operations.append(name)
            self.ends[name] = (i,)
            for f in between:
                if stage[f["source"]] == i:
                    file = (f["source"], f["target"])
                    self.operations.append(file)
                    self.ends[file] = (i, stage[f["target"]])
        sizes = {(f["source"], f["target"]): Fraction(f["size"]) for f in files}

        def took(name: Any, n: int) -> Fraction:
            places = self.places(name, n)
            if isinstance(name, str):
                (i,) = self.ends[name]
                return sum(
                    (Fraction(times[task][places[0]]) for task in mapping[i]["tasks"]), Fraction(0)
                )
            sender, receiver = places
            return sizes[name] * speed[sender, receiver]

        self.times = {(o, n): took(o, n) for o in self.operations for n in range(self.rows)}

    def places(self, name: Any, n: int) -> tuple[str, ...]:
        """Name the processors that take part."""
        return tuple(
            self.mapping[i]["processors"][n % len(self.mapping[i]["processors"])]
            for i in self.ends[name]
        )

    def resources(self, name: Any, n: int) -> list[str]:
        """Name what an operation holds."""
        places = self.places(name, n)
        if self.no_overlap:
            return [f"{place}.port" for place in places]
        if isinstance(name, str):
            return [f"{places[0]}.compute"]
        return [f"{places[0]}.send", f"{places[1]}.receive"]

    def play(self, turns: int) -> dict[tuple[Any, int], Fraction]:
        """Start everything as early as it can, from time 0 on."""
        free: dict[str, Fraction] = {}
        starts: dict[tuple[Any, int], Fraction] = {}
        for n in range(turns * self.rows):
            ended: dict[Any, Fraction] = {}
            for o in self.operations:
                held = self.resources(o, n)
                needs = [free.get(resource, Fraction(0)) for resource in held]
                if isinstance(o, str):
                    i = self.ends[o][0]
                    needs += [t for p, t in ended.items() if p != o and self.ends[p][-1] == i]
                else:
                    needs.append(next(ended[p] for p in ended if self.ends[p] == self.ends[o][:1]))
                starts[o, n] = max(needs)
                ended[o] = starts[o, n] + self.times[o, n % self.rows]
                for resource in held:
                    free[resource] = ended[o]
        return starts

    def job(self, transition: int, turns: int = 0) -> tuple[Any, int]:
        """Give the operation and the data set of a transition, some turns later."""
        row, place = divmod(transition, len(self.operations))
        return self.operations[place], row + turns * self.rows

    def places_of_tokens(self) -> list[tuple[int, int, Fraction, int]]:
        """List the places: transitions before and after, time of the first, tokens."""
        index = {
            (o, n): i
            for i, (n, o) in enumerate((n, o) for n in range(self.rows) for o in self.operations)
        }
        places: list[tuple[int, int, Fraction, int]] = []

        def place(one: tuple[Any, int], other: tuple[Any, int], tokens: int) -> None:
            places.append((index[one], index[other], self.times[one], tokens))

        queues: dict[str, list[tuple[Any, int]]] = {}
        for n in range(self.rows):
            for o in self.operations:
                for resource in self.resources(o, n):
                    queues.setdefault(resource, []).append((o, n))
                if not isinstance(o, str):
                    for p in self.operations:
                        if isinstance(p, str) and self.ends[p][0] == self.ends[o][0]:
                            place((p, n), (o, n), 0)
                        if isinstance(p, str) and self.ends[p][0] == self.ends[o][1]:
                            place((o, n), (p, n), 0)
        for queue in queues.values():
            for one, other in zip(queue, queue[1:] + queue[:1], strict=True):
                place(one, other, 1 if other is queue[0] else 0)
        return places

    def period(self) -> Fraction:
        """Find the largest ratio of time to tokens of a cycle, by cancelling better ones."""
        places = self.places_of_tokens()
        scale = lcm(*(time.denominator for _, _, time, _ in places))
        nodes = 1 + max(max(one, other) for one, other, _, _ in places)
        whole = [(one, other, int(time * scale), held) for one, other, time, held in places]
        ratio = Fraction(0)
        while (better := _better(nodes, whole, ratio)) is not None:
            ratio = better
        return ratio / scale / self.rows


def _better(
    nodes: int, places: list[tuple[int, int, int, int]], ratio: Fraction
) -> Fraction | None:
    """Find a cycle of a larger ratio (Bellman-Ford); None if there is none."""
    p, q = ratio.numerator, ratio.denominator
    edges = [(one, other, q * time - p * held, time, held) for one, other, time, held in places]
    value = [0] * nodes
    parent: list[tuple[int, int, int]] = [(0, 0, 0)] * nodes
    changed = -1
    for _ in range(nodes + 1):
        changed = -1
        for one, other, weight, time, held in edges:
            if value[one] + weight > value[other]:
                value[other] = value[one] + weight
                parent[other] = (one, time, held)
                changed = other
        if changed < 0:
            return None
    for _ in range(nodes):
        changed = parent[changed][0]
    node, total, tokens = changed, 0, 0
    while True:
        before, time, held = parent[node]
        node, total, tokens = before, total + time, tokens + held
        if node == changed:
            return Fraction(total, tokens)
