r"""The linear program of divisible loads on a chain.

Installments :math:`t = 1, 2, \dots` are numbered in the order in which all of them are sent:
round by round, load by load. Installment :math:`t` is one of load :math:`k(t)`. With
:math:`\gamma_i^t` the fraction of its load that :math:`P_i` computes of installment :math:`t`,
:math:`w_i^k` the time of the whole load :math:`k` on :math:`P_i`, :math:`c_i^k` its time on the
link from :math:`P_i` to :math:`P_{i+1}`, and

.. math::

   \text{Comm}_{i,t}^{end} = \text{Comm}_{i,t}^{start}
   + c_i^{k(t)} \sum_{l > i} \gamma_l^t \tag{2.2e}

   \text{Comp}_{i,t}^{end} = \text{Comp}_{i,t}^{start} + w_i^{k(t)} \gamma_i^t \tag{2.2g}

(both substituted), the program is: minimise the makespan :math:`M` such that

.. math::

   \text{Comm}_{i+1,t}^{start} \ge \text{Comm}_{i,t}^{end} \tag{2.2a}

   \text{Comm}_{i,t+1}^{start} \ge \text{Comm}_{i+1,t}^{end}
   \quad k(t) = k(t+1), \text{ strict one-port} \tag{2.2b}

   \text{Comm}_{i,t+1}^{start} \ge \text{Comm}_{i+1,t}^{end}
   \quad k(t) \ne k(t+1), \text{ strict one-port} \tag{2.2c}

   \text{Comm}_{i,t}^{start} \ge 0, \quad \text{Comm}_{1,t}^{start} \ge r_{k(t)} \tag{2.2d}

   \text{Comp}_{i,t}^{start} \ge \text{Comm}_{i-1,t}^{end} \quad i \ge 2 \tag{2.2f}

   \text{Comp}_{i,t+1}^{start} \ge \text{Comp}_{i,t}^{end} \quad k(t) \ne k(t+1) \tag{2.2h}

   \text{Comp}_{i,t+1}^{start} \ge \text{Comp}_{i,t}^{end} \quad k(t) = k(t+1) \tag{2.2i}

   \text{Comp}_{i,1}^{start} \ge \tau_i, \quad \text{Comp}_{1,t}^{start} \ge r_{k(t)} \tag{2.2j}

   \gamma_i^t \ge 0 \tag{2.2k}

   \sum_{i} \sum_{t: k(t) = k} \gamma_i^t = 1 \quad \forall k \tag{2.2l}

   M \ge \text{Comp}_{i,t}^{end} \quad t \text{ the last} \tag{2.2m}

   \text{Comm}_{i,t+1}^{start} \ge \text{Comm}_{i,t}^{end} \tag{2.2n}

For the other objectives, with :math:`C_k` the completion of load :math:`k`, the place of (2.2m) is
taken by

.. math::

   C_k \ge \text{Comp}_{i,t}^{end} \quad t \text{ the last installment of } k \tag{2.5}

and the objective is :math:`\frac1m \sum_k C_k` or :math:`\sum_k \omega_k (C_k - r_k)`. A processor
that cannot compute a load has no :math:`\gamma_i^t` and no computations for it.

Source: Gallet, *Steady-State Scheduling of Task Graphs onto Heterogeneous Platforms*, program (2.2)
and section 2.5. (2.2n) is added: without it nothing serialises a link between two processors. Under
``strict_one_port``, (2.2a), (2.2b) and (2.2c) imply it on every link but the last.
"""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pyomo.environ as pyo
from pyomo.core.expr import LinearExpression

from workers.problems.divisible_chain.chain import Chain
from workers.problems.divisible_chain.goal import Goal

Terms = list[tuple[Fraction | int, Any]]

PRICED = {
    "arrives": "link{0}.installment{1}.arrives",
    "forwarded": "link{0}.installment{1}.forwarded",
    "forwarded_between": "link{0}.installment{1}.forwarded",
    "sent_from": "link{0}.installment{1}.released",
    "received": "processor{0}.installment{1}.received",
    "computed_next": "processor{0}.installment{1}.follows",
    "computed_next_load": "processor{0}.installment{1}.follows",
    "available": "processor{0}.installment{1}.available",
    "whole": "load{0}.whole",
    "makespan_reached": "processor{0}.makespan",
    "completed": "processor{0}.load{1}.completion",
    "sent_next": "link{0}.installment{1}.follows",
}
"""How a certificate calls the constraints of each component; positions count from 1."""


