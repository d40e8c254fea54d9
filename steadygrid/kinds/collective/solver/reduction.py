"""A message that is combined two by two: what its trees may use, and what they take of it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import TypeVar

from steadygrid.domain.amounts import Amounts
from steadygrid.domain.combination import Combination
from steadygrid.domain.platform import computing_resource
from steadygrid.engine.combining.parts import Parts, intervals, subsets
from steadygrid.engine.combining.table import Combined, Places, Price, Prices, Table
from steadygrid.kinds.collective.schemas import CollectiveInstance, Message
from steadygrid.kinds.collective.solver.answer import Delivery
from steadygrid.kinds.collective.solver.grouped_messages import Network

FEW = 8
"""Sources of which a table of all parts is made in no time."""
Number = TypeVar("Number", Fraction, float)


@dataclass(frozen=True)
class Reduction:
    """The message of a reduce, and who may combine it.

    Attributes
    ----------
    times
        Of a combination of a unit of data, by the combiners of `places`, in order.
    ordered
        Whether only neighbours in the order of the sources may be combined.
    timed
        Whether combinations take time, and so are computed.
    """

    network: Network
    message: Message
    places: Places
    times: tuple[Fraction, ...]
    ordered: bool
    timed: bool

    @classmethod
    def from_instance(cls, instance: CollectiveInstance, network: Network) -> "Reduction":
        """Read it off an instance.

        Parameters
        ----------
        instance
            With one message, that is combined at one receiver.
        network
            The part of the platform that messages may use, with the messages by their common ends.
        """
        index, (message,) = instance.platform.index_by_id, instance.messages
        able = instance.combining
        times = dict.fromkeys(sorted(instance.copiers), Fraction(0)) if able is None else able
        places = Places(
            tuple(index[name] for name in message.sources),
            tuple(index[name] for name in times),
            index[message.receiver],
        )
        fixed = instance.order == "fixed"
        return cls(network, message, places, tuple(times.values()), fixed, able is not None)

    @property
    def parts(self) -> Parts:
        """What may be made of the message on its route."""
        count = len(self.places.owners)
        return intervals(tuple(range(count))) if self.ordered else subsets(count)

    @property
    def has_small_table(self) -> bool:
        """Whether a table of all parts is made quickly."""
        return self.ordered or len(self.places.owners) <= FEW

    @cached_property
    def computing(self) -> list[str]:
        """What each combiner combines with."""
        platform, ports = self.network.platform, self.network.ports
        return [computing_resource(platform.processors[i].id, ports) for i in self.places.combiners]

    @cached_property
    def resources(self) -> list[str]:
        """All that trees may use."""
        network = self.network
        moving = [use.resource for arc in network.arcs for use in network.uses(arc)]
        return list(dict.fromkeys((*moving, *(self.computing if self.timed else ()))))

    def uses(self, tree: Combined) -> dict[str, Fraction]:
        """Give the time that one operation takes of each resource."""
        network, size = self.network, self.message.size
        taken: Amounts[str] = Amounts()
        arcs = network.platform.arc_by_ends
        for _, route in tree.moves:
            for ends in pairwise(route):
                for resource, time in network.uses(arcs[ends]):
                    taken[resource] += size * time
        number = {i: j for j, i in enumerate(self.places.combiners)}
        for join in tree.joins:
            j = number[join.place]
            if self.times[j]:
                taken[self.computing[j]] += size * self.times[j]
        return dict(taken)

    def priced(
        self, prices: Mapping[str, Number], nothing: Number
    ) -> tuple[dict[tuple[int, int], Number], list[Number]]:
        """Give what a unit of data costs on arcs, and combined by each combiner.

        Parameters
        ----------
        prices
            By resource. What is not named is free.
        nothing
            0, in the numbers of the prices.

        Returns
        -------
        tuple
            By the ends of each arc, and by combiner, in order.
        """
        moved = {
            (arc.source, arc.target): sum(
                (time * prices.get(name, nothing) for name, time in self.network.uses(arc)), nothing
            )
            for arc in self.network.arcs
        }
        joined = [
            time * prices.get(resource, nothing)
            for time, resource in zip(self.times, self.computing, strict=True)
        ]
        return moved, joined

    def table(
        self,
        moved: Prices,
        joined: Sequence[Price],
        check: Callable[[], None] = lambda: None,
    ) -> Table:
        """Find the cheapest trees at prices of data on arcs, and combined.

        Parameters
        ----------
        moved
            What a unit of data costs on arcs, by their ends.
        joined
            What it costs a combiner to combine a unit of data, in their order.
        check
            May raise, which ends the work.
        """
        return Table(self.parts, self.places, moved, joined, check)

    def delivery(self, tree: Combined, rate: Fraction) -> Delivery:
        """Let the message travel on a tree.

        Parameters
        ----------
        tree
            Combinations, and the routes of what moves.
        rate
            In operations per time unit.
        """
        names = [processor.id for processor in self.network.platform.processors]
        sources = self.message.sources

        def told(data: int) -> str:
            return sources[data] if data >= 0 else f"--{~data}"

        return Delivery(
            self.message,
            self.places.target,
            tuple((told(data), route) for data, route in tree.moves),
            rate,
            tuple(
                Combination(k, names[join.place], (told(join.first), told(join.second)))
                for k, join in enumerate(tree.joins)
            ),
            self.timed,
        )

    def proof_by_computing(self) -> dict[str, Fraction] | None:
        """Price what is combined alone: ``n - 1`` combinations cost at least 1. None if one is free."""
        steps = len(self.places.owners) - 1
        if not steps or not self.timed or not all(self.times):
            return None
        worth = steps * self.message.size
        return {
            name: 1 / (time * worth) for name, time in zip(self.computing, self.times, strict=True)
        }
