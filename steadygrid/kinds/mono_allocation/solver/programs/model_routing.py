r"""Pyomo models of one allocation whose files choose their routes, and of flows for given places.

With :math:`f_a^{kl}` the share of the file :math:`F_{kl}` on link a, whole under ``free`` routing,

(1), (4.1a), (4.1b), (4.1e), (4.1g)-(4.1i), (mem), (int) and (sym) as in `steadygrid.kinds.mono_allocation.solver.programs.model`,
the times of the resources being :math:`\sum data_{kl}\, t_{au} f_a^{kl}` (4.2f), and

(4.2a) :math:`f_a^{kl} \in \{0, 1\}` (``free``); (4.3a) :math:`f_a^{kl} \in [0, 1]`
(``multipath``)

(4.2j) :math:`\sum_{a\ \text{from}\ q} f_a^{kl} - \sum_{a\ \text{to}\ q} f_a^{kl} = y_q^k - y_q^l`
for each file and processor.

Source: Gallet, *Steady-State Scheduling of Task Graphs onto Heterogeneous Platforms* (2009),
programs (4.2) and (4.3). The right side of the source's (4.2j) is
:math:`\sum_t x_{qt}^{kl} - \sum_s x_{sq}^{kl}`; with (4.1c) and (4.1d) as equations that is
:math:`y_q^k - y_q^l`, and x is not needed.

============== ===== ============================= =====================================
component      kind  index                         meaning, unit
============== ===== ============================= =====================================
``period``     Var   none                          T, `reference` time units
``placed``     Var   task, processor               y
``sent``       Var   file, arc                     f
``once``       Con   task                          (4.1b)
``kept``       Con   file, processor               (4.2j)
``busy``       Con   resource                      (4.1e), (4.1g)-(4.1i), T - ... >= 0
``ordered``    Con   task, processor, processor    (sym)
============== ===== ============================= =====================================

Infeasible only if there is no allocation within the limit; bounded, T >= 0.

**Flows for given places** (:func:`build_flows`): with the processors of all tasks known, the same
program is linear for ``multipath``. Files go from any of several senders to each of several
receivers:

(F1) minimise :math:`T`

(F2) :math:`\sum_{a\ \text{from}\ q} f_a^{kl} - \sum_{a\ \text{to}\ q} f_a^{kl} = s_q^{kl} -
[q \text{ receives } F_{kl}]`, with :math:`s_q^{kl} \ge 0` only where q sends :math:`F_{kl}`

(F3) :math:`\sum data_{kl}\, t_{au} f_a^{kl} + c_u \le T` for each resource u that computes for
:math:`c_u`.

============== ===== ============================= =====================================
``period``     Var   none                          T, time units
``sent``       Var   file, arc                     f, copies
``supply``     Var   file, processor               s, copies
``kept``       Con   file, processor               (F2)
``busy``       Con   resource                      (F3)
============== ===== ============================= =====================================
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pyomo.core as pyo

from steadygrid.domain.amounts import Amounts
from steadygrid.engine.flows.dead_ends import without_dead_ends
from steadygrid.engine.solving.control import Control
from steadygrid.engine.solving.terms import Terms, linear
from steadygrid.kinds.mono_allocation.solver.programs.model import (
    Program,
    add_assignment,
    add_busy,
    add_equations,
    add_limits,
    add_order,
    add_use,
)
from steadygrid.kinds.mono_allocation.solver.tables import MonoTables


def build_routed(program: Program, *, split: bool) -> Program:
    """State program (4.2), or (4.3) where files may be split. See `build_fixed`.

    Parameters
    ----------
    program
        Begun, as yet without any rule; it is extended.
    split
        Whether a file may be sent over several routes.
    """
    add_assignment(program)
    add_sent(program, pyo.UnitInterval if split else pyo.Binary, whole=not split)
    add_kept(program, _made_and_used(program))
    add_busy(program)
    add_limits(program)
    add_order(program)
    return program


def _made_and_used(program: Program) -> Mapping[tuple[int, int], Terms]:
    """Give the right side of (4.2j), on the left."""
    placed = program.model.placed
    made: dict[tuple[int, int], Terms] = defaultdict(list)
    for f, (k, l, _) in enumerate(program.tables.files):
        for q in program.labels[k]:
            made[f, q].append((-1, placed[k, q]))
        for q in program.labels[l]:
            made[f, q].append((1, placed[l, q]))
    return made


def add_sent(program: Program, domain: Any, *, whole: bool) -> None:
    """Add f and what it takes, (4.2a) and (4.2f). No file enters a dead end.

    Where files go whole, a file does not use a link whose resources it would keep busy for
    longer than the limit.

    Parameters
    ----------
    program
        Is extended.
    domain
        Of f: integers where files go whole, else real numbers.
    whole
        Whether files are sent as a whole.
    """
    tables = program.tables
    arcs = without_dead_ends(tables.platform, {i for row in program.labels for i in row})
    keys = [
        (f, arc.index)
        for f, (_, _, size) in program.control.timed(enumerate(tables.files))
        for arc in arcs
        if not whole or all(program.fits(size * time) for _, time in tables.arc_uses(arc.index))
    ]
    program.model.sent = pyo.Var(keys, domain=domain)
    for (f, arc), variable in program.control.timed(program.model.sent.items()):
        size = tables.files[f][2]
        if size:
            for resource, time in tables.arc_uses(arc):
                add_use(program, resource, program.scaled(size * time), variable)


def add_kept(program: Program, made: Mapping[tuple[int, int], Terms]) -> None:
    """Add (4.2j), given its right side on the left.

    Parameters
    ----------
    program
        Is extended.
    made
        By file and processor: what is used there, less what is made there.
    """
    tables = program.tables
    rows: dict[tuple[int, int], Terms] = defaultdict(list)
    for key, terms in made.items():
        rows[key].extend(terms)
    for (f, arc), variable in program.control.timed(program.model.sent.items()):
        ends = tables.platform.arcs[arc]
        rows[f, ends.source].append((1, variable))
        rows[f, ends.target].append((-1, variable))
    add_equations(program, "kept", rows)


@dataclass(frozen=True)
class Flows:
    """What the flows for given places are about.

    Attributes
    ----------
    computing
        Time by processor that computing takes.
    senders, receivers
        By file that moves: the processors that have it, and those that have to get it.
    """

    tables: MonoTables
    control: Control
    computing: Amounts[int]
    senders: Mapping[int, Sequence[int]]
    receivers: Mapping[int, Sequence[int]]
    model: pyo.ConcreteModel = field(default_factory=lambda: pyo.ConcreteModel(name="flows"))


def build_flows(flows: Flows) -> pyo.ConcreteModel:
    """State (F1) to (F3). No file enters a dead end.

    Raises
    ------
    Cancelled, OutOfTime
        If that takes too long.
    """
    model, senders, receivers = flows.model, flows.senders, flows.receivers
    ends = {q for listed in (*senders.values(), *receivers.values()) for q in listed}
    arcs = without_dead_ends(flows.tables.platform, ends)
    model.period = pyo.Var(domain=pyo.NonNegativeReals)
    model.longest = pyo.Objective(expr=linear([(1, model.period)]))
    model.sent = pyo.Var(
        [(f, arc.index) for f in receivers for arc in arcs], domain=pyo.NonNegativeReals
    )
    model.supply = pyo.Var(
        [(f, q) for f in receivers for q in senders[f]], domain=pyo.NonNegativeReals
    )
    _add_flows_kept(flows)
    _add_flows_busy(flows)
    return model


def _add_flows_kept(flows: Flows) -> None:
    """Add (F2)."""
    model, arcs = flows.model, flows.tables.platform.arcs
    rows: dict[tuple[int, int], Terms] = defaultdict(list)
    for (f, number), variable in flows.control.timed(model.sent.items()):
        rows[f, arcs[number].source].append((1, variable))
        rows[f, arcs[number].target].append((-1, variable))
    for key, variable in model.supply.items():
        rows[key].append((-1, variable))
    needed = {(f, r) for f, listed in flows.receivers.items() for r in listed}
    for key in needed:
        rows[key]  # a receiver without any link is a row that cannot hold

    def kept(_: Any, *key: Any) -> Any:
        flows.control.check()
        return linear(rows[key]) == (-1 if key in needed else 0)

    model.kept = pyo.Constraint(list(rows), rule=kept)


def _add_flows_busy(flows: Flows) -> None:
    """Add (F3)."""
    model, tables = flows.model, flows.tables
    rows: dict[int, Terms] = {processor: [] for processor in flows.computing}
    for (f, number), variable in flows.control.timed(model.sent.items()):
        size = tables.files[f][2]
        if size:
            for resource, time in tables.arc_uses(number):
                rows.setdefault(resource, []).append((-size * time, variable))
    model.busy = pyo.Constraint(
        list(rows),
        rule=lambda _, u: linear([(1, model.period), *rows[u]]) >= flows.computing[u],
    )
