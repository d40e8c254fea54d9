"""Transfers that overtake, against a simulation of its own that goes from event to event."""

from fractions import Fraction
from random import Random
from typing import Any

import pytest

from steadygrid.domain.dispatch import DispatchOrder
from steadygrid.engine.executions.dispatched import DispatchOrderPolicy, dispatched
from steadygrid.engine.executions.parts import Period
from steadygrid.engine.executions.ports import Overtaking
from tests.engine.executions.seen import seen


def event_by_event(period: Period, window: int, instances: int) -> list[Fraction]:
    """Give the dates of completion: at each end the earliest that finds all free starts, then the next."""
    courses = period.courses
    order = iter(DispatchOrder([course.allocation.rate for course in courses]))
    waiting: list[tuple[int, int]] = []
    running: list[tuple[Fraction, int, int, int]] = []
    used: dict[str, int] = {}
    course_of: list[int] = []
    done: list[set[int]] = []
    complete: list[Fraction] = []
    arrivals: dict[tuple[int, int], int] = {}

    def arrive(one: tuple[int, int]) -> None:
        arrivals[one] = len(arrivals)
        waiting.append(one)
        start_what_can(waiting[-1:])

    def start_what_can(some: list[tuple[int, int]]) -> None:
        for one in some:
            step = courses[course_of[one[0]]].steps[one[1]]
            names = step.resources if step.time else ()
            if all(used.get(name, 0) < period.capacities.get(name, 1) for name in names):
                for name in names:
                    used[name] = used.get(name, 0) + 1
                waiting.remove(one)
                running.append((now + step.time + step.latency, arrivals[one], *one))

    def begin() -> None:
        course_of.append(next(order))
        done.append(set())
        for s, step in enumerate(courses[course_of[-1]].steps):
            if not step.needs:
                arrive((len(done) - 1, s))

    now = Fraction(0)
    for _ in range(window):
        begin()
    while len(complete) < instances:
        first = min(running)
        running.remove(first)
        now, _, i, s = first
        steps = courses[course_of[i]].steps
        for name in steps[s].resources if steps[s].time else ():
            used[name] -= 1
        start_what_can(list(waiting))
        done[i].add(s)
        for after, step in enumerate(steps):
            if s in step.needs and done[i].issuperset(step.needs):
                arrive((i, after))
        if len(done[i]) == len(steps):
            complete.append(now)
            begin()
    return complete


def tree(draw: Random, size: int) -> dict[str, Any]:
    """Draw a tree under the master, whose relays compute and send results back."""
    processors: list[dict[str, Any]] = [{"id": "P0"}]
    links = []
    for n in range(1, size):
        processors.append({"id": f"P{n}", "unit_time": draw.randint(2, 9)})
        ends = {"source": f"P{draw.randrange(n)}", "target": f"P{n}"}
        links.append(ends | {"unit_time": draw.randint(1, 4)})
    return {
        "problem": {
            "kind": "master_worker",
            "platform": {"processors": processors, "links": links},
            "master": "P0",
            "ports": draw.choice(["one_port", "send_or_receive"]),
            "task": {"work": 1, "input_size": 1, "output_size": 1},
        }
    }


def overtaken(body: dict[str, Any], window: int, instances: int) -> tuple[list[Any], list[Any]]:
    _, period = seen(body)
    policy = DispatchOrderPolicy([course.allocation.rate for course in period.courses], window)
    did = dispatched(
        period.courses,
        lambda name: period.capacities.get(name, 1),
        policy,
        instances,
        overtake=True,
    )
    return [date for date, _ in did.progress], event_by_event(period, window, instances)


@pytest.mark.parametrize("seed", range(8))
def test_it_gives_the_dates_of_another_simulation(seed: int) -> None:
    draw = Random(seed)
    dates, expected = overtaken(tree(draw, draw.randint(4, 7)), window=12, instances=120)
    assert dates == expected


def test_the_earliest_arrival_starts_whichever_resource_it_waits_for() -> None:
    ports = Overtaking([1, 1])
    held, early, late = (0, 0, 0), (1, 1, 0), (2, 2, 0)
    assert ports.arrive(held, (0, 1)) == (held,)
    assert ports.arrive(early, (1,)) == ()
    assert ports.arrive(late, (0, 1)) == ()
    assert ports.release((0, 1)) == [early]
    assert ports.release((1,)) == [late]
