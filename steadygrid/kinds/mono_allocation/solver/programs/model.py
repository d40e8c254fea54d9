r"""Pyomo model of one allocation under fixed routing, and what all programs of the kind share.

* :math:`y_q^k` = 1 where :math:`T_k` runs on :math:`P_q`
* :math:`x_{qr}^{kl}` = 1 where the file :math:`F_{kl}` goes from :math:`P_q` to :math:`P_r` over
  the one route :math:`P_q \rightsquigarrow P_r` (which is empty, and free of cost, for q = r).

(1) minimise :math:`T`

(4.1a) :math:`y_q^k \in \{0, 1\}`, :math:`x_{qr}^{kl} \ge 0`

(4.1b) :math:`\sum_q y_q^k = 1` for each task

(4.1c) :math:`\sum_r x_{qr}^{kl} = y_q^k` for each file and processor

(4.1d) :math:`\sum_q x_{qr}^{kl} = y_r^l` for each file and processor

(4.1e)-(4.1i) for each resource u: :math:`\sum_{ki} w_{ik} [P_i\ \text{computes with}\ u]\, y_i^k +
\sum_{qr} t_{qru} \sum_{kl} data_{kl}\, x_{qr}^{kl} \le T`, with :math:`t_{qru}` the time that the
route spends on u per unit of data

(cap) the same without files, at most the limit, for each processor: rows of nothing but binary
variables, from which the solver derives cuts

(mem) :math:`\sum_k m_k y_i^k \le M_i` for each processor with a limit of memory, divided by it

(int) where processors run intervals of a chain, each begins one at most: with the task before k in
the chain, :math:`b_i^k \ge y_i^k - y_i^{k-1}` (nothing before the first), :math:`\sum_k b_i^k \le 1`

(sym) where processors are interchangeable, the lowest task on each of them grows from one to the
next: :math:`y_{j+1}^k \le \sum_{k' < k} y_j^{k'}`.

Source: Gallet, *Steady-State Scheduling of Task Graphs onto Heterogeneous Platforms* (2009),
program (4.1). The source's (4.1c) and (4.1d), :math:`x_{qr}^{kl} \le y_q^k` and
:math:`y_r^k + \sum_{q \ne r} x_{qr}^{kl} \ge y_r^l` (corrected), follow. The equations are the convex hull of :math:`x = y_q^k y_r^l` for one
file, so that x need not be integer. (4.1f) is substituted; with variables for what each pair or
each link carries the relaxation takes four times as long. (cap), (mem), (int) and (sym) are
steadygrid's.

Times are divided by a power of two near a known period, so that T is about 1. A coefficient too
small for double precision is left out: that can only lower the optimum.

============== ===== ============================= =====================================
component      kind  index                         meaning, unit
============== ===== ============================= =====================================
``period``     Var   none                          T, `reference` time units
``placed``     Var   task, processor               y
``moved``      Var   file, processor, processor    x
``once``       Con   task                          (4.1b)
``leaves``     Con   file, processor               (4.1c), x - y = 0
``arrives``    Con   file, processor               (4.1d), x - y = 0
``busy``       Con   resource                      (4.1e)-(4.1i), T - ... >= 0
``capped``     Con   processor                     (cap), where there is a limit
``begins``     Var   task, processor               b, where intervals are asked for
``held``       Con   processor                     (mem)
``begun``      Con   task, processor               (int), b - y + y >= 0
``apart``      Con   processor                     (int), the sum
``ordered``    Con   task, processor, processor    (sym)
============== ===== ============================= =====================================

Assignments and pairs that no allocation within a given limit of the period can use do not exist.
Their time, or their transfer on some resource, is beyond it, or they have no partner at the other
end of a file. The program is infeasible only if there is no allocation within the
limit. It is bounded, T >= 0.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from typing import Any, Self

import pyomo.core as pyo

from steadygrid.engine.solving.control import Control
from steadygrid.engine.solving.terms import Terms, linear
from steadygrid.kinds.mono_allocation.solver.tables import MonoTables

Labels = Sequence[Sequence[int]]
"""For each task, processors that may run it."""
Pair = tuple[int, int]

LARGEST_INVERSE = 10**8
"""Coefficients below one over this are left out."""


class NoAssignment(Exception):
    """There is no allocation within the limit: some task has no processor left."""


@dataclass(frozen=True)
class Program:
    """A program of the kind, and what all its rules are about.

    Attributes
    ----------
    labels
        For each task, the processors that may run it within the limit.
    reference
        The time unit of the model: a power of two.
    limit
        Periods that matter are at most this. None for no limit.
    strict
        Whether they are below it.
    classes
        Interchangeable processors that (sym) puts in order, each class by increasing index.
    busy
        What (4.1e) to (4.1i) sum up, by resource; rules that add variables add to it.
    """

    model: pyo.ConcreteModel
    tables: MonoTables
    control: Control
    labels: tuple[tuple[int, ...], ...]
    reference: Fraction
    limit: Fraction | None
    strict: bool
    classes: Sequence[Sequence[int]]
    busy: Mapping[int, Terms]

    @classmethod
    def begun(
        cls,
        tables: MonoTables,
        control: Control,
        *,
        reference: Fraction,
        labels: Labels | None = None,
        limit: Fraction | None = None,
        strict: bool = False,
        classes: Sequence[Sequence[int]] = (),
    ) -> Self:
        """Begin a program, as yet without any rule, with the assignments within the limit.

        Parameters
        ----------
        reference
            A period to measure by, such as that of a known mapping.
        labels
            Processors per task. None for all that can run it, but of interchangeable ones no more
            than are needed.
        limit, strict
            Longest period of interest, and whether it is not of interest itself.
        classes
            Interchangeable processors.

        Raises
        ------
        NoAssignment
            If no processor is left for some task.
        """
        program = cls(
            pyo.ConcreteModel(name="mono_allocation"),
            tables,
            control,
            (),
            power_of_two(reference),
            limit,
            strict,
            classes,
            defaultdict(list),
        )
        return program.restricted(
            [i for i in row if program.fits(tables.time(k, i))]
            for k, row in control.timed(
                enumerate(tables.needed_labels if labels is None else labels)
            )
        )

    def restricted(self, labels: Iterable[Iterable[int]]) -> Self:
        """Give the program with fewer assignments.

        Raises
        ------
        NoAssignment
            If no processor is left for some task.
        """
        fewer = replace(self, labels=tuple(tuple(row) for row in labels))
        if not all(fewer.labels):
            raise NoAssignment
        return fewer

    def fits(self, time: Fraction) -> bool:
        """Whether one operation may take so long."""
        return self.limit is None or time < self.limit or (not self.strict and time == self.limit)

    def scaled(self, time: Fraction) -> Fraction:
        """Give a time in the model's unit."""
        return time / self.reference


