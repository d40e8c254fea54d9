"""What schedules still do on other platforms: replayed step by step, and put in a new order."""

import copy
import json
import random
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from steadygrid.domain.job import Options
from steadygrid.domain.limits import Limits
from steadygrid.domain.runs import Run
from steadygrid.domain.schedule import Schedule, ScheduleLimits
from steadygrid.engine.scheduling import Plan, Workload, reconstruct
from steadygrid.engine.solving.control import Control
from steadygrid.submissions.submission import Submission, parse_submission
from steadygrid.verification.retained_throughput import (
    RUNS,
    SLOTS,
    RetainedThroughput,
    gone,
    same_shares,
    same_slots,
)
from steadygrid.verification.steady import Views
from tests.draws import draws
from tests.solved import solve

F = Fraction
EXAMPLES = Path(__file__).parents[2] / "examples"
PORTS = ("one_port", "multiport", "send_or_receive", "no_overlap")


class Case(NamedTuple):
    """A schedule, and what its allocations run on a platform of other speeds."""

    result: Any
    schedule: Schedule
    planned: Views
    now: Views
    submission: Submission
    """Of other speeds."""


def drawn(draw: random.Random, ports: str) -> dict[str, Any]:
    """Draw a connected platform and a fork or chain of tasks."""
    names = [f"P{i}" for i in range(draw.randint(4, 6))]
    pairs = [(names[i], draw.choice(names[:i])) for i in range(1, len(names))]
    pairs += [(a, b) for i, a in enumerate(names) for b in names[:i] if draw.random() < 0.4]
    other = "simplex" if draw.random() < 0.6 else "half"
    links = [
        {
            "source": a,
            "target": b,
            "unit_time": draw.randint(1, 5),
            "duplex": draw.choice(["full", other])
            if k >= len(names) or other == "half"
            else "full",
        }
        for k, (a, b) in enumerate(dict.fromkeys(pairs))
    ]
    processors: list[dict[str, Any]] = [{"id": name, "speed": draw.randint(1, 4)} for name in names]
    if other != "half" and ports == "one_port" and draw.random() < 0.5:
        processors[0]["cards"] = 2
    if ports == "multiport" and draw.random() < 0.5:
        processors[0]["bandwidth_out"] = 2
    if len(names) > 4 and draw.random() < 0.3:
        processors[-1] = {"id": names[-1], "switch": True}
    problem = {
        "kind": "task_graph",
        "platform": {"processors": processors, "links": links},
        "application": {
            "tasks": [
                {"id": "a", "times": {"P0": 2, "P1": 3}},
                {"id": "b", "work": draw.randint(1, 9), "allowed": names[2:4]},
                {"id": "c", "work": draw.randint(1, 9), "allowed": names[1:4]},
            ],
            "files": [
                {"source": "a", "target": "b", "size": draw.randint(2, 6)},
                {"source": draw.choice("ab"), "target": "c", "size": draw.randint(2, 6)},
            ],
        },
        "ports": ports,
    }
    return {
        "problem": problem,
        "options": {"max_period": "exact", "whole_files": draw.random() < 0.5},
    }


def slowed(body: dict[str, Any], draw: random.Random) -> dict[str, Any]:
    """Draw other speeds, some faster, some slower, some as planned."""
    other = copy.deepcopy(body)
    platform = other["problem"]["platform"]
    for part, name in ((platform["processors"], "speed"), (platform["links"], "unit_time")):
        for one in part:
            if name in one and draw.random() < 0.6:
                one[name] = str(F(one[name]) * F(draw.randint(1, 8), 4))
    times = other["problem"]["application"]["tasks"][0]["times"]
    times["P0"] = draw.choice([1, 1, "5/2"])
    return other


@cache
def case(ports: str, seed: int) -> Case:
    draw = random.Random(f"{seed} of {ports}")
    body = drawn(draw, ports)
    asked = parse_submission(body, Limits())
    result, schedule = solve(body)
    other = parse_submission(slowed(body, draw), Limits())
    views = asked.problem.views
    assert views is not None
    planned, now = views(asked.instance, result), views(other.instance, result)
    return Case(result, schedule, planned, now, other)


