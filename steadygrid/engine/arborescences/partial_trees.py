r"""Trees that are not complete yet, and whether all members can still get every chunk.

Tree i holds the vertices :math:`V_i` and has the weight :math:`w_i`. All trees can be completed within
capacities c exactly if

.. math:: \sum_{e \text{ leaves } S} c_e \ge \sum_{i: V_i \subseteq S} w_i

for every set S with a member outside (Edmonds; with forwarders, if in = out at each of them, by splitting
off: Bang-Jensen, Frank, Jackson). So a flow to every member is kept that brings :math:`w_i` from anywhere
in :math:`V_i`. A hop that takes capacity is repaired by a few augmenting paths, or undone.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from steadygrid.engine.arborescences.cuts import Arc
from steadygrid.engine.arborescences.maxflow import MaxFlow
from steadygrid.engine.arborescences.pool import bits


class Route(NamedTuple):
    """A path over forwarders from one member to another: its vertices, and the numbers of its arcs."""

    vertices: tuple[int, ...]
    arcs: tuple[int, ...]

    @property
    def end(self) -> int:
        """Where it leads."""
        return self.vertices[-1]


class PartialTree:
    """Some vertices, joined by routes.

    Attributes
    ----------
    root
        Where it begins.
    weight
        How often it is used.
    depth
        By vertex, in hops between members; in the order in which vertices were reached.
    routes
        To all vertices but the root, in that order.
    mask
        A bit for each vertex that it holds.
    inside
        A bit for each known tight set that holds all of it.
    refused
        The least weight with which a route was refused.
    """

    __slots__ = ("depth", "inside", "mask", "refused", "root", "routes", "weight")

    def __init__(self, root: int, weight: int) -> None:
        self.root = root
        self.weight = weight
        self.depth = {root: 0}
        self.routes: list[Route] = []
        self.mask = 1 << root
        self.inside = 0
        self.refused: dict[Route, int] = {}

    def part(self, weight: int) -> "PartialTree":
        """Give a part of the weight to a tree that looks the same.

        Parameters
        ----------
        weight
            Of the part, less than that of the tree, which keeps the rest.
        """
        other = PartialTree(self.root, weight)
        self.weight -= weight
        other.depth = dict(self.depth)
        other.routes = list(self.routes)
        other.mask, other.inside = self.mask, self.inside
        other.refused = dict(self.refused)
        return other


class PartialTrees:
    """Partial trees with a flow to every member that shows that they can be completed.

    Parameters
    ----------
    number
        The vertices are ``0..number-1``.
    capacities
        By arc; integers.
    members
        Who has to be reached by every tree.
    trees
        Each a root alone.

    Attributes
    ----------
    possible
        Whether all trees can be completed.
    arcs
        The arcs that have a capacity.
    room
        How much is left, by number of the arc.
    """

    def __init__(
        self,
        number: int,
        capacities: Mapping[Arc, int],
        members: Collection[int],
        trees: Iterable[PartialTree],
    ) -> None:
        self._number = number
        self._members = sorted(members)
        self._trees = list(trees)
        self.arcs = [arc for arc, c in capacities.items() if c > 0 and arc[0] != arc[1]]
        self.room = [capacities[arc] for arc in self.arcs]
        self._index = {arc: k for k, arc in enumerate(self.arcs)}
        self._reverse = [self._index.get((head, tail), -1) for tail, head in self.arcs]
        count = len(self._members)
        self._carried = [[0] * count for _ in self.arcs]
        self._open = [[0] * number for _ in range(count)]
        self._jumps = [[0] * number for _ in range(count)]
        self._entries: list[list[dict[PartialTree, int]]] = [
            [{} for _ in range(number)] for _ in range(count)
        ]
        self._where: list[dict[PartialTree, int]] = [{} for _ in range(count)]
        self._known: set[int] = set()
        self._exits = [0] * len(self.arcs)
        self._holding = [0] * number
        self._log: list[tuple[int, int, int, PartialTree | None]] = []
        self.possible = self._begin()

    def route(self, vertices: tuple[int, ...]) -> Route:
        """Make a route of its vertices."""
        return Route(vertices, tuple(self._index[arc] for arc in pairwise(vertices)))

    def add(self, tree: PartialTree, route: Route) -> bool:
        """Let a tree take a route with all its weight, if all trees can still be completed.

        Parameters
        ----------
        tree
            Holds the beginning of the route, and not its end.
        route
            With room for the weight.

        Returns
        -------
        bool
            Whether the tree took it; else all is as it was.
        """
        if self._leaves_tight_set(tree, route):
            tree.refused[route] = 1
            return False
        weight, room = tree.weight, self.room
        for arc in route.arcs:
            room[arc] -= weight
        lacking = {t for arc in route.arcs for t in _positions_above(self._carried[arc], room[arc])}
        mask = tree.mask
        tree.mask |= 1 << route.end
        self._log = []
        for t in lacking:
            reached = self._repair(t, tree, route)
            if reached:
                tree.mask = mask
                for arc in route.arcs:
                    room[arc] += weight
                self._undo(lacking, tree, route)
                tree.refused[route] = min(weight, tree.refused.get(route, weight))
                self._note_tight_set(reached)
                return False
        for t in range(len(self._members)):
            if t not in lacking:
                self._widen(t, tree)
        for arc in route.arcs:
            for t in _positions_above(self._carried[arc], room[arc] - 1):
                self._refresh(t, arc)
        tree.inside &= self._holding[route.end]
        tree.depth[route.end] = tree.depth[route.vertices[0]] + 1
        tree.routes.append(route)
        return True

    def split(self, tree: PartialTree, weight: int) -> PartialTree:
        """Let a part of a tree's weight grow by itself.

        Parameters
        ----------
        tree
            Keeps the rest.
        weight
            Of the part, less than that of the tree.
        """
        other = tree.part(weight)
        for t, entries in enumerate(self._entries):
            left = weight
            for at in bits(self._where[t][tree]):
                moved = min(left, entries[at][tree])
                if moved:
                    left -= moved
                    self._count_entry(t, tree, at, -moved)
                    self._count_entry(t, other, at, moved)
        self._trees.append(other)
        return other

    def join(self, tree: PartialTree, other: PartialTree) -> None:
        """Take back a part that did not grow.

        Parameters
        ----------
        tree
            Of which it was a part.
        other
            The part.
        """
        tree.weight += other.weight
        for t, entries in enumerate(self._entries):
            for at in bits(self._where[t].pop(other)):
                self._count_entry(t, tree, at, entries[at].pop(other))
        for route, weight in other.refused.items():
            tree.refused[route] = min(weight, tree.refused.get(route, weight))
        self._trees.remove(other)

    def _begin(self) -> bool:
        """Find a flow to every member, each from that to the member before."""
        total = sum(tree.weight for tree in self._trees)
        demands: dict[int, int] = {}
        for tree in self._trees:
            demands[tree.root] = demands.get(tree.root, 0) + tree.weight
        flow = MaxFlow(self._number + 1)
        for ends, room in zip(self.arcs, self.room, strict=True):
            flow.add(*ends, room)
        for root, demand in demands.items():
            flow.add(self._number, root, demand)
        begin = self._number
        for t, member in enumerate(self._members):
            if flow.push(begin, member, total) < total:
                return False
            begin = member
            for arc, carried in enumerate(self._carried):
                carried[t] = flow.flow(2 * arc)
            for tree in self._trees:
                self._count_entry(t, tree, tree.root, tree.weight)
                self._jumps[t][tree.root] = 1 << tree.root
            for arc in range(len(self.arcs)):
                self._refresh(t, arc)
        return True

    def _leaves_tight_set(self, tree: PartialTree, route: Route) -> bool:
        """Tell whether a route takes from a set that has no more than its trees need."""
        crossed = 0
        for arc in route.arcs:
            exits = self._exits[arc]
            if exits & crossed:
                return True
            crossed |= exits
        return bool(crossed & (~tree.inside | self._holding[route.end]))

    def _repair(self, t: int, tree: PartialTree, route: Route) -> int:
        """Send what lost its room to a member by other routes; else give what it reaches."""
        self._widen(t, tree)
        balance: dict[int, int] = {}
        for arc in route.arcs:
            over = self._carried[arc][t] - self.room[arc]
            if over > 0:
                self._shift(t, arc, -over)
                tail, head = self.arcs[arc]
                balance[tail] = balance.get(tail, 0) + over
                balance[head] = balance.get(head, 0) - over
            else:
                self._refresh(t, arc)
        surplus = {vertex: amount for vertex, amount in balance.items() if amount > 0}
        lack = {vertex: -amount for vertex, amount in balance.items() if amount < 0}
        while surplus:
            path, reached = self._path(t, surplus, lack)
            if not path:
                return reached
            amount = min(surplus[path[0]], lack[path[-1]])
            amount = self._push(t, path, amount)
            for ends, vertex in ((surplus, path[0]), (lack, path[-1])):
                ends[vertex] -= amount
                if not ends[vertex]:
                    del ends[vertex]
        return 0

    def _path(
        self, t: int, surplus: Mapping[int, int], lack: Mapping[int, int]
    ) -> tuple[list[int], int]:
        """Find a shortest path in what is left of a flow, or all that is reached."""
        forward, jumps = self._open[t], self._jumps[t]
        goal = seen = 0
        for vertex in lack:
            goal |= 1 << vertex
        before: dict[int, int] = {}
        waiting = list(surplus)
        for vertex in waiting:
            seen |= 1 << vertex
        for vertex in waiting:
            new = (forward[vertex] | jumps[vertex]) & ~seen
            if new & goal:
                new &= goal
                end = (new & -new).bit_length() - 1
                path = [end, vertex]
                while path[-1] in before:
                    path.append(before[path[-1]])
                return path[::-1], 0
            seen |= new
            while new:
                low = new & -new
                new ^= low
                other = low.bit_length() - 1
                before[other] = vertex
                waiting.append(other)
        return [], seen

    def _push(self, t: int, path: Sequence[int], amount: int) -> int:
        """Send at most an amount along a path, and give how much."""
        steps: list[tuple[int, PartialTree | None, int, int]] = []
        for x, y in pairwise(path):
            if self._open[t][x] >> y & 1:
                back = self._index.get((y, x), -1)
                if back >= 0 and (carried := self._carried[back][t]) > 0:
                    steps.append((back, None, -1, y))
                    amount = min(amount, carried)
                else:
                    arc = self._index[x, y]
                    steps.append((arc, None, 1, y))
                    amount = min(amount, self.room[arc] - self._carried[arc][t])
            else:
                moved, entering = next(
                    (tree, entering)
                    for tree, entering in self._entries[t][x].items()
                    if tree.mask >> y & 1
                )
                steps.append((x, moved, 0, y))
                amount = min(amount, entering)
        for place, entered, sign, y in steps:
            if entered is None:
                self._shift(t, place, sign * amount)
            else:
                self._enter(t, entered, place, -amount)
                self._enter(t, entered, y, amount)
        return amount

    def _shift(self, t: int, arc: int, amount: int) -> None:
        self._log.append((t, arc, amount, None))
        self._carried[arc][t] += amount
        self._refresh(t, arc)

    def _enter(self, t: int, tree: PartialTree, at: int, amount: int) -> None:
        self._log.append((t, at, amount, tree))
        self._count_entry(t, tree, at, amount)
        self._look_again(t, at)

    def _count_entry(self, t: int, tree: PartialTree, at: int, amount: int) -> None:
        """Let more of a tree enter at a vertex, or less."""
        entries, where = self._entries[t][at], self._where[t]
        entering = entries.get(tree, 0) + amount
        if entering:
            entries[tree] = entering
            where[tree] = where.get(tree, 0) | 1 << at
        else:
            del entries[tree]
            where[tree] &= ~(1 << at)

    def _refresh(self, t: int, arc: int) -> None:
        """See what can still be sent between the ends of an arc."""
        tail, head = self.arcs[arc]
        carried, back = self._carried[arc][t], self._reverse[arc]
        returned = self._carried[back][t] if back >= 0 else 0
        forward = self._open[t]
        if carried < self.room[arc] or returned > 0:
            forward[tail] |= 1 << head
        else:
            forward[tail] &= ~(1 << head)
        if carried > 0 or (back >= 0 and returned < self.room[back]):
            forward[head] |= 1 << tail
        else:
            forward[head] &= ~(1 << tail)

    def _look_again(self, t: int, at: int) -> None:
        """See where else the trees that enter somewhere could enter."""
        mask = 0
        for tree in self._entries[t][at]:
            mask |= tree.mask
        self._jumps[t][at] = mask

    def _widen(self, t: int, tree: PartialTree) -> None:
        """Let a tree that has grown enter where it is now."""
        jumps, mask, where = self._jumps[t], tree.mask, self._where[t][tree]
        while where:
            lowest = where & -where
            jumps[lowest.bit_length() - 1] |= mask
            where ^= lowest

    def _undo(self, lacking: Iterable[int], tree: PartialTree, route: Route) -> None:
        touched = set()
        for t, place, amount, entered in reversed(self._log):
            if entered is None:
                self._carried[place][t] -= amount
                self._refresh(t, place)
            else:
                self._count_entry(t, entered, place, -amount)
                touched.add((t, place))
        for t in lacking:
            for arc in route.arcs:
                self._refresh(t, arc)
            touched.update((t, at) for at in bits(self._where[t][tree]))
        for t, at in touched:
            self._look_again(t, at)

    def _note_tight_set(self, reached: int) -> None:
        """Know a set from now on if it is tight, which it then stays."""
        if reached in self._known:
            return
        slack = 0
        for arc, (tail, head) in enumerate(self.arcs):
            if reached >> tail & 1 and not reached >> head & 1:
                slack += self.room[arc]
        slack -= sum(tree.weight for tree in self._trees if not tree.mask & ~reached)
        if slack:
            return
        self._known.add(reached)
        bit = 1 << len(self._known)
        for arc, (tail, head) in enumerate(self.arcs):
            if reached >> tail & 1 and not reached >> head & 1:
                self._exits[arc] |= bit
        for vertex in bits(reached):
            self._holding[vertex] |= bit
        for tree in self._trees:
            if not tree.mask & ~reached:
                tree.inside |= bit


def _positions_above(amounts: Sequence[int], limit: int) -> Iterator[int]:
    """Give the positions of what is more than a limit."""
    return (t for t, amount in enumerate(amounts) if amount > limit)
