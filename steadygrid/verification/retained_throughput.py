r"""What a periodic schedule still does on a platform that is not what it was made for.

Nothing is decided anew: its allocations keep their shares, and every count stays as it is. Then either
what is sent stays in its order (`same_slots`): slots one after the other, each as long as its longest
transfer, or runs of links as early as can be. Or the same transfers are put in order anew
(`same_shares`). "A key feature of steady-state scheduling is that it is adaptive"
(Beaumont, Legrand, Marchal, Robert: Steady-state scheduling on heterogeneous clusters: why and how?,
section 5.5). These are what there is to win by adapting, and what there is to lose by not doing so.
"""

from bisect import bisect_right
from collections.abc import Iterable, Mapping
from fractions import Fraction
from heapq import heapreplace
from itertools import pairwise
from typing import NamedTuple

from steadygrid.domain.amounts import Amounts
from steadygrid.domain.resources import compute_resource, link_resource, odd_resource
from steadygrid.domain.runs import Run
from steadygrid.domain.schedule import Allocation, Computation, Schedule
from steadygrid.verification.occupation import occupation
from steadygrid.verification.odd_sets import longest_set
from steadygrid.verification.start_ups import longest_path_latency
from steadygrid.verification.steady import Views

SLOTS = "slots"
"""What limits a schedule whose slots, one after the other, take the longest; no resource."""
RUNS = "runs"
"""What limits a schedule whose runs of links, in their order at each port, take the longest."""
MOST_PAIRS = 2_000
"""Pairs of processors among which odd sets are sought. The time grows faster than their number."""


class RetainedThroughput(NamedTuple):
    """What a schedule does on another platform.

    Attributes
    ----------
    throughput
        In instances per time unit.
    exact
        Whether a schedule does exactly that; else none with these shares does more.
    limited_by
        Names of all resources that are busy the whole time, or `SLOTS` or `RUNS`. If there is no throughput,
        those that are needed and gone. Odd sets of processors: one of them.
    """

    throughput: Fraction
    exact: bool
    limited_by: tuple[str, ...]


def gone(views: Views, schedule: Schedule) -> tuple[str, ...]:
    """Name what the allocations that run need, and the platform does not have: links and processors.

    Parameters
    ----------
    views
        What the allocations run, on the platform as it is now.
    """
    running = (one for one in schedule.allocations if one.instances_per_period)
    return tuple(dict.fromkeys(name for one in running for name in needs_gone(views, one)))


def needs_gone(views: Views, allocation: Allocation) -> list[str]:
    """Name what an allocation needs, and the platform does not have.

    Parameters
    ----------
    views
        What each allocation of the schedule runs.
    allocation
        Where tasks run, and how files travel.

    Returns
    -------
    list
        Names of resources, once for each use.
    """
    times = views.of(allocation).times
    missing = [
        compute_resource(processor)
        for task, processors in allocation.tasks.items()
        for processor in processors
        if processor not in times.get(task, {})
    ]
    hops = (ends for transfer in allocation.transfers for ends in pairwise(transfer.path))
    return missing + [link_resource(*ends) for ends in hops if ends not in views.network.hops]


def same_shares(views: Views, schedule: Schedule) -> RetainedThroughput:
    """Give the throughput of the same shares of all allocations, in a new order.

    That is the instances of a period over the greatest time that these need of any resource: transfers
    that keep no port busy for longer than a time L fit into slots of the sum L. They need not where a
    half-duplex link carries files in both directions besides ports (``one_port``), nor
    where odd sets were not sought. Where a processor takes part in one transfer at a time, odd sets of processors are resources, too,
    and that is all that slots need (Edmonds). Latencies, where they are
    paid, are a smaller part of a longer period: none counts here, and the value is what long
    periods come near to.

    Parameters
    ----------
    views
        What the allocations run, on the platform as it is now.
    """
    if missing := gone(views, schedule):
        return RetainedThroughput(Fraction(0), True, missing)
    busy, sent = _loads(views, schedule)
    length = max(busy.values(), default=Fraction(0))
    limits = [name for name, time in busy.items() if time == length]
    exact = schedule.grouping is None and not _shares_half_duplex(views, sent)
    if views.network.one_transfer_each:
        pairs: Amounts[tuple[str, str]] = Amounts()
        for (one, other), time in sent.items():
            if time and views.network.switches.isdisjoint((one, other)):
                pairs[min(one, other), max(one, other)] += time
        if len(pairs) > MOST_PAIRS:
            exact = False
        else:
            longer, members = longest_set(pairs, length)
            if members is not None:
                length, limits = longer, [odd_resource(members)]
    return _retained(schedule, length, exact, limits)


