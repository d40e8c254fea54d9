"""Graphs whose channels have places, run by the clock: each firing as early as tokens and places allow.

Times are whole numbers, and an actor runs one firing at a time. A place is taken when the firing that
makes the token starts, and free when the one that takes it ends.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from typing import NamedTuple

Rates = tuple[int, ...]


class Queue(NamedTuple):
    """A channel; rates by phase."""

    source: int
    target: int
    made: Rates
    taken: Rates
    tokens: int


class Machine(NamedTuple):
    """Times by phase, the firings of an iteration, and the channels, whose places are counted."""

    times: Sequence[Rates]
    firings: Sequence[int]
    queues: Sequence[Queue]

    def period(self, places: Sequence[int]) -> Fraction | None:
        """Run until a state comes back, and give the time per iteration; None: it stops for ever."""
        queues, count = self.queues, len(self.times)
        tokens = [queue.tokens for queue in queues]
        free = [most - queue.tokens for most, queue in zip(places, queues, strict=True)]
        fired, left = [0] * count, [0] * count
        running = [False] * count
        seen: dict[tuple[int, ...], tuple[int, int]] = {}
        clock = done = 0
        while True:
            while True:
                moved = False
                for actor in range(count):
                    if running[actor] and not left[actor]:
                        phase = fired[actor] % len(self.times[actor])
                        for i, queue in enumerate(queues):
                            if queue.source == actor:
                                tokens[i] += queue.made[phase]
                            if queue.target == actor:
                                free[i] += queue.taken[phase]
                        running[actor], moved = False, True
                        fired[actor] += 1
                        done += actor == 0
                    if not running[actor] and self._may(actor, fired[actor], tokens, free):
                        phase = fired[actor] % len(self.times[actor])
                        for i, queue in enumerate(queues):
                            if queue.target == actor:
                                tokens[i] -= queue.taken[phase]
                            if queue.source == actor:
                                free[i] -= queue.made[phase]
                        running[actor], moved = True, True
                        left[actor] = self.times[actor][phase]
                if not moved:
                    break
            if not any(running):
                return None
            phases = (n % len(times) for n, times in zip(fired, self.times, strict=True))
            state = (*tokens, *free, *left, *phases)
            if state in seen:
                since, before = seen[state]
                return Fraction((clock - since) * self.firings[0], done - before)
            seen[state] = clock, done
            wait = min(rest for rest, runs in zip(left, running, strict=True) if runs)
            left = [rest - wait if runs else 0 for rest, runs in zip(left, running, strict=True)]
            clock += wait

    def _may(self, actor: int, firing: int, tokens: Sequence[int], free: Sequence[int]) -> bool:
        phase = firing % len(self.times[actor])
        return all(
            (queue.target != actor or tokens[i] >= queue.taken[phase])
            and (queue.source != actor or free[i] >= queue.made[phase])
            for i, queue in enumerate(self.queues)
        )

    def front(self, least: Fraction, weights: Sequence[int]) -> dict[int, Fraction]:
        """Try all places, fewer first, until one reaches the least period; give the best of each number."""
        bounds = [max(q.tokens, *q.made, *q.taken) for q in self.queues]
        found: dict[int, Fraction] = {}
        size = sum(w * low for w, low in zip(weights, bounds, strict=True))
        best: Fraction | None = None
        while best is None or best > least:
            for more in product(*(range((size // w) + 1) for w in weights[1:])):
                chosen = [low + n for low, n in zip(bounds[1:], more, strict=True)]
                rest, part = divmod(
                    size - sum(w * n for w, n in zip(weights[1:], chosen, strict=True)), weights[0]
                )
                if part or rest < bounds[0]:
                    continue
                period = self.period([rest, *chosen])
                if period is not None and (best is None or period < best):
                    best = found[size] = period
            size += 1
        return found
