"""What is sent in a period, and the order in which it is: as slots, or as runs of links."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from fractions import Fraction
from math import ceil
from typing import Any, Generic, Self, TypeVar

from steadygrid.domain.platform import Platform
from steadygrid.engine.scheduling.workload import Operation


class Layout(ABC):
    """How many files each operation moves, and when."""

    @property
    @abstractmethod
    def length(self) -> Fraction:
        """When everything is sent, in time units."""

    @property
    @abstractmethod
    def multiplier(self) -> int:
        """The least factor that makes all counts whole."""

    @property
    def is_preempted(self) -> bool:
        """Whether some file is moved in parts."""
        return self.multiplier > 1

    @abstractmethod
    def scaled(self, factor: int) -> Self:
        """Take that many times as long for that many times the files."""

    @abstractmethod
    def carried(self, number: int) -> list[Fraction]:
        """Give the files that each of a number of operations moves."""

    @abstractmethod
    def write_part(self, platform: Platform, hops: Sequence[Operation]) -> dict[str, Any]:
        """Write it as the part of a schedule that tells what is sent.

        Parameters
        ----------
        platform
            Its processors and arcs, by index.
        hops
            Every operation that there may be.
        """


LayoutT_co = TypeVar("LayoutT_co", bound=Layout, covariant=True)


class Order(ABC, Generic[LayoutT_co]):
    """When each operation runs within a period, in whole units of time.

    Attributes
    ----------
    unit
        In time units.
    period
        That has room for it, in time units.
    """

    unit: Fraction
    period: Fraction

    @abstractmethod
    def fluid(self, hops: Sequence[Operation], files: Sequence[Fraction]) -> LayoutT_co:
        """Move as much of a file as the time allows.

        Parameters
        ----------
        hops, files
            The operations and how many files each moves per period.

        Notes
        -----
        An operation may have more time than it needs (from rounding up). It then stops early.
        """

    def whole(
        self, hops: Sequence[Operation], files: Sequence[int], factor: int, grain: Fraction | None
    ) -> LayoutT_co:
        """Move whole files only, following the order as closely as whole files can.

        Up to the end of each stretch of time an operation has moved what the order allows, rounded
        down, so in its last one nothing is left over. With `factor` all counts are multiplied
        while the extra time stays: the larger the factor, the smaller the loss.

        Parameters
        ----------
        hops, files
            As for `fluid`, with whole numbers of files.
        factor
            Repeat the work that often, each stretch as many times as long.
        grain
            Times are rounded up to multiples of this. None leaves them exact.
        """
        return self.in_files(hops, WholeCounts(hops, files, self.unit, factor), grain)

    def rounded(
        self,
        hops: Sequence[Operation],
        files: Sequence[int] | None,
        grain: Fraction | None,
    ) -> LayoutT_co:
        """Round the files of every stretch of time down. An operation stops when it moved `files`.

        The plain rule that keeps files whole: what does not fit into its own stretch is lost.

        Parameters
        ----------
        hops
            Every operation that there may be.
        files
            By operation, how many it moves at most. None: any number.
        grain
            Times are rounded up to multiples of it. None: they stay.
        """
        return self.in_files(hops, RoundedCounts(hops, files, self.unit), grain)

    @abstractmethod
    def in_files(
        self,
        hops: Sequence[Operation],
        moved: "WholeCounts | RoundedCounts",
        grain: Fraction | None,
    ) -> LayoutT_co:
        """Give each operation the time of the whole files that it moves, stretch by stretch.

        Parameters
        ----------
        hops
            Every operation that there may be.
        moved
            Says how many files an operation moves in its next stretch.
        grain
            Times are rounded up to multiples of it. None: they stay.
        """


def grained(duration: Fraction, grain: Fraction | None) -> Fraction:
    """Round a time up to a multiple of the grain, if there is one."""
    return duration if grain is None else ceil(duration / grain) * grain


def files_per_unit(hops: Sequence[Operation], unit: Fraction) -> list[tuple[int, int]]:
    """Give the files that each operation moves per unit of time, as unreduced ratios."""
    return [
        (unit.numerator * t.denominator, unit.denominator * t.numerator)
        for t in (hop.file_time for hop in hops)
    ]


class WholeNumbers(dict[int, Fraction]):
    """Whole numbers as fractions, each made once: there may be a million of few sizes."""

    def __missing__(self, number: int) -> Fraction:
        self[number] = Fraction(number)
        return self[number]


class FluidCounts:
    """How much each operation moves in the stretches of time that an order gives it, in turn.

    Parameters
    ----------
    hops, files
        As for `Order.fluid`.
    unit
        Of the order's times.
    """

    def __init__(
        self, hops: Sequence[Operation], files: Sequence[Fraction], unit: Fraction
    ) -> None:
        self._files = files
        self._speeds = files_per_unit(hops, unit)
        self._spent = [0] * len(hops)
        self._needed = [
            -(-number.numerator * per // (number.denominator * speed))
            for number, (speed, per) in zip(files, self._speeds, strict=True)
        ]
        self._known: dict[tuple[int, int, int], Fraction] = {}

    def next_of(self, k: int, time: int) -> Fraction | None:
        """Give what operation `k` moves in the next `time`. None if it has moved all before."""
        before = self._spent[k]
        spent = self._spent[k] = before + time
        if before >= self._needed[k]:
            return None
        if spent < self._needed[k]:
            return self._moved(k, time)
        return self._files[k] - self._moved(k, before) if before else self._files[k]

    def _moved(self, k: int, time: int) -> Fraction:
        key = time, *self._speeds[k]
        if key not in self._known:
            self._known[key] = Fraction(time * self._speeds[k][0], self._speeds[k][1])
        return self._known[key]


class WholeCounts:
    """As `FluidCounts`, in whole files; parameters as for `Order.whole`."""

    def __init__(
        self, hops: Sequence[Operation], files: Sequence[int], unit: Fraction, factor: int
    ) -> None:
        self._most = [factor * number for number in files]
        self._speeds = files_per_unit(hops, factor * unit)
        self._spent = [0] * len(hops)
        self._moved = [0] * len(hops)

    def next_of(self, k: int, time: int) -> int:
        """Give how many files operation `k` moves in the next `time`."""
        self._spent[k] += time
        speed, unit = self._speeds[k]
        total = min(self._most[k], self._spent[k] * speed // unit)
        count = total - self._moved[k]
        self._moved[k] = total
        return count


class RoundedCounts:
    """As `FluidCounts`, every time rounded down; parameters as for `Order.rounded`."""

    def __init__(
        self, hops: Sequence[Operation], files: Sequence[int] | None, unit: Fraction
    ) -> None:
        self._speeds = files_per_unit(hops, unit)
        self._left = None if files is None else list(files)

    def next_of(self, k: int, time: int) -> int:
        """Give how many files operation `k` moves in the next `time`."""
        speed, unit = self._speeds[k]
        count = time * speed // unit
        if self._left is not None:
            count = min(count, self._left[k])
            self._left[k] -= count
        return count
