"""Shallow arborescences: all trees grow together, level by level."""

from collections import deque
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from random import Random

from steadygrid.engine.arborescences.cuts import Arc
from steadygrid.engine.arborescences.packing import Arborescence, VertexPath
from steadygrid.engine.arborescences.partial_trees import PartialTree, PartialTrees, Route

UNIT_TREES = 16
"""Chunks of a root up to which each has a tree of its own from the beginning."""
MOST_STEPS = 20_000
"""Vertices that are visited, tree by tree, where routes over many forwarders are sought."""


@dataclass(frozen=True)
class Variant:
    """In which order trees take their routes.

    Attributes
    ----------
    nearest_first
        Short routes first; by default the long ones, which are rare.
    one_by_one
        One tree after the other; by default all take turns.
    seed
        Of the order of routes that are equally long. None: the narrow ones first.
    """

    nearest_first: bool = False
    one_by_one: bool = False
    seed: int | None = None


def grow_by_levels(
    number: int,
    capacities: Mapping[Arc, int],
    chunks: Mapping[int, int],
    members: Collection[int],
    variant: Variant = Variant(),
    check: Callable[[], None] = lambda: None,
) -> list[Arborescence] | None:
    """Pack arborescences that span all members, as shallow as they come.

    Parameters
    ----------
    number
        The vertices are ``0..number-1``.
    capacities
        By arc; integers. Best with in = out at every forwarder (a vertex that is no member), which
        `balanced` makes so.
    chunks
        By root, a member: the sum of the weights of its trees.
    members
        Who copies and is reached by every tree. All others pass on what enters them, once.
    variant
        In which order trees take their routes.
    check
        Called often; may raise, for instance when the time is over.

    Returns
    -------
    list of Arborescence
        By root, the heaviest first; of one root no two are equal. No arc carries more than its
        capacity, counted as often as a tree's routes pass it. None if there is no such packing, or if
        none was found, which only happens where a forwarder sends more or less than it takes.

    Notes
    -----
    Level d = 1, 2, ..: trees take turns, and each takes one route from a vertex of depth less than d, the
    shortest over forwarders with room. It keeps it if all trees can still be completed, see
    `PartialTrees`. A route that is refused stays refused, since room only shrinks. A tree of some weight
    that no route takes whole is halved. Where a level adds nothing, all routes over forwarders are tried.
    Throughput is never given up. The depth is heuristic.
    """
    return LevelGrowth(number, capacities, chunks, members, variant, check).run()


