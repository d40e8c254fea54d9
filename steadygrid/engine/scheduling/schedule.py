"""From certified rates to a periodic schedule."""

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction

from steadygrid.domain.errors import OutOfTime
from steadygrid.domain.job import Options
from steadygrid.domain.pools import Pools
from steadygrid.domain.rational import EXACT
from steadygrid.domain.rounding import num_digits
from steadygrid.domain.run import RunGoal
from steadygrid.domain.schedule import (
    MOST_IN_A_PERIOD,
    MOST_LOST,
    Bounded,
    Computation,
    Schedule,
    ScheduleLimits,
)
from steadygrid.engine.scheduling.bounded import automatic, bounded, smallest_useful_period
from steadygrid.engine.scheduling.case import Arrangement, Case
from steadygrid.engine.scheduling.completion import length_of, streams_of, worth_in_run
from steadygrid.engine.scheduling.computations import in_order
from steadygrid.engine.scheduling.counts import rounded_down
from steadygrid.engine.scheduling.exact_schedule import (
    ExactSchedule,
    exact_schedule,
    too_many_transfers,
)
from steadygrid.engine.scheduling.messages import (
    automatic_messages,
    bounded_messages,
    shortest_of_messages,
)
from steadygrid.engine.scheduling.pooled import (
    Found,
    automatic_pools,
    bounded_pools,
    dealing,
    evenly,
)
from steadygrid.engine.scheduling.run_period import period_for_run, rank
from steadygrid.engine.scheduling.start_ups import is_printable, paying
from steadygrid.engine.scheduling.turns import lengthen_for_turns, takes_turns
from steadygrid.engine.scheduling.workload import (
    Plan,
    Reconstruction,
    UnitSlot,
    Workload,
    allocation_of,
)
from steadygrid.engine.solving.control import Control


def reconstruct(
    workload: Workload,
    plans: Sequence[Plan],
    optimal_throughput: Fraction,
    options: Options,
    limits: ScheduleLimits,
    control: Control,
    slots: Sequence[UnitSlot] | None = None,
    pools: Pools | None = None,
) -> Reconstruction:
    """Turn the rates of allocations into a schedule that repeats.

    Parameters
    ----------
    workload
        Platform, port model, times and sizes.
    plans
        The allocations. Their rates respect every resource.
    optimal_throughput
        Sum of the rates, in instances per time unit.
    options
        `max_period` and `whole_files` are used, and what they say of latencies.
    limits
        Beyond them the period is chosen automatically.
    control
        Asked between steps whether to go on.
    slots
        Given where the kind has computed itself which arcs run side by side, per time unit. No
        arc carries more than its slots hold. Only used under ``one_port``.
    pools
        Given where what the plans place on the first member of a class stands for all its members.
        Then no file is split, and there are no `slots`.

    Returns
    -------
    Reconstruction
        The schedule, and notes on what the user did not ask for. The allocations of the schedule
        keep the order and the certified rates of `plans` (those of pools are divided among
        members). `instances_per_period` is what this schedule does with them, and only
        allocations that run count for the prologue. Without a positive rate the schedule is empty and its period 1 (or `max_period`, if shorter).

    Raises
    ------
    SchedulingError
        If half-duplex links carry both directions, are part of a cycle, and `slots` is None.
    Cancelled, OutOfTime
        If the control says so.

    Notes
    -----
    RR-4870, sections 4, 6.3 and 7.2. The steps: the shortest period in which every allocation
    runs a whole number of instances; the order of the transfers in it (`OnePort`, or a single
    slot under ``multiport``). Where files must stay whole, the period times the least factor
    that makes the counts of all slots whole. If the outcome is longer than `max_period` or than
    the limits allow, `bounded` or `automatic` take its place; `automatic` also where it holds more
    than `MOST_IN_A_PERIOD` instances or files, unless it was asked for. Plans of pools are spread
    evenly over the members for the exact schedule, and dealt to them in whole instances for others.
    Where latencies are paid, periods of that schedule are grouped, see `paying`. If the times of the
    exact one could not be printed then, those of a bounded one are.
    """

    def steady(aim: Options, *, unprintable: bool = False) -> Reconstruction:
        return _steady(
            workload,
            plans,
            optimal_throughput,
            aim,
            limits,
            control,
            slots,
            pools,
            unprintable=unprintable,
        )

    if options.latencies == "ignored":
        return steady(options)

    def paid(aim: Options) -> Reconstruction:
        for unprintable in (False, True):
            ignoring = steady(aim, unprintable=unprintable)
            schedule = paying(ignoring.schedule, workload, options, control)
            if ignoring.schedule.rounding_loss is not None or is_printable(schedule):
                break
        return ignoring._replace(schedule=schedule)

    run = options.asked_run
    if run is None:
        return paid(options)
    for_any = options.model_copy(update={"run": None, "total_instances": None})
    return min(
        (paid(aim) for aim in (options, for_any)),
        key=lambda one: _rank_of(run, one.schedule, workload),
    )


