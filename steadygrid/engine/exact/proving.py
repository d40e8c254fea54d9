"""From a solver's proposal to a proof.

Where a program has no optimum, the optimum of an auxiliary one shows it, see `elastic` and
`recession`: these have one for every input, so that one kind of proof serves for every answer.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import inf
from typing import NamedTuple

from flint import fmpq, fmpz

from steadygrid.domain.errors import CertificationError
from steadygrid.domain.job import Phase
from steadygrid.engine.exact.basis import BasicSystem, Basis
from steadygrid.engine.exact.certificate import (
    activities,
    check_infeasible,
    check_optimal,
    check_unbounded,
    objective,
    reduced_costs,
)
from steadygrid.engine.exact.pivots import pivot_to_the_end
from steadygrid.engine.exact.statistics import Statistics
from steadygrid.engine.exact.vectors import Number, Vector
from steadygrid.engine.solving.control import Control
from steadygrid.engine.solving.highs import TOLERANCE, Ending, FloatPoint, run_highs
from steadygrid.engine.solving.program import Bound, LinearProgram
from steadygrid.engine.solving.refinement import Errors, Ratio, refine

TIGHTEST = 1e-10
"""The least tolerance that HiGHS knows."""
MOST_REFINEMENTS = 2
"""Each makes what was too small to be seen before about as large as the tolerance is small. Where
two leave something wrong, it is mostly a cascade of pivots without progress, of which floats see
no direction: more of them wander."""
LEAST_PATIENCE = 10.0
"""Seconds for the proof, however fast the solver was."""
ZERO = Fraction(0)


class Optimum(NamedTuple):
    """A solution and prices that prove each other optimal."""

    solution: Vector
    prices: Vector


class Infeasibility(NamedTuple):
    """A Farkas ray."""

    ray: Vector


class Unboundedness(NamedTuple):
    """A feasible solution and a direction in which the objective grows for ever."""

    solution: Vector
    ray: Vector


Proof = Optimum | Infeasibility | Unboundedness


@dataclass(eq=False)
class Prover:
    """Proves what the answer of a linear program is.

    Attributes
    ----------
    patience
        How many times as long as the solver took the proof of its answer may take, where that is
        not its first basis.
    points
        Where the solver stood first, by program; unproved.
    nearest
        Of a program the last basis that was looked at exactly, or where exact pivots were
        stopped after they had come to a feasible one; unproved.
    """

    control: Control
    statistics: Statistics
    patience: float = inf
    points: dict[LinearProgram, FloatPoint] = field(default_factory=dict)
    nearest: dict[LinearProgram, Optimum] = field(default_factory=dict)

    def prove(self, program: LinearProgram) -> Proof:
        """Find out whether a program has an optimum, and prove it.

        Raises
        ------
        CertificationError
            If the exact methods contradict each other.
        Cancelled, OutOfTime
            When cancelled or out of time.
        """
        return self.optimum(program) or self._absence(program)

    def optimum(self, program: LinearProgram) -> Optimum | None:
        """Give a proved optimum. None where there seems to be none.

        First the solver's basis; then, where that does not prove itself, refinements of it; then
        exact pivots from there. Where the solver has no basis, or cannot refine it, it first
        tries the tightest tolerances without presolve.
        """
        basis = Basis.of_slacks(program)
        for tolerance, presolve in ((TOLERANCE, True), (TIGHTEST, False)):
            self.control.phase(Phase.SOLVING)
            with self.statistics.timed("solve"):
                answer = run_highs(program, self.control, tolerance=tolerance, presolve=presolve)
            self.statistics.iterations += answer.iterations
            self.statistics.method = answer.method
            if answer.columns is not None and answer.rows is not None:
                basis = Basis(answer.columns, answer.rows)
            if answer.ending in (Ending.INFEASIBLE, Ending.UNBOUNDED):
                return None
            self.points.setdefault(program, answer.point)
            if answer.ending == Ending.OPTIMAL:
                self.control.phase(Phase.CERTIFYING)
                seconds = self.patience * self.statistics.seconds["solve"]
                self.control = self.control.limited(max(LEAST_PATIENCE, seconds))
                optimum, refined = self._refined(program, basis)
                if optimum is not None:
                    return optimum
                if refined:
                    break
        return self._pivoted(program, basis)

    def _refined(self, program: LinearProgram, basis: Basis) -> tuple[Optimum | None, bool]:
        """Let the solver look at the exact errors of a basis, magnified, a few times.

        Returns
        -------
        The optimum, if a basis proved itself, and whether the solver always had an answer. The
        basis is changed in place.
        """
        corrections = 0
        while True:
            with self.statistics.timed("factorise"):
                system = BasicSystem(program, basis, self.control.check)
            with self.statistics.timed("substitute"):
                solution, prices = system.primal(), system.prices(program.costs)
                self.control.check()
            with self.statistics.timed("check"):
                try:
                    check_optimal(program, solution, prices)
                    return Optimum(solution, prices), True
                except CertificationError:
                    self.nearest[program] = Optimum(solution, prices)
                    if corrections == MOST_REFINEMENTS:
                        return None, True
                    errors = errors_of(program, solution, prices)
            with self.statistics.timed("refine"):
                answer = refine(program, self.control, basis.columns, basis.rows, errors)
            corrections += 1
            self.statistics.repaired = True
            self.statistics.refinements += 1
            self.statistics.iterations += answer.iterations
            if answer.columns is None or answer.rows is None:
                return None, False
            if (answer.columns, answer.rows) == (basis.columns, basis.rows):
                return None, True
            basis.columns, basis.rows = answer.columns, answer.rows

    def _certified(self, program: LinearProgram, basis: Basis) -> Optimum:
        with self.statistics.timed("factorise"):
            system = BasicSystem(program, basis, self.control.check)
        with self.statistics.timed("substitute"):
            solution = system.primal()
            self.control.check()
            prices = system.prices(program.costs)
            self.control.check()
        with self.statistics.timed("check"):
            check_optimal(program, solution, prices)
        return Optimum(solution, prices)

    def _pivoted(self, program: LinearProgram, basis: Basis) -> Optimum | None:
        def keep(solution: Vector, prices: Vector) -> None:
            self.nearest[program] = Optimum(solution, prices)

        def count(pivots: int) -> None:
            self.statistics.pivots += pivots

        self.control.phase(Phase.CERTIFYING)
        self.statistics.repaired = True
        with self.statistics.timed("pivot"):
            verdict = pivot_to_the_end(program, basis, self.control.check, keep, count)
        return self._certified(program, basis) if verdict.status == "optimal" else None

    def _absence(self, program: LinearProgram) -> Proof:
        """Prove that a program has no optimum; give it where it has one after all."""
        count = program.num_columns
        relaxed = self._auxiliary(elastic(program))
        if any(relaxed.solution.numerators[count:]):
            check_infeasible(program, relaxed.prices)
            return Infeasibility(relaxed.prices)
        feasible = replace(relaxed.solution, numerators=relaxed.solution.numerators[:count])
        direction = self._auxiliary(recession(program)).solution
        if objective(program.costs, direction.numerators):
            check_unbounded(program, feasible, direction)
            return Unboundedness(feasible, direction)
        optimum = self._pivoted(program, Basis.of_slacks(program))
        if optimum is None:
            raise CertificationError("It is neither optimal nor infeasible nor unbounded.")
        return optimum

    def _auxiliary(self, program: LinearProgram) -> Optimum:
        optimum = self.optimum(program)
        if optimum is None:
            optimum = self._pivoted(program, Basis.of_slacks(program))
        if optimum is None:
            raise CertificationError("A program that has an optimum seems to have none.")
        return optimum


def elastic(program: LinearProgram) -> LinearProgram:
    r"""Let the rows be violated, at a cost.

    .. math:: \max\; -\sum_i (p_i + q_i) \quad\text{s.t.}\quad
              L \le A x + p - q \le U,\; l \le x \le u,\; p, q \ge 0,

    p only where there is a lower bound, q where there is an upper one. Feasible (as long as
    :math:`l \le u`, which `LinearProgram` grants) and bounded by 0. The optimum is 0 exactly
    where the program is feasible, and x then shows it; else its prices are a Farkas ray.
    """
    starts, indices, values = [0], list[int](), list[int]()
    extra = program.num_columns
    for row in range(program.num_rows):
        places = slice(program.starts[row], program.starts[row + 1])
        indices.extend(program.indices[places])
        values.extend(program.values[places])
        for bound, sign in ((program.row_lower[row], 1), (program.row_upper[row], -1)):
            if bound is not None:
                indices.append(extra)
                values.append(sign)
                extra += 1
        starts.append(len(indices))
    added = extra - program.num_columns
    return replace(
        program,
        starts=starts,
        indices=indices,
        values=values,
        costs=[0] * program.num_columns + [-1] * added,
        column_lower=[*program.column_lower, *[ZERO] * added],
        column_upper=[*program.column_upper, *[None] * added],
        column_factors=[*program.column_factors, *[1] * added],
        cost_factor=1,
    )


def recession(program: LinearProgram) -> LinearProgram:
    r"""Ask for the best direction that no bound ever stops, within the unit box.

    .. math:: \max\; c r \quad\text{s.t.}\quad (A r)_i \ge 0 \text{ where } L_i \text{ is finite},
              \; (A r)_i \le 0 \text{ where } U_i \text{ is}, \text{ and so for columns},
              \; -1 \le r \le 1 .

    Feasible (r = 0) and bounded. The optimum is positive exactly where the program, if it is
    feasible, is unbounded.
    """
    return replace(
        program,
        row_lower=[_stop(bound) for bound in program.row_lower],
        row_upper=[_stop(bound) for bound in program.row_upper],
        column_lower=[Fraction(-1) if b is None else ZERO for b in program.column_lower],
        column_upper=[Fraction(1) if b is None else ZERO for b in program.column_upper],
    )


def _stop(bound: Bound) -> Bound:
    return None if bound is None else ZERO


def errors_of(program: LinearProgram, solution: Vector, prices: Vector) -> Errors:
    """Say how far the solution of a basis is from all bounds, and what would improve it.

    Linear in the coefficients.

    Parameters
    ----------
    program
        With integer coefficients.
    solution
        By column, of the basis.
    prices
        By row, of the basis.
    """
    columns = solution.numerators
    rows = activities(program, columns)
    slopes = reduced_costs(program, program.costs, prices)
    size, price = solution.denominator, prices.denominator
    return Errors(
        slopes=[_ratio(slope, price) if slope else None for slope in slopes],
        row_slopes=[_ratio(number, price) if number else None for number in prices.numerators],
        below=_distances(program.column_lower, columns, size),
        above=_distances(program.column_upper, columns, size),
        row_below=_distances(program.row_lower, rows, size),
        row_above=_distances(program.row_upper, rows, size),
    )


def _distances(
    bounds: Sequence[Bound], numbers: Sequence[Number], denominator: fmpz
) -> list[Ratio]:
    distances: list[Ratio] = []
    for bound, number in zip(bounds, numbers, strict=True):
        if bound is None:
            distances.append(None)
        else:
            less = fmpq(bound.numerator, bound.denominator) * denominator - number
            distances.append(_ratio(less, denominator))
    return distances


def _ratio(number: Number, denominator: fmpz) -> tuple[int, int]:
    if isinstance(number, fmpz):
        return int(number), int(denominator)
    return int(number.p), int(number.q) * int(denominator)
