"""What the referee asks of messages that are copied: right answers by hand, and changes in them."""

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from steadygrid.domain.certificate import DualityCertificate
from steadygrid.kinds.collective.schemas import CombinationOut
from tests.kinds.collective.bodies import F, body
from tests.kinds.collective.by_hand import Answer, answered, cuts

MULTIPORT = {"ports": "multiport"}


@cache
def chain() -> Answer:
    """s sends to a, and a to b meanwhile, which has it in the second period."""
    problem = body("s>a 1, a>b 1, s>b 3", "broadcast", source="s")
    slot = (1, [("s>a", 0, 1), ("a>b", 0, 1)])
    proof = cuts({"s.send": 1}, {"s": 1})
    return answered(problem, [("data", 1, "a>b s>a")], proof, 1, 2, [slot]).change(
        "result/allocations/0/root", "s"
    )


@cache
def switched() -> Answer:
    """Both ways share the link to the switch, which does not copy."""
    problem = body("s>w 1, w>a 1, w>b 1", "broadcast", switches="w", source="s", **MULTIPORT)
    proof = cuts({"s->w.link": F(1, 2)}, {"s w a": F(1, 2), "s w b": F(1, 2)}, {"w": F(1, 2)})
    return answered(problem, [("data", F(1, 2), "s>w>a s>w>b")], proof, 2, 1)


@cache
def copying_switch() -> Answer:
    problem = body("s>w 1, w>a 1, w>b 1", "broadcast", switches="w", source="s", copying="all", **MULTIPORT)  # fmt: skip
    proof = DualityCertificate(prices={"s->w.link": F(1)})
    return answered(problem, [("data", 1, "s>w w>a w>b")], proof, 1, 1)


@cache
def ring() -> Answer:
    """The message of each participant goes round; that of C has no size, but needs a route."""
    problem = body("A>B 1, B>C 1, C>A 1", "allgather", sizes={"A": 1, "B": 2, "C": 0}, **MULTIPORT)
    trees = [("A", F(1, 3), "A>B B>C"), ("B", F(1, 3), "B>C C>A"), ("C", F(1, 3), "C>A A>B")]
    return answered(problem, trees, cuts({"B->C.link": F(1, 3)}, {"A B": F(1, 3)}), 3, 1)


@cache
def spread() -> Answer:
    """Two trees of a multicast, over others that copy."""
    rays = "s>h 1, h>a 1, h>b 1, s>g 1, g>a 1, g>b 1"
    problem = body(rays, "multicast", source="s", targets=["a", "b"], **MULTIPORT)
    trees = [("data", 1, "s>h h>a h>b"), ("data", 1, "s>g g>a g>b")]
    proof = cuts({"s->h.link": 1, "s->g.link": 1}, {"s": 1})
    return answered(problem, trees, proof, 1, 1)


RIGHT = [chain, switched, copying_switch, ring, spread]


@pytest.mark.parametrize("right", RIGHT)
def test_what_is_right_by_hand_is_accepted(right: Callable[[], Answer]) -> None:
    assert right().faults() == []


@pytest.mark.parametrize("right", RIGHT)
def test_prices_alone_prove_it_as_well(right: Callable[[], Answer]) -> None:
    prices = right().result.certificate.prices
    alone = right().change("result/certificate", DualityCertificate(prices=prices))
    assert alone.faults() == []


COMBINED = [CombinationOut(index=0, processor="a", operands=["s", "a"])]
FIRST = "result/allocations/0"

PLANTED: list[tuple[str, Callable[[], Answer], str, Any]] = [
    ("wrong_root", chain, f"{FIRST}/root", "a"),
    ("combined_for_nothing", chain, f"{FIRST}/combinations", COMBINED),
    ("unknown_message", chain, f"{FIRST}/message", "s"),
    ("unknown_file", chain, f"{FIRST}/transfers/0/file", ("data", "a")),
    ("unknown_task", chain, f"{FIRST}/tasks", {"--0": "a"}),
    ("missing_link", chain, f"{FIRST}/transfers/0/path", ["b", "a"]),
    ("path_repeats", switched, f"{FIRST}/transfers/0/path", ["s", "w", "s", "w", "a"]),
    ("from_nowhere", chain, f"{FIRST}/transfers/1/path", ["b", "s", "a"]),
    ("from_nowhere", switched, f"{FIRST}/transfers/1/path", ["w", "b"]),
    ("dead_end", switched, f"{FIRST}/transfers/1/path", ["s", "w"]),
    ("dead_end", spread, f"{FIRST}/transfers", lambda ways: ways[:1]),
    ("file_does_not_move", spread, f"{FIRST}/transfers", lambda ways: ways[:2]),
    ("file_does_not_move", ring, "result/allocations/2/transfers", lambda ways: ways[:1]),
    ("passes_copier", chain, f"{FIRST}/transfers/0/path", ["s", "a", "b"]),
    ("passes_copier", copying_switch, f"{FIRST}/transfers/1/path", ["s", "w", "a"]),
    ("entered_twice", spread, f"{FIRST}/transfers", lambda ways: [*ways, ways[0]]),
    ("shares_miss_one", spread, f"{FIRST}/transfers", lambda ways: [*ways, ways[1]]),
    ("file_stays", ring, f"{FIRST}/transfers", lambda ways: [*ways, ways[0].model_copy(update={"path": ["C", "A"]})]),
    ("file_split", spread, f"{FIRST}/transfers/0/share", F(1, 2)),
    ("no_share", spread, f"{FIRST}/transfers/0/share", F(0)),
    ("overloaded", switched, "instance/platform/links/0/unit_time", F(2)),
    ("wrong_sum", spread, f"{FIRST}/rate", F(1, 2)),
    ("wrong_sum", ring, "result/allocations", lambda trees: trees[:2]),
    ("wrong_messages", ring, "result/messages/2/receivers", ["A"]),
    ("wrong_messages", ring, "result/messages/0/sources", ["A"]),
    ("wrong_bandwidth", ring, "result/algorithmic_bandwidth", F(2)),
    ("allocations_disagree", spread, "schedule/allocations/0/transfers", lambda ways: ways[::-1]),
    ("from_nowhere", switched, "schedule/allocations/0/transfers/0/path", ("w", "a")),
    ("wrong_count", switched, "schedule/slots/0/transfers/0/count", F(1)),
    ("wrong_count", chain, "schedule/slots/0/transfers", lambda moved: moved[:1]),
    ("wrong_latency", chain, "schedule/latency_periods", 1),
    ("wrong_instances", ring, "schedule/allocations/2/instances_per_period", F(2)),
    ("wrong_files", ring, "schedule/files", lambda files: files[:2]),
]  # fmt: skip


@pytest.mark.parametrize(("code", "right", "place", "value"), PLANTED)
def test_a_planted_fault_is_found(
    code: str, right: Callable[[], Answer], place: str, value: Any
) -> None:
    assert code in right().change(place, value).codes()


def test_a_copier_of_its_own_accord_is_none_of_those_that_take_part() -> None:
    told = spread().change("instance/copying", "participants").codes()
    assert {"from_nowhere", "dead_end"} <= told


def test_messages_that_differ_are_not_sent_on() -> None:
    problem = body("s>a 1, a>b 1", "scatter", source="s", targets=["b"], **MULTIPORT)
    proof = DualityCertificate(prices={"s->a.link": F(1)})
    right = answered(problem, [("b", 1, "s>a>b")], proof, 1, 1, method="flows")
    assert right.faults() == []
    cut = answered(problem, [("b", 1, "s>a a>b")], proof, 1, 1, method="flows")
    assert {"path_start", "path_end"} <= cut.codes()
