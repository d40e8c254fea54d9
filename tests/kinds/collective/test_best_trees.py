"""Messages that are copied or combined, against the program over all trees and all slots there are."""

from functools import cache
from itertools import combinations, pairwise
from random import Random
from typing import Any

import pytest

from steadygrid.engine.exact import safe_rounding
from steadygrid.kinds.collective.solver import answer
from tests.draws import draws
from tests.kinds.collective.bodies import F, body, turned_round
from tests.kinds.collective.trees import by_all_trees, drawn_copies
from tests.solved import solve

pytestmark = pytest.mark.usefixtures("few_programs")

COPYING = ("broadcast", "multicast", "allgather", "reduce", "reduce_scatter", "allreduce")
PORTS = ("one_port", "multiport", "send_or_receive", "no_overlap")
BUTTERFLY = "0>1 1, 0>2 1, 1>3 1, 2>3 1, 4>5 1, 4>6 1, 1>5 1, 2>6 1"
HUB = "s>w 1, w>a 1, w>b 1"
"""A switch, on which others may hang that copy."""
RING = ", ".join(f"{a}>{b} 1/{n}" for a, b, n in (("a", "b", 1000003), ("b", "c", 999983), ("c", "a", 7)))  # fmt: skip


@pytest.mark.parametrize("operation", COPYING)
@pytest.mark.parametrize("ports", PORTS)
@pytest.mark.parametrize("seed", range(draws(3, 200)))
def test_the_optimum_is_that_of_all_trees(seed: int, ports: str, operation: str) -> None:
    body = drawn_copies(seed, operation, ports, half=seed % 2 > 0)
    best = by_all_trees(body)
    solved = solve(body, whole_files=False, max_period="exact")
    result = solved.result
    if best is None:
        assert (result.outcome, result.certificate.type) == ("infeasible", "unreachable")
        return
    assert result.objective.value == best <= result.bound.value
    assert result.outcome == "optimal" or result.notes
    assert solved.schedule.loss == 0


CASES = [
    ("reduce", "1>0 2, 2>0 1, 2>1 3, 1>2 1, 3>2 2, 1>3 4, 2>3 4", {"target": "0"}, "11/23"),
    ("broadcast", "0>1 2, 0>2 1, 1>2 3, 2>1 1, 2>3 2, 3>1 4, 3>2 4", {"source": "0"}, "11/23"),
    ("broadcast", "0>1 2, 0>2 1, 0>3 1, 1>2 3, 1>3 4, 3>1 3, 3>2 3", {"source": "0"}, "23/53"),
    ("broadcast", "s>a 1, s>b 1, a>P0 2/3, b>P0 4/3, b>P1 4/3", {"source": "s"}, "1/2"),
    ("multicast", f"{BUTTERFLY}, 3>4 2", {"source": "0", "targets": ["5", "6"], "copying": "participants"}, "1/2"),
    ("multicast", f"{HUB}, w>h 1, h>w 1/2", {"source": "s", "targets": ["a", "b"], "switches": "w", "ports": "multiport", "copying": "participants"}, "1/2"),
    ("broadcast", "s>w 1, w>a 1, w>b 1", {"source": "s", "switches": "w", "ports": "multiport"}, "1/2"),
    ("broadcast", "s>w 1, w>a 1, w>b 1", {"source": "s", "switches": "w", "ports": "multiport", "copying": "all"}, "1"),
    ("multicast", f"{HUB}, w>h 1, h>w 1/2", {"source": "s", "targets": ["a", "b"], "switches": "w", "ports": "multiport"}, "1"),
    ("multicast", f"{HUB}, w>h 1, h>w 1", {"source": "s", "targets": ["a", "b"], "switches": "w", "ports": "multiport"}, "3/4"),
    ("multicast", "s>a 1, s>b 1, a>P0 2/3, b>P0 4/3, b>P1 4/3", {"source": "s", "targets": ["P0", "P1"]}, "7/12"),
    ("reduce", turned_round(f"{BUTTERFLY}, 3>4 2"), {"target": "0", "sources": ["5", "6"]}, "3/4"),
]  # fmt: skip


@pytest.mark.parametrize(("operation", "links", "members", "expected"), CASES)
def test_published_and_small_examples(
    operation: str, links: str, members: dict[str, Any], expected: str
) -> None:
    result = solve(body(links, operation, **members)).result
    assert (result.outcome, result.objective.value) == ("optimal", F(expected))


@pytest.mark.parametrize(
    ("cost", "value", "bound"),
    [("2", "3/4", "1"), ("3/2", "5/6", "1"), ("1", "1", "1"), ("3", "2/3", "5/6")],
)
def test_trees_reach_less_on_a_butterfly_than_cuts_say(cost: str, value: str, bound: str) -> None:
    """What both relays between them could send coded, trees have to send one after the other."""
    wings = body(f"{BUTTERFLY}, 3>4 {cost}", "multicast", source="0", targets=["5", "6"])
    result = solve(wings).result
    assert (result.outcome, result.objective.value) == ("optimal", F(value))
    proof = "cuts" if value == bound else "lp_duality"
    assert result.certificate.type == proof
    rough = solve(wings, max_labelling_entries=0).result
    assert (rough.objective.value, rough.bound.value) == (F(value), F(bound))
    assert rough.certificate.type == "cuts"