def power_of_two(value: Fraction) -> Fraction:
    """Give the power of two near a positive number; 1 for 0."""
    if value <= 0:
        return Fraction(1)
    return Fraction(2) ** (value.numerator.bit_length() - value.denominator.bit_length())


def build_fixed(program: Program) -> Program:
    """State program (4.1): one processor per task, one given route per pair of processors.

    Parameters
    ----------
    program
        As it begins, without any rule. So for all builders.

    Raises
    ------
    NoAssignment
        If there is no allocation within the limit.
    Cancelled, OutOfTime
        If that takes too long.
    """
    program, pairs = _with_consistent_pairs(program)
    add_assignment(program)
    _add_moves(program, pairs)
    _add_leaves(program)
    _add_arrives(program)
    add_busy(program)
    _add_caps(program)
    add_limits(program)
    add_order(program)
    return program


def add_constraints(program: Program, name: str, rows: Mapping[Any, Any]) -> None:
    """Add named constraints, checking the time before each.

    Parameters
    ----------
    program
        Is extended.
    name
        Of the component.
    rows
        Relation of each index.
    """
    control = program.control

    def stated(_: Any, *key: Any) -> Any:
        control.check()
        return rows[key if len(key) > 1 else key[0]]

    control.check()
    program.model.add_component(name, pyo.Constraint(list(rows), rule=stated))


