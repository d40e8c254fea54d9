"""Periods and times with too many digits to print, and what has to give way for them."""

import random
from fractions import Fraction

import pytest

from steadygrid.domain.platform import PortModel
from steadygrid.domain.rounding import num_digits
from steadygrid.engine.scheduling import (
    Plan,
    ScheduleLimits,
    Workload,
)
from tests.engine.scheduling.checks import (
    INPUT,
    platform,
    rebuild,
    way_plan,
)


def star(size: int, load: int) -> tuple[Workload, list[Plan]]:
    """A master whose port is busy for part of the time with files of unrelated times."""
    choose = random.Random(size)
    ids = [f"W{i}" for i in range(size)]
    links = [
        {
            "source": "M",
            "target": i,
            "unit_time": Fraction(
                choose.randrange(10**50, 10**51), choose.randrange(10**50, 10**51)
            ),
        }
        for i in ids
    ]
    world = platform([{"id": i} for i in ("M", *ids)], links)
    workload = Workload(
        world, "one_port", lambda task, processor: Fraction(1, 100), {INPUT: Fraction(1)}
    )
    return workload, [way_plan(Fraction(1, load), ("M", i)) for i in ids]


def test_times_too_long_to_print_are_rounded() -> None:
    workload, plans = star(130, 2000)
    answer = rebuild(workload, plans)
    assert "too long to print" in answer.notes[0]
    assert answer.schedule.loss <= Fraction(1, 100)
    assert all(num_digits(slot.start) < 40 for slot in answer.schedule.slots)


def full_port(ports: PortModel) -> tuple[Workload, list[Plan], Fraction]:
    """Two plans that use up one link; only in a long period do both run whole instances."""
    workload, plans = star(1, 1)
    time = workload.platform.arcs[0].unit_time
    rates = Fraction(1000, 1999) / time, Fraction(999, 1999) / time
    workload = Workload(workload.platform, ports, workload.task_time, workload.file_sizes)
    return workload, [plans[0]._replace(rate=rate) for rate in rates], time


@pytest.mark.parametrize("ports", ["one_port", "multiport"])
def test_a_period_that_must_be_used_up_is_not_rounded(ports: PortModel) -> None:
    workload, plans, time = full_port(ports)
    limits = ScheduleLimits(max_period_digits=20)
    schedule = rebuild(workload, plans, limits=limits, max_period=1999 * time).schedule
    assert (schedule.loss, schedule.rounding_loss) == (0, 0)
    assert (schedule.period / time).denominator == 1


@pytest.mark.parametrize("ports", ["one_port", "multiport"])
def test_a_period_that_cannot_be_printed_leaves_some_room(
    ports: PortModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    workload, plans, time = full_port(ports)
    monkeypatch.setattr("steadygrid.engine.scheduling.case.PRINTABLE_DIGITS", 30)
    limits = ScheduleLimits(max_period_digits=20)
    schedule = rebuild(workload, plans, limits=limits, max_period=1999 * time).schedule
    assert schedule.period < 1999 * time
    assert schedule.instances_per_period == 1998
    assert num_digits(schedule.period) < 40
