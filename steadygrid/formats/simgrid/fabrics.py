"""Clusters that are tori, fat trees or dragonflies: switches, links, and SimGrid's route through them.

What is here repeats SimGrid's ``TorusZone``, ``FatTreeZone`` and ``DragonflyZone``, the names of links
included. A host has one link to a switch of its own (torus), of the lowest level (fat tree) or of its
blade (dragonfly). A limiter bounds what passes a host or a switch in both directions together.
"""

from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, combinations, pairwise
from math import prod
from typing import NamedTuple, Protocol

from steadygrid.formats.simgrid.declarations import (
    Dragonfly,
    Fabric,
    FatTree,
    Leaf,
    Torus,
    Zone,
)
from steadygrid.formats.simgrid.network import Network, Point, Stretch
from steadygrid.formats.simgrid.topologies import nodes_by_level


@dataclass
class Counters:
    """What SimGrid counts over all clusters of one topology, in the order of the document."""

    hosts_of_trees: int = 0
    links_of_trees: int = 0
    links_of_dragonflies: int = 0


class FabricPaths(Protocol):
    """SimGrid's routes between the hosts of a fabric."""

    def path(self, source: str, target: str) -> Stretch:
        """Give the route from one host to another. The loopback is none of them.

        Parameters
        ----------
        source, target
            Different hosts.
        """


class Pair(NamedTuple):
    """A link: one capacity for each direction, or twice the same."""

    up: int
    down: int


class _Parts:
    """Makes points and capacities of one fabric."""

    def __init__(self, network: Network, zone: Zone, fabric: Fabric) -> None:
        self.network = network
        self.zone = zone
        self.leaves = {leaf.host.id: leaf for leaf in zone.leaves}
        self._fabric = fabric
        for leaf in zone.leaves:
            host = leaf.host
            network.points.append(Point(host.id, host.speed, switch=False, members=host.members))

    def switch(self, name: str) -> str:
        return self.network.add_switch(f"{self.zone.id}_{name}")

    def link(self, name: str, factor: int = 1) -> Pair:
        bandwidth, latency, policy = self._fabric.link
        if policy != "SPLITDUPLEX":
            one = self._capacity(name, bandwidth * factor, latency)
            return Pair(one, one)
        return Pair(
            self._capacity(f"{name}_UP", bandwidth * factor, latency),
            self._capacity(f"{name}_DOWN", bandwidth * factor, latency),
        )

    def limiter(self, number: int, factor: int = 1) -> tuple[int, ...]:
        """Make a limiter, if there are some: what stands for it among the uses of an arc."""
        bandwidth = self._fabric.limiter
        if bandwidth is None:
            return ()
        name = f"{self.zone.id}_link_{number}_limiter"
        return (self._capacity(name, bandwidth * factor, Fraction(0)),)

    def _capacity(self, name: str, bandwidth: Fraction, latency: Fraction) -> int:
        return self.network.add_capacity(self.network.free_name(name), bandwidth, latency)


def build_fabric(network: Network, zone: Zone, counters: Counters) -> FabricPaths:
    """Add a fabric to a network: hosts, switches, and what joins them.

    Parameters
    ----------
    network
        Gets the points and arcs.
    zone
        A cluster with a topology.
    counters
        Number what fabrics of a document make, one after the other.

    Raises
    ------
    ValueError
        If the zone is no fabric.
    """
    fabric = zone.fabric
    if fabric is None:
        raise ValueError(f"{zone.id!r} is no fabric")
    parts = _Parts(network, zone, fabric)
    if isinstance(fabric.topology, Torus):
        return _TorusPaths(parts, fabric.topology)
    if isinstance(fabric.topology, FatTree):
        return _TreePaths(parts, fabric.topology, counters)
    return _DragonflyPaths(parts, fabric.topology, counters)


# --- torus -------------------------------------------------------------------------------


