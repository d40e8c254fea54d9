"""Periods of operations, and what waits between them."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import pytest

from steadygrid.domain.periods import buffers, first_periods, hop_periods, last_period
from steadygrid.domain.schedule import Allocation, Transfer
from steadygrid.domain.slots import FileName

ONE = Fraction(1)
HALF = Fraction(1, 2)
KL = ("k", "l")


def allocation(
    tasks: Mapping[str, str], moves: Sequence[tuple[FileName, str, Fraction]] = ()
) -> Allocation:
    """Tasks and paths by processors of one letter."""
    return Allocation(
        0,
        ONE,
        ONE,
        {task: tuple(processors) for task, processors in tasks.items()},
        tuple(Transfer(file, tuple(path), share) for file, path, share in moves),
    )


FORK_JOIN = [("a", "b"), ("a", "c"), ("b", "d"), ("c", "d")]


def test_every_operation_waits_for_the_period_after_what_it_needs() -> None:
    moved = allocation(
        {"a": "P", "b": "R", "c": "P", "d": "R"},
        [(("a", "b"), "PQR", ONE), (("c", "d"), "PR", ONE)],
    )
    assert first_periods(FORK_JOIN, moved, "one_port") == {
        ("a", "P"): 1,
        ("b", "R"): 4,
        ("c", "P"): 2,
        ("d", "R"): 5,
    }
    assert hop_periods(FORK_JOIN, moved, "one_port") == ((2, 3), (3,))
    assert first_periods(FORK_JOIN, moved, "multiport") == {
        ("a", "P"): 1,
        ("b", "R"): 3,
        ("c", "P"): 2,
        ("d", "R"): 4,
    }
    assert hop_periods(FORK_JOIN, moved, "multiport") == ((2, 2), (3,))
    assert last_period(FORK_JOIN, moved, "multiport") == 4


def test_fictitious_tasks_take_no_period() -> None:
    files = [("begin", "task"), ("task", "end")]
    moved = allocation(
        {"task": "W"}, [(("begin", "task"), "MRW", ONE), (("task", "end"), "WM", ONE)]
    )
    assert first_periods(files, moved, "one_port") == {("task", "W"): 3}
    assert hop_periods(files, moved, "one_port") == ((1, 2), (4,))
    assert last_period(files, moved, "one_port") == 4
    assert last_period(files, moved, "multiport") == 3
    assert last_period(files, allocation({"task": "M"}), "one_port") == 1
    assert last_period([], allocation({}), "one_port") == 1


def test_a_cycle_of_files_has_no_first_period() -> None:
    with pytest.raises(ValueError, match="cycle"):
        first_periods([("a", "b"), ("b", "a")], allocation({"a": "P", "b": "P"}), "one_port")


def test_a_file_that_is_not_sent_where_it_is_needed_has_no_period() -> None:
    with pytest.raises(ValueError, match="not sent to 'Q'"):
        first_periods([KL], allocation({"k": "P", "l": "PQ"}), "one_port")


@pytest.mark.parametrize("ports", ["one_port", "multiport"])
def test_routers_that_only_feed_each_other_have_nothing_to_send(ports: Any) -> None:
    placed = allocation({"k": "A", "l": "C"}, [(KL, "BC", ONE), (KL, "CB", ONE)])
    with pytest.raises(ValueError, match="never is"):
        first_periods([KL], placed, ports)


def test_a_copy_takes_the_file_that_is_made_on_its_own_processor() -> None:
    files = [("j", "k"), KL]
    placed = allocation({"j": "A", "k": "AB", "l": "BC"}, [(files[0], "AB", ONE), (KL, "AC", ONE)])
    assert first_periods(files, placed, "one_port") == {
        ("j", "A"): 1,
        ("k", "A"): 2,
        ("k", "B"): 3,
        ("l", "B"): 4,
        ("l", "C"): 4,
    }


def test_a_split_file_is_there_when_its_slowest_share_is() -> None:
    placed = allocation({"k": "A", "l": "D"}, [(KL, "AD", HALF), (KL, "ABCD", HALF)])
    assert first_periods([KL], placed, "one_port")["l", "D"] == 5
    assert first_periods([KL], placed, "multiport")["l", "D"] == 3


def test_a_branch_leaves_where_the_file_comes_by_first() -> None:
    # Two copies of k make the file, in periods 1 and 3; X gets it from both.
    files = [("i", "k"), KL]
    placed = allocation(
        {"i": "B", "k": "AB", "l": "DEF"},
        [
            (files[0], "BPQA", ONE),
            (KL, "AXE", ONE),
            (KL, "BYXF", ONE),
            (KL, "XD", ONE),
        ],
    )
    assert first_periods(files, placed, "one_port") == {
        ("i", "B"): 1,
        ("k", "A"): 5,
        ("k", "B"): 2,
        ("l", "D"): 6,
        ("l", "E"): 8,
        ("l", "F"): 6,
    }
    assert hop_periods(files, placed, "one_port") == ((2, 3, 4), (6, 7), (3, 4, 5), (5,))
    assert hop_periods(files, placed, "multiport") == ((2, 2, 2), (4, 4), (3, 3, 3), (3,))


def test_a_file_that_stays_is_held_while_it_is_made_and_used() -> None:
    sizes = {KL: Fraction(3)}
    assert buffers(sizes, allocation({"k": "A", "l": "A"}), "one_port") == {"A": 6}
    assert buffers({KL: Fraction(0)}, allocation({"k": "A", "l": "A"}), "one_port") == {}


def test_a_router_holds_what_it_passes_on_under_one_port_only() -> None:
    sizes = {KL: Fraction(3)}
    placed = allocation({"k": "A", "l": "C"}, [(KL, "ABC", ONE)])
    assert buffers(sizes, placed, "one_port") == {"A": 6, "B": 6, "C": 6}
    assert buffers(sizes, placed, "multiport") == {"A": 6, "C": 6}


def test_shares_wait_for_each_other_where_they_are_needed() -> None:
    # Periods: k 1; D gets its shares in 2 and in 4; l 5.
    placed = allocation({"k": "A", "l": "D"}, [(KL, "AD", HALF), (KL, "ABCD", HALF)])
    assert buffers({KL: ONE}, placed, "one_port") == {"A": 2, "B": 1, "C": 1, "D": 3}
    assert buffers({KL: ONE}, placed, "multiport") == {"A": 2, "D": 2}


def test_a_file_waits_for_a_join() -> None:
    files = {("a", "b"): ONE, ("a", "c"): ONE, ("b", "d"): ONE, ("c", "d"): ONE}
    placed = allocation(
        {"a": "P", "b": "R", "c": "P", "d": "P"},
        [(("a", "b"), "PQR", ONE), (("b", "d"), "RP", ONE)],
    )
    # a 1, hops 2 and 3, b 4, hop 5, c 2, d 6.
    # P: a-b 1..2, a-c 1..2, c-d 2..6, b-d 5..6; Q: a-b 2..3; R: a-b 3..4, b-d 4..5.
    assert buffers(files, placed, "one_port") == {"P": 2 + 2 + 5 + 2, "Q": 2, "R": 4}


def test_a_router_holds_a_file_until_its_last_branch_has_left() -> None:
    # X gets the file in 2, passes it on to C in 3; Y gets it in 3 as well and sends it on in 4.
    placed = allocation(
        {"k": "A", "l": "CDE"}, [(KL, "AXC", ONE), (KL, "XYE", ONE), (KL, "YD", ONE)]
    )
    assert buffers({KL: ONE}, placed, "one_port") == {
        "A": 2, "X": 2, "Y": 2, "C": 2, "D": 2, "E": 2,
    }  # fmt: skip
    assert buffers({KL: ONE}, placed, "multiport") == {"A": 2, "C": 2, "D": 2, "E": 2}


def test_a_user_holds_what_it_also_passes_on_until_both_are_done() -> None:
    # C gets the file in 2 and sends it on in 3; l waits there for j, which comes in 4.
    files = {KL: ONE, ("j", "l"): Fraction(10)}
    placed = allocation(
        {"j": "H", "k": "A", "l": "CD"},
        [
            (KL, "AC", ONE),
            (KL, "CD", ONE),
            (("j", "l"), "HGFC", ONE),
            (("j", "l"), "FD", ONE),
        ],
    )
    # l runs on C and on D in 5; the file j-l comes to F in 3.
    assert buffers(files, placed, "one_port") == {
        "A": 2,
        "C": 4 + 20,
        "D": 3 + 20,
        "F": 20,
        "G": 20,
        "H": 20,
    }


def test_what_waits_at_a_fictitious_task_is_not_counted() -> None:
    files = {("begin", "task"): ONE, ("task", "end"): ONE}
    moved = allocation(
        {"task": "W"}, [(("begin", "task"), "MW", ONE), (("task", "end"), "WM", ONE)]
    )
    # W: the input from 1 to 2, the output from 2 to 3; M gets the output in 3.
    assert buffers(files, moved, "one_port") == {"W": 4, "M": 1}
    assert buffers(files, moved, "multiport") == {"W": 4}
