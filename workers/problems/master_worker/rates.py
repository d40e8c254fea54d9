"""From rates to allocations: flows without cycles, and the paths they consist of."""

import math
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from app.domain.platform import Platform
from app.domain.schedule import Transfer
from app.problems.master_worker.schemas import (
    INPUT_FILE,
    OUTPUT_FILE,
    TASK,
    MasterWorkerInstance,
    SentRate,
)
from workers.scheduling import Plan

Flow = dict[int, int]
"""Positive amounts by arc index, in a unit that makes all of them whole."""


@dataclass(frozen=True)
class Rates:
    """Steady-state rates: tasks per time unit by processor, files per time unit by arc."""

    computed: Mapping[int, Fraction]
    input_sent: Mapping[int, Fraction]
    output_sent: Mapping[int, Fraction]

    @property
    def throughput(self) -> Fraction:
        """Tasks per time unit."""
        return sum(self.computed.values(), Fraction(0))


def straighten(rates: Rates, platform: Platform) -> Rates:
    """Take all cycles out of both flows; the tasks computed stay as they are.

    What goes round in circles only costs. Afterwards no link carries one kind of file in both
    directions. O(arcs) per cycle, and each cycle removes an arc.
    """
    return Rates(
        rates.computed,
        _without_cycles(rates.input_sent, platform),
        _without_cycles(rates.output_sent, platform),
    )


def _without_cycles(sent: Mapping[int, Fraction], platform: Platform) -> dict[int, Fraction]:
    unit = math.lcm(1, *(rate.denominator for rate in sent.values()))
    flow = {arc: int(rate * unit) for arc, rate in sent.items() if rate}
    before = dict(flow)
    _cancel_cycles(flow, platform)
    return {
        arc: sent[arc] if amount == before[arc] else Fraction(amount, unit)
        for arc, amount in flow.items()
        if amount
    }


def _cancel_cycles(flow: Flow, platform: Platform) -> None:
    """Walk along positive arcs; whenever the walk bites its tail, take the cycle out."""
    leaving: dict[int, list[int]] = defaultdict(list)
    for arc in sorted(flow):
        leaving[platform.arcs[arc].source].append(arc)
    done: set[int] = set()
    for start in sorted(leaving):
        walk: list[int] = []
        position = {start: 0}
        node = start
        while True:
            arcs = leaving[node]
            while arcs and (not flow[arcs[-1]] or platform.arcs[arcs[-1]].target in done):
                arcs.pop()
            if not arcs:
                done.add(node)
                del position[node]
                if not walk:
                    break
                node = platform.arcs[walk.pop()].source
                continue
            walk.append(arcs[-1])
            node = platform.arcs[arcs[-1]].target
            if node not in position:
                position[node] = len(walk)
                continue
            cycle = walk[position[node] :]
            amount = min(flow[arc] for arc in cycle)
            for arc in cycle:
                flow[arc] -= amount
            for arc in cycle[1:]:
                del position[platform.arcs[arc].source]
            del walk[position[node] :]


def plans(instance: MasterWorkerInstance, rates: Rates) -> list[Plan]:
    """Decompose rates without cycles into allocations, each with one way in and one way out.

    Parameters
    ----------
    rates
        As `straighten` leaves them.

    Returns
    -------
    list of Plan
        Of a basic solution of the program no more than there are binding resources: a path
        fewer dimensions of the flow are left whenever one is taken out.

    Notes
    -----
    Each path empties an arc or satisfies a processor: O((arcs + processors) * depth).
    """
    platform = instance.platform
    master = platform.index_by_id[instance.master]
    unit = math.lcm(
        1,
        *(
            rate.denominator
            for part in (rates.computed, rates.input_sent, rates.output_sent)
            for rate in part.values()
        ),
    )
    computed = {i: int(rate * unit) for i, rate in rates.computed.items() if rate}
    ways_in = _paths(
        master,
        {
            (platform.arcs[a].source, platform.arcs[a].target): int(rate * unit)
            for a, rate in rates.input_sent.items()
        },
        computed,
    )
    ways_out = (
        _paths(
            master,
            {
                (platform.arcs[a].target, platform.arcs[a].source): int(rate * unit)
                for a, rate in rates.output_sent.items()
            },
            computed,
        )
        if instance.task.output_size
        else {i: [((i,), amount)] for i, amount in computed.items()}
    )
    return [
        _plan(instance, worker, way_in, way_out, Fraction(amount, unit))
        for worker in sorted(computed)
        for way_in, way_out, amount in _paired(ways_in[worker], ways_out[worker])
    ]


Way = tuple[tuple[int, ...], int]
"""A path from the master to a worker, and how much takes it."""


def _paths(
    master: int, flow: Mapping[tuple[int, int], int], demand: Mapping[int, int]
) -> dict[int, list[Way]]:
    """Split an acyclic flow that leaves the master into paths, by the worker where they end."""
    left = dict(flow)
    wanted = dict(demand)
    leaving: dict[int, list[int]] = defaultdict(list)
    for source, target in sorted(left, reverse=True):
        leaving[source].append(target)
    ways: dict[int, list[Way]] = defaultdict(list)
    while True:
        path = [master]
        amount: int | None = None
        while not wanted.get(path[-1]):
            targets = leaving[path[-1]]
            while targets and not left[path[-1], targets[-1]]:
                targets.pop()
            if not targets:
                break
            step = left[path[-1], targets[-1]]
            amount = step if amount is None else min(amount, step)
            path.append(targets[-1])
        worker = path[-1]
        if not wanted.get(worker):
            return ways
        amount = wanted[worker] if amount is None else min(amount, wanted[worker])
        wanted[worker] -= amount
        for hop in zip(path, path[1:], strict=False):
            left[hop] -= amount
        ways[worker].append((tuple(path), amount))


def _paired(
    ways_in: list[Way], ways_out: list[Way]
) -> list[tuple[tuple[int, ...], tuple[int, ...], int]]:
    """Join the ways to a worker with the ways back, in order."""
    pairs: list[tuple[tuple[int, ...], tuple[int, ...], int]] = []
    outs = iter(ways_out)
    way_out, room = (), 0
    for way_in, amount in ways_in:
        while amount:
            if not room:
                way_out, room = next(outs)
            share = min(amount, room)
            pairs.append((way_in, way_out, share))
            amount -= share
            room -= share
    return pairs


def _plan(
    instance: MasterWorkerInstance,
    worker: int,
    way_in: tuple[int, ...],
    way_out: tuple[int, ...],
    rate: Fraction,
) -> Plan:
    ids = [processor.id for processor in instance.platform.processors]
    transfers = []
    if len(way_in) > 1:
        transfers.append(Transfer(INPUT_FILE, tuple(ids[i] for i in way_in), Fraction(1)))
    if len(way_out) > 1:
        back = tuple(ids[i] for i in reversed(way_out))
        transfers.append(Transfer(OUTPUT_FILE, back, Fraction(1)))
    return Plan(rate, {TASK: ids[worker]}, tuple(transfers))


def sent_rates(instance: MasterWorkerInstance, rates: Rates) -> list[SentRate]:
    """List what crosses each link, as the answer shows it."""
    platform = instance.platform
    ids = [processor.id for processor in platform.processors]
    return [
        SentRate(
            source=ids[platform.arcs[arc].source],
            target=ids[platform.arcs[arc].target],
            file=file,
            rate=rate,
        )
        for file, sent in (("input", rates.input_sent), ("output", rates.output_sent))
        for arc, rate in sorted(sent.items())
        if rate
    ]
