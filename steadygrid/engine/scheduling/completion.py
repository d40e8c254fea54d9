r"""When the instances of a run are complete, and the earliest time that any schedule needs.

An allocation whose instances take :math:`\mu` periods has completed :math:`n (k - \mu + 1)` after k
periods, where n is its number of instances per period. Allocations of few periods do not wait for
others. Where an instance is one of each of several messages, the message with the fewest counts:
which instance a message belongs to can be chosen in the order in which messages arrive.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil, floor, lcm
from typing import NamedTuple

from steadygrid.domain.human_time import SECONDS, human_time
from steadygrid.domain.periods import last_period
from steadygrid.domain.platform import PortModel
from steadygrid.domain.run import RunGoal, RunPromise
from steadygrid.domain.schedule import Allocation, Schedule
from steadygrid.domain.slots import FileName

LARGE_START_UP = 10
"""The start-up takes a large part of a run that is less than so many times as long."""
LARGE_RATIO = Fraction(3, 2)
"""Of the time that a run takes to the bound, from which it is said that others may be shorter."""


class Stream(NamedTuple):
    """What is counted on its own: whole instances, one message, or one task of a mix."""

    part: Fraction
    """How many of it an instance is."""
    counts: Mapping[int, int]
    """How many run per period, by how many periods one takes. None of 0."""

    def complete_after(self, periods: int) -> Fraction:
        """Give the number of instances of which it is complete."""
        done = sum(n * max(0, periods - last + 1) for last, n in self.counts.items())
        return done / self.part

    def periods_for(self, instances: int) -> int:
        """Give the fewest periods after which it is complete of so many instances.

        From the longest on each period completes all that runs in one; before, lengths are few.
        """
        wanted = instances * self.part
        before = total = late = 0
        for last, n in sorted(self.counts.items()):
            if total * (last - 1) - late >= wanted:
                break
            before, total, late = last, total + n, late + n * (last - 1)
        return max(before, ceil((wanted + late) / total))


def stream_of(part: Fraction, counts: Iterable[tuple[Fraction | int, int]]) -> Stream:
    """Add up the allocations of a stream.

    Parameters
    ----------
    part
        How many of it an instance is.
    counts
        Of each allocation: how many per period, a whole number, and how many periods one takes.
    """
    by_length: dict[int, int] = {}
    for n, last in counts:
        if n:
            by_length[last] = by_length.get(last, 0) + int(n)
    return Stream(part, by_length)


def complete_after(streams: Sequence[Stream], periods: int) -> int:
    """Give the number of instances that are complete after a number of periods.

    Parameters
    ----------
    streams
        All that an instance consists of.
    periods
        From the start.
    """
    return floor(min((one.complete_after(periods) for one in streams), default=Fraction(0)))


def periods_for(streams: Sequence[Stream], instances: int) -> int | None:
    """Give the fewest periods after which so many instances are complete. None: they never are.

    Parameters
    ----------
    streams
        All that an instance consists of.
    instances
        At least 1.
    """
    if not streams or not all(one.counts for one in streams):
        return None
    return max(one.periods_for(instances) for one in streams)


def worth_in_run(run: RunGoal, streams: Sequence[Stream], period: Fraction) -> Fraction:
    """Give what is least for the best schedule: its end, or minus the instances within a horizon.

    Parameters
    ----------
    run
        What the schedule is for.
    streams
        All that an instance consists of. Each has an allocation that runs.
    period
        In time units.
    """
    if run.horizon is not None:
        return Fraction(-complete_after(streams, floor(run.horizon / period)))
    assert run.instances is not None
    needed = periods_for(streams, run.instances)
    assert needed is not None
    return needed * period


@dataclass(frozen=True)
class LeastTime:
    r"""The earliest time at which any schedule can have completed a number of instances.

    An instance takes at least 1 at the prices. A resource can be in use for instances only after
    its wait: until the first file can be there, and from its last use to the end of a task. So
    :math:`N \le \sum_r u_r \max(0, t - wait_r)`.

    Attributes
    ----------
    prices
        Of a certificate of the throughput, by resource.
    waits
        By resource; 0 by default.
    first
        What the first instance takes at least.
    """

    prices: Mapping[str, Fraction]
    waits: Mapping[str, Fraction] = field(default_factory=dict)
    first: Fraction = Fraction(0)

    def earliest_time(self, instances: int) -> Fraction | None:
        """Give the earliest time. None where no schedule does anything.

        Parameters
        ----------
        instances
            At least 1.
        """
        unit = lcm(1, *(price.denominator for price in self.prices.values()))
        tick = lcm(1, *(wait.denominator for wait in self.waits.values()))
        priced = sorted(
            (int(self.waits.get(name, 0) * tick), int(price * unit))
            for name, price in self.prices.items()
            if price
        )
        worth = lost = 0
        for place, (wait, price) in enumerate(priced):
            worth, lost = worth + price, lost + price * wait
            time = Fraction(instances * unit * tick + lost, worth)  # in ticks
            if place + 1 == len(priced) or time <= priced[place + 1][0]:
                return max(time / tick, self.first)
        return None

    def most_instances(self, horizon: Fraction) -> int:
        """Give the most instances that are complete after a time."""
        if horizon < self.first:
            return 0
        nothing = Fraction(0)
        used = (
            price * max(nothing, horizon - self.waits.get(name, nothing))
            for name, price in self.prices.items()
        )
        return floor(sum(used, nothing))


def length_of(
    allocation: Allocation,
    files: Iterable[FileName],
    ports: PortModel,
    mix: Mapping[str, Fraction] | None,
) -> int:
    """Give the number of periods that an instance of an allocation takes.

    Parameters
    ----------
    allocation
        Where its tasks run, and which routes its files take.
    files, ports, mix
        As of `streams_of`.
    """
    # One task of a mix has only the files that move.
    own = files if mix is None else [transfer.file for transfer in allocation.transfers]
    return last_period(own, allocation, ports)


def streams_of(
    files: Iterable[FileName],
    ports: PortModel,
    allocations: Iterable[Allocation],
    mix: Mapping[str, Fraction] | None = None,
) -> list[Stream]:
    """Collect what is counted on its own.

    Parameters
    ----------
    files
        Of the application, also those that never move.
    ports
        The port model.
    allocations
        Of a schedule, with their instances per period.
    mix
        Where each allocation runs one of several tasks, how many of each an instance is.
    """
    found: dict[str | None, list[tuple[Fraction, int]]] = {}
    listed = tuple(files)
    for one in allocations:
        name = one.message if mix is None else next(iter(one.tasks))
        counts = found.setdefault(name, [])
        if one.instances_per_period:
            counts.append((one.instances_per_period, length_of(one, listed, ports, mix)))
    parts = mix or {}
    return [stream_of(parts.get(name or "", Fraction(1)), counts) for name, counts in found.items()]


def promise(
    run: RunGoal, schedule: Schedule, streams: Sequence[Stream], least: LeastTime | None
) -> RunPromise:
    """Say what a schedule does in a run.

    Parameters
    ----------
    run
        What is asked.
    schedule
        That runs.
    streams
        Of its allocations.
    least
        What no schedule exceeds. None where nothing is proved.
    """
    if run.horizon is not None:
        periods = floor(run.horizon / schedule.period)
        return RunPromise(
            0,
            run.horizon,
            periods,
            instances_at_least=complete_after(streams, periods),
            instances_at_most=None if least is None else least.most_instances(run.horizon),
        )
    assert run.instances is not None
    needed = periods_for(streams, run.instances)
    return RunPromise(
        run.instances,
        None,
        0 if needed is None else needed,
        completion_time_at_most=None if needed is None else needed * schedule.period,
        no_schedule_before=None if least is None else least.earliest_time(run.instances),
    )


def start_up_warnings(schedule: Schedule, label: str | None) -> Iterator[str]:
    """Warn of a start-up that takes over a day, or over a tenth of the run.

    Parameters
    ----------
    schedule
        With what it promises of its run, if one was asked for.
    label
        The platform's name of the unit of time. None where it is not known.
    """
    if not schedule.instances_per_period:
        return
    takes, run = schedule.prologue_periods * schedule.period, schedule.run
    if run is None:
        said = human_time(takes, label)
        if said is not None and takes * SECONDS[label or "s"] > SECONDS["d"]:
            yield (
                f"the start-up takes {said.text}: run in the options chooses a shorter period for a"
                " number of instances or a horizon, and max_period asks for one"
            )
        return
    whole = run.completion_time_at_most if run.horizon is None else run.horizon
    if whole is None or run.instances_at_least == run.instances_at_most:
        return
    facts = []
    if takes >= whole:
        facts.append("the run ends before the start-up does")
    elif takes * LARGE_START_UP > whole:
        facts.append(f"the start-up takes {floor(100 * takes / whole)} % of the run")
    if run.ratio is not None and run.ratio > LARGE_RATIO:
        facts.append(
            f"the run takes up to {float(run.ratio):.3g} times as long as the best schedule"
        )
    if run.horizon is None and schedule.instances_per_period > run.instances:
        facts.append(f"a period holds {floor(schedule.instances_per_period):,} instances")
    if facts:
        yield (
            f"this is a short run for a schedule that repeats ({'; '.join(facts)}): a schedule that"
            " does not repeat may be better, and none is searched for here"
        )
