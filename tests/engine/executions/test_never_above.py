"""Without noise no execution is measured above the optimum, however short the run."""

import random
from fractions import Fraction
from typing import Any

import pytest

from steadygrid.engine.executions.dispatched import DispatchOrderPolicy, OnDemandPolicy, dispatched
from steadygrid.engine.executions.measured import Measured, batch_error, mean_error
from steadygrid.engine.executions.ordered import Noise, in_order
from steadygrid.engine.executions.parts import Period
from tests.engine.executions.seen import pair, seen

F = Fraction
PORTS = ("one_port", "send_or_receive", "no_overlap")


def drawn(seed: int) -> dict[str, Any]:
    """Draw a tree of half-duplex and full-duplex links, with results in every second one."""
    draw = random.Random(seed)
    names = [f"P{i}" for i in range(draw.randint(3, 6))]
    links = [
        {
            "source": names[draw.randrange(i)],
            "target": names[i],
            "unit_time": draw.randint(1, 5),
            "duplex": draw.choice(["half", "full"]),
        }
        for i in range(1, len(names))
    ]
    body = pair(1, 1, **({"output_size": 1} if seed % 2 else {}))
    body["problem"] |= {
        "ports": PORTS[seed % 3],
        "master": "P0",
        "platform": {
            "processors": [
                {"id": name} | ({"unit_time": draw.randint(2, 9)} if name != "P0" else {})
                for name in names
            ],
            "links": links,
        },
    }
    return body


def run(period: Period, window: int, instances: int, **how: Any) -> Measured:
    rates = [course.allocation.rate for course in period.courses]
    return dispatched(
        period.courses, lambda _: 1, DispatchOrderPolicy(rates, window), instances, **how
    )


@pytest.mark.parametrize("seed", range(12))
def test_no_run_does_more_than_the_optimum(seed: int) -> None:
    schedule, period = seen(drawn(seed), max_period="exact")
    optimum = schedule.throughput
    draw = random.Random(seed)
    for _ in range(6):
        window, instances = draw.randint(1, 60), draw.randint(2, 240)
        for overtake in (False, True):
            did = run(period, window, instances, overtake=overtake)
            assert 0 <= did.throughput <= optimum
    asked = dispatched(period.courses, lambda _: 1, OnDemandPolicy(len(period.courses), 3), 90)
    assert asked.throughput <= optimum
    for periods in range(period.warm_up + 1, period.warm_up + 9):
        clock, order = (in_order(period, periods, clocked=clocked) for clocked in (True, False))
        assert (clock.throughput, clock.error) == (optimum, 0)
        assert order.throughput == optimum


def test_the_case_of_many_that_are_overtaken_in_a_short_run() -> None:
    """Counting what is complete, 600 instances at a window of 84 did a tenth more than there can be."""
    above = 0
    for seed in range(12):
        schedule, period = seen(drawn(seed), max_period="exact")
        did = run(period, 84, 600, overtake=True)
        ends = [date for date, _ in did.progress]
        above += F(300) / (ends[-1] - ends[299]) > schedule.throughput
        assert did.throughput <= schedule.throughput
    assert above, "the case does not tell measures apart"


@pytest.mark.parametrize("seed", [1, 4, 6])
@pytest.mark.parametrize("overtake", [False, True])
def test_a_long_run_is_within_the_error_of_a_short_one(seed: int, overtake: bool) -> None:
    _, period = seen(drawn(seed), max_period="exact")
    for noise in (None, Noise(0.1, "operation", seed)):
        short, long = (
            run(period, 20, number, overtake=overtake, noise=noise) for number in (300, 6000)
        )
        assert abs(short.throughput - long.throughput) <= short.error + long.error
        assert long.error < short.error or not short.error


def test_work_that_began_before_does_not_count() -> None:
    """Files take 2, tasks 3. From 5 to 8 a task is done, half of the third file and all of the fourth."""
    _, period = seen(pair(3, 2))
    did = run(period, 3, 2)
    assert [date for date, _ in did.progress] == [5, 8]
    assert did.throughput == F(1, 3)
    assert did.error == F(1, 3) + F(3, 2) / 3 - F(1, 3), "of one batch, and of work that differs"


def test_the_error_of_a_mean_by_hand() -> None:
    """Of 1, 2 and 3 the deviation is 1, and Student's quantile for two degrees of freedom 4.303."""
    assert mean_error([1, 2, 3]) == pytest.approx(4.303 / 3**0.5)
    assert mean_error([5]) == 0
    assert batch_error([0, 1, 3, 6]) == pytest.approx(4.303 / 3**0.5 / 2)
    assert batch_error([0, 1, 3, 6], [0, 1, 3, 6]) == 0
    assert batch_error([0, 7]) == 1
    assert batch_error([0, 1, 2], [0, 0, 2]) == 1
