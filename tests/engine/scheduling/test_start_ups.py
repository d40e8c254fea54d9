"""Schedules that pay latencies: how long their periods are, and that every message arrives."""

import copy
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from math import ceil
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steadygrid.domain.job import Options
from steadygrid.domain.limits import Limits
from steadygrid.domain.platform import Platform
from steadygrid.domain.rounding import num_digits
from steadygrid.domain.schedule import (
    Allocation,
    Grouping,
    Schedule,
    Transfer,
)
from steadygrid.domain.slots import Slot
from steadygrid.engine.scheduling import Workload
from steadygrid.engine.scheduling.start_ups import Line, Sum, highest, paying
from steadygrid.engine.solving.control import Control
from steadygrid.kinds import PROBLEMS
from steadygrid.submissions.submission import parse_submission
from tests.draws import draws
from tests.engine.scheduling.messages import assert_messages_arrive
from tests.engine.scheduling.test_periods_for_people import LONG
from tests.kinds.task_graph.random_instances import SHAPES, random_instance
from tests.kinds.task_graph.test_twins import grid
from tests.solved import solve
from tests.tree import ROOT

F = Fraction
PORTS = ("one_port", "multiport", "send_or_receive", "no_overlap")


def figure_3(latency: Any = 1, **problem: Any) -> dict[str, Any]:
    """RR-4870, figure 3: its 3 slots take 40 time units."""
    body = json.loads((ROOT / "examples" / "rr4870-figure-3.json").read_text())
    for link in body["problem"]["platform"]["links"]:
        link["latency"] = latency
    body["problem"] |= problem
    return body


def paid(body: dict[str, Any], **options: Any) -> Schedule:
    schedule: Schedule = solve(body, latencies="paid", **options).schedule
    assert schedule.grouping is not None
    return schedule


def grouped(schedule: Schedule) -> tuple[int, Fraction]:
    assert schedule.grouping is not None
    return schedule.grouping.periods, schedule.period


def test_eight_periods_of_figure_3_pay_its_three_start_ups() -> None:
    answer = solve(figure_3(), latencies="paid")
    schedule = answer.schedule
    assert answer.result.objective.value == F(21, 40)
    assert grouped(schedule) == (8, 323)
    assert schedule.instances_per_period == 8 * 21
    assert schedule.loss == F(3, 323)
    assert schedule.grouping.latency_time == 3
    assert schedule.grouping.header == {"grouped_periods": 8, "latency_time": "3"}
    assert [(slot.start, slot.duration) for slot in schedule.slots] == [
        (0, 161), (161, 81), (242, 81),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("most", "periods"), [("3/43", 1), ("3/44", 2), ("3/83", 2), ("1/1000", 75)]
)
def test_the_fewest_periods_are_grouped_that_lose_no_more_than_asked(most, periods) -> None:
    assert grouped(paid(figure_3(), latency_loss=most)) == (periods, 40 * periods + 3)


@pytest.mark.parametrize("wanted", [1, 21, 22, 1_000, 100_000, 10**15])
def test_a_number_of_instances_is_complete_as_early_as_any_grouping_allows(wanted: int) -> None:
    schedule = paid(figure_3(), total_instances=wanted)
    useful = ceil(F(wanted, 21))
    tried = {*range(1, min(useful, 1_000) + 1), *(2**k for k in range(60) if 2**k <= useful)}
    completions = {m: periods_for(m, wanted) * (40 * m + 3) for m in tried}
    best = min(completions.values())
    assert schedule.grouping is not None
    assert schedule.run.completion_time_at_most <= best
    if schedule.run.completion_time_at_most == best:
        assert schedule.grouping.periods == min(m for m in tried if completions[m] == best)
    assert schedule.grouping.completion_time_at_most == schedule.run.completion_time_at_most
    assert schedule.grouping.no_schedule_before == schedule.run.no_schedule_before


