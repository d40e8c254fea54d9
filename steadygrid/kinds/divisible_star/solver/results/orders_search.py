"""Local search for orders: move one worker in one order, or let it take part no more.

Every pair of orders is judged by the least maximum of its rows (see `bases`) in double precision.
The first one that is better is taken, until none is.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from steadygrid.kinds.divisible_star.solver.results.bases import latency_of, time_of
from steadygrid.kinds.divisible_star.solver.results.minimax import least_maximum
from steadygrid.kinds.divisible_star.solver.results.pairs import AskedPairs
from steadygrid.kinds.divisible_star.solver.star.star import Costs, Star

Floats = npt.NDArray[np.float64]
Pair = tuple[tuple[int, ...], tuple[int, ...]]
"""Workers by their places in the star, as they are sent to and as their results come back."""
BETTER = 1e-9
"""Relative gain below which another pair of orders is no better."""


@dataclass
class OrdersSearch:
    """A local search that may be interrupted.

    Attributes
    ----------
    best
        The best pair of orders found; empty where the master does best alone.
    makespan
        Of it, relative to the scale, by a double.
    judged
        Pairs of orders that were judged.
    """

    star: Star
    asked: AskedPairs

    def __post_init__(self) -> None:
        every = [*self.star.workers, *([] if self.star.own is None else [self.star.own])]
        self._scale = min(latency_of(costs) + time_of(costs) for costs in every) or Fraction(1)
        self._times = {
            i: self._scaled(costs)
            for i, costs in enumerate(self.star.workers)
            if latency_of(costs) < self._scale or len(every) == 1
        }
        self._own = None if self.star.own is None else self._scaled(self.star.own)
        self.best: Pair = ((), ())
        self.makespan = float("inf") if self._own is None else self._own[1] + self._own[4]
        self.judged = 0

    def run(self, check: Callable[[], None]) -> None:
        """Search until no neighbour is better.

        Raises
        ------
        Cancelled, OutOfTime
            As `check` does. The best so far stands.
        """
        for start in self._starts():
            check()
            self._judge(start)
        better = True
        while better:
            better = False
            for pair in self._neighbours(self.best):
                check()
                if self._judge(pair):
                    better = True
                    break

    def _starts(self) -> Iterator[Pair]:
        """Give orders by each sort of time, there and back, results as sent and reversed.

        None where all latencies alone take as long as the fastest does alone.
        """
        workers = list(self._times)
        if not workers:
            return
        for i in workers:
            yield (i,), (i,)
        if self.asked.sends_given:
            keys: list[Callable[[int], float]] = [float]
        else:
            keys = [
                lambda i: self._times[i][0],
                lambda i: -self._times[i][0],
                lambda i: self._times[i][0] + self._times[i][2],
                lambda i: self._times[i][2],
            ]
        for key in keys:
            sends = tuple(sorted(workers, key=key))
            yield sends, self.asked.chosen(sends)
            if self.asked.returns == "any":
                yield sends, sends[::-1]

    def _neighbours(self, pair: Pair) -> Iterator[Pair]:
        sends, returns = pair
        for i in self._times:
            if i in sends:
                without = _drop_worker(sends, i), _drop_worker(returns, i)
                if without[0]:
                    yield without
                if not self.asked.sends_given:
                    for moved in _moved(sends, i):
                        yield moved, returns if self._free_returns else self.asked.chosen(moved)
                if self.asked.returns == "any":
                    for moved in _moved(returns, i):
                        yield sends, moved
            else:
                yield from self._joined(pair, i)

    def _joined(self, pair: Pair, i: int) -> Iterator[Pair]:
        """Let one more take part: anywhere in the order of sending, and back at the same place."""
        sends, returns = pair
        for place in range(len(sends) + 1):
            moved = (*sends[:place], i, *sends[place:])
            if self.asked.sends_given and list(moved) != sorted(moved):
                continue
            if self.asked.returns != "any":
                yield moved, self.asked.chosen(moved)
                continue
            yield moved, (*returns[:place], i, *returns[place:])
            yield moved, (*returns[: len(returns) - place], i, *returns[len(returns) - place :])

    @property
    def _free_returns(self) -> bool:
        return self.asked.returns == "any"

    def _judge(self, pair: Pair) -> bool:
        """Keep a pair of orders if it is better, without those that get nothing."""
        self.judged += 1
        sends, returns = pair
        makespan, shares = least_maximum(*self._rows(sends, returns))
        if makespan >= self.makespan * (1 - BETTER):
            return False
        taking = {i for i, share in zip(sends, shares, strict=False) if share > BETTER}
        self.makespan = makespan
        self.best = (
            tuple(i for i in sends if i in taking),
            tuple(i for i in returns if i in taking),
        )
        if len(taking) < len(sends) and taking:
            self._judge(self.best)
        return True

    def _rows(self, sends: Sequence[int], returns: Sequence[int]) -> tuple[Floats, Floats]:
        size = len(sends)
        times = np.array([self._times[i] for i in sends]).reshape(size, 6)
        back = {i: place for place, i in enumerate(returns)}
        at = np.array([back[i] for i in sends], int)
        before = np.tri(size)
        after = (at[None, :] >= at[:, None]).astype(float)
        rows = before * times[:, 0] + after * times[:, 2] + np.diag(times[:, 1])
        offsets = before @ times[:, 3] + after @ times[:, 5] + times[:, 4]
        if not self.star.two_ports:
            rows = np.vstack([rows, times[:, 0] + times[:, 2]])
            offsets = np.append(offsets, (times[:, 3] + times[:, 5]).sum())
        if self._own is not None and self._own[4] < self.makespan:
            rows = np.pad(rows, ((0, 1), (0, 1)))
            rows[-1, -1] = self._own[1]
            offsets = np.append(offsets, self._own[4])
        return rows, offsets

    def _scaled(self, costs: Costs) -> tuple[float, ...]:
        scale = self._scale
        return (
            float(costs.wire / scale),
            float(costs.work / scale),
            float(costs.back / scale),
            float(costs.wire_latency / scale),
            float(costs.work_latency / scale),
            float(costs.back_latency / scale),
        )


def _drop_worker(order: tuple[int, ...], i: int) -> tuple[int, ...]:
    return tuple(j for j in order if j != i)


def _moved(order: tuple[int, ...], i: int) -> Iterator[tuple[int, ...]]:
    rest = _drop_worker(order, i)
    for place in range(len(order)):
        moved = (*rest[:place], i, *rest[place:])
        if moved != order:
            yield moved
