"""What no run of one operation can end before: cuts whose links carry useful data for a time only."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from heapq import heappop, heappush
from math import lcm
from typing import NamedTuple

from steadygrid.domain.platform import Platform
from steadygrid.engine.arborescences.maxflow import MaxFlow
from steadygrid.kinds.collective.schemas import CollectiveInstance

NOTHING = Fraction(0)


class Wire(NamedTuple):
    """One direction of a link."""

    source: int
    target: int
    bandwidth: Fraction
    latency: Fraction

    @property
    def reversed(self) -> "Wire":
        """The same, from its target to its source."""
        return self._replace(source=self.target, target=self.source)


class Demand(NamedTuple):
    """A message: from which of its sources data has to come to which of its receivers."""

    sources: frozenset[int]
    receivers: frozenset[int]
    size: Fraction

    @property
    def reversed(self) -> "Demand":
        """The same, from its receivers to its sources."""
        return self._replace(sources=self.receivers, receivers=self.sources)


class CompletionCut(NamedTuple):
    """A set that data has to leave, from some sources in it to some receivers outside."""

    time: Fraction
    inside: frozenset[int]
    sources: frozenset[int]
    receivers: frozenset[int]


@dataclass(frozen=True)
class Wiring:
    """All that counts for cuts: how many vertices there are, the wires between them, and messages."""

    number: int
    wires: tuple[Wire, ...]
    demands: tuple[Demand, ...]
    most_out: Mapping[int, Fraction] = field(default_factory=dict)
    """Bandwidth of all that leaves a vertex, where that is limited."""
    most_in: Mapping[int, Fraction] = field(default_factory=dict)
    _latencies: dict[tuple[bool, frozenset[int]], dict[int, Fraction]] = field(
        default_factory=dict, compare=False
    )

    @classmethod
    def from_instance(cls, instance: CollectiveInstance) -> "Wiring":
        """Read an instance without faults."""
        platform = instance.platform
        index = platform.index_by_id
        demands = tuple(
            Demand(
                frozenset(index[name] for name in message.sources),
                frozenset(index[name] for name in message.receivers),
                message.size,
            )
            for message in instance.messages
            if message.size
        )
        able = [(i, each) for i, each in enumerate(platform.processors) if not each.switch]
        return cls(
            len(platform.processors),
            wires_of(platform),
            demands,
            {i: each.bandwidth_out for i, each in able if each.bandwidth_out is not None},
            {i: each.bandwidth_in for i, each in able if each.bandwidth_in is not None},
        )

    @property
    def sources(self) -> frozenset[int]:
        """Who has data of some message."""
        return frozenset[int]().union(*(demand.sources for demand in self.demands))

    @property
    def receivers(self) -> frozenset[int]:
        """Who needs some message."""
        return frozenset[int]().union(*(demand.receivers for demand in self.demands))

    @property
    def reversed(self) -> "Wiring":
        """The same with everything in reverse."""
        return Wiring(
            self.number,
            tuple(wire.reversed for wire in self.wires),
            tuple(demand.reversed for demand in self.demands),
            self.most_in,
            self.most_out,
        )

    def volume(self, sources: Collection[int], receivers: Collection[int]) -> Fraction:
        """Sum the sizes of the messages that have to come from some to some."""
        listed = (
            demand.size
            for demand in self.demands
            if not demand.sources.isdisjoint(sources) and not demand.receivers.isdisjoint(receivers)
        )
        return sum(listed, NOTHING)

    def latencies(self, starts: frozenset[int]) -> dict[int, Fraction]:
        """Give the least latency from the nearest of some vertices to each that they reach."""
        key = True, starts
        if key not in self._latencies:
            self._latencies[key] = _latencies(self.wires, starts)
        return self._latencies[key]

    def latencies_back(self, ends: frozenset[int]) -> dict[int, Fraction]:
        """Give the least latency to the nearest of some vertices from each that reaches them."""
        key = False, ends
        if key not in self._latencies:
            self._latencies[key] = _latencies([wire.reversed for wire in self.wires], ends)
        return self._latencies[key]

    def delays(
        self, sources: frozenset[int], receivers: frozenset[int]
    ) -> Iterator[tuple[Wire, Fraction]]:
        """List the wires on routes from some to some, with the time for which each has no use."""
        before, after = self.latencies(sources), self.latencies_back(receivers)
        for wire in self.wires:
            if wire.source in before and wire.target in after:
                yield wire, before[wire.source] + wire.latency + after[wire.target]

    def cut(
        self, inside: Iterable[int], sources: Iterable[int], receivers: Iterable[int]
    ) -> CompletionCut | None:
        r"""Bound the time by a set that data has to leave. None where nothing has to, or nothing can.

        Let :math:`l_e` be the least latency of a route over wire e, from one of the sources in the
        set S to one of the receivers outside. Let W be the data that has to take such routes. No
        run is shorter
        than the T for which

        .. math:: \sum_{e \text{ leaves } S} b_e \max(0, T - l_e) = W.

        Where all that leaves a vertex of S, or all that enters one outside, is limited to less than its
        wires carry, these count as one, of the least of their delays.

        Parameters
        ----------
        inside
            The set.
        sources, receivers
            Those in the set, and those outside, are taken.
        """
        held = frozenset(inside)
        near, far = frozenset(sources) & held, frozenset(receivers) - held
        needed = self.volume(near, far)
        crossing = [
            (wire, delay)
            for wire, delay in self.delays(near, far)
            if wire.source in held and wire.target not in held
        ]
        if not needed or not crossing:
            return None
        by_tail = _limited([(wire.source, wire, delay) for wire, delay in crossing], self.most_out)
        by_head = _limited([(wire.target, wire, delay) for wire, delay in crossing], self.most_in)
        time = max(time_to_cross(by_tail, needed), time_to_cross(by_head, needed))
        return CompletionCut(time, held, near, far)


def wires_of(platform: Platform) -> tuple[Wire, ...]:
    """Read the wires of a platform."""
    return tuple(
        Wire(arc.source, arc.target, 1 / arc.unit_time, platform.links[arc.link].latency)
        for arc in platform.arcs
    )


def _limited(
    crossing: Iterable[tuple[int, Wire, Fraction]], most: Mapping[int, Fraction]
) -> list[tuple[Fraction, Fraction]]:
    """List delays and bandwidths of wires. Those of one vertex as one where it limits them."""
    groups: dict[int, list[tuple[Fraction, Fraction]]] = {}
    for vertex, wire, delay in crossing:
        groups.setdefault(vertex, []).append((delay, wire.bandwidth))
    listed = []
    for vertex, wires in groups.items():
        limit = most.get(vertex)
        if limit is not None and limit < sum(bandwidth for _, bandwidth in wires):
            listed.append((min(wires)[0], limit))
        else:
            listed += wires
    return sorted(listed)


def time_to_cross(crossing: Sequence[tuple[Fraction, Fraction]], needed: Fraction) -> Fraction:
    """Give the time in which wires carry so much, each from its own delay on.

    Parameters
    ----------
    crossing
        Delay and bandwidth of each wire, by delay.
    needed
        Data, more than none.
    """
    wide, ahead, time = NOTHING, needed, NOTHING
    for position, (delay, bandwidth) in enumerate(crossing):
        wide += bandwidth
        ahead += bandwidth * delay
        time = ahead / wide
        if position + 1 == len(crossing) or time <= crossing[position + 1][0]:
            break
    return time


def _latencies(wires: Iterable[Wire], starts: Iterable[int]) -> dict[int, Fraction]:
    leaving: dict[int, list[tuple[int, Fraction]]] = {}
    for wire in wires:
        leaving.setdefault(wire.source, []).append((wire.target, wire.latency))
    found: dict[int, Fraction] = {}
    heap = [(NOTHING, start) for start in starts]
    while heap:
        latency, here = heappop(heap)
        if here in found:
            continue
        found[here] = latency
        for there, more in leaving.get(here, ()):
            if there not in found:
                heappush(heap, (latency + more, there))
    return found


def better_cuts(wiring: Wiring, check: Callable[[], None]) -> Iterator[CompletionCut]:
    """Give cuts, each of which proves more than all before.

    First come the cuts around each receiver and each source, then, for each receiver and the sources
    that are far from it, the best of all sets, and the same in reverse.

    Parameters
    ----------
    wiring
        Something moves.
    check
        Called before each flow; it may raise.
    """
    proved = _Proved()
    for found in _candidates(wiring, proved, check):
        if found.time > proved.time:
            proved.time = found.time
            yield found


@dataclass
class _Proved:
    """The time that no run is known to end before."""

    time: Fraction = NOTHING


def _candidates(
    wiring: Wiring, proved: _Proved, check: Callable[[], None]
) -> Iterator[CompletionCut]:
    everything = frozenset(range(wiring.number))
    sources, receivers = wiring.sources, wiring.receivers
    around = [everything - {end} for end in sorted(receivers)]
    around += [frozenset({end}) for end in sorted(sources)]
    for inside in around:
        check()
        if found := wiring.cut(inside, sources, receivers):
            yield found
    backwards = wiring.reversed
    searches = [
        *((_far_sources(wiring, end), False) for end in sorted(receivers)),
        *((_far_sources(backwards, end), True) for end in sorted(sources)),
    ]
    for search, turned in searches:
        for weights, near, end in search:
            place = backwards if turned else wiring
            for found in _by_flows(place, weights, near, end, proved, check):
                if not turned:
                    yield found
                elif other := wiring.cut(everything - found.inside, found.receivers, found.sources):
                    yield other


def _far_sources(
    wiring: Wiring, end: int
) -> Iterator[tuple[Mapping[int, Fraction], frozenset[int], int]]:
    """List the sources that are farther from a receiver than others, and the data that each has.

    Messages of several sources are asked for from each of these by itself.
    """
    before = wiring.latencies_back(frozenset({end}))
    own: dict[int, Fraction] = {}
    joint: dict[int, Fraction] = {}
    for demand in wiring.demands:
        if end in demand.receivers:
            for source in demand.sources - {end}:
                held = own if len(demand.sources) == 1 else joint
                held[source] = held.get(source, NOTHING) + demand.size
    for far in sorted({before[source] for source in own}, reverse=True):
        near = frozenset(source for source in own if before[source] >= far)
        yield {source: own[source] for source in near}, near, end
    for source in sorted(joint, key=lambda name: -before[name]):
        yield {source: joint[source]}, frozenset({source}), end


def _by_flows(
    wiring: Wiring,
    weights: Mapping[int, Fraction],
    sources: frozenset[int],
    end: int,
    proved: _Proved,
    check: Callable[[], None],
) -> Iterator[CompletionCut]:
    """Find sets by which some sources are later with one receiver than what is known, ever later.

    Newton's method: a maximum flow over what wires carry in the time that is known finds a set that
    cannot be left in this time, which gives the next time.
    """
    delays = list(wiring.delays(sources, frozenset({end})))
    while True:
        check()
        time = proved.time
        room = [(wire, wire.bandwidth * (time - delay)) for wire, delay in delays if time > delay]
        grain = lcm(
            *(amount.denominator for _, amount in room),
            *(weight.denominator for weight in weights.values()),
        )
        network = MaxFlow(wiring.number + 1)
        for wire, amount in room:
            network.add(wire.source, wire.target, int(amount * grain))
        for source, weight in weights.items():
            network.add(wiring.number, source, int(weight * grain))
        needed = sum(int(weight * grain) for weight in weights.values())
        if network.push(wiring.number, end) == needed:
            return
        inside = network.source_side(wiring.number) - {wiring.number}
        found = wiring.cut(inside, sources, frozenset({end}))
        if found is None or found.time <= time:
            return
        yield found