CASES = [(ports, seed) for ports in PORTS for seed in range(draws(6, 300))]


@pytest.mark.parametrize(("ports", "seed"), CASES)
def test_what_is_as_planned_is_kept(ports: str, seed: int) -> None:
    _, schedule, planned, _, _ = case(ports, seed)
    slots, shares = same_slots(planned, schedule), same_shares(planned, schedule)
    assert slots.throughput == shares.throughput == schedule.throughput
    assert slots.exact


@pytest.mark.parametrize(("ports", "seed"), CASES)
def test_slots_of_before_do_not_beat_new_ones_nor_these_the_bound(ports: str, seed: int) -> None:
    _, schedule, _, now, submission = case(ports, seed)
    slots, shares = same_slots(now, schedule), same_shares(now, schedule)
    bound = solve(submission.document()).result.bound.value
    assert slots.throughput <= shares.throughput <= bound
    assert slots.limited_by
    assert shares.limited_by


@pytest.mark.parametrize(("ports", "seed"), CASES)
def test_replayed_on_the_other_platform_it_takes_as_long(ports: str, seed: int) -> None:
    _, schedule, _, now, _ = case(ports, seed)
    assert same_slots(now, schedule).throughput == schedule.instances_per_period / replayed(
        now, schedule
    )


@pytest.mark.parametrize(("ports", "seed"), CASES)
def test_cut_anew_by_what_makes_schedules_it_takes_as_long(ports: str, seed: int) -> None:
    """The scheduling code finds slots for these rates; a resource has no time left for more."""
    _, schedule, _, now, submission = case(ports, seed)
    shares = same_shares(now, schedule)
    if not shares.exact:
        assert ports == "one_port"
        return
    assert recut(submission, schedule, shares.throughput) == shares.throughput


def recut(submission: Submission, schedule: Schedule, throughput: Fraction) -> Fraction:
    """Give what the scheduling code reaches with the shares of a schedule."""
    instance = submission.instance
    tasks = {task.id: task for task in instance.application.tasks}
    processors = {processor.id: processor for processor in instance.platform.processors}

    def time(task: str, processor: str) -> Fraction:
        given = tasks[task]
        return (
            given.times[processor]
            if given.times
            else given.work * processors[processor].time_per_work
        )

    scale = throughput / schedule.instances_per_period
    plans = [
        Plan(a.instances_per_period * scale, a.tasks, a.transfers)
        for a in schedule.allocations
        if a.instances_per_period
    ]
    workload = Workload(instance.platform, instance.ports, time, instance.file_sizes)
    options = Options(whole_files=False, max_period="exact")
    limits = ScheduleLimits()
    found = reconstruct(workload, plans, throughput, options, limits, Control()).schedule
    assert found.rounding_loss is None
    return found.throughput


def replayed(views: Views, schedule: Schedule) -> Fraction:
    """Run one period event by event, and give how long it is until every processor is done."""
    hops, ports = views.network.hops, views.network.ports
    of = {a.index: views.of(a) for a in schedule.allocations}
    clock = F(0)
    work: dict[str, Fraction] = {}
    if ports == "no_overlap":
        return replayed_in_turns(views, schedule)
    for entry in schedule.computations:
        each = of[entry.allocation].times[entry.task][entry.processor]
        work[entry.processor] = work.get(entry.processor, F(0)) + entry.count * each
    if ports == "multiport":
        rooms: dict[str, Fraction] = {}
        for slot in schedule.slots:
            for sent in slot.transfers:
                data = sent.count * of[sent.allocation].sizes[sent.file]
                for name, time in hops[sent.sender, sent.receiver].uses:
                    rooms[name] = rooms.get(name, F(0)) + data * time
        return max([*work.values(), *rooms.values()])
    if schedule.runs is not None:
        return max([*work.values(), replayed_in_order(views, schedule, schedule.runs)])
    for slot in schedule.slots:
        ends = [
            clock
            + sent.count
            * of[sent.allocation].sizes[sent.file]
            * hops[sent.sender, sent.receiver].unit_time
            for sent in slot.transfers
        ]
        clock = max(ends)
    return max([clock, *work.values()])