class _TorusPaths:
    """Each direction of the grid after the other. The shorter route round, forwards if both are."""

    def __init__(self, parts: _Parts, torus: Torus) -> None:
        self._leaves, self._sizes = parts.leaves, torus.sizes
        self._steps = list(accumulate(torus.sizes[:-1], lambda a, b: a * b, initial=1))
        network = parts.network
        self._switches = [parts.switch(f"switch_{rank}") for rank in range(torus.count)]
        limiters = [parts.limiter(rank) for rank in range(torus.count)]
        self._hops: dict[tuple[int, int, bool], Stretch] = {}
        out = [Fraction(0)] * torus.count
        for rank in range(torus.count):
            for axis, size in enumerate(torus.sizes):
                after = self._neighbour(rank, axis, forwards=True)
                link = parts.link(f"{parts.zone.id}_link_from_{rank}_to_{after}")
                if size == 1 or (size == 2 and self._coordinate(rank, axis) == 1):
                    continue
                for start, end, forwards, use in (
                    (rank, after, True, link.up),
                    (after, rank, False, link.down),
                ):
                    uses = (*limiters[start], use)
                    self._hops[start, axis, forwards] = network.connect(
                        self._switches[start], self._switches[end], uses
                    )
                    out[start] += network.least(uses)
        self._last: dict[str, Stretch] = {}
        for name, leaf in parts.leaves.items():
            switch, limiter = self._switches[leaf.position], limiters[leaf.position]
            if not out[leaf.position]:
                self._last[name] = Stretch(None, limiter)
                continue
            network.join(name, switch, out[leaf.position])
            if limiter:
                self._last[name] = network.connect(switch, name, limiter)
            else:
                network.join(switch, name, out[leaf.position])
                self._last[name] = Stretch((switch, name), ())

    def _coordinate(self, rank: int, axis: int) -> int:
        return rank // self._steps[axis] % self._sizes[axis]

    def _neighbour(self, rank: int, axis: int, *, forwards: bool) -> int:
        here, size = self._coordinate(rank, axis), self._sizes[axis]
        there = (here + 1) % size if forwards else (here - 1) % size
        return rank + (there - here) * self._steps[axis]

    def path(self, source: str, target: str) -> Stretch:
        rank, end = self._leaves[source].position, self._leaves[target].position
        found = Stretch((source, self._switches[rank]), ())
        for axis, size in enumerate(self._sizes):
            here, there = self._coordinate(rank, axis), self._coordinate(end, axis)
            forwards = here < there <= here + size // 2 or (
                here > size // 2 and (here + size // 2) % size >= there
            )
            while self._coordinate(rank, axis) != there:
                found = found.followed_by(self._hops[rank, axis, forwards])
                rank = self._neighbour(rank, axis, forwards=forwards)
        return found.followed_by(self._last[target])


# --- fat tree ----------------------------------------------------------------------------


class _Node(NamedTuple):
    """A host, or a switch of a level above 0."""

    level: int
    label: tuple[int, ...]


