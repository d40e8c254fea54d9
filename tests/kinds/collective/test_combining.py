"""What the referee asks of a message that is combined: a right in-tree, and one thing changed in it."""

from collections.abc import Iterable
from fractions import Fraction

import pytest

from steadygrid.domain.combination import Combination
from steadygrid.domain.platform import Platform
from steadygrid.domain.schedule import Allocation, Transfer
from steadygrid.kinds.collective.referee_combining import check_combining
from steadygrid.kinds.collective.referee_trees import check_tree
from steadygrid.kinds.collective.referee_views import Moving, message_views
from steadygrid.verification.allocations import check_allocation
from steadygrid.verification.findings import Findings
from steadygrid.verification.network import read_network
from steadygrid.verification.occupation import occupation
from tests.verification.answers import links

ONE = Fraction(1)
PLATFORM = Platform.model_validate(
    {
        "processors": [*({"id": name} for name in "abcd"), {"id": "S", "switch": True}],
        "links": links("a b", "b c", "c d", "a S", "b S", "c S", "d S", duplex="full"),
    }
)
NETWORK = read_network(PLATFORM, "one_port")
COPIERS = frozenset("abcd")
SOURCES = "abcd"
WAYS = ("c:c>b", "d:d>c", "d:c>S>b", "--0:b>a")
"""To b comes what c has, and by way of c what d has; a gets what b made of both."""
COMBINED = ("b=c+d+b", "a=--0+a")
TIMES = {"a": Fraction(1, 2), "b": Fraction(1, 3)}


def tree(ways: Iterable[str], combined: Iterable[str], *, timed: bool = False) -> Allocation:
    listed = (way.split(":") for way in ways)
    steps = [one.split("=") for one in combined]
    combinations = tuple(
        Combination(k, place, tuple(operands.split("+")))
        for k, (place, operands) in enumerate(steps)
    )
    transfers = (Transfer(("data", data), tuple(path.split(">")), ONE) for data, path in listed)
    tasks = {one.outcome: (one.processor,) for one in combinations} if timed else {}
    return Allocation(0, ONE, ONE, tasks, tuple(transfers), None, "data", combinations)


RIGHT = tree(WAYS, COMBINED)


def codes(
    allocation: Allocation, sources: str = SOURCES, receiver: str = "a", *, timed: bool = False
) -> set[str]:
    findings = Findings()
    messages = {"data": Moving(tuple(sources), (receiver,), Fraction(2))}
    views = message_views(NETWORK, messages, COPIERS, TIMES if timed else None)
    check_allocation(views.of(allocation), allocation, findings, ())
    check_tree(allocation, COPIERS, findings, ())
    check_combining(sources, COPIERS, allocation, findings, ())
    return {fault.code for fault in findings.faults}


def instead(listed: tuple[str, ...], position: int, *others: str) -> tuple[str, ...]:
    return (*listed[:position], *others, *listed[position + 1 :])


def test_right_combinations_are_accepted() -> None:
    assert codes(RIGHT) == set()
    assert codes(tree(WAYS, COMBINED, timed=True), timed=True) == set()
    assert codes(tree(WAYS[:3], ["b=c+d+b"]), "bcd", "b") == set()
    assert codes(tree(("a:a>b", "--0:b>a"), ["b=a+b"]), "ab") == set()


def test_what_the_only_source_has_is_sent_without_any_combination() -> None:
    assert codes(tree(["c:c>b", "c:b>a"], []), "c") == set()
    assert codes(tree([], []), "c") == {"file_does_not_move"}
    assert codes(tree(["c:c>b"], []), "c") == {"dead_end", "file_does_not_move"}


