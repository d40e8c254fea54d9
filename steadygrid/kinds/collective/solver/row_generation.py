"""A linear program that gets rows, solved in floats as long as these hold its numbers."""

from contextlib import suppress
from typing import Any

from steadygrid.domain.errors import SolverError
from steadygrid.engine.solving.control import Control
from steadygrid.engine.solving.relaxation import Relaxation
from steadygrid.engine.solving.terms import Terms


class Growing:
    """A program in which nothing moves is a solution, and something does in the optimum.

    Attributes
    ----------
    relaxation
        None where numbers that floats cannot hold side by side have to be solved exactly.
    """

    def __init__(self, model: Any, control: Control) -> None:
        self.relaxation: Relaxation | None = None
        with suppress(SolverError):
            self.relaxation = Relaxation(model, control)

    def close(self) -> None:
        """Let go of the solver."""
        if self.relaxation is not None:
            self.relaxation.close()
            self.relaxation = None

    def add(self, row: Any, terms: Terms) -> None:
        """Hold a row that the model has got since, ``terms <= 0``.

        Parameters
        ----------
        row
            Constraint of the model.
        terms
            Its left side.
        """
        if self.relaxation is not None:
            try:
                self.relaxation.add(row, terms)
            except SolverError:
                self.close()

    def solved(self) -> Relaxation | None:
        """Give what holds a solution in floats. If there is none, none is sought there any more."""
        if self.relaxation is not None:
            with suppress(SolverError):
                # Nothing moves is a solution: a program that seems infeasible is not understood.
                if self.relaxation.solve() and self.relaxation.value > 0:
                    return self.relaxation
            self.close()
        return None
