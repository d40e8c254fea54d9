"""The earliest dates, against a search date by date."""

from random import Random

import pytest

from steadygrid.engine.simulation.timetable import Profile, Stage, Timetable
from tests.draws import draws

Reserved = list[tuple[int, int, int]]


def by_hand(reserved: Reserved, capacity: int, date: int, duration: int, share: int) -> int:
    while any(
        sum(part for start, end, part in reserved if start <= now < end) + share > capacity
        for now in range(date, date + duration)
    ):
        date += 1
    return date


@pytest.mark.parametrize("seed", range(10))
def test_a_stretch_is_found_where_a_search_date_by_date_finds_it(seed: int) -> None:
    random = Random(seed)
    capacity = random.randint(1, 6)
    profile = Profile(capacity)
    reserved: Reserved = []
    for _ in range(40):
        date, duration = random.randint(0, 60), random.randint(1, 9)
        share = random.randint(1, capacity)
        start = profile.earliest(date, duration, share)
        assert start == by_hand(reserved, capacity, date, duration, share)
        profile.reserve(start, start + duration, share)
        reserved.append((start, start + duration, share))


@pytest.mark.parametrize("seed", range(draws(5, 20)))
def test_what_was_searched_in_vain_changes_no_answer(seed: int) -> None:
    random = Random(seed)
    capacities = [random.randint(1, 4) for _ in range(3)]
    timetable = Timetable(capacities)
    stages = []
    for _ in range(4):
        resources = sorted(random.sample(range(3), random.randint(1, 3)))
        uses = tuple((r, random.randint(1, capacities[r])) for r in resources)
        stages.append(Stage(random.randint(0, 5), uses))
    reserved: list[Reserved] = [[], [], []]
    for attempt in range(50):
        name = random.randrange(4)
        duration, uses = stages[name]
        ready = random.choice((0, 0, random.randint(0, 60)))
        on_trial = attempt % 3 == 0
        if on_trial:
            timetable.begin_trial()
        for _ in range(1 + on_trial):
            expected = ready
            while duration and any(
                by_hand(reserved[r], capacities[r], expected, duration, share) > expected
                for r, share in uses
            ):
                expected += 1
            assert timetable.earliest(name, stages[name], ready) == expected
            assert timetable.place(name, stages[name], ready) == expected
            if duration:
                for resource, share in uses:
                    reserved[resource].append((expected, expected + duration, share))
        if on_trial:
            timetable.end_trial()
            for resource, _ in uses if duration else ():
                del reserved[resource][-2:]


def test_a_trial_leaves_nothing_behind() -> None:
    timetable = Timetable([3])
    timetable.place("kept", Stage(2, ((0, 1),)), 1)
    before = (list(timetable.profiles[0].dates), list(timetable.profiles[0].free))
    timetable.begin_trial()
    timetable.place("tried", Stage(2, ((0, 2),)), 0)
    timetable.place("tried too", Stage(5, ((0, 3),)), 0)
    timetable.end_trial()
    assert (timetable.profiles[0].dates, timetable.profiles[0].free) == before


def test_looking_reserves_nothing_and_bounds_the_end() -> None:
    timetable = Timetable([3])
    timetable.place("kept", Stage(4, ((0, 2),)), 0)
    timetable.begin_look()
    assert timetable.place("look", Stage(5, ((0, 2),)), 0) == 4
    assert timetable.place("look", Stage(5, ((0, 2),)), 6) == 6
    assert timetable.end_look() == 4 + 7
    assert timetable.place("look", Stage(5, ((0, 2),)), 0) == 4
    timetable.begin_look()
    assert timetable.end_look() == 0


def test_a_resource_in_use_without_holes_stays_two_steps_long() -> None:
    profile = Profile(2)
    for start in range(100):
        profile.reserve(start, start + 1, 2)
    assert profile.dates == [0, 100]
    assert profile.free == [0, 2]


def test_a_stage_without_duration_never_waits() -> None:
    timetable = Timetable([1])
    timetable.place("busy", Stage(9, ((0, 1),)), 0)
    assert timetable.place("instant", Stage(0, ((0, 1),)), 4) == 4
