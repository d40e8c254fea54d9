"""The earliest time at which any schedule can have completed a number of tasks.

A file is sent on when all of it is there; under ``multiport`` it flows through, and a path takes as
long as its slowest link. Each file takes one path, as in the allocations of this kind.
"""

import heapq
from collections.abc import Iterable, Mapping
from fractions import Fraction

from steadygrid.domain.platform import Arc, arc_uses, computing_resource
from steadygrid.engine.scheduling.completion import LeastTime
from steadygrid.kinds.master_worker.schemas import MasterWorkerInstance

Times = dict[int, Fraction]
"""By index of a processor. What cannot be reached is left out."""


def least_time(instance: MasterWorkerInstance, prices: Mapping[str, Fraction]) -> LeastTime:
    """Find how long each priced resource waits for its first use, and what follows its last one.

    Parameters
    ----------
    instance
        Without faults.
    prices
        Of the certificate, by resource.
    """
    platform, ports, task = instance.platform, instance.ports, instance.task
    flows = ports == "multiport"
    master = platform.index_by_id[instance.master]
    zero = Fraction(0)
    there = _spread(platform.arcs, {master: zero}, task.input_size, flows=flows)
    home = dict.fromkeys(range(len(platform.processors)), zero)
    if task.output_size:
        home = _spread(platform.arcs, {master: zero}, task.output_size, flows=flows, backwards=True)
    computing = {
        i: time
        for i, time in enumerate(instance.compute_times)
        if time is not None and i in there and i in home
    }
    # What passes a link flows on at once: then only what follows the end of the file counts.
    sent = zero if flows else task.input_size
    back = zero if flows else task.output_size
    ends = {i: time + home[i] for i, time in computing.items()}
    made = {i: there[i] + time for i, time in computing.items()}
    to_end = _spread(platform.arcs, ends, sent, flows=False, backwards=True)
    since_start = _spread(platform.arcs, made, back, flows=False)
    waits: dict[str, tuple[Fraction, Fraction]] = {}

    def note(resource: str, head: Fraction, tail: Fraction) -> None:
        before = waits.get(resource, (head, tail))
        waits[resource] = min(before[0], head), min(before[1], tail)

    for i in computing:
        note(computing_resource(platform.processors[i].id, ports), there[i], home[i])
    for arc in platform.arcs:
        uses = [use.resource for use in arc_uses(platform, arc, ports)]
        if task.input_size and arc.source in there and arc.target in to_end:
            for resource in uses:
                note(resource, zero if flows else there[arc.source], to_end[arc.target])
        if task.output_size and arc.source in since_start and arc.target in home:
            for resource in uses:
                note(resource, since_start[arc.source], zero if flows else home[arc.target])
    known = {name: sum(waits[name], zero) for name in prices if name in waits}
    first = min((made[i] + home[i] for i in computing), default=zero)
    return LeastTime(prices, known, first)


def _spread(
    arcs: Iterable[Arc],
    starts: Mapping[int, Fraction],
    size: Fraction,
    *,
    flows: bool,
    backwards: bool = False,
) -> Times:
    """Give the earliest arrival of a file at each processor, from any of some starts.

    Where it flows a path takes as long as its slowest link; else as long as all links together.
    """
    leaving: dict[int, list[tuple[int, Fraction]]] = {}
    for arc in arcs:
        here, other = (arc.target, arc.source) if backwards else (arc.source, arc.target)
        leaving.setdefault(here, []).append((other, size * arc.unit_time))
    found: Times = {}
    waiting = [(time, i) for i, time in starts.items()]
    heapq.heapify(waiting)
    while waiting:
        time, i = heapq.heappop(waiting)
        if i in found:
            continue
        found[i] = time
        for other, takes in leaving.get(i, ()):
            if other not in found:
                arrives = max(time, takes) if flows else time + takes
                heapq.heappush(waiting, (arrives, other))
    return found
