"""One operation in the least time: values, bounds and plans, each judged by the referee."""

from fractions import Fraction
from typing import Any

import pytest

from steadygrid.domain.errors import LimitError
from steadygrid.domain.job import Outcome
from steadygrid.kinds.collective.solver.completion import RUNS_ONCE, TOO_MANY_BLOCKS
from tests.kinds.collective.boxes import boxes, once, pair, ring
from tests.solved import solve

F = Fraction


@pytest.mark.parametrize(
    ("operation", "ends"),
    [
        ("broadcast", {"source": "A"}),
        ("multicast", {"source": "A", "targets": ["B"]}),
        ("allgather", {}),
        ("reduce", {"target": "B"}),
        ("reduce_scatter", {}),
    ],
)
def test_two_processors_take_the_latency_and_the_data(operation: str, ends: Any) -> None:
    answer = solve(once(pair(), operation, size=6, **ends))
    result = answer.result
    assert result.objective.name == "completion"
    assert result.objective.value == F(1, 4) + F(6, 2) == result.bound.value
    assert (result.outcome, result.gap, result.proof) == (Outcome.OPTIMAL, 0, "exact")
    assert answer.schedule is None
    assert result.notes == [RUNS_ONCE]
    assert result.plan.pieces == 1
    assert result.algorithmic_bandwidth == F(6 * len(result.messages)) / F(13, 4)


def test_two_processors_reduce_all_and_spread_it() -> None:
    result = solve(once(pair(), "allreduce", size=8)).result
    # Each is the root of a half. In two pieces: what is combined of the first half goes back while
    # its second half comes.
    assert result.objective.value == F(1, 4) + F(8, 2) == result.bound.value
    assert {each.root for each in result.allocations} == {"A", "B"}
    assert result.plan.pieces > 1


def test_a_chain_passes_pieces_on() -> None:
    links = [
        {"source": a, "target": b, "bandwidth": 1, "latency": "1/1024"}
        for a, b in ("AB", "BC", "CD")
    ]
    chain = {"processors": [{"id": name} for name in "ABCD"], "links": links}
    result = solve(once(chain, "broadcast", source="A", size=4)).result
    assert result.bound.value == 4 + F(3, 1024)
    assert result.objective.value < 5
    assert result.plan.pieces > 8


@pytest.mark.parametrize(("size", "gap"), [("1/1000000", F(5, 100)), (1, F(2, 100))])
def test_two_boxes_come_near_the_bound(size: Any, gap: Fraction) -> None:
    assert solve(once(boxes(2), "allgather", size=size)).result.gap <= gap


def test_small_and_large_messages_take_other_trees() -> None:
    # The direct link is slow and near, the one over the switch fast and far.
    platform = {
        "processors": [{"id": "A"}, {"id": "B"}, {"id": "S", "switch": True}],
        "links": [
            {"source": "A", "target": "B", "bandwidth": 1, "latency": "1/1000000"},
            {"source": "A", "target": "S", "bandwidth": 128, "latency": "1/200000"},
            {"source": "S", "target": "B", "bandwidth": 128, "latency": "1/200000"},
        ],
    }
    small = solve(once(platform, "broadcast", source="A", size="1/1000000")).result
    large = solve(once(platform, "broadcast", source="A", size=1)).result
    assert [each.transfers[0].path for each in small.allocations] == [["A", "B"]]
    assert [each.transfers[0].path for each in large.allocations] == [["A", "S", "B"]]
    assert small.outcome is Outcome.OPTIMAL
    assert small.objective.value == F(2, 1_000_000)
    assert large.gap <= F(2, 100)


@pytest.mark.parametrize(
    ("operation", "ends"),
    [
        ("broadcast", {"source": "g0.0"}),
        ("multicast", {"source": "g0.1", "targets": ["g1.0", "g1.3"]}),
        ("reduce", {"target": "g1.0"}),
        ("reduce", {"target": "g1.0", "sources": ["g0.0", "g0.1"]}),
        ("reduce_scatter", {}),
        ("allreduce", {}),
        ("allgather", {"participants": ["g0.0", "g0.1", "g1.0"]}),
    ],
)
@pytest.mark.parametrize("size", ["1/1000000", "1/100"])
def test_all_that_copy_or_combine_are_answered(operation: str, ends: Any, size: str) -> None:
    result = solve(once(boxes(2, each=4), operation, size=size, **ends)).result
    assert result.outcome in (Outcome.OPTIMAL, Outcome.FEASIBLE)
    if not {"targets", "sources", "participants"} & ends.keys() and operation != "allreduce":
        # Of an allreduce the bound knows nothing of where things are combined; and what other
        # processors forward is not used well.
        assert result.gap < F(1, 2)


