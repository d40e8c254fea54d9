"""The methods of `task_graph`, and the answer that all of them give."""

from dataclasses import replace
from fractions import Fraction

from steadygrid.domain.certificate import DualityCertificate
from steadygrid.domain.errors import OutOfTime
from steadygrid.domain.job import (
    Bound,
    Objective,
    Options,
    Outcome,
    relative_gap,
)
from steadygrid.domain.problem import Sizing
from steadygrid.domain.rounding import rounded_down, rounded_up
from steadygrid.problems.task_graph.schemas import (
    PricedSearchCertificate,
    RatedAllocation,
    RatedTransfer,
    TaskGraphInstance,
    TaskGraphResult,
)
from steadygrid.problems.task_graph.sizing import most_labelling_entries
from workers.allocations.workload import workload_of
from workers.exact.readable import ROUNDED, ROUNDED_BITS, rounded_prices, too_long
from workers.problems import Reconstructible, Solution, without_schedule
from workers.problems.task_graph import column_generation
from workers.problems.task_graph.answer import Answer
from workers.problems.task_graph.by_arcs import price_by_arcs
from workers.problems.task_graph.constraint_lists import method as constraint_lists
from workers.scheduling import Plan
from workers.scheduling.in_slots import Pricing, in_best_slots
from workers.scheduling.members import spread
from workers.solving.control import Control

LATE_SHARE = 0.3
"""Of the grace time, for slots of half-duplex links."""


def solve(
    instance: TaskGraphInstance, options: Options, sizing: Sizing, control: Control
) -> Solution:
    """Find the optimal throughput and its allocations by the method that `sizing` chose."""
    if sizing.method == "constraint_lists":
        answer = constraint_lists.solve(instance, control)
    else:
        answer = column_generation.solve(
            instance,
            control,
            mip_gap=float(options.mip_gap),
            most_entries=most_labelling_entries(options),
        )
    priced = price_by_arcs(instance, most_labelling_entries(options), control)
    return _solution(instance, sizing.method, _in_slots(instance, answer, control, priced))


def best_without_solver(
    instance: TaskGraphInstance,
    options: Options,
    sizing: Sizing,
    control: Control,
    interruption: OutOfTime,
) -> Solution:
    """Answer when the time is over: the best allocations so far, and the best proved bound."""
    answer = column_generation.best_so_far(instance, control, interruption)
    part = control.within(LATE_SHARE * control.remaining)
    return _solution(instance, sizing.method, _in_slots(instance, answer, part))


def _in_slots(
    instance: TaskGraphInstance, answer: Answer, control: Control, price: Pricing | None = None
) -> Answer:
    """Give slots, and rates that fit into them, where half-duplex links need them.

    They are found for the members of pools, which have rates of their own then.
    """
    platform = instance.platform
    if instance.ports != "one_port" or all(arc.half is None for arc in platform.arcs):
        return answer
    if answer.bound is None or not answer.plans:
        return answer
    parts = answer.plans
    if answer.pools is not None:
        parts = [part for plan in parts for part in spread(plan, answer.pools.names)]
    found = in_best_slots(workload_of(instance), parts, answer.bound, control, price)
    if found.slots is None:
        return answer
    return replace(
        answer,
        plans=found.plans,
        slots=found.slots,
        pools=None,
        notes=(*answer.notes, *found.notes),
    )


def _solution(instance: TaskGraphInstance, method: str, answer: Answer) -> Solution:
    if answer.infeasible is not None:
        return Solution(_infeasible(method, answer))
    answer = _printable(answer)
    bound = answer.bound
    if bound is None:
        raise AssertionError("a feasible instance has a bound")
    plans, throughput = answer.plans, answer.throughput
    # The referee takes no search's word for an optimum where it has nothing to check.
    reached = throughput == bound and (answer.exact or bool(answer.prices))
    result = TaskGraphResult(
        outcome=_outcome(bool(plans), reached),
        method=method,
        objective=Objective.throughput(throughput) if plans else None,
        bound=Bound.of(bound, exact=answer.exact),
        gap=relative_gap(throughput, bound) if plans else None,
        certificate=_certificate(answer),
        allocations=[_rated(index, plan) for index, plan in enumerate(plans)],
        classes=[] if answer.pools is None else answer.pools.names,
        statistics=answer.statistics,
        notes=list(answer.notes),
    )
    if not plans:
        return Solution(result)
    workload = workload_of(instance)
    return Solution(
        result, Reconstructible(workload, plans, throughput, answer.slots, answer.pools)
    )


def _outcome(found: bool, reached: bool) -> Outcome:
    if not found:
        return Outcome.BOUND_ONLY
    return Outcome.OPTIMAL if reached else Outcome.FEASIBLE


def _certificate(answer: Answer) -> DualityCertificate | PricedSearchCertificate:
    prices = {name: price for name, price in sorted(answer.prices.items()) if price}
    if not answer.exact:
        return PricedSearchCertificate(solver="HiGHS", prices=prices)
    return DualityCertificate(prices=prices)


def _infeasible(method: str, answer: Answer) -> TaskGraphResult:
    return without_schedule(
        TaskGraphResult,
        Outcome.INFEASIBLE,
        method,
        statistics=answer.statistics,
        notes=[*answer.notes, answer.infeasible or ""],
    )


def _rated(index: int, plan: Plan) -> RatedAllocation:
    return RatedAllocation(
        index=index,
        rate=plan.rate,
        tasks={task: place for task, (place,) in plan.tasks.items()},
        transfers=[
            RatedTransfer(file=t.file, path=list(t.path), share=t.share) for t in plan.transfers
        ],
    )


def _printable(answer: Answer) -> Answer:
    """Round what no client could read, to the safe side: rates down, prices up."""
    rates = [plan.rate for plan in answer.plans]
    numbers = [answer.throughput, answer.bound or Fraction(0), *rates, *answer.prices.values()]
    if not too_long(numbers):
        return answer
    plans = [plan._replace(rate=rounded_down(plan.rate, ROUNDED_BITS)) for plan in answer.plans]
    prices = rounded_prices(answer.prices)
    return replace(
        answer,
        plans=[plan for plan in plans if plan.rate],
        bound=sum(prices.values(), Fraction(0))
        if prices
        else rounded_up(answer.bound or Fraction(0), ROUNDED_BITS),
        prices=prices,
        notes=(*answer.notes, ROUNDED),
    )
