"""From rates to allocations: flows without cycles, and the paths they consist of."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Literal

from steadygrid.domain.amounts import Amounts
from steadygrid.domain.platform import Platform
from steadygrid.domain.rounding import rounded_down
from steadygrid.domain.schedule import FileName, Transfer
from steadygrid.problems.master_worker.schemas import (
    INPUT_FILE,
    OUTPUT_FILE,
    TASK,
    MasterWorkerInstance,
    SentRate,
)
from workers.flows.cycles import without_cycles
from workers.flows.paths import Shares, paths_from
from workers.scheduling import Plan


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
    directions.
    """
    return Rates(
        rates.computed,
        without_cycles(platform, rates.input_sent),
        without_cycles(platform, rates.output_sent),
    )


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
    computed = {i: rate for i, rate in rates.computed.items() if rate}
    ends = [(arc.source, arc.target) for arc in platform.arcs]
    ways_in = paths_from(master, {ends[a]: rate for a, rate in rates.input_sent.items()}, computed)
    if instance.task.output_size:
        backwards = {ends[a][::-1]: rate for a, rate in rates.output_sent.items()}
        ways_out = paths_from(master, backwards, computed)
    else:
        ways_out = {worker: [((worker,), rate)] for worker, rate in computed.items()}
    return [
        _plan(instance, worker, way_in, way_out, rate)
        for worker in sorted(computed)
        for way_in, way_out, rate in _paired(ways_in[worker], ways_out[worker])
    ]


def _paired(
    ways_in: Shares, ways_out: Shares
) -> list[tuple[tuple[int, ...], tuple[int, ...], Fraction]]:
    """Join the ways to a worker with the ways back, in order."""
    pairs: list[tuple[tuple[int, ...], tuple[int, ...], Fraction]] = []
    outs = iter(ways_out)
    way_out: tuple[int, ...] = ()
    room = Fraction(0)
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
    return Plan(rate, {TASK: (ids[worker],)}, tuple(transfers))


def rounded(instance: MasterWorkerInstance, rates: Rates, bits: int) -> Rates:
    """Round every allocation's rate down to a multiple of ``2**-bits``.

    What is left is feasible, loses less than that per allocation, and its numbers are short.
    """
    arcs = instance.platform.arc_by_ends
    processors = instance.platform.index_by_id
    computed: Amounts[int] = Amounts()
    sent: dict[FileName, Amounts[int]] = {INPUT_FILE: Amounts(), OUTPUT_FILE: Amounts()}
    for plan in plans(instance, rates):
        rate = rounded_down(plan.rate, bits)
        if not rate:
            continue
        (place,) = plan.tasks[TASK]
        worker = processors[place]
        computed[worker] += rate
        for file, path, _ in plan.transfers:
            for hop in pairwise(path):
                index = arcs[processors[hop[0]], processors[hop[1]]].index
                sent[file][index] += rate
    return Rates(computed, sent[INPUT_FILE], sent[OUTPUT_FILE])


def sent_rates(instance: MasterWorkerInstance, rates: Rates) -> list[SentRate]:
    """List what crosses each link, as the answer shows it."""
    platform = instance.platform
    ids = [processor.id for processor in platform.processors]
    files: tuple[tuple[Literal["input", "output"], Mapping[int, Fraction]], ...] = (
        ("input", rates.input_sent),
        ("output", rates.output_sent),
    )
    return [
        SentRate(
            source=ids[platform.arcs[arc].source],
            target=ids[platform.arcs[arc].target],
            file=file,
            rate=rate,
        )
        for file, sent in files
        for arc, rate in sorted(sent.items())
        if rate
    ]
