"""From values that are all right to slopes that are."""

from collections.abc import Callable, Iterable, Iterator
from typing import Literal

from flint import fmpq

from steadygrid.engine.exact.pricing import Caution, Stop, Weights, first_stop
from steadygrid.engine.exact.updates import Solved
from steadygrid.engine.exact.variables import Sparse, size_of
from steadygrid.engine.exact.vertex import Vertex
from steadygrid.engine.solving.highs import Place


def improve(
    vertex: Vertex, caution: Caution, check: Callable[[], None] = lambda: None
) -> Literal["optimal", "unbounded"]:
    """Move one nonbasic variable after the other in the direction in which the objective gains.

    Parameters
    ----------
    vertex
        No value may be outside its bounds; changed in place, and none will be.
    caution
        What keeps the pivots from going round in circles.
    check
        Called at each pivot; may raise to interrupt.
    """
    return _PrimalSimplex(vertex, caution).run(check)


class _PrimalSimplex:
    """Primal simplex pivots.

    Attributes
    ----------
    wrong
        The nonbasic variables by which the objective gains.
    weights
        By variable.
    """

    def __init__(self, vertex: Vertex, caution: Caution) -> None:
        self.vertex = vertex
        self.caution = caution
        self.units = vertex.variables.units
        self.weights = Weights()
        self.wrong: set[int] = set()
        self._look_at(range(len(vertex.places)))

    def run(self, check: Callable[[], None]) -> Literal["optimal", "unbounded"]:
        while self.wrong:
            check()
            entering = self._entering()
            up = self.vertex.slopes[entering] > 0
            column = self.vertex.column(entering)
            found = first_stop(self._stops(up, column.whole), bool(self.caution))
            width = self._width(entering)
            if width is not None and (found is None or width < found[1]):
                self.caution.note(width)
                rest = Place.UPPER if up else Place.LOWER
                self.vertex.slide(entering, width if up else -width, column.whole, rest)
                self.wrong.discard(entering)
            elif found is None:
                return "unbounded"
            else:
                stop, ratio = found
                self.caution.note(ratio)
                self._pivot(entering, stop.key, ratio if up else -ratio, column)
        return "optimal"

    def _entering(self) -> int:
        slopes, units, weights = self.vertex.slopes, self.units, self.weights
        if self.caution:
            return min(self.wrong)
        return max(
            self.wrong,
            key=lambda j: (2 * (size_of(slopes[j]) + units[j]) - weights[j], -j),
        )

    def _stops(self, up: bool, column: Sparse) -> Iterator[Stop]:
        """Give the basic variables that the move drives to a bound."""
        vertex, units = self.vertex, self.units
        lower, upper = vertex.variables.lower, vertex.variables.upper
        for position, rate in column.items():
            variable = vertex.head[position]
            positive = rate > 0
            bound = lower[variable] if positive == up else upper[variable]
            if bound is not None:
                distance = vertex.values[position] - bound
                yield Stop(
                    -distance if distance < 0 else distance,
                    rate if positive else -rate,
                    size_of(rate) - units[variable],
                    variable,
                    position,
                )

    def _pivot(self, entering: int, position: int, length: fmpq, column: Solved) -> None:
        vertex, units = self.vertex, self.units
        leaving = vertex.head[position]
        row = vertex.row(vertex.multipliers(position))
        sizes = {variable: size_of(rate) + units[variable] for variable, rate in row.items()}
        self.weights.spread(sizes, entering)
        self.weights.renew(leaving, self.weights[entering] - 2 * (sizes[entering] - units[leaving]))
        falls = (column.whole[position] > 0) == (self.vertex.slopes[entering] > 0)
        rest = Place.LOWER if falls else Place.UPPER
        vertex.exchange(entering, position, rest, length, column, row)
        self._look_at([leaving, *row])

    def _look_at(self, variables: Iterable[int]) -> None:
        for variable in variables:
            if self.vertex.improves(variable):
                self.wrong.add(variable)
            else:
                self.wrong.discard(variable)

    def _width(self, variable: int) -> fmpq | None:
        lower = self.vertex.variables.lower[variable]
        upper = self.vertex.variables.upper[variable]
        return None if lower is None or upper is None else upper - lower
