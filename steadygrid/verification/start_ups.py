"""Rules for schedules that pay latencies: periods made one, in which everything starts once."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import pairwise
from math import ceil, floor, gcd
from typing import NamedTuple

from steadygrid.domain.errors import Pointer
from steadygrid.domain.job import Options
from steadygrid.domain.run import RunPromise
from steadygrid.domain.schedule import Allocation, Grouping, Schedule
from steadygrid.domain.slots import FileName, Slot
from steadygrid.verification.exact import show
from steadygrid.verification.findings import Findings
from steadygrid.verification.instance_periods import in_order
from steadygrid.verification.promises import Complete, Earliest, read_complete
from steadygrid.verification.steady import SteadyInstance, Views

MOST_EVALUATED = 200_000
"""Up to as many messages times numbers of periods, all of these numbers are tried anew."""
_ONE_BY_ONE = 1_000

Line = tuple[Fraction, Fraction]
"""A latency, and a time for each steady period: what takes ``latency + periods * time``."""


class Steady(NamedTuple):
    """The steady period of which a schedule groups several; one where latencies are not paid."""

    periods: int
    period: Fraction
    """Of which latencies take no part."""
    latencies: Mapping[str, Fraction]
    """By processor. None where they are not paid."""
    pays: bool

    @property
    def time(self) -> Fraction:
        """Without latencies, of all steady periods together."""
        return self.periods * self.period


def ungrouped(schedule: Schedule) -> Steady:
    """Give the period of a schedule that ignores latencies."""
    return Steady(1, schedule.period, {}, pays=False)


def read_grouping(
    views: Views, schedule: Schedule, options: Options, findings: Findings
) -> Steady | None:
    """Read from the header how many periods are one. None if that makes no sense.

    Parameters
    ----------
    views
        What each allocation of the schedule runs.
    schedule
        The one to check.
    options
        What was asked of the schedule.
    findings
        Gets the faults.

    Notes
    -----
    Rules, in this order:

    == ==================================================== ====================
    1  where paid latencies were asked, periods are grouped `not_paid`
    2  elsewhere they are not                               `paid_unasked`
    3  they number at least 1                               `no_periods`
    4  they last longer than 0, and latencies 0 or longer   `wrong_latency_time`
    == ==================================================== ====================
    """
    grouping, latencies = schedule.grouping, views.network.start_ups
    pays = options.latencies == "paid" and latencies is not None
    at = ("schedule", "grouped_periods")
    if grouping is None or latencies is None or not pays:
        if pays:
            findings.add(at, "not_paid", "The schedule does not say how it pays latencies.")
        elif grouping is not None:
            findings.add(
                at, "paid_unasked", "The schedule pays latencies, which the options do not ask for."
            )
        return ungrouped(schedule)
    if grouping.periods < 1:
        findings.add(at, "no_periods", f"The schedule groups {grouping.periods} periods.")
        return None
    steady = (schedule.period - grouping.latency_time) / grouping.periods
    if grouping.latency_time < 0 or steady <= 0:
        findings.add(
            ("schedule", "latency_time"),
            "wrong_latency_time",
            f"Latencies take {show(grouping.latency_time)} of the period {show(schedule.period)}.",
        )
        return None
    return Steady(grouping.periods, steady, latencies, True)


def check_start_ups(
    views: Views,
    schedule: Schedule,
    steady: Steady,
    options: Options,
    earliest: Earliest | None,
    findings: Findings,
) -> None:
    """Check the length of a period that pays latencies, and how many steady ones it holds.

    Parameters
    ----------
    earliest
        What no schedule of a run exceeds. None where nothing is proved.

    Notes
    -----
    Rules, in this order:

    == ============================================================ ===============================
    1  counts are those of as many steady periods                   see `_check_groups`
    2  without latencies, the slots and the computations of a       `steady_period_too_short`
       processor fit into a steady period
    3  a slot of exact rates is as long as its slowest message      `wrong_duration`
    4  the period is as long as the steady ones and their latencies `wrong_grouped_period`
       take
    5  latencies take at most `latency_loss` of the period          `loses_more_on_latencies`
    6  of one steady period less they would take more               `more_periods_than_needed`
    7  in a run, no other number of periods completes it earlier, or `later_than_needed`
       completes more until its horizon
    8  the header says when a number of instances is complete       `wrong_completion_time_at_most`
    9  it says when no schedule can have completed them             `wrong_no_schedule_before`
    == ============================================================ ===============================

    Rule 3 is for ports where a processor computes while it sends. A message lasts with its latency.
    Rule 4: the longest of the steady periods, the slots, and the computations of a processor with
    its latency for each. Under ``multiport`` the slots take the steady periods and the largest sum
    of latencies on the route of a file, under ``no_overlap`` the steady periods and the largest
    latency of each slot. Rules 5 and 6 are for schedules without a run. Rule 7 tries
    all numbers up to 1,000 and the powers of two, as far as they are useful. Where the slots are
    many, the nearest and the last of these. Rules 8 and 9: as the run says; schedules of versions
    before runs wait for all allocations alike, and compare with the bound on the throughput.
    """
    grouping = schedule.grouping
    if grouping is None or not steady.pays:
        return
    _check_groups(schedule, steady, options.wants_whole_files, findings)
    lengths = _Lengths(views, schedule, steady)
    _check_room(lengths, steady, findings)
    if lengths.tight:
        _check_durations(lengths, schedule, steady, findings)
    length = lengths.length_of(steady.periods)
    if length != schedule.period:
        findings.add(
            ("schedule", "period"),
            "wrong_grouped_period",
            f"{steady.periods} periods of {show(steady.period)} and their latencies take"
            f" {show(length)}, not {show(schedule.period)}.",
        )
    elif schedule.instances_per_period > 0:
        if options.asked_run is None:
            _check_fewest(lengths, schedule, steady, options.latency_loss, findings)
        elif schedule.run is not None:
            complete = read_complete(views, schedule)
            _check_best_for_run(lengths, schedule, steady, schedule.run, complete, findings)
    _check_dates(schedule, grouping, options.total_instances, earliest, findings)


def _check_groups(
    schedule: Schedule, steady: Steady, whole_files: bool, findings: Findings
) -> None:
    """Check that a schedule groups as many periods as the header says.

    Notes
    -----
    Rules, in this order:

    == ==================================================================== =======================
    1  the count of every allocation is a multiple of the number of periods `partial_group`
    2  so is that of every transfer and computation, where whole files were `partial_group`
       asked for
    3  where the rates are exact, no larger number divides all of these     `wrong_grouped_periods`
       counts
    == ==================================================================== =======================

    Rule 3: a steady period would then be several itself.
    """
    divisor = 0
    for place, what, count in _counts(schedule, whole_files):
        numerator, denominator = count.as_integer_ratio()
        divisor = gcd(divisor, numerator)
        if denominator != 1 or numerator % steady.periods:
            findings.add(
                ("schedule", *place),
                "partial_group",
                f"Each of the {steady.periods} periods that are one has"
                f" {show(count / steady.periods)} {what}.",
            )
    periods, rest = divmod(divisor, steady.periods)
    if schedule.rounding_loss is None and periods > 1 and not rest:
        findings.add(
            ("schedule", "grouped_periods"),
            "wrong_grouped_periods",
            f"All counts are multiples of {show(Fraction(divisor))}: the schedule groups so many"
            f" periods, not {steady.periods}.",
        )


def _counts(schedule: Schedule, whole_files: bool) -> Iterator[tuple[Pointer, str, Fraction]]:
    """List what every steady period holds whole numbers of, with its place and its name."""
    for i, allocation in enumerate(schedule.allocations):
        place = "allocations", i, "instances_per_period"
        yield place, f"instances of allocation {allocation.index}", allocation.instances_per_period
    if not whole_files:
        return
    for i, slot in enumerate(schedule.slots):
        for j, sent in enumerate(slot.transfers):
            yield ("slots", i, "transfers", j, "count"), f"files in slot {i}", sent.count
    for i, entry in enumerate(schedule.computations):
        yield ("computations", i, "count"), f"executions of {entry.task!r}", entry.count


class _Lengths:
    """How long a period is, by the number of steady ones that it holds."""

    def __init__(self, views: Views, schedule: Schedule, steady: Steady) -> None:
        self.views, self.schedule, self.steady = views, schedule, steady
        ports = views.network.ports
        exact = schedule.rounding_loss is None
        self.tight = exact and ports not in ("multiport", "no_overlap")
        self._sizes = {a.index: views.of(a).sizes for a in schedule.allocations}
        self.slots = [self._lines(slot) for slot in schedule.slots]
        self.computing = self._computing()
        self.sending: list[list[Line]] = []
        fixed = Fraction(0)
        each = Fraction(0)
        if ports == "multiport":
            self.sending = [[(longest_path_latency(views, schedule), steady.period)]]
        elif ports == "no_overlap":
            total = sum((latency for ((latency, _),) in self.slots), fixed)
            self.sending = [[(total, steady.period)]]
        else:
            for lines in self.slots:
                if len(lines) == 1:
                    fixed, each = fixed + lines[0][0], each + lines[0][1]
                else:
                    self.sending.append(lines)
            self.sending.append([(fixed, each)])

    def _lines(self, slot: Slot) -> list[Line]:
        """Give what the length of a slot is the longest of. A long message hides shorter ones."""
        longest: dict[Fraction, Fraction] = {}
        for sent in slot.transfers:
            hop = self.views.network.hops.get((sent.sender, sent.receiver))
            size = self._sizes.get(sent.allocation, {}).get(sent.file, Fraction(0))
            if hop is not None:
                time = sent.count * size * hop.unit_time / self.steady.periods
                longest[hop.latency] = max(time, longest.get(hop.latency, time))
        if not self.tight:
            largest = max(longest, default=Fraction(0))
            return [(largest, (slot.duration - largest) / self.steady.periods)]
        return list(longest.items())

    def _computing(self) -> dict[str, Line]:
        found: dict[str, Line] = {}
        for entry in self.schedule.computations:
            latency = self.steady.latencies.get(entry.processor, Fraction(0))
            paid, time = found.get(entry.processor, (Fraction(0), Fraction(0)))
            time += (entry.time - latency) / self.steady.periods
            found[entry.processor] = paid + latency, time
        return found

    def length_of(self, periods: int) -> Fraction:
        """Give the length of a period that holds a number of steady ones."""
        return max(
            periods * self.steady.period,
            sum((_longest(lines, periods) for lines in self.sending), Fraction(0)),
            _longest(self.computing.values(), periods),
        )

    @property
    def cost(self) -> int:
        """How many lines one length is found from."""
        return len(self.computing) + sum(map(len, self.sending))


def _longest(lines: Iterable[Line], periods: int) -> Fraction:
    return max((latency + periods * time for latency, time in lines), default=Fraction(0))


def longest_path_latency(views: Views, schedule: Schedule) -> Fraction:
    """Give the largest sum of latencies on the route of a file, from where it is made.

    A path may begin where others bring the file: it goes on from the one that takes least. What a join
    makes goes on from the last of the files that are joined.

    Parameters
    ----------
    views
        What each allocation of the schedule runs.
    schedule
        The one to check.
    """
    return max(
        (
            latency
            for allocation in schedule.allocations
            if allocation.instances_per_period
            for latency in _path_latencies(views.of(allocation), allocation)
        ),
        default=Fraction(0),
    )


def _path_latencies(instance: SteadyInstance, allocation: Allocation) -> list[Fraction]:
    """Sum up the latencies up to the end of each path."""
    paths: dict[FileName, list[tuple[str, ...]]] = {}
    for transfer in allocation.transfers:
        if instance.sizes.get(transfer.file, 0) and transfer.share and transfer.path:
            paths.setdefault(transfer.file, []).append(transfer.path)
    there: dict[FileName, dict[str, Fraction]] = {}
    ends: list[Fraction] = []
    for task, used, made in in_order(instance):
        since = Fraction(0)
        if task in instance.joins:
            came = (there[file].get(instance.joins[task], since) for file in used)
            since = max(came, default=since)
        for file in made:
            there[file] = dict.fromkeys(instance.places(allocation, task), since)
            ends += _along(instance, paths.get(file, ()), there[file])
    return ends


def _along(
    instance: SteadyInstance, paths: Collection[tuple[str, ...]], there: dict[str, Fraction]
) -> list[Fraction]:
    """Send a file on from where it is, in rounds until it comes nowhere any sooner."""
    hops = instance.network.hops
    ends: list[Fraction] = []
    sooner = True
    while sooner:
        sooner, ends = False, []
        for path in paths:
            latency = there.get(path[0])
            if latency is None:
                continue
            for hop in pairwise(path):
                latency += hops[hop].latency if hop in hops else Fraction(0)
                if latency < there.get(hop[1], latency + 1):
                    there[hop[1]], sooner = latency, True
            ends.append(latency)
    return ends


def _check_room(lengths: _Lengths, steady: Steady, findings: Findings) -> None:
    needed = {
        f"the computations of {name!r}": time for name, (_, time) in lengths.computing.items()
    }
    sent = (max((time for _, time in lines), default=Fraction(0)) for lines in lengths.slots)
    needed["the slots"] = sum(sent, Fraction(0))
    for what, time in needed.items():
        if time > steady.period:
            findings.add(
                ("schedule", "latency_time"),
                "steady_period_too_short",
                f"Without latencies, {what} take {show(time)} of a steady period of"
                f" {show(steady.period)}.",
            )


def _check_durations(
    lengths: _Lengths, schedule: Schedule, steady: Steady, findings: Findings
) -> None:
    for i, (slot, lines) in enumerate(zip(schedule.slots, lengths.slots, strict=True)):
        longest = _longest(lines, steady.periods)
        if slot.duration != longest:
            findings.add(
                ("schedule", "slots", i, "duration"),
                "wrong_duration",
                f"Slot {i} lasts {show(slot.duration)}, its slowest message {show(longest)}.",
            )


def _check_fewest(
    lengths: _Lengths, schedule: Schedule, steady: Steady, most: Fraction, findings: Findings
) -> None:
    at: Pointer = ("schedule", "grouped_periods")
    lost = 1 - steady.time / schedule.period
    if lost > most:
        findings.add(
            at,
            "loses_more_on_latencies",
            f"Latencies take {show(lost)} of the period, and at most {show(most)} was asked.",
        )
    fewer = steady.periods - 1
    if fewer and 1 - fewer * steady.period / lengths.length_of(fewer) <= most:
        findings.add(
            at,
            "more_periods_than_needed",
            f"Of {fewer} periods, latencies would take no more than {show(most)}, too.",
        )


def _check_best_for_run(
    lengths: _Lengths,
    schedule: Schedule,
    steady: Steady,
    told: RunPromise,
    complete: Complete,
    findings: Findings,
) -> None:
    """Compare with other numbers of periods by what is complete before this one, or by the horizon."""
    each = schedule.instances_per_period / steady.periods
    end = told.completion_time_at_most
    mine = Fraction(0) if end is None else end
    if told.horizon is None:
        wanted = Fraction(told.instances)
    else:
        wanted = told.horizon * each / steady.period
    useful = max(1, ceil(wanted / each))
    doubled = [2**k for k in range(useful.bit_length())]
    tried = sorted({*range(1, min(useful, _ONE_BY_ONE) + 1), *doubled})
    if len(tried) * lengths.cost > MOST_EVALUATED:
        near = (steady.periods - 1, steady.periods + 1)
        tried = [periods for periods in tried if periods in (*near, tried[0], tried[-1])]
    for periods in tried:
        length, share = lengths.length_of(periods), Fraction(periods, steady.periods)
        if told.horizon is not None:
            done = complete.count_after(floor(told.horizon / length), share)
            better, what = done > told.instances_at_least, f"{done} instances"
        else:
            before = ceil(mine / length) - 1
            better = complete.count_after(before, share) >= wanted
            what = f"all instances before {show(mine)}"
        if better:
            findings.add(
                ("schedule", "grouped_periods"),
                "later_than_needed",
                f"Of {periods} periods, {what} would be complete.",
            )
            break


def _check_dates(
    schedule: Schedule,
    grouping: Grouping,
    wanted: int | None,
    earliest: Earliest | None,
    findings: Findings,
) -> None:
    completion, before = grouping.completion_time_at_most, grouping.no_schedule_before
    due_completion = due_before = None
    if schedule.run is not None:
        due_completion = schedule.run.completion_time_at_most
        due_before = schedule.run.no_schedule_before
    elif wanted is not None:
        each, before_full = schedule.instances_per_period, schedule.prologue_periods
        due_completion = (before_full + ceil(wanted / each)) * schedule.period if each else None
        bound = Fraction(0) if earliest is None else sum(earliest.prices.values(), Fraction(0))
        due_before = wanted / bound if bound else before
    for name, stated, due in (
        ("completion_time_at_most", completion, due_completion),
        ("no_schedule_before", before, due_before),
    ):
        if stated != due:
            findings.add(
                ("schedule", name),
                f"wrong_{name}",
                f"The header says {name} {_shown(stated)}, but that is {_shown(due)}.",
            )


def _shown(time: Fraction | None) -> str:
    return "nothing" if time is None else show(time)
