"""The exact program: searched by branch and bound, its answer computed exactly."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import isfinite
from typing import Any, Protocol

from steadygrid.domain.errors import CertificationError, OutOfTime, SolverError
from steadygrid.domain.job import Phase
from steadygrid.domain.rational import approximate
from steadygrid.engine.mapping import NoMapping
from steadygrid.engine.mapping.tables import Mapping_
from steadygrid.engine.mapping.transfers import Places
from steadygrid.engine.mapping.twins import twins_of
from steadygrid.engine.solving.control import Control
from steadygrid.engine.solving.mixed_integer import (
    MixedIntegerSolution,
    NoSolution,
    SearchTree,
    search_mixed_integer,
)
from steadygrid.kinds.mono_allocation.solver.allocated import Allocated
from steadygrid.kinds.mono_allocation.solver.programs.interchange import (
    Classes,
    in_order,
    interchangeable,
)
from steadygrid.kinds.mono_allocation.solver.programs.model import (
    Labels,
    NoAssignment,
    Program,
    build_fixed,
)
from steadygrid.kinds.mono_allocation.solver.programs.model_copies import build_copies
from steadygrid.kinds.mono_allocation.solver.programs.model_routing import build_routed
from steadygrid.kinds.mono_allocation.solver.programs.possible import next_period
from steadygrid.kinds.mono_allocation.solver.tables import MonoTables
from steadygrid.kinds.mono_allocation.solver.transfer_routes.best import split_paths
from steadygrid.kinds.mono_allocation.solver.transfer_routes.carried import allocated, places_of
from steadygrid.kinds.mono_allocation.solver.transfer_routes.copies import (
    Supply,
    backwards,
    needed_copies,
    over_chosen_paths,
    over_given_paths,
    over_used_links,
    split_over_links,
    whole_over_links,
)


@dataclass(frozen=True)
class Search:
    """How far the search for the best allocation came.

    Attributes
    ----------
    allocation
        The best one found, with its exact period. None if there is none.
    bound
        No allocation has a shorter period, by the solver's double precision, widened by its
        tolerances and taken up to the next period that is possible; 0 if nothing is known. Never
        above the period.
    proved
        Whether the search says that it has closed the gap as far as was asked; without an allocation,
        whether it claims that there is none.
    nodes
        Of the search tree.
    """

    allocation: Allocated | None
    bound: Fraction
    proved: bool
    nodes: int

    @property
    def period(self) -> Fraction | None:
        """Of the best one found."""
        return None if self.allocation is None else self.allocation.period


class Exchange(Protocol):
    """What another half of the search finds meanwhile, and what it hears."""

    def heard(self) -> Mapping_ | None:
        """Give the best mapping that it has told since the last call. None where it told none."""

    def send(self, found: Allocated) -> None:
        """Tell it an allocation."""


def search_program(
    tables: MonoTables,
    control: Control,
    *,
    labels: Labels | None = None,
    start: Mapping_ | None = None,
    relative_gap: float = 0.0,
    below: Fraction | None = None,
    incumbent: Callable[[Fraction], None] | None = None,
    exchange: Exchange | None = None,
    presolve: bool = True,
) -> Search:
    """Search for the allocation with the shortest period.

    The program is that of the instance's routing and duplication, see
    `steadygrid.kinds.mono_allocation.solver.programs.model`, `model_routing` and `model_copies`.

    Parameters
    ----------
    labels
        For each task, the processors that may run it. None for all that can, but of interchangeable
        ones no more than are needed.
    start
        A mapping to begin from; one is made up where none is given. It bounds the search: what
        alone takes longer does not enter the program.
    relative_gap
        Stop when bound and solution are this near.
    below
        Only allocations with a shorter period count.
    incumbent
        Called with the period of every better allocation; under ``multipath`` it is as exact as
        the routes that are read from double precision.
    exchange
        With another half of the search.
    presolve
        HiGHS 1.15.1 now and then presolves a small program for ever and heeds no time limit.
        A search of many of them does better without.

    Returns
    -------
    Search
        Its period is exact: cycles are taken out of the routes, and split files get the exact
        optimum for the places found. When the time is over, the best so far.

    Raises
    ------
    Cancelled, OutOfTime
        If cancelled.
    SolverError
        If the solver fails and there is nothing to begin from.
    """
    if labels is None:
        labels = tables.needed_labels
        start = None if start is None else in_order(start, twins_of(tables).classes)
    best = _begun(tables, labels, _some_mapping(tables, labels) if start is None else start)
    if best is not None and below is not None and best.period >= below:
        best = None
    limit = below if best is None else best.period
    run = _Run(tables, control, best, incumbent, exchange)
    try:
        control.phase(Phase.BUILDING)
        classes = interchangeable(tables, labels)
        program = _build(tables, control, labels, best, limit, classes)
        control.phase(Phase.SOLVING)
        tree = search_mixed_integer(
            program.model,
            control,
            relative_gap=relative_gap,
            warm=best is not None and _warm(program, places_of(tables, best), classes),
            incumbent=lambda solution: run.better(program, solution),
            advance=lambda bound, nodes: run.advance(program, bound, nodes),
            meanwhile=None if exchange is None else lambda: run.hear(program, classes),
            options=None if presolve else {"presolve": "off"},
        )
    except (NoAssignment, NoSolution):
        if best is None:
            return Search(None, limit or Fraction(0), True, 0)
        return run.ended(Fraction(0), False, 0)
    except OutOfTime:
        return run.ended(Fraction(0), False, 0)
    except SolverError:
        if best is None:
            raise
        return run.ended(Fraction(0), False, 0)
    return run.finished(program, tree, below)


class _Run:
    """The best allocation while the search goes on."""

    def __init__(
        self,
        tables: MonoTables,
        control: Control,
        best: Allocated | None,
        incumbent: Callable[[Fraction], None] | None,
        exchange: Exchange | None,
    ) -> None:
        self._tables = tables
        self._control = control
        self._best = best
        self._incumbent = incumbent
        self._exchange = exchange

    def hear(self, program: Program, classes: Classes) -> bool | None:
        """Hear of a mapping that was found elsewhere; give it to the search if it is better."""
        heard = None if self._exchange is None else self._exchange.heard()
        if heard is None:
            return None
        tables = self._tables
        mapping = in_order(heard, twins_of(tables).classes)
        found = _begun(tables, program.labels, mapping)
        if found is None or (self._best is not None and found.period >= self._best.period):
            return None
        self._best = found
        return _warm(program, places_of(tables, found), classes)

    def better(self, program: Program, solution: MixedIntegerSolution) -> None:
        """Hear of a solution."""
        self._keep(_read(program, solution))

    def advance(self, program: Program, bound: float, nodes: int) -> None:
        """Hear of the bound."""
        period = Fraction(bound) * program.reference
        self._control.progress(
            iterations=nodes,
            bound=approximate(1 / period) if period > 0 else None,
        )

    def finished(self, program: Program, tree: SearchTree, below: Fraction | None) -> Search:
        """Compute what the search has found exactly."""
        if tree.best is not None:
            self._keep(_read(program, tree.best))
        best = self._best
        if best is not None and self._tables.instance.routing == "multipath":
            self._keep(self._split(best))
        bound = Fraction(0)
        if isfinite(tree.bound):
            bound = max(bound, Fraction(tree.bound) * program.reference)
        best = self._best
        if below is not None and (best is None or best.period >= below):
            self._best = None
            return Search(None, min(bound, below), tree.proved, tree.nodes)
        if tree.proved and best is not None:
            bound = next_period(self._tables, min(bound, best.period), best.period)
        return self.ended(bound, tree.proved, tree.nodes)

    def ended(self, bound: Fraction, proved: bool, nodes: int) -> Search:
        """Give the best allocation, with a bound that is not above it."""
        best = self._best
        if best is None:
            # A solution that cannot be read is none, and no proof that there is none.
            return Search(None, bound, False, nodes)
        return Search(best, min(bound, best.period), proved, nodes)

    def _keep(self, found: Allocated | None) -> None:
        if found is not None and (self._best is None or found.period < self._best.period):
            self._best = found
            self._control.progress(value=1 / found.period if found.period else None)
            if self._incumbent is not None:
                self._incumbent(found.period)
            if self._exchange is not None:
                self._exchange.send(found)

    def _split(self, best: Allocated) -> Allocated | None:
        if self._tables.instance.duplication == "tasks_and_files":
            return None
        try:
            places = places_of(self._tables, best)
            return allocated(self._tables, places, split_paths(self._tables, places, self._control))
        except (OutOfTime, CertificationError, SolverError):
            return None


def _begun(tables: MonoTables, labels: Labels, mapping: Mapping_ | None) -> Allocated | None:
    """Put the reference routes to a mapping that the labels allow."""
    if mapping is None or any(i not in row for i, row in zip(mapping, labels, strict=True)):
        return None
    if tables.limits is not None and not tables.limits.fit([(i,) for i in mapping]):
        return None
    try:
        return allocated(tables, [(i,) for i in mapping], tables.transfers(mapping))
    except NoMapping:
        return None


def _some_mapping(tables: MonoTables, labels: Labels) -> list[int] | None:
    """Put all tasks on one processor, or one after the other where a file has a route to it."""
    together = set(labels[0]).intersection(*labels[1:])
    if together:
        fastest = min(together, key=lambda i: sum(tables.time(k, i) for k in range(len(labels))))
        return [fastest] * len(labels)
    mapping: dict[int, int] = {}
    for k in reversed(backwards(tables)):
        made = [mapping[tables.files[f][0]] for f in tables.incoming[k]]
        able = [i for i in labels[k] if all(tables.reference_path(q, i) is not None for q in made)]
        if not able:
            return None
        mapping[k] = min(able, key=lambda i: (sum(i != q for q in made), tables.time(k, i)))
    return [mapping[k] for k in range(len(labels))]


def _build(
    tables: MonoTables,
    control: Control,
    labels: Labels,
    best: Allocated | None,
    limit: Fraction | None,
    classes: Classes,
) -> Program:
    fastest = (min(tables.time(k, i) for i in row) for k, row in enumerate(labels) if row)
    program = Program.begun(
        tables,
        control,
        reference=max(fastest) if limit is None else limit,
        labels=labels,
        limit=limit,
        strict=best is None and limit is not None,
        classes=classes,
    )
    if tables.instance.duplication != "none":
        return build_copies(program)
    if tables.instance.routing == "fixed":
        return build_fixed(program)
    return build_routed(program, split=tables.instance.routing == "multipath")


def _warm(program: Program, places: Places, classes: Classes) -> bool:
    """Give the variables the values of a mapping over its reference routes."""
    tables, model = program.tables, program.model
    mapping = in_order([row[0] for row in places], classes)
    ends = {(f, mapping[k], mapping[l]) for f, (k, l, _) in enumerate(tables.files)}
    used = {(f, arc) for f, q, r in ends for arc in tables.reference_path(q, r) or ()}
    arcs = tables.platform.arcs
    hops = {(f, r, q, r) for f, q, r in ends if q != r}
    if tables.instance.routing != "fixed":
        receiver = {f: r for f, _, r in ends}
        hops = {(f, receiver[f], arcs[a].source, arcs[a].target) for f, a in used}
    before: dict[int, int] = {}
    if tables.limits is not None and tables.limits.order is not None:
        before = dict(zip(tables.limits.order[1:], tables.limits.order, strict=False))
    ones: Mapping[str, Any] = {
        "begins": {
            (k, i) for k, i in enumerate(mapping) if k not in before or mapping[before[k]] != i
        },
        "placed": set(enumerate(mapping)),
        "moved": ends,
        "got": ends,
        "sent": used,
        "chosen": {(f, q, r) for f, q, r in ends if q != r},
        "proof": hops,
    }
    for name, keys in ones.items():
        component = model.component(name)
        if component is not None:
            for key, variable in component.items():
                variable.set_value(int(key in keys))
    period = tables.period(mapping)
    model.period.set_value(program.scaled(period))
    return True


def _read(program: Program, solution: MixedIntegerSolution) -> Allocated | None:
    """Read an allocation from a solution. None where rounding leaves too little of it."""
    tables = program.tables
    placed: list[list[tuple[float, int]]] = [[] for _ in tables.tasks]
    for (k, i), value in solution.values_of(program.model.placed).items():
        placed[k].append((value, i))
    places: Places = [
        [i for value, i in sorted(row) if round(value)] or [max(row)[1]] for row in placed
    ]
    limits = tables.limits
    try:
        if "moved" in program.model.component_map():
            if limits is not None and not limits.fit([row[:1] for row in places]):
                return None
            return allocated(tables, places, tables.transfers([row[0] for row in places]))
        needed, transfers = needed_copies(tables, places, _supply(program, solution))
        if limits is not None and not limits.fit(needed):
            return None
        return allocated(tables, needed, transfers)
    except NoMapping:
        return None


def _supply(program: Program, solution: MixedIntegerSolution) -> Supply:
    tables, model = program.tables, program.model
    instance = tables.instance
    if instance.routing == "fixed":
        if instance.duplication == "tasks_and_files":
            return over_chosen_paths(tables, solution.values_of(model.chosen))
        return over_given_paths(tables, solution.values_of(model.got))
    sent = solution.values_of(model.sent)
    if instance.duplication == "tasks_and_files":
        return over_used_links(tables, sent)
    if instance.routing == "free":
        return whole_over_links(tables, sent)
    return split_over_links(tables, sent)
