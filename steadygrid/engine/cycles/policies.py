"""Policy iteration for one ratio: every node goes its best path, or stops.

At a ratio p/q an edge weighs ``q time - p height``. A policy lets each node follow one of its edges, or
stop. What it gains on the path is its value. Improving edges raise values, or close a cycle that
weighs more than 0: then no value is large enough, and the ratio of that cycle is larger. This is
Howard's algorithm (Cochet-Terrasson, Cohen, Gaubert, Mc Gettrick, Quadrat, "Numerical computation of
spectral elements in max-plus algebra", 1998). It has one ratio for the whole graph, so that parts
that are slower need no treatment of their own. Edges between strongly connected parts lie on no
cycle and are left out: with them, values crawl from part to part, one edge in a round. Values crawl
in one part, too. So after some rounds, one passes gains on at once (`spreading`).
"""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from steadygrid.engine.cycles.edges import STOP, Edges, Heartbeat
from steadygrid.engine.cycles.graph import ROOM, Integers, Whole, fitting
from steadygrid.engine.cycles.spreading import spread
from steadygrid.engine.solving.sparse import connected_components, csr_array

_ROUNDING = 2.0**-50
"""Relative. A gain in floats is closer than this to the gain, measured by its two products."""
_NOISE = 4.0
"""Units of rounded times and heights; gains below are noise."""
_PIECE = 2**18
"""Edges that are added up exactly between two heartbeats."""
PATIENCE = 32
"""Policies after which gains are passed on at once. That takes as long as ten others, or more."""


class NoProgress(Exception):
    """A cycle has no finite ratio: it needs time or goes back, and does not advance.

    Attributes
    ----------
    cycle
        Its edges in order: their time is above 0 and their height is not, or the time is 0 and the
        height below 0.
    """

    def __init__(self, cycle: tuple[int, ...]) -> None:
        super().__init__(f"a cycle of {len(cycle)} edges does not advance")
        self.cycle = cycle


@dataclass
class Counts:
    """What a search took: policies, ratios and passes over all edges in whole numbers."""

    policies: int = 0
    ratios: int = 0
    sweeps: int = 0


