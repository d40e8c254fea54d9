"""The two methods, and the answer that both give."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial

from steadygrid.domain.certificate import DualityCertificate
from steadygrid.domain.errors import CertificationError, OutOfTime, SolverError
from steadygrid.domain.job import (
    Bound,
    Objective,
    Options,
    Outcome,
    Phase,
    relative_gap,
)
from steadygrid.domain.preferred import Preferred
from steadygrid.domain.problem import Sizing
from steadygrid.engine.exact.safe_rounding import ROUNDED, ROUNDED_BITS, rounded_prices, too_long
from steadygrid.engine.matching.shares import least_period
from steadygrid.engine.scheduling import UnitSlot, Workload
from steadygrid.engine.solver import Reconstructible, Solution
from steadygrid.engine.solving.control import Control
from steadygrid.engine.solving.second_objective import TOO_LONG
from steadygrid.kinds.master_worker.pools import pooled_instance, pools_of
from steadygrid.kinds.master_worker.schemas import MasterWorkerInstance, MasterWorkerResult
from steadygrid.kinds.master_worker.sizing import Reach
from steadygrid.kinds.master_worker.solver.bandwidth_centric import solve_tree
from steadygrid.kinds.master_worker.solver.fallback import (
    bound_from_prices,
    greedy_rates,
    serve_one,
)
from steadygrid.kinds.master_worker.solver.half_duplex import needs_own_slots, schedule_half_duplex
from steadygrid.kinds.master_worker.solver.least_time import least_time
from steadygrid.kinds.master_worker.solver.legs import Legs
from steadygrid.kinds.master_worker.solver.model import CAPACITIES
from steadygrid.kinds.master_worker.solver.nearest import legs_of_master
from steadygrid.kinds.master_worker.solver.preference import traffic_of, with_least_traffic
from steadygrid.kinds.master_worker.solver.program import PooledProgram, resource_name
from steadygrid.kinds.master_worker.solver.rates import (
    Rates,
    busy,
    plans,
    rounded,
    routed_rates,
    scaled,
    sent_rates,
    straighten,
)

_NO_SPEEDS = (
    ": no processor has a speed; give `speed` or `unit_time` to those that compute, or `times` to"
    " the task"
)


LEAST_FOR_REFEREE = 0.5
"""Seconds of the time limit that the referee of fixed routes has at least; of a short one, half."""


class Proved(OutOfTime):
    """The time was over in the search for slots, when the program's bound was proved.

    Attributes
    ----------
    bound, prices
        Of the program.
    """

    def __init__(self, bound: Fraction, prices: Mapping[str, Fraction]) -> None:
        super().__init__()
        self.bound = bound
        self.prices = prices


@dataclass(frozen=True)
class Optimum:
    """Rates, and prices that prove a bound on the throughput of any rates."""

    rates: Rates
    throughput: Fraction
    """Of these rates; given, because summing thousands of fractions is slow."""
    bound: Fraction
    prices: Mapping[str, Fraction]
    slots: Sequence[UnitSlot] | None = None
    notes: tuple[str, ...] = ()
    preferred: Preferred | None = None


def solve(
    instance: MasterWorkerInstance, options: Options, sizing: Sizing, control: Control
) -> Solution:
    """Find certified optimal rates by the method that `sizing` chose.

    Parameters
    ----------
    instance
        Without faults.
    options
        `prefer` is read.
    sizing
        Of this instance; names the method, never ``auto``.
    control
        Deadline, cancellation and progress of the solve.
    """
    legs = Legs.from_instance(instance, control.check)
    if instance.routing == "fixed":
        control = control.limited(control.remaining - _for_referee(control))
    if sizing.method == "lp":
        optimum = solve_program(instance, options, legs, control)
    else:
        optimum = solve_by_tree(instance, legs, control)
    return _solution(instance, options, legs, sizing.method, optimum)


def _for_referee(control: Control) -> float:
    """Give the seconds to leave for the referee, who may have to search for routes as `Legs` did."""
    return min(max(LEAST_FOR_REFEREE, control.elapsed / 2), control.remaining / 2)


def best_without_solver(
    instance: MasterWorkerInstance,
    options: Options,
    sizing: Sizing,
    control: Control,
    interruption: OutOfTime,
) -> Solution:
    """Answer when the time is over: greedy rates, and the best bound that prices prove.

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
        What ended the solve: with the proved bound, or the floating-point dual values that were
        known.
    """
    end_of_rates = control.elapsed + control.remaining / 2

    def enough() -> bool:
        return control.elapsed >= end_of_rates

    pools = pools_of(instance)
    small = pooled_instance(instance, pools)
    guess = pools.prices_of_members(
        {
            resource_name(small, component, index): price
            for (component, index), price in interruption.duals.items()
            if component != "odd" and (component == "compute" or component in CAPACITIES)
        }
    )
    legs, priced = _legs_in_time(instance, control, enough)
    slots = None
    rates = greedy_rates(instance, legs, enough=enough)
    if needs_own_slots(instance, legs, rates):
        rates = greedy_rates(instance, legs, same_way_back=True, enough=enough)
        if not rates.computed:
            rates, slots = serve_one(instance, legs)
    if isinstance(interruption, Proved):
        bound, prices = interruption.bound, interruption.prices
    else:
        bound, prices = bound_from_prices(*priced, [guess] if guess else [])
    rates = straighten(rates, legs)
    needed = least_period(instance.platform, instance.ports, busy(instance, legs, rates))
    if needed > 1:
        rates = scaled(rates, 1 / needed)
    optimum = Optimum(rates, rates.throughput, bound, prices, slots)
    return _solution(instance, options, legs, sizing.method, optimum)


Priced = tuple[MasterWorkerInstance, Legs]
"""What a bound is to be proved for: every schedule of the instance asked for is one of this."""


def _legs_in_time(
    instance: MasterWorkerInstance, control: Control, enough: Callable[[], bool]
) -> tuple[Legs, Priced]:
    """Find legs for the rates, and those at which prices are proved.

    Where there is no time for all legs of fixed routing, files go from the master to workers
    without a relay. The bound is then that of free routing: it needs no routes.
    """
    if instance.routing == "free":
        legs = Legs.from_instance(instance)
        return legs, (instance, legs)
    try:
        hurry = control.limited(control.remaining / 4).check
        legs = Legs.from_instance(instance, hurry).unhurried()
    except OutOfTime:
        legs = legs_of_master(instance, enough)
    else:
        return legs, (instance, legs)
    computes = instance.compute_times[instance.platform.index_by_id[instance.master]] is not None
    if not (legs.input or computes):
        # Relays alone lead to workers, if anything does.
        legs = Legs.from_instance(instance)
        return legs, (instance, legs)
    return legs, _by_links(instance)


def _by_links(instance: MasterWorkerInstance) -> Priced:
    free = instance.model_copy(update={"routing": "free"})
    return free, Legs.from_instance(free)


def with_quick_proof(instance: MasterWorkerInstance, solution: Solution) -> Solution:
    """Keep the rates; prove a bound that holds even if files were free to take any links.

    Parameters
    ----------
    instance
        Without faults.
    solution
        Of this instance, with exact prices.
    """
    result = solution.result
    if not isinstance(result, MasterWorkerResult) or result.objective is None:
        raise TypeError("only rates of master_worker have such a bound")
    if not (result.bound and result.bound.value):
        return solution  # where routes lead to no worker, looking at them takes no time
    known = {name: float(price) for name, price in result.certificate.prices.items()}
    bound, prices = bound_from_prices(*_by_links(instance), [known] if known else [])
    value = result.objective.value
    weaker = result.model_copy(
        update={
            "outcome": Outcome.OPTIMAL if value == bound else Outcome.FEASIBLE,
            "bound": Bound.from_value(bound, exact=True),
            "gap": relative_gap(value, bound),
            "certificate": _certificate(prices),
            "notes": [*result.notes, _LATE_PROOF],
            "preferred": None
            if result.preferred is None
            else Preferred.unproved(result.preferred.name, result.preferred.value),
        }
    )
    least = partial(least_time, instance, prices)
    periodic = None if solution.periodic is None else replace(solution.periodic, least=least)
    return replace(solution, result=weaker, periodic=periodic)


_LATE_PROOF = (
    "the time limit was reached while the bound was verified for the fixed routes: the one given"
    " holds for free routing, too, and is therefore larger"
)
_NO_SLOTS = (
    "half-duplex links are used in both directions off a tree, and the solver failed in the search"
    " for slots: results go back by the route of the data"
)


def solve_program(
    instance: MasterWorkerInstance, options: Options, legs: Legs, control: Control
) -> Optimum:
    """Build the linear program, solve it exactly, and straighten its flows.

    Parameters
    ----------
    instance
        Without faults.
    options
        `prefer` is read.
    legs
        What files can travel in one go, of this instance.
    control
        Deadline, cancellation and progress of the solve.
    """
    control.phase(Phase.BUILDING)
    if not Reach.from_instance(instance).workers:
        return Optimum(Rates({}, {}, {}), Fraction(0), Fraction(0), {})
    program = PooledProgram.solve(instance, legs, control)
    throughput = program.solved.throughput
    prices = program.prices_of_members(program.solved.prices)
    optimum = Optimum(program.rates, throughput, throughput, prices)
    if options.prefer != "any":
        asked = options.prefer is not None
        rates, preferred, notes = with_least_traffic(instance, legs, program, asked, control)
        optimum = replace(optimum, rates=rates, preferred=preferred, notes=notes)
    if not needs_own_slots(instance, legs, optimum.rates):
        return optimum
    try:
        rates, slots, notes = schedule_half_duplex(
            instance, legs, optimum.rates, optimum.bound, control
        )
        notes = (*optimum.notes, *notes)
    except OutOfTime as interruption:
        raise Proved(optimum.bound, optimum.prices) from interruption
    except (SolverError, CertificationError):
        greedy = greedy_rates(instance, legs, same_way_back=True)
        rates = straighten(greedy, legs)
        notes = (*optimum.notes, _NO_SLOTS)
        return Optimum(rates, rates.throughput, optimum.bound, optimum.prices, notes=notes)
    return Optimum(rates, rates.throughput, optimum.bound, optimum.prices, slots, notes)


def solve_by_tree(instance: MasterWorkerInstance, legs: Legs, control: Control) -> Optimum:
    """Hand the tree that the master reaches to the bandwidth-centric algorithm.

    Parameters
    ----------
    instance
        Without faults.
    legs
        What files can travel in one go, of this instance.
    control
        Deadline, cancellation and progress of the solve.
    """
    control.phase(Phase.SOLVING)
    platform = instance.platform
    master = platform.index_by_id[instance.master]
    arc_into = {}
    nodes = [master]
    leaving: dict[int, list[int]] = {}
    for arc in legs.input:
        leaving.setdefault(arc.source, []).append(arc.index)
    for node in nodes:
        for index in leaving.get(node, ()):
            target = platform.arcs[index].target
            if target not in arc_into:
                arc_into[target] = platform.arcs[index]
                nodes.append(target)
    position = {node: k for k, node in enumerate(nodes)}
    tree = solve_tree(
        [-1, *(position[arc_into[node].source] for node in nodes[1:])],
        [
            Fraction(0),
            *(arc_into[node].unit_time * instance.task.input_size for node in nodes[1:]),
        ],
        [instance.compute_times[node] for node in nodes],
        control.check,
    )
    control.phase(Phase.CERTIFYING)
    ids = [platform.processors[node].id for node in nodes]
    prices = {
        f"{id_}.{suffix}": Fraction(int(price.p), int(price.q))
        for suffix, column in (
            ("compute", tree.compute_prices),
            ("send", tree.send_prices),
            ("receive", tree.receive_prices),
        )
        for id_, price in zip(ids, column, strict=True)
        if price
    }
    rates = Rates(
        {
            node: Fraction(int(rate.p), int(rate.q))
            for node, rate in zip(nodes, tree.computed, strict=True)
            if rate
        },
        {
            arc_into[node].index: Fraction(int(rate.p), int(rate.q))
            for node, rate in zip(nodes[1:], tree.received[1:], strict=True)
            if rate
        },
        {},
    )
    throughput = Fraction(int(tree.throughput.p), int(tree.throughput.q))
    return Optimum(rates, throughput, throughput, prices)


def _printable(instance: MasterWorkerInstance, legs: Legs, optimum: Optimum) -> Optimum:
    """Round what no client could read, to the safe side: rates down, prices up."""
    rates = optimum.rates
    numbers = [
        optimum.bound,
        optimum.throughput,
        *optimum.prices.values(),
        *(
            x
            for part in (rates.computed, rates.input_sent, rates.output_sent)
            for x in part.values()
        ),
    ]
    if not too_long(numbers):
        if optimum.preferred is None or not too_long(optimum.preferred.numbers):
            return optimum
        return replace(optimum, preferred=None, notes=(*optimum.notes, TOO_LONG))
    prices = rounded_prices(optimum.prices)
    shorter = rounded(instance, legs, rates, ROUNDED_BITS)
    return replace(
        optimum,
        rates=shorter,
        throughput=shorter.throughput,
        bound=sum(prices.values(), Fraction(0)),
        prices=prices,
        notes=(*optimum.notes, ROUNDED),
        preferred=None,
    )


def _certificate(prices: Mapping[str, Fraction]) -> DualityCertificate:
    return DualityCertificate(
        prices={name: price for name, price in sorted(prices.items()) if price}
    )


def _solution(
    instance: MasterWorkerInstance,
    options: Options,
    legs: Legs,
    method: str,
    optimum: Optimum,
) -> Solution:
    optimum = _printable(instance, legs, optimum)
    rates, throughput, preferred = optimum.rates, optimum.throughput, optimum.preferred
    if preferred is None and options.prefer == "least_traffic" and method == "lp":
        preferred = Preferred.unproved("least_traffic", traffic_of(instance, legs, rates))
    ids = [processor.id for processor in instance.platform.processors]
    allocations = plans(instance, legs, rates)
    result = MasterWorkerResult(
        outcome=Outcome.OPTIMAL if throughput == optimum.bound else Outcome.FEASIBLE,
        method=method,
        objective=Objective.throughput(throughput),
        bound=Bound.from_value(optimum.bound, exact=True),
        gap=relative_gap(throughput, optimum.bound),
        certificate=_certificate(optimum.prices),
        computed={ids[i]: rate for i, rate in sorted(rates.computed.items()) if rate},
        sent=sent_rates(instance, legs, rates),
        routed=routed_rates(legs, allocations),
        preferred=preferred,
        notes=list(optimum.notes),
    )
    if not optimum.bound:
        result.notes.append(
            "the master computes nothing itself and reaches no processor"
            " that could compute the task"
            + (" and send its output file back" if instance.task.output_size else "")
            + ("" if any(time is not None for time in instance.compute_times) else _NO_SPEEDS)
        )
    times = dict(zip(ids, instance.compute_times, strict=True))

    def task_time(task: str, processor: str) -> Fraction:
        time = times[processor]
        if time is None:
            raise KeyError(f"{processor} cannot compute {task}")
        return time

    workload = Workload(instance.platform, instance.ports, task_time, instance.file_sizes)
    least = partial(least_time, instance, optimum.prices)
    return Solution(
        result, Reconstructible(workload, allocations, throughput, optimum.slots, least=least)
    )
