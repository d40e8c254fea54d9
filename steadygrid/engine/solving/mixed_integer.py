"""Mixed-integer programs: solved in floating point, never a proof.

HiGHS works in a process of its own (`steadygrid.engine.solving.search_process`), which is killed where it does
not end in time.
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import inf, isfinite
from typing import Any

import numpy as np

from steadygrid.domain.errors import Cancelled, OutOfTime, SolverError
from steadygrid.engine.solving.control import Control
from steadygrid.engine.solving.reading import ReadModel, read_model
from steadygrid.engine.solving.scaling import Floats, scale_rows
from steadygrid.engine.solving.search_child import SearchChild
from steadygrid.engine.solving.search_process import ARRAYS, LONGEST
from steadygrid.processes.frames import Frame

DOUBLETON_EQUATIONS = 512
"""A rule of HiGHS's presolve that, in 1.15.1, runs for ever on some small assignment programs (of
30 variables) and heeds no time limit. All other rules stay on."""
WITHOUT_PRESOLVE: Mapping[str, Any] = {
    "presolve": "off",
    "mip_allow_restart": False,
    "mip_heuristic_run_rins": False,
    "mip_heuristic_run_rens": False,
    "mip_heuristic_run_root_reduced_cost": False,
}
"""Options that keep HiGHS from presolving anything: parts of the program, which some heuristics
search, and what is left of it after a restart are presolved too."""
SECONDS_BETWEEN_REPORTS = 0.5
"""Of progress, while HiGHS runs."""
SECONDS_BETWEEN_LOOKS = 0.05
"""At whether the search was cancelled."""
SECONDS_OF_GRACE = 1.0
"""After the deadline, until the process is killed."""
LEAST_PATIENCE, MOST_PATIENCE = 1.0, 5.0
"""Seconds without a sign of life after which a search of a small program seems hung, and
`SHARE_OF_PATIENCE` of the time that is left between the two."""
SHARE_OF_PATIENCE = 0.3
PATIENCE_BY_ENTRY = 1e-5
"""More seconds, by entry of the matrix to the power 3/2: HiGHS is silent as well while it solves
the first relaxation, which took it several seconds with 46,000 entries."""
TOLERANCE = 1e-9
"""What a solution may be off its rows and its integers. HiGHS looks for nothing that is better
than the best solution by less."""
REDUCED_COST_SHARE = 0.1
"""How far reduced costs may be on the wrong side, as a share of `TOLERANCE`."""
_STOPPED = ("kTimeLimit", "kInterrupt", "kSolutionLimit", "kObjectiveTarget")


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
        The best solution found. None if there is none yet.
    bound
        What no solution can beat, by the solver's word: widened by what it takes for nothing.
        Infinite if nothing is known.
    proved
        Whether the search says that the two are as near as was asked, but for its tolerances.
    nodes
        Of the tree.
    late
        Whether the search was stopped because its time was over.
    """

    best: MixedIntegerSolution | None
    bound: float
    proved: bool
    nodes: int
    late: bool = False


Incumbent = Callable[[MixedIntegerSolution], None]
"""Called with every better solution, from within the search; must be quick."""
Advance = Callable[[float, int], None]
"""Called now and then with bound and number of nodes, from within the search."""
Meanwhile = Callable[[], bool | None]
"""Another half of the search, which goes on for a moment whenever it is called, while HiGHS computes
in its process. It gives True where the model's variables now hold a solution that is better than all
that the search has told. None if it has nothing to do for now."""


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
        In the solver's double precision; callers that need more round the integers and compute the
        rest exactly.

    Raises
    ------
    Cancelled, OutOfTime
        If cancelled, or out of time.
    NoSolution
        If the search claims that the model is infeasible.
    SolverError
        If the search ended without an optimum for another reason.
    """
    tree = search_mixed_integer(model, control, relative_gap=relative_gap)
    if tree.proved and tree.best is not None:
        return tree.best
    if tree.late:
        raise OutOfTime
    raise SolverError("the integer program's search ended without an optimum")


def search_mixed_integer(
    model: Any,
    control: Control,
    *,
    relative_gap: float = 0.0,
    warm: bool = False,
    incumbent: Incumbent | None = None,
    advance: Advance | None = None,
    meanwhile: Meanwhile | None = None,
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
    meanwhile
        Called again and again; likewise.
    options
        More options of HiGHS.

    Raises
    ------
    Cancelled, OutOfTime
        If cancelled, or if no time is left at the beginning.
    NoSolution
        If the search claims, also without presolve, that the model is infeasible.
    SolverError
        If HiGHS does not take the model's numbers as they are, or fails.
    """
    control.check()
    with control.searches.lend() as child:
        read = read_model(model, control.check)
        search = _Search(read, child, control, incumbent, advance, meanwhile, relative_gap)
        common = {
            "output_flag": False,
            "threads": 1,
            "random_seed": 1,
            "presolve_rule_off": DOUBLETON_EQUATIONS,
            "mip_feasibility_tolerance": TOLERANCE,
            "primal_feasibility_tolerance": TOLERANCE,
            "dual_feasibility_tolerance": TOLERANCE,
            "mip_rel_gap": relative_gap,
            "mip_abs_gap": 0.0,
            **(options or {}),
        }
        if warm:
            search.start()
        if not search.run(common, patient=False):
            search.run(common | dict(WITHOUT_PRESOLVE), patient=True)
        return search.tree()


