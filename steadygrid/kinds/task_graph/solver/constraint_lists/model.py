r"""Pyomo model of the program over constraint lists.

A list is a mapping of the tasks that constrain a file to processors. Lists are those of the
biconnected blocks of the undirected task graph; block b has its own variables for the tasks
that it shares with others. Per time unit, with :math:`C_k` the tasks that constrain what
:math:`T_k` makes within the block, and a fictitious END after all tasks without a file there:

(1) maximise :math:`\rho`; (2) :math:`\sum_i y_{ki} = \rho` for one task of each connected part;

(3) :math:`y_{ki} = \sum_L prod(P_i, T_k^L)` in each block, over the lists of what enters;

(13) :math:`cons(P_i, T_k^L) = \sum_{L_2} prod(P_i, T_k^{L_2})` over the lists
:math:`L_2` of what enters that agree with L and with :math:`T_k` on :math:`P_i` (substituted);

(16), (17), (18) for each resource r (ports, links, media, processors):
:math:`\sum_{ki} w_{ik} y_{ki} + \sum sent(P_i \to P_j, e_{kl}^L) data_{kl} t_{ijr} \le 1`;

(19) for each file, list and processor: :math:`\sum_j sent(P_j \to P_i, e_{kl}^L) +
cons(P_i, T_k^L) = \sum_j sent(P_i \to P_j, e_{kl}^L) + \sum_{L_2} prod(P_i, T_l^{L_2})`;

(END) for each task k without a file in the block and each list L over :math:`C_k`:
:math:`\sum_i cons(P_i, T_k^L) = \sum_M z(M)` over the lists M at END that agree with L.

Source: RR-4870, section 5, equations (13) and (16) to (19), with END added. Without END, two
tasks that both end an instance could disagree on where their common ancestors ran.

============== ===== ============================= ====================================
component      kind  index                         meaning, unit
============== ===== ============================= ====================================
``throughput`` Var   none                          rho, instances per time unit
``placed``     Var   task, processor               y, tasks per time unit
``ready``      Var   position in `ready`           prod, tasks per time unit
``sent``       Var   position in `sent`            files per time unit
``ended``      Var   position in `ended`           z, instances per time unit
``whole``      Con   connected part                (2)
``agreed``     Con   block, task, processor        (3)
``kept``       Con   number                        (19)
``finished``   Con   number                        (END)
``capacity``   Con   resource                      (16)-(18), share of time
============== ===== ============================= ====================================

Where no file that enters a task has a list, prod is y itself. Always feasible (all zero), and
bounded if every allocation takes some time of some resource; :math:`\rho = 0` is the optimum
if and only if there is no allocation.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from typing import Any

import pyomo.core as pyo

from steadygrid.domain.amounts import Amounts
from steadygrid.domain.platform import arc_uses
from steadygrid.domain.resources import compute_resource
from steadygrid.engine.solving.control import Control
from steadygrid.engine.solving.terms import Terms, linear
from steadygrid.kinds.task_graph.list_program import BlockLists, block_lists, components
from steadygrid.kinds.task_graph.schemas import TaskGraphInstance

Mapped = tuple[int, ...]
"""Processors of the tasks of a list, in the list's order."""


@dataclass
class ListProgram:
    """The model, and what the positions of its variables stand for.

    Attributes
    ----------
    ready
        (block, task, (its processor, those of the tasks of its incoming list)).
    sent
        (file, arc, processors of the tasks of its list).
    ended
        (block, processors of the tasks of END's list).
    """

    instance: TaskGraphInstance
    blocks: list[BlockLists]
    model: pyo.ConcreteModel
    control: Control
    ready: list[tuple[int, int, Mapped]] = field(default_factory=list)
    sent: list[tuple[int, int, Mapped]] = field(default_factory=list)
    ended: list[tuple[int, Mapped]] = field(default_factory=list)


def build_program(instance: TaskGraphInstance, control: Control) -> ListProgram:
    """Build the program over the constraint lists of every block.

    Parameters
    ----------
    instance
        Without faults.
    control
        Deadline, cancellation and progress of the solve.

    Raises
    ------
    Cancelled, OutOfTime
        If that takes too long.
    """
    edges = [(source, target) for source, target, _ in instance.files]
    blocks = block_lists(len(instance.times), edges)
    model = pyo.ConcreteModel(name="task_graph")
    program = ListProgram(instance, blocks, model, control)
    model.throughput = pyo.Var(domain=pyo.NonNegativeReals)
    model.placed = pyo.Var(
        [(k, i) for k, row in enumerate(instance.times) for i in _able(row)],
        domain=pyo.NonNegativeReals,
    )
    _name_variables(program)
    model.instances = pyo.Objective(expr=linear([(1, model.throughput)]), sense=pyo.maximize)
    parts = components(len(instance.times), edges)
    model.whole = pyo.Constraint(range(len(parts)), rule=lambda _, c: _whole(program, parts[c][0]))
    agreed: dict[tuple[int, int, int], Terms] = {}
    kept: dict[tuple[int, int, Mapped], Terms] = defaultdict(list)
    finished: dict[tuple[int, int, Mapped], Terms] = defaultdict(list)
    for b, ready in enumerate(_ready_variables(program)):
        _add_agreements(program, b, ready, agreed)
        _add_made_and_used(program, b, ready, kept)
        _add_ends(program, b, ready, finished)
    for position, (f, arc, mapped) in enumerate(program.sent):
        variable = model.sent[position]
        ends = instance.platform.arcs[arc]
        kept[f, ends.target, mapped].append((1, variable))
        kept[f, ends.source, mapped].append((-1, variable))
    for position, (b, mapped) in enumerate(program.ended):
        for k in sorted(blocks[b].sinks):
            if blocks[b].outgoing[k]:
                key = b, k, _projection(blocks[b].end, blocks[b].outgoing[k])(mapped)
                finished[key].append((-1, model.ended[position]))
    model.agreed = pyo.Constraint(list(agreed), rule=lambda _, *key: linear(agreed[key]) == 0)
    for name, rows in (("kept", kept), ("finished", finished)):
        balances = []
        for terms in rows.values():
            control.check()  # not within a rule: Pyomo logs what rules raise as an error
            balances.append(linear(terms) == 0)
        model.add_component(
            name,
            pyo.Constraint(range(len(balances)), rule=lambda _, r, b=balances: b[r]),
        )
    _add_capacities(program)
    return program