FAULTS = [
    ("not_combined", WAYS, ("b=c+d", "a=--0+a")),
    ("not_combined", WAYS, ("b=c+d+b",)),
    ("not_combined", (*WAYS, "c:b>a"), ("b=d+b", "a=--0+a")),
    ("not_combined", ("b:b>a", "c:c>b", "c:b>a", "d:d>c", "d:c>b", "d:b>a"), ()),
    ("used_twice", WAYS, ("b=c+d+b", "a=--0+a+a")),
    ("used_twice", WAYS, ("b=c+d+b", "b=--0+c", "a=--1+a")),
    ("unknown_operand", WAYS, ("b=c+d+b+S", "a=--0+a")),
    ("unknown_operand", WAYS, ("b=c+d+--1", "a=--0+a+b")),
    ("unknown_operand", WAYS, ("b=c+d+b+--0", "a=--0+a")),
    ("too_few_operands", WAYS, ("b=c+d+b", "b=--0", "a=--1+a")),
    ("may_not_combine", ("c:c>S", "d:d>S", "b:b>S", "--0:S>a"), ("S=c+d+b", "a=--0+a")),
    ("file_does_not_move", WAYS[1:], COMBINED),
    ("file_does_not_move", WAYS[:3], COMBINED),
    ("file_does_not_move", WAYS, ("b=c+d+b", "b=--0+a")),
    ("file_does_not_move", WAYS[:3], ("b=c+d+b+a",)),
    ("from_nowhere", instead(WAYS, 1), COMBINED),
    ("from_nowhere", instead(WAYS, 3, "--0:c>b", "--0:b>a"), COMBINED),
    ("from_nowhere", instead(WAYS, 1, "d:d>S", "d:S>c"), COMBINED),
    ("dead_end", (*WAYS, "--0:b>c"), COMBINED),
    ("dead_end", instead(WAYS, 1, "d:d>S", "d:S>c"), COMBINED),
    ("file_stays", (*WAYS, "--0:a>b"), COMBINED),
    ("missing_link", instead(WAYS, 1, "d:d>b"), COMBINED),
    ("unknown_file", (*WAYS, "--2:b>a"), COMBINED),
    ("unknown_file", (*WAYS, "--sum:a>b"), COMBINED),
    ("passes_copier", instead(WAYS, 1, "d:d>c>S>b")[:2] + WAYS[3:], COMBINED),
    ("entered_twice", (*WAYS, "d:d>S>c"), COMBINED),
    ("shares_miss_one", (*WAYS, "d:d>S>b"), COMBINED),
]  # fmt: skip


@pytest.mark.parametrize(("code", "ways", "combined"), FAULTS)
def test_a_planted_fault_is_found(
    code: str, ways: tuple[str, ...], combined: tuple[str, ...]
) -> None:
    assert code in codes(tree(ways, combined))


def test_combinations_are_numbered_and_whole() -> None:
    first, second = RIGHT.combinations
    assert "wrong_index" in codes(RIGHT._replace(combinations=(second, first)))
    assert "wrong_index" in codes(RIGHT._replace(combinations=(first, second._replace(index=0))))
    half = RIGHT.transfers[0]._replace(share=Fraction(1, 2))
    assert "file_split" in codes(RIGHT._replace(transfers=(half, *RIGHT.transfers[1:])))


def test_combinations_that_take_time_are_the_tasks() -> None:
    right = tree(WAYS, COMBINED, timed=True)
    assert codes(right) == {"unknown_task"}
    assert "missing_task" in codes(RIGHT, timed=True)
    moved = right._replace(tasks={"--0": ("a",), "--1": ("a",)})
    assert "combined_elsewhere" in codes(moved, timed=True)
    elsewhere = tree(WAYS, ("b=c+d+b", "a=--0+a"), timed=True)
    slow = elsewhere._replace(tasks={"--0": ("c",), "--1": ("a",)})
    assert {"combined_elsewhere", "task_not_allowed"} <= codes(slow, timed=True)


def test_an_instance_takes_time_of_all_transfers_and_combinations() -> None:
    messages = {"data": Moving(tuple(SOURCES), ("a",), Fraction(2))}
    timed = tree(WAYS, COMBINED, timed=True)
    view = message_views(NETWORK, messages, COPIERS, TIMES).of(timed)
    assert occupation(view, timed) == {
        "a.compute": 1,
        "a.receive": 2,
        "b.compute": Fraction(4, 3),
        "b.receive": 4,
        "b.send": 2,
        "c.receive": 2,
        "c.send": 4,
        "d.send": 2,
    }
