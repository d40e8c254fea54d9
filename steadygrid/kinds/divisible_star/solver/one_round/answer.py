"""The answer of one round with latencies; results, if any, come back in reverse order.

A message and the result that answers it then are as one message that takes as long as both.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

from steadygrid.domain.certificate import SearchCertificate
from steadygrid.domain.errors import OutOfTime
from steadygrid.domain.job import Phase
from steadygrid.domain.rounding import leading_bits
from steadygrid.engine.exact.parts import rounded_parts
from steadygrid.engine.exact.safe_rounding import too_long
from steadygrid.engine.solver import Solution
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.divisible_star.schemas import (
    DivisibleStarInstance,
    EnumerationCertificate,
)
from steadygrid.kinds.divisible_star.solver.one_round.one_round import OneRound
from steadygrid.kinds.divisible_star.solver.results.bound import returned_bound
from steadygrid.kinds.divisible_star.solver.star.event_times import events_of
from steadygrid.kinds.divisible_star.solver.star.makespan import ROUNDED_DIGITS
from steadygrid.kinds.divisible_star.solver.star.plan_answer import Claim, plan_answer
from steadygrid.kinds.divisible_star.solver.star.sequence_load import plan_of
from steadygrid.kinds.divisible_star.solver.star.star import ZERO, Message, Plan, Star
from steadygrid.kinds.divisible_star.solver.star.steady import steady_state
from steadygrid.kinds.divisible_star.solver.tree.answer import DATE_BITS
from steadygrid.kinds.divisible_star.solver.tree.closed_form import LONGEST_BITS

MOST_REPEATED = 20_000
"""Nodes of a search that the referee repeats."""
ROUNDED = (
    "the exact numbers have more than a thousand digits: shares and dates are rounded, and so is"
    " the bound"
)
NOTHING_TAKES_TIME = "nothing takes any time"
INTERRUPTED = "the time was over before the best order was known"


def answer_one_round(
    instance: DivisibleStarInstance, star: Star, method: str, control: Control
) -> Solution:
    """Find the best participants and, where none is given, the best order; or good ones.

    Parameters
    ----------
    instance
        Without faults.
    star
        Master and workers, with what the load costs them.
    method
        Name of the one that was asked for.
    control
        Deadline, cancellation and progress of the solve.

    Raises
    ------
    Cancelled
        When cancelled. When the time is over, the best of what is known is the answer.
    """
    control.phase(Phase.SOLVING)
    found = OneRound(star.with_round_trips)
    try:
        _find(instance, found, method, control.check)
    except OutOfTime:
        return _answer(instance, star, found, method, [INTERRUPTED])
    return _answer(instance, star, found, method, [])


def answer_at_once(instance: DivisibleStarInstance, star: Star, method: str) -> Solution:
    """Answer what needs no search, when the time is over.

    Parameters
    ----------
    instance
        Without faults.
    star
        Master and workers, with what the load costs them.
    method
        Name of the one that was asked for.
    """
    return _answer(instance, star, OneRound(star.with_round_trips), method, [INTERRUPTED])


def _find(
    instance: DivisibleStarInstance, found: OneRound, method: str, check: Callable[[], None]
) -> None:
    """Search as far as the method does."""
    if instance.order is not None:
        found.choose_along(tuple(range(len(found.star.workers))), check)
        return
    found.improve(check)
    if method == "search":
        found.prove(check)


def _answer(
    instance: DivisibleStarInstance, star: Star, found: OneRound, method: str, notes: list[str]
) -> Solution:
    if not found.best.makespan:
        notes = [NOTHING_TAKES_TIME]
    plan, bound = plan_of(found.star, found.best), found.bound
    returns = bool(instance.load.return_volume)
    if returns:
        plan = replace(plan, returns=found.best.order[::-1])
    if too_long((event.end for event in events_of(star, plan)), LONGEST_BITS):
        plan = _shortened(plan)
        bound = leading_bits(bound, DATE_BITS) if too_long([bound], LONGEST_BITS) else bound
        notes = [*notes, ROUNDED]
    repeated = found.nodes <= MOST_REPEATED
    optimal = bound == found.best.makespan
    given = instance.order is not None
    order: Sequence[int] = range(len(star.workers)) if given else found.best.order
    order_free = returned_bound(star, found.best.makespan) if returns else found.order_free
    claim = Claim(
        order=order,
        order_proof="given" if given else "search" if optimal else "none",
        bound=bound,
        exact=repeated,
        source="order_free" if bound == order_free else "search",
        certificate=EnumerationCertificate(nodes=found.nodes)
        if repeated
        else SearchCertificate(nodes=found.nodes),
        returns=order[::-1] if returns else (),
        proved_bound=order_free,
        any_rounds_bound=steady_state(star).bound,
        notes=notes,
    )
    return plan_answer(instance, star, method, plan, claim)


def _shortened(plan: Plan) -> Plan:
    """Round the shares."""
    near = {-1: plan.own} | {message.worker: message.share for message in plan.messages}
    parts = rounded_parts(near, ROUNDED_DIGITS)
    messages = [
        Message(message.worker, message.round, parts[message.worker])
        for message in plan.messages
        if message.worker in parts
    ]
    return Plan(parts.get(-1, ZERO), messages, [i for i in plan.returns if i in parts])
