"""The exact search: program (7.1), from the best mapping known."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import isfinite

from steadygrid.domain.rational import approximate
from steadygrid.domain.rounding import power_near
from steadygrid.engine.solving.control import Control
from steadygrid.engine.solving.mixed_integer import (
    Meanwhile,
    MixedIntegerSolution,
    search_mixed_integer,
)
from steadygrid.kinds.cell.solver.local_search import LocalSearch
from steadygrid.kinds.cell.solver.model import build_model, cuts_of
from steadygrid.kinds.cell.solver.tables import Occupancy, Tables


@dataclass
class Search:
    """What the search came to.

    Attributes
    ----------
    mapping
        The best one that keeps all limits, in exact arithmetic. None if none was found.
    period
        Of the mapping, in the tables' unit.
    bound
        Period that no mapping undercuts, by the solver's double. None if it has none.
    closed
        Whether the solver says that it has closed the gap that was asked.
    late
        Whether it was stopped because the time was over.
    """

    mapping: list[int] | None
    period: int | None
    bound: Fraction | None
    closed: bool
    nodes: int
    variables: int
    constraints: int
    late: bool = False


def search(
    tables: Tables,
    control: Control,
    start: Sequence[int] | None,
    relative_gap: Fraction,
    beside: LocalSearch | None = None,
    enough: Callable[[float], bool] = lambda _: False,
) -> Search:
    """Search for the shortest period until it is proved or time is over.

    A mapping that breaks a limit by less than the solver's tolerance is cut off, and the search
    goes on.

    Parameters
    ----------
    start
        A mapping that keeps all limits, to begin with. None if none is known.
    relative_gap
        Asked between period and bound.
    beside
        Goes on while the program is searched in its process. Each takes what the other finds.
    enough
        Asked whether the search may end, with the period that `beside` has found, in the tables' unit.

    Raises
    ------
    Cancelled, OutOfTime
        When cancelled, or out of time before the search began.
    NoSolution
        If the solver claims that no mapping keeps the limits.
    SolverError
        If it fails.
    """
    guess = (
        tables.period(start)
        if start is not None
        else sum((max(t or 0 for t in times) for times in tables.compute), 0)
        * tables.unit
        / len(tables.cores)
    )
    unit = power_near(guess or tables.unit)
    model = build_model(tables, unit, control.check)
    ordered = None if start is None else _in_order(tables, start)
    if ordered is not None:
        _begin_with(model, tables, unit, ordered)
    best = Search(ordered, None, None, False, 0, 0, 0)
    if ordered is not None:
        best.period = Occupancy(tables, ordered).longest

    other = _Companion(
        beside, enough, tables, control, best, partial(_begin_with, model, tables, unit)
    )

    def keep(solution: MixedIntegerSolution) -> None:
        """Keep a solution if it is better and, in exact arithmetic, keeps all limits."""
        mapping = _mapping_of(model, tables, solution)
        use = Occupancy(tables, mapping)
        if use.excess:
            return
        if best.period is None or use.longest < best.period:
            best.mapping, best.period = mapping, use.longest
            control.progress(value=1 / (use.longest * tables.unit))
            other.take(mapping)

    def advance(bound: float, nodes: int) -> None:
        most = approximate(1 / (Fraction(bound) * unit)) if bound > 0 else None
        control.progress(iterations=nodes, bound=most)

    while True:
        try:
            tree = search_mixed_integer(
                model,
                control,
                relative_gap=float(relative_gap),
                warm=best.mapping is not None,
                incumbent=keep,
                advance=advance,
                meanwhile=other.meanwhile,
            )
        except _EnoughError:
            return best
        best.nodes += tree.nodes
        best.variables = model.nvariables()
        best.constraints = model.nconstraints()
        best.closed, best.late = tree.proved, tree.late
        if isfinite(tree.bound) and tree.bound > 0:
            best.bound = Fraction(tree.bound) * unit
        if tree.best is None:
            return best
        keep(tree.best)
        mapping = _mapping_of(model, tables, tree.best)
        if not tree.proved or not Occupancy(tables, mapping).excess:
            return best
        for cut in cuts_of(model, tables, mapping):
            model.cuts.add(cut)
        if best.mapping is not None:
            _begin_with(model, tables, unit, _in_order(tables, best.mapping))


class _EnoughError(Exception):
    """What was found elsewhere is as good as was asked."""


@dataclass
class _Companion:
    """A local search that goes on at the same time as the program, if there is one."""

    local: LocalSearch | None
    enough: Callable[[float], bool]
    tables: Tables
    control: Control
    best: Search
    give: Callable[[Sequence[int]], None]
    """Takes a mapping as the values of the program's variables."""

    @property
    def meanwhile(self) -> Meanwhile | None:
        """What the search of the program calls."""
        return None if self.local is None else self._go_on

    def take(self, mapping: Sequence[int]) -> None:
        """Take a mapping that the program's search has found."""
        if self.local is not None:
            self.local.take(mapping)

    def _go_on(self) -> bool | None:
        assert self.local is not None
        if self.local.exhausted:
            return None
        mapping = self.local.best if self.local.go_on(self.control) else None
        if mapping is None:
            return False
        self.best.mapping = _in_order(self.tables, mapping)
        self.best.period = Occupancy(self.tables, mapping).longest
        self.control.progress(value=1 / (self.best.period * self.tables.unit))
        if self.enough(self.best.period):
            raise _EnoughError
        self.give(self.best.mapping)
        return True


def _in_order(tables: Tables, mapping: Sequence[int]) -> list[int]:
    """Rename the cores of each type so that the first computes longest."""
    compute = Occupancy(tables, mapping).times[0]
    ppes, cores = tables.num_ppes, len(tables.cores)
    new: dict[int, int] = {}
    for own_cores in (range(ppes), range(ppes, cores)):
        ranked = sorted(own_cores, key=lambda core: (-compute[core], core))
        new |= dict(zip(ranked, own_cores, strict=True))
    return [new[core] for core in mapping]


def _begin_with(model: object, tables: Tables, unit: Fraction, mapping: Sequence[int]) -> None:
    """Give the model's variables the values of a mapping."""
    model.period.set_value(float(tables.period(mapping) / unit))  # type: ignore[attr-defined]
    for (task, core), variable in model.runs.items():  # type: ignore[attr-defined]
        variable.set_value(int(mapping[task] == core))
    ends = [(mapping[source], mapping[target]) for source, target in tables.files]
    for (file, core), variable in model.stays.items():  # type: ignore[attr-defined]
        variable.set_value(int(ends[file] == (core, core)))
    for (file, core, ppe), variable in model.to_ppe.items():  # type: ignore[attr-defined]
        variable.set_value(int(ends[file] == (core, ppe)))


def _mapping_of(model: object, tables: Tables, solution: MixedIntegerSolution) -> list[int]:
    """Round: each task where it runs most."""
    shares = solution.values_of(model.runs)  # type: ignore[attr-defined]
    mapping = []
    for task, cores in enumerate(tables.able):
        share = [shares.get((task, core), 0.0) for core in cores]
        mapping.append(cores[share.index(max(share))])
    return mapping
