"""What each processor does when, in some periods of a schedule."""

import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from steadygrid.domain.errors import Fault, InstanceError, LimitError
from steadygrid.domain.schedule import Schedule
from steadygrid.formats.exporter import Answer

MOST_ACTIVITIES = 100_000
"""In all periods that are shown."""
COMPUTE, SEND, RECEIVE = "compute", "send", "receive"


class Activity(NamedTuple):
    """A processor computes, sends or receives."""

    processor: str
    lane: str
    """One of the three, or with its other end where several run at a time."""
    sort: str
    label: str
    start: Fraction
    """Since the beginning of the schedule."""
    duration: Fraction
    period: int
    allocation: int


class Window(NamedTuple):
    """Some periods of a schedule, and all that is done in them."""

    schedule: Schedule
    begin: Fraction
    end: Fraction
    activities: Sequence[Activity]
    """By their starts."""


def read_window(answer: Answer, parameters: Mapping[str, Sequence[str]]) -> Window:
    """List what is done in the periods that are asked for.

    Parameters
    ----------
    answer
        With its schedule and what was asked.
    parameters
        May have ``from`` and ``to``.

    Raises
    ------
    InstanceError
        ``not_periodic``, or ``invalid_parameter`` with the parameter as pointer.
    LimitError
        There would be too many activities.
    """
    schedule = periodic(answer)
    first = _period(parameters, "from", schedule.prologue_periods)
    if first < schedule.prologue_periods:
        detail = f"before period {schedule.prologue_periods} not every part works yet: begin there or later"
        raise InstanceError(faults=[Fault(("from",), "invalid_parameter", detail)])
    last = _period(parameters, "to", first + 2)
    if last <= first:
        detail = f"it is greater than from, which is {first}"
        raise InstanceError(faults=[Fault(("to",), "invalid_parameter", detail)])
    per_period = list(_of_period(schedule, answer.instance))
    total = len(per_period) * (last - first)
    if total > MOST_ACTIVITIES:
        detail = (
            f"{total:,} activities in {last - first:,} periods; at most {MOST_ACTIVITIES:,} are written:"
            " ask for fewer periods"
        )
        raise LimitError(detail, [Fault(("to",), "limit_exceeded", detail)])
    activities = [
        one._replace(start=one.start + period * schedule.period, period=period)
        for period in range(first, last)
        for one in per_period
    ]
    activities.sort(key=lambda one: (one.start, one.processor, one.lane))
    return Window(schedule, first * schedule.period, last * schedule.period, activities)


def periodic(answer: Answer) -> Schedule:
    """Give the schedule of an answer; `InstanceError` ``not_periodic`` where none repeats.

    Parameters
    ----------
    answer
        With its schedule.
    """
    if isinstance(answer.schedule, Schedule) and answer.schedule.period:
        return answer.schedule
    detail = "the answer has no schedule that repeats slot by slot: only such are written"
    raise InstanceError(detail, [Fault((), "not_periodic", detail)])


def _period(parameters: Mapping[str, Sequence[str]], name: str, default: int) -> int:
    if name not in parameters:
        return default
    text = parameters[name][0].strip()
    if not re.fullmatch(r"[0-9]{1,12}", text, re.ASCII):
        detail = f"{text[:40]!r} is no whole number of periods"
        raise InstanceError(faults=[Fault((name,), "invalid_parameter", detail)])
    return int(text)


def _of_period(schedule: Schedule, instance: Any) -> Iterator[Activity]:
    """List what is done in a period. A switch has no ports, so its transfers are its neighbours'.

    Without the instance nothing is known of switches and cards: each link has a lane.
    """
    platform = getattr(instance, "platform", None)
    listed = () if platform is None else platform.processors
    switches = {one.id for one in listed if one.switch}
    several = schedule.ports == "multiport" or any(one.has_cards for one in listed)
    by_link = several or instance is None
    for one in schedule.computations:
        if one.time:
            yield Activity(
                one.processor,
                COMPUTE,
                COMPUTE,
                f"{one.task} x{one.count}",
                one.start,
                one.time,
                0,
                one.allocation,
            )
    for start, duration, sender, receiver, label, allocation in _hops(schedule):
        for own, other, sort, word in (
            (sender, receiver, SEND, "to"),
            (receiver, sender, RECEIVE, "from"),
        ):
            if own not in switches and duration:
                lane = f"{sort} {word} {other}" if by_link else sort
                text = f"{label} {word} {other}"
                yield Activity(own, lane, sort, text, start, duration, 0, allocation)


def _hops(
    schedule: Schedule,
) -> Iterator[tuple[Fraction, Fraction, str, str, str, int]]:
    """List what goes over each link: start, duration, ends, label, allocation."""
    if schedule.runs is not None:
        for run in schedule.runs:
            for begin, end, cargo in run.stretches():
                label = f"{'->'.join(cargo.file)} x{cargo.count}"
                yield begin, end - begin, run.sender, run.receiver, label, cargo.allocation
        return
    for slot in schedule.slots:
        for hop in slot.transfers:
            label = f"{'->'.join(hop.file)} x{hop.count}"
            yield slot.start, slot.duration, hop.sender, hop.receiver, label, hop.allocation
