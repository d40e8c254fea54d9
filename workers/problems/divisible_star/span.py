"""How long a plan takes, without its dates."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import NamedTuple

from workers.problems.divisible_star.star import ZERO, Costs, Message, Plan, Star

Number = float | Fraction


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
    """Give the makespan of a plan without results."""
    sent = ((message.worker, message.share) for message in plan.messages)
    end = Fraction(last_end([times_of(costs) for costs in star.workers], sent))
    if plan.own and star.own is not None:
        end = max(end, star.own.work_latency + star.own.work * plan.own)
    return end


def best_alone(star: Star) -> Plan:
    """Let the one compute everything who needs the least time."""
    plans = [Plan(ZERO, [Message(i, 1, Fraction(1))]) for i in range(len(star.workers))]
    if star.own is not None:
        plans.append(Plan(Fraction(1), []))
    return min(plans, key=lambda plan: makespan_of(star, plan))
