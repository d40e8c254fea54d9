"""Rules for what a schedule promises of a run: when it is complete, and what no schedule exceeds."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import floor
from typing import NamedTuple

from steadygrid.domain.job import Bound, Options
from steadygrid.domain.run import RunGoal, RunPromise
from steadygrid.domain.schedule import Allocation, Schedule
from steadygrid.verification.exact import show
from steadygrid.verification.findings import Findings
from steadygrid.verification.instance_periods import course_of
from steadygrid.verification.steady import SteadyInstance, Views


@dataclass(frozen=True)
class Earliest:
    """When any schedule can have completed a number of instances.

    Each instance takes at least 1 at the prices, and a resource of price u is in use for at most the
    time after its wait. So the instances that are complete at t are at most the sum of the prices,
    each times the time that its resource has had.

    Attributes
    ----------
    prices
        Of the certificate, by resource.
    waits
        The time before an instance can use a resource, and after its use until the instance is
        complete, by resource; 0 by default.
    first
        No instance is complete before.
    """

    prices: Mapping[str, Fraction]
    waits: Mapping[str, Fraction] = field(default_factory=dict)
    first: Fraction = Fraction(0)

    def capacity(self, time: Fraction) -> Fraction:
        """Give how many instances resources allow until a time."""
        total = Fraction(0)
        by_wait: dict[Fraction, Fraction] = {}
        for name, price in self.prices.items():
            wait = self.waits.get(name, total)
            by_wait[wait] = by_wait.get(wait, total) + price
        for wait, price in by_wait.items():
            if time > wait:
                total += price * (time - wait)
        return total

    def is_earliest(self, time: Fraction, instances: int) -> bool:
        """Tell whether a time is the earliest for a number of instances.

        Parameters
        ----------
        time
            Of which it is said.
        instances
            At least 1.
        """
        if time == self.first:
            return self.capacity(time) >= instances
        return time > self.first and self.capacity(time) == instances

    def most_instances(self, horizon: Fraction) -> int:
        """Give the most instances that are complete at a time."""
        return 0 if horizon < self.first else floor(self.capacity(horizon))


def earliest_by_rate(bound: Bound | None) -> Earliest | None:
    """Give what a bound on the throughput alone says. None where it is not proved."""
    return Earliest({"": bound.value}) if bound is not None and bound.exact else None


class Complete(NamedTuple):
    """How many instances a schedule has completed, by its periods.

    An instance that takes several periods is complete at the end of the last of them; of each stream
    those that begin first are given to the instances that come first.
    """

    streams: tuple[tuple[Fraction, tuple[tuple[Fraction, int], ...]], ...]
    """Of each: how many an instance has, and for each allocation its count and its periods."""

    def count_after(self, periods: int, grouped: Fraction = Fraction(1)) -> int:
        """Count the instances that are complete.

        Parameters
        ----------
        periods
            From the start.
        grouped
            How many times as much runs in a period.
        """
        least: Fraction | None = None
        for part, counts in self.streams:
            done = sum((n * max(0, periods + 1 - last) for n, last in counts), Fraction(0))
            least = done / part if least is None else min(least, done / part)
        return 0 if least is None else floor(grouped * least)


def read_complete(views: Views, schedule: Schedule) -> Complete:
    """Read off a schedule how many instances it completes.

    Parameters
    ----------
    views
        What each allocation runs.
    schedule
        With its counts per period.
    """
    streams = []
    for stream, positions in views.by_stream(schedule.allocations).items():
        counts = []
        for allocation in (schedule.allocations[position] for position in positions):
            if allocation.instances_per_period > 0:
                last = last_period_of(views.of(allocation), allocation)
                counts.append((allocation.instances_per_period, last))
        streams.append((views.streams[stream], tuple(counts)))
    return Complete(tuple(streams))


def last_period_of(instance: SteadyInstance, allocation: Allocation) -> int:
    """Give the period in which the last operation of an instance ends, counted from 1.

    Parameters
    ----------
    instance
        What the allocation runs.
    allocation
        Where tasks run, and how files travel.
    """
    if instance.first_periods is not None:
        return max(instance.first_periods.values())
    return course_of(instance, allocation).last


def check_promise(
    views: Views,
    schedule: Schedule,
    options: Options,
    earliest: Earliest | None,
    findings: Findings,
) -> None:
    """Check what the header says of the run that was asked for.

    Parameters
    ----------
    earliest
        What no schedule exceeds. None where nothing is proved.

    Notes
    -----
    Rules, in this order:

    == ==================================================================== =======================
    1  there is a run where one was asked for, and only there; it is that   `wrong_run`
    2  of a number of instances: after the periods all are complete, after  `wrong_run_periods`
       one less not
    3  the completion time is that of these periods                         `wrong_completion_time`
    4  no schedule completes them before, and the time is the least of      `wrong_earliest_time`
       which that is proved
    5  of a horizon: the periods are those that end within it               `wrong_run_periods`
    6  at least the instances that are complete then                        `wrong_instances_done`
    7  at most what no schedule exceeds                                     `wrong_instances_bound`
    == ==================================================================== =======================

    Answers of versions that did not know runs have none for `total_instances`.
    """
    asked, told = options.asked_run, schedule.run
    if told is None and options.run is None:
        return
    if told is None or asked is None or not _tells_of(told, asked):
        findings.add(
            ("schedule", "run"),
            "wrong_run",
            "The header has no run."
            if told is None
            else "The header tells a run, but not of what was asked.",
        )
        return
    complete = read_complete(views, schedule)
    if told.horizon is None:
        _check_completion(schedule, told, complete, earliest, findings)
    else:
        _check_horizon(schedule, told, told.horizon, complete, earliest, findings)


def _tells_of(told: RunPromise, asked: RunGoal) -> bool:
    instances = 0 if asked.instances is None else asked.instances
    return (told.instances, told.horizon) == (instances, asked.horizon)


def _check_completion(
    schedule: Schedule,
    told: RunPromise,
    complete: Complete,
    earliest: Earliest | None,
    findings: Findings,
) -> None:
    wanted = told.instances
    earlier, done = complete.count_after(told.periods - 1), complete.count_after(told.periods)
    runs = schedule.instances_per_period > 0
    time = told.periods * schedule.period if runs else None
    if not (earlier < wanted <= done if runs else told.periods == 0):
        findings.add(
            ("schedule", "run", "periods"),
            "wrong_run_periods",
            f"After {told.periods} periods {done} instances are complete, after one less {earlier}."
            f" The run has {wanted}.",
        )
    if told.completion_time_at_most != time:
        findings.add(
            ("schedule", "run", "completion_time_at_most"),
            "wrong_completion_time",
            f"The header says that the run is complete after"
            f" {_shown(told.completion_time_at_most)}, but its periods end after {_shown(time)}.",
        )
    before = told.no_schedule_before
    due = earliest is not None and any(earliest.prices.values())
    if (before is not None) != due or (
        before is not None and earliest is not None and not earliest.is_earliest(before, wanted)
    ):
        findings.add(
            ("schedule", "run", "no_schedule_before"),
            "wrong_earliest_time",
            f"It is not proved that {_shown(before)} is the earliest time for {wanted} instances.",
        )


def _check_horizon(
    schedule: Schedule,
    told: RunPromise,
    horizon: Fraction,
    complete: Complete,
    earliest: Earliest | None,
    findings: Findings,
) -> None:
    if not told.periods * schedule.period <= horizon < (told.periods + 1) * schedule.period:
        findings.add(
            ("schedule", "run", "periods"),
            "wrong_run_periods",
            f"{told.periods} periods of {show(schedule.period)} are not those that end within"
            f" {show(horizon)}.",
        )
    done = complete.count_after(told.periods)
    most = None if earliest is None else earliest.most_instances(horizon)
    if told.instances_at_least != done:
        findings.add(
            ("schedule", "run", "instances_at_least"),
            "wrong_instances_done",
            f"The header says instances_at_least {_counted(told.instances_at_least)}, but that is"
            f" {done}.",
        )
    if told.instances_at_most != most:
        findings.add(
            ("schedule", "run", "instances_at_most"),
            "wrong_instances_bound",
            f"The header says instances_at_most {_counted(told.instances_at_most)}, but that is"
            f" {_counted(most)}.",
        )


def _shown(time: Fraction | None) -> str:
    return "no time" if time is None else show(time)


def _counted(number: int | None) -> str:
    return "nothing" if number is None else str(number)
