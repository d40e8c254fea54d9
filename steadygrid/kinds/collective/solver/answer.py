"""From rated routes of messages to the answer of the kind."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise

from steadygrid.domain.amounts import Amounts
from steadygrid.domain.combination import Combination
from steadygrid.domain.job import Bound, Objective, Outcome, relative_gap
from steadygrid.domain.preferred import Preferred
from steadygrid.domain.problem import Sizing
from steadygrid.domain.rounding import READABLE_BITS, num_bits, rounded_down
from steadygrid.domain.schedule import Transfer
from steadygrid.domain.slots import FileName
from steadygrid.engine.exact.safe_rounding import ROUNDED, ROUNDED_BITS, too_long
from steadygrid.engine.scheduling import Plan, Workload
from steadygrid.engine.scheduling.in_slots import Income, in_best_slots
from steadygrid.engine.solver import Reconstructible, Solution, without_schedule
from steadygrid.engine.solving.control import Control
from steadygrid.engine.solving.second_objective import TOO_LONG
from steadygrid.kinds.collective.certificates import UnreachableCertificate
from steadygrid.kinds.collective.depths import depth_of
from steadygrid.kinds.collective.schemas import (
    COMBINING,
    DIFFERENT,
    ChunksOut,
    CollectiveInstance,
    CollectiveResult,
    CombinationOut,
    Message,
    MessageAllocation,
    MessageOut,
    MessageTransfer,
)
from steadygrid.kinds.collective.solver.grouped_messages import CutOff, Network
from steadygrid.kinds.collective.solver.proof import Proof
from steadygrid.kinds.collective.solver.tree_depths import trees_told

WHOLE = Fraction(1)
Path = tuple[int, ...]


@dataclass(frozen=True)
class Delivery:
    """What a message does on its route, by indices of processors, and its operations per time unit.

    Attributes
    ----------
    root
        Where all begins; of combined messages, where it ends; of an allreduce, in between.
    moves
        Which data of the message goes which route.
    computed
        Whether combinations take time.
    """

    message: Message
    root: int
    moves: tuple[tuple[str, Path], ...]
    rate: Fraction
    combinations: tuple[Combination, ...] = ()
    computed: bool = False


Cheaper = Callable[[Mapping[str, Fraction], Mapping[int, Fraction], Income], Sequence[Delivery]]
"""Gives routes that cost less than they are worth, at prices of time of processors (by id) that combine
and on arcs (by index)."""


@dataclass(frozen=True)
class Chunks:
    """Of which messages are.

    Attributes
    ----------
    count
        Of the smallest part.
    size
        Units of data of one.
    unlimited
        Bound of the throughput with any number of chunks, in operations per time unit.
    """

    count: int
    size: Fraction
    unlimited: Fraction

    def describe(self, throughput: Fraction, bound: Fraction) -> ChunksOut:
        """Say of an answer what they cost.

        Parameters
        ----------
        throughput
            Of the answer, in operations per time unit.
        bound
            Of the throughput with these chunks.
        """
        return ChunksOut(
            count=self.count,
            size=self.size,
            least_time=1 / (bound * self.size),
            unlimited=self.unlimited,
            loss=1 - throughput / self.unlimited,
        )


@dataclass(frozen=True)
class Optimum:
    """Routes of all messages, and what proves a bound on the throughput of any."""

    routes: Sequence[Delivery]
    throughput: Fraction
    proof: Proof
    notes: tuple[str, ...] = ()
    preferred: Preferred | None = None
    chunks: Chunks | None = None


def busy_arcs(network: Network, routes: Iterable[Delivery]) -> Amounts[int]:
    """Give the share of the time for which each arc carries messages.

    Parameters
    ----------
    network
        The part of the platform that messages may use, with the messages by their common ends.
    routes
        With their rates, in operations per time unit.

    Returns
    -------
    Amounts
        By index of the arc.
    """
    arcs = network.platform.arc_by_ends
    data: Amounts[int] = Amounts()
    for route in routes:
        amount = route.rate * route.message.size
        for _, path in route.moves:
            for ends in pairwise(path):
                data[arcs[ends].index] += amount
    shares: Amounts[int] = Amounts()
    for index, amount in data.items():
        shares[index] = amount * network.platform.arcs[index].unit_time
    return shares


def messages_told(instance: CollectiveInstance) -> list[MessageOut]:
    """List the messages for the result. What is combined has sources, all else an origin."""
    combined = instance.operation in (*COMBINING, "allreduce")
    return [
        MessageOut(
            message=message.name,
            origin=None if combined else message.origin,
            sources=list(message.sources) if combined else [],
            receivers=list(message.receivers),
            size=message.size,
        )
        for message in instance.messages
    ]


def infeasible(
    instance: CollectiveInstance, sizing: Sizing, cut_off: CutOff, note: str = ""
) -> Solution:
    """Answer that a message cannot arrive.

    Parameters
    ----------
    instance
        Without faults.
    sizing
        Of this instance; names the method, never ``auto``.
    cut_off
        The message, and what proves it.
    note
        Instead of the usual one; empty for that.
    """
    result = without_schedule(
        CollectiveResult,
        Outcome.INFEASIBLE,
        sizing.method,
        operation=instance.operation,
        certificate=UnreachableCertificate(message=cut_off.message.name, processors=cut_off.inside),
        messages=messages_told(instance),
        notes=[note or f"no links lead from {cut_off.origin!r} to {cut_off.receiver!r}"],
    )
    return Solution(result)


def bounded(instance: CollectiveInstance, sizing: Sizing, proof: Proof) -> Solution:
    """Answer with a bound alone.

    Parameters
    ----------
    instance
        Without faults.
    sizing
        Of this instance; names the method, never ``auto``.
    proof
        Prices, and perhaps cuts, that prove a bound.
    """
    if too_long(proof.numbers):
        proof = proof.rounded()
    result = without_schedule(
        CollectiveResult,
        Outcome.BOUND_ONLY,
        sizing.method,
        operation=instance.operation,
        bound=Bound.from_value(proof.bound, exact=True),
        certificate=proof.certificate(instance),
        messages=messages_told(instance),
    )
    return Solution(result)


def answered(
    instance: CollectiveInstance,
    network: Network,
    sizing: Sizing,
    optimum: Optimum,
    control: Control,
    cheaper: Cheaper | None = None,
) -> Solution:
    """Answer with the routes of all messages, and what their schedule is built from.

    Where half-duplex links need slots that may not carry the rates, `cheaper` is asked for other
    routes.

    Parameters
    ----------
    instance
        Without faults.
    network
        The part of the platform that messages may use, with the messages by their common ends.
    sizing
        Of this instance; names the method, never ``auto``.
    optimum
        Routes of all messages, and what proves a bound.
    control
        Deadline, cancellation and progress of the solve.
    cheaper
        Looks for routes that cost less than they are worth. None where no others are asked for.
    """
    optimum = _printable(optimum)
    names = [processor.id for processor in network.platform.processors]
    roots: dict[tuple[Transfer, ...], str] = {}
    sizes: dict[FileName, Fraction] = {}

    def plan_of(route: Delivery) -> Plan:
        plan = _plan(route, names)
        roots[plan.transfers] = names[route.root]
        sizes.update(dict.fromkeys((move.file for move in plan.transfers), route.message.size))
        return plan

    def price(
        computing: Mapping[str, Fraction], worth: Mapping[int, Fraction], income: Income
    ) -> Sequence[Plan]:
        found = () if cheaper is None else cheaper(computing, worth, income)
        return [plan_of(route) for route in found]

    def task_time(_task: str, processor: str) -> Fraction:
        return instance.messages[0].size * (instance.combining or {})[processor]

    workload = Workload(
        instance.platform, instance.ports, task_time, sizes, tuple(instance.file_sizes)
    )
    plans = [plan_of(route) for route in optimum.routes]
    bound = optimum.proof.bound
    found = in_best_slots(workload, plans, bound, control, price)
    throughput = optimum.throughput if found.slots is None else found.throughput
    bandwidth = throughput * sum((each.size for each in instance.messages), Fraction(0))
    differ = instance.operation in DIFFERENT
    allocations = [
        _allocation(index, plan, roots[plan.transfers], None if differ else depth_of(plan))
        for index, plan in enumerate(found.plans)
    ]
    result = CollectiveResult(
        outcome=Outcome.OPTIMAL if throughput == bound else Outcome.FEASIBLE,
        method=sizing.method,
        operation=instance.operation,
        objective=Objective.throughput(throughput),
        bound=Bound.from_value(bound, exact=True),
        gap=relative_gap(throughput, bound),
        certificate=optimum.proof.certificate(instance),
        messages=messages_told(instance),
        allocations=allocations,
        algorithmic_bandwidth=bandwidth if num_bits(bandwidth) <= READABLE_BITS else None,
        notes=[*optimum.notes, *found.notes],
        chunks=None if optimum.chunks is None else optimum.chunks.describe(throughput, bound),
        trees=trees_told(instance, allocations),
        preferred=optimum.preferred if found.slots is None else None,
    )
    return Solution(result, Reconstructible(workload, found.plans, throughput, found.slots))


def _plan(route: Delivery, names: Sequence[str]) -> Plan:
    transfers = tuple(
        Transfer((route.message.name, data), tuple(names[i] for i in path), WHOLE)
        for data, path in route.moves
    )
    tasks = {one.outcome: (one.processor,) for one in route.combinations if route.computed}
    return Plan(route.rate, tasks, transfers, route.message.name, route.combinations)


def _allocation(index: int, plan: Plan, root: str, depth: int | None) -> MessageAllocation:
    return MessageAllocation(
        index=index,
        message=plan.message or "",
        rate=plan.rate,
        root=root,
        tasks={task: processor for task, (processor,) in plan.tasks.items()},
        transfers=[
            MessageTransfer(file=transfer.file, path=list(transfer.path), share=transfer.share)
            for transfer in plan.transfers
        ],
        combinations=[
            CombinationOut(index=one.index, processor=one.processor, operands=list(one.operands))
            for one in plan.combinations
        ],
        depth=depth,
    )


def _printable(optimum: Optimum) -> Optimum:
    """Round what no client could read, to the safe side: rates down, prices up."""
    unreadable = too_long(optimum.proof.numbers)
    if optimum.chunks is not None:
        return _printable_chunks(optimum, optimum.chunks, unreadable=unreadable)
    if not unreadable and not too_long(
        [optimum.throughput, *(route.rate for route in optimum.routes)]
    ):
        if optimum.preferred is None or not too_long(optimum.preferred.numbers):
            return optimum
        return replace(optimum, preferred=None, notes=(*optimum.notes, TOO_LONG))
    # Only where it has to be: without cuts the referee may have to look for too many trees.
    proof = optimum.proof.rounded() if unreadable else optimum.proof
    shorter = [
        replace(route, rate=rounded_down(route.rate, ROUNDED_BITS)) for route in optimum.routes
    ]
    total: Amounts[str] = Amounts()
    for route in shorter:
        total[route.message.name] += route.rate
    least = min(total.values())
    kept = []
    for route in shorter:
        less = min(route.rate, total[route.message.name] - least)
        total[route.message.name] -= less
        if route.rate > less:
            kept.append(replace(route, rate=route.rate - less))
    return Optimum(kept, least, proof, (*optimum.notes, ROUNDED))


def _printable_chunks(optimum: Optimum, chunks: Chunks, *, unreadable: bool) -> Optimum:
    """Round the throughput alone: each tree keeps its share of it, which is one of whole chunks."""
    throughput, notes = optimum.throughput, optimum.notes
    if too_long([throughput, *(route.rate for route in optimum.routes)]):
        throughput = rounded_down(throughput, ROUNDED_BITS)
    proof = optimum.proof.rounded() if unreadable else optimum.proof
    if throughput != optimum.throughput or unreadable:
        notes = (*notes, ROUNDED)
    factor = throughput / optimum.throughput
    return Optimum(
        [replace(route, rate=route.rate * factor) for route in optimum.routes],
        throughput,
        proof,
        notes,
        chunks=replace(chunks, unlimited=proof.unlimited),
    )
