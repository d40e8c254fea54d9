"""Messages that are copied on their route, or combined: what out-trees carry."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise

from steadygrid.domain.amounts import Amounts
from steadygrid.domain.platform import Arc, Platform, Use
from steadygrid.kinds.collective.schemas import CollectiveInstance, Message
from steadygrid.kinds.collective.solver.grouped_messages import Network, Series

Path = tuple[int, ...]


@dataclass(frozen=True)
class Tree:
    """Routes of one message from its root to all who have to be reached, by indices of processors.

    Attributes
    ----------
    routes
        From one who copies to the next. Each begins at the root or at the end of an earlier one.
        Where data is combined it travels them backwards, from the last to the first.
    """

    message: Message
    root: int
    routes: tuple[Path, ...]


@dataclass(frozen=True)
class Copies:
    """The part of a platform that trees may use, and what they have to reach.

    Where data is combined on its route to one processor, that is the root, and links are read
    backwards: trees to all whose data it is are then trees from all of them.

    Attributes
    ----------
    members
        Who may copy. All roots and receivers are among them.
    """

    network: Network
    members: frozenset[int]

    @classmethod
    def from_instance(
        cls, instance: CollectiveInstance, network: Network, *, few: bool = False
    ) -> "Copies":
        """Read who copies off an instance; with `few` only who has or wants a message.

        Parameters
        ----------
        instance
            Without faults.
        network
            The part of the platform that messages may use, with the messages by their common ends.
        few
            Whether only who has or wants a message copies.
        """
        index = instance.platform.index_by_id
        names = instance.taking_part if few else instance.copiers
        return cls(network, frozenset(index[name] for name in names))

    @property
    def platform(self) -> Platform:
        """Of the network."""
        return self.network.platform

    @property
    def arcs(self) -> Sequence[Arc]:
        """Of the network."""
        return self.network.arcs

    @property
    def number(self) -> int:
        """Of processors."""
        return len(self.platform.processors)

    @cached_property
    def series(self) -> list[Series]:
        """The messages, each with its root, that have a size."""
        return [series for series in self.network.series if size_of(series)]

    @cached_property
    def receivers(self) -> frozenset[int]:
        """Who has to be reached from somewhere."""
        return frozenset(end for series in self.series for end in series.messages)

    @property
    def spans(self) -> bool:
        """Whether every processor that copies has or wants every message."""
        return all(
            self.members == {series.root, *series.messages} for series in self.network.series
        )

    @cached_property
    def demands(self) -> dict[int, Fraction]:
        """Data that each root has to send in an operation."""
        return {series.root: size_of(series) for series in self.series}

    def ends(self, arc: Arc) -> tuple[int, int]:
        """Give the ends of an arc, as it is read."""
        return self.network.series[0].ends(arc)

    @cached_property
    def arc_between(self) -> dict[tuple[int, int], Arc]:
        """The arcs by their ends, as they are read."""
        return {self.ends(arc): arc for arc in self.arcs}

    def uses(self, arc: Arc) -> list[Use]:
        """List what one unit of data on an arc takes, each resource once."""
        return self.network.uses(arc)

    def data_leaving(self, cut: frozenset[int]) -> Fraction:
        """Sum the data of the messages with the root in a set, and a receiver outside."""
        return sum(
            (
                size_of(series)
                for series in self.series
                if series.root in cut and not cut.issuperset(series.messages)
            ),
            Fraction(0),
        )

    def with_dead_ends(
        self, cuts: Iterable[tuple[frozenset[int], Fraction]]
    ) -> dict[frozenset[int], Fraction]:
        """Put dead ends, which no tree needs, on the side of cuts from which they branch off."""
        weights: Amounts[frozenset[int]] = Amounts()
        for cut, weight in cuts:
            dead = {i for i, anchor in self._dead_ends.items() if anchor in cut}
            weights[frozenset(cut - self._dead_ends.keys() | dead)] += weight
        return dict(weights)

    def potentials_with_dead_ends(self, potentials: Mapping[int, Fraction]) -> dict[int, Fraction]:
        """Give dead ends the potentials of where they branch off: data gains nothing there.

        What branches off a processor that only forwards does so, too.
        """
        anchored = ((i, at) for i, at in self._dead_ends.items() if at is not None)
        return {**potentials, **{i: potentials[at] for i, at in anchored if at in potentials}}

    @cached_property
    def _dead_ends(self) -> dict[int, int | None]:
        """By dead end, the processor where it branches off. None for a part without any."""
        used = {end for arc in self.arcs for end in self.ends(arc)} | self.receivers
        used |= self.demands.keys()
        anchors: dict[int, int | None] = {i: None for i in range(self.number) if i not in used}
        waiting = sorted(used)
        for here in waiting:
            around = {arc.target for arc in self.platform.arcs_out[here]}
            around |= {arc.source for arc in self.platform.arcs_in[here]}
            for there in sorted(around):
                if there in anchors and anchors[there] is None:
                    anchors[there] = here if here in used else anchors[here]
                    waiting.append(there)
        return anchors

    def hops(self, routes: Iterable[Path]) -> Counter[int]:
        """Count how often routes take each arc, by index."""
        counts: Counter[int] = Counter()
        for route in routes:
            for ends in pairwise(route):
                counts[self.arc_between[ends].index] += 1
        return counts

    def prices_of(self, prices: Mapping[str, Fraction]) -> dict[tuple[int, int], Fraction]:
        """Give what a unit of data costs between two processors, at prices of resources."""
        return {
            self.ends(arc): sum(
                (time * prices.get(name, Fraction(0)) for name, time in self.uses(arc)),
                Fraction(0),
            )
            for arc in self.arcs
        }

    def regrown(self, tree: Tree) -> Tree:
        """Let all that may copy do so on paths that were chosen for fewer.

        A processor on several paths is reached by the first alone, and sends on from there.
        """
        series = next(series for series in self.network.series if series.root == tree.root)
        routes: dict[int, Path] = {}
        for route in tree.routes:
            start = 0
            for k in range(1, len(route)):
                if route[k] in self.members:
                    if route[k] != tree.root and route[k] not in routes:
                        routes[route[k]] = route[start : k + 1]
                    start = k
        needed: set[int] = set()
        waiting = [*series.messages]
        for end in waiting:
            if end not in needed and end != tree.root:
                needed.add(end)
                waiting.append(routes[end][0])
        kept = tuple(route for end, route in routes.items() if end in needed)
        return Tree(tree.message, tree.root, kept)

    def fastest(self, series: Series) -> Tree:
        """Give a tree of fastest routes from a root; found once."""
        if series.root not in self._fastest:
            self._fastest[series.root] = self._grow_fastest(series)
        return self._fastest[series.root]

    @cached_property
    def _fastest(self) -> dict[int, Tree]:
        return {}

    def _grow_fastest(self, series: Series) -> Tree:
        found = self.network.reached(series)
        routes: dict[int, Path] = {}
        waiting = [*series.messages]
        for end in waiting:
            if end in routes or end == series.root:
                continue
            route = [end]
            while (arc := found[route[-1]][1]) is not None:
                route.append(series.ends(arc)[0])
                if route[-1] in self.members:
                    break
            routes[end] = tuple(reversed(route))
            waiting.append(route[-1])
        near = sorted(routes.values(), key=lambda route: found[route[-1]][0])
        return Tree(message_of(series), series.root, tuple(near))


def size_of(series: Series) -> Fraction:
    """Give the size of the only message of a series."""
    return message_of(series).size


def message_of(series: Series) -> Message:
    """Give the only message of a series, which all its ends have in common."""
    return next(iter(series.messages.values()))
