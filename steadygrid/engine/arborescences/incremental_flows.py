"""Flows from all roots to every member, kept while a network changes a little."""

from collections.abc import Mapping

from steadygrid.engine.arborescences.cuts import Arc
from steadygrid.engine.arborescences.maxflow import MaxFlow


class KeptFlows:
    """Maximum flows to the members from a super source that feeds the roots.

    Each is kept, and repaired when its member is asked for again. What no longer fits on an arc is
    too much at its tail and missing at its head, and is sent from there to there by another route.

    Parameters
    ----------
    number
        The vertices are ``0..number-1``.
    capacities
        By arc; integers.
    demands
        What every root sends to every member; integers.
    """

    def __init__(
        self, number: int, capacities: Mapping[Arc, int], demands: Mapping[int, int]
    ) -> None:
        self._number = number
        self._source, self._surplus, self._lack = number, number + 1, number + 2
        self._total = sum(demands.values())
        self._flow = MaxFlow(number + 3)
        self._arcs: dict[Arc, int] = {}
        self._capacities: dict[int, int] = {}
        self._changes: list[tuple[int, int]] = []
        self._kept: dict[int, tuple[list[int], int]] = {}
        for root, demand in demands.items():
            if demand:
                self._flow.add(self._source, root, demand)
        for arc, capacity in capacities.items():
            if capacity:
                self.set_capacity(arc, capacity)

    def set_capacity(self, arc: Arc, capacity: int) -> None:
        """Change the capacity of an arc, or add it.

        Parameters
        ----------
        arc
            Its two ends.
        capacity
            An integer, at least 0.
        """
        number = self._number_of(arc)
        self._changes.append((number, capacity - self._capacities[number]))
        self._capacities[number] = capacity
        self._flow.set_capacity(number, capacity)

    def detach(self, vertex: int) -> None:
        """Forget a vertex whose arcs have no capacity, after all members have been asked for."""
        self._flow.detach(vertex)
        self._arcs = {arc: number for arc, number in self._arcs.items() if vertex not in arc}

    def cuts_before(self, member: int) -> list[frozenset[int]]:
        """Find sets without a member that are too narrow for the demands in them.

        Returns
        -------
        list of sets
            None if everything reaches the member; else one or two, the smallest and the largest of
            those that hinder the repair most.
        """
        flow = self._flow
        if member in self._kept:
            wanted = self._resume(member)
            source, sink = self._surplus, self._lack
        else:
            flow.reset()
            wanted = self._total
            source, sink = self._source, member
        if flow.push(source, sink, wanted) < wanted:
            self._kept.pop(member, None)
            return self._sides(source, sink)
        if source == self._surplus:
            flow.empty(source)
            flow.empty(sink)
        self._kept[member] = (flow.residual, len(self._changes))
        flow.reset()
        return []

    def _number_of(self, arc: Arc) -> int:
        """Give the number of an arc in the flow; add it if it is new."""
        if arc not in self._arcs:
            number = self._arcs[arc] = self._flow.add(*arc, 0)
            self._capacities[number] = 0
        return self._arcs[arc]

    def _resume(self, member: int) -> int:
        """Take up a kept flow, and open arcs for what has to take another path; how much."""
        flow = self._flow
        residual, known = self._kept[member]
        residual.extend([0] * (len(flow.residual) - len(residual)))
        flow.residual = residual
        changed: dict[int, int] = {}
        for number, change in self._changes[known:]:
            changed[number] = changed.get(number, 0) + change
        surplus: dict[int, int] = {}
        for number, change in changed.items():
            residual[number] += change
            over = -residual[number]
            if over > 0:
                residual[number] = 0
                residual[number + 1] -= over
                tail, head = flow.ends(number)
                surplus[tail] = surplus.get(tail, 0) + over
                surplus[head] = surplus.get(head, 0) - over
        for vertex, amount in surplus.items():
            ends = (self._surplus, vertex) if amount > 0 else (vertex, self._lack)
            flow.residual[self._number_of(ends)] = abs(amount)
        return sum(amount for amount in surplus.values() if amount > 0)

    def _sides(self, source: int, sink: int) -> list[frozenset[int]]:
        flow, everything = self._flow, range(self._number)
        smallest = frozenset(flow.source_side(source).intersection(everything))
        largest = frozenset(everything) - flow.sink_side(sink)
        return [smallest] if smallest == largest else [smallest, largest]
