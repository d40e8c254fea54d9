"""The graph as the referee of `dataflow` reads it, by itself."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate, cycle, islice
from typing import NamedTuple

from steadygrid.domain.rational import Rational
from steadygrid.kinds.dataflow.schemas import DataflowInstance, room_name


class Span(NamedTuple):
    """Positions of tokens in a channel, those of the beginning first."""

    first: int
    end: int
    """The first position after it."""


class Rates:
    """Tokens that the firings at one end of a channel move.

    Parameters
    ----------
    given
        For every phase, or one number for all.
    """

    def __init__(self, given: int | tuple[int, ...]) -> None:
        self._rates = given if isinstance(given, tuple) else (given,)
        self._sums = list(accumulate(self._rates, initial=0))

    def tokens_before(self, firing: int) -> int:
        """Count the tokens of all firings before this one."""
        turns, rest = divmod(firing, len(self._sums) - 1)
        return turns * self._sums[-1] + self._sums[rest]

    def ends(self, count: int, first: int) -> list[int]:
        """Give the position of the first token of each of the first firings, and of the one after.

        Parameters
        ----------
        count
            Of firings.
        first
            Position of the first token of the first firing.

        Returns
        -------
        list of int
            One more than there are firings.
        """
        return list(accumulate(islice(cycle(self._rates), count), initial=first))


class Channel(NamedTuple):
    """A queue of tokens from one actor to another, both by number."""

    name: str
    source: int
    target: int
    production: Rates
    consumption: Rates
    initial: int

    def made(self, firing: int) -> Span:
        """Give the tokens that a firing of the source makes."""
        rates = self.production
        return Span(
            self.initial + rates.tokens_before(firing),
            self.initial + rates.tokens_before(firing + 1),
        )

    def taken(self, firing: int) -> Span:
        """Give the tokens that a firing of the target takes."""
        return Span(
            self.consumption.tokens_before(firing), self.consumption.tokens_before(firing + 1)
        )


class Graph:
    """Actors and channels by number.

    Attributes
    ----------
    names, phases, channels
    index
        Of actors by name.
    by_name
        The channels, and the free places of those that have a limit.
    sequential
        Whether an actor runs one firing at a time, in order.
    """

    def __init__(self, instance: DataflowInstance) -> None:
        actors, channels = instance.graph.actors, instance.graph.channels
        self.names = [actor.id for actor in actors]
        self.index = {name: i for i, name in enumerate(self.names)}
        self.sequential = instance.concurrency == "sequential"
        self.phases = [1] * len(actors)
        for actor in actors:
            self._lengthen(actor.id, actor.times)
        for channel in channels:
            self._lengthen(channel.source, channel.production)
            self._lengthen(channel.target, channel.consumption)
        self._times: list[Sequence[Fraction]] = [
            actor.times if isinstance(actor.times, tuple) else (actor.times,) for actor in actors
        ]
        self.channels = [
            Channel(
                name,
                self.index[channel.source],
                self.index[channel.target],
                Rates(channel.production),
                Rates(channel.consumption),
                channel.tokens,
            )
            for name, channel in zip(instance.channel_names, channels, strict=True)
        ]
        self.by_name = {channel.name: channel for channel in self.channels}
        for name, places in (instance.capacities or {}).items():
            room = self.room(self.by_name[name], places)
            self.by_name[room.name] = room

    def numbered(self, place: int) -> Channel | None:
        """Give one of the n channels, from 0, or the free places of channel i as n + i. None: there is none.

        Parameters
        ----------
        place
            The number.
        """
        count = len(self.channels)
        if 0 <= place < count:
            return self.channels[place]
        if count <= place < 2 * count:
            return self.by_name.get(room_name(self.channels[place - count].name))
        return None

    @staticmethod
    def room(channel: Channel, places: int) -> Channel:
        """Give what leads back to the source of a channel: its places that are free.

        A firing of the source takes them when it starts; one of the target gives them back when it
        ends.

        Parameters
        ----------
        channel
            Of tokens.
        places
            That it has; at least as many as tokens at the beginning.
        """
        return Channel(
            room_name(channel.name),
            channel.target,
            channel.source,
            channel.consumption,
            channel.production,
            places - channel.initial,
        )

    def _lengthen(self, actor: str, given: Rational | int | tuple[Rational | int, ...]) -> None:
        if isinstance(given, tuple):
            i = self.index[actor]
            self.phases[i] = max(self.phases[i], len(given))

    def time(self, actor: int, firing: int) -> Fraction:
        """Give the time that a firing takes.

        Parameters
        ----------
        actor
            By number.
        firing
            Counted from 0, over all cycles.
        """
        return self._times[actor][firing % len(self._times[actor])]

    def per_cycle(self, channel: Channel) -> tuple[int, int]:
        """Count the tokens that a cycle of the source makes, and that a cycle of the target takes."""
        return (
            channel.production.tokens_before(self.phases[channel.source]),
            channel.consumption.tokens_before(self.phases[channel.target]),
        )
