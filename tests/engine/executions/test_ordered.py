"""Schedules by the clock and by order: exact without noise, and close to them with it."""

from collections import defaultdict
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest

from steadygrid.engine.executions.noise import factors_of
from steadygrid.engine.executions.ordered import Noise, in_order
from steadygrid.kinds.simulation.sizing import Extent
from tests.engine.executions.seen import example, pair, seen

PORTS = ("one_port", "multiport", "send_or_receive", "no_overlap")
CASES = [
    (kind, ports)
    for kind in ("master_worker", "task_graph", "mono_allocation", "collective", "bag_of_tasks")
    for ports in PORTS
    if kind != "bag_of_tasks" or ports in PORTS[:2]
]
SMALL_NOISE = Noise(0.05, "operation", 3)


@pytest.mark.parametrize(("kind", "ports"), CASES)
def test_without_noise_the_clock_keeps_every_date(kind: str, ports: str) -> None:
    schedule, period = seen(example(kind, ports))
    did = in_order(period, period.periods_for(100), clocked=True)
    assert (did.throughput, did.late) == (schedule.throughput, 0)


@pytest.mark.parametrize(("kind", "ports"), CASES)
def test_orders_without_dates_are_no_slower(kind: str, ports: str) -> None:
    schedule, period = seen(example(kind, ports))
    did = in_order(period, period.periods_for(100), clocked=False)
    assert did.throughput >= schedule.throughput
    assert did.late == 0


@pytest.mark.parametrize(("kind", "ports"), CASES)
def test_operations_are_those_that_the_schedule_lists(kind: str, ports: str) -> None:
    schedule, period = seen(example(kind, ports))
    computed: dict[Any, list[Any]] = defaultdict(list)
    for part in period.parts:
        step = period.step(part)
        if step.computes:
            index = period.courses[part.course].allocation.index
            computed[index, *step.what].append((part.offset, part.offset + part.time))
    listed: dict[Any, list[Any]] = defaultdict(list)
    for one in schedule.computations:
        listed[one.allocation, one.task, one.processor].append((one.start, one.start + one.time))
    assert {place: _joined(dates) for place, dates in computed.items()} == {
        place: _joined(dates) for place, dates in listed.items()
    }
    extent = Extent.from_schedule(schedule)
    assert (len(period.parts) <= extent.per_period, period.warm_up) == (True, extent.warm_up)


def _joined(dates: list[Any]) -> list[Any]:
    """Join what goes on without a break."""
    joined: list[Any] = []
    for start, end in sorted(dates):
        if joined and joined[-1][1] == start:
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    return joined


def test_paid_latencies_are_part_of_the_first_operation() -> None:
    body = pair(1, 1)
    body["problem"]["platform"]["links"][0]["latency"] = 2
    body["problem"]["platform"]["processors"][1]["latency"] = 3
    schedule, period = seen(body, latencies="paid", latency_loss="1/2")
    did = in_order(period, period.periods_for(100), clocked=True)
    assert schedule.grouping is not None
    assert (did.throughput, did.late) == (schedule.throughput, 0)
    longest = {period.step(part).what[0]: part.time for part in reversed(period.parts)}
    assert (longest["M"], longest["task"]) == (3, 4)


def test_a_worker_that_is_as_fast_as_its_link_waits_for_what_is_late() -> None:
    """Two processors by hand: the n-th file waits for its date, the file before and nothing else."""
    _, period = seen(pair(1, 1))
    assert (period.length, period.warm_up, len(period.parts)) == (1, 2, 2)
    did = in_order(period, 40, clocked=True, noise=SMALL_NOISE)
    send, compute = (factors_of(name, *SMALL_NOISE) for name in ("M->W", "W"))
    sent = done = late = 0.0
    dates = []
    for n in range(40):
        sent = max(sent, n) + send()
        late = max(late, sent - n - 1)
        if n < 39:
            done = max(done, sent, n + 1) + compute()
            late = max(late, done - n - 2)
            dates.append(done)
    assert did.late == Fraction(late)
    assert [float(date) for date, _ in did.progress] == dates
    assert did.throughput == Fraction(19) / Fraction(dates[38] - dates[19])


def test_by_order_the_chain_is_two_queues_in_a_row() -> None:
    _, period = seen(pair(3, 2))
    noise = Noise(0.2, "operation", 8)
    did = in_order(period, 60, clocked=False, noise=noise)
    send, compute = (factors_of(name, *noise) for name in ("M->W", "W"))
    arrivals, dates = [0.0], [0.0]
    for _ in range(59):
        arrivals.append(arrivals[-1] + 2 * send())
        dates.append(max(dates[-1], arrivals[-1]) + 3 * compute())
    assert [float(date) for date, _ in did.progress] == dates[1:]


def test_with_more_noise_more_is_late_and_less_is_done() -> None:
    _, period = seen(example("task_graph", "one_port"))
    done = [
        in_order(period, 60, clocked=True, noise=Noise(noise, "operation", 1))
        for noise in (0.0, 0.1, 0.2, 0.4)
    ]
    for one, other in pairwise(done):
        assert one.throughput > other.throughput
        assert one.late < other.late


def test_a_resource_that_is_always_slow_decides_the_throughput() -> None:
    _, period = seen(pair(2, 1))
    noise = Noise(0.3, "resource", 5)
    did = in_order(period, 40, clocked=False, noise=noise)
    assert did.throughput == pytest.approx(1 / (2 * factors_of("W", *noise)()))


@pytest.mark.parametrize("cards", [2, 3])
def test_several_cards_serve_several_files_at_a_time(cards: int) -> None:
    workers = [{"id": f"W{i}", "unit_time": 1} for i in range(cards)]
    platform = {
        "processors": [{"id": "M", "cards": cards}, *workers],
        "links": [{"source": "M", "target": one["id"], "unit_time": 1} for one in workers],
    }
    body = pair(1, 1)
    body["problem"]["platform"] = platform
    schedule, period = seen(body)
    did = in_order(period, period.periods_for(50), clocked=True)
    assert (did.throughput, did.late, schedule.throughput) == (cards, 0, cards)
    assert in_order(period, 30, clocked=False).throughput == cards
