"""Which workers may come next in a search through the orders of a star."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol

from steadygrid.kinds.divisible_star.replay.star_terms import Times


class SearchSteps(Protocol):
    """Steps of a search. A key stands for those who may still come; steps lead to greater keys."""

    given_order: bool

    def rest(self, key: int) -> Sequence[int]:
        """Give those who may still come, by place."""
        ...

    def steps(self, key: int) -> Iterable[tuple[int | None, int]]:
        """Give who may be next, None where a worker is left out, and the key after that."""
        ...


class GivenOrder:
    """Each worker in turn takes part or does not. Keys are places in the order."""

    given_order = True

    def __init__(self, workers: Sequence[Times]) -> None:
        self._rests = [range(key, len(workers)) for key in range(len(workers) + 1)]

    def rest(self, key: int) -> Sequence[int]:
        """Give all from a place on."""
        return self._rests[key]

    def steps(self, key: int) -> Iterator[tuple[int | None, int]]:
        """Take the one at a place, or leave him out."""
        if self._rests[key]:
            yield key, key + 1
            yield None, key + 1


class AnyOrder:
    """Any worker may be next. Keys are sets of those who take part, as bits.

    Of equal workers the first ones take part, in their order: names do not matter to a schedule.
    """

    given_order = False

    def __init__(self, workers: Sequence[Times]) -> None:
        self._workers = range(len(workers))
        last: dict[Times, int] = {}
        self._before: list[int] = []
        for i, one in enumerate(workers):
            self._before.append(last.get(one, 0))
            last[one] = 1 << i

    def rest(self, key: int) -> Sequence[int]:
        """Give all who are not in a set."""
        return [i for i in self._workers if not key >> i & 1]

    def steps(self, key: int) -> Iterator[tuple[int | None, int]]:
        """Take any worker whose equals before him are taken."""
        for i in self.rest(key):
            if not self._before[i] & ~key:
                yield i, key | 1 << i
