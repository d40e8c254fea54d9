"""Instances handed out without a clock, against queues that are followed by hand."""

from fractions import Fraction

import pytest

from steadygrid.engine.executions.dispatched import (
    DispatchOrderPolicy,
    OnDemandPolicy,
    dispatched,
)
from steadygrid.engine.executions.measured import Measured
from steadygrid.engine.executions.noise import factors_of
from steadygrid.engine.executions.ordered import Noise
from steadygrid.engine.executions.parts import Period
from tests.engine.executions.seen import example, pair, seen


def follow(period: Period, window: int, instances: int, **how: object) -> Measured:
    rates = [course.allocation.rate for course in period.courses]
    policy = DispatchOrderPolicy(rates, window)
    return dispatched(
        period.courses,
        lambda name: period.capacities.get(name, 1),
        policy,
        instances,
        **how,  # type: ignore[arg-type]
    )


@pytest.mark.parametrize("window", [1, 2, 3, 10])
@pytest.mark.parametrize("overtake", [False, True])
def test_a_chain_is_two_queues_with_a_window(window: int, overtake: bool) -> None:
    _, period = seen(pair(3, 2))
    noise = Noise(0.2, "operation", 4)
    did = follow(period, window, 50, noise=noise, overtake=overtake)
    send, compute = (factors_of(name, *noise) for name in ("M->W", "W"))
    arrivals: list[float] = []
    dates: list[float] = []
    for n in range(50):
        released = dates[n - window] if n >= window else 0.0
        arrivals.append(max(arrivals[-1] if n else 0.0, released) + 2 * send())
        dates.append(max(dates[-1] if n else 0.0, arrivals[-1]) + 3 * compute())
    assert [float(date) for date, _ in did.progress] == pytest.approx(dates, rel=1e-12)
    ready = [sum(one <= start for one in arrivals) for start in arrivals]
    most = max(
        come - sum(max(a, d) < date for a, d in zip(arrivals, [0.0, *dates], strict=False)) - 0
        for come, date in zip(ready, arrivals, strict=True)
    )
    assert did.waiting <= max(1, most)


@pytest.mark.parametrize(("window", "throughput"), [(1, "1/5"), (2, "1/3"), (5, "1/3")])
def test_one_instance_at_a_time_takes_the_sum_and_more_take_the_longest(
    window: int, throughput: str
) -> None:
    _, period = seen(pair(3, 2))
    assert follow(period, window, 101).throughput == Fraction(throughput)


def test_an_operation_overtakes_only_where_it_may() -> None:
    """A relay's files to a busy worker hold the others up, unless they may be overtaken."""
    body = example("master_worker", "send_or_receive")
    _, period = seen(body)
    first, overtaking = (
        follow(period, 100, 1000, overtake=overtake).throughput for overtake in (False, True)
    )
    assert overtaking > first


def test_flows_share_a_link_alike() -> None:
    """Two workers behind one medium of bandwidth 1 get half of it each."""
    body = pair(1, 1)
    body["problem"]["ports"] = "multiport"
    body["problem"]["platform"] = {
        "processors": [{"id": "M"}, {"id": "A", "unit_time": 1}, {"id": "B", "unit_time": 1}],
        "links": [{"source": "M", "target": one, "bandwidth": 1, "media": ["bus"]} for one in "AB"],
        "media": [{"id": "bus", "bandwidth": 1}],
    }
    schedule, period = seen(body)
    assert schedule.throughput == 1
    assert float(follow(period, 6, 400).throughput) == pytest.approx(1)
    assert float(follow(period, 1, 400).throughput) == pytest.approx(1 / 2)


def test_on_demand_keeps_a_single_worker_busy() -> None:
    _, period = seen(pair(3, 2))

    def asked(buffer: int) -> Fraction:
        policy = OnDemandPolicy(1, buffer)
        return dispatched(period.courses, lambda _: 1, policy, 101).throughput

    assert asked(1) == Fraction(1, 3)
    assert asked(4) == Fraction(1, 3)


@pytest.mark.parametrize("kind", ["master_worker", "task_graph", "mono_allocation"])
@pytest.mark.parametrize("ports", ["one_port", "multiport"])
def test_the_dispatch_order_reaches_nearly_the_plan_where_nothing_is_scarce(
    kind: str, ports: str
) -> None:
    schedule, period = seen(example(kind, ports))
    window = sum(course.per_period * course.periods for course in period.courses)
    did = follow(period, window, 2000, overtake=True)
    assert Fraction(99, 100) < did.throughput / schedule.throughput < Fraction(101, 100)
