r"""A second objective over the optimal solutions of a linear program, proved exactly.

Complementary slackness describes the optimal solutions of :math:`\max c x`, given optimal prices y:
a row with a price is at its bound, and so is a column with a reduced cost. There :math:`t x` is
minimised. No row says :math:`c x = \tau`: the optimum often has thousands of digits, and they
would enter every basis.

The second program has prices v of its own. For every large enough :math:`\lambda`, the prices
:math:`u = v + \lambda y` are right for the whole program: where v has a sign that is wrong there,
y is not zero. So all x of the whole program satisfy

.. math:: t x \ge \lambda c x - \sum_i \sup_{L_i \le s \le U_i} u_i s ,

with equality for the solution that was found, if its columns without upper bounds begin at 0.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace
from fractions import Fraction
from math import ceil, gcd, lcm
from typing import Any

from flint import fmpq, fmpz

from steadygrid.domain.errors import CertificationError
from steadygrid.engine.exact.certificate import reduced_costs
from steadygrid.engine.exact.certified import CertifiedSolution
from steadygrid.engine.exact.proving import Optimum, Prover
from steadygrid.engine.exact.statistics import Statistics
from steadygrid.engine.exact.vectors import (
    Number,
    Vector,
    on_common_denominator,
    to_flint,
    to_fraction,
)
from steadygrid.engine.solving.collection import uncollected
from steadygrid.engine.solving.control import Control
from steadygrid.engine.solving.program import Bound, LinearProgram
from steadygrid.engine.solving.reading import ReadModel, read_model
from steadygrid.engine.solving.terms import Term


class LeastSolution(CertifiedSolution):
    r"""An optimal solution of least second objective, which is its `objective`.

    Attributes
    ----------
    worth
        :math:`\lambda`, a whole number from 1.
    """

    def __init__(
        self, reading: ReadModel, proof: Optimum, statistics: Statistics, face: "OptimalFace"
    ) -> None:
        super().__init__(reading, proof, statistics)
        second, first = reading.program, face.reading.program
        of_second, of_first = -1 / Fraction(second.cost_factor), 1 / Fraction(first.cost_factor)
        multiple = _least_multiple(second, proof.prices, first, face.prices) * of_second / of_first
        self.worth = max(1, ceil(multiple))
        self._parts = (
            (proof.prices, to_flint(of_second)),
            (face.prices, to_flint(of_first * self.worth)),
        )

    def combined_prices_of(self, component: Any) -> dict[Any, Fraction]:
        """Give the prices u of an (indexed) constraint, zeros left out."""
        rows, factors = self.reading.rows, self.reading.program.row_factors
        prices = {}
        for index, constraint in component.items():
            row = rows[id(constraint)]
            price = sum((part[row] * factor for part, factor in self._parts), fmpq(0))
            if price:
                prices[index] = to_fraction(price * to_flint(factors[row]))
        return prices


class OptimalFace:
    """The optimal solutions of a linear program that maximises.

    Parameters
    ----------
    reading
        The program.
    prices
        That prove its optimum, by row.
    """

    def __init__(self, reading: ReadModel, prices: Vector) -> None:
        self.reading = reading
        self.prices = prices

    @classmethod
    def of_solution(cls, solved: CertifiedSolution) -> "OptimalFace":
        """Take all optimal solutions of the program of one.

        Raises
        ------
        CertificationError
            If it is not optimal.
        """
        if solved.prices is None:
            raise CertificationError(f"There are no optimal solutions: {solved.status}.")
        return cls(solved.reading, solved.prices)

    @classmethod
    def of_model(
        cls,
        model: Any,
        prices: Callable[[str, Any], Fraction],
        check: Callable[[], None] = lambda: None,
    ) -> "OptimalFace":
        """Read a model whose optimal prices are known.

        Parameters
        ----------
        model
            A ``ConcreteModel`` that maximises, see `solve_certified`.
        prices
            Gives the price of each constraint, by the name of its component and its index.
        check
            Called for each variable and each constraint; may raise.
        """
        reading = read_model(model, check)
        program = reading.program
        scale = to_flint(program.cost_factor)
        scaled = [
            to_flint(prices(one.parent_component().name, one.index())) * scale / to_flint(factor)
            for one, factor in zip(reading.constraints, program.row_factors, strict=True)
        ]
        return cls(reading, on_common_denominator(scaled, fmpz(1)))

    def least(self, terms: Iterable[Term], control: Control) -> LeastSolution:
        """Find the optimal solution for which a sum is least.

        Parameters
        ----------
        terms
            Coefficients with variables of the model; each variable once.
        control
            Deadline, cancellation and progress.

        Raises
        ------
        Cancelled, OutOfTime
            When cancelled or out of time.
        CertificationError
            If the prices prove no optimum, the sum has no least value, or no proof was found.
        SolverError
            If the solver refuses the program.
        """
        statistics = Statistics()
        with uncollected():
            program = self._program(terms)
            proof = Prover(control, statistics).prove(program)
            if not isinstance(proof, Optimum):
                raise CertificationError("There is no optimal solution of least second objective.")
            reading = replace(self.reading, program=program, offset=Fraction(0))
            return LeastSolution(reading, proof, statistics, self)

    def _program(self, terms: Iterable[Term]) -> LinearProgram:
        program, prices = self.reading.program, self.prices
        reduced = reduced_costs(program, program.costs, prices)
        rows = _at_their_bounds(program.row_lower, program.row_upper, prices.numerators)
        columns = _at_their_bounds(program.column_lower, program.column_upper, reduced)
        weights = [Fraction(0)] * program.num_columns
        for coefficient, variable in terms:
            column = self.reading.columns[id(variable)]
            weights[column] = Fraction(coefficient) * program.column_factors[column]
        unit = Fraction(
            lcm(*(weight.denominator for weight in weights)),
            gcd(*(weight.numerator for weight in weights)) or 1,
        )
        return replace(
            program,
            costs=[-int(weight * unit) for weight in weights],
            cost_factor=-unit,
            row_lower=rows[0],
            row_upper=rows[1],
            column_lower=columns[0],
            column_upper=columns[1],
        )


def _at_their_bounds(
    lower: Iterable[Bound], upper: Iterable[Bound], slopes: Iterable[Number]
) -> tuple[list[Bound], list[Bound]]:
    """Leave only the bound at which slope times value is largest, where there is a slope."""
    low, high = list(lower), list(upper)
    for place, slope in enumerate(slopes):
        if not slope:
            continue
        bound = high[place] if slope > 0 else low[place]
        if bound is None:
            raise CertificationError("The prices prove no optimum: there is no bound to be at.")
        low[place] = high[place] = bound
    return low, high


def _least_multiple(second: LinearProgram, v: Vector, first: LinearProgram, y: Vector) -> Fraction:
    """Give the multiple of y that turns all signs of v which are wrong in the first program."""
    pairs = [
        (v.numerators, y.numerators, first.row_lower, first.row_upper),
        (
            reduced_costs(second, second.costs, v),
            reduced_costs(first, first.costs, y),
            first.column_lower,
            first.column_upper,
        ),
    ]
    most = fmpq(0)
    for of_second, of_first, lower, upper in pairs:
        for a, b, low, high in zip(of_second, of_first, lower, upper, strict=True):
            if (a < 0 < b or b < 0 < a) and low != high:
                most = max(most, -fmpq(a) / fmpq(b))
    return to_fraction(most * y.denominator / v.denominator)
