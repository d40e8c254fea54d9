"""Answers of operations with copies that are put together by hand, and are right."""

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

from steadygrid.domain.certificate import Certificate
from steadygrid.domain.job import Bound, Objective, Options, Outcome
from steadygrid.domain.schedule import Allocation, Schedule, Transfer
from steadygrid.domain.slots import Slot, SlotTransfer
from steadygrid.kinds.collective.certificates import CutsCertificate, WeightedCut
from steadygrid.kinds.collective.schemas import (
    CollectiveInstance,
    CollectiveResult,
    MessageAllocation,
    MessageOut,
    MessageTransfer,
)
from tests.verification.answers import Answer

F = Fraction

Tree = tuple[str, Any, str]
"""A message, the rate of the tree, and its ways: ``s>w>a s>b``."""


def cuts(
    prices: Mapping[str, Any],
    listed: Mapping[str, Any],
    potentials: Mapping[str, Any] | None = None,
    direction: Any = "out",
) -> CutsCertificate:
    """Weigh sets of processors, ``A B``."""
    return CutsCertificate(
        prices={name: F(price) for name, price in prices.items()},
        potentials={name: F(value) for name, value in (potentials or {}).items()},
        cuts=[
            WeightedCut(processors=names.split(), weight=F(weight), direction=direction)
            for names, weight in listed.items()
        ],
    )


def bounded(problem: Mapping[str, Any], certificate: Certificate, method: str) -> Answer:
    """Answer with nothing but a bound, the sum of the prices."""
    instance = CollectiveInstance.model_validate(problem["problem"])
    result = CollectiveResult(
        outcome=Outcome.BOUND_ONLY,
        method=method,
        operation=instance.operation,
        bound=Bound.from_value(sum(certificate.prices.values(), F(0)), exact=True),
        certificate=certificate,
        messages=_told(instance),
        allocations=[],
        algorithmic_bandwidth=None,
        objective=None,
        gap=None,
    )
    return Answer(instance, Options(), result, None)


def answered(
    problem: Mapping[str, Any],
    trees: Sequence[Tree],
    certificate: Certificate,
    period: int,
    latency: int,
    slots: Sequence[tuple[Any, Sequence[tuple[str, int, Any]]]] = (),
    method: str = "trees",
) -> Answer:
    """Put an optimal answer together.

    Parameters
    ----------
    slots
        Duration, and transfers: hop, allocation, count. Left out: under ``multiport`` the only one.
    """
    told = bounded(problem, certificate, method)
    instance, value = told.instance, told.result.bound.value
    files = {message.name: message.files[0] for message in instance.messages}
    plans = [
        Allocation(
            index, F(rate), F(rate) * period, {},
            tuple(Transfer(files[name], tuple(way.split(">")), F(1)) for way in ways.split()),
            message=name,
        )
        for index, (name, rate, ways) in enumerate(trees)
    ]  # fmt: skip
    if not slots:
        slots = [(period, _hops(instance, plans))]
    built, clock = [], F(0)
    for duration, moves in slots:
        moved = [
            SlotTransfer(*_ends(hop), files[plans[i].message or ""], i, F(count))
            for hop, i, count in moves
        ]
        built.append(Slot(clock, F(duration), tuple(moved)))
        clock += F(duration)
    schedule = Schedule(
        period=F(period), instances_per_period=value * period, throughput=value,
        optimal_throughput=value, loss=F(0), rounding_loss=None, ports=instance.ports,
        prologue_periods=latency - 1, latency_periods=latency, preempted=False,
        files=tuple(files.values()),
        allocations=tuple(plans), computations=(), slots=tuple(built),
    )  # fmt: skip
    result = told.result.model_copy(
        update={
            "outcome": Outcome.OPTIMAL,
            "objective": Objective.throughput(value),
            "gap": F(0),
            "allocations": [_allocation(plan) for plan in plans],
            "algorithmic_bandwidth": value * sum(m.size for m in told.result.messages),
        }
    )
    return Answer(instance, Options(), result, schedule)


def _ends(hop: str) -> tuple[str, str]:
    sender, receiver = hop.split(">")
    return sender, receiver


def _hops(instance: CollectiveInstance, plans: Sequence[Allocation]) -> list[tuple[str, int, Any]]:
    sizes = {message.name: message.size for message in instance.messages}
    counted: Counter[tuple[str, int]] = Counter()
    for plan in plans:
        for transfer in plan.transfers if sizes[plan.message or ""] else ():
            for hop in pairwise(transfer.path):
                counted[">".join(hop), plan.index] += 1
    counts = [plan.instances_per_period for plan in plans]
    return [(hop, i, times * counts[i]) for (hop, i), times in counted.items()]


def _allocation(plan: Allocation) -> MessageAllocation:
    return MessageAllocation(
        index=plan.index,
        message=plan.message or "",
        rate=plan.rate,
        root=plan.transfers[0].path[0],
        tasks={},
        transfers=[
            MessageTransfer(file=way.file, path=list(way.path), share=way.share)
            for way in plan.transfers
        ],
        combinations=[],
    )


def _told(instance: CollectiveInstance) -> list[MessageOut]:
    combined = instance.operation in ("reduce", "reduce_scatter")
    return [
        MessageOut(
            message=message.name,
            origin=None if combined else message.sources[0],
            sources=list(message.sources) if combined else [],
            receivers=list(message.receivers),
            size=message.size,
        )
        for message in instance.messages
    ]
