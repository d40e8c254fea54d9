"""The least period by enumeration: every plan, every choice of windows, every cycle of differences.

A schedule of a plan is a start of each pass of a data set. With so many data sets in flight that the
backward pass of stage s begins between h and h + 1 turns after its forward pass, what has to hold are
differences of starts: at least a time, less a multiple of the period. A period is long enough if and only
if on no cycle of these the times exceed the multiples of the period. No formula for round trips is used.
"""

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise, product
from typing import Any, NamedTuple

F = Fraction
Document = dict[str, Any]


class Stage(NamedTuple):
    first: int
    end: int
    device_type: int
    copies: int


class Numbers:
    """What a document asks, read plainly."""

    def __init__(self, asked: Document) -> None:
        layers, self.device_types = asked["layers"], asked["devices"]
        self.count = len(layers)
        names = [layer["id"] for layer in layers]
        self.forward = [
            [F(l["forward"]) / F(s.get("speed", 1)) for l in layers] for s in self.device_types
        ]
        self.backward = [
            [F(l.get("backward", 0)) / F(s.get("speed", 1)) for l in layers]
            for s in self.device_types
        ]
        for device_type, device in enumerate(self.device_types):
            if "times" in device:
                self.forward[device_type] = [F(device["times"][name][0]) for name in names]
                self.backward[device_type] = [F(device["times"][name][1]) for name in names]
        self.trains = any(time for row in self.backward for time in row)
        self.memory = [F(l.get("memory", 0)) for l in layers]
        self.in_flight = [F(l.get("in_flight", 0)) for l in layers]
        self.weights = [F(l.get("weights", 0)) for l in layers]
        self.output = [F(l.get("output", 0)) for l in layers]
        self.gradient = [
            F(l.get("gradient", l.get("output", 0))) if self.trains else F(0) for l in layers
        ]
        for skip in asked.get("skips", ()):
            for i in range(names.index(skip["source"]), names.index(skip["target"])):
                self.output[i] += F(skip["size"])
                self.gradient[i] += F(skip["size"]) if self.trains else 0
        self.update = asked.get("update_every", 1)
        self.bandwidth = asked.get("bandwidth")
        most = asked.get("max_replicas")
        by_layer = most if isinstance(most, dict) else dict.fromkeys(names, most)
        self.most = [by_layer.get(name) for name in names]

    def transfers(self, last: int, one: int, other: int) -> tuple[Fraction, Fraction]:
        width = self.bandwidth
        if width is None:
            return F(0), F(0)
        if isinstance(width, list):
            ends = {self.device_types[one]["id"], self.device_types[other]["id"]}
            width = next(p["bandwidth"] for p in width if {p["source"], p["target"]} == ends)
        return self.output[last] / F(width), self.gradient[last] / F(width)


def plans(numbers: Numbers) -> Iterator[tuple[Stage, ...]]:
    """Give every plan: cuts, device types and copies."""

    def rest(first: int, left: list[int]) -> Iterator[tuple[Stage, ...]]:
        if first == numbers.count:
            yield ()
            return
        for end in range(first + 1, numbers.count + 1):
            most = [copies for copies in numbers.most[first:end] if copies is not None]
            for device_type, free in enumerate(left):
                for copies in range(1, min([free, *most]) + 1):
                    after = [*left]
                    after[device_type] -= copies
                    for following in rest(end, after):
                        yield (Stage(first, end, device_type, copies), *following)

    yield from rest(0, [device_type["count"] for device_type in numbers.device_types])


def least_period(numbers: Numbers, plan: tuple[Stage, ...]) -> Fraction | None:
    """Give the least period of a plan; None where a stage has no room for one data set."""
    least = F(0)
    windows: list[int] = []
    passes: list[tuple[Fraction, Fraction]] = []
    for first, end, device_type, copies in plan:
        device = numbers.device_types[device_type]
        forward = sum(numbers.forward[device_type][first:end], F(0))
        backward = sum(numbers.backward[device_type][first:end], F(0))
        passes.append((forward, backward))
        least = max(least, (forward + backward) / copies)
        if "reduce_bandwidth" in device:
            data = 2 * F(copies - 1, copies) * sum(numbers.weights[first:end], F(0))
            least = max(least, data / F(device["reduce_bandwidth"]) / numbers.update)
        most = 4 * sum(device_type["count"] for device_type in numbers.device_types) + 2
        if "memory" in device:
            room = F(device["memory"]) - sum(numbers.memory[first:end], F(0))
            each = sum(numbers.in_flight[first:end], F(0))
            if each > room:
                return None
            if each:
                most = min(most, int(room / each))
        windows.append(most)
    moved = []
    for one, other in pairwise(plan):
        both = numbers.transfers(one.end - 1, one.device_type, other.device_type)
        moved.append(both)
        least = max(least, max(both) / min(one.copies, other.copies))
    if not numbers.trains:
        return least
    found = [
        period
        for window in product(*map(range, _useful(plan, windows)))
        if (period := _by_cycles(plan, passes, moved, window)) is not None
    ]
    return max(least, min(found))


def _useful(plan: tuple[Stage, ...], windows: list[int]) -> list[int]:
    """More turns than all stages behind and their transfers can take change nothing."""
    found = []
    for i, (stage, most) in enumerate(zip(plan, windows, strict=True)):
        behind = sum(4 * other.copies for other in plan[i + 1 :])
        turns = -(-(behind + 4 * stage.copies) // stage.copies)
        found.append(min(most, turns + 1))
    return found


def _by_cycles(
    plan: tuple[Stage, ...],
    passes: list[tuple[Fraction, Fraction]],
    moved: list[tuple[Fraction, Fraction]],
    window: tuple[int, ...],
) -> Fraction | None:
    """Give the least period with these windows; None where no period is long enough.

    Starts 2s and 2s + 1 are those of the passes of stage s. With forward passes in order, the longest
    distances from one to the other are found by going around stages i to j: out on the forward passes,
    over at j, and back; every simple cycle is one of these, or the two ends of one window.
    """
    least = F(0)
    for i in range(len(plan)):
        out, back = F(0), F(0)
        for j in range(i, len(plan)):
            if j > i:
                out += passes[j - 1][0] + moved[j - 1][0]
                back += passes[j][1] + moved[j - 1][1]
            # Around: out to j, over there, back to i, and from there within the window of i.
            time = out + passes[j][0] + back + passes[i][1]
            turns = (window[i] + 1) * plan[i].copies - window[j] * plan[j].copies
            if turns < 0 or (time and not turns):
                return None
            if turns:
                least = max(least, time / turns)
    return least