def build_model(
    chain: Chain,
    goal: Goal,
    participants: Sequence[int],
    check: Callable[[], None] = lambda: None,
) -> pyo.ConcreteModel:
    """Build program (2.2) over the processors that take part.

    ======================= ===== ====================== ====================================
    component               kind  index                  meaning, unit
    ======================= ===== ====================== ====================================
    ``share``               Var   processor, installment gamma, fraction of the whole load
    ``sending``             Var   link, installment      start of the transfer, time
    ``computing``           Var   processor, installment start of the computation, time
    ``makespan``            Var   (makespan)             M, time
    ``completion``          Var   load (other goals)     C, time
    ``goal``                Obj                          minimised, time
    ``arrives``             Con   link, installment      (2.2a), time
    ``forwarded``           Con   link, installment      (2.2b), time
    ``forwarded_between``   Con   link, installment      (2.2c), time
    ``sent_from``           Con   link, installment      (2.2d), time
    ``received``            Con   processor, installment (2.2f), time
    ``computed_next_load``  Con   processor, installment (2.2h), time
    ``computed_next``       Con   processor, installment (2.2i), time
    ``available``           Con   processor, installment (2.2j), time
    ``whole``               Con   load                   (2.2l), fraction
    ``makespan_reached``    Con   processor              (2.2m), time
    ``completed``           Con   processor, load        (2.5), time
    ``sent_next``           Con   link, installment      (2.2n), time
    ======================= ===== ====================== ====================================

    Positions count from 0; a link has the position of its sender; a constraint between two
    installments has the index of the later one, on the link or processor that waits. Feasible
    if every load has a participant that can compute it, and always bounded.

    Parameters
    ----------
    participants
        Positions of the processors that may compute, in order.
    check
        Called between the steps; may raise.
    """
    steps = range(len(chain.sequence))
    able = {
        i: [t for t in steps if chain.work[i][chain.sequence[t].load] is not None]
        for i in participants
    }
    computations = [(i, t) for i in participants for t in able[i]]
    model = pyo.ConcreteModel(name="divisible_chain")
    model.share = pyo.Var(computations, domain=pyo.NonNegativeReals, doc="gamma")
    model.sending = pyo.Var(
        range(chain.length - 1), steps, domain=pyo.NonNegativeReals, doc="Comm start"
    )
    model.computing = pyo.Var(computations, domain=pyo.NonNegativeReals, doc="Comp start")
    program = _Program(model, chain, participants, able)
    for add in (
        _add_arrival,
        _add_forward_before_receiving,
        _add_forward_before_next_load,
        _add_sending_dates,
        _add_reception,
        _add_load_order,
        _add_installment_order,
        _add_availability,
        _add_whole_loads,
        _add_link_order,
    ):
        check()
        add(program)
    check()
    if goal.name == "makespan":
        _add_makespan(program)
    else:
        _add_completions(program, goal)
    return model


class _Program:
    """The model with what its rules share."""

    def __init__(
        self,
        model: pyo.ConcreteModel,
        chain: Chain,
        participants: Sequence[int],
        able: dict[int, list[int]],
    ) -> None:
        self.model = model
        self.chain = chain
        self.participants = participants
        self.able = able
        sequence = chain.sequence
        self.firsts = [t for t in range(len(sequence)) if sequence[t].number == 1]
        """The first installment of each load."""

    def sent_end(self, link: int, t: int, sign: int) -> Terms:
        """(2.2e): the end of a transfer, times `sign`."""
        load = self.chain.sequence[t].load
        time = sign * self.chain.wire[link][load]
        terms: Terms = [(sign, self.model.sending[link, t])]
        if time:
            terms += [
                (time, self.model.share[i, t])
                for i in self.participants
                if i > link and (i, t) in self.model.share
            ]
        return terms

    def computed_end(self, processor: int, t: int, sign: int) -> Terms:
        """(2.2g): the end of a computation, times `sign`."""
        load = self.chain.sequence[t].load
        time = sign * self.chain.time(processor, load)
        terms: Terms = [(sign, self.model.computing[processor, t])]
        return [*terms, (time, self.model.share[processor, t])] if time else terms

    def add(
        self, name: str, rows: dict[Any, Terms], least: dict[Any, Fraction] | None = None
    ) -> None:
        """Add rows that say ``terms >= 0``, or ``>= least``."""
        self.model.add_component(
            name,
            pyo.Constraint(
                list(rows),
                rule=lambda _, *index: (
                    _linear(rows[index]) >= (0 if least is None else least[index])
                ),
            ),
        )


def _linear(terms: Terms) -> LinearExpression:
    return LinearExpression(
        constant=0,
        linear_coefs=[coefficient for coefficient, _ in terms],
        linear_vars=[variable for _, variable in terms],
    )


def _add_arrival(program: _Program) -> None:
    """(2.2a): a processor forwards an installment after it has it."""
    chain, sending = program.chain, program.model.sending
    program.add(
        "arrives",
        {
            (i, t): [(1, sending[i, t]), *program.sent_end(i - 1, t, -1)]
            for i in range(1, chain.length - 1)
            for t in range(len(chain.sequence))
        },
    )


def _forwarded(program: _Program, same_load: bool) -> dict[Any, Terms]:
    chain, sending = program.chain, program.model.sending
    if not chain.strict:
        return {}
    return {
        (i, t): [(1, sending[i, t]), *program.sent_end(i + 1, t - 1, -1)]
        for i in range(chain.length - 2)
        for t in range(1, len(chain.sequence))
        if (chain.sequence[t].load == chain.sequence[t - 1].load) == same_load
    }


def _add_forward_before_receiving(program: _Program) -> None:
    """(2.2b): a processor forwards an installment before it receives the load's next one."""
    program.add("forwarded", _forwarded(program, same_load=True))


