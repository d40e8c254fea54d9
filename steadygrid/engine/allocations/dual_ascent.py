r"""A lower bound of all labellings at once: costs move between tasks and files (dual ascent).

Messages :math:`s_{kl}(q)`, :math:`t_{kl}(r)` move costs between files and tasks. With them every
labelling costs at least

.. math:: \sum_k \min_q \Big( c_{kq} - \sum_l s_{kl}(q) - \sum_j t_{jk}(q) \Big)
          + \sum_{kl} \min_{q, r} \Big( d_{kl}(q, r) + s_{kl}(q) + t_{kl}(r) \Big) ,

the dual of the linear relaxation of the program over assignments. Task after task takes back all
that its files can give, and shares it out to those of its files that come later in the order of
the pass; passes go forth and back. The sum never falls (Kolmogorov: Convergent tree-reweighted
message passing for energy minimization, sequential form). A pass takes the time of the pairs of
labels, for every width of the graph.
"""

from collections.abc import Callable, Mapping, Sequence
from math import fsum
from typing import NamedTuple

import numpy as np

from steadygrid.engine.allocations.network import Floats
from steadygrid.engine.allocations.problem import FloatCosts

MOST_ROUNDS = 10
"""Passes there and back."""
LEAST_RISE = 1e-3
"""Share of what is missing that a round must gain for the next to be worth it."""
_ROUNDING = 2.0**-53


class Spare(NamedTuple):
    """What messages leave of the costs above the least of each task and of each file.

    A labelling costs `least`, and what its labels and pairs of labels have in excess. Each of
    its parts costs at least that much with the excess of the part alone.

    Attributes
    ----------
    least
        The bound of all labellings, but for rounding errors.
    single, pairs
        By task and label, and by file and pair of labels, the excess.
    files
        By task and another with a file between them, the least excess of the file by label.
    """

    least: float
    single: Sequence[Floats]
    pairs: Mapping[tuple[int, int], Floats]
    files: Mapping[tuple[int, int], Floats]

    def labels(self) -> list[Floats]:
        """Bound, by task and label, the cost of labellings that have it."""
        bounds = [self.least + excess for excess in self.single]
        for (task, _), excess in self.files.items():
            bounds[task] = bounds[task] + excess
        return bounds


class Messages:
    """The messages between tasks and files.

    Parameters
    ----------
    costs
        None below 0; infinite where a pair of labels is not possible.
    far
        Costs above it are cut: this can only lower the bound.

    Attributes
    ----------
    sent, received
        By file, the messages by label of its producer and of its user.
    """

    def __init__(self, costs: FloatCosts, far: float) -> None:
        self._far = far
        self._single = [np.minimum(table, far) for table in costs.single]
        self._pairs = {pair: np.minimum(table, far) for pair, table in costs.pairs.items()}
        self.sent = {pair: np.zeros(len(table)) for pair, table in self._pairs.items()}
        self.received = {pair: np.zeros(table.shape[1]) for pair, table in self._pairs.items()}
        self._around: list[list[tuple[int, int]]] = [[] for _ in self._single]
        for pair in self._pairs:
            for task in pair:
                self._around[task].append(pair)

    @property
    def doubt(self) -> float:
        """More than roundings can make of `value`, or of what `spare` says of a labelling.

        With d files around a task and messages of at most x, a sum over its files is off by less
        than ``(d + 3)^2 x`` units of 2**-52. So is one over the two ends of a file by less than ``9
        x``. Of these sums one rounding each is left, as excess is never below 0.
        """
        messages = (*self.sent.values(), *self.received.values())
        largest = max([self._far, *(float(abs(parts).max()) for parts in messages)])
        units = sum((len(around) + 3) ** 2 + 2 for around in self._around) + 11 * len(self._pairs)
        return (units + 8) * largest * 2.0**-52

    def value(self) -> float:
        """Give the lower bound, but for rounding errors."""
        return self._sum(0.0)

    def least(self) -> float:
        """Give a lower bound of the costs of all labellings, as if they were added exactly.

        Notes
        -----
        Floats that are added up in any order, n of them, are off by less than n roundings of
        the sum of their absolute values (Higham, Accuracy and stability of numerical algorithms,
        section 4.2). So each number is lowered by n + 2 of its own roundings, which is more than
        this and than the roundings of the lowering; then no sum is above the true one.
        """
        least = self._sum(_ROUNDING)
        return least - 2 * _ROUNDING * abs(least)

    def rise(self, enough: float, check: Callable[[], None]) -> float:
        """Pass there and back while it pays, and give the best of `least`.

        Parameters
        ----------
        enough
            Where the bound ends to be of interest.
        check
            Called between passes; may raise.
        """
        order = range(len(self._single))
        best = self.least()
        for _ in range(MOST_ROUNDS):
            if best >= enough:
                break
            for direction in (order, order[::-1]):
                check()
                self.sweep(direction)
            found = self.least()
            gain = found - best
            best = max(best, found)
            if gain < LEAST_RISE * (enough - best):
                break
        return best

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

    def round(self, unit: float) -> None:
        """Round all messages to whole multiples of a unit."""
        for messages in (*self.sent.values(), *self.received.values()):
            messages[:] = np.round(messages / unit) * unit

    def spare(self) -> Spare:
        """Give what is left above the bound, but for rounding errors."""
        least: list[float] = []
        single, pairs, files = [], {}, {}
        for task, costs in enumerate(self._single):
            rest = costs.copy()
            for pair in self._around[task]:
                rest -= self._own(pair, task)
            least.append(float(rest.min()))
            single.append(rest - rest.min())
        for (one, other), table in self._pairs.items():
            moved = table + self.sent[one, other][:, np.newaxis] + self.received[one, other]
            least.append(float(moved.min()))
            moved -= moved.min()
            pairs[one, other] = moved
            files[one, other], files[other, one] = moved.min(axis=1), moved.min(axis=0)
        return Spare(fsum(least), single, pairs, files)

    def _sum(self, rounding: float) -> float:
        terms: list[float] = []
        for task, single in enumerate(self._single):
            around = self._around[task]
            lowering = (len(around) + 3) * rounding
            rest = _lowered(single, lowering)
            for pair in around:
                rest += _lowered(-self._own(pair, task), lowering)
            terms.append(float(rest.min()))
        for pair, table in self._pairs.items():
            moved = table * (1 - 5 * rounding)
            moved += _lowered(self.sent[pair], 5 * rounding)[:, np.newaxis]
            moved += _lowered(self.received[pair], 5 * rounding)
            terms.append(float(moved.min()))
        return fsum(terms)

    def _own(self, pair: tuple[int, int], task: int) -> Floats:
        return self.sent[pair] if pair[0] == task else self.received[pair]


def _lowered(numbers: Floats, share: float) -> Floats:
    return np.asarray(numbers - np.abs(numbers) * share)
