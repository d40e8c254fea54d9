r"""Lower bounds of the cost of all allocations where the task graph is wide: dual ascent.

Messages :math:`s_{kl}(q)`, :math:`t_{kl}(r)` move costs between files and tasks. With them every
labelling costs at least

.. math:: \sum_k \min_q \Big( c_{kq} - \sum_l s_{kl}(q) - \sum_j t_{jk}(q) \Big)
          + \sum_{kl} \min_{q, r} \Big( d_{kl}(q, r) + s_{kl}(q) + t_{kl}(r) \Big) .

Task after task takes back all that its files can give, and shares it out to those of its files
that come later in the order of the pass; passes go forth and back. The sum never falls
(Kolmogorov: Convergent tree-reweighted message passing for energy minimization, sequential form).
"""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from workers.allocations.network import Floats
from workers.allocations.problem import FloatCosts

FAR = 4.0
"""Stands for any cost of 4 or more, where the whole costs about 1."""
UNIT = 2.0**-40
"""Messages are whole multiples of it."""
MOST_PASSES = 200
"""Over all tasks, forth and back."""
IDLE_PASSES = 5
"""Passes that gain less than `LEAST_GAIN` before the ascent ends."""
LEAST_GAIN = 1e-5


class Shared(NamedTuple):
    """What messages prove.

    Attributes
    ----------
    least
        No labelling costs less, rounding errors included.
    sent, received
        By file, the messages by label of its producer and of its user.
    """

    least: Fraction
    sent: Mapping[tuple[int, int], Floats]
    received: Mapping[tuple[int, int], Floats]


def share_costs(
    costs: FloatCosts,
    roundings: Fraction,
    check: Callable[[], None],
    most_passes: int = MOST_PASSES,
) -> Shared | None:
    """Find messages, and the lower bound that they prove.

    Parameters
    ----------
    costs
        Infinite where a pair of labels is not possible; about 1 for the cheapest labelling.
    roundings
        Relative error of the costs.

    most_passes
        Without any, each task and each file counts by itself.

    Returns
    -------
    Shared or None
        None if some file has no way at all, or some task no label.

    Notes
    -----
    ``O(files * labels^2)`` per pass. Costs above `FAR` are cut; so are costs that do not exist,
    which can only lower the bound. A sum of m numbers of at most x is off by less than
    ``m^2 x 2**-51``.
    """
    tables = (*costs.single, *costs.pairs.values())
    if not all(np.isfinite(table).any() for table in tables):
        return None
    ascent = _Ascent(costs)
    best, idle = ascent.value(), 0
    order = range(len(costs.single))
    for number in range(most_passes):
        check()
        ascent.sweep(order if number % 2 == 0 else order[::-1])
        value = ascent.value()
        idle = 0 if value > best + LEAST_GAIN else idle + 1
        best = max(best, value)
        if idle >= IDLE_PASSES:
            break
    ascent.round()
    terms = ascent.most_terms
    error = (len(tables) + 1) * (
        Fraction(ascent.largest) * terms * terms * Fraction(1, 1 << 50)
        + Fraction(int(FAR)) * roundings
    )
    return Shared(Fraction(ascent.value()) - error, ascent.sent, ascent.received)


class _Ascent:
    """The messages between tasks and files."""

    def __init__(self, costs: FloatCosts) -> None:
        self._single = [np.minimum(table, FAR) for table in costs.single]
        self._pairs = {pair: np.minimum(table, FAR) for pair, table in costs.pairs.items()}
        self.sent = {pair: np.zeros(len(table)) for pair, table in self._pairs.items()}
        self.received = {pair: np.zeros(table.shape[1]) for pair, table in self._pairs.items()}
        self._around: list[list[tuple[int, int]]] = [[] for _ in self._single]
        for pair in self._pairs:
            for task in pair:
                self._around[task].append(pair)

    @property
    def most_terms(self) -> int:
        """Most numbers in one sum, or the number of sums."""
        return max(3 + max(map(len, self._around)), len(self._single) + len(self._pairs))

    @property
    def largest(self) -> float:
        """The largest number in any sum."""
        messages = (*self.sent.values(), *self.received.values())
        return max([FAR, *(float(abs(parts).max()) for parts in messages)])

    def value(self) -> float:
        """Give the lower bound, but for rounding errors."""
        total = 0.0
        for task, single in enumerate(self._single):
            rest = single.copy()
            for pair in self._around[task]:
                rest -= self._own(pair, task)
            total += float(rest.min())
        for pair, table in self._pairs.items():
            moved = table + self.sent[pair][:, np.newaxis] + self.received[pair]
            total += float(moved.min())
        return total

    def sweep(self, order: Sequence[int]) -> None:
        """Let each task take from all its files, and give to those that come later."""
        turn = {task: number for number, task in enumerate(order)}
        for task in order:
            around = self._around[task]
            if not around:
                continue
            least = {}
            total = self._single[task].copy()
            for pair in around:
                if pair[0] == task:
                    least[pair] = (self._pairs[pair] + self.received[pair]).min(axis=1)
                else:
                    least[pair] = (self._pairs[pair].T + self.sent[pair]).min(axis=1)
                total += least[pair]
            later = [pair for pair in around if turn[sum(pair) - task] > turn[task]]
            most = max(len(later), len(around) - len(later))
            for pair in around:
                given = total / most if pair in later else 0.0
                self._own(pair, task)[:] = given - least[pair]

    def round(self) -> None:
        """Round all messages to whole multiples of the unit."""
        for messages in (*self.sent.values(), *self.received.values()):
            messages[:] = np.round(messages / UNIT) * UNIT

    def _own(self, pair: tuple[int, int], task: int) -> Floats:
        return self.sent[pair] if pair[0] == task else self.received[pair]
