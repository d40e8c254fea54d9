"""The exact referee of `bag_of_tasks`; shares no code with what solves it."""

from collections.abc import Mapping
from fractions import Fraction
from itertools import zip_longest
from typing import NamedTuple

from steadygrid.domain.amounts import Amounts
from steadygrid.domain.errors import InvalidScheduleError
from steadygrid.domain.job import Options, Outcome
from steadygrid.domain.resources import class_name
from steadygrid.domain.schedule import USUAL_LIMITS, Allocation, Schedule, ScheduleLimits
from steadygrid.problems.bag_of_tasks.schemas import BagOfTasksInstance, BagOfTasksResult, ClassOut
from steadygrid.verification.envelope import check_envelope
from steadygrid.verification.exact import show
from steadygrid.verification.findings import Findings
from steadygrid.verification.network import Network, read_network
from steadygrid.verification.periodic import verify_answer
from steadygrid.verification.prices import PriceList, check_prices
from steadygrid.verification.steady import SteadyInstance, Views


def validate(
    instance: BagOfTasksInstance,
    options: Options,
    result: BagOfTasksResult,
    schedule: Schedule | None,
    limits: ScheduleLimits = USUAL_LIMITS,
) -> None:
    """Check a result and its schedule against the instance, in exact arithmetic.

    Rules, in order:

    1. `check_envelope`: outcome, value, bound, gap and certificate go together; and nothing is
       infeasible here, since computing nothing is a solution;
    2. the certificate, where there is one: `check_prices`, and the expectation of what a task costs
       is at least 1: the sum over all classes of their share of the tasks times the least that one
       costs on any processor, with its input from the master, equation (16);
    3. classes are those of the instance, in its order; the rate of each bag is its priority times
       `rate_per_priority`, and they sum to the value;
    4. computed rates: above 0, each of a class on a processor that can compute and gets its input,
       none listed twice; those of a class sum to its share of the value, equation (2); no resource
       is busy for more than all of the time, equations (3)-(5);
    5. the schedule: its allocations have the computed rates, and `verify_answer`, by which in every
       period, however it was rounded, each class has its share of the tasks, exactly.

    Raises
    ------
    InvalidScheduleError
        With every fault found (at most a few hundred), each a sentence that names its place.

    Notes
    -----
    Linear in classes times processors. Equation numbers are those of the kind's formulation.
    """
    findings = Findings()
    star = _Star.of(instance)
    check_envelope(instance, result, schedule, findings)
    if result.outcome is Outcome.INFEASIBLE:
        findings.add(
            ("result", "outcome"),
            "never_infeasible",
            "The instance is not infeasible: computing nothing is a solution.",
        )
    if result.bound is not None and result.certificate.type == "lp_duality":
        _check_certificate(star, result.certificate.prices, result.bound.value, findings)
    value = Fraction(0) if result.objective is None else result.objective.value
    _check_classes(star, result, findings)
    _check_bags(instance, result, value, findings)
    _check_computed(star, result, value, findings)
    if schedule is not None and result.objective is not None:
        _check_agreement(result, schedule, findings)
        verify_answer(
            _views(star),
            schedule,
            findings,
            value,
            options,
            result.notes,
            limits,
            bound=None if result.bound is None else result.bound.value,
        )
    if findings:
        raise InvalidScheduleError(faults=findings.faults)


class _Class(NamedTuple):
    """Tasks of a bag that are all alike, and how many of all tasks they are."""

    bag: str
    number: int
    probability: Fraction
    size: Fraction
    work: Fraction
    share: Fraction


class _Star(NamedTuple):
    """The instance as the referee reads it."""

    network: Network
    master: str
    time_per_work: Mapping[str, Fraction]
    """Of who can compute and gets its input from the master, or is it."""
    classes: Mapping[str, _Class]

    @classmethod
    def of(cls, instance: BagOfTasksInstance) -> "_Star":
        network = read_network(instance.platform, instance.ports)
        times: dict[str, Fraction] = {}
        for processor in instance.platform.processors:
            at_hand = processor.id == instance.master
            if not at_hand and (instance.master, processor.id) not in network.hops:
                continue
            if processor.unit_time is not None:
                times[processor.id] = processor.unit_time
            elif processor.speed is not None:
                times[processor.id] = 1 / processor.speed
        return cls(network, instance.master, times, _read_classes(instance))

    def taken(self, one: _Class, processor: str) -> list[tuple[str, Fraction]]:
        """Give the time that a task takes of each resource on a processor."""
        computing = self.network.computing(processor), one.work * self.time_per_work[processor]
        if processor == self.master:
            return [computing]
        hop = self.network.hops[self.master, processor]
        return [computing, *((name, one.size * time) for name, time in hop.uses)]