def add_equations(program: Program, name: str, rows: Mapping[Any, Terms]) -> None:
    """Add named constraints: sums that are 0.

    Parameters
    ----------
    program
        Is extended.
    name
        Of the component.
    rows
        Terms of each index.
    """
    sums = program.control.timed(rows.items())
    add_constraints(program, name, {key: linear(terms) == 0 for key, terms in sums})


def _with_consistent_pairs(program: Program) -> tuple[Program, dict[int, list[Pair]]]:
    """Leave out assignments without a partner, and give the pairs of processors of each file."""
    tables = program.tables
    longest: dict[Pair, Fraction | None] = {}
    labels = [dict.fromkeys(row) for row in program.labels]
    changed = True
    pairs: dict[int, list[Pair]] = {}
    for f, (k, l, size) in enumerate(tables.files):
        pairs[f] = []
        for q in program.control.timed(labels[k]):
            for r in labels[l]:
                if (q, r) not in longest:
                    uses = tables.path_uses(q, r)
                    longest[q, r] = (
                        None if uses is None else max((t for _, t in uses), default=Fraction(0))
                    )
                time = longest[q, r]
                if time is not None and program.fits(size * time):
                    pairs[f].append((q, r))
    while changed:
        changed = False
        for f, (k, l, _) in program.control.timed(enumerate(tables.files)):
            kept = [(q, r) for q, r in pairs[f] if q in labels[k] and r in labels[l]]
            pairs[f] = kept
            for task, able in ((k, {q for q, _ in kept}), (l, {r for _, r in kept})):
                if len(able) < len(labels[task]):
                    labels[task] = {i: None for i in labels[task] if i in able}
                    changed = True
    return program.restricted(labels), pairs


def add_assignment(program: Program, *, copies: bool = False) -> None:
    """Add T, y, (1) and (4.1b), and what computing takes of (4.1e).

    With copies, a task with successors runs at least once.

    Parameters
    ----------
    program
        Is extended.
    copies
        Whether a task may run on several processors.
    """
    tables, model = program.tables, program.model
    upper = None if program.limit is None else program.scaled(program.limit)
    model.period = pyo.Var(domain=pyo.NonNegativeReals, bounds=(0, upper))
    model.shortest = pyo.Objective(expr=linear([(1, model.period)]))
    model.placed = pyo.Var(
        [(k, i) for k, row in enumerate(program.labels) for i in row], domain=pyo.Binary
    )
    add_constraints(
        program,
        "once",
        {
            k: _placed_once(
                [(1, model.placed[k, i]) for i in row], copies and bool(tables.outgoing[k])
            )
            for k, row in enumerate(program.labels)
        },
    )
    for (k, i), variable in program.control.timed(model.placed.items()):
        add_use(program, i, program.scaled(tables.time(k, i)), variable)


def _placed_once(terms: Terms, copies: bool) -> Any:
    return linear(terms) >= 1 if copies else linear(terms) == 1


def _matters(time: Fraction) -> bool:
    return time.numerator * LARGEST_INVERSE >= time.denominator


def add_use(program: Program, resource: int, time: Fraction, variable: Any) -> None:
    """Let a variable take time of a resource, unless it is too little for double precision.

    Parameters
    ----------
    program
        Is extended.
    resource
        By position.
    time
        In units of the program, per unit of the variable.
    variable
        Of its Pyomo model.
    """
    if _matters(time):
        program.busy[resource].append((-time, variable))