class _Search:
    """What is known of one program, even if the process that searches dies."""

    def __init__(
        self,
        read: ReadModel,
        child: SearchChild,
        control: Control,
        incumbent: Incumbent | None,
        advance: Advance | None,
        meanwhile: Meanwhile | None,
        relative_gap: float,
    ) -> None:
        self._read = read
        self._child = child
        self._control = control
        self._incumbent = incumbent
        self._advance = advance
        self._meanwhile = meanwhile
        self._deadline = time.monotonic() + min(control.remaining, LONGEST)
        self._sign = 1 if read.program.cost_factor < 0 else -1
        self._program = _arrays(read)
        self._relative_gap = relative_gap
        self._started: dict[str, Any] = {
            "started_columns": np.empty(0, np.int32),
            "started_values": np.empty(0, np.float64),
        }
        self._best: tuple[float, Floats] | None = None
        self._bound = -self._sign * inf
        self._nodes = 0
        self._ended: dict[str, Any] | None = None

    def start(self) -> None:
        """Begin with the values that the model's variables hold."""
        columns, values = self._held()
        self._started = {"started_columns": columns, "started_values": values}
        self._take(values)

    def _held(self) -> tuple[np.ndarray, Floats]:
        """Give the columns whose variables hold values, and these."""
        known = [
            (column, float(variable.value))
            for column, variable in enumerate(self._read.variables)
            if variable.value is not None
        ]
        columns = np.array([column for column, _ in known], dtype=np.int32)
        return columns, np.array([value for _, value in known], dtype=np.float64)

    def _take(self, values: Floats) -> bool:
        """Keep values that are a solution, if it is the best; tell whether they are one."""
        if len(values) < len(self._read.variables) or not _holds(self._program, values):
            return False
        self._keep(float(self._program["costs"] @ values) + float(self._read.offset), values)
        return True

    def _go_on(self) -> float:
        """Let the other half go on; give the seconds to wait for HiGHS now."""
        found = None if self._meanwhile is None else self._meanwhile()
        if found:
            _, values = self._held()
            if self._take(values):
                self._child.help(np.asarray(values, np.float64).tobytes())
        return SECONDS_BETWEEN_LOOKS if found is None else 0.0

    def run(self, options: Mapping[str, Any], *, patient: bool) -> bool:
        """Search to the end; False if the search seems hung, while there is time left."""
        arrays = self._program | self._started
        message = {
            "columns": len(arrays["costs"]),
            "rows": len(arrays["row_lower"]),
            "starts": len(arrays["starts"]),
            "entries": len(arrays["values"]),
            "started": len(arrays["started_columns"]),
            "maximise": self._sign < 0,
            "offset": float(self._read.offset),
            "deadline": self._deadline,
            "pause": SECONDS_BETWEEN_REPORTS,
            "told": self._meanwhile is not None,
            "options": dict(options),
        }
        self._child.begin(
            message,
            b"".join(
                np.asarray(arrays[name], kind).tobytes() for name, (_, kind) in ARRAYS.items()
            ),
        )
        patience = self._patience
        last = inf
        seconds = 0.0 if self._meanwhile is not None else SECONDS_BETWEEN_LOOKS
        while True:
            for frame in self._child.receive(seconds):
                last = time.monotonic()
                self._hear(frame)
            if self._control.cancelled:
                raise Cancelled
            now = time.monotonic()
            if self._ended is not None:
                return True
            if now > self._deadline + SECONDS_OF_GRACE:
                self._child.kill()
                return True
            if not patient and now - last > patience and now < self._deadline:
                self._child.kill()
                if self._best is not None:
                    columns = np.arange(len(self._best[1]), dtype=np.int32)
                    self._started = {
                        "started_columns": columns,
                        "started_values": self._best[1],
                    }
                return False
            seconds = self._go_on()

    def tree(self) -> SearchTree:
        """Give what is known."""
        best = None
        bound = self._widened(self._bound)
        if self._best is not None:
            objective, values = self._best
            best = self._solution(values, objective, bound)
        if self._ended is None:
            return SearchTree(best, bound, False, self._nodes, late=True)
        status = self._ended["status"]
        proved = status == "kOptimal"
        if status == "kInfeasible" and best is None:
            raise NoSolution("the integer program ended as 'Infeasible'")
        if not proved and status not in (*_STOPPED, "kInfeasible"):
            raise SolverError(f"the integer program ended as {self._ended['words']!r}")
        return SearchTree(best, bound, proved, self._nodes, late=status in _STOPPED)

    def _widened(self, bound: float) -> float:
        """Move a bound by all that the search takes for nothing, so that it holds.

        HiGHS cuts off what is not better than the best solution by the feasibility tolerance and
        the gap that was asked, and then says that nothing lies between. And the bounds of its
        relaxations are right up to reduced costs, each within its tolerance, times the ranges of
        the variables.
        """
        if not isfinite(bound):
            return bound
        sign = self._sign
        if self._best is not None:
            objective = self._best[0]
            asked = self._relative_gap * abs(objective)
            bound = sign * min(sign * bound, sign * objective - asked)
        ranges = self._program["column_upper"] - self._program["column_lower"]
        slack = TOLERANCE * (1 + REDUCED_COST_SHARE * float(ranges[np.isfinite(ranges)].sum()))
        return bound - sign * slack * max(1.0, abs(bound))

    @property
    def _patience(self) -> float:
        share = SHARE_OF_PATIENCE * (self._deadline - time.monotonic())
        least = min(max(LEAST_PATIENCE, share), MOST_PATIENCE)
        return float(least + PATIENCE_BY_ENTRY * len(self._program["values"]) ** 1.5)

    def _hear(self, frame: Frame) -> None:
        message = frame.message
        match message["type"]:
            case "alive" if "bound" in message:
                self._note(message)
                if self._advance is not None and isfinite(message["bound"]):
                    self._advance(self._widened(message["bound"]), message["nodes"])
            case "incumbent":
                values = np.frombuffer(frame.payload)
                self._keep(message["objective"], values)
                if self._incumbent is not None:
                    self._incumbent(self._solution(values, message["objective"], message["bound"]))
            case "ended":
                self._ended = message
                self._note(message)
                if message["solved"]:
                    self._keep(message["objective"], np.frombuffer(frame.payload))
            case "failure":
                raise SolverError(message["detail"])

    def _keep(self, objective: float, values: Floats) -> None:
        if self._best is None or self._sign * (objective - self._best[0]) <= 0:
            self._best = objective, values

    def _note(self, message: dict[str, Any]) -> None:
        if self._sign * (message["bound"] - self._bound) > 0:
            self._bound = message["bound"]
        self._nodes = max(self._nodes, message["nodes"])

    def _solution(self, values: Floats, objective: float, bound: float) -> MixedIntegerSolution:
        variables = self._read.variables
        return MixedIntegerSolution(
            objective,
            bound,
            {id(variable): float(values[column]) for column, variable in enumerate(variables)},
        )


def _arrays(read: ReadModel) -> dict[str, Any]:
    whole = np.array([not variable.is_continuous() for variable in read.variables], bool)
    scaled = scale_rows(read.program, whole)
    arrays = {name: getattr(scaled, name) for name in ARRAYS if hasattr(scaled, name)}
    return arrays | {"integer": whole}


def _holds(program: Mapping[str, Any], values: Floats) -> bool:
    """Whether values are a solution, as far as doubles tell."""
    rows = np.repeat(np.arange(len(program["row_lower"])), np.diff(program["starts"]))
    sums = np.bincount(
        rows, program["values"] * values[program["indices"]], len(program["row_lower"])
    )
    integers = values[program["integer"]]
    return bool(
        np.all(values >= program["column_lower"] - TOLERANCE)
        and np.all(values <= program["column_upper"] + TOLERANCE)
        and np.all(sums >= program["row_lower"] - TOLERANCE)
        and np.all(sums <= program["row_upper"] + TOLERANCE)
        and np.all(np.abs(integers - np.round(integers)) <= TOLERANCE)
    )
