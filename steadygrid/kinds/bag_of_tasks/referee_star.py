"""The bags and the star of an instance as the referee reads them, and what rates and prices must be."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from steadygrid.domain.amounts import Amounts
from steadygrid.domain.errors import Pointer
from steadygrid.domain.resources import class_name
from steadygrid.kinds.bag_of_tasks.integrals import expected_cost
from steadygrid.kinds.bag_of_tasks.schemas import BagOfTasksInstance, UniformTasks
from steadygrid.verification.exact import show
from steadygrid.verification.findings import Findings
from steadygrid.verification.network import Network, read_network
from steadygrid.verification.prices import PriceList, check_prices


class TaskKind(NamedTuple):
    """Tasks of a bag that are all alike, and how many of all tasks they are."""

    bag: str
    number: int
    probability: Fraction
    size: Fraction
    work: Fraction
    share: Fraction


class Star(NamedTuple):
    """The instance as the referee reads it."""

    network: Network
    master: str
    time_per_work: Mapping[str, Fraction]
    """Of who can compute and gets its input from the master, or is it."""
    classes: Mapping[str, TaskKind]
    uniform: Sequence[tuple[Fraction, UniformTasks]]
    """Shares of bags whose tasks are uniform."""

    @classmethod
    def from_instance(cls, instance: BagOfTasksInstance) -> "Star":
        """Read an instance without faults."""
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
        total = sum((bag.priority for bag in instance.bags), Fraction(0))
        uniform = [(bag.priority / total, bag.uniform) for bag in instance.bags if bag.uniform]
        return cls(network, instance.master, times, _read_classes(instance), uniform)

    def taken(self, one: TaskKind, processor: str) -> list[tuple[str, Fraction]]:
        """Give the time that a task takes of each resource on a processor.

        Parameters
        ----------
        one
            Class of the task.
        processor
            The master, or a worker with a link from it.
        """
        return self.uses(one.size, one.work, processor)

    def uses(self, size: Fraction, work: Fraction, processor: str) -> list[tuple[str, Fraction]]:
        """Give the time that so much data and work take of each resource on a processor.

        Parameters
        ----------
        size
            In units of data.
        work
            In units of work.
        processor
            The master, or a worker with a link from it.

        Returns
        -------
        list of pair
            Resource and time; the computation first.
        """
        computing = self.network.computing(processor), work * self.time_per_work[processor]
        if processor == self.master:
            return [computing]
        hop = self.network.hops[self.master, processor]
        return [computing, *((name, size * time) for name, time in hop.uses)]


def _read_classes(instance: BagOfTasksInstance) -> dict[str, TaskKind]:
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
            found[class_name(bag.id, number)] = TaskKind(
                bag.id,
                number,
                weight / total,
                size,
                work,
                weight / total * bag.priority / priorities,
            )
    return found


def check_certificate(
    star: Star,
    kinds: Collection[TaskKind],
    listed: Mapping[str, Fraction],
    bound: Fraction,
    findings: Findings,
    at: Pointer,
    uniform: Iterable[tuple[Fraction, UniformTasks]] = (),
) -> None:
    """Check that prices sum to a bound, and that tasks cost at least 1 on the average, (16).

    The tasks are those of some kinds, and uniform ones with their shares.

    Parameters
    ----------
    star
        The instance as a star: its master, workers and what transfers use.
    kinds
        Classes of tasks, each with its share of all tasks.
    listed
        Prices by resource, as the answer has them.
    bound
        Of the throughput, in tasks per time unit.
    findings
        Collects the faults that are found.
    at
        Place of the prices in the answer.
    uniform
        Bags without classes: share of all tasks, and what these are drawn from.

    Notes
    -----
    Rules, in this order:

    == ===================================================================== ==================
    1  the prices are of resources, not negative, and sum to the bound       see `check_prices`
    2  tasks cost at least 1 on the average, each class where it is cheapest `cheap_tasks`
    == ===================================================================== ==================
    """
    prices = check_prices(star.network, star.time_per_work, listed, bound, findings, at)
    if prices is None:
        return
    expected = sum((one.share * _least(star, one, prices) for one in kinds), Fraction(0))
    lines = _costs(star, prices)
    expected += sum((share * expected_cost(tasks, lines) for share, tasks in uniform), Fraction(0))
    if expected < 1:
        findings.add(
            at,
            "cheap_tasks",
            f"At these prices a task costs {show(expected)} on the average, each class where it is"
            " cheapest, less than 1: they do not prove the bound.",
        )


def _costs(star: Star, prices: PriceList) -> list[tuple[Fraction, Fraction]]:
    """Give what units of size and of work cost on each processor."""
    units = (Fraction(1), Fraction(0)), (Fraction(0), Fraction(1))
    found = []
    for processor in star.time_per_work:
        a, b = (
            prices.value_of([prices.cost_of(star.uses(size, work, processor), Fraction(1))])
            for size, work in units
        )
        found.append((a, b))
    return found


def _least(star: Star, one: TaskKind, prices: PriceList) -> Fraction:
    """Give what a task costs where it is cheapest."""
    return min(
        (
            prices.value_of([prices.cost_of(star.taken(one, processor), Fraction(1))])
            for processor in star.time_per_work
        ),
        default=Fraction(0),
    )


def check_rates(
    star: Star,
    kinds: Mapping[str, TaskKind],
    rates: Iterable[tuple[str, str, Fraction]],
    value: Fraction,
    findings: Findings,
    at: Pointer,
) -> None:
    """Check rates of classes on processors: each has its share of the value, equations (2) to (5).

    Parameters
    ----------
    star
        The instance as a star: its master, workers and what transfers use.
    kinds
        By name; together their shares are 1.
    rates
        Class, processor, and tasks per time unit.
    value
        Throughput, in tasks per time unit.
    findings
        Collects the faults that are found.
    at
        Place of the rates in the answer.

    Notes
    -----
    Rules, in this order:

    == ============================================================= ===================
    1  a rate is above 0                                             `rate_not_positive`
    2  no class is listed twice on a processor                       `computed_twice`
    3  a rate is of a class that there is                            `unknown_class`
    4  it is on a processor that can compute and gets its input      `cannot_compute`
    5  the rates of a class sum to its share of the value, (2)       `wrong_proportion`
    6  no resource is busy for more than all of the time, (3) to (5) `overloaded`
    == ============================================================= ===================
    """
    done: Amounts[str] = Amounts()
    busy: Amounts[str] = Amounts()
    seen: set[tuple[str, str]] = set()
    for position, (name, processor, rate) in enumerate(rates):
        here, pair = (*at, position), f"{name!r} on {processor!r}"
        if rate <= 0:
            findings.add(here, "rate_not_positive", f"The rate of {pair} is not above 0.")
        if (name, processor) in seen:
            findings.add(here, "computed_twice", f"The rate of {pair} is listed twice.")
        seen.add((name, processor))
        if name not in kinds:
            findings.add(here, "unknown_class", f"There is no class {name!r}.")
            continue
        done[name] += rate
        if processor not in star.time_per_work:
            findings.add(here, "cannot_compute", f"{processor!r} gets or computes no tasks.")
            continue
        for resource, time in star.taken(kinds[name], processor):
            busy[resource] += time * rate
    for name, one in kinds.items():
        if done[name] != one.share * value:
            findings.add(
                at,
                "wrong_proportion",
                f"Tasks of class {name!r} are {show(done[name])} per time unit, not their share"
                f" {show(one.share * value)} of the value.",
            )
    for resource, share in busy.items():
        if share > 1:
            findings.add(
                at,
                "overloaded",
                f"The rates keep {resource} busy for {show(share)} of the time.",
            )