def replayed_in_order(views: Views, schedule: Schedule, runs: Sequence[Run]) -> Fraction:
    """Let each run wait until those before it at its ports have left one of the cards free."""
    of = {a.index: views.of(a) for a in schedule.allocations}
    done: dict[str, list[Fraction]] = {}
    for run in runs:
        hop = views.network.hops[run.sender, run.receiver]
        ready = F(0)
        for name, _ in hop.uses:
            cards = views.network.cards.get(name, 1)
            before = sorted(done.get(name, []))
            ready = max(ready, before[-cards] if len(before) >= cards else F(0))
        for cargo in run.cargo:
            ready += cargo.count * of[cargo.allocation].sizes[cargo.file] * hop.unit_time
        for name, _ in hop.uses:
            done.setdefault(name, []).append(ready)
    return max((end for ends in done.values() for end in ends), default=F(0))


def replayed_in_turns(views: Views, schedule: Schedule) -> Fraction:
    """Let each processor do what the schedule has it do between two borders, and wait for all."""
    hops = views.network.hops
    of = {a.index: views.of(a) for a in schedule.allocations}
    borders = sorted({F(0), *(slot.start for slot in schedule.slots), schedule.period})
    clock = F(0)
    for start, end in pairwise(borders):
        ready = dict.fromkeys(views.network.processors, clock)
        lasts = clock
        for slot in schedule.slots:
            for sent in slot.transfers if slot.start == start else ():
                data = sent.count * of[sent.allocation].sizes[sent.file]
                done = clock + data * hops[sent.sender, sent.receiver].unit_time
                lasts = max(lasts, done)
                for processor in {sent.sender, sent.receiver} - views.network.switches:
                    assert ready[processor] == clock
                    ready[processor] = done
        for entry in schedule.computations:
            inside = min(end, entry.start + entry.time) - max(start, entry.start)
            if inside > 0:
                each = of[entry.allocation].times[entry.task][entry.processor]
                ready[entry.processor] += inside / entry.time * entry.count * each
        clock = max(lasts, *ready.values())
    return clock


def test_the_random_cases_are_of_all_sorts() -> None:
    cases = [case(*one) for one in CASES]
    both = [(same_slots(c.now, c.schedule), same_shares(c.now, c.schedule)) for c in cases]
    assert any(slots.throughput < shares.throughput for slots, shares in both)
    limits = {name.rpartition(".")[2] for pair in both for one in pair for name in one.limited_by}
    assert limits >= {SLOTS, "compute", "send", "receive", "port", "link"}


def kept(
    body: dict[str, Any], *changes: tuple[str, Any]
) -> tuple[Schedule, RetainedThroughput, RetainedThroughput]:
    """Give a schedule, and what is kept of it after changes of the platform."""
    asked = parse_submission(body, Limits())
    result, schedule = solve(body)
    document = asked.document()
    for at, value in changes:
        part, index, name = at.split("/")
        document["problem"]["platform"][part][int(index)][name] = value
    assert asked.problem.views is not None
    views = asked.problem.views(parse_submission(document, Limits()).instance, result)
    return schedule, same_slots(views, schedule), same_shares(views, schedule)


def example(name: str) -> dict[str, Any]:
    body: dict[str, Any] = json.loads((EXAMPLES / f"{name}.json").read_text())
    return body


def test_figure_3() -> None:
    slower = kept(example("rr4870-figure-3"), ("processors/1/unit_time", 4))
    assert [one.throughput for one in slower[1:]] == [F(21, 80)] * 2
    assert [one.limited_by for one in slower[1:]] == [("P2.compute",)] * 2
    narrower = kept(example("rr4870-figure-3"), ("links/0/unit_time", "3/2"))
    assert [one.throughput for one in narrower[1:]] == [F(21, 55)] * 2
    assert narrower[1].limited_by == ("P1.send",)
    assert narrower[2].limited_by == ("P1.send",)


