r"""The fewest places for a period as a linear program over starts and places.

With starts :math:`u` in iterations of a period T, and free places of a channel c of
:math:`x_c - M_c` tokens, (2) of `model` is linear in both:

.. math::
    u_j - u_i \ge t_i / T - h_{ij} \qquad
    u_j - u_i + (x_c - x^0_c) / \Theta_c \ge t_i / T - h_{ij}

on each edge of a round, the second for free places of c, whose heights are those of :math:`x^0_c`
places. It minimises the weighted sum of x. Where each firing moves one token, its optimum is a bound:
what a circuit needs is linear in the places then. Elsewhere the places are rounded up, and a round
tells what they allow.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

import pyomo.core as pyo

from steadygrid.engine.exact.certified import solve_certified
from steadygrid.engine.solving.control import Control
from steadygrid.engine.solving.relaxation import Relaxation
from steadygrid.engine.solving.terms import Term, linear


class Wait(NamedTuple):
    """An edge of a round: the target starts so much later than the source."""

    source: int
    target: int
    least: Fraction
    """In iterations."""
    room: int | None = None
    """Number of the variable whose places shorten it."""
    each: Fraction = Fraction(0)
    """By which one more place does, in iterations."""


class Chosen(NamedTuple):
    """Places of the optimum, and the prices of the waits."""

    places: Mapping[int, Fraction]
    prices: Mapping[int, Fraction]


def _program(
    nodes: int, waits: Sequence[Wait], least: Sequence[int], weights: Sequence[Fraction]
) -> pyo.ConcreteModel:
    model = pyo.ConcreteModel()
    model.start = pyo.Var(range(nodes), domain=pyo.NonNegativeReals)
    model.more = pyo.Var(range(len(least)), domain=pyo.NonNegativeReals)

    def row(m: pyo.ConcreteModel, number: int) -> object:
        wait = waits[number]
        terms: list[Term] = []
        if wait.source != wait.target:
            terms = [(1, m.start[wait.target]), (-1, m.start[wait.source])]
        if wait.room is not None:
            terms.append((wait.each, m.more[wait.room]))
        return linear(terms) >= wait.least

    # An edge from a node to itself that no places shorten holds, or the period is too short for all.
    listed = [
        i for i, wait in enumerate(waits) if wait.source != wait.target or wait.room is not None
    ]
    model.wait = pyo.Constraint(listed, rule=row)
    model.objective = pyo.Objective(
        expr=linear([(weight, model.more[i]) for i, weight in enumerate(weights)])
    )
    return model


def fewest_places(
    nodes: int,
    waits: Sequence[Wait],
    least: Sequence[int],
    weights: Sequence[Fraction],
    control: Control,
    *,
    exact: bool,
) -> Chosen | None:
    """Solve the program. None where no starts keep all waits.

    Parameters
    ----------
    nodes
        Whose starts are chosen.
    waits
        Between them, at the `least` places.
    least
        Places of each variable that it has at least.
    weights
        Of a place of each variable.
    control
        Deadline and cancellation.
    exact
        Whether places and prices are proved, or double precision is enough.

    Raises
    ------
    SchedulingError
        If the solver does not take the numbers, or there was no time.
    """
    model = _program(nodes, waits, least, weights)
    if exact:
        proved = solve_certified(model, control)
        if proved.status != "optimal":
            return None
        more, prices = proved.values_of(model.more), proved.prices_of(model.wait)
    else:
        with Relaxation(model, control) as relaxation:
            if not relaxation.solve():
                return None
            more = {i: Fraction(x) for i, x in relaxation.values_of(model.more).items()}
            prices = {}
    return Chosen({i: count + more.get(i, Fraction(0)) for i, count in enumerate(least)}, prices)


def best_factors(
    rows: Sequence[Mapping[int, int]],
    needs: Sequence[int],
    least: Sequence[int],
    weights: Sequence[Fraction],
    control: Control,
) -> tuple[Mapping[int, Fraction], Mapping[int, Fraction]]:
    """Find how often each row must be counted to bound the places best.

    Parameters
    ----------
    rows
        How often each variable is on a circuit.
    needs
        Places that the circuit needs on them.
    least, weights
        As of `fewest_places`.
    control
        Deadline and cancellation.

    Returns
    -------
    tuple of Mapping and Mapping
        Places of the optimum by variable, and factors by row; zeros are left out of these.
    """
    model = pyo.ConcreteModel()
    model.more = pyo.Var(range(len(least)), domain=pyo.NonNegativeReals)
    model.row = pyo.Constraint(
        range(len(rows)),
        rule=lambda m, r: (
            linear([(n, m.more[i]) for i, n in rows[r].items()])
            >= needs[r] - sum(n * least[i] for i, n in rows[r].items())
        ),
    )
    model.objective = pyo.Objective(
        expr=linear([(weight, model.more[i]) for i, weight in enumerate(weights)])
    )
    proved = solve_certified(model, control)
    more = proved.values_of(model.more)
    return {i: count + more.get(i, Fraction(0)) for i, count in enumerate(least)}, proved.prices_of(
        model.row
    )
