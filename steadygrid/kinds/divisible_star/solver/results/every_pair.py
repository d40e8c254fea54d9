r"""All pairs of orders of a few workers, without losing the best to rounding.

Every vertex of every set of workers and pair of orders (see `bases`) is computed in double
precision, many at once, with a bound on its error. Those that certainly are none, or certainly
are no better than the best known, are dropped, and the others are computed exactly. Shares are
scaled by the time that they take and times by that of the best single processor, so that all
coefficients lie between -1 and 1 for all magnitudes of the instance. What rounding cannot
tell apart costs time, never the optimum.

The error: an inverse computed by elimination with pivoting, of a matrix K of up to 7 rows, is off
by no more than :math:`2 \delta \lVert K^{-1} \rVert` with :math:`\delta = 10^{-11} \lVert K
\rVert \lVert K^{-1} \rVert`. Source: Higham, *Accuracy and Stability of Numerical Algorithms*,
2002, section 14.3, with room for the largest growth that so few rows allow.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from steadygrid.domain.errors import OutOfTime
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.divisible_star.solver.results.bases import (
    Bases,
    Found,
    alone,
    latency_of,
    masters,
    time_of,
)
from steadygrid.kinds.divisible_star.solver.results.pairs import AskedPairs, Places, subsets
from steadygrid.kinds.divisible_star.solver.star.star import Costs, Star

Floats = npt.NDArray[np.float64]
PRECISION = 1e-11
"""Relative error of an inverse, per unit of the condition number."""
MOST_UNSURE = 0.25
"""Relative error from which on nothing is dropped."""
BATCH = 8_192
"""Systems that are computed at once, at least."""


@dataclass(frozen=True)
class Enumeration:
    """What all pairs of orders came to.

    Attributes
    ----------
    best
        The best schedule; of those found so far where `complete` is false.
    complete
        Whether nothing better exists.
    nodes
        Linear systems that were solved.
    """

    best: Found
    complete: bool
    nodes: int


@dataclass(frozen=True)
class _Batch:
    """Vertices that rounding could not drop: their orders, and from which time on."""

    members: tuple[int, ...]
    master: Costs | None
    sends: Places
    returns: Places
    loose: npt.NDArray[np.int64]
    """Place, among the members, of the worker whose row is not tight; -1 if all are."""
    least: Floats


def enumerate_orders(
    star: Star, asked: AskedPairs, bound: Fraction, control: Control
) -> Enumeration:
    """Find the best of all pairs of orders that are asked about, and of all participants.

    Parameters
    ----------
    bound
        A makespan that none undercuts. A pair that reaches it is the best.

    Raises
    ------
    Cancelled
        If cancelled. Out of time, the best so far is given.
    """
    best = min(alone(star), key=lambda one: one.makespan)
    search = _Search(star, asked, best)
    try:
        if best.makespan > bound:
            search.sift(control)
            search.settle(bound, control)
    except OutOfTime:
        return Enumeration(search.best, complete=False, nodes=search.nodes)
    return Enumeration(search.best, complete=True, nodes=search.nodes)


class _Search:
    def __init__(self, star: Star, asked: AskedPairs, best: Found) -> None:
        self._star, self._asked = star, asked
        self.best = best
        self.nodes = 0
        self._scale = best.makespan
        self._upper = 1.0
        self._batches: list[_Batch] = []

    def sift(self, control: Control) -> None:
        """Compute all vertices in double precision, and keep those that may be the best."""
        # Others cannot end sooner than the best single processor, or need it alone.
        useful = [
            i
            for i, costs in enumerate(self._star.workers)
            if latency_of(costs) < self._scale and time_of(costs)
        ]
        twins = self._asked.twins(self._star)
        for members in subsets(useful, twins):
            sends = self._asked.sends(members, twins)
            _, ends = self._asked.returns_of(members, sends[:1])
            step = max(1, BATCH // len(ends))
            for master in masters(self._star):
                times = _Times(self._star, members, master, self._scale)
                for first in range(0, len(sends), step):
                    control.check()
                    self._sift(times, members, master, sends[first : first + step])

    def _sift(
        self, times: "_Times", members: tuple[int, ...], master: Costs | None, sends: Places
    ) -> None:
        sends, returns = self._asked.returns_of(members, sends)
        vertices = times.vertices(sends, returns)
        self.nodes += vertices.least.size
        certain = vertices.most[vertices.certain]
        self._upper = min(self._upper, certain.min(initial=np.inf))
        pair, loose = np.nonzero(vertices.least < self._upper)
        if len(pair):
            least = vertices.least[pair, loose]
            self._batches.append(
                _Batch(members, master, sends[pair], returns[pair], loose - 1, least)
            )

    def settle(self, bound: Fraction, control: Control) -> None:
        """Compute exactly what is left, the most promising ones first."""
        bases = Bases(self._star)
        for count, (least, vertex) in enumerate(self._remaining_vertices(bases)):
            if count % 64 == 0:
                control.check()
            if least >= float(self.best.makespan / self._scale) * (1 + 1e-15):
                return
            found = vertex()
            self.nodes += 1
            if found is not None and found.makespan < self.best.makespan:
                self.best = found
                if found.makespan <= bound:
                    return

    def _remaining_vertices(self, bases: Bases) -> Iterator[tuple[float, "_Vertex"]]:
        if not self._batches:
            return
        kept = [np.flatnonzero(batch.least < self._upper) for batch in self._batches]
        least = np.concatenate([b.least[k] for b, k in zip(self._batches, kept, strict=True)])
        batch = np.repeat(np.arange(len(kept)), [len(k) for k in kept])
        row = np.concatenate(kept)
        for k in np.argsort(least, kind="stable"):
            yield float(least[k]), _Vertex(bases, self._batches[batch[k]], int(row[k]))


@dataclass(frozen=True)
class _Vertex:
    """One of those that are left, to be computed exactly."""

    bases: Bases
    batch: _Batch
    row: int

    def __call__(self) -> Found | None:
        batch, members = self.batch, self.batch.members
        sends = [members[place] for place in batch.sends[self.row]]
        returns = [members[place] for place in batch.returns[self.row]]
        place = int(batch.loose[self.row])
        loose = None if place < 0 else sends.index(members[place])
        return self.bases.vertex(sends, returns, loose, master=batch.master is not None)


@dataclass(frozen=True)
class _Vertices:
    """Makespans from below and above, by pair and by row that is not tight (none, first)."""

    least: Floats
    """Infinite for what is no schedule."""
    most: Floats
    certain: npt.NDArray[np.bool_]
    """Whether it certainly is a schedule."""


class _Times:
    """Times of some workers in double precision, in units in which none is much above 1."""

    def __init__(
        self, star: Star, members: Sequence[int], master: Costs | None, scale: Fraction
    ) -> None:
        costs = [star.workers[i] for i in members]
        totals = [time_of(one) for one in costs]
        self.wire = _floats(one.wire / total for one, total in zip(costs, totals, strict=True))
        self.work = _floats(one.work / total for one, total in zip(costs, totals, strict=True))
        self.back = _floats(one.back / total for one, total in zip(costs, totals, strict=True))
        self.wire_latency = _floats(one.wire_latency / scale for one in costs)
        self.work_latency = _floats(one.work_latency / scale for one in costs)
        self.back_latency = _floats(one.back_latency / scale for one in costs)
        self.strict = not star.two_ports
        fastest = min(totals if master is None else [*totals, master.work])
        own = Fraction(0) if master is None else 1 / master.work
        self.least_master = 0.0 if master is None else float(master.work_latency / scale)
        self.speeds = _floats([*(fastest / total for total in totals), fastest * own])
        latency = Fraction(0) if master is None else master.work_latency
        self.load = float((1 + latency * own) * fastest / scale)

    def vertices(self, sends: Places, returns: Places) -> _Vertices:
        """Compute the vertices of many pairs of orders."""
        matrix, right = self._systems(sends, returns)
        size = len(self.wire)
        # No pivot is exactly 0: what is nearly singular is recognised by the norm of its inverse.
        shifts = np.diag(np.append(np.arange(1, size + 1), 0) * 1e-15)
        inverse = _inverse(matrix + shifts)
        norm = np.abs(inverse).sum(axis=2).max(axis=1)
        delta = PRECISION * norm * np.abs(matrix).sum(axis=2).max(axis=1)
        with np.errstate(all="ignore"):
            entry = 2 * delta * norm
            values = (inverse @ right[:, :, None])[:, :, 0]
            off = entry * np.abs(right).sum(axis=1)
            if self.strict:
                values, off, turned = self._with_port(inverse, values, entry, off)
            else:
                values, off = values[:, None], off[:, None, None]
                turned = (np.full(values.shape[:2], -np.inf), np.zeros(values.shape[:2]))
            return self._judged(values, np.broadcast_to(off, values.shape), turned, delta)

    def _judged(
        self, values: Floats, off: Floats, turned: tuple[Floats, Floats], delta: Floats
    ) -> _Vertices:
        shares, share_off = values[..., :-1], off[..., :-1]
        time, time_off = values[..., -1], off[..., -1]
        activity, activity_off = turned
        unsure = ~(np.isfinite(off).all(axis=2) & (delta < MOST_UNSURE)[:, None])
        wrong = (
            (shares < -share_off).any(axis=2)
            | (time < self.least_master - time_off)
            | (activity > activity_off)
        )
        right = (
            (shares > share_off).all(axis=2)
            & (time > self.least_master + time_off)
            & (activity < -activity_off)
        )
        least = np.where(unsure, 0.0, np.where(wrong, np.inf, time - time_off))
        return _Vertices(least, time + time_off, right & ~unsure)

    def _systems(self, sends: Places, returns: Places) -> tuple[Floats, Floats]:
        sent, returned = np.argsort(sends, axis=1), np.argsort(returns, axis=1)
        before = sent[:, None, :] <= sent[:, :, None]
        after = returned[:, None, :] >= returned[:, :, None]
        count, size = sends.shape
        matrix = np.empty((count, size + 1, size + 1))
        matrix[:, :size, :size] = before * self.wire + after * self.back + np.diag(self.work)
        matrix[:, :size, size] = -1
        matrix[:, size] = self.speeds
        right = np.empty((count, size + 1))
        right[:, :size] = -(before @ self.wire_latency + after @ self.back_latency)
        right[:, :size] -= self.work_latency
        right[:, size] = self.load
        return matrix, right

    def _with_port(
        self, inverse: Floats, values: Floats, entry: Floats, off: Floats
    ) -> tuple[Floats, Floats, tuple[Floats, Floats]]:
        """Add the vertices at which (6) takes the place of a worker's row.

        Returns
        -------
        Values and their errors, by pair, row and unknown, and what must not be above 0. That is
        how much (6) is broken where it is not tight, and how much the row that is not tight, with
        errors.
        """
        size = len(self.wire)
        port = np.append(self.wire + self.back, -1.0)
        weight = np.abs(port).sum()
        broken = values @ port + (self.wire_latency + self.back_latency).sum()
        broken_off = off * weight
        columns = inverse[:, :, :size]
        turn, turn_off = np.einsum("j,njk->nk", port, columns), (entry * weight)[:, None]
        step = -broken[:, None] / turn
        room = np.abs(turn) - turn_off
        step_off = np.where(
            room > 0, (broken_off[:, None] + np.abs(step) * turn_off) / room, np.inf
        )
        moved = values[:, None] + step[:, :, None] * columns.transpose(0, 2, 1)
        moved_off = (
            off[:, None, None]
            + step_off[:, :, None] * np.abs(columns.transpose(0, 2, 1))
            + ((np.abs(step) + step_off) * entry[:, None])[:, :, None]
        )
        first = np.broadcast_to(off[:, None, None], (len(off), 1, size + 1))
        return (
            np.concatenate([values[:, None], moved], axis=1),
            np.concatenate([first, moved_off], axis=1),
            (
                np.concatenate([broken[:, None], step], axis=1),
                np.concatenate([broken_off[:, None], step_off], axis=1),
            ),
        )


def _floats(values: "Iterator[Fraction] | Sequence[Fraction]") -> Floats:
    return np.array([float(value) for value in values])


def _inverse(matrices: Floats) -> Floats:
    try:
        return np.asarray(np.linalg.inv(matrices), np.float64)
    except np.linalg.LinAlgError:
        return np.full_like(matrices, np.inf)
