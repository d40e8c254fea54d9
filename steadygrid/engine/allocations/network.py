"""The platform seen by the pricing problem: what data costs from here to there at given prices."""

import heapq
from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from math import inf
from types import MappingProxyType
from typing import Literal

import numpy as np
import numpy.typing as npt

from steadygrid.domain.amounts import Amounts
from steadygrid.domain.platform import Platform, PortModel, arc_uses, computing_resource
from steadygrid.engine.matching.odd_sets import OddSet, odd_uses
from steadygrid.engine.solving.sparse import csr_array, dijkstra, floyd_warshall
from steadygrid.kinds.shared.routes import Path, fixed_routes

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.intp]

SMALL = 200
"""Platforms of up to so many processors take Floyd and Warshall's algorithm."""
NEARLY_NOTHING = 1e-200
"""What an arc costs at least in floats: free detours are never taken."""


class Network:
    """Resources, arcs and routes of a platform, ready to be priced.

    Parameters
    ----------
    sources, targets
        The processors between which files may have to travel.
    routing
        ``fixed``: over the platform's route. Where it has none, over the path with the least
        total unit time, ties to fewer hops, then to the smaller identifiers.
    check
        Called while fixed routes are found; may raise.
    odd_sets
        That are resources, too.
    shares
        Of resources that stand for several alike, how many: a use is a share of all of them. The
        times of tasks are such shares already.
    by_arc
        Whether each arc is one resource, in the platform's order behind the processors, and there
        are no others.

    Attributes
    ----------
    resources
        Names of all resources: what computing takes first, in platform order.
    uses
        By arc, (position of the resource, time per unit of data), each resource once.
    """

    def __init__(
        self,
        platform: Platform,
        ports: PortModel,
        routing: Literal["free", "fixed"],
        sources: Iterable[int],
        targets: Iterable[int],
        check: Callable[[], None] = lambda: None,
        odd_sets: Sequence[OddSet] = (),
        shares: Mapping[str, int] = MappingProxyType({}),
        *,
        by_arc: bool = False,
    ) -> None:
        self._check = check
        self.platform = platform
        self.routing = routing
        self.sources = np.array(sorted(sources), dtype=np.intp)
        self.targets = np.array(sorted(targets), dtype=np.intp)
        self.resources = [computing_resource(p.id, ports) for p in platform.processors]
        position = {name: i for i, name in enumerate(self.resources)}
        self.uses: list[tuple[tuple[int, Fraction], ...]] = []
        for arc in platform.arcs:
            merged: Amounts[int] = Amounts()
            uses = (*arc_uses(platform, arc, ports), *odd_uses(platform, arc, odd_sets))
            for name, time in ((f"arc {arc.index}", arc.unit_time),) if by_arc else uses:
                if name not in position:
                    position[name] = len(position)
                    self.resources.append(name)
                place = position[name]
                merged[place] += time / shares[name] if name in shares else time
            self.uses.append(tuple(merged.items()))
        self._per_data = _matrix(self.uses, len(self.resources))
        self._ends = np.array(
            [(arc.source, arc.target) for arc in platform.arcs], dtype=np.intp
        ).reshape(-1, 2)
        self._kept: dict[int | None, Integers] = {}

    @property
    def num_processors(self) -> int:
        """Processors, routers and switches."""
        return len(self.platform.processors)

    @cached_property
    def longest_path(self) -> int:
        """No path has more arcs."""
        if self._fixed:
            return max((len(path) for path in self.routes.values()), default=0)
        return self.num_processors

    @cached_property
    def routes(self) -> dict[tuple[int, int], Path]:
        """The fixed routes from sources to targets; pairs without a route are left out."""
        return fixed_routes(
            self.platform, self.sources.tolist(), self.targets.tolist(), self._check
        )

    @cached_property
    def thresholds(self) -> list[Fraction]:
        """Distinct times per unit of data that routes can be closed by, shortest first.

        Of each route, the longest time on one resource: of whole routes where they are fixed, of
        arcs else.
        """
        return sorted({*(self._route_times.values() if self._fixed else self._arc_times)})

    @property
    def _fixed(self) -> bool:
        return self.routing == "fixed"

    @cached_property
    def _arc_times(self) -> list[Fraction]:
        return [max(time for _, time in uses) for uses in self.uses]

    @cached_property
    def _route_times(self) -> dict[tuple[int, int], Fraction]:
        longest: dict[tuple[int, int], Fraction] = {}
        for pair, path in self.routes.items():
            self._check()
            times: Amounts[int] = Amounts()
            for arc in path:
                for resource, time in self.uses[arc]:
                    times[resource] += time
            longest[pair] = max(times.values())
        return longest

    def group(self, limit: Fraction) -> int | None:
        """Give the group of a file that takes routes of less time per unit. None: all are open."""
        position = bisect_left(self.thresholds, limit)
        return position if position < len(self.thresholds) else None

    def _is_open(self, time: Fraction, group: int | None) -> bool:
        return group is None or time < self.thresholds[group]

    @cached_property
    def _route_table(self) -> tuple[Integers, csr_array]:
        pairs = sorted(self.routes)
        lengths = [len(self.routes[pair]) for pair in pairs]
        arcs = [arc for pair in pairs for arc in self.routes[pair]]
        table = csr_array(
            (np.ones(len(arcs)), arcs, np.concatenate(([0], np.cumsum(lengths)))),
            shape=(len(pairs), len(self.uses)),
        )
        return np.array(pairs, dtype=np.intp).reshape(-1, 2), table

    def arc_costs(self, prices: Floats) -> Floats:
        """Price one unit of data on each arc; relative errors of a few roundings."""
        return np.asarray(self._per_data @ prices)

    def distances(self, prices: Floats, group: int | None = None) -> "Distances":
        """Price the cheapest route of one unit of data between all pairs that matter.

        Parameters
        ----------
        group
            Of the file, see `group`: other routes are closed.
        """
        size = self.num_processors
        costs = self.arc_costs(prices)
        matrix = np.full((size, size), inf)
        if self._fixed:
            pairs, table = self._route_table
            kept = self._open_routes(group)
            if len(pairs):
                matrix[pairs[kept, 0], pairs[kept, 1]] = (table @ costs)[kept]
            np.fill_diagonal(matrix, 0.0)
            return Distances(self, matrix, None)
        kept = self._open_arcs(group)
        weights = np.maximum(costs[kept], NEARLY_NOTHING)
        ends = self._ends[kept]
        # A dense graph would lose its small weights: scipy takes them for missing arcs.
        graph = csr_array((weights, (ends[:, 0], ends[:, 1])), shape=(size, size))
        if size <= SMALL:
            found, before = floyd_warshall(graph, return_predecessors=True)
            return Distances(self, found, before)
        found, before = dijkstra(graph, indices=self.sources, return_predecessors=True)
        matrix[self.sources] = found
        predecessors = np.full((size, size), -1, dtype=np.int32)
        predecessors[self.sources] = before
        return Distances(self, matrix, predecessors)

    def _open_routes(self, group: int | None) -> Integers:
        if group not in self._kept:
            pairs = self._route_table[0].tolist()
            self._kept[group] = np.array(
                [
                    number
                    for number, (source, target) in enumerate(pairs)
                    if group is None or self._is_open(self._route_times[source, target], group)
                ],
                dtype=np.intp,
            )
        return self._kept[group]

    def _open_arcs(self, group: int | None) -> Integers:
        if group not in self._kept:
            self._kept[group] = np.array(
                [
                    arc
                    for arc in range(len(self.uses))
                    if group is None or self._is_open(self._arc_times[arc], group)
                ],
                dtype=np.intp,
            )
        return self._kept[group]

    def exact_arc_costs(self, prices: Sequence[Fraction]) -> list[Fraction]:
        """Price one unit of data on each arc, exactly."""
        return [
            sum((time * prices[place] for place, time in uses), Fraction(0)) for uses in self.uses
        ]

    def exact_distances(
        self,
        costs: Sequence[int],
        sources: Iterable[int],
        targets: Iterable[int],
        group: int | None = None,
    ) -> dict[int, dict[int, tuple[int, Path]]]:
        """Price routes exactly, by source and target, with the path; unreachable ones left out.

        Parameters
        ----------
        costs
            Of one unit of data, by arc.
        group
            Of the file, see `group`.
        """
        wanted = sorted(set(targets))
        if self._fixed:
            return {
                i: {
                    j: (sum(costs[arc] for arc in path), path)
                    for j in wanted
                    if (path := self._open_route(i, j, group)) is not None
                }
                for i in set(sources)
            }
        return {i: self._exact_paths(costs, i, wanted, group) for i in set(sources)}

    def _open_route(self, source: int, target: int, group: int | None) -> Path | None:
        if source == target:
            return ()
        path = self.routes.get((source, target))
        if path is None or group is None:
            return path
        return path if self._is_open(self._route_times[source, target], group) else None

    def _exact_paths(
        self, costs: Sequence[int], source: int, wanted: Sequence[int], group: int | None
    ) -> dict[int, tuple[int, Path]]:
        done: dict[int, int] = {}
        into: dict[int, int] = {}
        best = {source: (0, 0)}
        heap = [(0, 0, source)]
        arcs = self.platform.arcs
        while heap:
            cost, hops, node = heapq.heappop(heap)
            if node in done:
                continue
            done[node] = cost
            for arc in self.platform.arcs_out[node]:
                if arc.target in done or not self._is_open(self._arc_times[arc.index], group):
                    continue
                through = (cost + costs[arc.index], hops + 1)
                if arc.target not in best or through < best[arc.target]:
                    best[arc.target] = through
                    into[arc.target] = arc.index
                    heapq.heappush(heap, (*through, arc.target))
        found_paths: dict[int, tuple[int, Path]] = {}
        for target in wanted:
            if target in done:
                path: list[int] = []
                here = target
                while here != source:
                    path.append(into[here])
                    here = arcs[into[here]].source
                found_paths[target] = (done[target], tuple(reversed(path)))
        return found_paths


