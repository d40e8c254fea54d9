"""A small program in floats whose objective changes again and again, and which gets more rows."""

from collections.abc import Sequence

import highspy
import numpy as np

from steadygrid.domain.errors import SolverError
from steadygrid.engine.solving.scaling import Floats


class ReweighedProgram:
    r"""A HiGHS instance that stays warm.

    .. math:: \max \sum_j v_j x_j \quad\text{s.t.}\quad A x \le b,\; x \ge 0

    where A holds zeros and ones.

    Parameters
    ----------
    number
        Of variables.
    """

    def __init__(self, number: int) -> None:
        self._all = np.arange(number, dtype=np.int32)
        self._highs = highspy.Highs()
        for option, setting in (
            ("output_flag", False),
            ("threads", 1),
            ("solver", "simplex"),
            ("simplex_strategy", 4),
            ("presolve", "off"),
        ):
            if self._highs.setOptionValue(option, setting) != highspy.HighsStatus.kOk:
                raise SolverError(f"HiGHS refuses {option} = {setting}.")
        self._highs.changeObjectiveSense(highspy.ObjSense.kMaximize)
        self._highs.addVars(number, np.zeros(number), np.full(number, highspy.kHighsInf))

    def limit(self, variables: Sequence[int], most: float) -> None:
        """Let the sum of some variables be at most this.

        Parameters
        ----------
        variables
            Their positions in the program.
        most
            What their sum may be.
        """
        places = np.array(variables, np.int32)
        self._highs.addRow(-highspy.kHighsInf, most, len(places), places, np.ones(len(places)))

    def weigh(self, weights: Sequence[float] | Floats) -> None:
        """Set the objective."""
        self._highs.changeColsCost(len(self._all), self._all, np.array(weights, float))

    def solve(self) -> list[float]:
        """Find the optimum from the last basis.

        Raises
        ------
        SolverError
            If HiGHS ends without an optimum.
        """
        self._highs.run()
        if self._highs.getModelStatus() != highspy.HighsModelStatus.kOptimal:
            raise SolverError("HiGHS finds no optimum of a bounded program.")
        return [float(value) for value in self._highs.getSolution().col_value]
