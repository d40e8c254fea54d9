r"""Growing arborescences one after the other, so that the rest can always be packed.

With the trees packed so far taken out, the capacity into every set X of members must be at least
what the roots outside X still demand (J. Edmonds, *Edge-disjoint branchings*, 1973). The difference
is the *slack* of X. A tree of weight g takes :math:`g (k - [r \notin X])` from it, r its root, k
its arcs into X: nothing if it enters X once from outside. The method of packing is to enter a set
again only where it has slack (A. Frank; K. Bérczi, A. Frank, *Packing arborescences*, 2010).

Trees are grown over the sets that are known to be narrow, without a flow for each arc. A tree that
cannot be completed shows that a set was missed: flows find those that are too narrow then, trees
give back what these sets lack, and they are known from then on. A tree given back only adds slack,
so what was right stays right. Should that happen too often, every arc is tested by a flow before
it is added: then no tree fails.
"""

from collections import deque
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass

from steadygrid.engine.arborescences.cuts import Arc, RootedNetwork
from steadygrid.engine.arborescences.maxflow import MaxFlow
from steadygrid.engine.arborescences.pool import Pool, bits

PATIENCE = 1000
"""After how many failed trees every arc is tested."""


@dataclass
class Tree:
    """Arcs between members. Each begins at the root or at the end of an earlier one."""

    root: int
    weight: int
    arcs: tuple[Arc, ...]

    def surplus(self, inside: Collection[int]) -> int:
        """Tell how often the tree enters a set without need."""
        entries = sum(u not in inside and v in inside for u, v in self.arcs)
        return entries - (self.root not in inside and entries > 0)