def same_slots(views: Views, schedule: Schedule) -> RetainedThroughput:
    """Give the throughput of the schedule as it stands, each step as long as it takes now.

    The slots follow each other in their order, each as long as its longest transfer (with its latency, where
    latencies are paid), and processors compute at the same time as them. Runs of links stay in
    their order at each port and start as early as can be. Under
    ``no_overlap`` they compute between transfers, and a slot lasts until every processor has done
    its part of it. Under ``multiport`` all flows side by side, after the longest latency on the path of a file.

    Parameters
    ----------
    views
        What the allocations run, on the platform as it is now.

    Notes
    -----
    Exact: that period, and no shorter one. A schedule with idle time (a bounded one) does more
    than it did as soon as no processor waits for a clock.
    """
    if missing := gone(views, schedule):
        return RetainedThroughput(Fraction(0), True, missing)
    network = views.network
    if network.ports == "no_overlap":
        return _retained(schedule, _steps(views, schedule), True, [SLOTS])
    computing: Amounts[str] = Amounts()
    for entry, time in _computations(views, schedule):
        computing[network.computing(entry.processor)] += time
    busy: dict[str, Fraction] = dict(computing)
    if network.ports == "multiport":
        wait = longest_path_latency(views, schedule) if _pays(views, schedule) else Fraction(0)
        loads, _ = _loads(views, schedule)
        for name, time in loads.items():
            if name in network.resources:
                busy[name] = wait + time
    elif schedule.runs is not None:
        loads, _ = _loads(views, schedule)
        busy |= {name: time for name, time in loads.items() if name in network.resources}
        longest = _last_end(views, schedule, schedule.runs)
        if longest > max(busy.values(), default=Fraction(0)):
            busy[RUNS] = longest
    else:
        busy[SLOTS] = sum(_durations(views, schedule), Fraction(0))
    length = max(busy.values(), default=Fraction(0))
    return _retained(
        schedule, length, True, [name for name, time in busy.items() if time == length]
    )


def _retained(
    schedule: Schedule, length: Fraction, exact: bool, limits: Iterable[str]
) -> RetainedThroughput:
    if not length:
        # Nothing takes any time: nothing runs, or the schedule's own clock is all that holds it.
        return RetainedThroughput(schedule.throughput, exact, ())
    return RetainedThroughput(schedule.instances_per_period / length, exact, tuple(limits))


def _pays(views: Views, schedule: Schedule) -> bool:
    return schedule.grouping is not None and views.network.start_ups is not None


def _loads(views: Views, schedule: Schedule) -> tuple[Amounts[str], Amounts[tuple[str, str]]]:
    """Give the time of a period that each resource and each hop is busy, without latencies."""
    busy: Amounts[str] = Amounts()
    sent: Amounts[tuple[str, str]] = Amounts()
    for allocation in schedule.allocations:
        count = allocation.instances_per_period
        instance = views.of(allocation)
        for name, time in occupation(instance, allocation).items():
            busy[name] += count * time
        for transfer in allocation.transfers:
            data = count * transfer.share * instance.sizes.get(transfer.file, Fraction(0))
            for ends in pairwise(transfer.path):
                sent[ends] += data * views.network.hops[ends].unit_time
    return busy, sent


