"""MSCCL XML run on the clock: when the last piece is received, in whole ticks.

Written from the model of a run: it reads the text of an algorithm and a platform, and knows
neither trees nor orders. All instances are run, piece by piece, and all rates found anew at each
event.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from math import ceil
from typing import Any

from tests.formats.msccl_machine import Element

Hop = tuple[int, int]


class Clock:
    """One run. `routes` say how what one rank sends to another travels, `uses` what a hop takes."""

    def __init__(
        self,
        algorithm: Element,
        routes: Mapping[tuple[int, int], Sequence[int]],
        uses: Mapping[Hop, Sequence[int]],
        bandwidths: Mapping[int, Fraction],
        latencies: Mapping[Hop, Fraction],
    ) -> None:
        self.blocks = {(g.id, b.id): b for g in algorithm.children for b in g.children}
        self.receivers = {
            (b.recv, rank, b.chan): (rank, number)
            for (rank, number), b in self.blocks.items()
            if b.recv >= 0
        }
        self.routes, self.uses, self.latencies = routes, uses, latencies
        senders = [key for key, block in self.blocks.items() if block.send >= 0]
        taken = {key: self.taken((key[0], self.blocks[key].send)) for key in senders}
        self.slowest = min(bandwidths[name] for names in taken.values() for name in names)
        self.capacity = {
            name: int(2**20 * bandwidths[name] / self.slowest)
            for names in taken.values()
            for name in names
        }
        self.names = taken

    def taken(self, ends: tuple[int, int]) -> list[int]:
        return [name for hop in pairwise(self.routes[ends]) for name in self.uses[hop]]

    def run(
        self,
        data: Fraction,
        loops: int,
        step_time: Fraction = Fraction(0),
        factors: Mapping[tuple[int, int], Iterator[float]] | None = None,
    ) -> Fraction:
        """Give the time of a run; by the two ranks, `factors` of one piece after the other."""
        tick = data / (self.slowest * 2**28)
        step_ticks = -(-step_time // tick)
        delay = {
            key: -(-sum(self.latencies.get(h, 0) for h in pairwise(self.routes[key[0], b.send])) // tick)
            for key, b in self.blocks.items()
            if b.send >= 0
        }  # fmt: skip
        done = dict.fromkeys(self.blocks, 0)
        begun = dict.fromkeys(self.names, 0)
        sending: dict[Any, int] = {}
        waiting: dict[Any, int] = {}
        arriving: dict[Any, list[int]] = {key: [] for key in self.names}
        factor: dict[Any, float] = dict.fromkeys(self.names, 1)
        for block in self.blocks:
            if all(step.type == "cpy" for step in self.blocks[block].children):
                done[block] = loops * len(self.blocks[block].children)
        now = 0
        while True:
            self.receive(now, loops, done, arriving)
            for key in self.names:
                if (
                    key not in sending
                    and key not in waiting
                    and self.starts(key, loops, done, begun)
                ):
                    begun[key] += 1
                    if factors is not None:
                        factor[key] = next(factors[key[0], self.blocks[key].send])
                    waiting[key] = now + ceil(step_ticks * factor[key])
            for key in [key for key, at in waiting.items() if at <= now]:
                del waiting[key]
                units = 2**48 * self.step(key, begun[key] - 1).cnt
                sending[key] = ceil(units * factor[key])
            rates = self.rates(list(sending))
            ends = [now - (-left // rates[key]) for key, left in sending.items()]
            ends += [*waiting.values()]
            ends += [at for times in arriving.values() for at in times if at > now]
            if not ends:
                break
            passed, now = min(ends) - now, min(ends)
            for key in list(sending):
                sending[key] -= rates[key] * passed
                if sending[key] <= 0:
                    del sending[key]
                    done[key] += 1
                    arriving[key].append(now + ceil(delay[key] * factor[key]))
        for key, block in self.blocks.items():
            assert done[key] == loops * len(block.children), key
        return now * tick

    def step(self, key: Any, number: int) -> Element:
        steps = self.blocks[key].children
        return steps[number % len(steps)]

    def met(self, key: Any, number: int, done: Mapping[Any, int]) -> bool:
        """Whether the step that a step waits for is done, in the same loop."""
        step = self.step(key, number)
        other = key[0], step.depid
        loop = number // len(self.blocks[key].children)
        return step.depid < 0 or done[other] > loop * len(self.blocks[other].children) + step.deps

    def starts(self, key: Any, loops: int, done: Any, begun: Any) -> bool:
        receiver = self.receivers[key[0], self.blocks[key].send, self.blocks[key].chan]
        return (
            begun[key] < loops * len(self.blocks[key].children)
            and begun[key] - done[receiver] < 2
            and self.met(key, begun[key], done)
        )

    def receive(self, now: int, loops: int, done: Any, arriving: Any) -> None:
        changed = True
        while changed:
            changed = False
            for key, times in arriving.items():
                block = self.blocks[key]
                receiver = self.receivers[key[0], block.send, block.chan]
                if times and times[0] <= now and self.met(receiver, done[receiver], done):
                    times.pop(0)
                    done[receiver] += 1
                    changed = True

    def rates(self, flows: list[Any]) -> dict[Any, int]:
        left = dict(self.capacity)
        rates: dict[Any, int] = {}
        while len(rates) < len(flows):
            uses: dict[int, int] = {}
            for key in flows:
                if key not in rates:
                    for name in self.names[key]:
                        uses[name] = uses.get(name, 0) + 1
            shares = {name: left[name] // number for name, number in uses.items()}
            least = min(shares.values())
            served = [
                key
                for key in flows
                if key not in rates and any(shares[name] == least for name in self.names[key])
            ]
            for key in served:
                rates[key] = least
                for name in self.names[key]:
                    left[name] -= least
        return rates
