"""One round of better policies in which what a node gains is passed on at once.

A round of `policies` compares each edge with values of the round before. So where a node gains and the
node that leads to it loses less by following it than it gains, that one follows a round later: values
crawl, one edge a round. Here the node that gains most is settled first, and hands its gain to the
nodes that lead to it, less what they lose. This is Dijkstra's algorithm on the gains: each node is
settled once. Edges that gain towards settled nodes are left to the next round.
"""

import heapq

import numpy as np

from steadygrid.engine.cycles.edges import Edges, Heartbeat
from steadygrid.engine.cycles.graph import Integers, Whole

_STEPS = 2**12
"""Nodes that are settled between two heartbeats."""


def spread(
    edges: Edges, policy: Integers, gains: Whole, least: float, heartbeat: Heartbeat
) -> bool:
    """Let nodes follow edges by which they gain, and the nodes that lead to them.

    Parameters
    ----------
    edges
        Ordered by source.
    policy
        By node, the edge that it follows; changed in place. A cycle that it has afterwards weighs more
        than 0.
    gains
        By edge, in whole numbers: what its source gains at the present value of its target.
    least
        No edge is followed that gains no more.
    heartbeat
        Called now and then. What it raises ends the work.

    Returns
    -------
    bool
        Whether any node gains.
    """
    if not len(edges.heads):
        return False
    tops = np.maximum.reduceat(gains, edges.first)
    better = np.flatnonzero(np.asarray(tops > least, dtype=np.bool_))
    if not len(better):
        return False
    edges.best(policy, gains, least)
    order = np.argsort(edges.targets, kind="stable")
    sources, more = edges.sources[order], gains[order]
    ends = np.searchsorted(edges.targets[order], np.arange(edges.nodes + 1)).tolist()
    raised = dict(zip(edges.heads[better].tolist(), tops[better].tolist(), strict=True))
    waiting = [(-gain, node) for node, gain in raised.items()]
    heapq.heapify(waiting)
    settled = bytearray(edges.nodes)
    step = 0
    while waiting:
        gain, node = heapq.heappop(waiting)
        if settled[node]:
            continue
        settled[node] = 1
        if step % _STEPS == 0:
            heartbeat()
        step += 1
        leading = slice(ends[node], ends[node + 1])
        found = zip(
            order[leading].tolist(), sources[leading].tolist(), more[leading].tolist(), strict=True
        )
        for place, source, lost in found:
            passed_on = lost - gain
            if passed_on > raised.get(source, least) and not settled[source]:
                raised[source] = passed_on
                policy[source] = place
                heapq.heappush(waiting, (-passed_on, source))
    return True
