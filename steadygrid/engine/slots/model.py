r"""Programs with slots: what slots carry, the best mix of allocations, and the heaviest slot.

The mix, with :math:`x_a` instances of allocation a per time unit, of which each takes
:math:`t_{ap}` of processor p and :math:`t_{ae}` of arc e, over slots S:

(1) maximise :math:`\sum_a x_a`. Where an instance is one of each of several streams, it is the
least of the sums over the allocations of each, :math:`\rho \le \sum_{a \text{ of } m} x_a` (5)

(2) for each processor p, :math:`\sum_a t_{ap} x_a \le 1`

(3) for each arc e, :math:`\sum_a t_{ae} x_a \le \sum_{S \ni e} \lambda_S`

(4) :math:`\sum_S \lambda_S \le 1`.

The rows of ports and links follow from (3) and (4).
"""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

import pyomo.core as pyo

from steadygrid.domain.platform import Platform, receiving_port, sending_port
from steadygrid.engine.solving.terms import Terms, linear


class Takes(NamedTuple):
    """What one instance of an allocation takes: time by processor, and by arc."""

    computing: Mapping[str, Fraction]
    sending: Mapping[int, Fraction]
    stream: str | None = None
    """Which of several streams it is for, if an instance is one of each."""


def build_mix(allocations: Sequence[Takes], slots: Sequence[Collection[int]]) -> pyo.ConcreteModel:
    """Build program (1)-(4) over some allocations and slots.

    ================ ===== =========================== =====================================
    component        kind  index                       meaning, unit
    ================ ===== =========================== =====================================
    ``rate``         Var   position in `allocations`   x, instances per time unit
    ``throughput``   Obj                               (1), instances per time unit
    ``compute``      Con   processor                   (2), share of time
    ``each``         Con   stream                      (5), instances per time unit; of several
    ================ ===== =========================== =====================================

    and the components of `add_slots`. Always feasible; bounded if every allocation takes some time.

    Parameters
    ----------
    allocations
        What one instance of each takes of processors and arcs.
    slots
        Sets of arcs that may be in use at the same time, by index.
    """
    model = pyo.ConcreteModel(name="mix_in_slots")
    model.rate = pyo.Var(range(len(allocations)), domain=pyo.NonNegativeReals, doc="x_a")
    computing: dict[str, Terms] = defaultdict(list)
    sending: dict[int, Terms] = defaultdict(list)
    for number, takes in enumerate(allocations):
        for processor, time in takes.computing.items():
            computing[processor].append((time, model.rate[number]))
        for arc, time in takes.sending.items():
            sending[arc].append((time, model.rate[number]))
    streams: dict[str | None, Terms] = defaultdict(list)
    for number, takes in enumerate(allocations):
        streams[takes.stream].append((1, model.rate[number]))
    most = [term for terms in streams.values() for term in terms]
    if len(streams) > 1:
        model.least = pyo.Var(domain=pyo.NonNegativeReals, doc="rho")
        most = [(1, model.least)]
    model.each = pyo.Constraint(
        list(streams) if len(streams) > 1 else [],
        rule=lambda m, s: linear([(1, m.least), *((-c, x) for c, x in streams[s])]) <= 0,
    )
    model.throughput = pyo.Objective(expr=linear(most), sense=pyo.maximize)
    model.compute = pyo.Constraint(list(computing), rule=lambda _, p: linear(computing[p]) <= 1)
    add_slots(model, sending, slots)
    return model


def add_slots(
    model: pyo.ConcreteModel, sending: Mapping[int, Terms], slots: Sequence[Collection[int]]
) -> None:
    """Add (3) and (4) to a program.

    ================ ===== =========================== =====================================
    component        kind  index                       meaning, unit
    ================ ===== =========================== =====================================
    ``slot_time``    Var   position in `slots`         lambda, share of time
    ``carried``      Con   arc                         (3), share of time
    ``whole_time``   Con   none                        (4), share of time
    ================ ===== =========================== =====================================

    Parameters
    ----------
    sending
        For each arc, the terms of the time for which it is busy.
    slots
        Sets of arc indices.
    """
    model.slot_time = pyo.Var(range(len(slots)), domain=pyo.NonNegativeReals, doc="lambda_S")
    terms = {index: list(busy) for index, busy in sending.items()}
    for position, slot in enumerate(slots):
        for index in slot:
            if index in terms:
                terms[index].append((-1, model.slot_time[position]))
    model.carried = pyo.Constraint(list(terms), rule=lambda _, a: linear(terms[a]) <= 0)
    model.whole_time = pyo.Constraint(
        expr=linear([(1, time) for time in model.slot_time.values()]) <= 1
    )


def build_pricing(platform: Platform, worth: Mapping[int, Fraction]) -> pyo.ConcreteModel:
    """Build the integer program for the slot that is worth most.

    ================ ===== =========================== =====================================
    component        kind  index                       meaning
    ================ ===== =========================== =====================================
    ``chosen``       Var   arc with positive worth     1 if the slot has the transfer
    ``worth``        Obj                               maximised
    ``one_each``     Con   number                      one send, one receive, one direction
    ================ ===== =========================== =====================================

    Parameters
    ----------
    worth
        Price of (3) by arc index, one of them above 0. In units of the highest: a solver takes
        prices of 1e-9, as seconds and bytes have them, for nothing.
    """
    highest = max(worth.values())
    model = pyo.ConcreteModel(name="slot_pricing")
    model.chosen = pyo.Var(list(worth), domain=pyo.Binary)
    model.worth = pyo.Objective(
        expr=linear([(price / highest, model.chosen[a]) for a, price in worth.items()]),
        sense=pyo.maximize,
    )
    exclusive: dict[object, list[int]] = defaultdict(list)
    for index in worth:
        arc = platform.arcs[index]
        for what, port in (("send", sending_port), ("receive", receiving_port)):
            if (used := port(platform, arc)) is not None:
                exclusive[what, used].append(index)
        if arc.half is not None:
            exclusive["half", arc.link].append(index)
    groups = [group for group in exclusive.values() if len(group) > 1]
    model.one_each = pyo.Constraint(
        range(len(groups)),
        rule=lambda _, k: linear([(1, model.chosen[a]) for a in groups[k]]) <= 1,
    )
    return model
