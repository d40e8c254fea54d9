"""From a plan on a star, and what is claimed of it, to the answer."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from steadygrid.domain.certificate import DualityCertificate, NoCertificate, SearchCertificate
from steadygrid.domain.job import Bound, Objective, Outcome, relative_gap
from steadygrid.domain.one_shot import Idleness
from steadygrid.domain.rational import approximate
from steadygrid.domain.rounding import magnitude
from steadygrid.domain.timeline import Timeline
from steadygrid.engine.exact.safe_rounding import too_long
from steadygrid.engine.scheduling.one_shot_events import load_event
from steadygrid.engine.solver import Solution
from steadygrid.kinds.divisible_star.schemas import (
    BoundSource,
    DivisibleStarInstance,
    DivisibleStarResult,
    EnumerationCertificate,
    OrderProof,
    StarGuarantee,
    StarShare,
)
from steadygrid.kinds.divisible_star.solver.star.event_times import events_of
from steadygrid.kinds.divisible_star.solver.star.star import ZERO, Plan, Star
from steadygrid.kinds.divisible_star.solver.tree.answer import DATE_BITS
from steadygrid.kinds.divisible_star.solver.tree.closed_form import LONGEST_BITS

FOR_ALL_ORDERS = ("order_free", "any_rounds", "theorem")
"""Sources of bounds that hold in any order."""


@dataclass(frozen=True)
class Claim:
    """What is known of a plan.

    Attributes
    ----------
    order, returns
        Workers in the orders that the answer states, by place in the star: those who get nothing
        too, where the claim is about them.
    bound
        Of the makespan, proved by the certificate if it is exact.
    order_proof
        Why no other order is better, where the bound is not for all orders.
    one_order
        Whether a bound at this order is one for all.
    """

    order: Sequence[int]
    order_proof: OrderProof
    bound: Fraction
    exact: bool
    source: BoundSource
    certificate: DualityCertificate | EnumerationCertificate | SearchCertificate | NoCertificate
    returns: Sequence[int] = ()
    proved_bound: Fraction | None = None
    any_rounds_bound: Fraction | None = None
    guarantee: StarGuarantee | None = None
    one_order: bool = False
    notes: Sequence[str] = ()


def plan_answer(
    instance: DivisibleStarInstance, star: Star, method: str, plan: Plan, claim: Claim
) -> Solution:
    """Date a plan and state what is claimed of it.

    The outcome is optimal where the makespan is the bound. Dates that are too
    long to read are rounded.

    Parameters
    ----------
    instance
        Without faults.
    star
        Master and workers, with what the load costs them.
    method
        Name of the one that ran.
    plan
        What is computed where, and in which order it is sent.
    claim
        Bound and orders, and why they hold.
    """
    events = events_of(star, plan)
    if too_long((event.end for event in events), LONGEST_BITS):
        longest = magnitude(max(event.end for event in events))
        events = events_of(star, plan, Fraction(2) ** (longest - DATE_BITS))
    value = max((event.end for event in events), default=ZERO)
    timeline = Timeline(instance.ports, value, tuple(events))
    computing = _computing(star, plan, claim.order)
    optimal = value == claim.bound
    for_all_orders = claim.source in FOR_ALL_ORDERS or claim.one_order
    by_bound = optimal and for_all_orders and claim.order_proof != "given"
    result = DivisibleStarResult(
        outcome=Outcome.OPTIMAL if optimal else Outcome.FEASIBLE,
        method=method,
        objective=Objective(name="makespan", value=value, approx=approximate(value)),
        bound=Bound.from_value(claim.bound, exact=claim.exact),
        gap=relative_gap(value, claim.bound),
        certificate=claim.certificate,
        makespan=value,
        participants=list(computing),
        order=_order(instance, star, claim),
        return_order=_return_order(instance, star, claim),
        rounds=max((message.round for message in plan.messages), default=1),
        shares=_shares(instance, star, plan),
        timeline=[load_event(event) for event in timeline.events],
        idle=[
            Idleness(processor=id_, computing=time, idle=value - time)
            for id_, time in computing.items()
        ],
        order_proof="bound" if by_bound else claim.order_proof,
        bound_source=claim.source,
        proved_bound=claim.proved_bound,
        any_rounds_bound=claim.any_rounds_bound,
        guarantee=claim.guarantee,
        notes=list(claim.notes),
    )
    return Solution(result, schedule=timeline)


def _order(instance: DivisibleStarInstance, star: Star, claim: Claim) -> list[str]:
    """List the order that was asked for, those who cannot compute too, or the one chosen."""
    if instance.order is not None:
        return list(instance.order)
    return [star.names[i] for i in claim.order]


def _return_order(instance: DivisibleStarInstance, star: Star, claim: Claim) -> list[str] | None:
    """List in which order results come back, of the same processors. None without results."""
    if not instance.load.return_volume:
        return None
    names = [star.names[i] for i in claim.returns]
    if instance.order is None:
        return names
    back = instance.return_orders
    if back == "fifo":
        return list(instance.order)
    if back == "lifo":
        return list(instance.order[::-1])
    if back == "any":
        return names + [id_ for id_ in instance.order if id_ not in names]
    return list(back)


def _shares(instance: DivisibleStarInstance, star: Star, plan: Plan) -> list[StarShare]:
    own = [(star.master, 1, plan.own)] if plan.own else []
    sent = [(star.names[one.worker], one.round, one.share) for one in plan.messages]
    items = instance.load.items
    return [
        StarShare(
            processor=name,
            round=number,
            fraction=share,
            items=None if items is None else int(share * items),
        )
        for name, number, share in (*own, *sent)
    ]


def _computing(star: Star, plan: Plan, order: Sequence[int]) -> dict[str, Fraction]:
    """Add up how long each participant computes: the master, then in the order."""
    found: dict[str, Fraction] = {}
    if plan.own and star.own is not None:
        found[star.master] = star.own.work_latency + star.own.work * plan.own
    times = dict.fromkeys(order, ZERO)
    for message in plan.messages:
        costs = star.workers[message.worker]
        times[message.worker] += costs.work_latency + costs.work * message.share
    taking = {message.worker for message in plan.messages}
    return found | {star.names[i]: time for i, time in times.items() if i in taking}