def _add_forward_before_next_load(program: _Program) -> None:
    """(2.2c): a processor forwards a load's last installment before it receives the next load."""
    program.add("forwarded_between", _forwarded(program, same_load=False))


def _add_sending_dates(program: _Program) -> None:
    """(2.2d): nothing is sent before its load is released, or the link is free."""
    chain, sending = program.chain, program.model.sending
    dates: dict[Any, Fraction] = {}
    if chain.length > 1:
        dates = {(0, t): chain.released[chain.sequence[t].load] for t in program.firsts}
    for link, free in enumerate(chain.free):
        dates[link, 0] = max(dates.get((link, 0), free), free)
    dates = {place: date for place, date in dates.items() if date}
    program.add("sent_from", {place: [(1, sending[place])] for place in dates}, dates)


def _add_reception(program: _Program) -> None:
    """(2.2f): a processor computes an installment after it has it."""
    computing = program.model.computing
    program.add(
        "received",
        {
            (i, t): [(1, computing[i, t]), *program.sent_end(i - 1, t, -1)]
            for i, t in computing
            if i
        },
    )


def _computed_next(program: _Program, same_load: bool) -> dict[Any, Terms]:
    sequence, computing = program.chain.sequence, program.model.computing
    return {
        (i, t): [(1, computing[i, t]), *program.computed_end(i, earlier, -1)]
        for i in program.participants
        for earlier, t in pairwise(program.able[i])
        if (sequence[t].load == sequence[earlier].load) == same_load
    }


def _add_load_order(program: _Program) -> None:
    """(2.2h): a processor computes the loads in order."""
    program.add("computed_next_load", _computed_next(program, same_load=False))


def _add_installment_order(program: _Program) -> None:
    """(2.2i): a processor computes the installments of a load in order."""
    program.add("computed_next", _computed_next(program, same_load=True))


def _add_availability(program: _Program) -> None:
    """(2.2j): no computation before the processor is available, or the load released."""
    chain, computing = program.chain, program.model.computing
    dates: dict[Any, Fraction] = {}
    for i in program.participants:
        if i == 0:
            dates.update(
                {
                    (0, t): max(chain.available[0], chain.released[chain.sequence[t].load])
                    for t in program.firsts
                    if (0, t) in computing
                }
            )
        if program.able[i]:
            first = (i, program.able[i][0])
            dates[first] = max(dates.get(first, chain.available[i]), chain.available[i])
    dates = {place: date for place, date in dates.items() if date}
    program.add("available", {place: [(1, computing[place])] for place in dates}, dates)


def _add_whole_loads(program: _Program) -> None:
    """(2.2l): every load is computed completely."""
    model, chain = program.model, program.chain
    parts: list[Terms] = [[] for _ in range(chain.num_loads)]
    for i, t in model.share:
        parts[chain.sequence[t].load].append((1, model.share[i, t]))
    model.whole = pyo.Constraint(range(chain.num_loads), rule=lambda _, k: _linear(parts[k]) == 1)


def _add_link_order(program: _Program) -> None:
    """(2.2n): a link carries one installment after the other.

    Left out where (2.2a), (2.2b) and (2.2c) imply it.
    """
    chain, sending = program.chain, program.model.sending
    links = range(chain.length - 1)
    program.add(
        "sent_next",
        {
            (i, t): [(1, sending[i, t]), *program.sent_end(i, t - 1, -1)]
            for i in (links[-1:] if chain.strict else links)
            for t in range(1, len(chain.sequence))
        },
    )


def _add_makespan(program: _Program) -> None:
    """(2.2m): the makespan is no shorter than what any processor computes last."""
    model = program.model
    model.makespan = pyo.Var(domain=pyo.NonNegativeReals, doc="M")
    model.goal = pyo.Objective(expr=_linear([(1, model.makespan)]), sense=pyo.minimize)
    rows: dict[Any, Terms] = {
        (i,): [(1, model.makespan), *program.computed_end(i, program.able[i][-1], -1)]
        for i in program.participants
        if program.able[i]
    }
    program.add("makespan_reached", rows)


def _add_completions(program: _Program, goal: Goal) -> None:
    """(2.5): a load is complete when every participant has passed its last installment."""
    model, chain = program.model, program.chain
    model.completion = pyo.Var(range(chain.num_loads), domain=pyo.NonNegativeReals, doc="C_k")
    model.goal = pyo.Objective(
        expr=_linear([(w, model.completion[k]) for k, w in enumerate(goal.weights)])
        - goal.constant,
        sense=pyo.minimize,
    )
    rows: dict[Any, Terms] = {}
    for i, k, t in _last_computations(program):
        rows[i, k] = [(1, model.completion[k]), *program.computed_end(i, t, -1)]
    program.add("completed", rows)


def _last_computations(program: _Program) -> Iterator[tuple[int, int, int]]:
    """Give processor, load and last installment of every load that it can compute."""
    for i in program.participants:
        last = {program.chain.sequence[t].load: t for t in program.able[i]}
        for load, t in last.items():
            yield i, load, t
