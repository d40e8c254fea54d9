"""The referee's rules for periodic schedules, for every application."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from steadygrid.domain.errors import Pointer
from steadygrid.domain.job import Options
from steadygrid.domain.rational import EXACT
from steadygrid.domain.schedule import (
    MOST_IN_A_PERIOD,
    MOST_LOST_BEFORE,
    USUAL_LIMITS,
    Allocation,
    Schedule,
    ScheduleLimits,
)
from steadygrid.verification.allocations import (
    check_allocations,
    check_computations,
    check_rates,
    of_stream,
)
from steadygrid.verification.exact import add, common_denominator, equals, scaled_ratio, show
from steadygrid.verification.findings import Findings
from steadygrid.verification.fitting import Demand
from steadygrid.verification.instance_periods import course_of
from steadygrid.verification.members import check_members
from steadygrid.verification.promises import Earliest, check_promise, last_period_of
from steadygrid.verification.runs import check_runs
from steadygrid.verification.slots import check_slots
from steadygrid.verification.start_ups import Steady, check_start_ups, read_grouping
from steadygrid.verification.steady import SteadyInstance, Views


def verify_answer(
    views: Views,
    schedule: Schedule,
    findings: Findings,
    certified: Fraction,
    options: Options,
    notes: Sequence[str],
    limits: ScheduleLimits,
    *,
    dealt: bool = False,
    earliest: Earliest | None = None,
) -> None:
    """Check the schedule of a result of value `certified`, as the options asked for it.

    Parameters
    ----------
    views
        What each allocation of the schedule runs.
    schedule
        The one to check.
    findings
        Gets the faults.
    certified
        The value of the result.
    options
        What was asked of the schedule.
    notes
        Of the result.
    limits
        Within which an exact schedule is due.
    dealt, earliest
        As of `verify_periodic`.

    Notes
    -----
    Rules, in this order:

    == ================================ =====================
    1  the schedule is right            see `verify_periodic`
    2  a schedule of nothing has a note `no_note`
    == ================================ =====================
    """
    verify_periodic(
        views, schedule, findings, certified, options, limits, dealt=dealt, earliest=earliest
    )
    if schedule.throughput == 0 and not notes:
        findings.add(("result", "notes"), "no_note", "A schedule of nothing needs a note.")


def verify_periodic(
    views: Views,
    schedule: Schedule,
    findings: Findings,
    certified: Fraction,
    options: Options,
    limits: ScheduleLimits = USUAL_LIMITS,
    *,
    dealt: bool = False,
    earliest: Earliest | None = None,
) -> None:
    """Check a periodic schedule against its instance, in exact arithmetic.

    Parameters
    ----------
    views
        What each allocation runs.
    certified
        The throughput of the exact rates, in instances per time unit.
    options
        `max_period` and `whole_files` as asked for. A schedule with a `rounding_loss` may have
        been rounded without being asked.
    limits
        Within which an exact schedule is due.
    earliest
        What no schedule of a run exceeds. None where nothing is proved.
    dealt
        Whether rates stand for several processors alike: a rounded schedule then divides them as it
        deals whole instances, and its own rates do not tell whether the exact one fits.

    Notes
    -----
    Rules, in this order:

    == ================================================================== ==========================
    1  the period is above 0                                              `no_period`
    2  it is at most `max_period`                                         `period_too_long`
    3  where latencies are paid, the header says of how many steady       see `read_grouping`
       periods
    4  the ports are those of the instance                                `wrong_ports`
    5  the files are those of the application                             `wrong_files`
    6  the allocations of each stream have its instances                  `wrong_instances`
    7  the optimal throughput is the certified one                        `wrong_optimal_throughput`
    8  the throughput is the number of instances over the period          `wrong_throughput`
    9  it is not above the optimal throughput                             `too_good`
    10 the loss is what is missing to the optimal throughput, as a part   `wrong_loss`
       of it
    11 without a `rounding_loss` nothing is lost                          `loses`
    12 the allocations are complete                                       see `check_allocations`
    13 a `rounding_loss` is what rounding the rates down loses, or the    `wrong_rounding_loss`
       loss where that is more
    14 there is none where the exact schedule surely fits                 `rounded_without_need`
    15 where the exact schedule is only too full for people, at most      `loses_too_much`
       `MOST_LOST_BEFORE` is lost
    16 nothing at all runs only with `max_period`, or where no            `does_nothing`
       allocation's transfers can be listed
    17 `bounded`, where it says anything, says why the period was bounded `wrong_bounded`
    18 rates agree with counts                                            see `check_rates`
    19 computations fit into the period                                   see `check_computations`
    20 transfers fit into the slots, or into the runs of links            see `check_slots` and
                                                                          `check_runs`
    21 instances can be dealt to members                                  see `check_members`
    22 latencies are paid                                                 see `check_start_ups`
    23 an allocation has the first periods of the kind's rule; of a kind  `wrong_first_periods`
       without a rule none, or one of each copy of a task
    24 of these, none is before what the copy needs is there, where a     `runs_before_its_input`
       file of the same period counts if its maker has run on the same
       processor before
    25 the prologue is one period less than the longest instance takes    `wrong_prologue`
    26 the latency is what the longest instance takes                     `wrong_latency`
    27 what it does in a run is told                                      see `check_promise`
    == ================================================================== ==========================

    Where latencies are paid, rules 9, 11, 13 to 15 and 18 are about steady periods. Rule 13: down
    to `max_period`, or where that was not asked or the period was chosen for a run, to the period
    of the schedule. Rules 14 and 15 are
    not asked where instances are dealt, or the period was chosen for a run. The exact schedule fits if it keeps to the limits and to
    `max_period`, see `Demand.surely_fits`, and, where `max_period` says nothing, holds at most
    `MOST_IN_A_PERIOD` instances and files; with more it is too full for people. In rules 25 and 26
    each operation starts in the period after those it needs, or when the first periods say.

    Linear in the length of the description, in operations on its numbers. The length of the
    period and the counts only enter by their digits. A transfer waits for the period
    after those it needs, so within a period any order of slots is right, and per allocation
    equal counts suffice for every join to get files of the same instance.
    """
    if schedule.period <= 0:
        findings.add(("schedule", "period"), "no_period", "The period is not above 0.")
        return
    longest = options.longest_period
    if longest is not None and schedule.period > longest:
        findings.add(
            ("schedule", "period"),
            "period_too_long",
            f"The period {show(schedule.period)} is longer than the {show(longest)} asked.",
        )
    steady = read_grouping(views, schedule, options, findings)
    if steady is None:
        return
    _check_header(views, schedule, certified, findings)
    _check_throughput(schedule, steady, findings)
    by_index = check_allocations(views, schedule, findings)
    demand = Demand(views, schedule, options.wants_whole_files, steady)
    if schedule.rounding_loss is not None:
        compared = None if schedule.bounded == "run" else longest
        _check_rounding(demand, schedule.rounding_loss, compared, findings)
        if not dealt and schedule.bounded != "run":
            _check_need(demand, options, limits, findings)
        if longest is None and not schedule.throughput and demand.can_run(limits):
            findings.add(
                ("schedule", "throughput"),
                "does_nothing",
                "The schedule does nothing, but one instance after the other could run.",
            )
    _check_bounded(schedule, options, findings)
    exact = schedule.rounding_loss is None
    check_rates(views, schedule, certified, steady.time if exact else None, findings)
    check_computations(views, schedule, by_index, steady.latencies, findings)
    whole = options.wants_whole_files
    if schedule.runs is None:
        check_slots(views, schedule, by_index, whole, steady, findings)
    else:
        check_runs(views, schedule, schedule.runs, by_index, whole, steady, findings)
    check_members(views, schedule, findings)
    check_start_ups(views, schedule, steady, options, earliest, findings)
    _check_start(views, schedule, findings)
    check_promise(views, schedule, options, earliest, findings)


def _check_header(
    views: Views, schedule: Schedule, certified: Fraction, findings: Findings
) -> None:
    if schedule.ports != views.network.ports:
        findings.add(
            ("schedule", "ports"),
            "wrong_ports",
            f"The schedule is for {schedule.ports}, the instance for {views.network.ports}.",
        )
    if sorted(schedule.files) != sorted(views.files):
        findings.add(
            ("schedule", "files"), "wrong_files", "The files are not those of the application."
        )
    for stream, positions in views.by_stream(schedule.allocations).items():
        counts = [schedule.allocations[position].instances_per_period for position in positions]
        common = common_denominator(counts)
        numerator, denominator = add(scaled_ratio(count, common) for count in counts)
        due = views.streams[stream] * schedule.instances_per_period
        if not equals((numerator, denominator), scaled_ratio(due, common)):
            findings.add(
                ("schedule", "instances_per_period"),
                "wrong_instances",
                f"The allocations{of_stream(stream)} have"
                f" {show((numerator, denominator * common))} instances per period, the header says"
                f" {show(due)}.",
            )
    if schedule.optimal_throughput != certified:
        findings.add(
            ("schedule", "optimal_throughput"),
            "wrong_optimal_throughput",
            f"The header says {show(schedule.optimal_throughput)}, certified are"
            f" {show(certified)}.",
        )


def _check_throughput(schedule: Schedule, steady: Steady, findings: Findings) -> None:
    optimal = schedule.optimal_throughput
    if schedule.throughput != schedule.instances_per_period / schedule.period:
        findings.add(
            ("schedule", "throughput"),
            "wrong_throughput",
            f"The throughput {show(schedule.throughput)} is not the number of instances over the"
            " period.",
        )
    best = max(schedule.throughput, schedule.instances_per_period / steady.time)
    if best > optimal:
        findings.add(
            ("schedule", "throughput"),
            "too_good",
            f"The throughput {show(best)} is above the optimum {show(optimal)}.",
        )
    loss = 1 - schedule.throughput / optimal if optimal else Fraction(0)
    if schedule.loss != loss:
        findings.add(
            ("schedule", "loss"),
            "wrong_loss",
            f"The loss is {show(loss)}, the header says {show(schedule.loss)}.",
        )
    lost = _lost(schedule, steady) if steady.pays else loss
    if lost and schedule.rounding_loss is None:
        findings.add(
            ("schedule", "throughput"),
            "loses",
            f"The rates are not rounded, and yet {show(lost)} of the throughput is lost.",
        )


def _lost(schedule: Schedule, steady: Steady) -> Fraction:
    """Give the part of the throughput that is lost, other than by latencies."""
    optimal = schedule.optimal_throughput
    done = schedule.instances_per_period / steady.time
    return 1 - done / optimal if optimal else Fraction(0)


def _check_rounding(
    demand: Demand,
    stated: Fraction,
    longest: Fraction | None,
    findings: Findings,
) -> None:
    schedule, at = demand.schedule, ("schedule", "rounding_loss")
    optimal = schedule.optimal_throughput
    period = demand.steady.period if longest is None else longest
    rounded = demand.throughput_rounded_down(period)
    lost = _lost(schedule, demand.steady)
    loss = max(lost, 1 - rounded / optimal) if optimal else Fraction(0)
    if stated != loss:
        findings.add(
            at,
            "wrong_rounding_loss",
            f"Merely rounding down would lose {show(loss)}, the header says {show(stated)}.",
        )


def _check_need(
    demand: Demand, options: Options, limits: ScheduleLimits, findings: Findings
) -> None:
    longest, loss = options.longest_period, _lost(demand.schedule, demand.steady)
    for_people = options.max_period is None
    if demand.surely_fits(limits, longest, MOST_IN_A_PERIOD if for_people else None):
        findings.add(
            ("schedule", "rounding_loss"),
            "rounded_without_need",
            f"The schedule is rounded and loses {show(loss)}, but the exact one fits: its"
            f" period is a multiple of {show(demand.period)}"
            + (
                f" of at most {limits.max_period_digits:,} digits, with at most"
                f" {limits.max_slot_transfers:,} transfers."
                if longest is None
                else f" within {show(longest)}."
            ),
        )
    elif for_people and loss > MOST_LOST_BEFORE and demand.surely_fits(limits, None):
        findings.add(
            ("schedule", "rounding_loss"),
            "loses_too_much",
            f"The schedule loses {show(loss)}, more than {show(MOST_LOST_BEFORE)}, but the exact one is"
            " within the limits.",
        )


def _check_bounded(schedule: Schedule, options: Options, findings: Findings) -> None:
    if schedule.bounded is None:
        return
    whys = ["automatic" if options.longest_period is None else "asked"]
    if options.asked_run is not None and options.max_period != EXACT:
        whys.append("run")
    if schedule.rounding_loss is None or schedule.bounded not in whys:
        findings.add(
            ("schedule", "bounded"),
            "wrong_bounded",
            f"The header says that the period was bounded because it was {schedule.bounded!r}, but"
            + (
                " it was not."
                if schedule.rounding_loss is None
                else f" it was {' or '.join(map(repr, whys))}."
            ),
        )


def _check_start(views: Views, schedule: Schedule, findings: Findings) -> None:
    spans = _spans_of(schedule)
    for position, allocation in enumerate(schedule.allocations):
        at = ("schedule", "allocations", position, "first_periods")
        instance = views.of(allocation)
        if allocation.first_periods is not None and instance.first_periods is None:
            _check_own_periods(instance, allocation, spans.get(allocation.index, {}), at, findings)
        elif allocation.first_periods != _first_periods(instance, allocation):
            findings.add(
                at,
                "wrong_first_periods",
                f"The first periods of allocation {allocation.index} are not those of the kind's"
                " rule.",
            )
    latency = max(
        (
            last_period_of(views.of(allocation), allocation)
            for allocation in schedule.allocations
            if allocation.instances_per_period > 0
        ),
        default=1,
    )
    if schedule.prologue_periods != latency - 1:
        findings.add(
            ("schedule", "prologue_periods"),
            "wrong_prologue",
            f"The longest instance makes prologue_periods {latency - 1}, the header says"
            f" {schedule.prologue_periods}.",
        )
    if schedule.latency_periods != latency:
        findings.add(
            ("schedule", "latency_periods"),
            "wrong_latency",
            f"The longest instance makes latency_periods {latency}, the header says"
            f" {schedule.latency_periods}.",
        )


def _first_periods(
    instance: SteadyInstance, allocation: Allocation
) -> dict[tuple[str, str], int] | None:
    """Give the first periods by the kind's own rule, if it has one, of every copy of a task."""
    if instance.first_periods is None:
        return None
    return {
        (task, processor): instance.first_periods[task]
        for task, processors in allocation.tasks.items()
        for processor in processors
        if task in instance.first_periods
    }


