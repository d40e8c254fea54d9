"""Executions of two and three processors, followed by hand in exact numbers."""

from fractions import Fraction
from itertools import pairwise

import pytest

from steadygrid.engine.executions.dispatched import DispatchOrderPolicy, OnDemandPolicy, dispatched
from steadygrid.engine.executions.measured import Measured
from steadygrid.engine.executions.noise import factors_of
from steadygrid.engine.executions.ordered import Noise, in_order
from tests.engine.executions.seen import pair, seen

F = Fraction


def dates(did: Measured) -> list[Fraction]:
    return [date for date, _ in did.progress]


def test_by_the_clock_nothing_starts_before_its_date_and_by_order_it_does() -> None:
    """Tasks take 3, files 2: an instance is sent in one period of 3, and computed in the next."""
    _, period = seen(pair(3, 2))
    clock, order = (in_order(period, 12, clocked=clocked) for clocked in (True, False))
    assert dates(clock) == [6 + 3 * n for n in range(11)]
    assert dates(order) == [5 + 3 * n for n in range(11)]


def test_transfers_over_several_cards_start_in_their_order() -> None:
    """A card is taken by the next transfer of the list, and it starts no earlier than the one before."""
    body = pair(4, 4)
    body["problem"]["platform"] = {
        "processors": [
            {"id": "M", "cards": 3},
            *({"id": one, "unit_time": 1} for one in "ABC"),
        ],
        "links": [{"source": "M", "target": one, "unit_time": 1} for one in "ABC"],
    }
    schedule, period = seen(body)
    assert (schedule.throughput, period.capacities["M.send"]) == (F(3, 4), 3)
    noise = Noise(0.4, "operation", 2)
    did = in_order(period, 30, clocked=False, noise=noise)
    order = [period.step(part).what[1] for part in period.parts if not period.step(part).computes]
    send = {name: factors_of(f"M->{name}", *noise) for name in order}
    compute = {name: factors_of(name, *noise) for name in order}
    cards, links, workers = [0.0] * 3, dict.fromkeys(order, 0.0), dict.fromkeys(order, 0.0)
    begun, held, ends = 0.0, 0, []
    for name in order * 29:
        start = max(begun, min(cards), links[name])
        held += start == begun and start > max(min(cards), links[name])
        begun, end = start, start + 4 * send[name]()
        cards[cards.index(min(cards))] = links[name] = end
        workers[name] = max(workers[name], end) + 4 * compute[name]()
        ends.append(workers[name])
    assert held
    assert [float(date) for date in dates(did)] == sorted(ends)


def test_a_task_that_is_handed_out_waits_for_all_its_files() -> None:
    """b and c take 1 and 5 after a, on processors of their own: d starts with the later of both."""
    body = {
        "problem": {
            "kind": "task_graph",
            "ports": "one_port",
            "platform": {
                "processors": [{"id": one, "unit_time": 1} for one in "PQ"],
                "links": [{"source": "P", "target": "Q", "unit_time": 1}],
            },
            "application": {
                "tasks": [
                    {"id": "a", "work": 1, "allowed": ["P"]},
                    {"id": "b", "work": 1, "allowed": ["P"]},
                    {"id": "c", "work": 5, "allowed": ["Q"]},
                    {"id": "d", "work": 1, "allowed": ["P"]},
                ],
                "files": [
                    {"source": one, "target": other, "size": 1}
                    for one, other in ("ab", "ac", "bd", "cd")
                ],
            },
        }
    }
    _, period = seen(body)
    did = dispatched(period.courses, lambda _: 1, DispatchOrderPolicy([F(1)], 1), 10)
    assert dates(did) == [9 + 9 * n for n in range(10)]


def test_each_instance_that_is_handed_out_pays_its_latencies() -> None:
    """Files take 1 after 2, tasks 1 after 3: four in a row for each task."""
    body = pair(1, 1)
    body["problem"]["platform"]["links"][0]["latency"] = 2
    body["problem"]["platform"]["processors"][1]["latency"] = 3
    _, period = seen(body, latencies="paid", latency_loss="1/2")
    did = dispatched(period.courses, lambda _: 1, DispatchOrderPolicy([F(1)], 50), 20)
    assert dates(did) == [7 + 4 * n for n in range(20)]
    assert did.throughput == F(1, 4)


@pytest.mark.parametrize("buffer", [1, 2, 5])
def test_a_worker_that_asks_has_so_many_tasks_beside_the_one_it_computes(buffer: int) -> None:
    _, period = seen(pair(10, 1))
    did = dispatched(period.courses, lambda _: 1, OnDemandPolicy(1, buffer), 21)
    assert did.waiting == buffer
    assert dates(did) == [11 + 10 * n for n in range(21)]


def test_the_throughput_is_that_of_the_second_half() -> None:
    _, period = seen(pair(3, 2))
    policy = DispatchOrderPolicy([F(1)], 4)
    did = dispatched(period.courses, lambda _: 1, policy, 41, noise=Noise(0.3, "operation", 5))
    ends = dates(did)
    assert len({after - before for before, after in pairwise(ends)}) > 20
    assert did.throughput == F(20) / (ends[40] - ends[20])
    assert did.instances == 20


def test_an_instance_that_is_overtaken_for_long_does_not_make_the_others_faster() -> None:
    """A and B share R's port; the slow link to C, when free, needs it at the same time as both."""
    platform = {
        "processors": [
            {"id": "M"},
            {"id": "R", "unit_time": 8},
            {"id": "A", "unit_time": 3},
            {"id": "B", "unit_time": 4},
            {"id": "C", "unit_time": 6},
        ],
        "links": [
            {"source": one, "target": other, "unit_time": time, "duplex": "half"}
            for one, other, time in (("M", "R", 1), ("R", "A", 1), ("R", "B", 1), ("M", "C", 4))
        ],
    }
    body = pair(1, 1)
    body["problem"]["platform"] = platform
    schedule, period = seen(body)
    rates = [course.allocation.rate for course in period.courses]
    for window in (5, 10, 20):
        for seed in range(4):
            did = dispatched(
                period.courses,
                lambda _: 1,
                DispatchOrderPolicy(rates, window),
                240,
                overtake=True,
                noise=Noise(0.01, "operation", seed),
            )
            assert did.throughput < schedule.throughput * F(11, 10)
