"""The rules for periodic schedules know nothing of the kind: here, a fork-join graph."""

from dataclasses import replace
from fractions import Fraction

import pytest

from steadygrid.domain.job import Options
from steadygrid.domain.platform import Platform
from steadygrid.domain.schedule import (
    Allocation,
    Computation,
    Schedule,
    Transfer,
)
from steadygrid.domain.slots import Slot, SlotTransfer
from steadygrid.verification.findings import Findings
from steadygrid.verification.network import read_network
from steadygrid.verification.periodic import verify_periodic
from steadygrid.verification.steady import SteadyInstance, views_of_one_application
from tests.verification.answers import changed, links

T12, T13, T24, T34 = ("T1", "T2"), ("T1", "T3"), ("T2", "T4"), ("T3", "T4")
SIZES = {T12: Fraction(1, 2), T13: Fraction(1, 2), T24: Fraction(1), T34: Fraction(1)}
PLATFORM = Platform.model_validate(
    {
        "processors": [{"id": f"P{i}"} for i in range(1, 6)],
        "links": links("P1 P2", "P1 P3", "P2 P4", "P2 P5", "P3 P4", "P3 P5"),
    }
)
INSTANCE = SteadyInstance(
    read_network(PLATFORM, "one_port"),
    {
        "T1": {"P1": Fraction(1)},
        "T2": {"P2": Fraction(1)},
        "T3": {"P3": Fraction(1)},
        "T4": {"P4": Fraction(2), "P5": Fraction(2)},
    },
    SIZES,
)


def fork_join() -> Schedule:
    """RR-4870, figures 9 and 14: two allocations that differ in where T4 runs."""
    allocations = tuple(
        Allocation(
            index,
            Fraction(1, 2),
            Fraction(1),
            {"T1": ("P1",), "T2": ("P2",), "T3": ("P3",), "T4": (last,)},
            (
                Transfer(T12, ("P1", "P2"), Fraction(1)),
                Transfer(T13, ("P1", "P3"), Fraction(1)),
                Transfer(T24, ("P2", last), Fraction(1)),
                Transfer(T34, ("P3", last), Fraction(1)),
            ),
        )
        for index, last in enumerate(("P4", "P5"))
    )
    computations = [
        Computation(f"P{i}", f"T{i}", index, Fraction(1), Fraction(index), Fraction(1))
        for i in (1, 2, 3)
        for index in (0, 1)
    ]
    computations += [
        Computation(last, "T4", index, Fraction(1), Fraction(0), Fraction(2))
        for index, last in enumerate(("P4", "P5"))
    ]
    moves = [
        (("P1", "P2", T12, 0), ("P2", "P4", T24, 0), ("P3", "P5", T34, 1)),
        (("P1", "P3", T13, 0), ("P2", "P4", T24, 0), ("P3", "P5", T34, 1)),
        (("P1", "P2", T12, 1), ("P2", "P5", T24, 1), ("P3", "P4", T34, 0)),
        (("P1", "P3", T13, 1), ("P2", "P5", T24, 1), ("P3", "P4", T34, 0)),
    ]
    slots = tuple(
        Slot(
            Fraction(i, 2),
            Fraction(1, 2),
            tuple(SlotTransfer(*move, Fraction(1, 2) / SIZES[move[2]]) for move in slot),
        )
        for i, slot in enumerate(moves)
    )
    return Schedule(
        Fraction(2), Fraction(2), Fraction(1), Fraction(1), Fraction(0), None, "one_port", 4, 5, True, tuple(SIZES), allocations,
        tuple(computations), slots,
    )  # fmt: skip


def codes(schedule: Schedule, instance: SteadyInstance = INSTANCE) -> set[str]:
    findings = Findings()
    verify_periodic(
        views_of_one_application(instance),
        schedule,
        findings,
        Fraction(1),
        Options(whole_files=False),
    )
    return {fault.code for fault in findings.faults}


def test_a_fork_join_schedule_is_accepted():
    assert codes(fork_join()) == set()