class Search:
    """A search for the largest ratio from a first policy.

    Attributes
    ----------
    ratio
        Largest ratio of a cycle that was met; 0 if none was.
    cycle
        Its edges in order, by their place in `edges`.
    policy
        Edge that each node follows, by its place, or `STOP`. It has no cycle once it is `run`.
    time, height
        Of the path that each node goes, until it stops.
    """

    def __init__(
        self, edges: Edges, policy: Integers, heartbeat: Heartbeat, counts: Counts
    ) -> None:
        self.edges, self.policy = edges, policy
        self.ratio = Fraction(0)
        self.cycle: Integers = np.empty(0, dtype=np.int64)
        self.time: Whole = np.zeros(edges.nodes, dtype=np.int64)
        self.height: Whole = self.time
        self._heartbeat, self._counts = heartbeat, counts
        self._evaluations = 0

    def run(self) -> None:
        """Raise the ratio until no edge gains anything at it, in whole numbers.

        Raises
        ------
        NoProgress
            Its edges are places.
        """
        while self.step():
            pass

    def step(self) -> bool:
        """Do one round of `run`; tell whether another is needed."""
        self._close()
        return self._improve(self.ratio.denominator, self.ratio.numerator)

    def closed(self) -> Integers:
        """Give the policy with the critical cycle in it: where to begin another time."""
        policy = self.policy.copy()
        policy[self.edges.sources[self.cycle]] = self.cycle
        return policy

    def guess(self) -> None:
        """Raise the ratio until no edge gains more than rounded numbers can tell.

        Raises
        ------
        NoProgress
            Its edges are places; rounded heights may cancel where the true ones do not.
        """
        edges = self.edges
        while True:
            self._close()
            p, q = self.ratio.numerator, self.ratio.denominator
            noise = _NOISE * (q * edges.times_rounded + p * edges.heights_rounded)
            if not self._improve_roughly(q, p, noise):
                return

    def run_without_time(self) -> None:
        """Look for a cycle of negative height where no cycle takes time.

        Afterwards ``h + height[target] - height[source] >= 0`` on all edges.

        Raises
        ------
        NoProgress
            If there is one.
        """
        while True:
            self._close()
            if not self._improve(0, 1):
                return

    def _improve_roughly(self, q: int, p: int, least: float) -> bool:
        """Evaluate the policy at p/q, and let nodes follow clearly better edges."""
        if self._evaluated_often():
            return self._spread(q, p, least)
        return self.edges.best(self.policy, self._float_gains(q, p), least)

    def _improve(self, q: int, p: int) -> bool:
        """Evaluate the policy at p/q, and let nodes follow better edges; tell whether any does."""
        if self._evaluated_often():
            return self._spread(q, p, 0)
        if self.edges.exact and self.edges.best(self.policy, self._float_gains(q, p), 0.0):
            return True
        self._counts.sweeps += 1
        return self.edges.best(self.policy, self._gains(q, p), 0)

    def _evaluated_often(self) -> bool:
        """Evaluate the policy, and tell whether values may crawl."""
        self._counts.policies += 1
        self._evaluations += 1
        self._evaluate()
        return self._evaluations % PATIENCE == 0

    def _spread(self, q: int, p: int, least: float) -> bool:
        self._counts.sweeps += 1
        return spread(self.edges, self.policy, self._gains(q, p), least, self._heartbeat)

    def _evaluate(self) -> None:
        """Add up the paths of all nodes. The policy has no cycle."""
        edges = self.edges
        going = np.flatnonzero(self.policy != STOP)
        followed = self.policy[going]
        target = np.arange(edges.nodes)
        target[going] = edges.targets[followed]
        kind = edges.times.dtype
        time, height = np.zeros(edges.nodes, dtype=kind), np.zeros(edges.nodes, dtype=kind)
        time[going], height[going] = edges.times[followed], edges.heights[followed]
        while len(going):
            self._heartbeat()
            step = target[going]
            time[going] += time[step]
            height[going] += height[step]
            target[going] = target[step]
            going = going[self.policy[target[going]] != STOP]
        self.time, self.height = time, height

    def _float_gains(self, q: int, p: int) -> npt.NDArray[np.float64]:
        """Give a lower bound on what each edge gains, in floats."""
        self._heartbeat()
        edges = self.edges
        more = self.time[edges.targets]
        more -= self.time[edges.sources]
        more += edges.times
        gains = more * float(q)
        more = self.height[edges.targets]
        more -= self.height[edges.sources]
        more += edges.heights
        self._heartbeat()
        other = more * float(p)
        error = np.abs(gains)
        error += np.abs(other)
        error *= _ROUNDING
        gains -= other
        gains -= error
        return gains

    def _gains(self, q: int, p: int) -> Whole:
        """Tell what each edge gains, in whole numbers."""
        edges = self.edges
        values = self.values(q, p)
        gains = np.empty(len(edges.sources), dtype=values.dtype)
        for start in range(0, len(gains), _PIECE):
            self._heartbeat()
            piece = slice(start, start + _PIECE)
            gains[piece] = fitting(edges.times[piece], values.dtype != object) * q
            gains[piece] -= fitting(edges.heights[piece], values.dtype != object) * p
            gains[piece] += values[edges.targets[piece]]
            gains[piece] -= values[edges.sources[piece]]
        return gains

    def values(self, q: int, p: int) -> Whole:
        """Give what each node gains on its path at p/q, in whole numbers.

        Parameters
        ----------
        q, p
            The ratio is p/q.
        """
        edges = self.edges
        most = (q * edges.largest_time + p * edges.largest_height) * (edges.nodes + 2)
        fits = edges.exact and most < ROOM
        self._heartbeat()
        value = fitting(self.time, fits) * q
        self._heartbeat()
        value -= fitting(self.height, fits) * p
        return value

    def _close(self) -> None:
        """Take the largest ratio of a cycle of the policy, and cut all its cycles."""
        self._heartbeat()
        on = self._cyclic()
        if on is None:
            return
        members, starts = on
        followed = self.policy[members]
        times = np.add.reduceat(self.edges.times[followed], starts)
        heights = np.add.reduceat(self.edges.heights[followed], starts)
        roots = members[starts]
        stuck = np.asarray((heights < 0) | ((heights == 0) & (times > 0)), dtype=np.bool_)
        if stuck.any():
            raise NoProgress(tuple(self._round(roots[np.argmax(stuck)]).tolist()))
        advancing = np.flatnonzero(np.asarray(heights > 0, dtype=np.bool_))
        if len(advancing):
            ratio, best = _largest(times[advancing], heights[advancing])
            if ratio > self.ratio or not len(self.cycle):
                self._counts.ratios += 1
                self.ratio, self.cycle = ratio, self._round(roots[advancing[best]])
        self.policy[roots] = STOP

    def _cyclic(self) -> tuple[Integers, Integers] | None:
        """Give the nodes on cycles of the policy, cycle by cycle, and where each begins."""
        nodes, edges = self.edges.nodes, self.edges
        going = self.policy != STOP
        if not going.any():
            return None
        ends = np.append(0, np.cumsum(going))
        following = edges.targets[self.policy[going]]
        matrix = csr_array(
            (np.ones(len(following), dtype=np.int8), following, ends), shape=(nodes, nodes)
        )
        number, label = connected_components(matrix, connection="strong")
        looping = np.flatnonzero(going)[following == np.flatnonzero(going)]
        if number == nodes and not len(looping):
            return None
        cyclic = np.bincount(label, minlength=number) > 1
        cyclic[label[looping]] = True
        members = np.flatnonzero(cyclic[label])
        members = members[np.argsort(label[members], kind="stable")]
        _, starts = np.unique(label[members], return_index=True)
        return members, starts

    def _round(self, root: int) -> Integers:
        """Give the edges of the policy from a node back to it."""
        cycle = [int(self.policy[root])]
        while (node := self.edges.targets[cycle[-1]]) != root:
            cycle.append(int(self.policy[node]))
        return np.array(cycle, dtype=np.int64)


def _largest(times: Whole, heights: Whole) -> tuple[Fraction, int]:
    """Give the largest quotient, and its place; floats leave out what is clearly smaller."""
    places = range(len(times))
    if times.dtype != object:
        quotients = times / heights
        close = np.flatnonzero(quotients >= quotients.max() * (1 - 2.0**-40))
        _, first = np.unique(np.stack((times[close], heights[close])), axis=1, return_index=True)
        places = close[first].tolist()
    return max((Fraction(int(times[i]), int(heights[i])), i) for i in places)
