"""Flows of files taken apart into ways, and what the ways take."""

from collections.abc import MutableMapping, Sequence
from fractions import Fraction
from itertools import pairwise

from steadygrid.domain.platform import Platform
from steadygrid.domain.schedule import Transfer
from workers.allocations.workload import workload_of
from workers.problems.mono_allocation.answer import Allocated
from workers.problems.mono_allocation.tables import Tables, Way
from workers.scheduling import Plan
from workers.scheduling.putting_off import with_slots

Places = Sequence[Sequence[int]]
"""The processors that run each task."""
Flow = MutableMapping[int, Fraction]
"""How much of a file each arc carries."""
Shares = list[tuple[Way, Fraction]]
"""Ways, each with the share of the file that takes it."""

NEARLY_NOTHING = 1e-6
"""Shares in double precision below this are taken for rounding."""
ROUNDED_SHARE = 10**6
"""The largest denominator of a share that is read from double precision."""


def decompose(platform: Platform, flow: Flow, receivers: Sequence[int]) -> Shares:
    """Take a flow apart into weighted paths that bring one copy to each receiver.

    Parameters
    ----------
    flow
        Leaves processors from which more goes out than comes in; receivers take one copy each.
        Emptied, except for what reaches no receiver.

    Returns
    -------
    list of (way, share)
        Paths without a cycle, each once; at most as many as arcs and receivers.

    Notes
    -----
    Thesis, proof of Theorem 4.4, backwards: from a receiver along arcs that carry something to
    where nothing comes in that has not gone out again; the least share on the way is subtracted. Cycles
    are cancelled before.
    """
    _cancel_cycles(platform, flow)
    supply: dict[int, Fraction] = {}
    for arc, amount in flow.items():
        ends = platform.arcs[arc]
        supply[ends.source] = supply.get(ends.source, Fraction(0)) + amount
        supply[ends.target] = supply.get(ends.target, Fraction(0)) - amount
    for receiver in receivers:
        supply[receiver] = supply.get(receiver, Fraction(0)) + 1
    found: dict[Way, Fraction] = {}
    for receiver in receivers:
        missing = Fraction(1)
        while missing:
            way: list[int] = []
            place = receiver
            while place == receiver or supply.get(place, 0) <= 0:
                arc = next(a.index for a in platform.arcs_in[place] if flow.get(a.index))
                way.append(arc)
                place = platform.arcs[arc].source
            share = min(missing, supply[place], *(flow[arc] for arc in way))
            for arc in way:
                flow[arc] -= share
            supply[place] -= share
            missing -= share
            key = tuple(reversed(way))
            found[key] = found.get(key, Fraction(0)) + share
    return list(found.items())


def _cancel_cycles(platform: Platform, flow: Flow) -> None:
    """Take out what goes round in circles: walk on until a processor comes again."""
    for arc in [arc for arc, amount in flow.items() if not amount]:
        del flow[arc]
    finished: set[int] = set()
    for start in range(len(platform.processors)):
        trail: list[int] = []
        position = {start: 0}
        place = start
        while place not in finished:
            onward = next(
                (
                    a
                    for a in platform.arcs_out[place]
                    if a.index in flow and a.target not in finished
                ),
                None,
            )
            if onward is None:
                finished.add(place)
                del position[place]
                place = platform.arcs[trail.pop()].source if trail else place
                continue
            trail.append(onward.index)
            if onward.target not in position:
                place = onward.target
                position[place] = len(trail)
                continue
            cycle = trail[position[onward.target] :]
            least = min(flow[index] for index in cycle)
            for index in cycle:
                flow[index] -= least
                if not flow[index]:
                    del flow[index]
            for index in cycle[:-1]:
                del position[platform.arcs[index].target]
            del trail[position[onward.target] :]
            place = onward.target


