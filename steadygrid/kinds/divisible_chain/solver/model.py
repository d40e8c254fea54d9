r"""The linear program of divisible loads on a chain.

Installments :math:`t = 1, 2, \dots` are numbered in the order in which all of them are sent:
round by round, load by load. Installment :math:`t` is one of load :math:`k(t)`. Let

* :math:`\gamma_i^t` be the fraction of its load that :math:`P_i` computes of installment :math:`t`
* :math:`w_i^k` the time of the whole load :math:`k` on :math:`P_i`
* :math:`c_i^k` its time on the link from :math:`P_i` to :math:`P_{i+1}`.

With

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

   C_k \ge \text{Comp}_{i,t}^{end} \quad P_i \text{ computes some of } k \text{, and } t \text{ is its
   last installment} \tag{2.5}

and the objective is :math:`\frac1m \sum_k C_k` or :math:`\sum_k \omega_k (C_k - r_k)`. A processor
that cannot compute a load has no :math:`\gamma_i^t` and no computations for it. Which of (2.5) and
(2.2j) hold depends on who computes what, see `steadygrid.kinds.divisible_chain.solver.cases`; from there
come programs of single loads, too, with the same :math:`\gamma` and dates of their own.

Source: Gallet, *Steady-State Scheduling of Task Graphs onto Heterogeneous Platforms*, program (2.2)
and section 2.5. (2.2n) is added: without it nothing serialises a link between two processors. Under
``strict_one_port``, (2.2a), (2.2b) and (2.2c) imply it on every link but the last. There (2.5) is
meant for all processors; here one that computes nothing of a load does not delay it.
"""

from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pyomo.core as pyo

from steadygrid.engine.solving.terms import Terms, linear
from steadygrid.kinds.divisible_chain.solver.cases import Rules, Strand

PRICED = {
    "arrives": "link{0}.installment{1}.arrives",
    "forwarded": "link{0}.installment{1}.forwarded",
    "sent_from": "link{0}.installment{1}.released",
    "received": "processor{0}.installment{1}.received",
    "computed_next": "processor{0}.installment{1}.follows",
    "available": "processor{0}.installment{1}.available",
    "whole": "load{0}.whole",
    "makespan_reached": "processor{0}.makespan",
    "completed": "load{0}.processor{1}.installment{2}.completed",
    "sent_next": "link{0}.installment{1}.follows",
}
"""How a certificate calls the constraints of each component; positions count from 1."""


def build_model(rules: Rules, check: Callable[[], None] = lambda: None) -> pyo.ConcreteModel:
    """Build program (2.2) with what holds in a case.

    ======================= ===== ============================== =============================
    component               kind  index                          meaning, unit
    ======================= ===== ============================== =============================
    ``share``               Var   processor, installment         gamma, fraction of the load
    ``sending``             Var   strand, link, installment      start of the transfer, time
    ``computing``           Var   strand, processor, installment start of the computation, time
    ``makespan``            Var   (makespan)                     M, time
    ``completion``          Var   load (other goals)             C, time
    ``goal``                Obj                                  minimised, time
    ``arrives``             Con   strand, link, installment      (2.2a), time
    ``forwarded``           Con   strand, link, installment      (2.2b), (2.2c), time
    ``sent_from``           Con   strand, link, installment      (2.2d), time
    ``received``            Con   strand, processor, installment (2.2f), time
    ``computed_next``       Con   strand, processor, installment (2.2h), (2.2i), time
    ``available``           Con   strand, processor, installment (2.2j), time
    ``whole``               Con   load                           (2.2l), fraction
    ``makespan_reached``    Con   strand, processor              (2.2m), time
    ``completed``           Con   strand, load, processor,       (2.5), time
                                  installment
    ``sent_next``           Con   strand, link, installment      (2.2n), time
    ======================= ===== ============================== =============================

    Positions count from 0. A link has the position of its sender. A constraint between two
    installments has the index of the later one, on the link or processor that waits. Always
    bounded; infeasible only where no processor may compute some load.

    Parameters
    ----------
    check
        Called between the steps; may raise.
    """
    chain, goal = rules.chain, rules.goal
    links = range(chain.length - 1)
    strands = list(enumerate(rules.strands))
    model = pyo.ConcreteModel(name="divisible_chain")
    shares = [(i, t) for i, row in rules.strands[0].able.items() for t in row]
    model.share = pyo.Var(shares, domain=pyo.NonNegativeReals, doc="gamma")
    model.sending = pyo.Var(
        [(s, link, t) for s, strand in strands for t in strand.before for link in links],
        domain=pyo.NonNegativeReals,
        doc="Comm start",
    )
    model.computing = pyo.Var(
        [(s, i, t) for s, strand in strands for i, row in strand.able.items() for t in row],
        domain=pyo.NonNegativeReals,
        doc="Comp start",
    )
    if goal.name == "makespan":
        model.makespan = pyo.Var(domain=pyo.NonNegativeReals, doc="M")
        value = linear([(1, model.makespan)])
    else:
        model.completion = pyo.Var(range(chain.num_loads), domain=pyo.NonNegativeReals, doc="C_k")
        weighted = linear([(w, model.completion[k]) for k, w in enumerate(goal.weights)])
        value = weighted - goal.constant
    model.goal = pyo.Objective(expr=value, sense=pyo.minimize)
    programs = [_Program(model, rules, s, strand) for s, strand in strands]
    for name, rows in (
        ("arrives", _Program.arrives),
        ("forwarded", _Program.forwarded),
        ("sent_from", _Program.sent_from),
        ("received", _Program.received),
        ("computed_next", _Program.computed_next),
        ("available", _Program.available),
        ("makespan_reached", _Program.makespan_reached),
        ("completed", _Program.completed),
        ("sent_next", _Program.sent_next),
    ):
        check()
        _add(model, name, (row for program in programs for row in rows(program)))
    _add_whole_loads(model, rules)
    return model