class _TreePaths:
    """Up by the target's position (d-mod-k) to the first switch above it, then down to it."""

    def __init__(self, parts: _Parts, tree: FatTree, counters: Counters) -> None:
        self._parts, self._tree = parts, tree
        self._offset = counters.hosts_of_trees
        self._names: dict[_Node, str] = {}
        self._limiters: dict[_Node, tuple[int, ...]] = {}
        self._ids: dict[_Node, int] = {}
        self._up: dict[tuple[_Node, int], tuple[_Node, Stretch]] = {}
        self._down: dict[tuple[_Node, int], tuple[_Node, Stretch]] = {}
        self._hosts = {name: self._host(leaf) for name, leaf in parts.leaves.items()}
        members = {self._hosts[name]: leaf.host.members for name, leaf in parts.leaves.items()}
        self._add_switches()
        numbers = nodes_by_level(tree)
        links = [n * up * c for n, up, c in zip(numbers, tree.up, tree.cables, strict=False)]
        first = list(accumulate(links, initial=counters.links_of_trees))
        for node in list(self._names):
            if node.level < len(tree.down):
                self._join_parents(node, first[node.level], members.get(node, 1))
        counters.hosts_of_trees += tree.count
        counters.links_of_trees = first[-1]

    def _host(self, leaf: Leaf) -> _Node:
        node = _Node(0, self._label(0, leaf.position))
        self._names[node] = leaf.host.id
        self._ids[node] = leaf.position
        self._limiters[node] = self._parts.limiter(leaf.position, leaf.host.members)
        return node

    def _add_switches(self) -> None:
        number = 2 * self._tree.count
        for level, nodes in enumerate(nodes_by_level(self._tree)):
            for position in range(nodes if level else 0):
                number -= 1
                node = _Node(level, self._label(level, position))
                self._names[node] = self._parts.switch(f"switch_{level}_{position}")
                self._ids[node] = number
                self._limiters[node] = self._parts.limiter(number)

    def _sizes(self, level: int) -> tuple[int, ...]:
        """Give how many values each place of a label has at a level."""
        return (*self._tree.up[:level], *self._tree.down[level:])

    def _label(self, level: int, position: int) -> tuple[int, ...]:
        label = []
        for size in self._sizes(level):
            label.append(position % size)
            position //= size
        return tuple(label)

    def _position(self, node: _Node) -> int:
        steps = accumulate(self._sizes(node.level), lambda a, b: a * b, initial=1)
        return sum(digit * step for digit, step in zip(node.label, steps, strict=False))

    def _join_parents(self, node: _Node, first_link: int, members: int) -> None:
        level, network = node.level, self._parts.network
        up, cables, down = (
            self._tree.up[level],
            self._tree.cables[level],
            self._tree.down[level],
        )
        own, position = self._limiters[node], self._position(node)
        for place in range(up):
            parent = _Node(level + 1, (*node.label[:level], place, *node.label[level + 1 :]))
            for cable in range(cables):
                number = first_link + (position * up + place) * cables + cable
                name = f"link_from_{self._ids[node]}_{self._ids[parent]}_{number}"
                link = self._parts.link(name, members)
                here, there = self._names[node], self._names[parent]
                rising = network.connect(here, there, (*own, link.up))
                behind = own if level == 0 else ()
                falling = network.connect(
                    there, here, (link.down, *self._limiters[parent], *behind)
                )
                self._up[node, place + cable * up] = parent, rising
                self._down[parent, node.label[level] + cable * down] = node, falling

    def path(self, source: str, target: str) -> Stretch:
        tree, here, end = self._tree, self._hosts[source], self._hosts[target]
        start = self._parts.leaves[source].position + self._offset
        goal = self._parts.leaves[target].position + self._offset
        found = Stretch((source,), ())
        while here.level == 0 or here.label[here.level :] != end.label[here.level :]:
            ports = tree.up[here.level] * tree.cables[here.level]
            port = goal // prod(tree.up[: here.level]) % ports
            here, stretch = self._up[here, port]
            found = found.followed_by(stretch)
        while here != end:
            # SimGrid goes on with the next port where it has gone down, not with the first one.
            port = start % tree.cables[here.level - 1] * tree.down[here.level - 1]
            while here.level and port < tree.down[here.level - 1] * tree.cables[here.level - 1]:
                if port % tree.down[here.level - 1] == end.label[here.level - 1]:
                    here, stretch = self._down[here, port]
                    found = found.followed_by(stretch)
                port += 1
        return found


# --- dragonfly ---------------------------------------------------------------------------


class _Router(NamedTuple):
    group: int
    chassis: int
    blade: int