def test_runs_of_links_make_good_for_a_slow_link() -> None:
    """No port waits for another link: what is kept is what the busiest resource leaves."""
    _, slots, shares = kept(example("rr4870-figure-3"), ("links/2/unit_time", 2))
    assert (slots.throughput, shares.throughput) == (F(21, 40), F(21, 40))
    _, slots, shares = kept(example("rr4872-figure-2-scatter"), ("links/4/unit_time", "8/3"))
    assert (slots.throughput, shares.throughput) == (F(3, 8), F(3, 8))
    _, slots, shares = kept(example("triangle-no-overlap"), ("links/0/unit_time", 4))
    assert slots.throughput == shares.throughput == F(1, 8)
    assert shares.limited_by == ("A--B--C.odd",)


def test_the_order_of_runs_may_be_what_limits() -> None:
    _, schedule, _, now, _ = case("one_port", 57)
    slots, shares = same_slots(now, schedule), same_shares(now, schedule)
    assert slots.limited_by == (RUNS,)
    assert slots.throughput == schedule.instances_per_period / replayed(now, schedule)
    assert slots.throughput < shares.throughput


PERIODIC = (
    "bags-of-two-kinds",
    "file-server-two-cards",
    "rr4870-figure-3-latencies",
    "rr4870-figure-9",
    "rr4872-figure-2-scatter",
    "shared-wide-area-link",
    "star",
    "three-sites-broadcast",
    "triangle-no-overlap",
    "triangle-one-allocation",
    "two-boxes-allgather",
)


@pytest.mark.parametrize("name", PERIODIC)
def test_every_kind_keeps_what_is_as_planned(name: str) -> None:
    schedule, slots, shares = kept(example(name))
    assert slots.throughput == schedule.throughput
    if schedule.grouping is None:
        assert shares.throughput == schedule.throughput == schedule.optimal_throughput
    else:
        assert shares.throughput == schedule.optimal_throughput
        assert not shares.exact


def test_latencies_are_paid_in_every_slot() -> None:
    body = example("rr4870-figure-3-latencies")
    schedule, slots, _ = kept(body)
    _, longer, _ = kept(body, *((f"links/{i}/latency", 1000) for i in range(4)))
    with_files = sum(1 for slot in schedule.slots if slot.transfers)
    paid = schedule.instances_per_period / longer.throughput
    assert slots.throughput == schedule.throughput
    assert with_files * 1000 < paid < with_files * 1000 + schedule.period


def test_a_bounded_schedule_does_more_once_it_does_not_wait_for_its_clock() -> None:
    body = example("rr4870-figure-3")
    asked = parse_submission(body, Limits())
    result, schedule = solve(body)
    idle = replace(schedule, period=F(50), throughput=F(21, 50))
    assert asked.problem.views is not None
    assert same_slots(asked.problem.views(asked.instance, result), idle).throughput == F(21, 40)


def test_files_in_both_directions_over_a_half_duplex_link_leave_a_bound() -> None:
    body = example("rr4870-figure-3")
    body["problem"]["task"]["output_size"] = 1
    assert kept(body)[2].exact
    for link in body["problem"]["platform"]["links"]:
        link["duplex"] = "half"
    schedule, slots, shares = kept(body)
    assert not shares.exact
    assert slots.throughput == schedule.throughput <= shares.throughput


def test_what_is_gone_and_needed_keeps_nothing() -> None:
    body = example("rr4870-figure-3")
    asked = parse_submission(body, Limits())
    result, schedule = solve(body)
    document = asked.document()
    del document["problem"]["platform"]["links"][1]
    del document["problem"]["platform"]["processors"][3]["unit_time"]
    assert asked.problem.views is not None
    views = asked.problem.views(parse_submission(document, Limits()).instance, result)
    assert set(gone(views, schedule)) == {"P1->P3.link", "P4.compute"}
    lost = RetainedThroughput(F(0), True, gone(views, schedule))
    assert same_slots(views, schedule) == same_shares(views, schedule) == lost


