"""Messages by where they begin, or end: what one flow, or one tree, carries together."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from heapq import heappop, heappush
from itertools import count
from math import lcm
from typing import NamedTuple, TypeVar

from steadygrid.domain.platform import SINGLE_PORT, Arc, Platform, PortModel, Use, arc_uses
from steadygrid.engine.flows.dead_ends import without_dead_ends
from steadygrid.engine.matching.odd_sets import OddSet, odd_uses
from steadygrid.kinds.collective.schemas import (
    COMBINING,
    DIFFERENT,
    CollectiveInstance,
    Message,
)
from steadygrid.kinds.shared.reaching import reachable

T = TypeVar("T")


@dataclass(frozen=True)
class Series:
    """The messages that have one end in common.

    Attributes
    ----------
    root
        Where all of them begin or, if they go `home`, end.
    messages
        By their other ends; several where all these get, or give, the same one.
    combined
        Whether they are one message, to which every other end gives its part.
    """

    root: int
    home: bool
    messages: Mapping[int, Message]
    combined: bool = False

    def ends(self, arc: Arc) -> tuple[int, int]:
        """Give the ends of an arc, the one nearer to the root first."""
        return (arc.target, arc.source) if self.home else (arc.source, arc.target)


class CutOff(NamedTuple):
    """A message that cannot get from one processor to another, and what proves it.

    Attributes
    ----------
    inside
        All processors that the only origin reaches, or all that reach the only receiver.
    """

    message: Message
    origin: str
    receiver: str
    inside: list[str]


@dataclass(frozen=True)
class Network:
    """The part of a platform that messages may use.

    Attributes
    ----------
    odd_sets
        That arcs use, too, where a processor takes part in one transfer at a time.
    """

    platform: Platform
    ports: PortModel
    arcs: Sequence[Arc]
    series: Sequence[Series]
    odd_sets: tuple[OddSet, ...] = ()
    _uses: dict[int, list[Use]] = field(default_factory=dict, compare=False)

    def answered(self, value: T) -> T | None:
        """Give the value of rates if they are an answer. None if odd sets may not bear them."""
        return None if self.ports in SINGLE_PORT else value

    @classmethod
    def from_instance(cls, instance: CollectiveInstance) -> "Network":
        """Put messages together, and leave out what no route needs between two who can be its ends.

        Every processor that may copy can be one, and be of use even where the data comes back to
        the neighbour that brought it, if that one only forwards. A processor that takes time to
        combine, in any case.
        """
        platform = instance.platform
        index = platform.index_by_id
        ends = {index[name] for name in (*instance.taking_part, *(instance.combining or ()))}
        copying = set() if instance.operation in DIFFERENT else {index[n] for n in instance.copiers}
        if instance.operation == "allreduce":
            arcs = without_dead_ends(platform, ends | copying)
            return cls(platform, instance.ports, arcs, _everywhere(instance))
        combined = instance.operation in COMBINING
        home = combined or instance.operation == "gather"
        found: dict[int, dict[int, Message]] = {}
        for message in instance.messages:
            near, far = message.sources, message.receivers
            (root,), others = (far, near) if home else (near, far)
            ends_of_root = found.setdefault(index[root], {})
            ends_of_root.update((index[end], message) for end in others if end != root)
        series = tuple(Series(root, home, messages, combined) for root, messages in found.items())
        return cls(platform, instance.ports, without_dead_ends(platform, ends, copying), series)

    def uses(self, arc: Arc) -> list[Use]:
        """List what one unit of data on an arc takes, each resource once."""
        if arc.index not in self._uses:
            self._uses[arc.index] = [
                *arc_uses(self.platform, arc, self.ports),
                *odd_uses(self.platform, arc, self.odd_sets),
            ]
        return self._uses[arc.index]

    def knowing(self, sets: Iterable[OddSet]) -> "Network":
        """Give the same network, whose arcs use more odd sets."""
        odd_sets = (*self.odd_sets, *sets)
        return Network(self.platform, self.ports, self.arcs, self.series, odd_sets)

    @cached_property
    def cut_off(self) -> CutOff | None:
        """A message that cannot arrive."""
        names = [processor.id for processor in self.platform.processors]
        for series in self.series:
            if lost := series.messages.keys() - self._reachable(series):
                end = min(lost)
                message = series.messages[end]
                origin, receiver = (end, series.root) if series.home else (series.root, end)
                start = receiver if series.combined else origin
                inside = reachable(self.platform, start, backwards=series.combined)
                return CutOff(
                    message, names[origin], names[receiver], [names[i] for i in sorted(inside)]
                )
        return None

    def reached(
        self, series: Series, price: Callable[[Arc], Fraction] | None = None
    ) -> dict[int, tuple[Fraction, Arc | None]]:
        """Find the cheapest routes between the root and all others, by Dijkstra's algorithm.

        Parameters
        ----------
        series
            Messages with one end in common, the root.
        price
            Of a unit of data on an arc. None: the unit time of its link.

        Returns
        -------
        dict
            By processor that there is a route for: its price, and the last arc seen from the root.
        """
        costs, unit = self._times if price is None else _in_integers(map(price, self.arcs))
        leaving = self._leaving[series.home]
        found: dict[int, tuple[Fraction, Arc | None]] = {}
        order = count()
        heap: list[tuple[int, int, int, Arc | None]] = [(0, next(order), series.root, None)]
        while heap:
            cost, _, here, last = heappop(heap)
            if here in found:
                continue
            found[here] = Fraction(cost, unit), last
            for there, k, arc in leaving.get(here, ()):
                if there not in found:
                    heappush(heap, (cost + costs[k], next(order), there, arc))
        return found

    @cached_property
    def _times(self) -> tuple[list[int], int]:
        """Unit times of the arcs, in order, as multiples of a unit."""
        return _in_integers(arc.unit_time for arc in self.arcs)

    @cached_property
    def _leaving(self) -> Mapping[bool, Mapping[int, list[tuple[int, int, Arc]]]]:
        """By whether messages go home, and by processor: where arcs lead, with their positions."""
        found: dict[bool, dict[int, list[tuple[int, int, Arc]]]] = {False: {}, True: {}}
        for k, arc in enumerate(self.arcs):
            found[False].setdefault(arc.source, []).append((arc.target, k, arc))
            found[True].setdefault(arc.target, []).append((arc.source, k, arc))
        return found

    def _reachable(self, series: Series) -> set[int]:
        """Find all that the root reaches, or that reach it where messages go home."""
        leaving = self._leaving[series.home]
        reached = {series.root}
        waiting = [series.root]
        for here in waiting:
            for there, *_ in leaving.get(here, ()):
                if there not in reached:
                    reached.add(there)
                    waiting.append(there)
        return reached


def _in_integers(prices: Iterable[Fraction]) -> tuple[list[int], int]:
    """Give prices as multiples of a unit, and how many of these make one."""
    listed = list(prices)
    unit = lcm(*(price.denominator for price in listed))
    return [price.numerator * (unit // price.denominator) for price in listed], unit


def _everywhere(instance: CollectiveInstance) -> tuple[Series, Series]:
    """Let an allreduce go from all to one who takes part, and from there to all."""
    (message,) = instance.messages
    index = instance.platform.index_by_id
    root, *others = (index[name] for name in instance.taking_part)
    ends = dict.fromkeys(others, message)
    return Series(root, True, ends), Series(root, False, ends)


def path_to(
    series: Series, found: Mapping[int, tuple[Fraction, Arc | None]], end: int
) -> tuple[int, ...]:
    """Follow the last arcs that were found from an end back to the root; in the order of travel.

    Parameters
    ----------
    series
        Messages with one end in common, the root.
    found
        As `Network.reached` gives it.
    end
        Index of a processor that was reached.

    Returns
    -------
    tuple of int
        Indices of processors.
    """
    route = [end]
    while (arc := found[route[-1]][1]) is not None:
        route.append(series.ends(arc)[0])
    return tuple(route) if series.home else tuple(reversed(route))