def _read_classes(instance: BagOfTasksInstance) -> dict[str, _Class]:
    """Name the classes of all bags: ``b--0`` is the first of bag b."""
    priorities = sum((bag.priority for bag in instance.bags), Fraction(0))
    found = {}
    for bag in instance.bags:
        listed = [
            *((one.input_size, one.work, one.probability) for one in bag.classes or ()),
            *((one.input_size, one.work, Fraction(one.count)) for one in bag.tasks or ()),
        ]
        total = sum((weight for *_, weight in listed), Fraction(0))
        for number, (size, work, weight) in enumerate(listed):
            found[class_name(bag.id, number)] = _Class(
                bag.id,
                number,
                weight / total,
                size,
                work,
                weight / total * bag.priority / priorities,
            )
    return found


def _views(star: _Star) -> Views:
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


def _check_certificate(
    star: _Star, listed: Mapping[str, Fraction], bound: Fraction, findings: Findings
) -> None:
    at = ("result", "certificate", "prices")
    prices = check_prices(star.network, star.time_per_work, listed, bound, findings, at)
    if prices is None:
        return
    expected = sum(
        (one.share * _least(star, one, prices) for one in star.classes.values()), Fraction(0)
    )
    if expected < 1:
        findings.add(
            at,
            "cheap_tasks",
            f"At these prices a task costs {show(expected)} on the average, each class where it is"
            " cheapest, less than 1: they do not prove the bound.",
        )


def _least(star: _Star, one: _Class, prices: PriceList) -> Fraction:
    """Give what a task costs where it is cheapest."""
    return min(
        (
            prices.value_of([prices.of(star.taken(one, processor), Fraction(1))])
            for processor in star.time_per_work
        ),
        default=Fraction(0),
    )


def _check_classes(star: _Star, result: BagOfTasksResult, findings: Findings) -> None:
    for position, (told, known) in enumerate(zip_longest(result.classes, star.classes.items())):
        stated = None if told is None else (told.name, *_said(told))
        if known is None or stated != (known[0], *known[1][:5]):
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
    rate = result.rate_per_priority or Fraction(0)
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


def _check_computed(
    star: _Star, result: BagOfTasksResult, value: Fraction, findings: Findings
) -> None:
    done: Amounts[str] = Amounts()
    busy: Amounts[str] = Amounts()
    seen: set[tuple[str, str]] = set()
    for position, told in enumerate(result.computed):
        at = ("result", "computed", position)
        name = f"{told.name!r} on {told.processor!r}"
        if told.rate <= 0:
            findings.add(at, "rate_not_positive", f"The rate of {name} is not above 0.")
        if (told.name, told.processor) in seen:
            findings.add(at, "computed_twice", f"The rate of {name} is listed twice.")
        seen.add((told.name, told.processor))
        if told.name not in star.classes:
            findings.add(at, "unknown_class", f"There is no class {told.name!r}.")
            continue
        done[told.name] += told.rate
        if told.processor not in star.time_per_work:
            findings.add(at, "cannot_compute", f"{told.processor!r} gets or computes no tasks.")
            continue
        for resource, time in star.taken(star.classes[told.name], told.processor):
            busy[resource] += time * told.rate
    for name, one in star.classes.items():
        if done[name] != one.share * value:
            findings.add(
                ("result", "computed"),
                "wrong_proportion",
                f"Tasks of class {name!r} are {show(done[name])} per time unit, not their share"
                f" {show(one.share * value)} of the value.",
            )
    for resource, share in busy.items():
        if share > 1:
            findings.add(
                ("result", "computed"),
                "overloaded",
                f"The rates keep {resource} busy for {show(share)} of the time.",
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
