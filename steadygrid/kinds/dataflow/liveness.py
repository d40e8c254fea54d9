"""Whether firings wait for each other for ever, as far as admission has time to find out."""

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate

from steadygrid.kinds.dataflow.rates import Ends, in_circles, repetitions
from steadygrid.kinds.dataflow.schemas import DataflowGraph

MOST_LOOKS = 200_000
"""At channels and phases; admission may not take longer."""


def seen_to_be_live(graph: DataflowGraph, ends: Ends, phases: Sequence[int]) -> bool:
    """Tell whether an iteration is seen to come to its end, actors firing one after the other.

    False where they wait for each other, and where `MOST_LOOKS` are not enough. Then they may still be
    live: with ``concurrency: auto``, phases that take nothing of a channel overtake those that wait for
    it.

    Parameters
    ----------
    graph
        As it was sent, with rates that balance.
    ends
        Of each channel, with the tokens that a cycle makes and takes.
    phases
        How many each actor has.

    Notes
    -----
    Which firings are done first does not matter (Lee, Messerschmitt 1987), so each actor that can fire
    does so as often as its tokens allow. Only cycles of channels can stop anything.
    """
    inside = in_circles(len(graph.actors), ends)
    channels = [
        i
        for i, (a, b) in enumerate(zip(ends.sources, ends.targets, strict=True))
        if inside[a] and inside[b]
    ]
    looks = sum(phases[ends.sources[i]] + phases[ends.targets[i]] for i in channels)
    if looks > MOST_LOOKS:
        return False
    play = _Play(graph, ends, phases, channels)
    waiting = list(play.left)
    for actor in waiting:
        looks += len(play.takes[actor]) + len(play.makes[actor])
        if looks > MOST_LOOKS:
            return False
        waiting += play.fire(actor)
    return not any(play.left.values())


class _Play:
    """Tokens on some channels, and the firings of an iteration that are left to do."""

    def __init__(
        self, graph: DataflowGraph, ends: Ends, phases: Sequence[int], channels: Sequence[int]
    ) -> None:
        self._ends, self._phases = ends, phases
        self._made: dict[int, list[int]] = {}
        self._taken: dict[int, list[int]] = {}
        self._tokens: dict[int, int] = {}
        actors = dict.fromkeys(ends.sources[i] for i in channels)
        actors |= dict.fromkeys(ends.targets[i] for i in channels)
        self.makes: dict[int, list[int]] = {actor: [] for actor in actors}
        self.takes: dict[int, list[int]] = {actor: [] for actor in actors}
        for i in channels:
            source, target, channel = ends.sources[i], ends.targets[i], graph.channels[i]
            self._made[i] = _sums(channel.production, phases[source])
            self._taken[i] = _sums(channel.consumption, phases[target])
            self._tokens[i] = channel.tokens
            if source != target or not self._never_waits(i):
                self.makes[source].append(i)
                self.takes[target].append(i)
        cycles = repetitions(len(phases), ends)
        self.left = {actor: cycles[actor] * phases[actor] for actor in actors}
        self._fired = dict.fromkeys(actors, 0)

    def _never_waits(self, channel: int) -> bool:
        """Tell whether a channel of an actor to itself always has enough: each cycle leaves the same."""
        made, taken = self._made[channel], self._taken[channel]
        return all(
            self._tokens[channel] + before >= after
            for before, after in zip(made[:-1], taken[1:], strict=True)
        )

    def fire(self, actor: int) -> list[int]:
        """Fire as often as the tokens allow; give the actors that may be able to fire now."""
        fired = self._fired[actor]
        able = [self._reach(self._taken[i], fired, self._tokens[i]) for i in self.takes[actor]]
        count = min([self.left[actor], *able])
        if not count:
            return []
        self.left[actor] -= count
        self._fired[actor] += count
        for i in self.takes[actor]:
            self._tokens[i] -= _moved(self._taken[i], fired + count) - _moved(self._taken[i], fired)
        for i in self.makes[actor]:
            self._tokens[i] += _moved(self._made[i], fired + count) - _moved(self._made[i], fired)
        return list(dict.fromkeys(self._ends.targets[i] for i in self.makes[actor]))

    @staticmethod
    def _reach(taken: Sequence[int], fired: int, tokens: int) -> int:
        """Count the firings, after so many, for which the tokens of a channel are enough."""
        cycles, rest = divmod(tokens + _moved(taken, fired), taken[-1])
        return cycles * (len(taken) - 1) + bisect_right(taken, rest) - 1 - fired


def _sums(rates: int | tuple[int, ...], phases: int) -> list[int]:
    """Add up the tokens of a cycle, before each phase and after the last."""
    listed = rates if isinstance(rates, tuple) else (rates,)
    return list(accumulate(listed if len(listed) == phases else listed * phases, initial=0))


def _moved(sums: Sequence[int], firings: int) -> int:
    """Count the tokens that so many firings move."""
    cycles, phase = divmod(firings, len(sums) - 1)
    return cycles * sums[-1] + sums[phase]