@pytest.mark.parametrize(("relays", "each"), [(4, 2), (5, 2), (5, 3)])
def test_a_combination_network_sends_as_many_trees_as_relays_can_miss(
    relays: int, each: int
) -> None:
    """Each target hears of some relays only, so each tree has to take all but a few of them."""
    links = [f"s>m{i} 1" for i in range(relays)]
    targets = {f"t{k}": chosen for k, chosen in enumerate(combinations(range(relays), each))}
    links += [f"m{i}>{name} 1" for name, chosen in targets.items() for i in chosen]
    asked = body(", ".join(links), "multicast", source="s", targets=[*targets], ports="multiport")
    result = solve(asked).result
    assert (result.outcome, result.objective.value) == ("optimal", F(relays, relays - each + 1))


@cache
def many_targets() -> dict[str, Any]:
    """Give three rows of relays, and more targets than a table has room for."""
    draw = Random(3)
    layers = [
        ["s"],
        *([f"{row}{i}" for i in range(8)] for row in "abc"),
        [f"t{i}" for i in range(14)],
    ]
    links = [
        f"{start}>{end} {draw.randint(1, 4)}"
        for upper, lower in pairwise(layers)
        for end in lower
        for start in draw.sample(upper, min(2, len(upper)))
    ]
    return body(", ".join(links), "multicast", source="s", targets=layers[-1])


def test_targets_too_many_for_a_table_are_reached_by_heuristics() -> None:
    result = solve(many_targets()).result
    assert (result.outcome, result.certificate.type) == ("feasible", "cuts")
    assert "heuristics" in result.notes[0]
    assert result.bound.value * F(3, 4) <= result.objective.value <= result.bound.value


def test_rates_that_are_rounded_leave_the_cuts_of_a_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    """Prices alone would ask the referee for a table that it does not make."""
    monkeypatch.setattr(answer, "too_long", lambda numbers: safe_rounding.too_long(numbers, 16))
    result = solve(many_targets()).result
    assert safe_rounding.ROUNDED in result.notes
    assert result.certificate.type == "cuts"


@pytest.mark.parametrize("method", ["least_cut", "cutting_planes", "trees"])
@pytest.mark.parametrize(("sizes", "expected"), [({}, F(499995)), ({"a": "3/7", "b": 0, "c": 11}, F(999990, 11))])  # fmt: skip
def test_an_allgather_on_a_ring_of_coprime_links(
    method: str, sizes: dict[str, Any], expected: F
) -> None:
    ring = body(RING, "allgather", ports="multiport", sizes=sizes, method=method, members={"duplex": "full"})  # fmt: skip
    result = solve(ring).result
    assert (result.outcome, result.method, result.objective.value) == ("optimal", method, expected)


def test_a_processor_that_copies_helps_from_behind_a_switch_that_does_not() -> None:
    """s sends each message once, and r both copies back to the switch: 1, without r 1/2."""
    star = "s>w 1, w>a 1, w>b 1, w>r 1/4, r>w 1/4"
    result = solve(
        body(star, "multicast", switches="w", source="s", targets=["a", "b"], ports="multiport")
    ).result
    assert F(1, 2) <= result.objective.value <= result.bound.value == 1


@pytest.mark.parametrize(("ports", "expected"), [("one_port", F(5 * 10**8, 10**15 + 1)), ("multiport", F(1, 2 * 10**6))])  # fmt: skip
def test_links_too_different_for_floats_are_solved_exactly(ports: str, expected: F) -> None:
    """0 receives from 2 in a million, twice; and under one_port from 1, twice."""
    links = f"0>1 1/{10**9}, 1>0 1/{10**9}, 0>2 1/{10**6}, 2>0 {10**6}"
    asked = body(links, "reduce_scatter", ports=ports, method="cutting_planes")
    result = solve(asked).result
    assert (result.outcome, result.objective.value) == ("optimal", expected)


def test_trees_do_not_come_and_go_in_circles() -> None:
    fast, slow = F(1, 10**6), F(123456789, 1000)
    ring = [("P0", "P1", "3/7", "simplex"), ("P1", "P0", F(1, 10**9), "simplex"), ("P0", "P2", fast, "half"),
            ("P3", "P0", "3/7", "half"), ("P2", "P1", "3/7", "full"), ("P3", "P1", slow, "simplex"), ("P1", "P4", fast, "half"),
            ("P3", "P2", "3/7", "half"), ("P2", "P4", 5, "full"), ("P4", "P3", 5, "full")]  # fmt: skip
    links = [
        {"source": source, "target": target, "unit_time": str(time), "duplex": duplex}
        for source, target, time, duplex in ring
    ]
    processors = [{"id": f"P{i}"} for i in range(5)]
    problem = {"kind": "collective", "operation": "broadcast", "source": "P0", "ports": "no_overlap"}  # fmt: skip
    platform = {"processors": processors, "links": links}
    result = solve({"problem": {**problem, "platform": platform}}, seconds=10).result
    assert (result.outcome, result.objective.value) == ("optimal", F(7000000, 3000007))
