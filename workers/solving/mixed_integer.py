"""Mixed-integer programs: solved in floating point, never a proof."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import highspy

from app.domain.errors import SolverError
from workers.solving.control import Control, Interrupted
from workers.solving.doubles import double_program
from workers.solving.reading import read_model

DOUBLETON_EQUATIONS = 512
"""A rule of HiGHS's presolve that, in 1.15.1, runs for ever on some small assignment programs (of
30 variables) and heeds no time limit; all other rules stay on."""


class NoSolution(SolverError):
    """The search ended without any solution: there seems to be none."""


@dataclass(frozen=True, eq=False)
class MixedIntegerSolution:
    """The best solution that the search found, and its bound."""

    objective: float
    bound: float
    _values: Mapping[int, float]

    def values_of(self, component: Any) -> dict[Any, float]:
        """Give the values of an indexed variable, zero ones left out."""
        return {
            index: value
            for index, variable in component.items()
            if (value := self._values[id(variable)])
        }


def solve_mixed_integer(
    model: Any, control: Control, relative_gap: float = 0.0
) -> MixedIntegerSolution:
    """Solve a Pyomo model whose variables may be integer by branch and bound.

    Parameters
    ----------
    model
        Feasible and bounded; integer variables are given by their Pyomo domain.
    control
        Ends the search when it is cancelled or its time is over.
    relative_gap
        Stop when bound and solution are this near; 0 means the solver's own tolerance.

    Returns
    -------
    MixedIntegerSolution
        In the solver's double precision; whoever needs more rounds the integers and computes
        the rest exactly.

    Raises
    ------
    Interrupted
        If cancelled, or out of time.
    NoSolution
        If the search claims that the model is infeasible.
    SolverError
        If the search ended without an optimum for another reason.
    """
    read = read_model(model)
    highs = highspy.Highs()
    for option, value in {
        "output_flag": False,
        "threads": 1,
        "random_seed": 1,
        "mip_rel_gap": relative_gap,
        "mip_abs_gap": 0.0,
        "presolve_rule_off": DOUBLETON_EQUATIONS,
        "time_limit": min(control.remaining, 1e9),
    }.items():
        highs.setOptionValue(option, value)
    highs.HandleUserInterrupt = True
    if highs.passModel(double_program(read)) != highspy.HighsStatus.kOk:
        raise SolverError("it warned of the integer program's numbers")
    with control.attached(highs):
        highs.run()
    control.check()
    status = highs.getModelStatus()
    if status == highspy.HighsModelStatus.kTimeLimit:
        raise Interrupted("time_limit")
    if status == highspy.HighsModelStatus.kInfeasible:
        raise NoSolution("the integer program ended as 'Infeasible'")
    if status != highspy.HighsModelStatus.kOptimal:
        raise SolverError(f"the integer program ended as {highs.modelStatusToString(status)!r}")
    info = highs.getInfo()
    values = highs.getSolution().col_value
    return MixedIntegerSolution(
        float(info.objective_function_value),
        float(info.mip_dual_bound),
        {id(variable): values[column] for column, variable in enumerate(read.variables)},
    )