class Distances:
    """Costs of one unit of data between processors, infinite where there is no route.

    Attributes
    ----------
    matrix
        Row: from; column: to; 0 on the diagonal.
    """

    def __init__(
        self, network: Network, matrix: Floats, predecessors: npt.NDArray[np.int32] | None
    ) -> None:
        self.matrix = matrix
        self._network = network
        self._before = predecessors
        self._paths: dict[tuple[int, int], Path] = {}

    def path(self, source: int, target: int) -> Path:
        """Give the cheapest route between two processors that are connected.

        Parameters
        ----------
        source, target
            Positions of the processors.

        Returns
        -------
        tuple
            Indices of the arcs, from source to target. None where they are the same.
        """
        if source == target:
            return ()
        if self._before is None:
            return self._network.routes[source, target]
        pair = (source, target)
        if pair not in self._paths:
            ends = self._network.platform.arc_by_ends
            arcs: list[int] = []
            here = target
            while here != source:
                before = int(self._before[source, here])
                arcs.append(ends[before, here].index)
                here = before
            self._paths[pair] = tuple(reversed(arcs))
        return self._paths[pair]


def _matrix(uses: Sequence[Sequence[tuple[int, Fraction]]], width: int) -> csr_array:
    starts = np.concatenate(([0], np.cumsum([len(row) for row in uses], dtype=np.intp)))
    places = [place for row in uses for place, _ in row]
    values = [float(time) for row in uses for _, time in row]
    return csr_array((np.array(values, dtype=float), places, starts), shape=(len(uses), width))
