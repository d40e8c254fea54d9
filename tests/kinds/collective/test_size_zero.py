"""Messages of size 0: infeasible where one has no route, of any size; else without a bound."""

import random
from typing import Any, get_args

import pytest

from steadygrid.domain.errors import InstanceError
from steadygrid.kinds.collective.methods import Method
from tests.draws import draws
from tests.kinds.collective.bodies import body
from tests.solved import solve

OPERATIONS: dict[str, dict[str, Any]] = {
    "scatter": {"source": "P0", "targets": ["P1", "P2"], "sizes": {"P1": 0, "P2": 0}},
    "gather": {"target": "P0", "sources": ["P1", "P2"]},
    "all_to_all": {"participants": ["P0", "P1", "P2"]},
    "broadcast": {"source": "P0"},
    "multicast": {"source": "P0", "targets": ["P1", "P2"]},
    "allgather": {"participants": ["P0", "P1", "P2"]},
    "reduce": {"target": "P0", "sources": ["P1", "P2"]},
    "reduce in time": {
        "target": "P0",
        "sources": ["P1", "P2"],
        "combine": {"times": {"P1": 2, "P3": 1}},
    },
    "reduce in order": {"target": "P0", "sources": ["P2", "P0", "P1"], "order": "fixed"},
    "reduce_scatter": {"participants": ["P0", "P1", "P2"]},
    "allreduce": {"participants": ["P0", "P1", "P2"]},
}


def drawn(seed: int, named: str, **problem: Any) -> tuple[dict[str, Any], bool]:
    """Draw an operation of which nothing has a size, and tell whether every message has a route."""
    draw = random.Random(f"{named} {seed}")
    names = [f"P{i}" for i in range(5)]
    joined = {(a, b) for a in names for b in names if a != b and draw.random() < 0.3}
    platform = {
        "processors": [{"id": name} for name in names[:-1]] + [{"id": "P4", "switch": True}],
        "links": [
            {"source": a, "target": b, "unit_time": 1, "duplex": "simplex"}
            for a, b in sorted(joined)
        ],
    }
    reach = {(a, b) for a in names for b in names if a == b} | joined
    for middle in names:
        reach |= {(a, b) for a in names for b in names if {(a, middle), (middle, b)} <= reach}
    needed: dict[str, list[tuple[str, str]]] = {
        "scatter": [("P0", "P1"), ("P0", "P2")],
        "gather": [("P1", "P0"), ("P2", "P0")],
        "broadcast": [("P0", "P1"), ("P0", "P2"), ("P0", "P3")],
    }
    needed |= {"multicast": needed["scatter"], "reduce": needed["gather"]}
    operation = named.split()[0]
    three = names[:3]
    arrives = reach.issuperset(needed.get(operation, [(a, b) for a in three for b in three]))
    if named == "reduce in time":
        arrives &= any({("P1", able), ("P2", able), (able, "P0")} <= reach for able in ("P1", "P3"))
    given = {"kind": "collective", "platform": platform, "operation": operation, "size": 0}
    return {"problem": given | OPERATIONS[named] | problem}, arrives


@pytest.mark.parametrize("named", OPERATIONS)
@pytest.mark.parametrize("seed", range(draws(3, 200)))
def test_a_message_without_a_route_is_infeasible_whatever_its_size(seed: int, named: str) -> None:
    body, arrives = drawn(seed, named)
    if arrives:
        with pytest.raises(InstanceError) as refused:
            solve(body)
        assert [fault.code for fault in refused.value.faults] == ["unbounded_throughput"]
        return
    result = solve(body).result
    assert (result.outcome, result.certificate.type) == ("infeasible", "unreachable")
    assert result.proof == "exact"


@pytest.mark.parametrize("named", OPERATIONS)
def test_both_cases_are_drawn(named: str) -> None:
    assert {drawn(seed, named)[1] for seed in range(12)} == {True, False}


@pytest.mark.parametrize("method", get_args(Method))
def test_every_method_says_so(method: str) -> None:
    one_to_one: dict[str, tuple[str, dict[str, Any]]] = {
        "flows": ("scatter", {"source": "B", "targets": ["A"]}),
        "intervals": ("reduce", {"target": "A", "sources": ["A", "B"], "order": "fixed"}),
    }
    operation, ends = one_to_one.get(method, ("multicast", {"source": "B", "targets": ["A"]}))
    goal = "completion" if method == "programs" else "throughput"
    ends |= {"method": method, "objective": goal}
    asked = body("A>B 1", operation, size=0, ports="multiport", **ends)
    assert solve(asked).result.outcome == "infeasible"