def chain(ports: str, names: str, *times: int, **options: Any) -> dict[str, Any]:
    """Give a chain of processors, switches in small letters, and a file that crosses it."""
    processors: list[dict[str, Any]] = [
        {"id": name, "switch": True} if name.islower() else {"id": name, "latency": 3}
        for name in names
    ]
    if ports == "no_overlap":
        processors = [{**one, "latency": 0} for one in processors]
    links = [
        {"source": a, "target": b, "unit_time": time, "latency": 2}
        for (a, b), time in zip(pairwise(names), times, strict=True)
    ]
    tasks = [{"id": "p", "times": {names[0]: 1}}, {"id": "q", "times": {names[-1]: 1}}]
    files = [{"source": "p", "target": "q", "size": 1}]
    problem = {
        "kind": "task_graph",
        "platform": {"processors": processors, "links": links},
        "application": {"tasks": tasks, "files": files},
        "ports": ports,
    }
    return {"problem": problem, "options": options}


def test_switches_have_no_ports_and_links_between_them_limit_themselves() -> None:
    schedule, slots, shares = kept(chain("send_or_receive", "AsB", 1, 1))
    assert schedule.throughput == slots.throughput == shares.throughput == 1
    body = chain("no_overlap", "AstB", 1, 1, 1)
    schedule, slots, shares = kept(body, ("links/1/unit_time", 7))
    assert schedule.throughput == F(1, 2)
    assert slots.throughput == shares.throughput == F(1, 7)
    assert shares.limited_by == ("s->t.link",)


@pytest.mark.parametrize("ports", PORTS)
def test_paid_latencies_count_in_what_is_kept(ports: str) -> None:
    """Ten times the latencies, and the period is longer by what these are more."""
    body = chain(ports, "AB", 1, latencies="paid", latency_loss="1/2")
    schedule, slots, _ = kept(body)
    assert slots.throughput == schedule.throughput
    if ports != "no_overlap":  # where latencies of processors are refused
        _, slow, _ = kept(body, ("processors/1/latency", 3000))
        longer = schedule.instances_per_period / slow.throughput
        assert 3000 < longer <= 3000 + schedule.period
    _, slow, _ = kept(body, ("links/0/latency", 2000))
    longer = schedule.instances_per_period / slow.throughput
    assert 2000 < longer <= 2000 + schedule.period


def test_files_in_parts_are_as_long_as_whole_ones() -> None:
    body = example("triangle-no-overlap")
    asked = parse_submission(body, Limits())
    result, schedule = solve(body)
    halves = tuple(
        a._replace(
            transfers=tuple(
                t._replace(share=t.share / 2) for transfer in a.transfers for t in (transfer,) * 2
            )
        )
        for a in schedule.allocations
    )
    assert asked.problem.views is not None
    views = asked.problem.views(asked.instance, result)
    assert same_shares(views, replace(schedule, allocations=halves)) == same_shares(views, schedule)


def test_beyond_so_many_pairs_odd_sets_are_not_looked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = case("send_or_receive", 0)
    exactly = same_shares(found.now, found.schedule)
    monkeypatch.setattr("steadygrid.verification.retained_throughput.MOST_PAIRS", 0)
    bound = same_shares(found.now, found.schedule)
    assert not bound.exact
    assert bound.throughput >= exactly.throughput


def test_a_task_without_work_takes_no_time() -> None:
    body = chain("no_overlap", "AB", 1)
    body["problem"]["application"]["tasks"][1]["times"] = {"B": 0}
    schedule, slots, shares = kept(body)
    assert any(entry.count and not entry.time for entry in schedule.computations)
    assert slots.throughput == shares.throughput == schedule.throughput


def test_where_nothing_runs_the_clock_is_all_that_holds() -> None:
    found = case("no_overlap", 0)
    idle = [entry._replace(count=Fraction(0)) for entry in found.schedule.computations]
    still = replace(found.schedule, computations=tuple(idle), slots=(), allocations=())
    for kept_still in (same_slots(found.now, still), same_shares(found.now, still)):
        assert kept_still == RetainedThroughput(still.throughput, kept_still.exact, ())


def test_bags_in_cells_keep_what_is_as_planned_and_more_where_the_clock_was_slow() -> None:
    schedule, slots, shares = kept(example("bags-of-uniform-tasks"))
    assert schedule.bounded is not None
    assert schedule.throughput < slots.throughput <= shares.throughput
    assert slots.throughput <= schedule.optimal_throughput
