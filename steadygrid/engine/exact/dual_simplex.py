"""From slopes that are all right to values that are."""

from collections.abc import Callable, Iterable, Iterator
from typing import Literal

from flint import fmpq

from steadygrid.engine.exact.pricing import Caution, Stop, Weights, first_stop
from steadygrid.engine.exact.variables import Sparse, size_of
from steadygrid.engine.exact.vertex import Vertex
from steadygrid.engine.solving.highs import Place


def make_feasible(
    vertex: Vertex, caution: Caution, check: Callable[[], None] = lambda: None
) -> Literal["feasible", "infeasible"]:
    """Bring one basic variable after the other back within its bounds.

    Parameters
    ----------
    vertex
        No slope may be wrong; changed in place, and none will be.
    caution
        What keeps the pivots from going round in circles.
    check
        Called at each pivot; may raise to interrupt.

    Returns
    -------
    ``infeasible``
        If some basic variable cannot come back, for all values of the nonbasic ones: costs play no
        part in this.
    """
    return _DualSimplex(vertex, caution).run(check)


class _DualSimplex:
    """Dual simplex pivots.

    Attributes
    ----------
    wrong
        How far basic variables are above their bounds, or (negative) below, by position.
    weights
        By position.
    """

    def __init__(self, vertex: Vertex, caution: Caution) -> None:
        self.vertex = vertex
        self.caution = caution
        self.units = vertex.variables.units
        self.weights = Weights()
        self.wrong: dict[int, fmpq] = {}
        self._look_at(range(len(vertex.head)))

    def run(self, check: Callable[[], None]) -> Literal["feasible", "infeasible"]:
        while self.wrong:
            check()
            position = self._leaving()
            multipliers = self.vertex.multipliers(position)
            row = self.vertex.row(multipliers, level=True)
            found = first_stop(self._stops(position, row), bool(self.caution))
            if found is None:
                row = self.vertex.row(multipliers)
                found = first_stop(self._stops(position, row), bool(self.caution))
            if found is None:
                return "infeasible"
            stop, ratio = found
            self.caution.note(ratio)
            self._pivot(stop.variable, position, row)
        return "feasible"

    def _leaving(self) -> int:
        head, units, wrong, weights = self.vertex.head, self.units, self.wrong, self.weights
        if self.caution:
            return min(wrong, key=head.__getitem__)
        return max(
            wrong,
            key=lambda k: (2 * (size_of(wrong[k]) - units[head[k]]) - weights[k], -head[k]),
        )

    def _stops(self, position: int, row: Sparse) -> Iterator[Stop]:
        """Give the nonbasic variables that can bring a value back, and when their slopes are 0."""
        vertex, units = self.vertex, self.units
        above = self.wrong[position] > 0
        for variable, rate in row.items():
            positive = rate > 0
            if vertex.can_move(variable, positive == above):
                slope = vertex.slopes[variable]
                size = size_of(rate) + units[variable]
                yield Stop(
                    -slope if slope < 0 else slope,
                    rate if positive else -rate,
                    size,
                    variable,
                    variable,
                )

    def _pivot(self, entering: int, position: int, row: Sparse) -> None:
        vertex, units, wrong = self.vertex, self.units, self.wrong[position]
        column = vertex.column(entering)
        sizes = {
            place: size_of(rate) - units[vertex.head[place]] for place, rate in column.whole.items()
        }
        self.weights.spread(sizes, position)
        self.weights.renew(
            position, self.weights[position] - 2 * (sizes[position] + units[entering])
        )
        rest = Place.UPPER if wrong > 0 else Place.LOWER
        length = wrong / column.whole[position]
        vertex.exchange(entering, position, rest, length, column, row)
        self._look_at(column.whole)

    def _look_at(self, positions: Iterable[int]) -> None:
        for position in positions:
            excess = self.vertex.excess(position)
            if excess:
                self.wrong[position] = excess
            else:
                self.wrong.pop(position, None)
