"""The largest ratio of time to height over the cycles of a graph."""

import heapq
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from steadygrid.engine.cycles.edges import STOP, Edges, Heartbeat
from steadygrid.engine.cycles.graph import ROOM, Graph, Integers, Whole, fitting, largest, whole
from steadygrid.engine.cycles.policies import Counts, NoProgress, Search

__all__ = ["Critical", "NoProgress", "Statistics", "critical", "least_starts", "spare_of"]

_STEPS = 2**14
"""Nodes that are settled between two heartbeats."""


@dataclass(frozen=True)
class Statistics:
    """What a search took.

    Attributes
    ----------
    policy_rounds
        Policies that were evaluated.
    exact_rounds
        Ratios that cycles raised, those of rounded numbers included.
    sweeps
        Passes over all edges in whole numbers; one if the first finds nothing to raise.
    """

    policy_rounds: int
    exact_rounds: int
    sweeps: int


@dataclass(frozen=True)
class Critical:
    """The largest ratio of a graph, with its proof from both sides.

    Attributes
    ----------
    ratio
        Largest ``sum(times) / sum(heights)`` over all cycles that advance; 0 if there is none.
    cycle
        Edges of a cycle with this ratio, in order; empty if no cycle advances.
    potentials
        Of each node, whole, in units of ``1/q`` where ``ratio = p/q``. The least is 0. On every edge
        ``potentials[target] - potentials[source] >= q * time - p * height``.
    policy
        Edge that each node follows, or -1, for a warm start.
    statistics
        What the search took.
    """

    ratio: Fraction
    cycle: tuple[int, ...]
    potentials: Sequence[int]
    policy: Integers
    statistics: Statistics


def silent() -> None:
    """Have nothing to say."""


def critical(
    graph: Graph, *, policy: Sequence[int] | Integers | None = None, heartbeat: Heartbeat = silent
) -> Critical:
    """Find the largest ratio of a cycle, a critical cycle, and potentials that prove it.

    Cycles of no time and no height ask for nothing: they have no ratio and change none.

    Parameters
    ----------
    policy
        For each node an edge that leaves it, or -1: where to begin, as of an earlier, similar graph.
        It decides how long the search takes, never its answer's ratio.
    heartbeat
        Called at every step, many times a second on 10^6 edges. What it raises ends the search.
        `Control.check` is one.

    Raises
    ------
    NoProgress
        If some cycle has no finite ratio.
    ValueError
        If the graph is none, or a policy has another number of nodes.
    """
    edges = Edges(graph)
    counts = Counts()
    heartbeat()
    try:
        search = Search(edges, _first(edges, policy), heartbeat, counts)
        if not edges.exact and (policy is None or search.step()):
            _guess(edges, search, heartbeat, counts)
        search.run()
        ratio = search.ratio
        values = search.values(ratio.denominator, ratio.numerator)
        followed = search.closed()
        if not ratio:
            search.run_without_time()
            if not len(search.cycle):
                search.cycle = _advancing(edges, search)
    except NoProgress as found:
        raise NoProgress(tuple(edges.order[list(found.cycle)].tolist())) from None
    heartbeat()
    potentials = _potentials(graph, edges, values, ratio, heartbeat)
    going = followed != STOP
    followed[going] = edges.order[followed[going]]
    return Critical(
        ratio,
        tuple(edges.order[search.cycle].tolist()),
        potentials,
        followed,
        Statistics(counts.policies, counts.ratios, counts.sweeps),
    )


def _first(edges: Edges, policy: Sequence[int] | Integers | None) -> Integers:
    """Give the policy to begin with, by places."""
    if policy is None:
        return edges.greatest(edges.times)
    given = np.asarray(policy, dtype=np.int64)
    if len(given) != edges.nodes:
        raise ValueError("a policy needs an edge, or -1, for each node")
    places = np.full(edges.all + 1, STOP, dtype=np.int64)
    places[edges.order] = np.arange(len(edges.order))
    given = np.where((given < 0) | (given >= edges.all), edges.all, given)
    first = places[given]
    astray = first != STOP
    astray[astray] = edges.sources[first[astray]] != np.flatnonzero(astray)
    first[astray] = STOP
    return first


def _guess(edges: Edges, search: Search, heartbeat: Heartbeat, counts: Counts) -> None:
    """Find a good policy for numbers that are too large for int64, by rounded ones."""
    rough = Search(edges.rounded(), search.closed(), heartbeat, counts)
    # Rounded heights may cancel where the true ones do not; the true search will tell.
    with suppress(NoProgress):
        rough.guess()
    search.policy = rough.closed()


def _potentials(
    graph: Graph, edges: Edges, values: Whole, ratio: Fraction, heartbeat: Heartbeat
) -> list[int]:
    """Turn values within parts around, and shift the parts so that edges between them hold."""
    if not graph.nodes:
        return []
    potentials = values.max() - values
    sources, targets = edges.part[graph.sources], edges.part[graph.targets]
    between = np.flatnonzero(sources != targets)
    if len(between):
        least = -spare_of(graph, ratio, potentials, heartbeat)[between]
        parts = int(edges.part.max()) + 1
        shifts = whole(_shifts(parts, sources[between], targets[between], least))
        fits = largest(potentials) + largest(shifts) < ROOM and potentials.dtype != object
        potentials = fitting(potentials, fits) + fitting(shifts, fits)[edges.part]
        potentials -= potentials.min()
    return potentials.tolist()  # type: ignore[no-any-return]


