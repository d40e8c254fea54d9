"""The simplex method in exact arithmetic, from any basis."""

from collections.abc import Callable
from typing import Literal, NamedTuple

from flint import fmpq

from workers.exact.basis import Basis
from workers.exact.point import Point, Variables
from workers.exact.vectors import Number
from workers.solving.highs import Place
from workers.solving.program import LinearProgram

Status = Literal["optimal", "infeasible", "unbounded"]


class Verdict(NamedTuple):
    """How the pivots ended, and how many they were."""

    status: Status
    pivots: int


class Move(NamedTuple):
    """One pivot.

    Attributes
    ----------
    entering
        The nonbasic variable that moves.
    leaving
        The variable that then rests at a bound; the entering one itself where its own other
        bound stops it.
    rest
        Which bound.
    progress
        Whether the objective of the method changes.
    """

    entering: int
    leaving: int
    rest: Place
    progress: bool


def pivot_to_the_end(
    program: LinearProgram, basis: Basis, check: Callable[[], None] = lambda: None
) -> Verdict:
    """Pivot until the basis is optimal, or shows that there is no optimum.

    The dual simplex method where the basis is dual feasible, as one from a floating-point
    solver nearly always is; else the primal one. Each takes the most promising pivot, but after
    one without progress, and until one with it, the least index (Bland 1977), so that no basis
    comes twice.

    Parameters
    ----------
    program
        What is solved.
    basis
        Where to start; changed in place.
    check
        Called at each pivot; may raise to interrupt.

    Notes
    -----
    Each pivot factorises anew, which costs about as much as proving one basis: this is for the
    few pivots that a float's tolerance hides, not for solving.
    """
    variables = Variables(program)
    step: Callable[[Point, bool], Move | Status] | None = None
    pivots = 0
    careful = False
    while True:
        check()
        point = Point(variables, basis, check)
        if step is None:
            step = dual_step if _is_dual_feasible(point) else primal_step
        move = step(point, careful)
        if isinstance(move, str):
            return Verdict(move, pivots)
        if move.entering != move.leaving:
            _put(basis, move.entering, Place.BASIC)
        _put(basis, move.leaving, move.rest)
        careful = not move.progress
        pivots += 1


def _size(number: Number) -> Number:
    return -number if number < 0 else number


def _put(basis: Basis, variable: int, place: Place) -> None:
    if variable < len(basis.columns):
        basis.columns[variable] = place
    else:
        basis.rows[variable - len(basis.columns)] = place


def _is_dual_feasible(point: Point) -> bool:
    slopes = point.slopes(point.variables.program.costs)
    return not any(point.improves(variable, slope) for variable, slope in enumerate(slopes))


def dual_step(point: Point, careful: bool) -> Move | Status:
    """Bring a basic variable back to its bound, at the least loss of objective.

    Parameters
    ----------
    point
        Dual feasible.
    careful
        Take the least index instead of the variable that lacks most.
    """
    if not point.lacks:
        return "optimal"
    variables = point.variables
    bounds = {
        variable: variables.lower[variable] if way > 0 else variables.upper[variable]
        for variable, way in point.lacks.items()
    }
    leaving = next(iter(bounds))
    if not careful:
        leaving = max(
            bounds, key=lambda variable: _size(point.distance(variable, bounds[variable]))
        )
    way = point.lacks[leaving]
    slopes = point.slopes(variables.program.costs)
    entering = -1
    least: Number = fmpq(0)
    for variable, dependence in enumerate(point.dependence(leaving)):
        if point.improves(variable, dependence * way):
            ratio = _size(fmpq(slopes[variable]) / dependence)
            if entering < 0 or ratio < least:
                entering, least = variable, ratio
    if entering < 0:
        return "infeasible"
    return Move(entering, leaving, Place.LOWER if way > 0 else Place.UPPER, least > 0)


def primal_step(point: Point, careful: bool) -> Move | Status:
    """Move a nonbasic variable the better way, up to the first bound that is met.

    While basic variables are outside their bounds, better means less of what they lack in sum;
    such a variable stops the step only at the bound that it breaks.

    Parameters
    ----------
    point
        Any.
    careful
        Take the least index instead of the largest slope.
    """
    program = point.variables.program
    slopes = point.slopes(_costs_of_lacks(point) if point.lacks else program.costs)
    better = [k for k, slope in enumerate(slopes) if slope and point.improves(k, slope)]
    if not better:
        return "infeasible" if point.lacks else "optimal"
    entering = better[0] if careful else max(better, key=lambda k: _size(slopes[k]))
    move = _first_bound(point, entering, 1 if slopes[entering] > 0 else -1)
    return "unbounded" if move is None else move


def _costs_of_lacks(point: Point) -> list[int]:
    """Give the costs of the columns in the sum of what basic variables lack, negated."""
    program = point.variables.program
    count = program.num_columns
    costs = [point.lacks.get(column, 0) for column in range(count)]
    for variable, way in point.lacks.items():
        if variable >= count:
            row = variable - count
            for place in range(program.starts[row], program.starts[row + 1]):
                costs[program.indices[place]] += way * program.values[place]
    return costs


def _first_bound(point: Point, entering: int, direction: int) -> Move | None:
    variables = point.variables
    rates = point.rates(entering, direction)
    leaving, rest = entering, Place.UPPER if direction > 0 else Place.LOWER
    lower, upper = variables.lower[entering], variables.upper[entering]
    # Lengths are times the point's denominator, over that of the rates.
    length: fmpq | None = None
    if lower is not None and upper is not None:
        width = fmpq((upper - lower).numerator, (upper - lower).denominator)
        length = width * point.denominator / rates.denominator
    for variable in point.basic:
        rate = rates.numerators[variable]
        if not rate:
            continue
        lack = point.lacks.get(variable, 0)
        if lack * rate < 0:
            continue
        up = rate > 0
        bound = variables.upper[variable] if up != bool(lack) else variables.lower[variable]
        if bound is None:
            continue
        distance = point.distance(variable, bound) / rate
        if length is None or distance < length or (distance == length and variable < leaving):
            length, leaving = distance, variable
            rest = Place.UPPER if up != bool(lack) else Place.LOWER
    return None if length is None else Move(entering, leaving, rest, length > 0)
