"""Routes of files between processors that are known: chosen, or split."""

from fractions import Fraction

from steadygrid.domain.amounts import Amounts
from steadygrid.domain.errors import CertificationError, OutOfTime, SolverError
from steadygrid.domain.schedule import Transfer
from steadygrid.engine.exact import solve_certified
from steadygrid.engine.flows.dead_ends import without_dead_ends
from steadygrid.engine.flows.paths import paths_to
from steadygrid.engine.mapping.tables import Mapping_
from steadygrid.engine.mapping.transfers import Places, period_of, receivers_of, transfers_of
from steadygrid.engine.solving.control import Control
from steadygrid.engine.solving.mixed_integer import NoSolution, search_mixed_integer
from steadygrid.kinds.mono_allocation.solver.programs.model import Program
from steadygrid.kinds.mono_allocation.solver.programs.model_routing import (
    Flows,
    build_flows,
    build_routed,
)
from steadygrid.kinds.mono_allocation.solver.tables import MonoTables
from steadygrid.kinds.mono_allocation.solver.transfer_routes.copies import (
    needed_copies,
    whole_over_links,
)

MOST_CHOICES = 200_000
"""Files that move times links that they may take, at most."""
LONGEST_CHOICE = 10.0
"""Seconds for choosing routes of files that go whole, at most."""
SHARE_OF_CHOICE = 0.5
"""Of the time that is left, at most."""


def best_paths(tables: MonoTables, mapping: Mapping_, control: Control) -> tuple[Transfer, ...]:
    """Choose the routes of the files of a mapping, as the instance's routing allows.

    Parameters
    ----------
    mapping
        A processor of its labels for each task.

    Returns
    -------
    tuple of Transfer
        ``fixed``: the reference routes. ``multipath``: the routes of the exact optimum of
        (F1) to (F3). ``free``: those of program (4.2) with the tasks in place, as far as it can
        be searched in a few seconds. Never worse than the reference routes, which are given where
        the time is over, or where there is too much to choose from (`MOST_CHOICES`).

    Raises
    ------
    NoMapping
        If a file has no route.
    Cancelled, OutOfTime
        If cancelled.
    """
    reference = tables.transfers(mapping)
    places = [(i,) for i in mapping]
    if tables.instance.routing == "fixed" or not reference:
        return reference
    computing: Amounts[int] = Amounts()
    for k, i in enumerate(mapping):
        computing[i] += tables.time(k, i)
    longest = tables.period(mapping)
    if longest == max(computing.values()):
        return reference  # No routes make computing take less time.
    open_arcs = without_dead_ends(tables.platform, set(mapping))
    if len(reference) * len(open_arcs) > MOST_CHOICES:
        return reference
    found: tuple[Transfer, ...] | None
    try:
        whole = tables.instance.duplication == "tasks_and_files"
        if tables.instance.routing == "multipath" and not whole:
            found = split_paths(tables, places, control)
        else:
            found = _unsplit_paths(tables, mapping, control)
    except OutOfTime:
        return reference
    except (CertificationError, SolverError):
        return reference
    if found is None or period_of(tables, places, found) > longest:
        return reference
    return found


def split_paths(tables: MonoTables, places: Places, control: Control) -> tuple[Transfer, ...]:
    """Find the routes of files that may be split, for the shortest period, exactly.

    Parameters
    ----------
    tables
        The instance, with its routes between processors, by position.
    places
        Positions of the processors that run each task.
    control
        Deadline, cancellation and progress of the solve.

    Raises
    ------
    Cancelled, OutOfTime, CertificationError, SolverError
        See `solve_certified`.
    """
    receivers = receivers_of(tables, places)
    senders = {f: places[tables.files[f][0]] for f in receivers}
    computing: Amounts[int] = Amounts()
    for k, row in enumerate(places):
        for i in row:
            computing[i] += tables.time(k, i)
    model = build_flows(Flows(tables, control, computing, senders, receivers))
    solved = solve_certified(model, control)
    if solved.status != "optimal":
        raise SolverError("files have no route between the processors of their tasks")
    flows: dict[int, dict[int, Fraction]] = {f: {} for f in receivers}
    for (f, arc), amount in solved.values_of(model.sent).items():
        flows[f][arc] = amount
    transfers: list[Transfer] = []
    for f, flow in flows.items():
        transfers += transfers_of(tables, f, paths_to(tables.platform, flow, receivers[f]))
    return tuple(transfers)


def _unsplit_paths(
    tables: MonoTables, mapping: Mapping_, control: Control
) -> tuple[Transfer, ...] | None:
    """Search for routes of files that go whole, from the reference routes on."""
    limit = tables.period(mapping)
    begun = Program.begun(
        tables, control, reference=limit, labels=[[i] for i in mapping], limit=limit
    )
    program = build_routed(begun, split=False)
    used = {
        (f, arc)
        for f, (k, l, _) in enumerate(tables.files)
        for arc in tables.reference_path(mapping[k], mapping[l]) or ()
    }
    program.model.placed[:, :].set_value(1)
    for key, variable in program.model.sent.items():
        variable.set_value(int(key in used))
    try:
        tree = search_mixed_integer(
            program.model,
            control.limited(min(LONGEST_CHOICE, SHARE_OF_CHOICE * control.remaining)),
            warm=True,
        )
    except NoSolution:
        return None
    if tree.best is None:
        return None
    over_links = whole_over_links(tables, tree.best.values_of(program.model.sent))
    return needed_copies(tables, [(i,) for i in mapping], over_links)[1]