def _spans_of(schedule: Schedule) -> dict[int, dict[tuple[str, str], tuple[Fraction, Fraction]]]:
    """Give, by allocation, task and processor, when a period begins and ends to compute it."""
    spans: dict[int, dict[tuple[str, str], tuple[Fraction, Fraction]]] = {}
    for one in schedule.computations:
        copy, end = (one.task, one.processor), one.start + one.time
        known = spans.setdefault(one.allocation, {})
        first, last = known.get(copy, (one.start, end))
        known[copy] = min(first, one.start), max(last, end)
    return spans


def _check_own_periods(
    instance: SteadyInstance,
    allocation: Allocation,
    spans: Mapping[tuple[str, str], tuple[Fraction, Fraction]],
    at: Pointer,
    findings: Findings,
) -> None:
    given = allocation.first_periods or {}

    def follows(task: str, maker: str, processor: str) -> bool:
        before, behind = spans.get((maker, processor)), spans.get((task, processor))
        return before is not None and behind is not None and before[1] <= behind[0]

    needed = course_of(instance, allocation, follows).needed
    if given.keys() != needed.keys():
        findings.add(
            at,
            "wrong_first_periods",
            f"Allocation {allocation.index} gives first periods, but not one of each copy of a task.",
        )
        return
    for (task, processor), first in needed.items():
        if given[task, processor] < first:
            findings.add(
                at,
                "runs_before_its_input",
                f"{task!r} runs on {processor!r} from period {given[task, processor]}, but what it"
                f" needs is there for period {first}.",
            )