def periods_for(grouped: int, wanted: int) -> int:
    """After k >= 2 steady periods ``k + 10 (k - 1) + 10 (k - 2)`` tasks are complete, after one 1."""
    return 1 if grouped >= wanted else max(2, ceil((F(wanted, grouped) + 30) / 21))


def star(latency: int, /, **worker: Any) -> dict[str, Any]:
    """A master that feeds one worker: a time unit for each file, two for each task."""
    platform = {
        "processors": [{"id": "M"}, {"id": "A", "unit_time": 2, **worker}],
        "links": [{"source": "M", "target": "A", "unit_time": 1, "latency": latency}],
    }
    task = {"work": 1, "input_size": 1}
    return {"problem": {"kind": "master_worker", "platform": platform, "master": "M", "task": task}}


@pytest.mark.parametrize(
    ("latency", "periods", "period"), [(0, 1, 2), (1, 1, 2), (2, 2, 4), (3, 3, 6), (5, 5, 10)]
)
def test_a_worker_that_computes_all_the_time_hides_latencies_of_its_link(
    latency: int, periods: int, period: int
) -> None:
    """Messages take latency + m, computations 2 m: where these are longer, nothing is lost."""
    schedule = paid(star(latency))
    assert grouped(schedule) == (periods, period)
    assert schedule.loss == 0


def test_a_processor_pays_its_latency_once_for_each_task_of_an_allocation() -> None:
    schedule = paid(star(0, latency=3), latency_loss="1/9")
    assert grouped(schedule) == (12, 27)
    (computation,) = schedule.computations
    assert (computation.start, computation.time, computation.count) == (0, 27, 12)


def test_data_flows_from_the_largest_sum_of_latencies_on_under_multiport() -> None:
    schedule = paid(figure_3(2, ports="multiport"))
    steady = solve(figure_3(2, ports="multiport")).schedule
    periods, period = grouped(schedule)
    (slot,) = schedule.slots
    assert max(len(t.path) for a in schedule.allocations for t in a.transfers) == 3
    assert (slot.start, slot.duration) == (4, periods * steady.period)
    assert period == 4 + slot.duration


def test_a_file_that_is_sent_on_waits_for_the_latencies_before_and_no_longer() -> None:
    """Two ways lead to A, where B's way begins: the shorter one takes 2, and 4 to B."""
    file = ("begin", "task")
    ways = [("M", "R", "A"), ("M", "A"), ("A", "B")]
    schedule = by_hand([Transfer(file, way, F(1)) for way in ways], ("A", "B"))
    assert grouped(paying_by_hand(schedule)) == (1, 10 + 6)
    direct = by_hand([Transfer(file, way, F(1)) for way in ways[1:]], ("A", "B"))
    assert grouped(paying_by_hand(direct)) == (1, 10 + 4)
    assert grouped(paying_by_hand(by_hand([], ("M",)))) == (1, 10)


LINKS = {("M", "R"): 3, ("R", "A"): 3, ("M", "A"): 2, ("A", "B"): 2}


def by_hand(transfers: list[Transfer], places: tuple[str, ...]) -> Schedule:
    allocation = Allocation(0, F(1, 10), F(1), {"task": places}, tuple(transfers))
    return Schedule(
        F(10), F(1), F(1, 10), F(1, 10), F(0), None, "multiport", 1, 2, False,
        (("begin", "task"),), (allocation,), (), (Slot(F(0), F(10), ()),),
    )  # fmt: skip


def paying_by_hand(schedule: Schedule) -> Schedule:
    links = [
        {"source": a, "target": b, "unit_time": 1, "latency": latency, "duplex": "simplex"}
        for (a, b), latency in LINKS.items()
    ]
    platform = Platform.model_validate({"processors": [{"id": n} for n in "MRAB"], "links": links})
    workload = Workload(platform, "multiport", lambda _task, _on: F(1), {("begin", "task"): F(1)})
    return paying(schedule, workload, Options(latency_loss=F(1)), Control())