class LevelGrowth:
    """All trees as they grow. See `grow_by_levels`.

    Parameters
    ----------
    number, capacities, chunks, members, variant, check
        Those of `grow_by_levels`.
    """

    def __init__(
        self,
        number: int,
        capacities: Mapping[Arc, int],
        chunks: Mapping[int, int],
        members: Collection[int],
        variant: Variant,
        check: Callable[[], None],
    ) -> None:
        self._number, self._check = number, check
        self._members = frozenset(members)
        self._variant = variant
        self._random = Random(variant.seed)
        self._roots = sorted(chunks)
        self._trees = [
            PartialTree(root, weight) for root in self._roots for weight in _weights(chunks[root])
        ]
        self._kept = PartialTrees(number, capacities, self._members, self._trees)
        self._heads: list[list[int]] = [[] for _ in range(number)]
        for tail, head in self._kept.arcs:
            self._heads[tail].append(head)
        self._room = dict(zip(self._kept.arcs, range(len(self._kept.arcs)), strict=True))
        self._routes: dict[int, list[Route]] = {}
        self._growing: list[PartialTree] = []

    def run(self) -> list[Arborescence] | None:
        """Grow all trees until they span the members. None where that fails."""
        if not self._kept.possible:
            return None
        rounds = [[tree] for tree in self._trees] if self._variant.one_by_one else [self._trees]
        for trees in rounds:
            self._growing = [tree for tree in trees if self._lacks_member(tree)]
            level = 0
            while self._growing:
                level += 1
                if self._grow_level(level):
                    continue
                deepest = max(max(tree.depth.values()) for tree in self._growing)
                if level > deepest and not self._take_any_route():
                    return None
        return self._joined()

    def _grow_level(self, level: int) -> bool:
        """Let trees take turns until none takes a route from above a level; tell whether one did."""
        active = deque(self._growing)
        beginnings = {
            tree: [u for u, depth in tree.depth.items() if depth < level] for tree in active
        }
        moved = False
        while active:
            self._check()
            tree = active.popleft()
            if self._take_route(tree, beginnings[tree], level):
                moved = True
            elif tree.weight > 1 and (other := self._take_part(tree, beginnings[tree], level)):
                moved = True
                beginnings[other] = list(beginnings[tree])
                self._growing.append(other)
                self._trees.append(other)
                if self._lacks_member(other):
                    active.append(other)
            else:
                continue
            if self._lacks_member(tree):
                active.append(tree)
        self._growing = [tree for tree in self._growing if self._lacks_member(tree)]
        return moved

    def _take_route(self, tree: PartialTree, beginnings: list[int], level: int) -> bool:
        """Let a tree take the first route that it can; forget where none begins any more."""
        for spent, begin in enumerate(beginnings):
            for route in self._candidates(tree, begin):
                if self._kept.add(tree, route):
                    self._routes.pop(begin, None)
                    if tree.weight == 1:
                        del beginnings[:spent]
                    if tree.depth[route.end] < level:
                        beginnings.append(route.end)
                    return True
        return False

    def _take_part(
        self, tree: PartialTree, beginnings: list[int], level: int
    ) -> PartialTree | None:
        """Let a part of a tree take a route, the largest of its halves that can."""
        weight = tree.weight
        while weight := weight // 2:
            part = self._kept.split(tree, weight)
            if self._take_route(part, list(beginnings), level):
                return part
            self._kept.join(tree, part)
        return None

    def _candidates(self, tree: PartialTree, begin: int) -> list[Route]:
        """List routes with room that lead out of a tree, in the order in which they are tried."""
        if (routes := self._routes.get(begin)) is None:
            routes = self._routes[begin] = self._shortest(begin)
        mask, weight, refused = tree.mask, tree.weight, tree.refused
        room = self._kept.room
        nearest, drawn = self._variant.nearest_first, self._variant.seed is not None
        found: list[tuple[int, float, int, Route]] = []
        for route in routes:
            end = route.vertices[-1]
            if mask >> end & 1 or (route in refused and weight >= refused[route]):
                continue
            width = min([room[arc] for arc in route.arcs])
            if width >= weight:
                length = len(route.arcs)
                found.append(
                    (
                        length if nearest else -length,
                        self._random.random() if drawn else width,
                        (end - begin) % self._number,
                        route,
                    )
                )
        found.sort()
        return [route for *_, route in found]

    def _shortest(self, begin: int) -> list[Route]:
        """Find a shortest route with room over forwarders to every member, over wide arcs first."""
        room, members = self._kept.room, self._members
        before: dict[int, int] = {begin: begin}
        waiting = [begin]
        found: list[Route] = []
        for here in waiting:
            wide = [(-room[self._room[here, there]], there) for there in self._heads[here]]
            for width, there in sorted(wide):
                if there in before or not width:
                    continue
                before[there] = here
                if there not in members:
                    waiting.append(there)
                    continue
                path = [there]
                while path[-1] != begin:
                    path.append(before[path[-1]])
                found.append(self._kept.route(tuple(path[::-1])))
        return found

    def _take_any_route(self) -> bool:
        """Let some tree take a route that is not a shortest one; tell whether one did."""
        for tree in self._growing:
            steps = 0
            for begin in list(tree.depth):
                for path in self._simple_paths(begin):
                    steps += 1
                    self._check()
                    if steps > MOST_STEPS:
                        break
                    if path[-1] not in self._members or tree.mask >> path[-1] & 1:
                        continue
                    route = self._kept.route(path)
                    part = self._kept.split(tree, 1) if tree.weight > 1 else tree
                    if self._kept.add(part, route):
                        if part is not tree:
                            self._trees.append(part)
                            self._growing.append(part)
                        self._growing = [one for one in self._growing if self._lacks_member(one)]
                        return True
                    if part is not tree:
                        self._kept.join(tree, part)
        return False

    def _simple_paths(self, begin: int) -> Iterator[tuple[int, ...]]:
        """Give the paths over forwarders with room, short ones first."""
        room = self._kept.room
        waiting: deque[tuple[int, ...]] = deque([(begin,)])
        while waiting:
            path = waiting.popleft()
            for there in self._heads[path[-1]]:
                if there in path or not room[self._room[path[-1], there]]:
                    continue
                longer = (*path, there)
                yield longer
                if there not in self._members:
                    waiting.append(longer)

    def _lacks_member(self, tree: PartialTree) -> bool:
        return len(tree.depth) < len(self._members)

    def _joined(self) -> list[Arborescence]:
        """Join equal trees of a root."""
        weights: dict[tuple[int, tuple[VertexPath, ...]], int] = {}
        for tree in self._trees:
            key = tree.root, tuple(route.vertices for route in tree.routes)
            weights[key] = weights.get(key, 0) + tree.weight
        trees = [Arborescence(root, weight, paths) for (root, paths), weight in weights.items()]
        return sorted(trees, key=lambda tree: (tree.root, -tree.weight, tree.routes))


def _weights(chunks: int) -> list[int]:
    """Deal out chunks to trees: one each, or powers of two where there are many."""
    if chunks <= UNIT_TREES:
        return [1] * chunks
    weight = 1 << (chunks.bit_length() - UNIT_TREES.bit_length() + 1)
    number, rest = divmod(chunks, weight)
    return [weight] * number + [1 << k for k in reversed(range(rest.bit_length())) if rest >> k & 1]