def _rank_of(
    run: RunGoal, schedule: Schedule, workload: Workload
) -> tuple[bool, Fraction, Fraction]:
    """Order schedules of a run, those that do nothing last."""
    instances = schedule.instances_per_period
    if not instances:
        return True, Fraction(0), instances
    found = streams_of(schedule.files, schedule.ports, schedule.allocations, workload.mix)
    return False, worth_in_run(run, found, schedule.period), instances


def _steady(
    workload: Workload,
    plans: Sequence[Plan],
    optimal_throughput: Fraction,
    options: Options,
    limits: ScheduleLimits,
    control: Control,
    slots: Sequence[UnitSlot] | None,
    pools: Pools | None,
    *,
    unprintable: bool = False,
) -> Reconstruction:
    """Give a schedule that ignores latencies. No exact one if that is known to be unprintable."""
    whole = options.wants_whole_files
    case = Case(
        workload,
        plans,
        whole,
        limits,
        control,
        slots if workload.ports == "one_port" else None,
        may_run=options.latencies == "ignored",
    )
    longest = options.longest_period
    if not any(plan.rate for plan in plans):
        period = Fraction(1) if longest is None else min(Fraction(1), longest)
        empty = Arrangement((0,) * len(plans), period, case.nothing)
        return Reconstruction(assemble(case, empty, optimal_throughput, None), [])
    control.check()
    even = case if pools is None else evenly(case, pools)
    if unprintable:
        exact, reason = (
            None,
            "the times of the exact schedule and its latencies are too long to print",
        )
    else:
        exact, reason = (
            (None, too_many_transfers(case)) if even is None else exact_schedule(even, longest)
        )
    run = None if options.max_period == EXACT else options.asked_run
    found = None if run is None else _for_run(case, pools, even, exact, run, longest)
    why: Bounded = "automatic" if longest is None else "asked"
    if found is not None:
        why, reason = "run", ""
    elif even is None or exact is None:
        found = _rounded(case, pools, longest)
    else:
        if run is None and options.max_period is None and _holds_many(even, exact):
            found = _for_people(case, pools, exact)
        if found is not None and takes_turns(case):
            arranged = lengthen_for_turns(even, exact.arranged())
            found = found if lengthen_for_turns(*found).period < arranged.period else None
        if found is None:
            arranged = lengthen_for_turns(even, exact.arranged())
            return Reconstruction(assemble(even, arranged, optimal_throughput, None), [])
        held = _counted(sum(exact.counts))
        reason = f"the exact period of {_readable(exact.period)} holds {held} instances"
    if found is None:
        period = Fraction(1) if longest is None else longest
        empty = Arrangement((0,) * len(plans), period, case.nothing)
        note = _nothing_fits(case, longest)
        rounded_to = assemble(case, empty, optimal_throughput, Fraction(1), why)
        return Reconstruction(rounded_to, [note])
    members, arrangement = found[0], lengthen_for_turns(*found)
    compared = longest if longest is not None and why == "asked" else arrangement.period
    rounded = _rounded_down(members, compared)
    rounded = min(arrangement.throughput / members.per_instance, rounded)
    rounding_loss = 1 - rounded / optimal_throughput
    schedule = assemble(members, arrangement, optimal_throughput, rounding_loss, why)
    return Reconstruction(schedule, _notes(schedule, reason, options))


def _rounded(case: Case, pools: Pools | None, longest: Fraction | None) -> Found | None:
    """Give a schedule of at most the longest period, or of a round one. None if nothing fits."""
    if pools is not None:
        return (
            automatic_pools(case, pools) if longest is None else bounded_pools(case, pools, longest)
        )
    if len(case.messages) > 1:
        rounded = automatic_messages(case) if longest is None else bounded_messages(case, longest)
        return None if rounded is None else (case, rounded)
    if not any(case.rates):
        return None
    arrangement = automatic(case) if longest is None else bounded(case, longest)
    return None if arrangement is None else (case, arrangement)


def _for_run(
    case: Case,
    pools: Pools | None,
    even: Case | None,
    exact: ExactSchedule | None,
    run: RunGoal,
    longest: Fraction | None,
) -> Found | None:
    """Give what completes a run earlier than the exact schedule. None: nothing, or no time."""
    try:
        found = period_for_run(case, None if pools is None else dealing(case, pools), run, longest)
    except OutOfTime:
        return None
    if found is None or even is None or exact is None:
        return found
    due = rank(run, even, exact.counts, exact.period)
    return found if rank(run, found[0], found[1].counts, found[1].period) < due else None


