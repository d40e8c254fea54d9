"""The exact standard form of a linear program: integer coefficients, rational bounds."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

Bound = Fraction | None
"""A rational bound. None if there is none."""


@dataclass(frozen=True, eq=False)
class LinearProgram:
    r"""A linear program with integer coefficients.

    .. math:: \max\; c x \quad\text{s.t.}\quad L \le A x \le U,\; l \le x \le u

    with :math:`A` and :math:`c` integer. A program with fractions :math:`\bar A, \bar c` takes this
    form by exact positive factors. Row i is multiplied by :math:`\rho_i`, column j by
    :math:`\kappa_j`, the objective by :math:`\gamma` (negative where the program minimises), so
    that

    .. math::
        \bar x_j = \kappa_j x_j, \qquad \bar y_i = \rho_i y_i / \gamma, \qquad
        \bar c \bar x = c x / \gamma .

    Attributes
    ----------
    starts, indices, values
        The matrix by rows: row i has the columns ``indices[starts[i]:starts[i + 1]]``, with the
        nonzero coefficients ``values`` at the same places; no column appears twice in a row.
    costs
        The objective by column.
    row_lower, row_upper, column_lower, column_upper
        Bounds; None where there is none.
    row_factors, column_factors, cost_factor
        :math:`\rho`, :math:`\kappa` and :math:`\gamma`.
    """

    starts: Sequence[int]
    indices: Sequence[int]
    values: Sequence[int]
    costs: Sequence[int]
    row_lower: Sequence[Bound]
    row_upper: Sequence[Bound]
    column_lower: Sequence[Bound]
    column_upper: Sequence[Bound]
    row_factors: Sequence[Fraction | int]
    column_factors: Sequence[Fraction | int]
    cost_factor: Fraction | int

    @property
    def num_rows(self) -> int:
        """Number of rows."""
        return len(self.row_lower)

    @property
    def num_columns(self) -> int:
        """Number of columns."""
        return len(self.column_lower)
