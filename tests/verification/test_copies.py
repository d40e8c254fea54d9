"""The referee's rules for copies of tasks and files: what is right passes, each fault is named."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from steadygrid.domain.platform import Platform
from steadygrid.domain.schedule import Allocation, Transfer
from steadygrid.domain.slots import FileName
from steadygrid.verification.allocations import check_allocation
from steadygrid.verification.findings import Findings
from steadygrid.verification.instance_periods import buffers_of, course_of
from steadygrid.verification.network import read_network
from steadygrid.verification.steady import SteadyInstance

ONE = Fraction(1)
HALF = Fraction(1, 2)
JK, KL = ("j", "k"), ("k", "l")
NAMES = "ABCDXY"
PLATFORM = Platform.model_validate(
    {
        "processors": [{"id": name} for name in NAMES],
        "links": [
            {"source": a, "target": b, "unit_time": 1, "duplex": "simplex"}
            for a in NAMES
            for b in NAMES
            if a != b and {a, b} != {"B", "Y"}
        ],
    }
)


def instance(duplication: Any, ports: Any = "one_port") -> SteadyInstance:
    """A chain of three tasks, any of them anywhere but on X and Y."""
    return SteadyInstance(
        read_network(PLATFORM, ports),
        {task: dict.fromkeys("ABCD", ONE) for task in "jkl"},
        {JK: Fraction(2), KL: Fraction(3)},
        duplication=duplication,
    )


Moves = Sequence[tuple[FileName, str, Fraction]]


def allocation(tasks: Mapping[str, str], moves: Moves) -> Allocation:
    return Allocation(
        0,
        ONE,
        ONE,
        {task: tuple(processors) for task, processors in tasks.items()},
        tuple(Transfer(file, tuple(path), share) for file, path, share in moves),
    )


def codes(duplication: Any, tasks: Mapping[str, str], moves: Moves) -> list[str]:
    findings = Findings()
    check_allocation(instance(duplication), allocation(tasks, moves), findings, ("allocation",))
    return [fault.code for fault in findings.faults]


COPIES = {"j": "A", "k": "AB", "l": "BCD"}
"""j runs on A; k there and on B; l on B, on C and on D."""
SENDS = [(JK, "AB", ONE), (KL, "AXC", ONE), (KL, "AXD", ONE)]
BRANCHES = [(JK, "AB", ONE), (KL, "AXC", ONE), (KL, "XD", ONE)]


def test_copies_may_be_sent_a_file_each() -> None:
    assert codes("tasks", COPIES, SENDS) == []


def test_a_file_may_branch_on_its_path_where_files_are_duplicated() -> None:
    assert codes("tasks_and_files", COPIES, BRANCHES) == []


def test_a_share_may_come_from_each_copy_of_the_producer() -> None:
    assert codes("tasks", COPIES, [*SENDS[:2], (KL, "AD", HALF), (KL, "BD", HALF)]) == []


def test_a_router_may_get_a_file_at_the_end_of_a_path_and_send_it_on() -> None:
    moves = [(JK, "AB", ONE), (KL, "XC", ONE), (KL, "AX", ONE), (KL, "XD", ONE)]
    assert codes("tasks_and_files", COPIES, moves) == []


@pytest.mark.parametrize("duplication", ["tasks", "tasks_and_files"])
@pytest.mark.parametrize(
    ("tasks", "moves", "code"),
    [
        (COPIES | {"j": ""}, SENDS[1:2], "no_processor"),
        (COPIES | {"k": "ABA"}, BRANCHES, "repeated_processor"),
        (COPIES | {"l": "BCX"}, BRANCHES[:2], "task_not_allowed"),
        (COPIES, SENDS[:2], "file_does_not_move"),
        (COPIES, SENDS[1:], "file_does_not_move"),
        (COPIES, [*BRANCHES[:2], (KL, "AD", HALF)], "shares_miss_one"),
        (COPIES, [*BRANCHES[:2], (KL, "AD", ONE), (KL, "BD", ONE)], "shares_miss_one"),
        (COPIES, [*BRANCHES[:2], (KL, "AD", ONE), (KL, "AYB", ONE)], "file_stays"),
        (COPIES, [*BRANCHES[:2], (KL, "BYD", ONE)], "missing_link"),
        (COPIES, [*BRANCHES[:2], (KL, "BXAXD", ONE)], "path_repeats"),
        (COPIES, [*BRANCHES[:2], (KL, "D", ONE)], "empty_path"),
        (COPIES, [*BRANCHES[:2], (KL, "", ONE)], "empty_path"),
    ],
)
def test_a_fault_of_copies_is_named(
    duplication: Any, tasks: Mapping[str, str], moves: Moves, code: str
) -> None:
    assert code in codes(duplication, tasks, moves)


@pytest.mark.parametrize(
    ("duplication", "moves", "found"),
    [
        ("none", SENDS, ["duplicated_task", "duplicated_task"]),
        ("tasks", BRANCHES, ["path_start"]),
        ("tasks", [*SENDS, (KL, "AX", ONE)], ["path_end"]),
        ("tasks_and_files", [*BRANCHES, (KL, "AY", ONE)], ["dead_end"]),
        ("tasks_and_files", SENDS, ["sent_again"]),
        (
            "tasks_and_files",
            [*BRANCHES[:2], (KL, "AD", HALF), (KL, "BD", HALF)],
            ["file_split", "file_split"],
        ),
        # Routers that feed each other, and no other processor feeds them.
        (
            "tasks_and_files",
            [*BRANCHES[:1], (KL, "AC", ONE), (KL, "XY", ONE), (KL, "YX", ONE), (KL, "XD", ONE)],
            ["from_nowhere", "from_nowhere", "from_nowhere"],
        ),
    ],
)
def test_what_only_some_duplication_allows_is_named(
    duplication: Any, moves: Moves, found: list[str]
) -> None:
    assert codes(duplication, COPIES, moves) == found


def test_a_split_file_sums_to_one_for_each_receiver_without_copies_as_well() -> None:
    tasks = {"j": "A", "k": "A", "l": "D"}
    assert codes("none", tasks, [(KL, "AD", HALF), (KL, "AXD", HALF)]) == []
    assert codes("none", tasks, [(KL, "AD", HALF)]) == ["shares_miss_one"]


def test_periods_of_copies_follow_the_paths_of_their_files() -> None:
    one_port = instance("tasks_and_files")
    placed = allocation(COPIES, BRANCHES)
    assert course_of(one_port, placed).copies == {
        ("j", "A"): 1,
        ("k", "A"): 2,
        ("k", "B"): 3,
        ("l", "B"): 4,
        ("l", "C"): 5,
        ("l", "D"): 5,
    }
    assert course_of(one_port, placed).hops == {(0, 0): 2, (1, 0): 3, (1, 1): 4, (2, 0): 4}
    multiport = instance("tasks_and_files", "multiport")
    assert course_of(multiport, placed).hops == {(0, 0): 2, (1, 0): 3, (1, 1): 3, (2, 0): 3}
    assert course_of(multiport, placed).last == 4


def test_buffers_of_copies_are_counted_from_getting_to_being_done() -> None:
    placed = allocation(COPIES, BRANCHES)
    # j-k (2): A made 1, used 2, sent 2; B 2 to 3. k-l (3): A 2 to 3; B 3 to 4; X 3 to 4;
    # C and D 4 to 5.
    assert buffers_of(instance("tasks_and_files"), placed) == {
        "A": 4 + 6,
        "B": 4 + 6,
        "X": 6,
        "C": 6,
        "D": 6,
    }
    assert buffers_of(instance("tasks_and_files", "multiport"), placed) == {
        "A": 4 + 6,
        "B": 4 + 6,
        "C": 6,
        "D": 6,
    }


@pytest.mark.parametrize("ports", ["one_port", "multiport"])
def test_what_never_comes_is_held_by_no_processor(ports: Any) -> None:
    placed = allocation(COPIES, [(JK, "AB", ONE), (KL, "XC", ONE), (KL, "YXD", ONE), (KL, "", ONE)])
    assert course_of(instance("tasks_and_files", ports), placed).hops == {(0, 0): 2}
    assert buffers_of(instance("tasks_and_files", ports), placed).keys() == {"A", "B"}


@pytest.mark.parametrize("ports", ["one_port", "multiport"])
def test_what_waits_at_a_fictitious_task_is_not_held(ports: Any) -> None:
    files = {("begin", "task"): ONE, ("task", "end"): ONE}
    steady = SteadyInstance(
        read_network(PLATFORM, ports), {"task": {"B": ONE}}, files, {"begin": ("A",), "end": ("A",)}
    )
    placed = allocation(
        {"task": "B"}, [(("begin", "task"), "AB", ONE), (("task", "end"), "BA", ONE)]
    )
    assert course_of(steady, placed).copies == {("task", "B"): 2}
    held = {"B": Fraction(4)}
    assert buffers_of(steady, placed) == (held | {"A": ONE} if ports == "one_port" else held)


def test_files_without_data_need_no_room() -> None:
    steady = replace(instance("tasks"), sizes={JK: Fraction(0), KL: Fraction(0)})
    assert buffers_of(steady, allocation(COPIES, SENDS)) == {}


def test_a_branch_takes_what_comes_first() -> None:
    # X gets the file from A in 3, and from B, which makes it later, in 4.
    placed = allocation(
        COPIES, [(JK, "AB", ONE), (KL, "BXD", ONE), (KL, "XY", ONE), (KL, "AXC", ONE)]
    )
    hops = {(0, 0): 2, (1, 0): 4, (1, 1): 5, (2, 0): 4, (3, 0): 3, (3, 1): 4}
    assert course_of(instance("tasks_and_files"), placed).hops == hops
    flows = {(0, 0): 2, (1, 0): 4, (1, 1): 4, (2, 0): 3, (3, 0): 3, (3, 1): 3}
    assert course_of(instance("tasks_and_files", "multiport"), placed).hops == flows


FROM_A: FileName = ("from", "to")


def spread(ports: Any = "one_port") -> SteadyInstance:
    """A file that begins on A and ends on B, C and D, sent on by these and by X, not by Y."""
    ends = {"from": ("A",), "to": ("B", "C", "D")}
    network = read_network(PLATFORM, ports)
    return SteadyInstance(network, {}, {FROM_A: ONE}, ends, relays=frozenset("ABCDX"))


def tree(*paths: str) -> Allocation:
    return allocation({}, [(FROM_A, path, ONE) for path in paths])


TREES = [
    (("AB", "BC", "CYD"), []),
    (("AXB", "AXC", "AYD"), []),
    (("AX", "XB", "XC", "CD"), []),
    (("AB", "BC"), ["file_does_not_move"]),
    (("AB", "BC", "CD", "DX"), ["dead_end"]),
    (("AB", "BC", "CD", "AD"), ["shares_miss_one"]),
    (("AB", "CD", "DC"), ["from_nowhere", "from_nowhere"]),
    (("AYC", "YD", "CB"), ["from_nowhere"]),
    (("AB", "BC", "CD", "BA"), ["file_stays"]),
]


@pytest.mark.parametrize(("paths", "found"), TREES)
def test_a_file_may_be_sent_on_to_all_who_use_it(paths: tuple[str, ...], found: list[str]) -> None:
    findings = Findings()
    check_allocation(spread(), tree(*paths), findings, ())
    assert [fault.code for fault in findings.faults] == found


def test_who_sends_a_file_on_has_it_first() -> None:
    sent = tree("CYD", "AXC", "AB")
    hops = {(0, 0): 3, (0, 1): 4, (1, 0): 1, (1, 1): 2, (2, 0): 1}
    assert course_of(spread(), sent).hops == hops
    assert set(course_of(spread("multiport"), sent).hops.values()) == {1}
