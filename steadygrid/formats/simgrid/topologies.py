"""How large tori, fat trees and dragonflies are, and which of their hosts are interchangeable."""

from collections.abc import Iterator
from math import lcm, prod

from steadygrid.formats.simgrid.declarations import Dragonfly, FatTree, Topology, Torus


def num_switches(topology: Topology) -> int:
    """Count the switches of a topology."""
    if isinstance(topology, Torus):
        return topology.count
    if isinstance(topology, FatTree):
        return sum(nodes_by_level(topology)[1:])
    return topology.groups * topology.chassis * topology.routers


def num_points(topology: Topology) -> int:
    """Count what a topology needs besides its hosts.

    Of several cables between the same two, all but one have a switch of their own for each direction.
    """
    if not isinstance(topology, FatTree):
        return num_switches(topology)
    levels = zip(nodes_by_level(topology), topology.up, topology.cables, strict=False)
    return num_switches(topology) + sum(
        2 * number * up * (cables - 1) for number, up, cables in levels
    )


def num_links(topology: Topology) -> int:
    """Count the links between switches."""
    if isinstance(topology, Torus):
        return topology.count * len(topology.sizes)
    if isinstance(topology, FatTree):
        levels = zip(nodes_by_level(topology), topology.up, topology.cables, strict=False)
        above_hosts = [number * up * cables for number, up, cables in levels]
        return sum(above_hosts[1:]) + (topology.up[0] * topology.cables[0] - 1) * topology.count
    groups, chassis, routers = topology.groups, topology.chassis, topology.routers
    green = groups * chassis * (routers * (routers - 1) // 2)
    black = groups * (chassis * (chassis - 1) // 2) * routers
    return green + black + groups * (groups - 1) // 2


def nodes_by_level(tree: FatTree) -> list[int]:
    """Count the hosts of a fat tree, and its switches of each level, the lowest first."""
    levels = range(len(tree.down) + 1)
    return [prod(tree.up[:level]) * prod(tree.down[level:]) for level in levels]


def interchangeable(topology: Topology) -> Iterator[range]:
    """List the positions of hosts in groups: all SimGrid's routes treat those of one group alike."""
    size, modulus = _leaves_of_a_switch(topology), _modulus(topology)
    for start in range(0, topology.count, size):
        for first in range(start, start + min(size, modulus)):
            yield range(first, start + size, modulus)


def group_of(topology: Topology, position: int) -> tuple[int, int]:
    """Tell the group of a host: equal for those that routes treat alike.

    Parameters
    ----------
    topology
        Of the cluster.
    position
        Of the host, from 0.
    """
    size = _leaves_of_a_switch(topology)
    return position // size, position % size % _modulus(topology)


def _leaves_of_a_switch(topology: Topology) -> int:
    """Count the hosts that hang on one switch only, and on the same one; 1 if none do."""
    if isinstance(topology, Dragonfly):
        return topology.nodes
    if isinstance(topology, FatTree) and topology.up[0] * topology.cables[0] == 1:
        return topology.down[0]
    return 1


def _modulus(topology: Topology) -> int:
    """Give the distance of hosts on one switch that routes treat alike.

    In a dragonfly routes depend on the routers of their ends only. In a fat tree the route up
    depends on the position of the target, and among several cables the route down on that of the
    source, by remainders.
    """
    if not isinstance(topology, FatTree):
        return 1
    above = range(1, len(topology.up))
    routes_up = (prod(topology.up[: level + 1]) * topology.cables[level] for level in above)
    return lcm(*routes_up, *topology.cables)
