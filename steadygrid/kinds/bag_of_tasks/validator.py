"""The exact referee of `bag_of_tasks`; shares no code with what solves it."""

from fractions import Fraction
from itertools import zip_longest

from steadygrid.domain.amounts import Amounts
from steadygrid.domain.errors import InvalidScheduleError
from steadygrid.domain.job import Options, Outcome
from steadygrid.domain.schedule import USUAL_LIMITS, Allocation, Schedule, ScheduleLimits
from steadygrid.kinds.bag_of_tasks.cell_checks import BY_CELLS, check_cells
from steadygrid.kinds.bag_of_tasks.referee_star import Star, check_certificate, check_rates
from steadygrid.kinds.bag_of_tasks.run_checks import check_simulation
from steadygrid.kinds.bag_of_tasks.runs import SIMULATED
from steadygrid.kinds.bag_of_tasks.schemas import BagOfTasksInstance, BagOfTasksResult, ClassOut
from steadygrid.verification.envelope import check_envelope
from steadygrid.verification.exact import show
from steadygrid.verification.findings import Findings
from steadygrid.verification.periodic import verify_answer
from steadygrid.verification.promises import earliest_by_rate
from steadygrid.verification.steady import SteadyInstance, Views


def validate(
    instance: BagOfTasksInstance,
    options: Options,
    result: BagOfTasksResult,
    schedule: Schedule | None,
    limits: ScheduleLimits = USUAL_LIMITS,
) -> None:
    """Check a result and its schedule against the instance, in exact arithmetic.

    Parameters
    ----------
    instance
        Without faults.
    options
        `mip_gap` and the options of schedules are read.
    result
        The answer, but for its schedule.
    schedule
        Of the answer. None where it has none.
    limits
        How long an exact schedule may become before its period is bounded.

    Raises
    ------
    InvalidScheduleError
        With every fault found (at most a few hundred), each a sentence that names its place.

    Notes
    -----
    Rules, in this order:

    == ===================================================================== =======================
    1  outcome, value, bound, gap and certificate go together                see `check_envelope`
    2  nothing is infeasible: computing nothing is a solution                `never_infeasible`
    3  in methods by cells, the classes are cells of the bags                see `check_cells`
    4  in others they are those of the instance, in its order, without cells `wrong_class`
    5  what policies did is right                                            see `check_simulation`
    6  policies have no schedule                                             `wrong_schedule`
    7  the prices of the certificate prove the bound, (16)                   see `check_certificate`
    8  `rate_per_priority` is null where there is no value, and only there   `wrong_sum`
    9  the rate of each bag is its priority times that                       `wrong_bags`
    10 these rates sum to the value                                          `wrong_sum`
    11 computed rates are feasible and in proportion, (2) to (5)             see `check_rates`
    12 nothing is simulated                                                  `never_simulated`
    13 the allocations of the schedule have the computed rates               `rates_disagree`
    14 the schedule is right                                                 see `verify_answer`
    == ===================================================================== =======================

    Rules 5 and 6 are for policies, 7 to 12 for other methods. By rule 14 each class has its share
    of the tasks in every period, exactly, however it was rounded.

    Linear in classes times processors. Equation numbers are those of the kind's formulation.
    """
    findings = Findings()
    star = bags = Star.from_instance(instance)
    is_simulated = result.method in SIMULATED
    check_envelope(
        instance, result, schedule, findings, scheduled=not is_simulated, one_run=is_simulated
    )
    if result.outcome is Outcome.INFEASIBLE:
        findings.add(
            ("result", "outcome"),
            "never_infeasible",
            "The instance is not infeasible: computing nothing is a solution.",
        )
    value = Fraction(0) if result.objective is None else result.objective.value
    if result.method in BY_CELLS:
        cut = options.mip_gap > 0
        star = bags._replace(classes=check_cells(instance, bags, result, findings, cut=cut))
    else:
        _check_classes(star, result, findings)
    if is_simulated:
        check_simulation(instance, star, result, findings)
        if schedule is not None:
            findings.add(("schedule",), "wrong_schedule", "Policies have no periodic schedule.")
    else:
        _check_bound(bags, result, findings)
        _check_optimum(instance, star, result, value, findings)
    if schedule is not None and result.objective is not None:
        _check_agreement(result, schedule, findings)
        shares = [one.share for one in star.classes.values()]
        # Else the classes are wrong already, and no period has whole batches of them.
        if shares and min(shares) > 0:
            verify_answer(
                _views(star),
                schedule,
                findings,
                value,
                options,
                result.notes,
                limits,
                earliest=earliest_by_rate(result.bound),
            )
    if findings:
        raise InvalidScheduleError(faults=findings.faults)