def _able(times: Sequence[Fraction | None]) -> list[int]:
    return [i for i, time in enumerate(times) if time is not None]


def _projection(tasks: Sequence[int], onto: Sequence[int]) -> Any:
    """Give the function that takes processors of `tasks` to those of `onto`, a part of them."""
    places = [tasks.index(task) for task in onto]
    return lambda mapped: tuple(mapped[place] for place in places)


def _maps(program: ListProgram, listed: Sequence[int]) -> Iterator[Mapped]:
    return product(*(_able(program.instance.times[task]) for task in listed))


def _name_variables(program: ListProgram) -> None:
    arcs = range(len(program.instance.platform.arcs))
    for b, block in enumerate(program.blocks):
        program.control.check()
        for k in block.order:
            if block.incoming[k]:
                program.ready += [(b, k, m) for m in _maps(program, (k, *block.incoming[k]))]
        for f in block.files:
            listed = block.outgoing[program.instance.files[f][0]]
            program.sent += [(f, arc, m) for m in _maps(program, listed) for arc in arcs]
        if block.end:
            program.ended += [(b, m) for m in _maps(program, block.end)]
    for name, keys in (
        ("ready", program.ready),
        ("sent", program.sent),
        ("ended", program.ended),
    ):
        variables = pyo.Var(range(len(keys)), domain=pyo.NonNegativeReals)
        program.model.add_component(name, variables)


Ready = dict[int, list[tuple[Mapped, Any]]]
"""By task, the processors of itself and of its incoming list, and the variable."""


def _ready_variables(program: ListProgram) -> list[Ready]:
    """Give prod of each block: y where nothing that enters has a list."""
    placed: dict[int, list[tuple[Mapped, Any]]] = defaultdict(list)
    for (k, i), variable in program.model.placed.items():
        placed[k].append(((i,), variable))
    found: list[Ready] = [
        {k: [] if block.incoming[k] else placed[k] for k in block.order} for block in program.blocks
    ]
    for position, (b, k, mapped) in enumerate(program.ready):
        found[b][k].append((mapped, program.model.ready[position]))
    return found


def _whole(program: ListProgram, task: int) -> Any:
    model = program.model
    terms: Terms = [(-1, model.throughput)]
    terms += [(1, model.placed[task, i]) for i in _able(program.instance.times[task])]
    return linear(terms) == 0


def _add_agreements(
    program: ListProgram, b: int, ready: Ready, rows: dict[tuple[int, int, int], Terms]
) -> None:
    for k, variables in ready.items():
        if program.blocks[b].incoming[k]:
            for i in _able(program.instance.times[k]):
                rows[b, k, i] = [(-1, program.model.placed[k, i])]
            for mapped, variable in variables:
                rows[b, k, mapped[0]].append((1, variable))


def _add_made_and_used(
    program: ListProgram, b: int, ready: Ready, rows: dict[tuple[int, int, Mapped], Terms]
) -> None:
    block = program.blocks[b]
    for f in block.files:
        program.control.check()
        source, target, _ = program.instance.files[f]
        listed = block.outgoing[source]
        for task, sign in ((source, 1), (target, -1)):
            project = _projection((task, *block.incoming[task]), listed)
            for mapped, variable in ready[task]:
                rows[f, mapped[0], project(mapped)].append((sign, variable))


def _add_ends(
    program: ListProgram, b: int, ready: Ready, rows: dict[tuple[int, int, Mapped], Terms]
) -> None:
    block = program.blocks[b]
    for k in sorted(block.sinks):
        if block.outgoing[k]:
            project = _projection((k, *block.incoming[k]), block.outgoing[k])
            for mapped, variable in ready[k]:
                rows[b, k, project(mapped)].append((1, variable))


def _add_capacities(program: ListProgram) -> None:
    instance, model = program.instance, program.model
    platform = instance.platform
    rows: dict[str, Terms] = defaultdict(list)
    for (k, i), variable in model.placed.items():
        needed = instance.times[k][i]
        if needed is not None and needed > 0:
            rows[compute_resource(platform.processors[i].id)].append((needed, variable))
    uses: list[dict[str, Fraction]] = []
    for arc in platform.arcs:
        merged: Amounts[str] = Amounts()
        for resource, time in arc_uses(platform, arc, instance.ports):
            merged[resource] += time
        uses.append(merged)
    for position, (f, number, _) in enumerate(program.sent):
        size = instance.files[f][2]
        if size:
            for resource, time in uses[number].items():
                rows[resource].append((size * time, model.sent[position]))
    model.capacity = pyo.Constraint(
        list(rows), rule=lambda _, resource: linear(rows[resource]) <= 1
    )
