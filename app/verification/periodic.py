"""The referee's rules for periodic schedules, whatever the application."""

from collections.abc import Sequence
from fractions import Fraction

from app.domain.job import Options
from app.domain.schedule import Schedule
from app.verification.allocations import check_allocations, check_computations, check_rates
from app.verification.course import course_of
from app.verification.exact import add, common_denominator, equals, over, show
from app.verification.findings import Findings
from app.verification.slots import check_slots
from app.verification.steady import SteadyInstance


def verify_answer(
    instance: SteadyInstance,
    schedule: Schedule,
    findings: Findings,
    certified: Fraction,
    options: Options,
    notes: Sequence[str],
) -> None:
    """Check the schedule of a result of value `certified`, as the options asked for it.

    Rules, in order: `verify_periodic`; a schedule of nothing has a note.
    """
    verify_periodic(
        instance,
        schedule,
        findings,
        certified=certified,
        max_period=options.max_period,
        whole_files=options.whole_files,
    )
    if schedule.throughput == 0 and not notes:
        findings.add(("result", "notes"), "no_note", "A schedule of nothing needs a note.")


def verify_periodic(
    instance: SteadyInstance,
    schedule: Schedule,
    findings: Findings,
    *,
    certified: Fraction,
    max_period: Fraction | None = None,
    whole_files: bool | None = None,
) -> None:
    """Check a periodic schedule against its instance, in exact arithmetic.

    Rules, in order:

    1. header: the instance's port model and files; a period above 0 and at most `max_period`;
       instances, throughput, optimal throughput and loss agree with each other and with the
       certified throughput, and nothing is lost where nothing was rounded;
    2. `check_allocations`; 3. `check_rates`; 4. `check_computations`; 5. `check_slots`;
    6. prologue and latency are those of the longest instance, when each operation starts in
       the period after those it needs.

    Parameters
    ----------
    certified
        The throughput of the exact rates, in instances per time unit.
    max_period
        As asked for; a schedule with a `rounding_loss` was rounded without being asked.
    whole_files
        As asked for; None means true, unless the period was bounded.

    Notes
    -----
    Linear in the length of the description, in operations on its numbers; the length of the
    period and the counts only enter by their digits. Every operation waits for the period
    after those it needs, so within a period any order of slots is right, and per allocation
    equal counts suffice for every join to get files of the same instance.
    """
    rounded = max_period is not None or schedule.rounding_loss is not None
    if schedule.period <= 0:
        findings.add(("schedule", "period"), "no_period", "The period is not above 0.")
        return
    if max_period is not None and schedule.period > max_period:
        findings.add(
            ("schedule", "period"),
            "period_too_long",
            f"The period {show(schedule.period)} is longer than the {show(max_period)} asked.",
        )
    _check_header(instance, schedule, certified, findings)
    _check_throughput(schedule, rounded, findings)
    by_index = check_allocations(instance, schedule, findings)
    check_rates(schedule, certified, not rounded, findings)
    check_computations(instance, schedule, by_index, findings)
    wants_whole = whole_files is True or (whole_files is None and not rounded)
    check_slots(instance, schedule, by_index, wants_whole, findings)
    _check_start(instance, schedule, findings)


def _check_header(
    instance: SteadyInstance, schedule: Schedule, certified: Fraction, findings: Findings
) -> None:
    if schedule.ports != instance.network.ports:
        findings.add(
            ("schedule", "ports"),
            "wrong_ports",
            f"The schedule is for {schedule.ports}, the instance for {instance.network.ports}.",
        )
    if sorted(schedule.files) != sorted(instance.sizes):
        findings.add(
            ("schedule", "files"), "wrong_files", "The files are not those of the application."
        )
    counts = [allocation.instances_per_period for allocation in schedule.allocations]
    common = common_denominator(counts)
    numerator, denominator = add(over(count, common) for count in counts)
    if not equals((numerator, denominator), over(schedule.instances_per_period, common)):
        findings.add(
            ("schedule", "instances_per_period"),
            "wrong_instances",
            f"The allocations have {show((numerator, denominator * common))} instances per"
            f" period, the header says {show(schedule.instances_per_period)}.",
        )
    if schedule.optimal_throughput != certified:
        findings.add(
            ("schedule", "optimal_throughput"),
            "wrong_optimal_throughput",
            f"The header says {show(schedule.optimal_throughput)}, certified are"
            f" {show(certified)}.",
        )


def _check_throughput(schedule: Schedule, rounded: bool, findings: Findings) -> None:
    optimal = schedule.optimal_throughput
    if schedule.throughput != schedule.instances_per_period / schedule.period:
        findings.add(
            ("schedule", "throughput"),
            "wrong_throughput",
            f"The throughput {show(schedule.throughput)} is not the number of instances over the"
            " period.",
        )
    if schedule.throughput > optimal:
        findings.add(
            ("schedule", "throughput"),
            "too_good",
            f"The throughput {show(schedule.throughput)} is above the optimum {show(optimal)}.",
        )
    loss = 1 - schedule.throughput / optimal if optimal else Fraction(0)
    if schedule.loss != loss:
        findings.add(
            ("schedule", "loss"),
            "wrong_loss",
            f"The loss is {show(loss)}, the header says {show(schedule.loss)}.",
        )
    if loss and not rounded:
        findings.add(
            ("schedule", "throughput"),
            "loses",
            f"The period is not bounded, and yet {show(loss)} of the throughput is lost.",
        )
    rounding = schedule.rounding_loss
    if rounding is not None and not loss <= rounding <= 1:
        findings.add(
            ("schedule", "rounding_loss"),
            "wrong_rounding_loss",
            f"Rounding down would lose {show(rounding)}, which is not between the loss"
            f" {show(loss)} and 1.",
        )


def _check_start(instance: SteadyInstance, schedule: Schedule, findings: Findings) -> None:
    latency = max(
        (
            course_of(instance, allocation).last
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
