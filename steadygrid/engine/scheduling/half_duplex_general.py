"""Half-duplex links under the one-port model, off a tree: slots that carry scaled rates.

Where half-duplex links carry both directions and the links used contain a cycle, the conflicts
among transfers are no longer those of a bipartite graph, and no schedule may reach the program's
value. Here the transfers are first decomposed as if every link were full-duplex; transfers that
then meet their opposite direction are put off and decomposed separately. If both parts together
take longer than the time there is, all rates are scaled down. `in_slots` goes on from there.
"""

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction
from math import lcm

from steadygrid.domain.amounts import Amounts
from steadygrid.domain.errors import SchedulingError
from steadygrid.domain.platform import Arc, Platform, receiving_port, sending_port
from steadygrid.engine.scheduling.matching import Edge, decompose
from steadygrid.engine.scheduling.one_port import OnePort
from steadygrid.engine.scheduling.workload import Plan, UnitSlot, Workload, operations


def with_slots(
    workload: Workload, plans: Sequence[Plan]
) -> tuple[list[Plan], list[UnitSlot] | None]:
    """Give slots, and rates that fit into them, where the shared reconstruction needs them.

    Parameters
    ----------
    workload
        Platform, port model, times and sizes.
    plans
        The allocations, with their rates.

    Returns
    -------
    tuple
        The plans, with all rates scaled by one factor of at most 1 and at least 1/2, and slots per
        time unit, or None where none are needed.
    """
    hops = operations(workload, plans)
    if workload.ports != "one_port":
        return list(plans), None
    try:
        OnePort(workload.platform, hops)
    except SchedulingError:
        busy: Amounts[int] = Amounts()
        for hop in hops:
            busy[hop.arc.index] += hop.time * plans[hop.plan].rate
        slots = _slots(workload.platform, busy)
        total = sum((slot.duration for slot in slots), Fraction(0))
        scale = min(Fraction(1), 1 / total)
        return (
            [plan._replace(rate=plan.rate * scale) for plan in plans],
            [slot._replace(duration=slot.duration * scale) for slot in slots],
        )
    return list(plans), None


def _slots(platform: Platform, busy: Mapping[int, Fraction]) -> list[UnitSlot]:
    """Order transfers of these times, by arc, so that opposite directions never meet."""
    unit = lcm(*(time.denominator for time in busy.values()))
    weights = {index: int(time * unit) for index, time in busy.items()}
    slots: list[UnitSlot] = []
    later: Counter[int] = Counter()
    for duration, running in _matchings(platform, weights):
        chosen = []
        for index, time in running.items():
            opposite = platform.arcs[index].half
            if opposite in running and (weights[index], index) < (weights[opposite], opposite):
                later[index] += time
            else:
                chosen.append(index)
        slots.append(_slot(platform, Fraction(duration, unit), chosen))
    slots += [
        _slot(platform, Fraction(duration, unit), list(running))
        for duration, running in _matchings(platform, later)
    ]
    return slots


def _matchings(platform: Platform, weights: Mapping[int, int]) -> list[tuple[int, dict[int, int]]]:
    """Decompose transfers as if all links were full-duplex. Times by arc in each matching."""
    vertices: dict[Hashable, int] = {}
    arcs = [platform.arcs[index] for index in sorted(weights)]
    edges = [
        Edge(
            vertices.setdefault(sending_port(platform, arc) or _at_switch(arc), len(vertices)),
            vertices.setdefault(receiving_port(platform, arc) or _at_switch(arc), len(vertices)),
            weights[arc.index],
        )
        for arc in arcs
    ]
    if not edges:
        return []
    return [
        (
            matching.duration,
            {
                arcs[edge].index: time
                for edge, time in zip(matching.edges, matching.times, strict=True)
            },
        )
        for matching in decompose(edges)
    ]


def _at_switch(arc: Arc) -> Hashable:
    """Split switches, which have no ports, into one vertex per link."""
    return "switch", arc.link


def _slot(platform: Platform, duration: Fraction, arcs: Sequence[int]) -> UnitSlot:
    ends = [(platform.arcs[a].source, platform.arcs[a].target) for a in sorted(arcs)]
    ids = [processor.id for processor in platform.processors]
    return UnitSlot(duration, tuple((ids[source], ids[target]) for source, target in ends))
