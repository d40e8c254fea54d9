"""The two methods, and the answer that both give."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

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
from steadygrid.kinds.master_worker.solver.fallback import bound_from_prices, greedy_rates
from steadygrid.kinds.master_worker.solver.half_duplex import needs_own_slots, schedule_half_duplex
from steadygrid.kinds.master_worker.solver.legs import Legs
from steadygrid.kinds.master_worker.solver.model import CAPACITIES
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
    if sizing.method == "lp":
        optimum = solve_program(instance, options, legs, control)
    else:
        optimum = solve_by_tree(instance, legs, control)
    return _solution(instance, options, legs, sizing.method, optimum)


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
    for_rates = control.remaining / 2

    def enough() -> bool:
        return control.remaining < for_rates

    pools = pools_of(instance)
    small = pooled_instance(instance, pools)
    guess = pools.prices_of_members(
        {
            resource_name(small, component, index): price
            for (component, index), price in interruption.duals.items()
            if component != "odd" and (component == "compute" or component in CAPACITIES)
        }
    )
    legs = Legs.from_instance(instance)
    rates = greedy_rates(instance, legs, enough=enough)
    if needs_own_slots(instance, legs, rates):
        rates = greedy_rates(instance, legs, same_way_back=True, enough=enough)
    if isinstance(interruption, Proved):
        bound, prices = interruption.bound, interruption.prices
    else:
        bound, prices = bound_from_prices(instance, legs, [guess] if guess else [])
    rates = straighten(rates, legs)
    needed = least_period(instance.platform, instance.ports, busy(instance, legs, rates))
    if needed > 1:
        rates = scaled(rates, 1 / needed)
    optimum = Optimum(rates, rates.throughput, bound, prices)
    return _solution(instance, options, legs, sizing.method, optimum)


_NO_SLOTS = (
    "half-duplex links are used in both directions off a tree, and the solver failed in the search"
    " for slots: results go back the way the data came"
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
        certificate=DualityCertificate(
            prices={name: price for name, price in sorted(optimum.prices.items()) if price}
        ),
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
    return Solution(result, Reconstructible(workload, allocations, throughput, optimum.slots))
