"""Schedules of one allocation with copies: reconstructed, refereed, replayed."""

from fractions import Fraction
from typing import Any

import pytest

from steadygrid.domain.periods import buffers, first_periods, hop_periods, last_period
from steadygrid.domain.platform import Platform
from steadygrid.domain.schedule import Transfer
from steadygrid.verification.instance_periods import buffers_of, course_of
from tests.draws import draws
from tests.engine.scheduling.copies import ONE, placed, random_copies
from tests.engine.scheduling.replay_copies import CopiesReplay, most_held

DUPLICATIONS = ("none", "tasks", "tasks_and_files")
KL = ("k", "l")


@pytest.mark.parametrize("ports", ["one_port", "multiport"])
@pytest.mark.parametrize("duplication", DUPLICATIONS)
@pytest.mark.parametrize("seed", range(draws(3, 40)))
def test_periods_and_buffers_are_those_of_the_replay(
    seed: int, duplication: Any, ports: Any
) -> None:
    case = random_copies(seed, duplication, ports)
    schedule = case.schedule(whole_files=bool(seed % 2))
    (allocation,) = schedule.allocations
    files = case.steady.sizes
    assert allocation.rate * schedule.period == schedule.instances_per_period
    course = course_of(case.steady, allocation)
    assert first_periods(files, allocation, ports) == course.copies
    hops = hop_periods(files, allocation, ports)
    assert {(i, j): p for i, own in enumerate(hops) for j, p in enumerate(own)} == course.hops
    assert last_period(files, allocation, ports) == course.last == schedule.latency_periods
    counted = buffers(files, allocation, ports)
    assert counted == buffers_of(case.steady, allocation)

    whole = course.last + 2
    replay = CopiesReplay(case.steady, schedule, whole + course.last)
    assert {o: replay.first(o) for o in course.copies} == course.copies
    for operation, period in course.hops.items():
        assert replay.first(operation if ports == "one_port" else (operation[0], 0)) == period
    moments, periods = most_held(replay, whole)
    room = {processor: data * schedule.instances_per_period for processor, data in counted.items()}
    assert periods == room
    for processor, data in moments.items():
        assert data <= room.get(processor, 0)


def test_one_allocation_takes_the_period_of_its_busiest_resource() -> None:
    # A sends the file to C and to D, each for 3: six time units, and everything else is shorter.
    platform = Platform.model_validate(
        {
            "processors": [{"id": name} for name in "ACD"],
            "links": [{"source": "A", "target": name, "unit_time": 1} for name in "CD"],
        }
    )
    times = {"k": {"A": Fraction(5)}, "l": {"C": Fraction(1), "D": Fraction(2)}}
    transfers = [Transfer(KL, ("A", name), ONE) for name in "CD"]
    case = placed(
        platform, "one_port", times, {KL: Fraction(3)}, "tasks", {"k": "A", "l": "CD"}, transfers
    )
    schedule = case.schedule()
    assert (schedule.period, schedule.instances_per_period) == (6, 1)
    assert [slot.duration for slot in schedule.slots] == [3, 3]
    assert not schedule.preempted


@pytest.mark.parametrize("ports", ["one_port", "multiport"])
def test_a_router_that_copies_a_file_receives_it_once(ports: Any) -> None:
    platform = Platform.model_validate(
        {
            "processors": [{"id": name} for name in "AXCD"],
            "links": [
                {"source": "A", "target": "X", "unit_time": 5},
                {"source": "X", "target": "C", "unit_time": 1},
                {"source": "X", "target": "D", "unit_time": 1},
            ],
        }
    )
    times = {"k": {"A": ONE}, "l": {"C": ONE, "D": ONE}}
    size, tasks = {KL: ONE}, {"k": "A", "l": "CD"}
    branch = [Transfer(KL, ("A", "X", "C"), ONE), Transfer(KL, ("X", "D"), ONE)]
    once = placed(platform, ports, times, size, "tasks_and_files", tasks, branch)
    twice = [Transfer(KL, ("A", "X", name), ONE) for name in "CD"]
    again = placed(platform, ports, times, size, "tasks", tasks, twice)
    assert once.schedule(whole_files=False).period == 5
    assert again.schedule(whole_files=False).period == 10
    if ports == "one_port":
        # X sends one of the two files after the other while the next one comes.
        assert once.schedule().period == 5
        runs = once.schedule().runs
        assert runs is not None
        assert [(run.start, run.end, run.receiver) for run in runs] == [
            (0, 1, "C"),
            (0, 5, "X"),
            (1, 2, "D"),
        ]
    else:
        assert once.schedule() == once.schedule(whole_files=False)
        (slot,) = again.schedule().slots
        assert [tuple(transfer) for transfer in slot.transfers] == [
            ("A", "X", KL, 0, 2),
            ("X", "C", KL, 0, 1),
            ("X", "D", KL, 0, 1),
        ]


def test_every_copy_is_computed() -> None:
    platform = Platform.model_validate({"processors": [{"id": name} for name in "AB"], "links": []})
    times = {"k": {"A": Fraction(2), "B": Fraction(3)}, "l": {"A": ONE, "B": ONE}}
    case = placed(platform, "multiport", times, {KL: ONE}, "tasks", {"k": "AB", "l": "BA"}, [])
    schedule = case.schedule()
    assert schedule.period == 4
    assert [(c.processor, c.task, c.start, c.time) for c in schedule.computations] == [
        ("A", "k", 0, 2),
        ("A", "l", 2, 1),
        ("B", "k", 0, 3),
        ("B", "l", 3, 1),
    ]
    assert schedule.slots == ()
    assert schedule.latency_periods == 1
    assert schedule.document["allocations"][0]["tasks"] == {"k": ["A", "B"], "l": ["B", "A"]}
    assert type(schedule).from_document(schedule.document) == schedule
