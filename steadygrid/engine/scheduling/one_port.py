"""The order of transfers under the one-port model, for links of every kind."""

from collections import defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from fractions import Fraction
from math import lcm

from steadygrid.domain.components import Parts
from steadygrid.domain.errors import SchedulingError
from steadygrid.domain.platform import Arc, Platform, Port, receiving_port, sending_port
from steadygrid.engine.scheduling.cards import ArcOperations, pieces_on_cards
from steadygrid.engine.scheduling.half_duplex import TreeLink, align_forest
from steadygrid.engine.scheduling.link_runs import (
    Demand,
    demands_by_link,
    place_demands,
    run_links,
)
from steadygrid.engine.scheduling.matching import Edge, decompose
from steadygrid.engine.scheduling.timeline import (
    Interval,
    Piece,
    distribute,
    intervals_of,
    pieces_of,
)
from steadygrid.engine.scheduling.workload import Operation, UnitSlot


class OnePort:
    """The conflicts among the operations of a workload.

    A processor, or each of its cards that has a name, sends one transfer at a time and receives one
    at a time. A link of a switch
    carries one in each direction, a half-duplex link one in total. A switch is split into one
    vertex for each of its links. Where a processor has several cards of which any serves any link,
    there are no half-duplex links, and all is ordered by `pieces_on_cards`. Else each connected
    part of what is used is ordered by itself:

    1. no half-duplex link carries both directions: matchings of a bipartite graph (`decompose`);
    2. the part is a tree: `align_forest`.

    Otherwise (deciding is NP-hard) the kind must say which arcs run side by side.

    Parameters
    ----------
    platform, hops
        Every operation that there may be.
    slots
        Given where the kind has computed the slots itself.

    Raises
    ------
    SchedulingError
        If neither case applies to some part and there are no slots.
    """

    def __init__(
        self,
        platform: Platform,
        hops: Sequence[Operation],
        slots: Sequence[UnitSlot] | None = None,
    ) -> None:
        self._platform = platform
        self._arcs = [hop.arc for hop in hops]
        self._slots = slots
        self.resources = {k: _resources(platform, arc) for k, arc in enumerate(self._arcs)}
        """What each operation occupies while it runs."""
        self.capacities = {
            resource: cards
            for k, arc in enumerate(self._arcs)
            for resource, end in zip(self.resources[k][:2], arc[1:3], strict=True)
            if (cards := platform.processors[end].num_pooled) > 1
        }
        """How many operations may occupy a resource at a time; 1 where it is left out."""
        self._tree = set[int]() if slots is not None else self._operations_on_trees()

    @property
    def is_bipartite(self) -> bool:
        """Whether ports alone are in conflict: what each operation occupies first and second."""
        return self._slots is None and not self._tree and not self.capacities

    @property
    def unit_denominator(self) -> int:
        """Common denominator of the given slots' durations: a period in units is a multiple of it."""
        return lcm(1, *(slot.duration.denominator for slot in self._slots or ()))

    def least_length(self, times: Sequence[int]) -> int:
        """Give the largest load of a port's card or of a link, in whole units of the times."""
        loads: dict[Hashable, int] = defaultdict(int)
        for k, time in enumerate(times):
            for resource in set(self.resources[k]):
                loads[resource] += time
        cards = self.capacities
        return max((-(-load // cards.get(r, 1)) for r, load in loads.items()), default=0)

    def coverage(self) -> dict[int, Fraction]:
        """Time per time unit that the given slots leave to each arc; empty without slots."""
        shares: dict[int, Fraction] = defaultdict(Fraction)
        for slot in self._slots or ():
            for arc in self._slot_arcs(slot):
                shares[arc.index] += slot.duration
        return shares

    def pieces(
        self, times: Sequence[int], length: int, max_transfers: int | None = None
    ) -> tuple[list[Piece], int]:
        """Order the operations so that each runs for its time, within `length`.

        Parameters
        ----------
        times
            Of the operations; 0 for those that do not run.
        length
            The period in the same unit. No port and no link has more to do.

        Returns
        -------
        list, int
            The pieces, in the same unit, which is one part.

        Raises
        ------
        TooManyTransfers
            If the pieces list more operations than `max_transfers`.
        """
        running = [k for k, time in enumerate(times) if time]
        if self.capacities:
            by_arc = self._arc_operations(running, times)
            return pieces_on_cards(by_arc, self.capacities, length, max_transfers), 1
        if self._slots is not None:
            intervals = self._in_given_slots(running, times, length)
            return pieces_of(intervals, self.resources, max_transfers), 1
        plain = [k for k in running if k not in self._tree]
        pieces = self._matchings(plain, times, length, max_transfers)
        if len(plain) == len(running):
            return pieces, 1
        on_trees = [k for k in running if k in self._tree]
        intervals = intervals_of(pieces) + self._on_trees(on_trees, times, length)
        return pieces_of(intervals, self.resources, max_transfers), 1

    def intervals(
        self, times: Sequence[int], length: int, check: Callable[[], None] | None = None
    ) -> tuple[list[Interval], int]:
        """Order the operations so that links are interrupted rarely.

        Parameters
        ----------
        times, length
            As for `pieces`.
        check
            Called now and then. It may raise to give up.

        Returns
        -------
        list, int
            Intervals, of which those of a link do not overlap, in the same unit, which is one part.
        """
        running = [k for k, time in enumerate(times) if time]
        if self._slots is not None and not self.capacities:
            return self._in_given_slots(running, times, length), 1
        plain = [k for k in running if k not in self._tree]
        on_trees = [k for k in running if k in self._tree]
        on_link = demands_by_link(plain, times, self._arcs)
        open_times = (
            self._open_on_cards(on_link, length)
            if self.capacities
            else run_links(on_link, self.resources, length, check)
        )
        found = self._on_trees(on_trees, times, length) + place_demands(on_link, open_times)
        return found, 1

    def _open_on_cards(
        self, on_link: Mapping[int, Sequence[Demand]], length: int
    ) -> dict[int, list[tuple[int, int]]]:
        """As `run_links`, where a port has several cards."""
        by_arc = []
        for index, demands in on_link.items():
            sender, receiver = self.resources[demands[0][0]][:2]
            total = sum(time for _, time in demands)
            by_arc.append(ArcOperations(sender, receiver, [(index, total)]))
        open_times: dict[int, list[tuple[int, int]]] = {index: [] for index in on_link}
        for start, end, index in intervals_of(pieces_on_cards(by_arc, self.capacities, length)):
            open_times[index].append((start, end))
        return open_times

    def _arc_operations(self, running: Sequence[int], times: Sequence[int]) -> list[ArcOperations]:
        by_arc: dict[int, ArcOperations] = {}
        for k in running:
            sender, receiver = self.resources[k][:2]
            on_arc = by_arc.setdefault(self._arcs[k].index, ArcOperations(sender, receiver))
            on_arc.demands.append((k, times[k]))
        return list(by_arc.values())

    def _matchings(
        self, running: Sequence[int], times: Sequence[int], length: int, max_transfers: int | None
    ) -> list[Piece]:
        numbers: dict[Hashable, int] = {}
        edges = []
        for k in running:
            sender, receiver = self.resources[k][:2]
            edges.append(
                Edge(
                    numbers.setdefault(sender, len(numbers)),
                    numbers.setdefault(receiver, len(numbers)),
                    times[k],
                )
            )
        return [
            Piece(m.duration, tuple(running[e] for e in m.edges), m.times)
            for m in decompose(edges, length, max_transfers)
        ]

    def _on_trees(
        self, running: Sequence[int], times: Sequence[int], length: int
    ) -> list[Interval]:
        by_pair: dict[frozenset[Hashable], tuple[list[int], list[int]]] = {}
        first: dict[frozenset[Hashable], tuple[Hashable, Hashable]] = {}
        for k in running:
            ends = _ends(self._platform, self._arcs[k])
            pair = frozenset(ends)
            forward = first.setdefault(pair, ends) == ends
            by_pair.setdefault(pair, ([], []))[0 if forward else 1].append(k)
        links = [
            TreeLink(*first[pair], sum(times[k] for k in there), sum(times[k] for k in back))
            for pair, (there, back) in by_pair.items()
        ]
        intervals: list[Interval] = []
        for busy, on_link in zip(align_forest(links, length), by_pair.values(), strict=True):
            for open_times, members in zip(busy, on_link, strict=True):
                intervals += distribute(open_times, [(k, times[k]) for k in members])
        return intervals

    def _in_given_slots(
        self, running: Sequence[int], times: Sequence[int], length: int
    ) -> list[Interval]:
        open_times: dict[int, list[tuple[int, int]]] = defaultdict(list)
        start = 0
        for slot in self._slots or ():
            duration = slot.duration * length
            end = start + duration.numerator // duration.denominator
            for arc in self._slot_arcs(slot):
                open_times[arc.index].append((start, end))
            start = end
        demands: dict[int, list[tuple[int, int]]] = defaultdict(list)
        for k in running:
            demands[self._arcs[k].index].append((k, times[k]))
        intervals: list[Interval] = []
        for index, wanted in demands.items():
            intervals += distribute(open_times[index], wanted)
        return intervals

    def _slot_arcs(self, slot: UnitSlot) -> list[Arc]:
        index, arcs = self._platform.index_by_id, self._platform.arc_by_ends
        return [arcs[index[sender], index[receiver]] for sender, receiver in slot.arcs]

    def _operations_on_trees(self) -> set[int]:
        """Find the operations of the parts where a half-duplex link carries both directions."""
        used = {arc.index for arc in self._arcs}
        if not any(arc.half in used for arc in self._arcs):
            return set()
        parts = Parts[Hashable]()
        cyclic: list[Hashable] = []
        pairs = {frozenset(_ends(self._platform, arc)) for arc in self._arcs}
        for one, other in pairs:
            if not parts.join(one, other):
                cyclic.append(one)
        two_way = {
            parts.root(_ends(self._platform, arc)[0]) for arc in self._arcs if arc.half in used
        }
        if two_way & {parts.root(node) for node in cyclic}:
            raise SchedulingError(
                "half-duplex links carry both directions and the links used contain a cycle:"
                " the slots must be computed together with the rates"
            )
        return {
            k
            for k, arc in enumerate(self._arcs)
            if parts.root(_ends(self._platform, arc)[0]) in two_way
        }


def _ends(platform: Platform, arc: Arc) -> tuple[Hashable, Hashable]:
    """Give the vertices of an arc, switches split by link, and processors by named card."""
    first, second = (
        ("switch", end, arc.link) if port is None else port
        for end, port in zip(arc[1:3], _ports(platform, arc), strict=True)
    )
    return first, second


def _ports(platform: Platform, arc: Arc) -> tuple[Port | None, Port | None]:
    return sending_port(platform, arc), receiving_port(platform, arc)


def _resources(platform: Platform, arc: Arc) -> tuple[Hashable, ...]:
    """Name the send port, the receive port and the link that an arc occupies.

    A link that no port limits takes the place of one; one that a number of cards would let carry
    several transfers at a time, and a half-duplex one, are there besides.
    """
    sender, receiver = _ports(platform, arc)
    resources: tuple[Hashable, ...] = (
        ("arc", arc.index) if sender is None else ("send", *sender),
        ("arc", arc.index) if receiver is None else ("receive", *receiver),
    )
    if arc.half is not None:
        resources += (("half", min(arc.index, arc.half)),)
    elif any(platform.processors[end].num_pooled > 1 for end in arc[1:3]):
        resources += (("arc", arc.index),)
    return resources
