"""Buckets of a sample, as the referee makes them: border by border."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Literal, NamedTuple

from steadygrid.domain.resources import class_name
from steadygrid.kinds.bag_of_tasks.referee_star import TaskKind
from steadygrid.kinds.bag_of_tasks.runs import SampledClass

Split = Literal["arithmetic", "geometric"]


class _Place(NamedTuple):
    """A bag, by its position, and the buckets there."""

    bag: int
    size: int
    work: int


class Sampled:
    """The classes that the first tasks of a stream make.

    Parameters
    ----------
    bags
        Their ids, in order.
    kinds
        Of the tasks of the stream.
    sample
        Positions in `kinds`.
    buckets
        Of sizes, and of works.
    """

    def __init__(
        self,
        bags: Sequence[str],
        kinds: Sequence[TaskKind],
        sample: Sequence[int],
        split: Split,
        buckets: tuple[int, int],
    ) -> None:
        self._kinds = kinds
        self._bags = {bag: n for n, bag in enumerate(bags)}
        counts = Counter(sample)
        self._borders: dict[str, tuple[_Borders, _Borders]] = {}
        for bag in bags:
            own = [kinds[k] for k in counts if kinds[k].bag == bag]
            if own:
                sizes = _borders([kind.size for kind in own], split, buckets[0])
                works = _borders([kind.work for kind in own], split, buckets[1])
                self._borders[bag] = sizes, works
        cells: dict[_Place, list[tuple[int, int]]] = {}
        for k, number in counts.items():
            place = self._place(kinds[k])
            assert place is not None
            cells.setdefault(place, []).append((k, number))
        self._names: dict[_Place, str] = {}
        self._nearest: dict[_Place, _Place] = {}
        self._numbers: Counter[int] = Counter()
        self.classes: list[SampledClass] = []
        for place in sorted(cells):
            self.classes.append(self._class(place, cells[place]))

    def _class(self, place: _Place, tasks: Sequence[tuple[int, int]]) -> SampledClass:
        bag = next(name for name, n in self._bags.items() if n == place.bag)
        earlier = self._numbers[place.bag]
        self._numbers[place.bag] += 1
        name = self._names[place] = class_name(bag, earlier)
        number = sum(count for _, count in tasks)
        size = sum((count * self._kinds[k].size for k, count in tasks), Fraction(0)) / number
        work = sum((count * self._kinds[k].work for k, count in tasks), Fraction(0)) / number
        return SampledClass(
            name=name,
            bag=bag,
            size_bucket=place.size,
            work_bucket=place.work,
            count=number,
            input_size=size,
            work=work,
        )

    def _place(self, kind: TaskKind) -> _Place | None:
        if kind.bag not in self._borders:
            return None
        sizes, works = self._borders[kind.bag]
        return _Place(self._bags[kind.bag], sizes.bucket(kind.size), works.bucket(kind.work))

    def kinds(self) -> Mapping[str, TaskKind]:
        """Give the classes as those of bags are."""
        total = sum(one.count for one in self.classes)
        return {
            one.name: TaskKind(
                one.bag, n, Fraction(1), one.input_size, one.work, Fraction(one.count, total)
            )
            for n, one in enumerate(self.classes)
        }

    def name_for(self, k: int) -> str:
        """Name the class by whose rates tasks of a kind go: their own, or the nearest.

        Of the same bag by the number of buckets between, the first of equal ones; without any, of all
        by mean size.
        """
        kind = self._kinds[k]
        here = self._place(kind)
        if here is None:
            return min(self.classes, key=lambda one: abs(one.input_size - kind.size)).name
        if here in self._names:
            return self._names[here]
        if here not in self._nearest:
            own = [place for place in self._names if place.bag == here.bag]
            self._nearest[here] = min(
                own, key=lambda p: abs(p.size - here.size) + abs(p.work - here.work)
            )
        return self._names[self._nearest[here]]


class _Borders(NamedTuple):
    """Where buckets but the first begin; of equal ratios, the powers of it that are rational."""

    marks: Sequence[Fraction]
    power: int

    def bucket(self, value: Fraction) -> int:
        """Count the borders up to a value. Where ratios are equal, 0 comes before all others."""
        if not self.power:
            return bisect_right(self.marks, value)
        return 1 + bisect_right(self.marks, value**self.power) if value else 0


def _borders(values: Sequence[Fraction], split: Split, number: int) -> _Borders:
    power = 0 if split == "arithmetic" else number
    counted = [value for value in values if value or not power]
    if not counted or min(counted) == max(counted):
        return _Borders([], power)
    least, greatest = min(counted), max(counted)
    marks = [
        least ** (power - j) * greatest**j if power else least + (greatest - least) * j / number
        for j in range(1, number)
    ]
    return _Borders(marks, power)
