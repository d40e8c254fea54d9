"""Slots of whole files in a small multiple of the period."""

import random
from collections import defaultdict

import pytest

from steadygrid.engine.scheduling import whole_slots
from steadygrid.engine.scheduling.whole_slots import Lane, smallest_multiple
from steadygrid.engine.solving.control import Control


def check(lanes: list[Lane], length: int, below: int = 10**6) -> int | None:
    """Look for a multiple, and assert that its slots do what they should."""
    found = smallest_multiple(lanes, length, below, Control())
    if found is None:
        return None
    multiple, slots = found
    moved: dict[int, int] = defaultdict(int)
    for slot in slots:
        assert slot.duration > 0
        assert all(files > 0 for files in slot.files.values())
        for k, files in slot.files.items():
            moved[k] += files
            assert files * lanes[k].time <= slot.duration
        for ends in ("sender", "receiver"):
            served = [getattr(lanes[k], ends) for k in slot.files]
            assert len(set(served)) == len(served)
    assert sum(slot.duration for slot in slots) <= length * multiple
    assert moved == {k: lane.files * multiple for k, lane in enumerate(lanes)}
    assert 1 <= multiple < below
    return multiple


def largest_load(lanes: list[Lane]) -> int:
    loads: dict[tuple[str, object], int] = defaultdict(int)
    for lane in lanes:
        loads["send", lane.sender] += lane.time * lane.files
        loads["receive", lane.receiver] += lane.time * lane.files
    return max(loads.values())


def test_files_that_fit_side_by_side_need_one_period() -> None:
    assert check([Lane("A", "B", 2, 1), Lane("C", "D", 1, 2), Lane("A", "D", 3, 1)], 5) == 1


def test_a_file_for_the_whole_period_leaves_one_slot() -> None:
    # The long file fills the period; the two short ones share a sender and need two slots.
    lanes = [Lane("A", "X", 5, 1), Lane("X", "C", 1, 1), Lane("X", "D", 1, 1)]
    assert check(lanes, 5) == 2
    assert check(lanes, 5, below=2) is None


def test_several_ports_without_any_time_to_spare() -> None:
    # A and X are busy all the time, with files of 2 and of 3: both fill slots of 6.
    lanes = [Lane("A", "B", 2, 3), Lane("X", "Y", 3, 2)]
    assert check(lanes, 6) == 1
    # All four ports are: only equal files can be side by side.
    lanes = [Lane("A", "B", 2, 1), Lane("A", "C", 4, 1), Lane("X", "B", 4, 1), Lane("X", "C", 2, 1)]
    assert check(lanes, 6) == 1


@pytest.mark.parametrize("seed", range(30))
def test_slots_of_random_files_are_matchings_that_fit(seed: int) -> None:
    choose = random.Random(seed)
    ports = "ABCDEF"[: choose.randint(2, 6)]
    lanes = [
        Lane(
            choose.choice(ports), choose.choice(ports), choose.randint(1, 30), choose.randint(1, 2)
        )
        for _ in range(choose.randint(1, 14))
    ]
    check(lanes, largest_load(lanes) + choose.choice([0, 0, 5]))


def test_the_search_gives_up_when_it_has_worked_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(whole_slots, "MOST_WORK", 3)
    lanes = [Lane("A", "X", 5, 1), Lane("X", "C", 1, 1), Lane("X", "D", 1, 1)]
    assert check(lanes, 5) is None