def _add_moves(program: Program, pairs: dict[int, list[Pair]]) -> None:
    """Add x, and what it takes of (4.1f) to (4.1i)."""
    tables, reference = program.tables, program.reference
    program.model.moved = pyo.Var(
        [(f, q, r) for f, listed in pairs.items() for q, r in listed],
        domain=pyo.NonNegativeReals,
    )
    coefficients: dict[tuple[Fraction, int, int], list[tuple[int, Fraction]]] = {}
    busy = program.busy
    for (f, q, r), variable in program.control.timed(program.model.moved.items()):
        size = tables.files[f][2]
        if q == r or not size:
            continue
        key = size, q, r
        if key not in coefficients:
            scaled = size / reference
            coefficients[key] = [
                (resource, -time)
                for resource, unit in tables.path_uses(q, r) or ()
                if _matters(time := scaled * unit)
            ]
        for resource, coefficient in coefficients[key]:
            busy[resource].append((coefficient, variable))


def _add_leaves(program: Program) -> None:
    """Add (4.1c): each file leaves the processor of its producer."""
    _add_linking(program, "leaves", 0)


def _add_arrives(program: Program) -> None:
    """Add (4.1d): each file arrives at the processor of its user."""
    _add_linking(program, "arrives", 1)


def _add_linking(program: Program, name: str, end: int) -> None:
    model = program.model
    rows: dict[Pair, Terms] = {}
    for f, (k, l, _) in enumerate(program.tables.files):
        task = (k, l)[end]
        for i in program.labels[task]:
            rows[f, i] = [(-1, model.placed[task, i])]
    for (f, *ends), variable in program.control.timed(model.moved.items()):
        if (f, ends[end]) in rows:
            rows[f, ends[end]].append((1, variable))
    add_equations(program, name, rows)


def add_busy(program: Program) -> None:
    """Add (4.1e) and (4.1g) to (4.1i), by the names of the resources."""
    model = program.model
    add_constraints(
        program,
        "busy",
        {
            program.tables.resources[resource]: linear([(1, model.period), *terms]) >= 0
            for resource, terms in program.control.timed(sorted(program.busy.items()))
        },
    )


def _add_caps(program: Program) -> None:
    """Add (cap)."""
    if program.limit is None:
        return
    tables, model = program.tables, program.model
    rows: dict[int, Terms] = defaultdict(list)
    for (k, i), variable in model.placed.items():
        time = program.scaled(tables.time(k, i))
        if _matters(time):
            rows[i].append((time, variable))
    limit = program.scaled(program.limit)
    add_constraints(program, "capped", {i: linear(terms) <= limit for i, terms in rows.items()})


def add_limits(program: Program) -> None:
    """Add (mem) and (int), where they were asked for."""
    limits, model = program.tables.limits, program.model
    if limits is None:
        return
    held: dict[int, Terms] = defaultdict(list)
    for (k, i), variable in model.placed.items():
        room = limits.room[i]
        if room and limits.needs[k]:
            held[i].append((limits.needs[k] / room, variable))
    add_constraints(program, "held", {i: linear(terms) <= 1 for i, terms in held.items()})
    if limits.order is None:
        return
    before = dict(zip(limits.order[1:], limits.order, strict=False))
    model.begins = pyo.Var(list(model.placed), domain=pyo.UnitInterval)
    begun, apart = {}, defaultdict(list)
    for (k, i), variable in model.begins.items():
        terms: Terms = [(1, variable), (-1, model.placed[k, i])]
        if k in before and (before[k], i) in model.placed:
            terms.append((1, model.placed[before[k], i]))
        begun[k, i] = linear(terms) >= 0
        apart[i].append((1, variable))
    add_constraints(program, "begun", begun)
    add_constraints(program, "apart", {i: linear(terms) <= 1 for i, terms in apart.items()})


def add_order(program: Program, *, copies: bool = False) -> None:
    """Add (sym); with copies, the same task may come first on the processor before.

    Parameters
    ----------
    program
        Is extended.
    copies
        Whether a task may run on several processors.
    """
    placed = program.model.placed
    rows = {}
    for members in program.control.timed(program.classes):
        for first, second in pairwise(members):
            for k, row in enumerate(program.labels):
                if second in row:
                    terms: Terms = [(-1, placed[k, second])]
                    terms += [
                        (1, placed[e, first]) for e in range(k + copies) if (e, first) in placed
                    ]
                    rows[k, first, second] = linear(terms) >= 0
    add_constraints(program, "ordered", rows)