class Growth:
    """Trees with given roots in a network of members.

    Parameters
    ----------
    members
        Who is in every tree.
    capacities
        Of arcs between members.
    demands
        The weights of the trees of each root are to sum to this. They can be packed.
    narrow
        Sets of vertices out of which little more can go than has to.
    check
        Called before every flow and every tree; may raise.
    patience
        After how many failed trees every arc is tested.
    """

    def __init__(
        self,
        members: Collection[int],
        capacities: Mapping[Arc, int],
        demands: Mapping[int, int],
        narrow: Iterable[frozenset[int]] = (),
        check: Callable[[], None] = lambda: None,
        patience: int = PATIENCE,
    ) -> None:
        self.members = sorted(members)
        self.left = dict(capacities)
        self.open = {root: demand for root, demand in sorted(demands.items()) if demand}
        self.heads: dict[int, list[int]] = {v: [] for v in self.members}
        for tail, head in sorted(capacities, key=lambda arc: -capacities[arc]):
            self.heads[tail].append(head)
        self.pool = Pool(1 + self.members[-1])
        self.check = check
        self.patience = patience
        self._trees: list[Tree] = []
        all_members = frozenset(self.members)
        natural = [frozenset({member}) for member in self.members]
        for inside in dict.fromkeys([*natural, *(all_members - cut for cut in narrow)]):
            if inside:
                self.pool.add(inside, self.slack(inside))

    def run(self) -> list[Tree]:
        """Pack trees until nothing is demanded any more."""
        while self.open:
            self.check()
            branching = Branching(self, next(iter(self.open)))
            complete = branching.grow()
            tree = branching.tree()
            if complete:
                self._account(tree, tree.weight)
                self._trees.append(tree)
                continue
            self.patience -= 1
            self._learn(tree)
            if self.patience <= 0:
                self._mend()
        return self._trees

    def slack(self, inside: Collection[int]) -> int:
        """Tell how much more can enter a set than has to."""
        capacity = sum(c for (u, v), c in self.left.items() if v in inside and u not in inside)
        return capacity - sum(d for root, d in self.open.items() if root not in inside)

    def rest(self, tree: Tree) -> tuple[dict[Arc, int], dict[int, int]]:
        """Give capacities and demands without a tree that is still growing."""
        left, demands = dict(self.left), dict(self.open)
        for arc in tree.arcs:
            left[arc] -= tree.weight
        demands[tree.root] -= tree.weight
        return left, demands

    def _account(self, tree: Tree, weight: int) -> None:
        """Take a tree's weight from what is left and demanded; give it back if negative."""
        for arc in tree.arcs:
            self.left[arc] -= weight
        self.open[tree.root] = self.open.get(tree.root, 0) - weight
        if not self.open[tree.root]:
            del self.open[tree.root]
        holding, slack = self.pool.holding, self.pool.slack
        met = holding[tree.root]
        for tail, head in tree.arcs:
            for k in bits(holding[head] & ~holding[tail] & met):
                slack[k] -= weight
            met |= holding[head]

    def _learn(self, tree: Tree) -> None:
        """Find sets that are too narrow for a tree that is not complete, and for the others."""
        apex = 1 + self.members[-1]
        capacities, demands = self.rest(tree)
        for vertex in {tree.root, *(head for _, head in tree.arcs)}:
            capacities[apex, vertex] = tree.weight
        network = RootedNetwork(apex + 1, capacities, {**demands, apex: tree.weight})
        found = [cut for v in self.members for cut in self._cuts_before(network, v)]
        for cut in dict.fromkeys(found):
            self._widen(cut)

    def _mend(self) -> None:
        """Give back until all that is demanded can be packed."""
        for member in self.members:
            while True:
                network = RootedNetwork(1 + self.members[-1], self.left, self.open)
                cuts = self._cuts_before(network, member)
                if not cuts:
                    break
                self._widen(cuts[0])

    def _cuts_before(self, network: RootedNetwork, member: int) -> list[frozenset[int]]:
        self.check()
        return network.cuts_before(member)

    def _widen(self, cut: Collection[int]) -> None:
        """Know a set from now on, and let the latest trees give back what it lacks."""
        inside = frozenset(v for v in self.members if v not in cut)
        if inside in self.pool.index:
            return
        index = self.pool.add(inside, self.slack(inside))
        for tree in reversed(self._trees):
            lack = -self.pool.slack[index]
            if lack <= 0:
                break
            surplus = tree.surplus(inside)
            if surplus:
                weight = min(tree.weight, -(-lack // surplus))
                self._account(tree, -weight)
                tree.weight -= weight
        self._trees = [tree for tree in self._trees if tree.weight]


class Branching:
    """A tree that grows: breadth first, and as heavy as it can be.

    Parameters
    ----------
    growth
        What is left and demanded, and which sets are narrow.
    root
        Where the tree begins, with all the weight that the root demands.
    """

    def __init__(self, growth: Growth, root: int) -> None:
        self._growth = growth
        self._root = root
        self._weight = growth.open[root]
        self._arcs: list[Arc] = []
        self._inside = {root}
        self._met = growth.pool.holding[root]
        self._surplus: dict[int, int] = {}
        self._tight = self._tight_among(range(len(growth.pool.slack)))

    def tree(self) -> Tree:
        """Give the tree as it is."""
        return Tree(self._root, self._weight, tuple(self._arcs))

    def grow(self) -> bool:
        """Add arcs until every member is reached; tell whether that has been possible."""
        heads, left = self._growth.heads, self._growth.left
        holding = self._growth.pool.holding
        testing = self._growth.patience <= 0
        number = len(self._growth.members)
        waiting = deque((self._root, head) for head in heads[self._root])
        refused: list[Arc] = []
        while len(self._inside) < number:
            if not waiting:
                refused = [arc for arc in refused if arc[1] not in self._inside]
                weight = max(map(self._max_weight, refused), default=0)
                if not weight:
                    return False
                self._weight = weight
                self._tight = self._tight_among(bits(self._tight))
                waiting.extend(refused)
                refused = []
            arc = waiting.popleft()
            tail, head = arc
            if head in self._inside:
                continue
            again = holding[head] & ~holding[tail] & self._met
            if left[arc] < self._weight or again & self._tight or (testing and self._fails(arc)):
                refused.append(arc)
                continue
            self._add(arc, again)
            waiting.extend((head, further) for further in heads[head])
        return True

    def _add(self, arc: Arc, again: int) -> None:
        self._arcs.append(arc)
        self._inside.add(arc[1])
        for k in bits(again):
            self._surplus[k] = self._surplus.get(k, 0) + 1
        self._met |= self._growth.pool.holding[arc[1]]
        self._tight |= self._tight_among(bits(again))

    def _max_weight(self, arc: Arc) -> int:
        """Give the largest weight that the tree can have with an arc."""
        holding, slack = self._growth.pool.holding, self._growth.pool.slack
        again = holding[arc[1]] & ~holding[arc[0]] & self._met
        most = min(self._weight, self._growth.left[arc])
        for k in bits(again & self._tight):
            if slack[k] < most * (self._surplus.get(k, 0) + 1):
                most = slack[k] // (self._surplus.get(k, 0) + 1)
                if not most:
                    break
        return most

    def _tight_among(self, sets: Iterable[int]) -> int:
        """Mark those sets that the tree cannot enter again with its weight."""
        weight, surplus, slack = self._weight, self._surplus, self._growth.pool.slack
        return sum(1 << k for k in sets if slack[k] < weight * (surplus.get(k, 0) + 1))

    def _fails(self, arc: Arc) -> bool:
        r"""Tell by a flow whether the tree with an arc leaves too little for the others.

        Take a maximum flow from tail x to head y of the arc, with an arc of the root's demand from
        x to every other root. It is the least slack of the sets with y and without x, and all
        demands. The set that decides is known from then on.
        """
        growth, tree = self._growth, self.tree()
        growth.check()
        tail, head = arc
        capacities, demands = growth.rest(tree)
        flow = MaxFlow(1 + growth.members[-1])
        for (u, v), capacity in capacities.items():
            if capacity:
                flow.add(u, v, capacity)
        for root, demand in demands.items():
            if demand and root != tail:
                flow.add(tail, root, demand)
        enough = sum(demands.values()) + tree.weight
        if flow.push(tail, head, enough) == enough:
            return False
        inside = frozenset(flow.sink_side(head)).intersection(growth.members)
        k = growth.pool.add(inside, growth.slack(inside))
        self._met |= 1 << k
        self._surplus[k] = tree.surplus(inside)
        self._tight |= 1 << k
        return True
