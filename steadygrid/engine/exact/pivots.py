"""The simplex method in exact arithmetic, from any basis."""

from collections.abc import Callable
from typing import Literal, NamedTuple

from flint import fmpq

from steadygrid.domain.errors import OutOfTime
from steadygrid.engine.exact.basis import BasicSystem, Basis, settle
from steadygrid.engine.exact.dual_simplex import make_feasible
from steadygrid.engine.exact.pricing import Caution
from steadygrid.engine.exact.primal_simplex import improve
from steadygrid.engine.exact.updates import Singular
from steadygrid.engine.exact.variables import Variables
from steadygrid.engine.exact.vectors import Vector
from steadygrid.engine.exact.vertex import Vertex
from steadygrid.engine.solving.program import LinearProgram

Status = Literal["optimal", "infeasible", "unbounded"]


class Verdict(NamedTuple):
    """How the pivots ended, and how many they were."""

    status: Status
    pivots: int


def pivot_to_the_end(
    program: LinearProgram,
    basis: Basis,
    check: Callable[[], None] = lambda: None,
    keep: Callable[[Vector, Vector], None] = lambda *_: None,
    count: Callable[[int], None] = lambda _: None,
) -> Verdict:
    """Pivot until the basis is optimal, or shows that there is no optimum.

    Where values are outside their bounds, wrong slopes are hidden by other costs, and the dual
    method brings the values back; then, with the true costs, the primal method puts right what
    slopes are wrong. The dual pivots come first since they are cheaper: fewer entries, shorter
    numbers.

    Parameters
    ----------
    program
        What is solved.
    basis
        Where to start; repaired where it is none, and changed in place, also when interrupted.
    check
        Called at each pivot; may raise to interrupt.
    keep
        Called with a feasible solution and its prices where the time is over after there is one.
    count
        Called with the number of pivots in the end, also when interrupted.
    """
    vertex = _vertex(program, basis, check)
    try:
        status = _run(vertex, check, keep)
    finally:
        reached = vertex.basis()
        basis.columns, basis.rows = reached.columns, reached.rows
        count(vertex.pivots)
    return Verdict(status, vertex.pivots)


def _vertex(program: LinearProgram, basis: Basis, check: Callable[[], None]) -> Vertex:
    settle(program, basis)
    variables = Variables(program)
    try:
        return Vertex(variables, basis, check)
    except Singular:
        BasicSystem(program, basis, check)  # mends the basis
        return Vertex(variables, basis, check)


def _run(
    vertex: Vertex, check: Callable[[], None], keep: Callable[[Vector, Vector], None]
) -> Status:
    costs, rows = vertex.variables.costs, vertex.variables.num_rows
    if any(map(vertex.excess, range(rows))):
        vertex.price(_shifted(vertex))
        if make_feasible(vertex, Caution(rows), check) == "infeasible":
            return "infeasible"
        vertex.price(costs)
    try:
        return improve(vertex, Caution(rows), check)
    except OutOfTime:
        keep(vertex.solution(), vertex.prices())
        raise


def _shifted(vertex: Vertex) -> list[fmpq]:
    """Give costs at which no slope is wrong."""
    return [
        cost - vertex.slopes[variable] if vertex.improves(variable) else cost
        for variable, cost in enumerate(vertex.variables.costs)
    ]