@pytest.mark.parametrize("operation", ["allgather", "reduce_scatter"])
def test_sizes_are_cut_into_equal_chunks(operation: str) -> None:
    sizes = {"P0": 2, "P1": "1/2", "P2": 0}
    result = solve(once(ring(3), operation, sizes=sizes)).result
    assert result.plan.chunk * result.plan.instances <= F(1, 2)
    shares: dict[str, Fraction] = {}
    for each in result.allocations:
        shares[each.message] = shares.get(each.message, F(0)) + each.rate
    assert shares == {"P0": 1, "P1": 1, "P2": 1}
    assert {m.message: m.size for m in result.messages}["P2"] == 0


def test_steps_take_their_time() -> None:
    without = solve(once(pair(), "broadcast", source="A", size=4)).result
    slow = solve(once(pair(), "broadcast", source="A", size=4, execution={"step_time": 1})).result
    assert slow.objective.value == without.objective.value + 1
    assert slow.bound == without.bound


def test_processors_that_double_need_few_blocks() -> None:
    star = {
        "processors": [{"id": f"P{i}"} for i in range(8)] + [{"id": "S", "switch": True}],
        "links": [
            {"source": f"P{i}", "target": "S", "bandwidth": 1, "latency": 1} for i in range(8)
        ],
    }
    problem: dict[str, Any] = {"size": "1/1000", "execution": {"blocks": 6}}
    few = solve(once(star, "allgather", **problem)).result
    assert few.plan.blocks <= 6
    many = solve(once(star, "allgather", size="1/1000")).result
    assert many.plan.blocks == 14
    assert many.objective.value < few.objective.value
    none = solve(once(star, "allgather", size="1/1000", execution={"blocks": 1})).result
    assert TOO_MANY_BLOCKS.format(needed=none.plan.blocks, given=1) in none.notes


def test_what_cannot_arrive_is_infeasible() -> None:
    platform = pair()
    platform["links"][0]["duplex"] = "simplex"
    result = solve(once(platform, "allgather")).result
    assert (result.outcome, result.plan) == (Outcome.INFEASIBLE, None)


@pytest.mark.parametrize("seconds", [1e-9, 0.05])
def test_when_the_time_is_over_the_best_so_far_is_the_answer(seconds: float) -> None:
    result = solve(once(boxes(2), "allgather", size=1), seconds).result
    assert result.outcome is Outcome.FEASIBLE
    assert any("time" in note for note in result.notes)


def test_links_that_differ_by_too_much_are_avoided_or_refused() -> None:
    def platform(*direct: tuple[str, str]) -> dict[str, Any]:
        links = [
            {"source": source, "target": "B", "bandwidth": 10**9, "latency": "1/1000"}
            for source in "AS"
        ]
        links[0]["target"] = "S"
        links += [{"source": a, "target": b, "bandwidth": 1} for a, b in direct]
        processors = [{"id": name} for name in "ABC"] + [{"id": "S", "switch": True}]
        return {"processors": processors, "links": links}

    ends: dict[str, Any] = {"source": "A", "targets": ["B", "C"]}
    with pytest.raises(LimitError) as refused:
        solve(once(platform(("B", "C")), "multicast", **ends))
    assert [fault.code for fault in refused.value.faults] == ["bandwidths_too_different"]
    # The near link is too slow for all others; the far ones by themselves can be told.
    near = once(platform(("A", "B")), "multicast", source="A", targets=["B"])
    assert solve(near).result.objective.value < 1


@pytest.mark.parametrize(
    ("member", "operation", "ends"),
    [
        ("bandwidth_in", "allgather", {}),
        ("bandwidth_out", "reduce_scatter", {}),
        ("bandwidth_out", "broadcast", {"source": "P0"}),
        ("bandwidth_in", "reduce", {"target": "P0"}),
    ],
)
def test_bandwidths_of_processors_are_in_the_bound(member: str, operation: str, ends: Any) -> None:
    platform = ring(4, latency="1/1024")
    platform["processors"][0][member] = "1/2"
    result = solve(once(platform, operation, size=1, **ends)).result
    moved = 3 if operation in ("allgather", "reduce_scatter") else 1
    assert result.bound.value == F(moved) / F(1, 2) + F(1, 1024)
    assert result.objective.value >= result.bound.value


def test_links_that_share_what_limits_them_are_simulated() -> None:
    platform = ring(4, media=["bus"], duplex="half")
    platform["media"] = [{"id": "bus", "bandwidth": 2}]
    platform["processors"][0]["bandwidth_out"] = "1/2"
    result = solve(once(platform, "allgather")).result
    # Four messages for three receivers each, over a bus that carries 2 per time unit.
    assert result.objective.value > F(12, 2)