def nearly_ways(
    platform: Platform, flow: dict[int, float], senders: Sequence[int], receiver: int
) -> Shares:
    """Follow about one copy back from a receiver, along a flow in double precision.

    Along the largest shares first; what leads nowhere is dropped from the flow, and the shares are
    scaled to sum to 1. Nothing if too little is left of the flow to find a path.
    """
    found: dict[Way, Fraction] = {}
    missing = 1.0
    while missing > NEARLY_NOTHING:
        way: list[int] = []
        passed = {receiver}
        place = receiver
        while place not in senders:
            arriving = [
                (flow[arc.index], -arc.index)
                for arc in platform.arcs_in[place]
                if flow.get(arc.index, 0.0) > NEARLY_NOTHING and arc.source not in passed
            ]
            if not arriving:
                break
            way.append(-max(arriving)[1])
            place = platform.arcs[way[-1]].source
            passed.add(place)
        if place not in senders:
            if not way:
                break
            del flow[way[-1]]
            continue
        share = min(missing, *(flow[arc] for arc in way))
        for arc in way:
            flow[arc] -= share
        missing -= share
        key = tuple(reversed(way))
        exact = Fraction(share).limit_denominator(ROUNDED_SHARE)
        found[key] = found.get(key, Fraction(0)) + exact
    total = sum(found.values(), Fraction(0))
    return [(way, share / total) for way, share in found.items() if share]


def receivers_of(tables: Tables, places: Places) -> dict[int, list[int]]:
    """List, by file that moves, the processors that run its user and not its producer."""
    found = {
        f: [r for r in places[l] if r not in places[k]] for f, (k, l, _) in enumerate(tables.files)
    }
    return {f: listed for f, listed in found.items() if listed}


def transfers_of(tables: Tables, file: int, ways: Shares) -> list[Transfer]:
    """Name the ways of a file and their shares."""
    producer, user, _ = tables.files[file]
    name = (tables.tasks[producer], tables.tasks[user])
    return [Transfer(name, path_of(tables, way), share) for way, share in ways]


def path_of(tables: Tables, way: Way) -> tuple[str, ...]:
    """Name the processors along a way."""
    processors, arcs = tables.platform.processors, tables.platform.arcs
    return (
        processors[arcs[way[0]].source].id,
        *(processors[arcs[arc].target].id for arc in way),
    )


def loads(tables: Tables, places: Places, transfers: Sequence[Transfer]) -> dict[int, Fraction]:
    """Give the time that each used resource spends on one instance.

    Every transfer takes its time on every link of its path.
    """
    platform = tables.platform
    times: dict[int, Fraction] = {}
    for k, row in enumerate(places):
        for i in row:
            times[i] = times.get(i, Fraction(0)) + tables.time(k, i)
    index = platform.index_by_id
    size = {(tables.tasks[k], tables.tasks[l]): size for k, l, size in tables.files}
    for file, path, share in transfers:
        data = size[file] * share
        for source, target in pairwise(path):
            arc = platform.arc_by_ends[index[source], index[target]]
            for resource, time in tables.arc_uses(arc.index):
                times[resource] = times.get(resource, Fraction(0)) + data * time
    return times


def period_of(tables: Tables, places: Places, transfers: Sequence[Transfer]) -> Fraction:
    """Give the longest time that one resource spends on one instance (002, 4.2.3)."""
    return max(loads(tables, places, transfers).values(), default=Fraction(0))


def carried_period(tables: Tables, allocated: Allocated, period: Fraction) -> Fraction:
    """Give the period of the schedule that an allocation gets.

    It is the period that resources allow, or longer by up to a factor of two: under ``one_port``,
    where half-duplex links are used in both directions off a tree.

    Parameters
    ----------
    period
        That resources allow, see `period_of`.
    """
    if tables.instance.ports != "one_port" or not period:
        return period
    plan = Plan(1 / period, allocated.tasks, allocated.transfers)
    plans, _ = with_slots(workload_of(tables.instance), [plan])
    return 1 / plans[0].rate


def allocated(tables: Tables, places: Places, transfers: Sequence[Transfer]) -> Allocated:
    """Name processors and tasks."""
    processors = tables.platform.processors
    return Allocated(
        {
            task: tuple(processors[i].id for i in row)
            for task, row in zip(tables.tasks, places, strict=True)
        },
        tuple(transfers),
    )