def _holds_many(case: Case, exact: ExactSchedule) -> bool:
    files = sum(case.files(exact.counts), Fraction(0))
    return sum(exact.counts) > MOST_IN_A_PERIOD or files > MOST_IN_A_PERIOD


def _for_people(case: Case, pools: Pools | None, exact: ExactSchedule) -> Found | None:
    """Give a shorter schedule that loses little. None if there is none, or no time to find it."""
    try:
        shorter = _rounded(case, pools, None)
    except OutOfTime:
        return None
    if shorter is None or shorter[1].period >= exact.period:
        return None
    lost = 1 - shorter[1].throughput * exact.period / sum(exact.counts)
    return shorter if lost <= MOST_LOST else None


def _rounded_down(case: Case, period: Fraction) -> Fraction:
    """Give the throughput that merely rounding the rates down would have (equation 24).

    Of several messages, of the one that then has the least of its part.
    """
    rates = [plan.rate for plan in case.plans]
    steps = rounded_down(rates, case.steps, period)
    counts = [n * s for n, s in zip(steps, case.steps, strict=True)]
    each = zip(case.messages, case.parts, strict=True)
    return min(sum(counts[k] for k in plans) / part for plans, part in each) / period


def _nothing_fits(case: Case, longest: Fraction | None) -> str:
    if longest is not None and len(case.messages) > 1 and any(case.rates):
        needs = "one of these allocations needs" if case.workload.mix is None else "a batch takes"
        return (
            f"no instance fits a period of {_readable(longest)}: {needs}"
            f" {_readable(shortest_of_messages(case))}"
        )
    if longest is None or not any(case.rates):
        most = case.limits.max_slot_transfers
        return f"no schedule lists as few as {most:,} transfers: this one is empty"
    return (
        f"no instance fits a period of {_readable(longest)}: the smallest useful period among"
        f" these allocations is {_readable(smallest_useful_period(case))}"
    )


def _notes(schedule: Schedule, reason: str, options: Options) -> list[str]:
    if not reason:
        return []
    idle = sum(1 for a in schedule.allocations if a.rate and not a.instances_per_period)
    some = f" ({idle:,} of {len(schedule.allocations):,} allocations do not run)" if idle else ""
    period = _readable(schedule.period)
    has, remedy = f"has the period {period}", "max_period asks for another period, or for the"
    if options.latencies == "paid":
        has, remedy = (
            f"groups periods of {period}",
            '"max_period": "exact" groups the',
        )
    note = f"{reason}: this schedule {has}{some}; the rates stay as they are; {remedy} exact one"
    return [note]


def _readable(value: Fraction) -> str:
    if num_digits(value) <= 30:
        return str(value)
    return f"{Decimal(value.numerator) / value.denominator:.12g}"


def _counted(number: int) -> str:
    return f"{number:,}" if num_digits(Fraction(number)) <= 30 else _readable(Fraction(number))


def assemble(
    case: Case,
    arrangement: Arrangement,
    optimal_throughput: Fraction,
    rounding_loss: Fraction | None,
    bounded: Bounded | None = None,
) -> Schedule:
    """Put allocations, computations and slots together.

    Parameters
    ----------
    arrangement
        Counts, period and slots.
    rounding_loss
        Relative to `optimal_throughput`. None if the period was not bounded.
    bounded
        Why it was, if it was.
    """
    workload = case.workload
    allocations = tuple(
        allocation_of(index, plan, count)
        for index, (plan, count) in enumerate(zip(case.plans, arrangement.counts, strict=True))
    )
    instances = sum(arrangement.counts) / case.per_instance
    throughput = instances / arrangement.period
    files = tuple(workload.file_sizes) if workload.files is None else workload.files
    computed = case.computations(arrangement)
    by_plan: dict[int, list[Computation]] = {}
    for one in computed:
        by_plan.setdefault(one.allocation, []).append(one)
    allocations = tuple(
        in_order(workload, a, files, by_plan[a.index]) if a.index in by_plan else a
        for a in allocations
    )
    in_parts = any(c.count.denominator > 1 for c in computed)
    last = max(
        (
            length_of(a, files, workload.ports, workload.mix)
            for a in allocations
            if a.instances_per_period
        ),
        default=1,
    )
    return Schedule(
        period=arrangement.period,
        instances_per_period=instances,
        throughput=throughput,
        optimal_throughput=optimal_throughput,
        loss=1 - throughput / optimal_throughput if optimal_throughput else Fraction(0),
        rounding_loss=rounding_loss,
        bounded=bounded,
        ports=workload.ports,
        prologue_periods=last - 1,
        latency_periods=last,
        preempted=in_parts or arrangement.layout.is_preempted,
        files=files,
        allocations=allocations,
        computations=tuple(computed),
        **arrangement.layout.write_part(workload.platform, case.hops),
    )
