"""Mixed-integer programs: solved in floating point, never a proof."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Any

import highspy
import numpy as np

from app.domain.errors import SolverError
from workers.solving.control import Control, Interrupted
from workers.solving.doubles import double_program
from workers.solving.reading import ReadModel, read_model

DOUBLETON_EQUATIONS = 512
"""A rule of HiGHS's presolve that, in 1.15.1, runs for ever on some small assignment programs (of
30 variables) and heeds no time limit; all other rules stay on."""
SECONDS_BETWEEN_REPORTS = 0.5
"""Of progress, while HiGHS runs."""
LONGEST = 1e9
"""Seconds that stand for no limit."""
_STOPPED = (
    highspy.HighsModelStatus.kTimeLimit,
    highspy.HighsModelStatus.kInterrupt,
    highspy.HighsModelStatus.kSolutionLimit,
    highspy.HighsModelStatus.kObjectiveTarget,
)


class NoSolution(SolverError):
    """The search ended without any solution: there seems to be none."""


@dataclass(frozen=True, eq=False)
class MixedIntegerSolution:
    """A solution, and the bound when it was found."""

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


@dataclass(frozen=True, eq=False)
class SearchTree:
    """How far a search came.

    Attributes
    ----------
    best
        The best solution found; None if there is none yet.
    bound
        What no solution can beat; infinite if nothing is known.
    proved
        Whether the two are as near as was asked.
    nodes
        Of the tree.
    """

    best: MixedIntegerSolution | None
    bound: float
    proved: bool
    nodes: int


Incumbent = Callable[[MixedIntegerSolution], None]
"""Called with every better solution, from within the search; must be quick."""
Advance = Callable[[float, int], None]
"""Called now and then with bound and number of nodes, from within the search."""


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
    tree = search_mixed_integer(model, control, relative_gap=relative_gap)
    if not tree.proved or tree.best is None:
        raise Interrupted("time_limit")
    return tree.best


def search_mixed_integer(
    model: Any,
    control: Control,
    *,
    relative_gap: float = 0.0,
    warm: bool = False,
    incumbent: Incumbent | None = None,
    advance: Advance | None = None,
    options: Mapping[str, Any] | None = None,
) -> SearchTree:
    """Search by branch and bound, and give the best so far when time is over.

    Parameters
    ----------
    model, relative_gap
        As in `solve_mixed_integer`.
    control
        Ends the search when it is cancelled or its time is over.
    warm
        Whether the values that the model's variables hold are a solution to start from. Where
        some have none, HiGHS looks for a completion first.
    incumbent, advance
        Told what happens. Their exceptions end the search, and are raised.
    options
        More options of HiGHS.

    Raises
    ------
    Interrupted
        If cancelled, or if no time is left at the beginning.
    NoSolution
        If the search claims, also without presolve, that the model is infeasible.
    SolverError
        If HiGHS does not take the model's numbers as they are, or fails.
    """
    control.check()
    read = read_model(model)
    search = _Search(read, control, incumbent, advance)
    try:
        search.set(mip_rel_gap=relative_gap, mip_abs_gap=0.0, **(options or {}))
        if warm:
            search.start()
        status = search.run()
        if warm and search.idle(status):
            search.forget()
            status = search.run()
        if status == highspy.HighsModelStatus.kInfeasible:
            # Presolve's word is not enough.
            search.set(presolve="off")
            status = search.run()
        return search.tree(status)
    finally:
        search.close()


class _Search:
    """A HiGHS instance that holds one mixed-integer program."""

    def __init__(
        self,
        read: ReadModel,
        control: Control,
        incumbent: Incumbent | None,
        advance: Advance | None,
    ) -> None:
        self._read = read
        self._control = control
        self._incumbent = incumbent
        self._advance = advance
        self._told = control.elapsed
        self._failure: Exception | None = None
        self._highs = highspy.Highs()
        self.set(output_flag=False, threads=1, random_seed=1, presolve_rule_off=DOUBLETON_EQUATIONS)
        self._highs.HandleUserInterrupt = True
        self._highs.cbMipInterrupt += self._watch
        if incumbent is not None:
            self._highs.cbMipImprovingSolution += self._found
        if self._highs.passModel(double_program(read)) != highspy.HighsStatus.kOk:
            self.close()
            raise SolverError("it warned of the integer program's numbers")

    def set(self, **options: Any) -> None:
        for option, value in options.items():
            if self._highs.setOptionValue(option, value) != highspy.HighsStatus.kOk:
                raise SolverError(f"HiGHS refuses {option} = {value}.")

    def start(self) -> None:
        """Hand over the values that the model's variables hold."""
        known = [
            (column, float(variable.value))
            for column, variable in enumerate(self._read.variables)
            if variable.value is not None
        ]
        self._highs.setSolution(
            len(known),
            np.array([column for column, _ in known], dtype=np.int32),
            np.array([value for _, value in known], dtype=np.float64),
        )

    def idle(self, status: highspy.HighsModelStatus) -> bool:
        """Whether the search claims an optimum without having solved any linear program.

        Where presolve alone finds the least objective, HiGHS 1.15.1 takes any start for optimal,
        however poor.
        """
        iterations = int(self._highs.getInfo().simplex_iteration_count)
        return status == highspy.HighsModelStatus.kOptimal and iterations <= 0

    def forget(self) -> None:
        """Let go of the start."""
        self._highs.clearSolver()

    def run(self) -> highspy.HighsModelStatus:
        highs, control = self._highs, self._control
        self.set(time_limit=min(highs.getRunTime() + control.remaining, LONGEST))
        with control.attached(highs):
            highs.run()
        if self._failure is not None:
            raise self._failure
        if control.cancelled:
            raise Interrupted("cancelled")
        return highs.getModelStatus()

    def tree(self, status: highspy.HighsModelStatus) -> SearchTree:
        if status == highspy.HighsModelStatus.kInfeasible:
            raise NoSolution("the integer program ended as 'Infeasible'")
        if status != highspy.HighsModelStatus.kOptimal and status not in _STOPPED:
            raise SolverError(
                f"the integer program ended as {self._highs.modelStatusToString(status)!r}"
            )
        info = self._highs.getInfo()
        bound = float(info.mip_dual_bound)
        best = None
        if info.primal_solution_status == highspy.SolutionStatus.kSolutionStatusFeasible:
            best = self._solution(
                self._highs.getSolution().col_value, float(info.objective_function_value), bound
            )
        proved = status == highspy.HighsModelStatus.kOptimal
        return SearchTree(best, bound, proved, max(0, int(info.mip_node_count)))

    def close(self) -> None:
        """Let go of the callbacks, which would keep HiGHS alive in a circle."""
        self._highs.cbMipInterrupt -= self._watch
        self._highs.cbMipImprovingSolution -= self._found
        self._highs.HandleUserInterrupt = False

    def _solution(self, values: Any, objective: float, bound: float) -> MixedIntegerSolution:
        variables = self._read.variables
        return MixedIntegerSolution(
            objective,
            bound,
            {id(variable): float(values[column]) for column, variable in enumerate(variables)},
        )

    def _found(self, event: highspy.highs.HighsCallbackEvent) -> None:
        state = event.data_out
        self._guarded(
            event,
            lambda: (
                self._incumbent is None
                or self._incumbent(
                    self._solution(
                        state.mip_solution, state.objective_function_value, state.mip_dual_bound
                    )
                )
            ),
        )

    def _watch(self, event: highspy.highs.HighsCallbackEvent) -> None:
        """Report progress now and then, and stop in time."""
        elapsed = self._control.elapsed
        if elapsed - self._told > SECONDS_BETWEEN_REPORTS:
            self._told = elapsed
            if self._control.remaining <= 0:
                event.interrupt()
            state = event.data_out
            if self._advance is not None and isfinite(state.mip_dual_bound):
                advance = self._advance
                self._guarded(event, lambda: advance(state.mip_dual_bound, state.mip_node_count))

    def _guarded(self, event: Any, tell: Callable[[], Any]) -> None:
        """Keep exceptions out of HiGHS, which would not survive them."""
        if self._failure is None:
            try:
                tell()
            except Exception as failure:  # noqa: BLE001  # raised again after the run
                self._failure = failure
        if self._failure is not None:
            event.interrupt()
