"""Allocations that do not all run the same: a view for each, and sums for each stream.

A processor sends each other one a message of its own, a small collective operation: one
instance of the schedule is one of every message, and each allocation carries one of them.
"""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from steadygrid.domain.errors import Fault
from steadygrid.domain.job import Options
from steadygrid.domain.platform import Platform
from steadygrid.domain.schedule import (
    Allocation,
    Schedule,
    ScheduleLimits,
    Transfer,
)
from steadygrid.domain.slots import Slot, SlotTransfer
from steadygrid.verification.findings import Findings
from steadygrid.verification.fitting import Demand
from steadygrid.verification.network import read_network
from steadygrid.verification.periodic import verify_periodic
from steadygrid.verification.start_ups import ungrouped
from steadygrid.verification.steady import SteadyInstance, Views
from tests.verification.answers import links

F = Fraction
ONE, RATE = F(1), F(1, 3)
SIZES = {"B": F(1), "C": F(2)}
PLATFORM = Platform.model_validate(
    {"processors": [{"id": name} for name in "ABC"], "links": links("A B", "A C", "B C")}
)
NETWORK = read_network(PLATFORM, "one_port")
FILES = {receiver: ("message", receiver) for receiver in SIZES}


def receiver_of(allocation: Allocation) -> str:
    return allocation.transfers[0].file[1]


def view_of(allocation: Allocation) -> SteadyInstance:
    """Only the file of its own message; it begins at A and ends where it is for."""
    receiver = receiver_of(allocation)
    size = SIZES.get(receiver, ONE)
    return SteadyInstance(
        NETWORK, {}, {("message", receiver): size}, {"message": ("A",), receiver: (receiver,)}
    )


VIEWS = Views(NETWORK, [*FILES.values()], view_of, dict.fromkeys(SIZES, F(1)), receiver_of)


def allocation(index: int, path: str, rate: Fraction = RATE, count: int = 1) -> Allocation:
    file = ("message", path[-1])
    return Allocation(index, rate, F(count), {}, (Transfer(file, tuple(path), ONE),))


def slot(start: int, duration: int, sender: str, receiver: str, index: int) -> Slot:
    hop = SlotTransfer(sender, receiver, FILES[receiver], index, ONE)
    return Slot(F(start), F(duration), (hop,))


def scattered(**changes: Any) -> Schedule:
    """In a period of 3, A sends B one unit of data, then C two."""
    schedule = Schedule(
        F(3), ONE, RATE, RATE, F(0), None, "one_port", 0, 1, False, tuple(FILES.values()),
        (allocation(0, "AB"), allocation(1, "AC")), (),
        (slot(0, 1, "A", "B", 0), slot(1, 2, "A", "C", 1)),
    )  # fmt: skip
    return replace(schedule, **changes)


def demanded(schedule: Schedule) -> Demand:
    return Demand(VIEWS, schedule, whole=True, steady=ungrouped(schedule))


def faults(schedule: Schedule, **options: Any) -> list[Fault]:
    findings = Findings()
    verify_periodic(VIEWS, schedule, findings, RATE, Options(**options))
    return findings.faults


def codes(schedule: Schedule, **options: Any) -> set[str]:
    return {fault.code for fault in faults(schedule, **options)}


def test_every_stream_has_as_many_instances_as_the_schedule() -> None:
    assert faults(scattered()) == []


def test_rates_that_are_right_in_all_but_not_for_each_stream_are_refused() -> None:
    uneven = (allocation(0, "AB", RATE / 2), allocation(1, "AC", RATE * 3 / 2))
    found = faults(scattered(allocations=uneven))
    told = [fault.detail for fault in found if fault.code == "rates_miss_throughput"]
    assert len(told) == 2
    assert "allocations of 'B' sum to 1/6" in told[0]
    assert "allocations of 'C' sum to 1/2" in told[1]


def test_counts_that_are_right_in_all_but_not_for_each_stream_are_refused() -> None:
    uneven = (allocation(0, "AB", count=0), allocation(1, "AC", count=2))
    assert "wrong_instances" in codes(scattered(allocations=uneven))


def test_a_stream_without_any_allocation_is_missed() -> None:
    alone = scattered(allocations=(allocation(1, "AC"),), slots=(slot(1, 2, "A", "C", 1),))
    found = faults(alone)
    assert {fault.code for fault in found} == {"wrong_instances", "rates_miss_throughput"}
    assert all("'B'" in fault.detail for fault in found)


def test_an_allocation_of_no_stream_is_refused() -> None:
    more = (*scattered().allocations, allocation(2, "CA", F(0), 0))
    assert codes(scattered(allocations=more)) >= {"unknown_stream"}


def test_an_allocation_moves_only_the_files_of_its_own_view() -> None:
    first, second = scattered().allocations
    both = first._replace(transfers=(*first.transfers, *second.transfers))
    assert codes(scattered(allocations=(both, second))) == {"unknown_file"}


def test_a_transfer_takes_as_long_as_its_own_file_is_large() -> None:
    short = (slot(0, 2, "A", "B", 0), slot(2, 1, "A", "C", 1))
    assert codes(scattered(slots=short)) == {"transfer_past_slot"}


def test_the_longest_view_makes_the_latency() -> None:
    detour = (allocation(0, "AB"), allocation(1, "ABC"))
    hops = (
        slot(0, 1, "A", "B", 0),
        Slot(F(1), F(2), (SlotTransfer("A", "B", FILES["C"], 1, ONE),)),
        Slot(F(3), F(2), (SlotTransfer("B", "C", FILES["C"], 1, ONE),)),
    )
    found = codes(scattered(allocations=detour, slots=hops))
    assert found >= {"wrong_latency", "wrong_prologue"}


@pytest.mark.parametrize("index", [0, 1])
def test_files_are_whole_or_not_per_view(index: int) -> None:
    halves = list(scattered().slots)
    start, duration, (whole,) = halves[index]
    half = whole._replace(count=F(1, 2))
    halves[index : index + 1] = [
        Slot(start, duration / 2, (half,)),
        Slot(start + duration / 2, duration / 2, (half,)),
    ]
    split = scattered(slots=tuple(halves), preempted=True)
    assert codes(split, whole_files=False) == set()
    assert codes(split, whole_files=True) == {"part_of_file"}


def test_rounding_down_loses_what_the_stream_with_the_least_loses() -> None:
    split = (
        allocation(0, "AB", RATE / 2),
        allocation(1, "ABC", RATE / 3),
        allocation(2, "AC", RATE * 2 / 3),
        allocation(3, "AB", RATE / 2),
    )
    demand = demanded(scattered(allocations=split))
    assert demand.period == 18
    assert demand.throughput_rounded_down(F(18)) == RATE
    assert demand.throughput_rounded_down(F(6)) == F(1, 6)
    assert demand.throughput_rounded_down(F(9)) == F(2, 9)


def test_something_runs_only_if_one_allocation_of_each_stream_can_be_listed() -> None:
    demand = demanded(scattered())
    assert demand.can_run(ScheduleLimits(max_slot_transfers=2))
    assert not demand.can_run(ScheduleLimits(max_slot_transfers=1))
    alone = demanded(scattered(allocations=(allocation(0, "AB"),)))
    assert not alone.can_run(ScheduleLimits())