def test_the_order_in_which_files_are_listed_does_not_matter():
    backwards = replace(INSTANCE, sizes=dict(reversed(SIZES.items())))
    assert codes(replace(fork_join(), files=(T34, T24, T13, T12)), backwards) == set()


def test_a_longer_branch_of_a_join_makes_the_prologue():
    detour = replace(
        INSTANCE,
        network=read_network(
            PLATFORM.model_copy(
                update={
                    "processors": (*PLATFORM.processors, PLATFORM.processors[0].model_copy(
                        update={"id": "R"})),
                    "links": (*PLATFORM.links, *Platform.model_validate(
                        {"processors": [{"id": "R"}], "links": links("P3 R", "R P5")}).links),
                }
            ),
            "one_port",
        ),
    )  # fmt: skip
    schedule = changed(
        fork_join(), ["allocations", "1", "transfers", "3", "path"], ("P3", "R", "P5")
    )
    for slot in ("0", "1"):
        for receiver_first in (("slots", slot, "transfers", "2", "receiver"),):
            schedule = changed(schedule, receiver_first, "R")

    for slot in ("0", "1"):
        schedule = changed(
            schedule,
            ["slots", slot, "transfers"],
            lambda moves: (*moves, SlotTransfer("R", "P5", T34, 1, Fraction(1, 2))),
        )
    assert codes(schedule, detour) == {"wrong_prologue", "wrong_latency"}
    assert codes(replace(schedule, prologue_periods=5, latency_periods=6), detour) == set()


@pytest.mark.parametrize(
    ("path", "value", "code"),
    [
        # the join would get files of different allocations
        (["slots", "0", "transfers", "1", "allocation"], 1, "unknown_move"),
        (["allocations", "0", "transfers", "2", "path"], ("P2", "P5"), "path_end"),
        (["allocations", "0", "tasks", "T2"], ("P3",), "task_not_allowed"),
        (["slots", "2", "transfers", "1", "count"], Fraction(1, 4), "wrong_count"),
        (["computations", "1", "start"], Fraction(1, 2), "computations_overlap"),
        (["prologue_periods"], 3, "wrong_prologue"),
    ],
)
def test_faults_of_a_join_are_found(path, value, code):
    assert code in codes(changed(fork_join(), path, value))


def test_a_file_may_be_split_over_two_paths():
    platform = Platform.model_validate(
        {
            "processors": [{"id": name} for name in "ABCD"],
            "links": links("A B", "A C", "B D", "C D", duplex="simplex"),
        }
    )
    file = ("k", "l")
    instance = SteadyInstance(
        read_network(platform, "one_port"),
        {"k": {"A": Fraction(0)}, "l": {"D": Fraction(0)}},
        {file: Fraction(1)},
    )
    allocation = Allocation(
        0, Fraction(1), Fraction(1), {"k": ("A",), "l": ("D",)},
        (Transfer(file, ("A", "B", "D"), Fraction(1, 2)), Transfer(file, ("A", "C", "D"), Fraction(1, 2))),
    )  # fmt: skip
    half = Fraction(1, 2)
    slots = (
        Slot(Fraction(0), half, (SlotTransfer("A", "B", file, 0, half), SlotTransfer("C", "D", file, 0, half))),
        Slot(half, half, (SlotTransfer("A", "C", file, 0, half), SlotTransfer("B", "D", file, 0, half))),
    )  # fmt: skip
    computations = tuple(
        Computation(processor, task, 0, Fraction(1), Fraction(0), Fraction(0)) for processor, task in (("A", "k"), ("D", "l"))
    )  # fmt: skip
    schedule = Schedule(
        Fraction(1), Fraction(1), Fraction(1), Fraction(1), Fraction(0), None, "one_port", 3, 4, True, (file,), (allocation,),
        computations, slots,
    )  # fmt: skip
    assert codes(schedule, instance) == set()
    assert "wrong_count" in codes(
        changed(schedule, ["slots", "0", "transfers", "0", "count"], Fraction(1, 3)), instance
    )
