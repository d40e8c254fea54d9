"""Actors and channels of a dataflow graph, by number, and where their firings find tokens."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from math import gcd, lcm
from typing import NamedTuple, TypeVar

from steadygrid.kinds.dataflow.schemas import DataflowInstance, room_name

V = TypeVar("V")


class Actor(NamedTuple):
    """Who fires: one time for each phase, and cycles per iteration."""

    name: str
    times: tuple[Fraction, ...]
    repetitions: int


@dataclass(frozen=True)
class Channel:
    """Who waits for whom; rates by phase."""

    name: str | None
    """None: the order of an actor's own firings, one token that goes round."""
    source: int
    target: int
    production: tuple[int, ...]
    consumption: tuple[int, ...]
    tokens: int
    ordered: bool
    """Whether it is enough to wait for the last token."""
    of: int | None = None
    """The number of the channel whose free places these tokens are. None for a queue of tokens."""

    @property
    def keeps_order(self) -> bool:
        """Whether its one token goes round an actor, which so runs one firing at a time."""
        own = self.source == self.target
        return own and _keep_order(self.production, self.consumption, self.tokens)

    def made_by(self, firing: int) -> tuple[int, int]:
        """Give the positions that a firing makes, from 0: the first, and the one after the last."""
        first, end = _moved(self._made, firing)
        return self.tokens + first, self.tokens + end

    def taken_by(self, firing: int) -> tuple[int, int]:
        """Give the positions that a firing takes, likewise."""
        return _moved(self._taken, firing)

    @cached_property
    def _made(self) -> list[int]:
        return list(accumulate(self.production, initial=0))

    @cached_property
    def _taken(self) -> list[int]:
        return list(accumulate(self.consumption, initial=0))


def _keep_order(made: Sequence[int], taken: Sequence[int], tokens: int) -> bool:
    return tokens == 1 and {*made, *taken} == {1}


def _moved(before: Sequence[int], firing: int) -> tuple[int, int]:
    """Count the tokens before a firing and after it, given those before each phase and in all."""
    cycle, phase = divmod(firing, len(before) - 1)
    return cycle * before[-1] + before[phase], cycle * before[-1] + before[phase + 1]


@dataclass(frozen=True)
class Net:
    """The actors and all that they wait for."""

    actors: tuple[Actor, ...]
    channels: tuple[Channel, ...]

    @cached_property
    def scale(self) -> int:
        """Units of time in which all times are whole, per time unit."""
        return lcm(*{time.denominator for actor in self.actors for time in actor.times})

    def among(self, members: Sequence[int]) -> "Net":
        """Give the part of some actors, in this order, and the channels between them."""
        index = {actor: place for place, actor in enumerate(members)}
        return Net(
            tuple(self.actors[actor] for actor in members),
            tuple(
                replace(channel, source=index[channel.source], target=index[channel.target])
                for channel in self.channels
                if channel.source in index and channel.target in index
            ),
        )


def _by_phase(given: V | tuple[V, ...], phases: int) -> tuple[V, ...]:
    """Write a value for each phase. A single one holds for all."""
    values = given if isinstance(given, tuple) else (given,)
    return values if len(values) == phases else values * phases


def net_of(instance: DataflowInstance) -> Net:
    """Read an instance without faults."""
    graph = instance.graph
    index = {actor.id: place for place, actor in enumerate(graph.actors)}
    phases = [_length(actor.times) for actor in graph.actors]
    for given in graph.channels:
        for end, listed in ((given.source, given.production), (given.target, given.consumption)):
            phases[index[end]] = max(phases[index[end]], _length(listed))
    ends = [(index[given.source], index[given.target]) for given in graph.channels]
    rates = [
        (
            _by_phase(given.production, phases[source]),
            _by_phase(given.consumption, phases[target]),
        )
        for given, (source, target) in zip(graph.channels, ends, strict=True)
    ]
    in_order = {
        source
        for given, (source, target), moved in zip(graph.channels, ends, rates, strict=True)
        if source == target and _keep_order(*moved, given.tokens)
    }
    alone = (
        sorted(set(range(len(phases))) - in_order) if instance.concurrency == "sequential" else []
    )
    # Where no actor has phases, the last token is the one that comes last.
    ordered = {*in_order, *alone} if max(phases) > 1 else set(range(len(phases)))
    channels = [
        Channel(name, *joined, *moved, given.tokens, joined[0] in ordered)
        for name, given, joined, moved in zip(
            instance.channel_names, graph.channels, ends, rates, strict=True
        )
    ]
    capacities = instance.capacities or {}
    channels += [
        Channel(
            room_name(channel.name or ""),
            channel.target,
            channel.source,
            channel.consumption,
            channel.production,
            capacities[channel.name or ""] - channel.tokens,
            channel.target in ordered,
            number,
        )
        for number, channel in enumerate(channels)
        if channel.name in capacities
    ]
    for actor in alone:
        ones = (1,) * phases[actor]
        channels.append(Channel(None, actor, actor, ones, ones, 1, True))
    counts = _repetitions(len(phases), channels)
    return Net(
        tuple(
            Actor(actor.id, _by_phase(actor.times, phases[place]), counts[place])
            for place, actor in enumerate(graph.actors)
        ),
        tuple(channels),
    )


def _length(given: object) -> int:
    return len(given) if isinstance(given, tuple) else 1


def _repetitions(actors: int, channels: Sequence[Channel]) -> list[int]:
    """Give the least cycles of each actor after which all channels hold as much as before."""
    beside: list[list[tuple[int, int, int]]] = [[] for _ in range(actors)]
    for channel in channels:
        made, taken = sum(channel.production), sum(channel.consumption)
        beside[channel.source].append((channel.target, made, taken))
        beside[channel.target].append((channel.source, taken, made))
    share = {0: (1, 1)}
    waiting = [0]
    for actor in waiting:
        for other, made, taken in beside[actor]:
            if other not in share:
                above, below = share[actor]
                above, below = above * made, below * taken
                common = gcd(above, below)
                share[other] = above // common, below // common
                waiting.append(other)
    unit = lcm(*{below for _, below in share.values()})
    counts = [above * (unit // below) for above, below in (share[a] for a in range(actors))]
    common = gcd(*counts)
    return [count // common for count in counts]
