"""A small checker of schedules, written anew from the rules, and random workloads."""

import random
from collections import Counter, defaultdict
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

from steadygrid.domain.job import Options
from steadygrid.domain.platform import Platform
from steadygrid.domain.runs import Run
from steadygrid.domain.schedule import Schedule, Transfer
from steadygrid.engine.scheduling import (
    Edge,
    Matching,
    Plan,
    Reconstruction,
    ScheduleLimits,
    UnitSlot,
    Workload,
    reconstruct,
)
from steadygrid.engine.solving.control import Control

INPUT = ("begin", "task")
OUTPUT = ("task", "end")


def largest_degree(edges: Sequence[Edge]) -> int:
    """The weight at the busiest sender or receiver."""
    degrees: Counter[tuple[str, int]] = Counter()
    for edge in edges:
        degrees["send", edge.sender] += edge.weight
        degrees["receive", edge.receiver] += edge.weight
    return max(degrees.values(), default=0)


def assert_decomposes(edges: Sequence[Edge], matchings: Sequence[Matching], length: int) -> None:
    """Every edge gets its weight, no sender or receiver does two things at once, and it fits."""
    done = [0] * len(edges)
    for matching in matchings:
        assert matching.duration > 0
        assert len(matching.edges) == len(matching.times)
        assert len({edges[e].sender for e in matching.edges}) == len(matching.edges)
        assert len({edges[e].receiver for e in matching.edges}) == len(matching.edges)
        for edge, time in zip(matching.edges, matching.times, strict=True):
            assert 0 < time <= matching.duration
            done[edge] += time
    assert done == [edge.weight for edge in edges]
    assert sum(matching.duration for matching in matchings) <= length


def assert_valid(workload: Workload, schedule: Schedule) -> None:
    """The rules of a periodic schedule, one after the other."""
    platform = workload.platform
    arcs = {
        (platform.processors[a.source].id, platform.processors[a.target].id): a
        for a in platform.arcs
    }
    switches = {p.id for p in platform.processors if p.switch}
    counts = {a.index: a.instances_per_period for a in schedule.allocations}
    assert sum(counts.values()) == schedule.instances_per_period
    assert schedule.throughput == schedule.instances_per_period / schedule.period
    assert all(count.denominator == 1 for count in counts.values())

    free: dict[str, Fraction] = defaultdict(Fraction)
    computed = set()
    for c in schedule.computations:
        assert c.start == free[c.processor]
        assert c.count == counts[c.allocation]
        assert c.time == c.count * workload.task_time(c.task, c.processor)
        free[c.processor] = c.start + c.time
        assert (c.allocation, c.task, c.processor) not in computed
        computed.add((c.allocation, c.task, c.processor))
    assert max(free.values(), default=Fraction(0)) <= schedule.period
    assert computed == {
        (a.index, task, processor)
        for a in schedule.allocations
        if counts[a.index]
        for task, processors in a.tasks.items()
        for processor in processors
    }

    needed: dict[tuple[object, ...], Fraction] = defaultdict(Fraction)
    for a in schedule.allocations:
        for transfer in a.transfers:
            for hop in pairwise(transfer.path):
                if workload.file_sizes[transfer.file] and counts[a.index]:
                    needed[hop[0], hop[1], transfer.file, a.index] += (
                        transfer.share * counts[a.index]
                    )
    moved: dict[tuple[object, ...], Fraction] = defaultdict(Fraction)
    end = Fraction(0)
    for slot in schedule.slots:
        assert slot.start >= end
        assert slot.duration > 0
        end = slot.start + slot.duration
        busy: set[tuple[object, ...]] = set()
        for t in slot.transfers:
            assert t.count > 0
            moved[t.sender, t.receiver, t.file, t.allocation] += t.count
            if workload.ports == "multiport":
                continue
            arc = arcs[t.sender, t.receiver]
            assert t.count * workload.file_sizes[t.file] * arc.unit_time <= slot.duration
            used: list[tuple[object, ...]] = [("arc", t.sender, t.receiver)]
            if t.sender not in switches:
                used.append(("send", t.sender))
            if t.receiver not in switches:
                used.append(("receive", t.receiver))
            if arc.half is not None:
                used.append(("half", *sorted((t.sender, t.receiver))))
            assert not busy.intersection(used)
            busy.update(used)
    assert end <= schedule.period
    assert dict(moved) == dict(needed)
    if schedule.runs is None:
        sent = [t.count for slot in schedule.slots for t in slot.transfers]
    else:
        assert_runs_as_said(schedule, schedule.runs)
        sent = [cargo.count for run in schedule.runs for cargo in run.cargo]
    assert schedule.preempted == any(count.denominator > 1 for count in sent)


def assert_runs_as_said(schedule: Schedule, runs: Sequence[Run]) -> None:
    """Runs are as long as can be, hold their cargo, and leave what they carry to the slots."""
    assert [run.start for run in runs] == sorted(run.start for run in runs)
    last: dict[tuple[str, str], Fraction] = {}
    carried: dict[tuple[object, ...], Fraction] = defaultdict(Fraction)
    for run in runs:
        ends = run.sender, run.receiver
        assert ends not in last or last[ends] < run.start
        last[ends] = run.end
        assert run.cargo
        assert sum(cargo.time for cargo in run.cargo) <= run.end - run.start
        for cargo in run.cargo:
            carried[*ends, cargo.file, cargo.allocation] += cargo.count
    told: dict[tuple[object, ...], Fraction] = defaultdict(Fraction)
    for slot in schedule.slots:
        for moved in slot.transfers:
            told[moved.sender, moved.receiver, moved.file, moved.allocation] += moved.count
    assert carried == told
    assert schedule.interruptions == len(runs) - len(last)