class _DragonflyPaths:
    """At most two hops, over a blade and a chassis, in the groups of both ends; one in between."""

    def __init__(self, parts: _Parts, fly: Dragonfly, counters: Counters) -> None:
        self._parts, self._fly = parts, fly
        self._number = counters.links_of_dragonflies
        network = parts.network
        routers = [
            _Router(group, chassis, blade)
            for group in range(fly.groups)
            for chassis in range(fly.chassis)
            for blade in range(fly.routers)
        ]
        self._names = {
            router: parts.switch("router_{}_{}_{}".format(*router)) for router in routers
        }
        last = 2 * fly.count
        self._limiters = {
            router: parts.limiter(last - 1 - place) for place, router in enumerate(routers)
        }
        self._hops: dict[tuple[_Router, _Router], Stretch] = {}
        self._rising: dict[str, Stretch] = {}
        self._falling: dict[str, Stretch] = {}
        for name, leaf in parts.leaves.items():
            self._hang(name, leaf, network)
        self._number += fly.count
        self._join_all(routers, network)
        counters.links_of_dragonflies = self._number

    def _hang(self, name: str, leaf: Leaf, network: Network) -> None:
        place, node = divmod(leaf.position, self._fly.nodes)
        router = self._router_of(leaf.position)
        link = self._parts.link(
            f"local_link_from_router_{place}_to_node_{node}_{self._number + leaf.position}",
            leaf.host.members,
        )
        own = self._parts.limiter(leaf.position, leaf.host.members)
        there = self._names[router]
        self._rising[name] = network.connect(name, there, (*own, link.up))
        self._falling[name] = network.connect(
            there, name, (*self._limiters[router], link.down, *own)
        )

    def _join_all(self, routers: list[_Router], network: Network) -> None:
        fly = self._fly
        for group in range(fly.groups):
            for chassis in range(fly.chassis):
                for one, other in combinations(range(fly.routers), 2):
                    name = f"green_link_in_chassis_{chassis}_between_routers_{one}_and_{other}"
                    ends = _Router(group, chassis, one), _Router(group, chassis, other)
                    self._join(name, ends, fly.green, network)
        for group in range(fly.groups):
            for one, other in combinations(range(fly.chassis), 2):
                for blade in range(fly.routers):
                    name = f"black_link_in_group_{group}_between_chassis_{one}_and_{other}_blade_{blade}"
                    ends = _Router(group, one, blade), _Router(group, other, blade)
                    self._join(name, ends, fly.black, network)
        inside = fly.chassis * fly.routers
        for one, other in combinations(range(fly.groups), 2):
            places = one * inside + other, other * inside + one
            name = "blue_link_between_group_{}_and_{}_routers_{}_and_{}".format(one, other, *places)
            ends = routers[places[0]], routers[places[1]]
            self._join(name, ends, fly.blue, network)

    def _join(
        self, name: str, ends: tuple[_Router, _Router], bundled: int, network: Network
    ) -> None:
        link = self._parts.link(f"{name}_{self._number}", bundled)
        self._number += 1
        for (start, end), use in zip((ends, ends[::-1]), link, strict=True):
            uses = (*self._limiters[start], use)
            if start.group != end.group:
                uses = (use, *self._limiters[start])
            self._hops[start, end] = network.connect(self._names[start], self._names[end], uses)

    def _router_of(self, position: int) -> _Router:
        place = position // self._fly.nodes
        place, blade = divmod(place, self._fly.routers)
        group, chassis = divmod(place, self._fly.chassis)
        return _Router(group, chassis, blade)

    def path(self, source: str, target: str) -> Stretch:
        leaves = self._parts.leaves
        here = self._router_of(leaves[source].position)
        end = self._router_of(leaves[target].position)
        passed = [here]
        if here.group != end.group:
            passed.append(passed[-1]._replace(blade=end.group))
            passed.append(passed[-1]._replace(chassis=0))
            passed.append(_Router(end.group, 0, here.group))
        if passed[-1].blade != end.blade:
            passed.append(_Router(end.group, 0, end.blade))
        passed.append(end)
        found = self._rising[source]
        for start, stop in pairwise(passed):
            if start != stop:
                found = found.followed_by(self._hop(start, stop))
        return found.followed_by(self._falling[target])

    def _hop(self, start: _Router, stop: _Router) -> Stretch:
        """Give what leads from one router to another.

        A green link of another chassis than the first leads SimGrid to the first one, since it takes
        it that a route comes from another group.
        """
        if (start, stop) not in self._hops:
            beside = self._hops[start, start._replace(blade=stop.blade)]
            self._hops[start, stop] = self._parts.network.connect(
                self._names[start], self._names[stop], beside.uses
            )
        return self._hops[start, stop]
