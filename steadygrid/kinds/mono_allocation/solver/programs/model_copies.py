r"""Pyomo models of allocations whose tasks, and whose files, may be copied.

* :math:`y_q^k` = 1 where a copy of :math:`T_k` runs on :math:`P_q`
* :math:`x_{qr}^{kl}`: the share of :math:`F_{kl}` that the copy of :math:`T_l` on :math:`P_r` gets
  from
  :math:`P_q` (for q = r it stays).

(1) minimise :math:`T`; (D1) :math:`\sum_q y_q^k \ge 1` for each task, :math:`= 1` for one without
successor

(D2) :math:`\sum_q x_{qr}^{kl} = y_r^l` for each file and processor

(D3) :math:`x_{qr}^{kl} \le y_q^k` for each file and pair of processors.

**Tasks, fixed routing**: :math:`x_{qr}^{kl} \in \{0, 1\}` for q other than r, over the one route of
the pair, and every resource is busy for :math:`\sum w_{ik} y_i^k + \sum data_{kl}\, t_{qru}
x_{qr}^{kl} \le T`: each copy of a file that is sent takes its time.

**Tasks, free routing and multipath**: :math:`f_a^{kl}` copies on link a, an integer under
``free``; x may be a fraction;

(D4) :math:`\sum_{a\ \text{from}\ q} f_a^{kl} - \sum_{a\ \text{to}\ q} f_a^{kl} =
\sum_r x_{qr}^{kl} - y_q^l` for each file and processor.

**Tasks and files**: a route may begin on any processor that has the file, which goes over each link
at most once. There is :math:`f_w^{kl} \in \{0, 1\}` for each route w that the routing knows. These
are the links under ``free`` routing and ``multipath`` (files that routers copy are not split), and
the given routes of all pairs under ``fixed``. For each file and each processor r that may need it,
a unit flow :math:`h^{kl,r}` over hops from the beginning of a route to a processor on it proves
that r gets it:

(D5) :math:`\sum_v h_{qv}^{kl,r} - \sum_v h_{vq}^{kl,r} = x_{qr}^{kl} - [q = r]\, y_r^l`

(D6) :math:`h_{qv}^{kl,r} \le \sum_{w\ \text{from}\ q\ \text{over}\ v} f_w^{kl}`

(D7) :math:`\sum_{w \ni a} f_w^{kl} \le 1` for each file and link.

(D1) and (D2) as equations only leave out copies that no task needs. A task may share a processor
with its producer: then q = r, and the file takes no link.

============== ===== ============================= =====================================
component      kind  index                         meaning, unit
============== ===== ============================= =====================================
``period``     Var   none                          T, `reference` time units
``placed``     Var   task, processor               y
``got``        Var   file, processor, processor    x
``sent``       Var   file, arc                     f over links
``chosen``     Var   file, processor, processor    f over given routes
``proof``      Var   file, r, q, v                 h
``once``       Con   task                          (D1)
``needs``      Con   file, processor               (D2)
``runs``       Con   file, processor, processor    (D3)
``kept``       Con   file, processor               (D4)
``proved``     Con   file, r, q                    (D5)
``open``       Con   file, r, q, v                 (D6)
``single``     Con   file, arc                     (D7), over given routes
``busy``       Con   resource                      T - ... >= 0
``held``       Con   processor                     (mem), of all copies
``ordered``    Con   task, processor, processor    (sym), by k' <= k
============== ===== ============================= =====================================

Infeasible only if there is no allocation within the limit; bounded, T >= 0.
"""

from collections import defaultdict
from fractions import Fraction

import pyomo.core as pyo

from steadygrid.engine.solving.terms import Terms, linear
from steadygrid.kinds.mono_allocation.solver.programs.model import (
    Program,
    add_assignment,
    add_busy,
    add_constraints,
    add_equations,
    add_limits,
    add_order,
    add_use,
)
from steadygrid.kinds.mono_allocation.solver.programs.model_routing import add_kept, add_sent


def build_copies(program: Program) -> Program:
    """State the program of the instance's routing and duplication. See `build_fixed`."""
    instance = program.tables.instance
    add_assignment(program, copies=True)
    if instance.duplication == "tasks_and_files":
        _add_got(program, every_pair=True)
        if instance.routing == "fixed":
            hops = _add_chosen(program)
        else:
            add_sent(program, pyo.Binary, whole=True)
            hops = _hops_of_links(program)
        _add_proofs(program, hops)
    elif instance.routing == "fixed":
        _add_got(program, every_pair=False)
        _add_given_paths(program)
    else:
        _add_got(program, every_pair=True)
        _add_copies_sent(program, whole=instance.routing == "free")
    _add_needs(program)
    _add_runs(program)
    add_busy(program)
    add_limits(program)
    add_order(program, copies=True)
    return program


def _add_got(program: Program, *, every_pair: bool) -> None:
    """Add x, for all pairs or only for those whose one route is within the limit."""
    tables = program.tables
    keys = [
        (f, q, r)
        for f, (k, l, size) in enumerate(tables.files)
        for q in program.control.timed(program.labels[k])
        for r in program.labels[l]
        if every_pair or _has_path(program, q, r, size)
    ]
    program.model.got = pyo.Var(keys, domain=pyo.UnitInterval)


