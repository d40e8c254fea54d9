r"""Splitting off: forwarders replaced by arcs between members.

At a forwarder w with in >= out, a pair of arcs u → w → t is *split off* by an amount g: both lose
g, and u → t gains it. Where in >= out at every forwarder this can be done until nothing leaves w,
and all demands can still be satisfied (W. Mader, *Konstruktion aller n-fach kantenzusammenhängenden
Digraphen*, 1982; J. Bang-Jensen, A. Frank, B. Jackson, *Preserving and increasing local
edge-connectivity in mixed graphs*, 1995). u → w → u is dropped.

Splitting off a pair takes from the capacity out of S exactly if S parts w from both u and t, and no
set ever gains. So pairs are split off as far as known sets allow; then maximum flows show which
other sets have become too narrow. As much as these lack is given back, and they are known from then
on. In the worst case a set is found for each pair, in practice a few for each forwarder.
"""

from collections import deque
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

from steadygrid.engine.arborescences.cuts import Arc, capacity_out_of, violated
from steadygrid.engine.arborescences.incremental_flows import KeptFlows
from steadygrid.engine.arborescences.pool import Pool

Interior = tuple[int, ...]
"""The forwarders on a path, in order."""
Interiors = dict[Interior, int]
"""How much takes which path."""


@dataclass(frozen=True)
class Split:
    """A network of members alone, and what its arcs stand for.

    Attributes
    ----------
    capacities
        Of arcs between members, all above 0.
    routes
        By arc: the forwarders that its capacity passes, with amounts that sum to it.
    narrow
        Sets of vertices that have been found narrow.
    """

    capacities: dict[Arc, int]
    routes: dict[Arc, Interiors]
    narrow: list[frozenset[int]]


def split_off(
    number: int,
    capacities: Mapping[Arc, int],
    demands: Mapping[int, int],
    members: Collection[int],
    check: Callable[[], None] = lambda: None,
    even: bool = False,
) -> Split:
    """Split off all forwarders.

    Parameters
    ----------
    number
        The vertices are ``0..number-1``.
    capacities
        By arc; integers. In >= out at every vertex that is no member. What is too much is dropped.
    demands
        What every root, a member, sends to all members; integers.
    members
        Who stays.
    check
        Called before every flow; may raise.
    even
        Deal what arrives at a forwarder to all others that it leads to, in proportion; else few
        pairs take as much as they can, so that the arcs are few.

    Raises
    ------
    ValueError
        If a forwarder sends more than it takes, or the demands cannot be satisfied.
    """
    for root, demand in demands.items():
        if demand < 0 or (demand and root not in members):
            raise ValueError(
                f"root {root} demands {demand}: only members send, and not less than 0"
            )
    for cut in violated(number, capacities, demands, members):
        raise ValueError(_too_narrow(cut, capacities, demands))
    splitting = _Splitting(number, capacities, demands, members, check, even)
    forwarders = {v for arc in splitting.capacities for v in arc} - set(members)
    for forwarder in sorted(forwarders):
        splitting.require_balance(forwarder)
    while forwarders:
        degrees = dict.fromkeys(forwarders, 0)
        for arc in splitting.capacities:
            for vertex in forwarders.intersection(arc):
                degrees[vertex] += 1
        forwarder = min(forwarders, key=lambda v: (degrees[v], v))
        splitting.remove(forwarder)
        forwarders.remove(forwarder)
    return Split(splitting.capacities, splitting.routes, list(splitting.pool.index))


def _too_narrow(
    cut: Collection[int], capacities: Mapping[Arc, int], demands: Mapping[int, int]
) -> str:
    demand = sum(d for root, d in demands.items() if root in cut)
    return (
        f"no packing: {demand} have to leave the vertices {sorted(cut)}, "
        f"{capacity_out_of(cut, capacities)} can: lower the demands of the roots among them"
    )