def _shifts(parts: int, sources: Integers, targets: Integers, least: Whole) -> list[int]:
    """Give the least shifts, none negative, of parts whose edges have no cycle.

    Parameters
    ----------
    parts
        How many.
    sources, targets
        Parts, of each edge.
    least
        By how much the target's shift exceeds the source's at least, of each edge.
    """
    into = np.bincount(targets, minlength=parts).tolist()
    order = np.argsort(sources, kind="stable")
    ends = np.searchsorted(sources[order], np.arange(parts + 1)).tolist()
    target, more = targets[order].tolist(), least[order].tolist()
    shifts = [0] * parts
    waiting = [part for part in range(parts) if not into[part]]
    for part in waiting:
        for edge in range(ends[part], ends[part + 1]):
            other = target[edge]
            shifts[other] = max(shifts[other], shifts[part] + more[edge])
            into[other] -= 1
            if not into[other]:
                waiting.append(other)
    return shifts


def _advancing(edges: Edges, search: Search) -> Integers:
    """Find a cycle of positive height where no cycle takes time or goes back. None: empty."""
    more = edges.heights + search.height[edges.targets] - search.height[edges.sources]
    rising = np.flatnonzero(np.asarray(more > 0, dtype=np.bool_))
    if not len(rising):
        return np.empty(0, dtype=np.int64)
    last = int(rising[0])
    start, end = int(edges.targets[last]), int(edges.sources[last])
    first = dict(zip(edges.heads.tolist(), edges.first.tolist(), strict=True))
    came: dict[int, int] = {start: STOP}
    waiting = [start]
    for node in waiting:
        place = first[node]
        while place < len(more) and edges.sources[place] == node:
            target = int(edges.targets[place])
            if target not in came:
                came[target] = place
                waiting.append(target)
            place += 1
    cycle = [last]
    while end != start:
        cycle.append(came[end])
        end = int(edges.sources[came[end]])
    return np.array(cycle[:1] + cycle[:0:-1], dtype=np.int64)


def least_starts(
    graph: Graph, critical: Critical, *, heartbeat: Heartbeat = silent
) -> Sequence[int]:
    """Give the least potentials that are not negative and satisfy all edges at the ratio.

    They are the longest paths to each node: shortest paths by what each edge leaves to spare, which
    is never negative (Johnson's reweighting), from all nodes at once.

    Parameters
    ----------
    critical
        Of the same graph.
    heartbeat
        As of `critical`.

    Returns
    -------
    Sequence[int]
        By node, in units of ``1/q``. Takes E + N log N steps in Python: about as long as `critical`
        itself.
    """
    spare = spare_of(graph, critical.ratio, critical.potentials, heartbeat).tolist()
    order = np.argsort(graph.sources, kind="stable")
    places = order.tolist()
    ends = np.searchsorted(np.asarray(graph.sources)[order], np.arange(graph.nodes + 1)).tolist()
    heartbeat()
    targets = np.asarray(graph.targets).tolist()
    start = critical.potentials
    least = list(start)
    later = sorted(range(graph.nodes), key=start.__getitem__, reverse=True)
    shortened: list[tuple[int, int]] = []
    step = 0
    while later or shortened:
        if step % _STEPS == 0:
            heartbeat()
        step += 1
        if later and not (shortened and shortened[0][0] < start[later[-1]]):
            node = later.pop()
            distance = start[node]
        else:
            distance, node = heapq.heappop(shortened)
        if distance > least[node]:
            continue
        for place in places[ends[node] : ends[node + 1]]:
            longer = distance + spare[place]
            target = targets[place]
            if longer < least[target]:
                least[target] = longer
                heapq.heappush(shortened, (longer, target))
    return [potential - distance for potential, distance in zip(start, least, strict=True)]


def spare_of(
    graph: Graph, ratio: Fraction, potentials: Sequence[int] | Whole, heartbeat: Heartbeat
) -> Whole:
    """Tell by how much each edge is satisfied: ``u[target] - u[source] - (q time - p height)``.

    Parameters
    ----------
    graph
        Times and heights of the edges.
    ratio
        Time per unit of height, p/q.
    potentials
        By node, ``u``; whole numbers.
    heartbeat
        Called at every step. What it raises ends the work.
    """
    p, q = ratio.numerator, ratio.denominator
    times, heights, starts = map(whole, (graph.times, graph.heights, potentials))
    numbers = (times, heights, starts)
    most = q * largest(times) + p * largest(heights) + 2 * largest(starts)
    fits = most < ROOM and all(values.dtype != object for values in numbers)
    heartbeat()
    times, heights, starts = (fitting(values, fits) for values in numbers)
    heartbeat()
    spare: Whole = starts[graph.targets] - starts[graph.sources]
    heartbeat()
    spare -= times * q
    heartbeat()
    spare += heights * p
    return spare