def test_slots_that_move_nothing_take_no_time() -> None:
    empty = Slot(F(10), F(1), ())
    body = figure_3()
    steady = solve(body).schedule
    instance = parse_submission(body, Limits()).instance
    workload = Workload(instance.platform, "one_port", lambda _task, _on: F(1), instance.file_sizes)
    longer = replace(steady, slots=(*steady.slots, empty))
    schedule = paying(longer, workload, Options(), Control())
    assert len(schedule.slots) == len(steady.slots)
    assert grouped(schedule) == (8, 323)


@given(st.lists(st.lists(st.tuples(st.integers(0, 30), st.integers(0, 5)), max_size=5), max_size=4))
def test_sums_of_the_highest_lines_are_those_of_each_number_tried(
    sets: list[list[tuple[int, int]]],
) -> None:
    lines = [[Line(F(a), F(b)) for a, b in some] for some in sets]
    total = Sum(lines)
    before = None
    for m in range(1, 40):
        assert total.time_in(m) == sum(
            max((x.time_in(m) for x in some), default=F(0)) for some in lines
        )
        each = total.time_in(m) / m
        assert before is None or each <= before
        before = each
    for some in lines:
        starts = [first for first, _ in highest(some)]
        assert starts == sorted(set(starts))
        assert starts[:1] == [1] * bool(some)


def test_the_period_for_each_steady_one_falls_towards_it() -> None:
    lengths = [paid(figure_3(), latency_loss=F(1, k)).period for k in range(2, 60)]
    periods = [paid(figure_3(), latency_loss=F(1, k)).grouping.periods for k in range(2, 60)]
    each = [length / m for length, m in zip(lengths, periods, strict=True)]
    assert each == sorted(each, reverse=True)
    assert each[-1] > 40


def drawn(shape: str, seed: int, ports: str) -> dict[str, Any]:
    """Draw an instance with latencies, and options that pay them."""
    random = Random(f"{shape} {seed} {ports}")
    problem = json.loads(random_instance(shape, seed).model_dump_json(exclude_none=True))
    platform = problem["platform"]
    problem["ports"] = ports
    if ports != "multiport":
        platform.pop("media")
    for link in platform["links"]:
        link["latency"] = f"{random.randint(0, 9)}/{random.randint(1, 3)}"
        if ports != "multiport":
            link.pop("media")
    for processor in platform["processors"]:
        if ports != "no_overlap" and random.random() < 0.5:
            processor["latency"] = f"{random.randint(0, 9)}/{random.randint(1, 3)}"
    options: dict[str, Any] = random.choice(
        [{}, {"latency_loss": "1/3"}, {"total_instances": 1000}, {"whole_files": False}]
    )
    return {"problem": problem, "options": {"latencies": "paid"} | options}


@pytest.mark.parametrize("bounded", [False, True])
@pytest.mark.parametrize("ports", PORTS)
@pytest.mark.parametrize("shape", SHAPES)
def test_every_message_arrives_in_time(shape: str, ports: str, bounded: bool) -> None:
    for seed in range(draws(2, 20)):
        body = drawn(shape, seed, ports)
        limits = Limits(max_period_digits=1) if bounded else Limits()
        schedule = solve(body, limits=limits).schedule
        if schedule is None:
            continue
        instance = PROBLEMS["task_graph"].instance.model_validate(body["problem"])
        processors = instance.platform.processors
        times = {
            (task.id, processor.id): instance.times[i][j]
            for i, task in enumerate(instance.application.tasks)
            for j, processor in enumerate(processors)
        }
        assert_messages_arrive(instance.platform, instance.file_sizes, times, schedule)


