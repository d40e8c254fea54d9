r"""The load that one sequence of workers computes within a time, and the best part of an order.

Worker :math:`i`, sent to when :math:`K` time is left, computes until the end if it takes
:math:`a_i = (K - C_i - W_i) / q_i` with :math:`q_i = c_i + w_i`, and leaves
:math:`K - C_i - c_i a_i` to those behind it. So a sequence in which all take part computes
:math:`a K - b`, where from the last to the first, from :math:`(0, 0)`,

.. math::
   a := \frac{1}{q} + \frac{w}{q} a', \quad
   b := \frac{C + W}{q} + a' \Big(C - c \frac{C + W}{q}\Big) + b' \tag{8}

Only a line with :math:`c a' < 1` may be extended: any other worker keeps the port from those who
use it better, and (8) would give it a share below 0. With that rule no line is above the greatest
load, and the greatest is one of them; hence it is convex in K, and from any makespan above the
optimum the steps

.. math:: T := \frac{1 + b}{a} \text{ of the best line at } T \tag{9}

fall, and end at the optimum. A master that computes adds :math:`(K - W_0) / w_0` from
:math:`K = W_0` on. A worker with :math:`q = 0` takes any load in :math:`C + W`, and is no use
before.

Source: the affine star of Gallet, *Steady-State Scheduling of Task Graphs onto Heterogeneous
Platforms*, 2009, section 1.2.3; (8) and (9) are steadygrid's.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from steadygrid.kinds.divisible_star.solver.star.star import ZERO, Costs, Message, Plan, Star

Order = tuple[int, ...]
"""Workers, by their places in the star, in the order in which they are sent to."""


class Line(NamedTuple):
    """Load within a time K: ``slope * K - offset``."""

    slope: Fraction
    offset: Fraction

    def value_at(self, time: Fraction) -> Fraction:
        """Evaluate the line."""
        return self.slope * time - self.offset


NO_LINE = Line(ZERO, ZERO)


@dataclass(frozen=True)
class Sending:
    """A schedule without its shares.

    Attributes
    ----------
    order
        Those who get a share above 0. The master, where it pays, takes part besides.
    makespan
        The least, if all of the order take part.
    """

    order: Order
    makespan: Fraction


def delay(costs: Costs) -> Fraction:
    """Give the time that a share of any size pays: C + W."""
    return costs.wire_latency + costs.work_latency


def slowness(costs: Costs) -> Fraction:
    """Give the time of the whole load besides that: q = c + w."""
    return costs.wire + costs.work


def extended(line: Line, costs: Costs) -> Line:
    """Put a worker in front of a sequence, as (8) does. Its q is not 0.

    Parameters
    ----------
    line
        Load of the sequence behind, by the time that is left.
    costs
        Of the worker.
    """
    total, paid = slowness(costs), delay(costs) / slowness(costs)
    return Line(
        (1 + costs.work * line.slope) / total,
        paid + line.slope * (costs.wire_latency - costs.wire * paid) + line.offset,
    )


def own_load(star: Star, time: Fraction) -> Fraction | None:
    """Give what the master computes within a time. None for any load.

    Parameters
    ----------
    star
        Master and workers, with what the load costs them.
    time
        In time units.
    """
    if star.own is None or time <= star.own.work_latency:
        return ZERO
    if not star.own.work:
        return None
    return (time - star.own.work_latency) / star.own.work


def instant_sending(star: Star) -> Sending | None:
    """Give the best of those that compute the whole load in the time that any share takes.

    They, and a master likewise, are of no use to a schedule that is shorter.
    """
    found = [
        Sending((i,), delay(costs)) for i, costs in enumerate(star.workers) if not slowness(costs)
    ]
    if star.own is not None and not star.own.work:
        found.append(Sending((), star.own.work_latency))
    return min(found, key=lambda one: one.makespan, default=None)


def lasting(star: Star, order: Order) -> Fraction | None:
    """Give the makespan of a sequence in which all take part, and the master where it helps.

    None where a worker would get nothing, or less. No worker of the order has q = 0.

    Parameters
    ----------
    star
        Master and workers, with what the load costs them.
    order
        Workers in the order in which they are sent to, by place in the star.
    """
    line = NO_LINE
    for i in reversed(order):
        line = extended(line, star.workers[i])
    time = _reaching(star, line)
    if time is None or any(share <= 0 for share in _shares(star, order, time)):
        return None
    return time


def _reaching(star: Star, line: Line) -> Fraction | None:
    """Give the time within which a line and the master reach the load. None if never."""
    time = (1 + line.offset) / line.slope if line.slope else None
    own = star.own
    if own is None or not own.work or (time is not None and time <= own.work_latency):
        return time
    return (1 + line.offset + own.work_latency / own.work) / (line.slope + 1 / own.work)


def _shares(star: Star, order: Order, time: Fraction) -> Iterator[Fraction]:
    for i in order:
        costs = star.workers[i]
        share = (time - delay(costs)) / slowness(costs)
        yield share
        time -= costs.wire_latency + costs.wire * share


def plan_of(star: Star, sequence: Sending) -> Plan:
    """Give every worker the share with which it is done at the makespan.

    Parameters
    ----------
    star
        Master and workers, with what the load costs them.
    sequence
        Order and makespan.
    """
    order = sequence.order
    if len(order) == 1 and not slowness(star.workers[order[0]]):
        return Plan(ZERO, [Message(order[0], 1, Fraction(1))])
    shares = list(_shares(star, order, sequence.makespan))
    messages = [Message(i, 1, share) for i, share in zip(order, shares, strict=True)]
    return Plan(1 - sum(shares, ZERO), messages)


def best_alone(star: Star) -> Sending:
    """Give the best of all schedules in which one computes, and the master where it helps."""
    able = [i for i, costs in enumerate(star.workers) if slowness(costs)]
    found = [
        Sending(order, time)
        for order in ((), *((i,) for i in able))
        if (time := lasting(star, order)) is not None
    ]
    if (instant := instant_sending(star)) is not None:
        found.append(instant)
    return min(found, key=lambda one: (one.makespan, len(one.order)))


def best_part(
    star: Star, order: Order, check: Callable[[], None] = lambda: None
) -> tuple[Sending, int]:
    """Choose who takes part, where workers are sent to in a given order.

    Parameters
    ----------
    star
        Master and workers, with what the load costs them.
    order
        Workers in the order in which they are sent to, by place in the star.
    check
        May raise, which ends the work.

    Returns
    -------
    tuple
        The best schedule, or a better one of a single worker that is not in the order, and the
        number of lines that were compared.

    Notes
    -----
    The greatest load of those from the i-th on is the upper envelope of lines. What is behind a
    worker matters to it by that envelope only. There may be twice as many lines with every worker;
    usually there are hardly more than workers.
    """
    best = best_alone(star)
    envelope: list[tuple[Line, Order]] = [(NO_LINE, ())]
    lines = 0
    for i in reversed(order):
        check()
        costs = star.workers[i]
        if not slowness(costs):
            continue
        longer = [
            (extended(line, costs), (i, *order))
            for line, order in envelope
            if costs.wire * line.slope < 1
        ]
        lines += len(longer)
        envelope = _upper([*envelope, *longer], best.makespan, check)
    while best.makespan:
        line, order = max(envelope, key=lambda pair: pair[0].value_at(best.makespan))
        time = _reaching(star, line)
        if time is None or time >= best.makespan:
            break
        best = _without_idle(star, order, time)
    return best, lines


def _without_idle(star: Star, order: Order, time: Fraction) -> Sending:
    """Leave out those whom a line counts in, but whose share is 0: they change nothing."""
    shares = _shares(star, order, time)
    return Sending(tuple(i for i, share in zip(order, shares, strict=True) if share), time)


def _upper(
    lines: Sequence[tuple[Line, Order]], longest: Fraction, check: Callable[[], None]
) -> list[tuple[Line, Order]]:
    """Keep lines that are the greatest of all at some time from 0 to the longest.

    By growing slopes, each is greater than the one before from where they meet.
    """
    kept: list[tuple[Line, Order]] = []
    starts: list[Fraction] = []
    for line, order in sorted(lines, key=lambda pair: pair[0]):
        check()
        if kept and line.slope == kept[-1][0].slope:
            continue
        start = ZERO
        while kept:
            last = kept[-1][0]
            start = max(ZERO, (line.offset - last.offset) / (line.slope - last.slope))
            if start > starts[-1]:
                break
            kept.pop()
            starts.pop()
        if start < longest:
            kept.append((line, order))
            starts.append(start)
    return kept