def _has_path(program: Program, q: int, r: int, size: Fraction) -> bool:
    uses = program.tables.path_uses(q, r)
    return uses is not None and all(program.fits(size * time) for _, time in uses)


def _add_given_paths(program: Program) -> None:
    """Let what goes over given routes be whole, and take its time."""
    tables = program.tables
    for (f, q, r), variable in program.control.timed(program.model.got.items()):
        if q != r:
            variable.domain = pyo.Binary
            for resource, time in tables.path_uses(q, r) or ():
                add_use(program, resource, program.scaled(tables.files[f][2] * time), variable)


def _add_copies_sent(program: Program, *, whole: bool) -> None:
    """Add f over links for all copies together, and (D4)."""
    domain = pyo.NonNegativeIntegers if whole else pyo.NonNegativeReals
    add_sent(program, domain, whole=whole)
    tables, model = program.tables, program.model
    for (f, _), variable in model.sent.items():
        variable.setub(len(program.labels[tables.files[f][1]]))
    made: dict[tuple[int, int], Terms] = defaultdict(list)
    for (f, q, _), variable in program.control.timed(model.got.items()):
        made[f, q].append((-1, variable))
    for f, (_, l, _) in enumerate(tables.files):
        for r in program.labels[l]:
            made[f, r].append((1, model.placed[l, r]))
    add_kept(program, made)


def _add_needs(program: Program) -> None:
    """Add (D2)."""
    model = program.model
    rows: dict[tuple[int, int], Terms] = {
        (f, r): [(-1, model.placed[l, r])]
        for f, (_, l, _) in enumerate(program.tables.files)
        for r in program.labels[l]
    }
    for (f, _, r), variable in program.control.timed(model.got.items()):
        rows[f, r].append((1, variable))
    add_equations(program, "needs", rows)


def _add_runs(program: Program) -> None:
    """Add (D3)."""
    model, files = program.model, program.tables.files
    add_constraints(
        program,
        "runs",
        {
            (f, q, r): linear([(1, model.placed[files[f][0], q]), (-1, variable)]) >= 0
            for (f, q, r), variable in program.control.timed(model.got.items())
        },
    )


Hops = dict[tuple[int, int, int], Terms]
"""By file, beginning of a route and processor on it: the variables of such routes."""


def _hops_of_links(program: Program) -> Hops:
    arcs = program.tables.platform.arcs
    return {
        (f, arcs[arc].source, arcs[arc].target): [(1, variable)]
        for (f, arc), variable in program.control.timed(program.model.sent.items())
    }


def _add_chosen(program: Program) -> Hops:
    """Add f over given routes, what they take, and (D7)."""
    tables, model = program.tables, program.model
    processors = range(tables.num_processors)
    model.chosen = pyo.Var(
        [
            (f, q, r)
            for f, (_, _, size) in enumerate(tables.files)
            for q in program.control.timed(processors)
            for r in processors
            if q != r and _has_path(program, q, r, size)
        ],
        domain=pyo.Binary,
    )
    hops: Hops = defaultdict(list)
    rows: dict[tuple[int, int], Terms] = defaultdict(list)
    for (f, q, r), variable in program.control.timed(model.chosen.items()):
        for resource, time in tables.path_uses(q, r) or ():
            add_use(program, resource, program.scaled(tables.files[f][2] * time), variable)
        for arc in tables.reference_path(q, r) or ():
            rows[f, arc].append((1, variable))
            hops[f, q, tables.platform.arcs[arc].target].append((1, variable))
    add_constraints(program, "single", {key: linear(terms) <= 1 for key, terms in rows.items()})
    return hops


def _add_proofs(program: Program, hops: Hops) -> None:
    """Add h, (D5) and (D6)."""
    tables, model = program.tables, program.model
    by_file: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for f, q, v in hops:
        by_file[f].append((q, v))
    model.proof = pyo.Var(
        [
            (f, r, q, v)
            for f, (_, l, _) in enumerate(tables.files)
            for r in program.control.timed(program.labels[l])
            for q, v in by_file[f]
            if q != r
        ],
        domain=pyo.UnitInterval,
    )
    proved: dict[tuple[int, int, int], Terms] = defaultdict(list)
    for (f, q, r), variable in program.control.timed(model.got.items()):
        proved[f, r, q].append((-1, variable))
    for f, (_, l, _) in enumerate(tables.files):
        for r in program.labels[l]:
            proved[f, r, r].append((1, model.placed[l, r]))
    opened = {}
    for (f, r, q, v), variable in program.control.timed(model.proof.items()):
        proved[f, r, q].append((1, variable))
        proved[f, r, v].append((-1, variable))
        opened[f, r, q, v] = linear([*hops[f, q, v], (-1, variable)]) >= 0
    add_equations(program, "proved", proved)
    add_constraints(program, "open", opened)
