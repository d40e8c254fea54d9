"""The method of flows, and the answer that it gives."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from steadygrid.domain.amounts import Amounts
from steadygrid.domain.certificate import DualityCertificate
from steadygrid.domain.errors import OutOfTime
from steadygrid.domain.job import Bound, Objective, Options, Outcome, Phase, relative_gap
from steadygrid.domain.platform import Arc
from steadygrid.domain.problem import Sizing
from steadygrid.domain.rounding import rounded_down
from steadygrid.domain.schedule import Transfer
from steadygrid.problems.collective.schemas import (
    CollectiveInstance,
    CollectiveResult,
    CombinationOut,
    Message,
    MessageAllocation,
    MessageOut,
    MessageTransfer,
    UnreachableCertificate,
)
from workers.exact import solve_certified
from workers.exact.readable import ROUNDED, ROUNDED_BITS, rounded_prices, too_long
from workers.flows.cycles import without_cycles
from workers.flows.paths import paths_from
from workers.matching.shares import least_period, overfull_sets
from workers.problems import Reconstructible, Solution, without_schedule
from workers.problems.collective.model import build_model
from workers.problems.collective.series import Network, way_to
from workers.scheduling import Plan, Workload
from workers.solving.control import Control

WHOLE = Fraction(1)
Path = tuple[int, ...]


@dataclass(frozen=True)
class Way:
    """A way of a message, by indices of processors, and its operations per time unit."""

    message: Message
    path: Path
    rate: Fraction


@dataclass(frozen=True)
class Optimum:
    """Ways of all messages, and prices that prove a bound on the throughput of any."""

    ways: Sequence[Way]
    throughput: Fraction
    prices: Mapping[str, Fraction]
    notes: tuple[str, ...] = ()

    @property
    def bound(self) -> Fraction:
        """What the prices prove."""
        return sum(self.prices.values(), Fraction(0))


def solve(
    instance: CollectiveInstance, options: Options, sizing: Sizing, control: Control
) -> Solution:
    """Find certified optimal ways of all messages, or who cannot be reached."""
    control.phase(Phase.BUILDING)
    network = Network.of(instance)
    if network.cut_off is not None:
        return _infeasible(instance, sizing, *network.cut_off)
    return _solution(instance, network, sizing, _of_program(network, control))


def best_without_solver(
    instance: CollectiveInstance,
    options: Options,
    sizing: Sizing,
    control: Control,
    interruption: OutOfTime,
) -> Solution:
    """Answer when the time is over: every message by its fastest way, and what prices prove."""
    network = Network.of(instance)
    if network.cut_off is not None:
        return _infeasible(instance, sizing, *network.cut_off)
    ways = _fastest(network)
    loads = _loads(network, ways)
    needed = max(loads.values())
    guess = {
        str(index): price
        for (component, index), price in interruption.duals.items()
        if component == "capacity" and price > 0
    }
    guesses = [loads, dict.fromkeys(_resources(network), WHOLE)]
    if guess:
        guesses.append({name: Fraction(price) for name, price in guess.items()})
    prices = min(
        (found for one in guesses if (found := _scaled(network, one))),
        key=lambda found: sum(found.values(), Fraction(0)),
    )
    rate = 1 / needed
    slowed = [Way(way.message, way.path, rate) for way in ways]
    rate /= least_period(network.platform, network.ports, _busy(network, slowed))
    slowed = [Way(way.message, way.path, rate) for way in ways]
    return _solution(instance, network, sizing, Optimum(slowed, rate, prices))


def _of_program(network: Network, control: Control) -> Optimum:
    """Solve the program, again as long as its flows are too much for an odd set of processors."""
    while True:
        model = build_model(network, control.check)
        solved = solve_certified(model, control)
        if solved.status != "optimal" or not solved.objective:
            raise AssertionError(f"messages can arrive, yet the program is {solved.status}")
        ways = _ways(network, solved.values_of(model.flow), solved.objective)
        found = overfull_sets(network.platform, network.ports, _busy(network, ways), control.check)
        if not found:
            prices = solved.prices_of(model.capacity)
            return Optimum(ways, solved.objective, prices)
        network = network.knowing(found)


def _ways(
    network: Network, flow: Mapping[tuple[int, int], Fraction], throughput: Fraction
) -> list[Way]:
    """Take the flows apart; what has no size takes its fastest way."""
    arcs = network.platform.arcs
    flows: list[dict[int, Fraction]] = [{} for _ in network.series]
    for (s, index), amount in flow.items():
        flows[s][index] = amount
    ways = []
    for series, carried in zip(network.series, flows, strict=True):
        straight = without_cycles(arcs, carried)
        found = paths_from(
            series.root,
            {series.ends(arcs[index]): amount for index, amount in straight.items()},
            {end: message.size * throughput for end, message in series.messages.items()},
        )
        fastest = None
        for end, message in series.messages.items():
            if message.size:
                for path, amount in found[end]:
                    travelled = tuple(reversed(path)) if series.home else path
                    ways.append(Way(message, travelled, amount / message.size))
            else:
                fastest = fastest or network.reached(series)
                ways.append(Way(message, way_to(series, fastest, end), throughput))
    return ways


def _fastest(network: Network) -> list[Way]:
    """Give each message the way on which it takes least time, once per time unit."""
    ways = []
    for series in network.series:
        found = network.reached(series)
        for end, message in series.messages.items():
            ways.append(Way(message, way_to(series, found, end), WHOLE))
    return ways


def _resources(network: Network) -> list[str]:
    return list(dict.fromkeys(use.resource for arc in network.arcs for use in network.uses(arc)))


def _busy(network: Network, ways: Iterable[Way]) -> Amounts[int]:
    """Give the share of the time for which each arc carries messages."""
    arcs = network.platform.arc_by_ends
    shares: Amounts[int] = Amounts()
    for message, path, rate in ((way.message, way.path, way.rate) for way in ways):
        for ends in pairwise(path):
            arc = arcs[ends]
            shares[arc.index] += rate * message.size * arc.unit_time
    return shares


def _loads(network: Network, ways: Iterable[Way]) -> dict[str, Fraction]:
    """Give the share of the time for which each resource is busy."""
    arcs = network.platform.arcs
    shares: Amounts[str] = Amounts()
    for index, share in _busy(network, ways).items():
        for resource, time in network.uses(arcs[index]):
            shares[resource] += share / arcs[index].unit_time * time
    return {resource: share for resource, share in shares.items() if share}


def _scaled(network: Network, guess: Mapping[str, Fraction]) -> dict[str, Fraction]:
    """Scale prices so that an operation costs 1; none if it costs nothing."""

    def price(arc: Arc) -> Fraction:
        return sum(
            (time * guess.get(resource, Fraction(0)) for resource, time in network.uses(arc)),
            Fraction(0),
        )

    cost = Fraction(0)
    for series in network.series:
        found = network.reached(series, price)
        for end, message in series.messages.items():
            cost += message.size * found[end][0]
    return {resource: each / cost for resource, each in guess.items() if each} if cost else {}


def _printable(optimum: Optimum) -> Optimum:
    """Round what no client could read, to the safe side: rates down, prices up."""
    if not too_long([*(way.rate for way in optimum.ways), *optimum.prices.values()]):
        return optimum
    shorter = [
        Way(way.message, way.path, rounded_down(way.rate, ROUNDED_BITS)) for way in optimum.ways
    ]
    total: Amounts[str] = Amounts()
    for way in shorter:
        total[way.message.name] += way.rate
    least = min(total.values())
    kept = []
    for way in shorter:
        less = min(way.rate, total[way.message.name] - least)
        total[way.message.name] -= less
        if way.rate > less:
            kept.append(Way(way.message, way.path, way.rate - less))
    notes = (*optimum.notes, ROUNDED)
    return Optimum(kept, least, rounded_prices(optimum.prices), notes)


def _told(instance: CollectiveInstance) -> list[MessageOut]:
    return [
        MessageOut(
            message=message.name,
            origin=message.origin,
            sources=[],
            receivers=[message.receiver],
            size=message.size,
        )
        for message in instance.messages
    ]


def _infeasible(
    instance: CollectiveInstance, sizing: Sizing, message: Message, processors: list[str]
) -> Solution:
    result = without_schedule(
        CollectiveResult,
        Outcome.INFEASIBLE,
        sizing.method,
        operation=instance.operation,
        certificate=UnreachableCertificate(message=message.name, processors=processors),
        messages=_told(instance),
        notes=[f"no links lead from {message.origin!r} to {message.receiver!r}"],
    )
    return Solution(result)


def _solution(
    instance: CollectiveInstance, network: Network, sizing: Sizing, optimum: Optimum
) -> Solution:
    optimum = _printable(optimum)
    names = [processor.id for processor in network.platform.processors]
    plans = [
        Plan(
            way.rate,
            {},
            (
                Transfer(
                    (way.message.name, way.message.origin), tuple(names[i] for i in way.path), WHOLE
                ),
            ),
            way.message.name,
        )
        for way in optimum.ways
    ]
    throughput, bound = optimum.throughput, optimum.bound
    result = CollectiveResult(
        outcome=Outcome.OPTIMAL if throughput == bound else Outcome.FEASIBLE,
        method=sizing.method,
        operation=instance.operation,
        objective=Objective.throughput(throughput),
        bound=Bound.of(bound, exact=True),
        gap=relative_gap(throughput, bound),
        certificate=DualityCertificate(
            prices={name: price for name, price in sorted(optimum.prices.items()) if price}
        ),
        messages=_told(instance),
        allocations=[_allocation(index, plan) for index, plan in enumerate(plans)],
        algorithmic_bandwidth=throughput
        * sum((message.size for message in instance.messages), Fraction(0)),
        notes=list(optimum.notes),
    )

    def task_time(task: str, processor: str) -> Fraction:
        raise KeyError(f"{processor} cannot compute {task}: nothing is computed")

    moved = (transfer.file for plan in plans for transfer in plan.transfers)
    workload = Workload(
        instance.platform,
        instance.ports,
        task_time,
        instance.sizes_of(moved),
        tuple(instance.file_sizes),
    )
    return Solution(result, Reconstructible(workload, plans, throughput))


def _allocation(index: int, plan: Plan) -> MessageAllocation:
    return MessageAllocation(
        index=index,
        message=plan.message or "",
        rate=plan.rate,
        root=plan.transfers[0].path[0],
        tasks={task: processor for task, (processor,) in plan.tasks.items()},
        transfers=[
            MessageTransfer(file=transfer.file, path=list(transfer.path), share=transfer.share)
            for transfer in plan.transfers
        ],
        combinations=[
            CombinationOut(index=one.index, processor=one.processor, operands=list(one.operands))
            for one in plan.combinations
        ],
    )