Row = tuple[Any, Terms, Fraction]
"""Index, terms, and what they are no less than."""

ZERO = Fraction(0)


def _add(model: pyo.ConcreteModel, name: str, rows: Iterable[Row]) -> None:
    known = {index: (terms, least) for index, terms, least in rows}
    model.add_component(
        name,
        pyo.Constraint(
            list(known), rule=lambda _, *index: linear(known[index][0]) >= known[index][1]
        ),
    )


def _add_whole_loads(model: pyo.ConcreteModel, rules: Rules) -> None:
    """(2.2l): every load is computed completely."""
    chain = rules.chain
    parts: list[Terms] = [[] for _ in range(chain.num_loads)]
    for i, t in model.share:
        parts[chain.sequence[t].load].append((1, model.share[i, t]))
    model.whole = pyo.Constraint(range(chain.num_loads), rule=lambda _, k: linear(parts[k]) == 1)


class _Program:
    """The constraints of a strand."""

    def __init__(self, model: pyo.ConcreteModel, rules: Rules, number: int, strand: Strand) -> None:
        self.model = model
        self.chain = rules.chain
        self.workers = rules.workers
        self.number = number
        self.strand = strand
        self.links = range(rules.chain.length - 1)

    def sending(self, link: int, t: int) -> Any:
        """Give the start of a transfer."""
        return self.model.sending[self.number, link, t]

    def computing(self, processor: int, t: int) -> Any:
        """Give the start of a computation."""
        return self.model.computing[self.number, processor, t]

    def sent_end(self, link: int, t: int) -> Terms:
        """(2.2e): less the end of a transfer."""
        time = self.chain.wire[link][self.chain.sequence[t].load]
        terms: Terms = [(-1, self.sending(link, t))]
        if time:
            terms += [
                (-time, self.model.share[i, t])
                for i in self.workers
                if i > link and (i, t) in self.model.share
            ]
        return terms

    def computed_end(self, processor: int, t: int) -> Terms:
        """(2.2g): less the end of a computation."""
        time = self.chain.time(processor, self.chain.sequence[t].load)
        terms: Terms = [(-1, self.computing(processor, t))]
        return [*terms, (-time, self.model.share[processor, t])] if time else terms

    def arrives(self) -> Iterable[Row]:
        """(2.2a): a processor forwards an installment after it has it."""
        for link in self.links[1:]:
            for t in self.strand.before:
                terms = [(1, self.sending(link, t)), *self.sent_end(link - 1, t)]
                yield (self.number, link, t), terms, ZERO

    def forwarded(self) -> Iterable[Row]:
        """(2.2b), (2.2c): a processor forwards an installment before it receives the next."""
        for link in self.links[:-1] if self.chain.strict else ():
            for t, before in self.strand.before.items():
                if before is not None:
                    terms = [(1, self.sending(link, t)), *self.sent_end(link + 1, before)]
                    yield (self.number, link, t), terms, ZERO

    def sent_from(self) -> Iterable[Row]:
        """(2.2d): nothing is sent before its load is released, or the link is free."""
        chain = self.chain
        for t, before in self.strand.before.items():
            piece = chain.sequence[t]
            for link in self.links:
                date = chain.free[link] if before is None and not self.strand.prefix else ZERO
                if link == 0 and piece.number == 1:
                    date = max(date, chain.released[piece.load])
                if date:
                    yield (self.number, link, t), [(1, self.sending(link, t))], date

    def received(self) -> Iterable[Row]:
        """(2.2f): a processor computes an installment after it has it."""
        for i, row in self.strand.able.items():
            for t in row if i else ():
                terms = [(1, self.computing(i, t)), *self.sent_end(i - 1, t)]
                yield (self.number, i, t), terms, ZERO

    def computed_next(self) -> Iterable[Row]:
        """(2.2h), (2.2i): a processor computes loads, and their installments, in order."""
        for i, row in self.strand.able.items():
            for earlier, t in pairwise(row):
                terms = [(1, self.computing(i, t)), *self.computed_end(i, earlier)]
                yield (self.number, i, t), terms, ZERO

    def available(self) -> Iterable[Row]:
        """(2.2j): no computation before the processor is available, or the load released."""
        for (i, t), date in self.strand.dates.items():
            yield (self.number, i, t), [(1, self.computing(i, t))], date

    def sent_next(self) -> Iterable[Row]:
        """(2.2n): a link carries one installment after the other.

        Left out where (2.2a), (2.2b) and (2.2c) imply it.
        """
        for link in self.links[-1:] if self.chain.strict else self.links:
            for t, before in self.strand.before.items():
                if before is not None:
                    terms = [(1, self.sending(link, t)), *self.sent_end(link, before)]
                    yield (self.number, link, t), terms, ZERO

    def makespan_reached(self) -> Iterable[Row]:
        """(2.2m): the makespan is no shorter than what any processor computes last."""
        for load, i, t in self.strand.ends:
            if load is None:
                terms = [(1, self.model.makespan), *self.computed_end(i, t)]
                yield (self.number, i), terms, ZERO

    def completed(self) -> Iterable[Row]:
        """(2.5), where it holds."""
        for load, i, t in self.strand.ends:
            if load is not None:
                terms = [(1, self.model.completion[load]), *self.computed_end(i, t)]
                yield (self.number, load, i, t), terms, ZERO
