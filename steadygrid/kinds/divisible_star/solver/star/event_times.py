"""From a plan to dates: everything as early as it can be."""

from fractions import Fraction

from steadygrid.domain.timeline import Event
from steadygrid.kinds.divisible_star.schemas import LOAD
from steadygrid.kinds.divisible_star.solver.star.star import ZERO, Plan, Star


def events_of(star: Star, plan: Plan, unit: Fraction | None = None) -> list[Event]:
    """Date a plan: messages back to back, computations when they can start, then results.

    Parameters
    ----------
    unit
        If given, everything starts at a multiple of it: the dates are short, if the shares are.

    Returns
    -------
    list of Event
        By start.
    """

    def at(time: Fraction) -> Fraction:
        return time if unit is None else -(-time // unit) * unit

    events: list[Event] = []
    if plan.own and star.own is not None:
        time = star.own.work_latency + star.own.work * plan.own
        events.append(Event(ZERO, time, star.master, LOAD, 1, plan.own))
    free = ZERO
    done: dict[int, Event] = {}
    total: dict[int, Fraction] = {}
    for message in plan.messages:
        i, share, name = message.worker, message.share, star.names[message.worker]
        costs = star.workers[i]
        end = free + costs.wire_latency + costs.wire * share
        events.append(Event(free, end, (star.master, name), LOAD, message.round, share))
        free = at(end)
        start = max(free, at(done[i].end)) if i in done else free
        end = start + costs.work_latency + costs.work * share
        done[i] = Event(start, end, name, LOAD, message.round, share)
        total[i] = total.get(i, ZERO) + share
        events.append(done[i])
    free = ZERO if star.two_ports else free
    for i in plan.returns:
        costs, start = star.workers[i], max(free, at(done[i].end))
        end = start + costs.back_latency + costs.back * total[i]
        link_ends = star.names[i], star.master
        events.append(Event(start, end, link_ends, LOAD, 1, total[i]))
        free = at(end)
    return sorted(events, key=lambda event: (event.start, event.end))