class _Splitting:
    """The network while forwarders are split off."""

    def __init__(
        self,
        number: int,
        capacities: Mapping[Arc, int],
        demands: Mapping[int, int],
        members: Collection[int],
        check: Callable[[], None],
        even: bool,
    ) -> None:
        self.capacities = {a: c for a, c in capacities.items() if c and a[0] != a[1]}
        self.routes: dict[Arc, Interiors] = {arc: {(): c} for arc, c in self.capacities.items()}
        self.pool = Pool(number)
        self._number = number
        self._demands = demands
        self._members = sorted(members)
        self._check = check
        self._even = even
        self._flows: KeptFlows | None = None

    def require_balance(self, forwarder: int) -> None:
        """Raise ValueError if more can leave a forwarder than enter it."""
        arriving, leaving = self._around(forwarder)
        if sum(arriving.values()) < sum(leaving.values()):
            raise ValueError(
                f"forwarder {forwarder} takes {sum(arriving.values())} and sends "
                f"{sum(leaving.values())}: reduce capacities until it sends no more"
            )

    def remove(self, forwarder: int) -> None:
        """Split off one forwarder."""
        arriving, leaving = self._around(forwarder)
        moved: dict[Arc, int] = {}
        balanced = sum(arriving.values()) == sum(leaving.values())
        if len(arriving) == 1 or (balanced and (len(leaving) == 1 or _is_wire(arriving, leaving))):
            self._split(forwarder, moved, free=True)
        else:
            self._split(forwarder, moved, even=self._even)
            self._mend(forwarder, moved)
        left = {a: c for a, c in self.capacities.items() if c and forwarder == a[0]}
        if left:
            raise ValueError(f"forwarder {forwarder} cannot be split off: {left} are left")
        for (source, target), amount in moved.items():
            first, second = (source, forwarder), (forwarder, target)
            routes = _joined(self.routes[first], forwarder, self.routes[second], amount)
            if source != target:
                into = self.routes.setdefault((source, target), {})
                for interior, share in routes:
                    into[interior] = into.get(interior, 0) + share
        for arc in [a for a in self.capacities if forwarder in a]:
            del self.capacities[arc]
            self.routes.pop(arc, None)

    def _around(self, forwarder: int) -> tuple[dict[int, int], dict[int, int]]:
        """Give the capacities of the arcs that arrive and leave, by their other ends."""
        arriving = {u: c for (u, v), c in self.capacities.items() if v == forwarder and c}
        leaving = {v: c for (u, v), c in self.capacities.items() if u == forwarder and c}
        return arriving, leaving

    def _split(
        self, forwarder: int, moved: dict[Arc, int], free: bool = False, even: bool = False
    ) -> None:
        """Split off pairs as far as known sets allow.

        Wide ones first, turns back last. If `even`, before that what each target would get if all
        that arrives from a source were dealt by the capacities of the other targets.
        """
        arriving, leaving = self._around(forwarder)
        holding = self.pool.holding
        by_width = sorted(leaving, key=lambda v: -leaving[v])
        turns = [(target, target) for target in by_width if target in arriving]
        pairs = [
            (source, target)
            for target in by_width
            for source in sorted(arriving, key=lambda u: -min(arriving[u], leaving[target]))
            if source != target
        ]
        limits = [(pair, arriving[pair[0]]) for pair in [*pairs, *turns]]
        if even:
            total = sum(leaving.values())
            even_shares = ((u, v, total - leaving.get(u, 0)) for u, v in pairs)
            limits[:0] = [
                ((u, v), arriving[u] * leaving[v] // others) for u, v, others in even_shares
            ]
        for (source, target), limit in limits:
            most = min(limit, arriving[source], leaving[target])
            if most and not free:
                parting = holding[forwarder] ^ holding[source]
                parting &= holding[forwarder] ^ holding[target]
                most = self.pool.least(parting, most)
            if most > 0:
                arriving[source] -= most
                leaving[target] -= most
                self._move(forwarder, (source, target), most, moved)

    def _move(self, forwarder: int, pair: Arc, amount: int, moved: dict[Arc, int]) -> None:
        """Move an amount from the paths through the forwarder to the arc; or back, if negative."""
        source, target = pair
        holding = self.pool.holding
        self._change((source, forwarder), -amount)
        self._change((forwarder, target), -amount)
        if source != target:
            self._change(pair, amount)
        parting = holding[forwarder] ^ holding[source]
        self.pool.take(parting & (holding[forwarder] ^ holding[target]), amount)
        moved[pair] = moved.get(pair, 0) + amount

    def _change(self, arc: Arc, amount: int) -> None:
        self.capacities[arc] = self.capacities.get(arc, 0) + amount
        if self._flows is not None:
            self._flows.set_capacity(arc, self.capacities[arc])

    def _mend(self, forwarder: int, moved: dict[Arc, int]) -> None:
        """Split off other pairs where sets have become too narrow, until all members are fed."""
        if self._flows is None:
            self._flows = KeptFlows(self._number, self.capacities, self._demands)
        waiting = deque(self._members)
        fed = 0
        while fed < len(waiting):
            self._check()
            cuts = self._flows.cuts_before(waiting[0])
            if not cuts:
                waiting.rotate(-1)
                fed += 1
                continue
            fed = 0
            for cut in cuts:
                self._give_back(forwarder, cut, moved)
            self._split(forwarder, moved)
        self._flows.detach(forwarder)

    def _give_back(self, forwarder: int, cut: frozenset[int], moved: dict[Arc, int]) -> None:
        """Undo the latest splits until a set is wide enough, and know it from now on."""
        demand = sum(d for root, d in self._demands.items() if root in cut)
        index = self.pool.add(cut, capacity_out_of(cut, self.capacities) - demand)
        inside = forwarder in cut
        for pair in reversed(moved):
            lack = -self.pool.slack[index]
            if lack <= 0:
                break
            if moved[pair] and all((end in cut) != inside for end in pair):
                self._move(forwarder, pair, -min(lack, moved[pair]), moved)


def _is_wire(arriving: Mapping[int, int], leaving: Mapping[int, int]) -> bool:
    """Tell whether a forwarder has two neighbours, and passes on what each sends to the other."""
    ends = arriving.keys() | leaving.keys()
    if len(ends) != 2:
        return False
    one, other = ends
    return arriving.get(one, 0) == leaving.get(other, 0)


def _joined(
    first: Interiors, forwarder: int, second: Interiors, amount: int
) -> list[tuple[Interior, int]]:
    """Take an amount out of both, and join its paths at the forwarder."""
    joined: list[tuple[Interior, int]] = []
    while amount:
        before, after = next(iter(first)), next(iter(second))
        share = min(amount, first[before], second[after])
        joined.append((without_loops((*before, forwarder, *after)), share))
        amount -= share
        for routes, interior in ((first, before), (second, after)):
            routes[interior] -= share
            if not routes[interior]:
                del routes[interior]
    return joined


def without_loops(route: tuple[int, ...]) -> tuple[int, ...]:
    """Cut out what lies between two passages of a vertex."""
    position: dict[int, int] = {}
    kept: list[int] = []
    for vertex in route:
        if vertex in position:
            for passed in kept[position[vertex] + 1 :]:
                del position[passed]
            del kept[position[vertex] + 1 :]
        else:
            position[vertex] = len(kept)
            kept.append(vertex)
    return tuple(kept)