def _check_bound(bags: Star, result: BagOfTasksResult, findings: Findings) -> None:
    if result.bound is not None and result.certificate.type == "lp_duality":
        check_certificate(
            bags,
            bags.classes.values(),
            result.certificate.prices,
            result.bound.value,
            findings,
            ("result", "certificate", "prices"),
            bags.uniform,
        )


def _check_optimum(
    instance: BagOfTasksInstance,
    star: Star,
    result: BagOfTasksResult,
    value: Fraction,
    findings: Findings,
) -> None:
    """Check what only methods with a schedule say, and that nothing is simulated."""
    _check_bags(instance, result, value, findings)
    rates = [(told.name, told.processor, told.rate) for told in result.computed]
    check_rates(star, star.classes, rates, value, findings, ("result", "computed"))
    for name in ("simulation", "comparison", "distribution_bound", "distribution_prices"):
        nothing = BagOfTasksResult.model_fields[name].get_default(call_default_factory=True)
        if getattr(result, name) != nothing:
            findings.add(
                ("result", name), "never_simulated", f"{result.method} simulates no stream."
            )


def views(instance: BagOfTasksInstance, result: BagOfTasksResult) -> Views:
    """Let each allocation run tasks of one class of the instance, or of one cell of the result.

    Parameters
    ----------
    instance
        Without faults.
    result
        Its cells are the classes, where its method is one by cells.
    """
    star = Star.from_instance(instance)
    if result.method in BY_CELLS:
        star = star._replace(classes=check_cells(instance, star, result, Findings()))
    return _views(star)


def _views(star: Star) -> Views:
    """Let each allocation run tasks of one class, which is a stream."""
    unknown = SteadyInstance(star.network, {}, {})
    views = {
        name: SteadyInstance(
            star.network,
            {name: {p: one.work * time for p, time in star.time_per_work.items()}},
            {("begin", name): one.size},
            {"begin": (star.master,)},
        )
        for name, one in star.classes.items()
    }

    def of(allocation: Allocation) -> SteadyInstance:
        return views.get(_task_of(allocation), unknown)

    return Views(
        star.network,
        [("begin", name) for name in star.classes],
        of,
        {name: one.share for name, one in star.classes.items()},
        _task_of,
    )


def _task_of(allocation: Allocation) -> str:
    return next(iter(allocation.tasks), "")


def _check_classes(star: Star, result: BagOfTasksResult, findings: Findings) -> None:
    for position, (told, known) in enumerate(zip_longest(result.classes, star.classes.items())):
        stated = None if told is None else (told.name, *_said(told))
        celled = told is not None and told.cell is not None
        if known is None or celled or stated != (known[0], *known[1][:5]):
            findings.add(
                ("result", "classes", position),
                "wrong_class",
                "The classes are not those of the bags, in their order."
                if known is None
                else f"Class {known[0]!r} of the instance is not told here as it is.",
            )


def _said(told: ClassOut) -> tuple[str, int, Fraction, Fraction, Fraction]:
    return told.bag, told.number, told.probability, told.input_size, told.work


def _check_bags(
    instance: BagOfTasksInstance, result: BagOfTasksResult, value: Fraction, findings: Findings
) -> None:
    if (result.rate_per_priority is None) != (result.objective is None):
        findings.add(
            ("result", "rate_per_priority"),
            "wrong_sum",
            "It is null where there is no value, and nowhere else.",
        )
    rate = Fraction(0) if result.rate_per_priority is None else result.rate_per_priority
    expected = {bag.id: bag.priority * rate for bag in instance.bags}
    if result.throughput_by_bag != expected:
        findings.add(
            ("result", "throughput_by_bag"),
            "wrong_bags",
            f"The rates of the bags are not {show(rate)} times their priorities.",
        )
    total = sum(expected.values(), Fraction(0))
    if total != value:
        findings.add(
            ("result", "rate_per_priority"),
            "wrong_sum",
            f"{show(rate)} times all priorities is {show(total)}, but the value is {show(value)}.",
        )


def _check_agreement(result: BagOfTasksResult, schedule: Schedule, findings: Findings) -> None:
    rates: Amounts[tuple[str, str]] = Amounts()
    for allocation in schedule.allocations:
        for name, processors in allocation.tasks.items():
            for processor in processors:
                rates[name, processor] += allocation.rate
    told: Amounts[tuple[str, str]] = Amounts()
    for one in result.computed:
        told[one.name, one.processor] += one.rate
    for name, processor in sorted(rates.keys() | told.keys()):
        if rates[name, processor] != told[name, processor]:
            findings.add(
                ("schedule", "allocations"),
                "rates_disagree",
                f"The rate of {name!r} on {processor!r} is {show(told[name, processor])}, but the"
                f" allocations sum to {show(rates[name, processor])}.",
            )
