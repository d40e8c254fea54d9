"""The method of the kind, and what it answers when the time is over."""

from collections.abc import Mapping
from fractions import Fraction

from steadygrid.domain.amounts import Amounts
from steadygrid.domain.certificate import DualityCertificate
from steadygrid.domain.errors import OutOfTime
from steadygrid.domain.job import Bound, Objective, Options, Outcome, Phase, relative_gap
from steadygrid.domain.problem import Sizing
from steadygrid.domain.rounding import rounded_down
from steadygrid.domain.schedule import Transfer
from steadygrid.problems.bag_of_tasks.schemas import (
    BagOfTasksInstance,
    BagOfTasksResult,
    ClassOut,
    ComputedRate,
)
from workers.exact import solve_certified
from workers.exact.readable import ROUNDED, ROUNDED_BITS, rounded_prices, too_long
from workers.problems import Reconstructible, Solution
from workers.problems.bag_of_tasks.fallback import Rates, even_rates, scaled_prices
from workers.problems.bag_of_tasks.model import build_model
from workers.problems.bag_of_tasks.star import Star
from workers.scheduling import Plan, Workload
from workers.solving.control import Control

WHOLE = Fraction(1)


def solve(
    instance: BagOfTasksInstance, options: Options, sizing: Sizing, control: Control
) -> Solution:
    """Solve the linear program exactly."""
    control.phase(Phase.BUILDING)
    star = Star(instance)
    model = build_model(star, control.check)
    solved = solve_certified(model, control)
    if solved.status != "optimal" or solved.objective is None:
        raise AssertionError(f"bag_of_tasks is feasible and bounded, yet {solved.status}")
    rates = {key: rate for key, rate in solved.values_of(model.computed).items() if rate}
    prices = {str(name): price for name, price in solved.prices_of(model.capacity).items()}
    return _solution(star, sizing.method, rates, prices)


def best_without_solver(
    instance: BagOfTasksInstance,
    options: Options,
    sizing: Sizing,
    control: Control,
    interruption: OutOfTime,
) -> Solution:
    """Answer when the time is over: all classes dealt alike, and the best bound that prices prove."""
    star = Star(instance)
    guess = {
        str(index): Fraction(price)
        for (component, index), price in interruption.duals.items()
        if component == "capacity"
    }
    resources = {
        name for worker in star.workers for name, _ in (*worker.per_work, *worker.per_data)
    }
    guesses = [scaled_prices(star, each) for each in (guess, dict.fromkeys(resources, WHOLE))]
    proved = [prices for prices in guesses if prices is not None]
    return _solution(star, sizing.method, even_rates(star), min(proved, key=_bound))


def _bound(prices: Mapping[str, Fraction]) -> Fraction:
    return sum(prices.values(), Fraction(0))


def _printable(star: Star, rates: Rates, prices: Mapping[str, Fraction]) -> Rates | None:
    """Round what no client could read, to the safe side; None if there is nothing to round.

    Rates are rounded down, and then all classes to the one that has the least of its share.
    """
    value = sum(rates.values(), Fraction(0))
    total = sum((bag.priority for bag in star.instance.bags), Fraction(0))
    of_bags = [bag.priority * value / total for bag in star.instance.bags]
    if not too_long([*rates.values(), *of_bags, value / total, *prices.values(), _bound(prices)]):
        return None
    shorter = {key: rounded_down(rate, ROUNDED_BITS) for key, rate in rates.items()}
    done: Amounts[int] = Amounts()
    for (k, _), rate in shorter.items():
        done[k] += rate
    value = rounded_down(
        min(done[k] / one.share for k, one in enumerate(star.classes)), ROUNDED_BITS
    )
    for key, rate in shorter.items():
        less = min(rate, done[key[0]] - star.classes[key[0]].share * value)
        done[key[0]] -= less
        shorter[key] = rate - less
    return {key: rate for key, rate in shorter.items() if rate}


def _solution(star: Star, method: str, rates: Rates, prices: Mapping[str, Fraction]) -> Solution:
    notes = []
    if (shorter := _printable(star, rates, prices)) is not None:
        rates, prices = shorter, rounded_prices(prices)
        notes.append(ROUNDED)
    instance, bound = star.instance, _bound(prices)
    value = sum(rates.values(), Fraction(0))
    total = sum((bag.priority for bag in instance.bags), Fraction(0))
    result = BagOfTasksResult(
        outcome=Outcome.OPTIMAL if value == bound else Outcome.FEASIBLE,
        method=method,
        objective=Objective.throughput(value),
        bound=Bound.of(bound, exact=True),
        gap=relative_gap(value, bound),
        certificate=DualityCertificate(
            prices={name: price for name, price in sorted(prices.items()) if price}
        ),
        rate_per_priority=value / total,
        throughput_by_bag={bag.id: bag.priority * value / total for bag in instance.bags},
        classes=[
            ClassOut(
                name=one.name,
                bag=one.bag,
                number=one.number,
                probability=one.probability,
                input_size=one.input_size,
                work=one.work,
            )
            for one in star.classes
        ],
        computed=[
            ComputedRate(
                name=star.classes[k].name, processor=star.workers[i].name, rate=rates[k, i]
            )
            for k, i in sorted(rates)
        ],
        notes=notes,
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
        instance.file_sizes,
        mix={one.name: one.share for one in star.classes},
    )
    plans = [_plan(star, k, i, rates[k, i]) for k, i in sorted(rates)]
    return Reconstructible(workload, plans, value)


def _plan(star: Star, k: int, i: int, rate: Fraction) -> Plan:
    one, worker, master = star.classes[k], star.workers[i].name, star.instance.master
    way = () if worker == master else (Transfer(one.file, (master, worker), WHOLE),)
    return Plan(rate, {one.name: (worker,)}, way)
