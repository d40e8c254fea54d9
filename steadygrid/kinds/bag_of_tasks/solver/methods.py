"""The method of the kind, and what it answers when the time is over."""

from collections.abc import Sequence
from fractions import Fraction

from steadygrid.domain.certificate import DualityCertificate
from steadygrid.domain.errors import OutOfTime
from steadygrid.domain.job import Bound, Objective, Options, Outcome, Phase, relative_gap
from steadygrid.domain.problem import Sizing
from steadygrid.domain.schedule import Transfer
from steadygrid.engine.exact.safe_rounding import ROUNDED
from steadygrid.engine.scheduling import Plan, Workload
from steadygrid.engine.solver import Reconstructible, Solution
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.bag_of_tasks.runs import SIMULATED
from steadygrid.kinds.bag_of_tasks.schemas import (
    BagOfTasksInstance,
    BagOfTasksResult,
    CellOut,
    ComputedRate,
)
from steadygrid.kinds.bag_of_tasks.solver.by_cells import (
    CELL_METHODS,
    Dealt,
    approximation,
    by_means,
    without_solver,
)
from steadygrid.kinds.bag_of_tasks.solver.class_names import told_classes
from steadygrid.kinds.bag_of_tasks.solver.fallback import Rates, even_rates, proved_prices
from steadygrid.kinds.bag_of_tasks.solver.policies import not_simulated, simulate
from steadygrid.kinds.bag_of_tasks.solver.program import Optimum, optimum, readable, readable_prices
from steadygrid.kinds.bag_of_tasks.solver.star import Star

WHOLE = Fraction(1)
_MOST_NAMED = 5
"""Processors, in a note."""


def solve(
    instance: BagOfTasksInstance, options: Options, sizing: Sizing, control: Control
) -> Solution:
    """Solve the linear program exactly, or simulate what policies do with a stream.

    Parameters
    ----------
    instance
        Without faults.
    options
        `mip_gap` is read, by ``means``.
    sizing
        Of this instance; names the method, never ``auto``.
    control
        Deadline, cancellation and progress of the solve.
    """
    return _with_idle(instance, _solve(instance, options, sizing, control))


def _solve(
    instance: BagOfTasksInstance, options: Options, sizing: Sizing, control: Control
) -> Solution:
    control.phase(Phase.BUILDING)
    if sizing.method in SIMULATED:
        return simulate(instance, sizing.method, control)
    if sizing.method == "means":
        return _of_cells(sizing.method, by_means(instance, options.mip_gap, control))
    if sizing.method == "approximation":
        return _of_cells(sizing.method, approximation(instance, control))
    star = Star(instance)
    return _solution(star, sizing.method, optimum(star, control))


def best_without_solver(
    instance: BagOfTasksInstance,
    options: Options,
    sizing: Sizing,
    control: Control,
    interruption: OutOfTime,
) -> Solution:
    """Answer when the time is over: all classes dealt alike, and the best bound that prices prove.

    Parameters
    ----------
    instance
        Without faults.
    options
        Not read.
    sizing
        Of this instance; names the method, never ``auto``.
    control
        Grace time that is left, and cancellation.
    interruption
        What ended the solve, with the floating-point dual values that were known.
    """
    return _with_idle(instance, _without_solver(instance, sizing, control, interruption))


def _with_idle(instance: BagOfTasksInstance, solution: Solution) -> Solution:
    """Note which processors around the master have no speed."""
    without = [
        processor.id
        for processor in instance.platform.processors
        if processor.time_per_work is None and processor.id != instance.master
    ]
    if without:
        more = len(without) - _MOST_NAMED
        named = ", ".join(map(repr, without[:_MOST_NAMED])) + (
            f" and {more:,} more" if more > 0 else ""
        )
        has, computes = ("has", "computes") if len(without) == 1 else ("have", "compute")
        solution.result.notes.append(
            f"{named} {has} no speed and {computes} nothing: give `speed` or `unit_time`"
        )
    return solution


def _without_solver(
    instance: BagOfTasksInstance, sizing: Sizing, control: Control, interruption: OutOfTime
) -> Solution:
    if sizing.method in CELL_METHODS:
        dealt = without_solver(instance, sizing.method, interruption, control)
        return _of_cells(sizing.method, dealt)
    star = Star(instance)
    prices = proved_prices(star, interruption)
    if sizing.method in SIMULATED:
        return not_simulated(star, sizing.method, readable_prices(prices))
    return _solution(star, sizing.method, readable(star, even_rates(star), prices))


def _of_cells(method: str, dealt: Dealt) -> Solution:
    found = readable(dealt.star, dealt.rates, dealt.prices)
    cells = [CellOut(input_size=cell.box.sizes, work=cell.box.works) for cell in dealt.cells]
    return _solution(dealt.star, method, found, cells, dealt.notes)


def _solution(
    star: Star,
    method: str,
    found: Optimum,
    cells: Sequence[CellOut] = (),
    notes: Sequence[str] = (),
) -> Solution:
    instance, rates, value, bound = star.instance, found.rates, found.value, found.bound
    total = sum((bag.priority for bag in instance.bags), Fraction(0))
    result = BagOfTasksResult(
        outcome=Outcome.OPTIMAL if value == bound else Outcome.FEASIBLE,
        method=method,
        objective=Objective.throughput(value),
        bound=Bound.from_value(bound, exact=True),
        gap=relative_gap(value, bound),
        certificate=DualityCertificate(prices=found.prices),
        rate_per_priority=value / total,
        throughput_by_bag={bag.id: bag.priority * value / total for bag in instance.bags},
        classes=told_classes(star.classes, cells),
        computed=[
            ComputedRate(
                name=star.classes[k].name, processor=star.workers[i].name, rate=rates[k, i]
            )
            for k, i in sorted(rates)
        ],
        notes=[*([ROUNDED] if found.is_rounded else []), *notes],
    )
    return Solution(result, _reconstructible(star, rates, value))


def _reconstructible(star: Star, rates: Rates, value: Fraction) -> Reconstructible:
    """Let each class on each worker be an allocation."""
    instance = star.instance
    work = {one.name: one.work for one in star.classes}
    time = {worker.name: worker.per_work[0][1] for worker in star.workers}
    workload = Workload(
        instance.platform,
        instance.ports,
        lambda task, processor: work[task] * time[processor],
        {one.file: one.input_size for one in star.classes},
        mix={one.name: one.share for one in star.classes},
    )
    plans = [_plan(star, k, i, rates[k, i]) for k, i in sorted(rates)]
    return Reconstructible(workload, plans, value)


def _plan(star: Star, k: int, i: int, rate: Fraction) -> Plan:
    one, worker, master = star.classes[k], star.workers[i].name, star.instance.master
    route = () if worker == master else (Transfer(one.file, (master, worker), WHOLE),)
    return Plan(rate, {one.name: (worker,)}, route)
