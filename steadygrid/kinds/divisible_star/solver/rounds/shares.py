"""The best shares of several rounds in one order, and what proves them.

With linear costs that is one linear program. Latencies make it a choice of messages, too: a
mixed-integer program in floating point chooses, the linear program then gives the shares exactly.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isfinite

from steadygrid.domain.errors import CertificationError, OutOfTime, SolverError
from steadygrid.domain.job import Phase
from steadygrid.domain.rational import approximate
from steadygrid.domain.resources import compute_resource
from steadygrid.domain.rounding import power_near
from steadygrid.engine.exact.parts import rounded_parts
from steadygrid.engine.exact.safe_rounding import too_long
from steadygrid.engine.solving.control import Control
from steadygrid.engine.solving.mixed_integer import search_mixed_integer
from steadygrid.kinds.divisible_star.solver.rounds.model import build_model_of_rounds
from steadygrid.kinds.divisible_star.solver.rounds.umr import uniform_plan
from steadygrid.kinds.divisible_star.solver.star.makespan import (
    ROUNDED_DIGITS,
    makespan_of,
    one_round,
    plan_of_parts,
    shortened,
)
from steadygrid.kinds.divisible_star.solver.star.program import solve_messages
from steadygrid.kinds.divisible_star.solver.star.star import ZERO, Plan, Star
from steadygrid.kinds.divisible_star.solver.tree.closed_form import LONGEST_BITS

PATIENCE = 1.0
"""How many times as long as the solver took its proof may take; after that a rounded answer, off
by less than any float can tell, is worth more."""
PATIENCE_FOR_SHARES = 10.0
"""Of a plan that a search has chosen, whose value no prices prove."""
SHORT = 1e-7
"""Shares up to it, in the solution of a mixed-integer program, are of no message."""
INTERRUPTED = "the time was over before the best shares were known"
FAILED = "the search for the best messages failed: others may be better"
FAINT = Fraction(1, 10**7)
"""Latencies, as parts of the makespan, that a search in floats takes for none."""
TOO_FAINT = (
    "some latencies are so short beside the makespan that the search cannot tell what they cost:"
    " others may be better"
)
NEAR = 1 + Fraction(1, 10**6)
"""How far a search's bound may be from the makespan that it is said to prove."""


@dataclass(frozen=True)
class Found:
    """A plan of several rounds, and what no other plan of these messages beats.

    Attributes
    ----------
    bound, prices
        Proved by the prices of the messages, if there are some.
    proved
        Whether a search claims that its bound is the makespan.
    nodes
        Of the search tree. None where nothing was searched.
    why
        Why a search did not end, if it did not.
    rounded
        Whether shares and prices are.
    """

    plan: Plan
    makespan: Fraction
    bound: Fraction
    prices: Mapping[str, Fraction]
    proved: bool = False
    nodes: int | None = None
    why: str = ""
    rounded: bool = False


def messages_of(star: Star, rounds: int) -> list[tuple[int, int]]:
    """List round and worker of every message, in the order in which they are sent.

    Parameters
    ----------
    star
        Master and workers, with what the load costs them.
    rounds
        How often the master may go through the order.
    """
    return [(number, i) for number in range(1, rounds + 1) for i in range(len(star.workers))]


def solve_linear(star: Star, rounds: int, control: Control) -> Found:
    """Find the best shares where messages cost no time of their own; prices prove them.

    Parameters
    ----------
    star
        Master and workers, with what the load costs them.
    rounds
        How often the master may go through the order.
    control
        Deadline, cancellation and progress of the solve.

    Raises
    ------
    Cancelled, OutOfTime
        The latter where the solver held nothing when the time was over.
    """
    order = messages_of(star, rounds)
    own = star.own is not None
    try:
        priced = solve_messages(star, order, (), control, own=own, patience=PATIENCE)
    except OutOfTime as interruption:
        return _rounded(star, order, interruption)
    plan, prices = shortened(star, priced.plan), priced.prices
    if plan is priced.plan and not too_long(prices.values(), LONGEST_BITS):
        return Found(plan, priced.makespan, priced.makespan, prices if priced.makespan else {})
    return _proved(star, order, plan, rounded_parts(prices, ROUNDED_DIGITS))


def _rounded(star: Star, order: Sequence[tuple[int, int]], interruption: OutOfTime) -> Found:
    """Round what the solver held: any shares are a plan, and any prices prove something."""
    shares: dict[tuple[int, int], float] = {}
    prices: dict[str, float] = {}
    for (name, index), value in interruption.values.items():
        if name == "share":
            shares[order[index]] = value
        elif name == "own":
            shares[0, -1] = value
    for (name, index), price in interruption.duals.items():
        if name == "done":
            number, i = order[index]
            prices[f"{star.names[i]}.message{number}"] = price
        elif name == "at_home":
            prices[compute_resource(star.master)] = price
    if not any(share > 0 for share in shares.values()) or not prices:
        raise interruption
    plan = plan_of_parts(rounded_parts(shares))
    return _proved(star, order, plan, rounded_parts(prices))


