"""From rates to allocations: flows without cycles, and the paths they consist of."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Literal, NamedTuple

from steadygrid.domain.amounts import Amounts
from steadygrid.domain.rounding import rounded_down
from steadygrid.domain.schedule import Transfer
from steadygrid.engine.flows.cycles import without_cycles
from steadygrid.engine.flows.paths import Shares, paths_from
from steadygrid.engine.scheduling import Plan
from steadygrid.kinds.master_worker.schemas import (
    INPUT_FILE,
    OUTPUT_FILE,
    TASK,
    MasterWorkerInstance,
    SentRate,
)
from steadygrid.kinds.master_worker.solver.legs import Legs


@dataclass(frozen=True)
class Rates:
    """Steady-state rates: tasks per time unit by processor, files per time unit by leg."""

    computed: Mapping[int, Fraction]
    input_sent: Mapping[int, Fraction]
    output_sent: Mapping[int, Fraction]

    @property
    def throughput(self) -> Fraction:
        """Tasks per time unit."""
        return sum(self.computed.values(), Fraction(0))


def straighten(rates: Rates, legs: Legs) -> Rates:
    """Take all cycles out of both flows. The tasks computed stay as they are.

    What goes round in circles only costs. Afterwards no link carries one kind of file in both
    directions, where the routing is free.

    Parameters
    ----------
    rates
        Steady-state rates of the processors and legs of this instance.
    legs
        What files can travel in one go, of this instance.
    """
    return Rates(
        rates.computed,
        without_cycles(legs.all, rates.input_sent),
        without_cycles(legs.all, rates.output_sent),
    )


class _RoundTrip(NamedTuple):
    """The route to a worker and the route back, each from the master, by nodes."""

    worker: int
    there: tuple[int, ...]
    back: tuple[int, ...]
    rate: Fraction


def _round_trips(instance: MasterWorkerInstance, legs: Legs, rates: Rates) -> list[_RoundTrip]:
    master = instance.platform.index_by_id[instance.master]
    computed = {i: rate for i, rate in rates.computed.items() if rate}
    ends = [(leg.source, leg.target) for leg in legs.all]
    routes_in = paths_from(
        master, {ends[a]: rate for a, rate in rates.input_sent.items()}, computed
    )
    if instance.task.output_size:
        backwards = {ends[a][::-1]: rate for a, rate in rates.output_sent.items()}
        routes_out = paths_from(master, backwards, computed)
    else:
        routes_out = {worker: [((worker,), rate)] for worker, rate in computed.items()}
    return [
        _RoundTrip(worker, *pair)
        for worker in sorted(computed)
        for pair in _paired(routes_in[worker], routes_out[worker])
    ]


def busy(instance: MasterWorkerInstance, legs: Legs, rates: Rates) -> Amounts[int]:
    """Give the share of the time for which each arc carries files.

    Parameters
    ----------
    instance
        Without faults.
    legs
        What files can travel in one go, of this instance.
    rates
        Steady-state rates of the processors and legs of this instance.

    Returns
    -------
    Amounts
        By index of the arc.
    """
    shares: Amounts[int] = Amounts()
    for sent, size in (
        (rates.input_sent, instance.task.input_size),
        (rates.output_sent, instance.task.output_size),
    ):
        for leg, rate in sent.items():
            for arc in legs.arcs(leg):
                shares[arc.index] += rate * size * arc.unit_time
    return shares


def scaled(rates: Rates, factor: Fraction) -> Rates:
    """Multiply all rates.

    Parameters
    ----------
    rates
        Steady-state rates of the processors and legs of this instance.
    factor
        At least 0.
    """
    return Rates(
        *(
            {key: rate * factor for key, rate in part.items()}
            for part in (rates.computed, rates.input_sent, rates.output_sent)
        )
    )


def plans(instance: MasterWorkerInstance, legs: Legs, rates: Rates) -> list[Plan]:
    """Decompose rates without cycles into allocations, each with one route in and one route out.

    Parameters
    ----------
    rates
        As `straighten` leaves them.

    Returns
    -------
    list of Plan
        Of a basic solution of the program no more than there are binding resources: a path
        fewer dimensions of the flow are left whenever one is taken out. With fixed routing a
        file has one transfer for each route that it takes.

    Notes
    -----
    Each path empties a leg or satisfies a processor: O((legs + processors) * depth).
    """
    return [
        _plan(instance, legs, taken_routes) for taken_routes in _round_trips(instance, legs, rates)
    ]


def _paired(
    routes_in: Shares, routes_out: Shares
) -> list[tuple[tuple[int, ...], tuple[int, ...], Fraction]]:
    """Join the routes to a worker with the routes back, in order."""
    pairs: list[tuple[tuple[int, ...], tuple[int, ...], Fraction]] = []
    outs = iter(routes_out)
    route_out: tuple[int, ...] = ()
    room = Fraction(0)
    for route_in, amount in routes_in:
        while amount:
            if not room:
                route_out, room = next(outs)
            share = min(amount, room)
            pairs.append((route_in, route_out, share))
            amount -= share
            room -= share
    return pairs


def _plan(instance: MasterWorkerInstance, legs: Legs, taken_routes: _RoundTrip) -> Plan:
    processors = instance.platform.processors
    transfers = tuple(
        Transfer(file, tuple(processors[i].id for i in stage), Fraction(1))
        for file, route in (
            (INPUT_FILE, taken_routes.there),
            (OUTPUT_FILE, taken_routes.back[::-1]),
        )
        for stage in legs.stages(route)
    )
    return Plan(taken_routes.rate, {TASK: (processors[taken_routes.worker].id,)}, transfers)


def rounded(instance: MasterWorkerInstance, legs: Legs, rates: Rates, bits: int) -> Rates:
    """Round every allocation's rate down to a multiple of ``2**-bits``.

    What is left is feasible, loses less than that per allocation, and its numbers are short.

    Parameters
    ----------
    instance
        Without faults.
    legs
        What files can travel in one go, of this instance.
    rates
        Steady-state rates of the processors and legs of this instance.
    bits
        How many binary digits a rate keeps behind the point.
    """
    computed: Amounts[int] = Amounts()
    inputs: Amounts[int] = Amounts()
    outputs: Amounts[int] = Amounts()
    for worker, there, back, exact in _round_trips(instance, legs, rates):
        rate = rounded_down(exact, bits)
        if not rate:
            continue
        computed[worker] += rate
        for sent, route in ((inputs, there), (outputs, back[::-1])):
            for ends in pairwise(route):
                sent[legs.by_ends[ends].index] += rate
    return Rates(computed, inputs, outputs)


def sent_rates(instance: MasterWorkerInstance, legs: Legs, rates: Rates) -> list[SentRate]:
    """List what crosses each link, as the answer shows it.

    Parameters
    ----------
    instance
        Without faults.
    legs
        What files can travel in one go, of this instance.
    rates
        Steady-state rates of the processors and legs of this instance.

    Returns
    -------
    list of SentRate
        The input file first, then by arc.
    """
    platform = instance.platform
    ids = [processor.id for processor in platform.processors]
    files: tuple[tuple[Literal["input", "output"], Mapping[int, Fraction]], ...] = (
        ("input", rates.input_sent),
        ("output", rates.output_sent),
    )
    listed = []
    for file, sent in files:
        crossed: Amounts[int] = Amounts()
        for leg, rate in sent.items():
            for arc in legs.arcs(leg) if rate else ():
                crossed[arc.index] += rate
        for index, rate in sorted(crossed.items()):
            source, target = platform.arcs[index].source, platform.arcs[index].target
            listed.append(SentRate(source=ids[source], target=ids[target], file=file, rate=rate))
    return listed


def routed_rates(legs: Legs, plans: Iterable[Plan]) -> list[SentRate] | None:
    """List the whole files that take each route, as the answer shows it where it is fixed.

    Parameters
    ----------
    legs
        What files can travel in one go, of this instance.
    plans
        Allocations with their rates, and the path of each of their transfers.

    Returns
    -------
    list of SentRate or None
        By file and ends. None where the routing is free.
    """
    if legs.routes is None:
        return None
    total: Amounts[tuple[Literal["input", "output"], str, str]] = Amounts()
    for plan in plans:
        for file, path, _ in plan.transfers:
            kind: Literal["input", "output"] = "input" if file == INPUT_FILE else "output"
            total[kind, path[0], path[-1]] += plan.rate
    return [
        SentRate(source=source, target=target, file=kind, rate=rate)
        for (kind, source, target), rate in sorted(total.items())
    ]