@pytest.mark.parametrize("ports", PORTS)
def test_the_messages_of_figure_3_arrive(ports: str) -> None:
    for result in (0, 1):
        body = figure_3("1/2", ports=ports)
        body["problem"]["task"]["output_size"] = result
        instance = parse_submission(body, Limits()).instance
        pairs = zip(instance.platform.processors, instance.compute_times, strict=True)
        times = {("task", processor.id): time for processor, time in pairs}
        schedule = paid(body, latency_loss="1/5")
        assert schedule.slots
        assert_messages_arrive(instance.platform, instance.file_sizes, times, schedule)


def test_a_schedule_of_nothing_pays_nothing() -> None:
    body = star(1)
    del body["problem"]["platform"]["processors"][1]["unit_time"]
    schedule = paid(body, total_instances=5)
    assert (schedule.throughput, schedule.grouping) == (0, Grouping(1, F(0)))


def test_dates_rest_on_the_bound_where_the_value_does_not_reach_it() -> None:
    problem = {**PROBLEMS["mono_allocation"].example["problem"], "method": "rlp_max"}
    answer = solve({"problem": problem}, latencies="paid", total_instances=100)
    assert (answer.result.objective.value, answer.result.bound.value) == (F(1, 7), F(1, 6))
    assert answer.schedule.grouping.no_schedule_before == 600


def test_slots_of_a_rounded_period_keep_their_readable_lengths() -> None:
    """The time of a file has 30 digits, and only the exact schedule shows them."""
    body = copy.deepcopy(LONG)
    for link in body["problem"]["platform"]["links"]:
        link |= {"unit_time": f"1/{10**30 + 57}", "latency": 2}
    steady = solve(body).schedule
    result, schedule = solve(body, latencies="paid", latency_loss="1/1000")
    assert f"groups periods of {steady.period}" in result.notes[0]
    assert 'rates stay as they are; "max_period": "exact" groups' in result.notes[0]
    periods, _ = grouped(schedule)
    assert schedule.bounded == "automatic"
    assert [slot.duration - periods * before.duration for slot, before in both(schedule, steady)] == [
        2, 2, 2,
    ]  # fmt: skip
    assert max(num_digits(slot.start) for slot in schedule.slots) < 20
    exact = paid(body, latency_loss="1/1000", max_period="exact")
    assert max(num_digits(slot.start) for slot in exact.slots) >= 30


def both(one: Schedule, other: Schedule) -> Iterator[tuple[Slot, Slot]]:
    return zip(one.slots, other.slots, strict=True)


@pytest.mark.parametrize("ports", ["one_port", "multiport"])
def test_members_of_pools_pay_each_for_itself(ports: str) -> None:
    """What pools deal to their members starts on each of them: the referee has added it up."""
    for limits in (Limits(), Limits(max_period_digits=1)):
        problem = grid(2, 3, ports=ports)
        for part in ("processors", "links"):
            for listed in problem["platform"][part]:
                listed["latency"] = 2
        answer = solve(
            {"problem": problem}, limits=limits, latencies="paid", latency_loss="1/1000000"
        )
        assert [len(names) for names in answer.result.classes] == [3, 3]
        schedule = answer.schedule
        periods, _ = grouped(schedule)
        assert periods > 1 or schedule.bounded == "automatic"  # which may have time to spare
        groups = Counter(entry.processor for entry in schedule.computations)
        steady = schedule.period - schedule.grouping.latency_time
        for name, number in groups.items():
            entries = [c for c in schedule.computations if c.processor == name]
            assert sum(c.time for c in entries) - 2 * number <= steady


def test_times_that_latencies_make_too_long_to_print_take_a_bounded_period(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("steadygrid.engine.scheduling.start_ups.MOST_PRINTED", 2)
    monkeypatch.setattr("steadygrid.verification.fitting.PRINTABLE_DIGITS", 3)
    answer = solve(figure_3(), latencies="paid")
    assert answer.schedule.bounded == "automatic"
    assert "latencies are too long to print" in answer.result.notes[0]
    assert solve(figure_3()).schedule.bounded is None