def _proved(
    star: Star, order: Sequence[tuple[int, int]], plan: Plan, prices: Mapping[str, Fraction]
) -> Found:
    bound = proved(star, order, prices)
    return Found(plan, makespan_of(star, plan), bound, prices if bound else {}, rounded=True)


def proved(
    star: Star, order: Sequence[tuple[int, int]], prices: Mapping[str, Fraction]
) -> Fraction:
    """Give what prices of linear messages prove: the least that the whole load costs at one place.

    A share is paid on its route for all who are sent to from then on, and where it is computed for
    the messages of its worker up to its own.

    Parameters
    ----------
    star
        Master and workers, with what the load costs them.
    order
        Round and worker of each message, as they are sent.
    prices
        By message, and of the master's computing. What is not named is free.
    """
    waiting = sum(prices.values(), ZERO) - prices.get(compute_resource(star.master), ZERO)
    computing = [ZERO] * len(star.workers)
    costs = []
    if star.own is not None:
        costs.append(star.own.work * prices.get(compute_resource(star.master), ZERO))
    for number, i in order:
        price = prices.get(f"{star.names[i]}.message{number}", ZERO)
        computing[i] += price
        costs.append(star.workers[i].wire * waiting + star.workers[i].work * computing[i])
        waiting -= price
    return min(costs)


def search_rounds(star: Star, rounds: int, gap: Fraction, control: Control) -> Found:
    """Choose the messages by a mixed-integer program, where each takes a time of its own.

    When the time is over, the best so far. The bound is the solver's word.

    Parameters
    ----------
    star
        Master and workers, with what the load costs them.
    rounds
        How often the master may go through the order.
    gap
        Relative gap at which a search may end.
    control
        Deadline, cancellation and progress of the solve.

    Raises
    ------
    Cancelled
        If cancelled.
    """
    order = messages_of(star, rounds)
    best = start(star, rounds)
    value = makespan_of(star, best)
    if not value:
        return Found(best, value, value, {})
    unit = power_near(value)
    control.phase(Phase.BUILDING)
    model = build_model_of_rounds(star, [i for _, i in order], unit)

    def advance(least: float, count: int) -> None:
        known = isfinite(least) and least > 0
        bound = approximate(Fraction(least) * unit) if known else None
        control.progress(iterations=count, bound=bound)

    try:
        control.phase(Phase.SOLVING)
        tree = search_mixed_integer(model, control, relative_gap=float(gap), advance=advance)
    except OutOfTime:
        return Found(best, value, ZERO, {}, nodes=0, why=INTERRUPTED)
    except SolverError:
        return Found(best, value, ZERO, {}, nodes=0, why=FAILED)
    if tree.best is not None:
        near = tree.best.values_of(model.share)
        plan = _chosen(star, order, near, control)
        if plan is not None and makespan_of(star, plan) < value:
            best, value = plan, makespan_of(star, plan)
    if _has_faint_latencies(star, value):
        plan = _chosen(star, order, dict.fromkeys(model.share, 1.0), control)
        if plan is not None and makespan_of(star, plan) < value:
            best, value = plan, makespan_of(star, plan)
        return Found(best, value, ZERO, {}, nodes=tree.nodes, why=TOO_FAINT)
    bound = Fraction(tree.bound) * unit if isfinite(tree.bound) and tree.bound > 0 else ZERO
    is_proved = tree.proved and not gap and value <= bound * NEAR
    return Found(
        best,
        value,
        value if is_proved else min(bound, value),
        {},
        proved=is_proved,
        nodes=tree.nodes,
        why=INTERRUPTED if tree.late else "" if is_proved or gap else FAILED,
    )


def _has_faint_latencies(star: Star, makespan: Fraction) -> bool:
    times = (
        time
        for costs in (star.own, *star.workers)
        if costs is not None
        for time in (costs.wire_latency, costs.work_latency)
    )
    return any(0 < time < makespan * FAINT for time in times)


def start(star: Star, rounds: int) -> Plan:
    """Give a good plan of at most so many rounds, quickly.

    Parameters
    ----------
    star
        Master and workers, with what the load costs them.
    rounds
        How often the master may go through the order.
    """
    return min(
        (one_round(star), uniform_plan(star, rounds)), key=lambda plan: makespan_of(star, plan)
    )


def _chosen(
    star: Star,
    order: Sequence[tuple[int, int]],
    values: Mapping[int, float],
    control: Control,
) -> Plan | None:
    """Give the best shares of the messages that have some in floats. None if none has.

    Messages that then are empty are left out, and the shares of the others found anew.
    """
    near = {s: share for s, share in values.items() if share > SHORT}
    if not near:
        return None
    rest, own = [order[s] for s in sorted(near) if s >= 0], -1 in near
    try:
        while True:
            priced = solve_messages(star, rest, (), control, own=own, patience=PATIENCE_FOR_SHARES)
            plan = priced.plan
            kept = [(message.round, message.worker) for message in plan.messages]
            if (kept, bool(plan.own)) == (rest, own):
                break
            rest, own = kept, bool(plan.own)
    except (OutOfTime, CertificationError):
        return plan_of_parts(
            rounded_parts({(0, -1) if s < 0 else order[s]: share for s, share in near.items()})
        )
    return shortened(star, plan)
