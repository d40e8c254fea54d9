"""What instances take of every resource, exactly."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import lcm

import numpy as np
from numpy.typing import NDArray

from steadygrid.engine.scheduling.workload import Rows


class Loads:
    """The loads of counts of instances, in integers.

    Parameters
    ----------
    rows
        Time per instance, by resource and plan.
    steps
        Each plan runs a multiple of its step per period (1, unless files are split and must
        stay whole).
    """

    def __init__(self, rows: Rows, steps: Sequence[int]) -> None:
        self.steps = steps
        self._units: list[int] = []
        self._rows: list[list[tuple[int, int]]] = []
        self._columns: list[list[tuple[int, int]]] = [[] for _ in steps]
        """For each plan, the rows it uses with the time of one step, in the row's unit."""
        for row in rows.values():
            unit = lcm(*(time.denominator for time in row.values()))
            entries = [
                (plan, time.numerator * (unit // time.denominator) * steps[plan])
                for plan, time in row.items()
            ]
            for plan, time in entries:
                self._columns[plan].append((len(self._rows), time))
            self._units.append(unit)
            self._rows.append(entries)

    @property
    def num_rows(self) -> int:
        """Number of resources in use."""
        return len(self._rows)

    def _scaled(self, steps: Sequence[int]) -> list[int]:
        return [sum([time * steps[plan] for plan, time in row]) for row in self._rows]

    def largest(self, steps: Sequence[int]) -> Fraction:
        """Give the shortest period that holds these multiples of the steps."""
        load, unit = 0, 1
        for other, its_unit in zip(self._scaled(steps), self._units, strict=True):
            if other * unit > load * its_unit:
                load, unit = other, its_unit
        return Fraction(load, unit)

    def single(self, plan: int) -> Fraction:
        """Give the shortest period that holds one step of a plan."""
        return max(
            (Fraction(time, self._units[row]) for row, time in self._columns[plan]),
            default=Fraction(0),
        )

    def matrix(self, period: Fraction) -> NDArray[np.float64]:
        """Tabulate loads per step as parts of a period: resources by plans."""
        table = np.zeros((len(self._rows), len(self.steps)))
        for k, (row, unit) in enumerate(zip(self._rows, self._units, strict=True)):
            for plan, time in row:
                table[k, plan] = ratio(time * period.denominator, unit * period.numerator)
        return table

    def fill(self, steps: list[int], period: Fraction, order: Iterable[int], passes: int) -> None:
        """Add a step of each plan in turn, as long as the period holds it, several times over.

        O(non-zeros) operations on integers for each pass.

        Parameters
        ----------
        steps
            Steps of each plan per period; changed in place.
        period
            In time units.
        order
            The plans that may get more, in turn.
        passes
            How many times each may get a step.
        """
        left = [
            period.numerator * unit // period.denominator - load
            for unit, load in zip(self._units, self._scaled(steps), strict=True)
        ]
        waiting = [plan for plan in order if self._columns[plan]]
        for _ in range(passes):
            fitting = []
            for plan in waiting:
                column = self._columns[plan]
                for row, time in column:
                    if time > left[row]:
                        break
                else:
                    for row, time in column:
                        left[row] -= time
                    steps[plan] += 1
                    fitting.append(plan)
            waiting = fitting


def ratio(numerator: int, denominator: int) -> float:
    """Divide long integers; infinity where a double cannot hold the quotient.

    Parameters
    ----------
    numerator
        Any integer.
    denominator
        Not 0.
    """
    try:
        return numerator / denominator
    except OverflowError:
        return float("inf")