def _shares_half_duplex(views: Views, sent: Mapping[tuple[str, str], Fraction]) -> bool:
    """Whether a half-duplex link carries files in both directions besides ports that do both at a time."""
    if not views.network.rates_need_slots or views.network.one_transfer_each:
        return False
    return any(
        time
        and sent.get((target, source), 0)
        and views.network.hops[source, target].half is not None
        for (source, target), time in sent.items()
    )


def _computations(views: Views, schedule: Schedule) -> Iterable[tuple[Computation, Fraction]]:
    """Give each computation with the time that it takes now."""
    instances = {a.index: views.of(a) for a in schedule.allocations}
    paid = views.network.start_ups if _pays(views, schedule) else None
    for entry in schedule.computations:
        if entry.count:
            each = instances[entry.allocation].times[entry.task][entry.processor]
            latency = (paid or {}).get(entry.processor, Fraction(0))
            yield entry, latency + entry.count * each


def _durations(views: Views, schedule: Schedule) -> Iterable[Fraction]:
    """Give how long each slot takes now."""
    for times in _transfers(views, schedule):
        yield max((time for _, time in times), default=Fraction(0))


def _last_end(views: Views, schedule: Schedule, runs: Iterable[Run]) -> Fraction:
    """Give when the last run ends now, if each starts after those before it at its ports."""
    sizes = {a.index: views.of(a).sizes for a in schedule.allocations}
    free: dict[str, list[Fraction]] = {}
    last = Fraction(0)
    for run in runs:
        hop = views.network.hops[run.sender, run.receiver]
        data = (one.count * sizes[one.allocation].get(one.file, Fraction(0)) for one in run.cargo)
        needed = [
            free.setdefault(name, [Fraction(0)] * views.network.cards.get(name, 1))
            for name, _ in hop.uses
        ]
        start = max((times[0] for times in needed), default=Fraction(0))
        end = start + sum(data, Fraction(0)) * hop.unit_time
        for times in needed:
            heapreplace(times, end)
        last = max(last, end)
    return last


def _transfers(
    views: Views, schedule: Schedule
) -> Iterable[list[tuple[tuple[str, str], Fraction]]]:
    """List, slot by slot, the ends of each transfer with the time that it takes now."""
    sizes = {a.index: views.of(a).sizes for a in schedule.allocations}
    pays, hops = _pays(views, schedule), views.network.hops
    for slot in schedule.slots:
        listed = []
        for sent in slot.transfers:
            ends = sent.sender, sent.receiver
            hop = hops[ends]
            time = sent.count * sizes[sent.allocation].get(sent.file, Fraction(0)) * hop.unit_time
            listed.append((ends, time + hop.latency if pays else time))
        yield listed


def _steps(views: Views, schedule: Schedule) -> Fraction:
    """Give the sum of all steps where a processor does one thing at a time.

    A step begins where a slot does, and the first with the period. What computes in several of them
    takes of each what it took of it.
    """
    starts = sorted({Fraction(0), *(slot.start for slot in schedule.slots)})
    stops = [*starts[1:], schedule.period]
    busy: list[Amounts[str]] = [Amounts() for _ in starts]
    for slot, transfers in zip(schedule.slots, _transfers(views, schedule), strict=True):
        here = busy[bisect_right(starts, slot.start) - 1]
        for ends, time in transfers:
            for name in _holding(views, ends):
                here[name] += time
    for entry, time in _computations(views, schedule):
        step = bisect_right(starts, entry.start) - 1
        if not entry.time:
            busy[step][entry.processor] += time
        now, end = entry.start, entry.start + entry.time
        while now < end:
            stop = min(stops[step], end)
            busy[step][entry.processor] += time * (stop - now) / entry.time
            now, step = stop, step + 1
    return sum((max(here.values(), default=Fraction(0)) for here in busy), Fraction(0))


def _holding(views: Views, ends: tuple[str, str]) -> Iterable[str]:
    """Name what a transfer holds: the processors at its ends, or a link between two switches."""
    unswitched = [end for end in ends if end not in views.network.switches]
    return unswitched or (link_resource(*ends),)
