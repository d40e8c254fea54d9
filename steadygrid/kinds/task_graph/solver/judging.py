"""Rates of allocations that were given: the best ones, or given ones times the largest factor.

The program is that of column generation over these columns alone, on a platform where those
interchangeable processors are pools that the allocations do not tell apart.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from steadygrid.domain.amounts import Amounts
from steadygrid.domain.pools import Pools
from steadygrid.domain.rounding import rounded_down
from steadygrid.domain.schedule import Transfer
from steadygrid.domain.twins import TwinClass
from steadygrid.engine.allocations.optimum import best_rates
from steadygrid.engine.allocations.problem import Problem
from steadygrid.engine.allocations.workload import workload_of
from steadygrid.engine.exact.safe_rounding import ROUNDED, ROUNDED_BITS, too_long
from steadygrid.engine.matching.odd_sets import OddSet
from steadygrid.engine.matching.shares import needs_of_sets, overfull_sets
from steadygrid.engine.scheduling import Plan
from steadygrid.engine.scheduling.members import moved
from steadygrid.engine.scheduling.workload import operations
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.task_graph.given import DefaultPaths, GivenColumn, columns_of, joined
from steadygrid.kinds.task_graph.schemas import TaskGraphInstance, TaskGraphStatistics
from steadygrid.kinds.task_graph.solver.answer import Answer, printable
from steadygrid.kinds.task_graph.solver.column_generation import (
    all_pools,
    busy_arcs,
    named,
    problem_of,
)
from steadygrid.kinds.task_graph.solver.in_slots import in_slots

_Key = tuple[frozenset[tuple[str, tuple[str, ...]]], frozenset[Transfer]]


@dataclass(frozen=True)
class Judgement:
    """What given allocations can do, apart from all others.

    Attributes
    ----------
    answer
        Their rates, and prices at which each of them costs at least 1, which sum to its bound. No
        prices where the rates are given, or none were found in time.
    given_rates
        By allocation in the order given.
    factor
        Where the rates are given, the one they are multiplied by.
    bottlenecks
        Resources that are busy all the time.
    problem
        What prices allocations on the platform of the pools.
    pools
        Processors that the given allocations do not tell apart.
    """

    answer: Answer
    given_rates: Sequence[Fraction]
    factor: Fraction | None
    bottlenecks: Sequence[str]
    problem: Problem
    pools: Pools

    @property
    def prices(self) -> list[Fraction]:
        """By resource of the problem, those of its answer."""
        shares, prices = self.pools.shares, self.answer.prices
        return [
            prices.get(name, Fraction(0)) * shares.get(name, 1)
            for name in self.problem.network.resources
        ]


class Columns:
    """The allocations of an instance on the platform of pools, each once.

    Attributes
    ----------
    plans
        Without rates, or with those given.
    """

    def __init__(self, instance: TaskGraphInstance, check: Callable[[], None]) -> None:
        self.instance = instance
        self.pools = _pools_that_fit(instance)
        self._first = _firsts(self.pools.names)
        self._first_given = _firsts(instance.classes or ())
        self._paths = DefaultPaths(instance, check)
        self._given: dict[_Key, int] = {}
        rates: dict[_Key, Fraction] = {}
        plans: dict[_Key, Plan] = {}
        allocations = instance.allocations or ()
        for column in columns_of(instance):
            plan = self._plan(column)
            self._given[_plan_key(moved(plan, self._first_given))] = column.given
            plan = moved(plan, self._first)
            route = _plan_key(plan)
            plans.setdefault(route, plan)
            rate = allocations[column.given].rate if instance.rates is not None else None
            rates[route] = rates.get(route, Fraction(0)) + (rate or 0) * column.part
        self.plans = [plan._replace(rate=rates[route]) for route, plan in plans.items()]

    def by_given(self, plans: Iterable[Plan]) -> list[Fraction]:
        """Sum the rates of plans by the allocation that they are turns of."""
        rates = [Fraction(0)] * len(self.instance.allocations or ())
        for plan in plans:
            rates[self._given[_plan_key(moved(plan, self._first_given))]] += plan.rate
        return rates

    def _plan(self, column: GivenColumn) -> Plan:
        tasks = {task.id: (column.tasks[task.id],) for task in self.instance.application.tasks}
        transfers = column.transfers
        if transfers is None:
            transfers = tuple(self._default_transfers(column.tasks))
        return Plan(Fraction(0), tasks, joined(transfers))

    def _default_transfers(self, tasks: Mapping[str, str]) -> Iterable[Transfer]:
        for file in self.instance.application.files:
            ends = tasks[file.source], tasks[file.target]
            if ends[0] == ends[1]:
                continue
            path = self._paths.path(*ends)
            if path is None:
                raise AssertionError("admission refuses allocations without a route")
            yield Transfer((file.source, file.target), path, Fraction(1))


def _firsts(classes: Iterable[Sequence[str]]) -> dict[str, str]:
    return {name: names[0] for names in classes for name in names}


def _plan_key(plan: Plan) -> _Key:
    return frozenset(plan.tasks.items()), frozenset(plan.transfers)


def _pools_that_fit(instance: TaskGraphInstance) -> Pools:
    """Take for one those interchangeable processors that are of one given class, or not named."""
    label: dict[str, int | str] = {}
    for allocation in instance.allocations or ():
        named_here = [*allocation.tasks.values()]
        named_here += [name for t in allocation.transfers or () for name in t.path]
        label |= {name: name for name in named_here}
    for number, members in enumerate(instance.classes or ()):
        label |= dict.fromkeys(members, number)
    pools = all_pools(instance)
    ids = [processor.id for processor in instance.platform.processors]
    classes: list[TwinClass] = []
    for twins in pools.classes:
        parts: dict[int | str | None, list[int]] = {}
        for position, member in enumerate(twins.members):
            parts.setdefault(label.get(ids[member]), []).append(position)
        classes += [
            TwinClass(tuple(twins.members[k] for k in part), tuple(twins.media[k] for k in part))
            for part in parts.values()
            if len(part) > 1
        ]
    return replace(pools, classes=sorted(classes))


def judge(instance: TaskGraphInstance, control: Control) -> Judgement:
    """Find the best rates of the allocations of an instance, or the factor of given ones.

    Parameters
    ----------
    instance
        With `allocations`, and without faults.
    control
        Deadline, cancellation and progress of the solve.

    Raises
    ------
    Cancelled, OutOfTime, CertificationError, SolverError
        See `solve_certified`.
    """
    columns = Columns(instance, control.check)
    problem = problem_of(instance, columns.pools, control)
    if instance.rates is not None:
        return _with_given_rates(columns, problem, control)
    sets: list[OddSet] = []
    while True:
        uses = [uses_of(problem, plan) for plan in columns.plans]
        optimum = best_rates(problem.network.resources, uses, control)
        plans = [
            plan._replace(rate=optimum.rates.get(k, Fraction(0)))
            for k, plan in enumerate(columns.plans)
        ]
        busy = busy_arcs(problem.instance, plans)
        found = overfull_sets(problem.instance.platform, instance.ports, busy, control.check)
        if not found:
            break
        sets += found
        problem = problem_of(instance, columns.pools, control, sets)
    prices = columns.pools.prices_of_members(named(problem, optimum.prices))
    answer = printable(_answer(columns, plans, sum(optimum.prices, Fraction(0)), prices))
    others = [plan for plan in plans if not plan.rate]
    answer = in_slots(instance, answer, control, others=others)
    return _judgement(columns, problem, answer, control)


def judge_late(instance: TaskGraphInstance, control: Control) -> Judgement:
    """Judge allocations without a program: the rates that are given, or the best single one.

    Parameters
    ----------
    instance
        With `allocations`, and without faults.
    control
        Grace time that is left, and cancellation.
    """
    columns = Columns(instance, control.check)
    problem = problem_of(instance, columns.pools, control)
    if instance.rates is None:
        alone = [
            plan._replace(rate=1 / max(uses_of(problem, plan).values())) for plan in columns.plans
        ]
        columns.plans = [max(alone, key=lambda plan: plan.rate)]
    judgement = _with_given_rates(columns, problem, control)
    return judgement if instance.rates is not None else replace(judgement, factor=None)


def uses_of(problem: Problem, plan: Plan) -> dict[int, Fraction]:
    """Sum up what one instance of an allocation takes of each resource, by position.

    Parameters
    ----------
    problem
        Whose resources are asked about.
    plan
        An allocation on its platform. The rate does not matter.

    Returns
    -------
    dict
        Time per instance, by position of the resource.
    """
    workload = workload_of(problem.instance)
    index = problem.instance.platform.index_by_id
    taken: Amounts[int] = Amounts()
    for _, processor, time in workload.times_of(plan):
        if time:
            taken[index[processor]] += time
    for hop in operations(workload, [plan]):
        data = hop.share * workload.file_sizes[hop.file]
        for resource, time in problem.network.uses[hop.arc.index]:
            taken[resource] += data * time
    return taken


def _with_given_rates(columns: Columns, problem: Problem, control: Control) -> Judgement:
    """Multiply rates by the largest factor that resources, odd sets of processors and slots allow."""
    platform, ports = problem.instance.platform, problem.instance.ports
    longest = max(_loads(problem, columns.plans).values())
    needs = needs_of_sets(platform, ports, busy_arcs(problem.instance, columns.plans), longest)
    factor = 1 / max([longest, *needs.values()])
    full = [odd for odd, need in needs.items() if need * factor == 1]
    if full:
        problem = problem_of(columns.instance, columns.pools, control, full)
    answer = _times(columns, columns.plans, factor)
    slotted = in_slots(columns.instance, answer, control, together=True)
    factor *= slotted.throughput / answer.throughput
    if too_long([factor, slotted.throughput, *(plan.rate for plan in slotted.plans)]):
        short = rounded_down(factor, ROUNDED_BITS)
        plans = [plan._replace(rate=plan.rate * (short / factor)) for plan in slotted.plans]
        slotted = replace(slotted, plans=plans, notes=(*slotted.notes, ROUNDED))
        factor = short
    return _judgement(columns, problem, slotted, control, factor)


def _times(columns: Columns, plans: Sequence[Plan], factor: Fraction) -> Answer:
    plans = [plan._replace(rate=plan.rate * factor) for plan in plans]
    return _answer(columns, plans, sum((plan.rate for plan in plans), Fraction(0)), {})


def _answer(
    columns: Columns, plans: Iterable[Plan], bound: Fraction, prices: Mapping[str, Fraction]
) -> Answer:
    return Answer(
        [plan for plan in plans if plan.rate],
        bound,
        True,
        prices,
        TaskGraphStatistics(columns=len(columns.plans)),
        pools=columns.pools if columns.pools.classes else None,
    )


def _loads(problem: Problem, plans: Iterable[Plan]) -> Amounts[int]:
    busy: Amounts[int] = Amounts()
    for plan in plans:
        if plan.rate:
            for resource, time in uses_of(problem, plan).items():
                busy[resource] += plan.rate * time
    return busy


def _judgement(
    columns: Columns,
    problem: Problem,
    answer: Answer,
    control: Control,
    factor: Fraction | None = None,
) -> Judgement:
    there = problem
    if answer.pools is None and columns.pools.classes:
        there = problem_of(columns.instance, replace(columns.pools, classes=()), control)
    busy = _loads(there, answer.plans)
    return Judgement(
        answer,
        columns.by_given(answer.plans),
        factor,
        sorted(there.network.resources[k] for k, share in busy.items() if share == 1),
        problem,
        columns.pools,
    )
