"""An instance as the solver uses it: times by position, the master first."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from steadygrid.domain.platform import Arc, Platform
from steadygrid.domain.resources import compute_resource
from steadygrid.kinds.divisible_star.order import (
    arcs_down,
    by_time_there_and_back,
    order_of,
    reverse_arc,
)
from steadygrid.kinds.divisible_star.schemas import DivisibleStarInstance

ZERO = Fraction(0)


@dataclass(frozen=True)
class Tree:
    """A tree of processors, with the order in which each sends.

    Attributes
    ----------
    work
        By processor, the time to compute the whole load. None where it cannot.
    wire, back
        By processor, the times to send it the whole load, and to send all results back; 0 for the
        master. Results come back in reverse order.
    parent
        By processor, who sends to it. The master, at 0, has itself.
    children
        By processor, whom it sends to, in order.
    downwards
        All of them, each after its parent.
    """

    ids: Sequence[str]
    work: Sequence[Fraction | None]
    wire: Sequence[Fraction]
    back: Sequence[Fraction]
    parent: Sequence[int]
    children: Sequence[Sequence[int]]
    downwards: Sequence[int]

    def through(self, shares: Sequence[Fraction]) -> list[Fraction]:
        """Give, by processor, what it receives for itself and for all behind it."""
        sums = list(shares)
        for i in reversed(self.downwards[1:]):
            sums[self.parent[i]] += sums[i]
        return sums

    @property
    def with_round_trips(self) -> "Tree":
        """Give the tree without results whose messages take as long as there and back."""
        both = [there + back for there, back in zip(self.wire, self.back, strict=True)]
        return replace(self, wire=both, back=[ZERO] * len(both))

    def price_name(self, i: int) -> str:
        """Name the constraint that a processor is done by the makespan."""
        return f"{self.ids[i]}.message1" if i else compute_resource(self.ids[i])


@dataclass(frozen=True)
class Division:
    """Who computes how much, and prices that prove how long it takes at least.

    Attributes
    ----------
    shares, prices
        By processor. Both sum to 1, but no prices are needed where nothing takes time.
    exact
        Whether nothing was rounded.
    """

    shares: Sequence[Fraction]
    prices: Sequence[Fraction]
    exact: bool = True


def read_tree(instance: DivisibleStarInstance) -> Tree:
    """Compute all times of an instance without faults."""
    platform = instance.platform
    data, work = instance.load.communication_volume, instance.load.computation_volume
    results = instance.load.return_volume
    chosen = results and instance.order is None
    order = by_time_there_and_back(instance) if chosen else order_of(instance)
    members = [platform.index_by_id[instance.master], *order]
    down = arcs_down(platform, instance.master)
    position: Mapping[int, int] = {place: i for i, place in enumerate(members)}
    parent = [0, *(position[down[place].source] for place in members[1:])]
    children: list[list[int]] = [[] for _ in members]
    for i in range(1, len(members)):
        children[parent[i]].append(i)
    downwards = [0]
    for i in downwards:
        downwards += children[i]
    units = [platform.processors[place].time_per_work for place in members]
    return Tree(
        [platform.processors[place].id for place in members],
        [None if unit is None else unit * work for unit in units],
        [ZERO, *(down[place].unit_time * data for place in order)],
        [ZERO, *(_unit_time_back(platform, down[place]) * results for place in order)]
        if results
        else [ZERO] * len(members),
        parent,
        children,
        downwards,
    )


def _unit_time_back(platform: Platform, arc: Arc) -> Fraction:
    back = reverse_arc(platform, arc)
    assert back is not None
    return back.unit_time