def listed(schedule: Schedule) -> int:
    """How many transfers a schedule lists: entries of cargo, or of slots."""
    counts = schedule.counts
    return counts.get("cargo", counts["transfers"])


def platform(
    processors: Sequence[dict[str, object]], links: Sequence[dict[str, object]], **more: object
) -> Platform:
    """Read a platform as a request would give it."""
    return Platform.model_validate({"processors": processors, "links": links, **more})


def figure_3() -> tuple[Workload, list[Plan]]:
    """RR-4870, figure 3, without results: P1..P4, all links of time 1, files of size 2."""
    times = {"P1": 40, "P2": 8, "P3": 8, "P4": 4}
    pairs = (("P1", "P2"), ("P1", "P3"), ("P2", "P4"), ("P3", "P4"))
    workload = Workload(
        platform(
            [{"id": p} for p in times],
            [{"source": a, "target": b, "unit_time": 1} for a, b in pairs],
        ),
        "one_port",
        lambda task, processor: Fraction(times[processor]),
        {INPUT: Fraction(2)},
    )
    ways = [("P1",), ("P1", "P2"), ("P1", "P3"), ("P1", "P2", "P4"), ("P1", "P3", "P4")]
    rates = [Fraction(1, 40)] + [Fraction(1, 8)] * 4
    return workload, [way_plan(rate, way) for rate, way in zip(rates, ways, strict=True)]


def way_plan(rate: Fraction, way: Sequence[str], back: Sequence[str] = ()) -> Plan:
    """A plan whose input takes a way, and whose output takes another one back."""
    transfers = []
    if len(way) > 1:
        transfers.append(Transfer(INPUT, tuple(way), Fraction(1)))
    if len(back) > 1:
        transfers.append(Transfer(OUTPUT, tuple(back), Fraction(1)))
    return Plan(rate, {"task": (way[-1],)}, tuple(transfers))


def scaled_to_fit(workload: Workload, plans: Sequence[Plan]) -> list[Plan]:
    """Multiply all rates so that the busiest resource is busy all the time."""
    loads: dict[tuple[object, ...], Fraction] = defaultdict(Fraction)
    by_ends = {
        (workload.platform.processors[a.source].id, workload.platform.processors[a.target].id): a
        for a in workload.platform.arcs
    }
    for p in plans:
        for task, processors in p.tasks.items():
            for processor in processors:
                loads["compute", processor] += p.rate * workload.task_time(task, processor)
        for t in p.transfers:
            for a, b in pairwise(t.path):
                arc = by_ends[a, b]
                data = p.rate * t.share * workload.file_sizes[t.file]
                loads["link", a, b] += data * arc.unit_time
                loads["send", a] += data * arc.unit_time
                loads["receive", b] += data * arc.unit_time
                if arc.half is not None:
                    loads["half", *sorted((a, b))] += data * arc.unit_time
    largest = max(loads.values())
    return [p._replace(rate=p.rate / largest) for p in plans]


def random_tree(
    seed: int, duplexes: Sequence[str], switches: bool = False
) -> tuple[Workload, list[Plan]]:
    """A tree with inputs going down and outputs coming back, some resource always busy."""
    choose = random.Random(seed)
    size = choose.randint(2, 9)
    parent = {i: choose.randrange(i) for i in range(1, size)}
    inner = set(parent.values()) - {0}
    kinds = [
        {"id": f"N{i}", "switch": switches and i in inner and choose.random() < 0.4}
        for i in range(size)
    ]
    links: list[dict[str, object]] = []
    for child, its_parent in parent.items():
        duplex = choose.choice(duplexes)
        time = Fraction(choose.randint(1, 9), choose.choice([1, 1, 2, 3]))
        up, down = f"N{its_parent}", f"N{child}"
        links.append({"source": up, "target": down, "unit_time": time, "duplex": duplex})
        if duplex == "simplex":
            links.append({"source": down, "target": up, "unit_time": time * 2, "duplex": duplex})
    sizes = {INPUT: Fraction(choose.randint(1, 3)), OUTPUT: Fraction(choose.randint(1, 4), 2)}
    workload = Workload(
        platform(kinds, links), "one_port", lambda task, processor: Fraction(1, 10), sizes
    )
    plans = []
    for i in range(size):
        if kinds[i]["switch"]:
            continue
        way = [i]
        while way[-1]:
            way.append(parent[way[-1]])
        names = [f"N{j}" for j in reversed(way)]
        rate = Fraction(choose.randint(1, 6), choose.randint(1, 6))
        plans.append(way_plan(rate, names, names[::-1]))
    return workload, scaled_to_fit(workload, plans)


def rebuild(
    workload: Workload,
    plans: Sequence[Plan],
    slots: Sequence[UnitSlot] | None = None,
    limits: ScheduleLimits | None = None,
    **options: object,
) -> Reconstruction:
    """Reconstruct and check."""
    rates = sum((p.rate for p in plans), Fraction(0))
    answer = reconstruct(
        workload,
        plans,
        rates,
        Options.model_validate(options),
        limits or ScheduleLimits(),
        Control(),
        slots,
    )
    assert_valid(workload, answer.schedule)
    assert answer.schedule.throughput <= rates
    assert answer.schedule.loss == (1 - answer.schedule.throughput / rates if rates else 0)
    if answer.schedule.rounding_loss is not None:
        assert answer.schedule.loss <= answer.schedule.rounding_loss <= 1
    return answer
