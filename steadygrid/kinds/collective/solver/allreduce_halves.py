"""The two halves of an allreduce: trees on which all is combined, and trees on which it is spread."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import pairwise

from steadygrid.domain.amounts import Amounts
from steadygrid.domain.roles import SUM
from steadygrid.kinds.collective.schemas import CollectiveInstance, Message
from steadygrid.kinds.collective.solver.answer import Delivery
from steadygrid.kinds.collective.solver.copies import Copies, Path, Tree
from steadygrid.kinds.collective.solver.grouped_messages import Network, Series
from steadygrid.kinds.collective.solver.model_of_trees import times
from steadygrid.kinds.collective.solver.proof import Proof
from steadygrid.kinds.collective.solver.tree_transfers import travelling

Rated = Sequence[tuple[Tree, Fraction]]
"""Trees with their rates, in operations per time unit."""


@dataclass(frozen=True)
class Halves:
    """What trees of both halves may use, and what they have to reach.

    Attributes
    ----------
    gathering
        Links are read backwards, from where all is combined.
    spreading
        The same roots. All that may combine and copy are roots.
    """

    gathering: Copies
    spreading: Copies

    @classmethod
    def from_instance(
        cls, instance: CollectiveInstance, network: Network, *, few: bool = False
    ) -> "Halves":
        """Read an allreduce; with `few` only who takes part combines and copies.

        Parameters
        ----------
        instance
            Without faults.
        network
            The part of the platform that messages may use, with the messages by their common ends.
        few
            Whether only who takes part combines and copies.
        """
        (message,) = instance.messages
        index = instance.platform.index_by_id
        ends = sorted(index[name] for name in instance.taking_part)
        members = frozenset(ends if few else (index[name] for name in instance.copiers))

        def half(*, home: bool) -> Copies:
            series = tuple(
                Series(root, home, {end: message for end in ends if end != root}, combined=home)
                for root in sorted(members)
            )
            return Copies(replace(network, series=series), members)

        return cls(half(home=True), half(home=False))

    @property
    def both(self) -> tuple[Copies, Copies]:
        """The halves, in the order of what happens."""
        return self.gathering, self.spreading

    @property
    def network(self) -> Network:
        """On which both run."""
        return self.spreading.network

    @property
    def members(self) -> frozenset[int]:
        """Who may combine and copy, and be a root."""
        return self.spreading.members

    @property
    def ends(self) -> frozenset[int]:
        """Who takes part."""
        return self.spreading.receivers

    @property
    def spans(self) -> bool:
        """Whether no other processor combines and copies."""
        return self.spreading.spans

    @cached_property
    def message(self) -> Message:
        """The only one."""
        return next(iter(self.network.series[0].messages.values()))

    @cached_property
    def series(self) -> Mapping[int, tuple[Series, Series]]:
        """Of both halves, by root."""
        pairs = zip(self.gathering.series, self.spreading.series, strict=True)
        return {first.root: (first, second) for first, second in pairs}

    @cached_property
    def connected(self) -> "Halves":
        """The same without roots that cannot be reached from all who take part, or reach them."""
        first, second = self.series[min(self.ends)]
        reaching = self.gathering.network.reached(first).keys()
        roots = reaching & self.spreading.network.reached(second).keys()

        def limited(half: Copies) -> Copies:
            series = tuple(each for each in half.network.series if each.root in roots)
            return Copies(replace(half.network, series=series), half.members)

        return Halves(limited(self.gathering), limited(self.spreading))

    def fastest(self, root: int) -> tuple[Tree, Tree]:
        """Give trees of fastest routes to and from a root."""
        first, second = self.series[root]
        return self.gathering.fastest(first), self.spreading.fastest(second)

    def busy(self, pair: tuple[Tree, Tree]) -> Amounts[str]:
        """Give the time that an operation takes of each resource."""
        taken: Amounts[str] = Amounts()
        for half, tree in zip(self.both, pair, strict=True):
            for resource, time in times(half, tree).items():
                taken[resource] += time
        return taken


@dataclass(frozen=True)
class Pairing:
    """Trees of both halves. Those of each root have the same sum of rates in both."""

    gathered: Rated
    spread: Rated
    throughput: Fraction

    def deliveries(self, halves: Halves) -> list[Delivery]:
        """Join a tree that ends where another one begins, in parts where their rates differ."""
        found = []
        for root in dict.fromkeys(tree.root for tree, _ in self.gathered):
            first = [(tree, rate) for tree, rate in self.gathered if tree.root == root]
            second = [(tree, rate) for tree, rate in self.spread if tree.root == root]
            found += [joined(halves, pair, rate) for pair, rate in refined(first, second)]
        return found


def refined(first: Rated, second: Rated) -> Iterator[tuple[tuple[Tree, Tree], Fraction]]:
    """Pair two lists whose rates have the same sum, by as few pairs as their order allows.

    Parameters
    ----------
    first, second
        Trees of each half, with rates in operations per time unit.
    """
    waiting = iter(second)
    other, room = None, Fraction(0)
    for tree, rate in first:
        left = rate
        while left:
            if other is None or not room:
                other, room = next(waiting)
            part = min(left, room)
            yield (tree, other), part
            left -= part
            room -= part


def joined(halves: Halves, pair: tuple[Tree, Tree], rate: Fraction) -> Delivery:
    """Let a piece travel to its root and, all combined, from there.

    Parameters
    ----------
    halves
        What trees that combine, and trees that spread, may use and have to reach.
    pair
        A tree to a root, and one from it.
    rate
        In operations per time unit.
    """
    first, second = _where_all_is_combined(halves, *pair)
    gathered = travelling(halves.gathering, first, rate)
    moves = (*gathered.moves, *((SUM, route) for route in second.routes))
    return replace(gathered, moves=moves)


def _where_all_is_combined(halves: Halves, first: Tree, second: Tree) -> tuple[Tree, Tree]:
    """Move a root that has no data of its own to where the only route into it begins."""
    while first.root not in halves.ends:
        into = [route for route in first.routes if route[0] == first.root]
        if len(into) > 1:
            break
        here = into[0][-1]
        onward = [into[0][::-1], *(route for route in second.routes if route[-1] != here)]
        first = Tree(
            first.message, here, tuple(route for route in first.routes if route != into[0])
        )
        second = Tree(second.message, here, _pruned(onward, halves.ends))
    return first, second


def _pruned(routes: Sequence[Path], ends: Collection[int]) -> tuple[Path, ...]:
    """Leave out paths that end at no participant, where no other path begins."""
    kept, number = tuple(routes), -1
    while number != len(kept):
        number = len(kept)
        starts = {route[0] for route in kept}
        kept = tuple(route for route in kept if route[-1] in ends or route[-1] in starts)
    return kept


def layers(halves: Halves, end: int, prices: Mapping[str, Fraction]) -> Proof:
    """Prove a bound by what it costs to bring anything from the farthest participant to one.

    Of each set of processors from which that costs no more than a limit, and of all the others, one
    holds the root. There data enters the set before it is all combined, or leaves the others later.

    Parameters
    ----------
    halves
        What trees that combine, and trees that spread, may use and have to reach.
    end
        Index of a participant.
    prices
        By resource. What is not named is free.
    """
    half = halves.gathering
    costs = half.prices_of(prices)
    found = half.network.reached(halves.series[end][0], lambda arc: costs[half.ends(arc)])
    far = max(found[other][0] for other in halves.ends)
    levels = sorted({min(cost, far) for cost, _ in found.values()} | {far})
    worth = far * halves.message.size
    if not worth:
        return Proof({})
    near = half.with_dead_ends(
        (frozenset(i for i, (cost, _) in found.items() if cost <= low), (high - low) / worth)
        for low, high in pairwise(levels)
    )
    complete = frozenset(range(half.number))
    return Proof(
        {name: price / worth for name, price in prices.items()},
        cuts={complete - cut: weight for cut, weight in near.items()},
        cuts_in=near,
    )


def best_root(halves: Halves, most: int, check: Callable[[], None]) -> tuple[Tree, Tree]:
    """Give the fastest trees of a participant that are busy for the shortest time; of the first ones.

    Parameters
    ----------
    halves
        What trees that combine, and trees that spread, may use and have to reach.
    most
        How many participants are tried.
    check
        Called between the steps; may raise, which ends the work.
    """
    roots: Iterable[int] = sorted(halves.ends)[:most]

    def longest(pair: tuple[Tree, Tree]) -> Fraction:
        check()
        return max(halves.busy(pair).values())

    return min(map(halves.fastest, roots), key=longest)
