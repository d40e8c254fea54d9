r"""Makespans at fixed orders and participants, from the rows that decide them.

Of workers that all take part, with the order in which they are sent to and the one in which
their results come back, and :math:`a_i > 0` the fraction of each,

.. math::

   T \ge \sum_{j \text{ sent not after } i} (C_j + c_j a_j) + W_i + w_i a_i
   + \sum_{j \text{ returned not before } i} (D_j + d_j a_j) \tag{5}

   T \ge \sum_j (C_j + D_j + (c_j + d_j) a_j) \tag{6}

where (6) holds if the master has one port for both directions. The master's own part is
:math:`a_0 = (T - W_0) / w_0`, or nothing. At a vertex all shares are positive, so that (5) is
tight for all of them, or, under (6), for all but one: one or q + 1 linear systems.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from flint import fmpz_mat

from steadygrid.kinds.divisible_star.solver.star.star import Costs, Star

ZERO = Fraction(0)


@dataclass(frozen=True)
class Found:
    """A schedule: who takes part in which orders, and how much each computes.

    Attributes
    ----------
    sends, returns
        Workers that take part, by their places in the star, in the two orders.
    shares
        In the order of sending; with `own`, that of the master, they sum to 1.
    """

    makespan: Fraction
    sends: tuple[int, ...]
    returns: tuple[int, ...]
    shares: tuple[Fraction, ...]
    own: Fraction


def alone(star: Star) -> Iterator[Found]:
    """Give the schedules in which one processor computes everything."""
    if star.own is not None:
        yield Found(star.own.work_latency + star.own.work, (), (), (), Fraction(1))
    for i, costs in enumerate(star.workers):
        yield Found(latency_of(costs) + time_of(costs), (i,), (i,), (Fraction(1),), ZERO)


def time_of(costs: Costs) -> Fraction:
    """Sum up what the whole load takes alone, without latencies."""
    return costs.wire + costs.work + costs.back


def latency_of(costs: Costs) -> Fraction:
    """Sum up what any part of the load takes besides."""
    return costs.wire_latency + costs.work_latency + costs.back_latency


def masters(star: Star) -> list[Costs | None]:
    """List how the master may compute at the same time as others: with these costs, or not at all.

    It always does where that takes no latency. Where its work takes no time, it does all or
    nothing, since the others could not end sooner than its latency.
    """
    own = star.own
    if own is None or not own.work:
        return [None]
    return [own] if not own.work_latency else [own, None]


class Bases:
    """Exact vertices of (5), (6): times as whole numbers of one unit."""

    def __init__(self, star: Star) -> None:
        self._star = star
        every = [*star.workers, *([] if star.own is None else [star.own])]
        unit = lcm(*(time.denominator for costs in every for time in _times(costs)), 1)
        self._unit = unit
        self._times = [tuple(int(time * unit) for time in _times(costs)) for costs in every]

    def vertex(
        self,
        sends: Sequence[int],
        returns: Sequence[int],
        loose: int | None = None,
        *,
        master: bool = False,
    ) -> Found | None:
        """Solve for the shares of workers that all take part.

        Parameters
        ----------
        loose
            Place in `sends` of the worker whose row is replaced by (6). None if all are tight.
        master
            Whether the master takes part.

        Returns
        -------
        Found or None
            None where the rows have no solution, or one that no schedule has.
        """
        rows, offsets = self._rows(sends, returns)
        size = len(sends)
        port = ([sum(self._times[i][0::2][:2]) for i in sends], self._port_latency(sends))
        if loose is not None:
            (rows[loose], offsets[loose]), port = port, (rows[loose], offsets[loose])
        entries = [[*row, -1] for row in rows]
        # The whole load: sum a + (T - W0) / w0 = 1.
        work, latency = (self._times[-1][1], self._times[-1][4]) if master else (1, 0)
        entries.append([work] * size + [int(master)])
        right = [*(-offset for offset in offsets), work + latency * master]
        try:
            solution = fmpz_mat(entries).solve(fmpz_mat([[value] for value in right]))
        except ZeroDivisionError:
            return None
        values = [solution[i, 0] for i in range(size + 1)]
        time = values.pop()
        checked = loose is not None or not self._star.two_ports
        row, offset = port
        if any(value <= 0 for value in values) or (master and time <= latency):
            return None
        if checked and sum(a * b for a, b in zip(row, values, strict=True)) + offset > time:
            return None
        own = (time - latency) / work if master else None
        return Found(
            Fraction(int(time.p), int(time.q) * self._unit),
            tuple(sends),
            tuple(returns),
            tuple(Fraction(int(value.p), int(value.q)) for value in values),
            ZERO if own is None else Fraction(int(own.p), int(own.q)),
        )

    def best(self, sends: Sequence[int], returns: Sequence[int]) -> Found | None:
        """Give the best schedule in which exactly these workers take part. None if that is worse.

        Worse than without one of them, that is.

        Parameters
        ----------
        sends
            Workers in the order in which they are sent to, by place in the star.
        returns
            The same workers in the order in which their results come back.
        """
        loose = [None, *(() if self._star.two_ports else range(len(sends)))]
        found = [
            vertex
            for costs in masters(self._star)
            for row in loose
            if (vertex := self.vertex(sends, returns, row, master=costs is not None)) is not None
        ]
        return min(found, key=lambda one: one.makespan, default=None)

    def _rows(
        self, sends: Sequence[int], returns: Sequence[int]
    ) -> tuple[list[list[int]], list[int]]:
        back = {worker: place for place, worker in enumerate(returns)}
        rows, offsets = [], []
        for place, i in enumerate(sends):
            row, offset = [0] * len(sends), self._times[i][4]
            for other, j in enumerate(sends):
                wire, work, result, wire_latency, _, result_latency = self._times[j]
                if other <= place:
                    row[other] += wire
                    offset += wire_latency
                if other == place:
                    row[other] += work
                if back[j] >= back[i]:
                    row[other] += result
                    offset += result_latency
            rows.append(row)
            offsets.append(offset)
        return rows, offsets

    def _port_latency(self, sends: Sequence[int]) -> int:
        return sum(self._times[i][3] + self._times[i][5] for i in sends)


def _times(costs: Costs) -> tuple[Fraction, ...]:
    return (
        costs.wire,
        costs.work,
        costs.back,
        costs.wire_latency,
        costs.work_latency,
        costs.back_latency,
    )
