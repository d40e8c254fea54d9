r"""Cuts that are too narrow for what has to leave them.

Root i has to send :math:`d_i` to every member. By Edmonds (with forwarders, if in = out at each of
them, by splitting off) arborescences that do so can be packed into capacities c exactly if

.. math:: \sum_{e \text{ leaves } S} c_e \ge \sum_{i \in S} d_i

for every set S with a member outside: for every member t, a maximum flow to t from a super source
that feeds root i with :math:`d_i` brings all of them.
"""

from collections.abc import Collection, Mapping
from fractions import Fraction
from math import lcm

from steadygrid.engine.arborescences.maxflow import MaxFlow

Arc = tuple[int, int]
"""Tail and head."""
Number = int | Fraction


class RootedNetwork:
    """A network with a super source that feeds the roots.

    Parameters
    ----------
    number
        The vertices are ``0..number-1``.
    capacities
        By arc; integers.
    demands
        What every root sends to every member; integers.

    Notes
    -----
    A flow that brings everything to one member is kept, and sent on from there to the next member:
    that takes fewer and shorter paths than from the roots. What hinders it is what hinders a flow
    from the roots: a set that holds all of what could not be sent on, and the super source.
    """

    def __init__(
        self, number: int, capacities: Mapping[Arc, int], demands: Mapping[int, int]
    ) -> None:
        self._source = number
        self._total = sum(demands.values())
        self._flow = MaxFlow(number + 1)
        self._begin = number
        self._residual: list[int] | None = None
        for root, demand in demands.items():
            if demand:
                self._flow.add(number, root, demand)
        for arc, capacity in capacities.items():
            if capacity and arc[0] != arc[1]:
                self._flow.add(*arc, capacity)

    def cuts_before(self, member: int) -> list[frozenset[int]]:
        """Find sets without a member that are too narrow.

        Returns
        -------
        list of sets
            None if everything reaches the member; else the smallest and, if it differs, the largest
            of the sets S with the greatest lack.
        """
        flow = self._flow
        flow.reset(self._residual)
        if flow.push(self._begin, member, self._total) == self._total:
            self._begin, self._residual = member, flow.residual
            return []
        smallest = frozenset(flow.source_side(self._begin) - {self._source})
        largest = frozenset(range(self._source)) - flow.sink_side(member)
        return [smallest] if smallest == largest else [smallest, largest]


def violated(
    number: int,
    capacities: Mapping[Arc, int],
    demands: Mapping[int, int],
    members: Collection[int],
) -> list[frozenset[int]]:
    r"""Find sets that are too narrow for the demands in them.

    Parameters
    ----------
    number
        The vertices are ``0..number-1``.
    capacities
        By arc; integers.
    demands
        What every root sends to every member; integers.
    members
        Vertices that each root has to reach.

    Returns
    -------
    list of sets
        Different sets S with :math:`\sum_{e \text{ leaves } S} c_e < \sum_{i \in S} d_i` and a
        member outside, up to two for every member. None exactly if all demands can be satisfied.
        ``O(members)`` maximum flows.
    """
    network = RootedNetwork(number, capacities, demands)
    found: dict[frozenset[int], None] = {}
    for member in sorted(members):
        found.update(dict.fromkeys(network.cuts_before(member)))
    return list(found)


def capacity_out_of(inside: Collection[int], capacities: Mapping[Arc, int]) -> int:
    """Sum the capacities of the arcs that leave a set.

    Parameters
    ----------
    inside
        Vertices of the set.
    capacities
        By arc; integers.
    """
    return sum(c for (u, v), c in capacities.items() if u in inside and v not in inside)


def least_cut(
    number: int,
    bandwidths: Mapping[Arc, Number],
    data: Mapping[int, Number],
    members: Collection[int],
) -> tuple[Fraction, frozenset[int]]:
    """Find the set that is narrowest for the data in it.

    Parameters
    ----------
    number
        The vertices are ``0..number-1``.
    bandwidths
        Of the arcs, at least 0.
    data
        What each root has, at least 0.
    members
        Who has to get it.

    Returns
    -------
    ratio, set
        The least B(S)/D(S) over the sets S with data inside and a member outside, and a set that
        has it. B(S) is the bandwidth out of S, and D(S) the data in it. 0 if a member is cut off.

    Raises
    ------
    ValueError
        If nothing has to move: there is no such set.

    Notes
    -----
    Newton's (Dinkelbach's) method, in integers: a set that is too narrow at a ratio gives the next
    one, and a member that everything reaches at a ratio is reached at all smaller ones. So every
    member takes one flow, and one more for each time that the ratio falls.
    """
    scale = lcm(1, *(Fraction(b).denominator for b in bandwidths.values()))
    grain = lcm(1, *(Fraction(d).denominator for d in data.values()))
    wide = {arc: int(b * scale) for arc, b in bandwidths.items() if b and arc[0] != arc[1]}
    heavy = {root: int(d * grain) for root, d in data.items() if d}

    def ratio(inside: frozenset[int]) -> Fraction:
        demand = sum(d for root, d in heavy.items() if root in inside)
        return Fraction(capacity_out_of(inside, wide) * grain, demand * scale)

    complete = frozenset(range(number))
    simple = [frozenset({root}) for root in heavy if set(members) - {root}]
    simple += [complete - {member} for member in members if heavy.keys() - {member}]
    if not simple:
        raise ValueError("nothing has to move: give data to a root that is not the only member")
    least, narrowest = min(((ratio(inside), inside) for inside in simple), key=lambda pair: pair[0])
    network = _scaled_network(least, number, wide, heavy, scale, grain)
    for member in sorted(members):
        while least and (cuts := network.cuts_before(member)):
            least, narrowest = min(((ratio(s), s) for s in cuts), key=lambda pair: pair[0])
            network = _scaled_network(least, number, wide, heavy, scale, grain)
    return least, narrowest


def _scaled_network(
    ratio: Fraction,
    number: int,
    wide: Mapping[Arc, int],
    heavy: Mapping[int, int],
    scale: int,
    grain: int,
) -> RootedNetwork:
    """Scale capacities, and demands at a ratio, to integers."""
    factor = ratio / grain * scale
    return RootedNetwork(
        number,
        {arc: b * factor.denominator for arc, b in wide.items()},
        {root: d * factor.numerator for root, d in heavy.items()},
    )
