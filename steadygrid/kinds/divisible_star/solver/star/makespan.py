"""How long a plan takes, without its dates."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from steadygrid.engine.exact.parts import rounded_parts
from steadygrid.engine.exact.safe_rounding import too_long
from steadygrid.kinds.divisible_star.solver.star.sequence_load import best_alone, best_part, plan_of
from steadygrid.kinds.divisible_star.solver.star.star import ZERO, Costs, Message, Plan, Star
from steadygrid.kinds.divisible_star.solver.tree.closed_form import LONGEST_BITS

Number = float | Fraction
MOST_IN_ONE_ROUND = 64
"""Workers whose best participants in one round, or a bound on them, are computed in between."""
ROUNDED_DIGITS = 60
"""Of shares and prices whose exact numbers are too long to read."""


class Times(NamedTuple):
    """Of a worker: ``C + c a`` to receive the share a, ``W + w a`` to compute it."""

    wait: Number
    wire: Number
    pause: Number
    work: Number


def times_of(costs: Costs) -> Times:
    """Give the times that a plan without results needs."""
    return Times(costs.wire_latency, costs.wire, costs.work_latency, costs.work)


def last_end(workers: Sequence[Times], messages: Iterable[tuple[int, Number]]) -> Number:
    """Give the end of the last computation.

    Parameters
    ----------
    messages
        To whom, and the share, in the order in which they are sent, back to back from 0.
    """
    free: Number = 0
    done: dict[int, Number] = {}
    for i, share in messages:
        wait, wire, pause, work = workers[i]
        free += wait + wire * share
        done[i] = max(free, done.get(i, 0)) + pause + work * share
    return max(done.values(), default=0)


def makespan_of(star: Star, plan: Plan) -> Fraction:
    """Give the makespan of a plan without results.

    Parameters
    ----------
    star
        Master and workers, with what the load costs them.
    plan
        Without results.
    """
    sent = ((message.worker, message.share) for message in plan.messages)
    end = Fraction(last_end([times_of(costs) for costs in star.workers], sent))
    if plan.own and star.own is not None:
        end = max(end, star.own.work_latency + star.own.work * plan.own)
    return end


def one_round(star: Star) -> Plan:
    """Give the best plan of one message each in the star's order; of many, of a single worker."""
    if len(star.workers) > MOST_IN_ONE_ROUND:
        return plan_of(star, best_alone(star))
    sending, _ = best_part(star, tuple(range(len(star.workers))))
    return shortened(star, plan_of(star, sending))


def shortened(star: Star, plan: Plan) -> Plan:
    """Round the shares of a plan whose exact numbers are too long to read.

    Parameters
    ----------
    star
        Master and workers, with what the load costs them.
    plan
        Without results.

    Returns
    -------
    Plan
        The same where its numbers are short enough.
    """
    parts = {(m.round, m.worker): m.share for m in plan.messages} | {(0, -1): plan.own}
    if too_long([*parts.values(), makespan_of(star, plan)], LONGEST_BITS):
        return plan_of_parts(rounded_parts(parts, ROUNDED_DIGITS))
    return plan


def plan_of_parts(parts: Mapping[tuple[int, int], Fraction]) -> Plan:
    """Give the plan of shares by round and worker, the master's by (0, -1)."""
    return Plan(
        parts.get((0, -1), ZERO),
        [Message(i, number, share) for (number, i), share in sorted(parts.items()) if number],
    )
