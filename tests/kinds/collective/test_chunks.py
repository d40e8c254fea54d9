"""Whole chunks: their least time against known and enumerated ones, what proves it, and who refuses what."""

from collections.abc import Mapping
from itertools import pairwise, product
from math import ceil
from random import Random
from typing import Any

import pytest

from benchmarks.boxes import a100
from steadygrid.domain.errors import OutOfTime
from steadygrid.domain.limits import Limits
from steadygrid.domain.rounding import num_bits
from steadygrid.engine.arborescences.cuts import Arc
from steadygrid.kinds.collective.solver import allreduce, whole_chunks
from steadygrid.kinds.collective.solver import answer as answers
from steadygrid.submissions.submission import parse_submission
from tests.draws import draws
from tests.engine.arborescences.checks import out_of
from tests.engine.arborescences.test_chunk_times import SMALL, both_ways, hypercube, ring, torus
from tests.kinds.collective.bodies import F
from tests.kinds.collective.test_faults import cast, faults, figure_2, together
from tests.solved import solve

pytestmark = pytest.mark.usefixtures("few_programs")

DGX_1 = both_ways(
    {
        (int(pair[0]), int(pair[1])): 25 * int(pair[2])
        for pair in [
            "011",
            "021",
            "032",
            "042",
            "122",
            "131",
            "152",
            "232",
            "261",
            "371",
            "451",
            "461",
            "472",
            "562",
            "571",
            "672",
        ]
    }
)
"""Eight processors, bandwidths in GB/s."""


def on(
    bandwidths: Mapping[Arc, Any], members: int, operation: str, **problem: Any
) -> dict[str, Any]:
    """Put an instance together; who is no member is a switch, processors are called by their numbers."""
    number = 1 + max(max(arc) for arc in bandwidths)
    platform = {
        "processors": [
            {"id": str(v)} | ({} if v < members else {"switch": True}) for v in range(number)
        ],
        "links": [
            {"source": str(u), "target": str(v), "bandwidth": str(b), "duplex": "simplex"}
            for (u, v), b in bandwidths.items()
        ],
    }
    given = {"kind": "collective", "platform": platform, "operation": operation}
    return {"problem": given | {"ports": "multiport"} | problem}


def boxes(
    of: tuple[int, dict[Arc, int], list[int]], operation: str, **problem: Any
) -> dict[str, Any]:
    _, bandwidths, members = of
    return on(bandwidths, len(members), operation, **problem)


LEAST = [
    *(
        (on(b, m, "allgather"), k, F(time), F(unlimited))
        for _, m, b, times, unlimited in SMALL
        for k, time in enumerate(times.split(), start=1)
    ),
    *((on(DGX_1, 8, "allgather"), k, F(time), F(7, 150)) for k, time in enumerate(("3/50", "1/10", "4/25", "1/5"), start=1)),
    (boxes(a100(2), "allgather"), 1, F(7, 150), F(3, 65)),
    (on(ring(8), 8, "allgather"), 2, F(7), F(7, 2)),
    (on(torus(4), 16, "allgather"), 4, F(15), F(15, 4)),
    (on(hypercube(4), 16, "allgather"), 3, F(12), F(15, 4)),
]  # fmt: skip
"""Problem, chunks, least time for chunks of size 1, and the time of an operation with any number."""


@pytest.mark.parametrize(("problem", "k", "time", "unlimited"), LEAST)
@pytest.mark.parametrize("operation", ["allgather", "reduce_scatter"])
def test_the_least_time_is_the_known_one(problem, k, time, unlimited, operation) -> None:
    """Links of these platforms are turned round in reductions, where the times are those of both."""
    turned = problem["problem"] | {"operation": operation, "chunks": k}
    if operation == "reduce_scatter":
        links = [
            link | {"source": link["target"], "target": link["source"]}
            for link in turned["platform"]["links"]
        ]
        turned |= {"platform": turned["platform"] | {"links": links}}
    result = solve({"problem": turned}).result
    assert (result.outcome, result.chunks.count, result.chunks.size) == ("optimal", k, F(1, k))
    assert result.chunks.least_time == time
    assert result.objective.value == result.bound.value == k / time
    assert result.chunks.unlimited == 1 / unlimited
    assert result.chunks.loss == 1 - k * unlimited / time
    assert {allocation.rate * time % 1 for allocation in result.allocations} == {0}


def test_two_boxes_with_one_chunk() -> None:
    """ForestColl: 342.857 GB/s with one tree for each root."""
    result = solve(boxes(a100(2), "allgather", chunks=1)).result
    assert result.algorithmic_bandwidth == F(2400, 7)
    assert (result.trees.count, result.trees.depth_max, result.trees.depth_bound) == (16, 2, 2)
    assert result.trees.depth_mean == 2


def test_other_operations_of_whole_chunks() -> None:
    told = {
        operation: solve(on(DGX_1, 8, operation, chunks=2, **more)).result
        for operation, more in (
            ("broadcast", {"source": "0"}),
            ("multicast", {"source": "0", "targets": [str(v) for v in range(1, 8)]}),
            ("reduce", {"target": "0"}),
            ("allreduce", {}),
        )
    }
    # Each message leaves 0 in 2 chunks, over 2 links with 50 and 2 with 25: in 1/50 both links of 50.
    for operation in ("broadcast", "multicast", "reduce"):
        assert told[operation].chunks.least_time == F(1, 50)
        assert told[operation].outcome == "optimal"
        assert told[operation].trees.count == 2
    # 16 chunks, each moved 7 times to be combined and 7 to be spread, over 8 x 150: at least 14/75.
    assert told["allreduce"].chunks.least_time == F(1, 5)
    assert told["allreduce"].chunks.size == F(1, 16)
    assert (told["allreduce"].outcome, told["allreduce"].objective.value) == ("optimal", 80)


@pytest.mark.parametrize("operation", ["allgather", "reduce_scatter"])
def test_sizes_that_differ_are_cut_into_equal_chunks(operation: str) -> None:
    sizes = {"0": "3/2", "1": "1/2", "2": 0}
    result = solve(on(ring(4), 4, operation, sizes=sizes, chunks=2)).result
    # The common divisor is 1/2, half of which is a chunk: 6, 2, 0 and 4 chunks.
    assert (result.chunks.count, result.chunks.size) == (2, F(1, 4))
    assert result.outcome == "optimal"
    assert {a.message for a in result.allocations} == {"0", "1", "2", "3"}
    numbers = {"0": 6, "1": 2, "2": 0, "3": 4}
    time = 1 / result.objective.value
    assert {a.rate * numbers[a.message] * time % 1 for a in result.allocations} == {0}
    # All but the own chunks come to 2 over two links that carry one each in 1: 12 take 6.
    assert result.chunks.least_time == 6


@pytest.mark.parametrize(
    ("loss", "k"), [(None, 7), ("1/50", 1), (0, 13), ("1/1261", 7), ("1/1262", 13)]
)
def test_auto_takes_the_fewest_chunks_within_the_loss(loss: Any, k: int) -> None:
    """Of 65/3, one chunk loses 1/91 and seven lose 1/1261; with 13 nothing is lost."""
    asked = {} if loss is None else {"chunk_loss": loss}
    result = solve(boxes(a100(2), "allgather", chunks="auto", **asked)).result
    assert (result.chunks.count, result.outcome) == (k, "optimal")
    assert result.chunks.loss <= (F(1, 100) if loss is None else F(loss))


def test_auto_of_an_allreduce_counts_what_trees_reach() -> None:
    result = solve(boxes(a100(2), "allreduce", chunks="auto")).result
    assert (result.chunks.count, result.outcome) == (7, "optimal")
    assert result.chunks.loss == F(1, 1261)


@pytest.mark.parametrize("seed", range(draws(4, 300)))
def test_no_cut_of_an_allreduce_needs_more_time(seed: int) -> None:
    """Where the set that all chunks leave decides, it is the worst of all sets."""
    random = Random(seed)
    links = {(random.randrange(v), v): random.randint(1, 5) for v in range(1, 4)}
    links[0, 3] = random.randint(1, 5)
    bandwidths = both_ways(links)
    result = solve(on(bandwidths, 4, "allreduce", chunks=1)).result
    time = result.chunks.least_time
    sides = [{v for v in range(4) if mask >> v & 1} for mask in range(1, 15)]
    fits = {arc: int(time * b) for arc, b in bandwidths.items()}
    assert all(out_of(side, fits) >= 4 for side in sides)
    certificate = result.certificate
    if certificate.type == "whole_chunks" and certificate.chunk_cut is not None:
        less = {arc: ceil(time * b) - 1 for arc, b in bandwidths.items()}
        assert out_of({int(v) for v in certificate.chunk_cut.processors}, less) < 4
    assert result.outcome == "optimal" or result.notes


def test_what_forwards_more_than_it_gets_is_trimmed() -> None:
    """From 0 to the switch 3 leads one link of 1, and three lead out of it."""
    wide = {(0, 3): 1, (3, 1): 5, (3, 2): 5, (1, 2): 1, (2, 1): 1, (1, 0): 1}
    result = solve(on(wide, 3, "broadcast", source="0", chunks=1)).result
    assert (result.method, result.outcome) == ("cutting_planes", "optimal")
    assert result.objective.value == 1
    assert [a.depth for a in result.allocations] == [2]


def test_the_narrow_direction_of_a_link_decides_an_allreduce() -> None:
    """Both chunks of half a unit leave 1 over a link of 1."""
    result = solve(on({(0, 1): 5, (1, 0): 1}, 2, "allreduce", chunks=1)).result
    assert (result.outcome, result.objective.value) == ("optimal", 1)
    assert result.chunks.least_time == 2


def test_links_in_one_direction_only_have_no_halves() -> None:
    """An allreduce on such a ring sends all on the trees of one root."""
    circle = {(v, (v + 1) % 3): 1 for v in range(3)}
    result = solve(on(circle, 3, "allreduce", chunks="auto")).result
    assert result.outcome == "feasible"
    assert whole_chunks.LONGER in result.notes
    assert result.trees.count == 1


def test_without_time_all_chunks_of_a_message_take_its_fastest_tree(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def late(*_: Any) -> None:
        raise OutOfTime

    monkeypatch.setattr(whole_chunks, "grow_by_levels", late)
    result = solve(boxes(a100(2), "allgather", chunks=2)).result
    assert (result.outcome, result.chunks.count) == ("feasible", 2)
    assert result.notes[0] == whole_chunks.LATE
    assert result.bound.value == F(150, 7)
    monkeypatch.setattr(whole_chunks, "by_chunks", late)
    for k in (2, "auto"):
        for operation in ("allgather", "allreduce"):
            result = solve(boxes(a100(1), operation, chunks=k)).result
            assert result.outcome in ("feasible", "optimal")
            assert result.chunks.count == (1 if k == "auto" else k)


def test_without_time_for_a_bound_there_are_trees(monkeypatch: pytest.MonkeyPatch) -> None:
    def late(*_: Any) -> None:
        raise OutOfTime

    monkeypatch.setattr(allreduce, "bound_alone", late)
    monkeypatch.setattr(whole_chunks, "bounded_by_cuts", late)
    result = solve(on(DGX_1, 8, "allreduce", chunks=1)).result
    assert result.objective.value == 80 <= result.bound.value
    wide = {(0, 3): 1, (3, 1): 5, (3, 2): 5, (1, 2): 1, (2, 1): 1, (1, 0): 1}
    result = solve(on(wide, 3, "broadcast", source="0", chunks=1)).result
    assert (result.outcome, result.objective.value) == ("optimal", 1)


@pytest.mark.parametrize("operation", ["allgather", "reduce_scatter"])
@pytest.mark.parametrize("ports", ["one_port", "multiport"])
def test_when_the_time_is_over_the_bound_is_that_of_one_processor(operation, ports) -> None:
    """Each of 8 gets, or gives, 7 messages, on links of 150 in all, or on one of 50 at a time."""
    result = solve(on(DGX_1, 8, operation, ports=ports), seconds=0).result
    assert result.outcome in ("feasible", "optimal")
    assert result.bound.value == (F(50, 7) if ports == "one_port" else F(150, 7))
    assert result.certificate.type == "cuts"


@pytest.mark.parametrize("most", [4, 12])
def test_numbers_that_no_client_reads_are_rounded_and_chunks_stay_whole(
    monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    monkeypatch.setattr(
        answers, "too_long", lambda numbers: any(num_bits(n) > most for n in numbers)
    )
    monkeypatch.setattr(answers, "ROUNDED_BITS", 4)
    for k in (1, 3):
        result = solve(on(DGX_1, 8, "allgather", chunks=k)).result
        assert result.objective.value <= F(k * 50, 3)
        assert {a.rate * k / result.objective.value % 1 for a in result.allocations} == {0}


def test_the_schedule_holds_whole_messages_and_its_period_several_operations() -> None:
    solved = solve(on(DGX_1, 8, "allgather", chunks=2))
    assert solved.schedule.instances_per_period in (1, 2)
    assert solved.schedule.throughput == solved.result.objective.value == 20


def least_of_all_trees(problem: dict[str, Any]) -> F:
    """Try all trees of all roots, one chunk each: the least time of the busiest port."""
    links = problem["problem"]["platform"]["links"]
    switches = {p["id"] for p in problem["problem"]["platform"]["processors"] if p.get("switch")}
    times = {(link["source"], link["target"]): 1 / F(link["bandwidth"]) for link in links}
    members = sorted({end for arc in times for end in arc} - switches)
    routes: list[tuple[str, ...]] = []
    waiting: list[tuple[str, ...]] = [(member,) for member in members]
    for path in waiting:
        for here, there in times:
            if here == path[-1] and there not in path:
                (routes if there in members else waiting).append((*path, there))
    taken_by_root = []
    for root in members:
        loads = set()
        others = [member for member in members if member != root]
        for chosen in product(*([r for r in routes if r[-1] == end] for end in others)):
            parent = {route[-1]: route[0] for route in chosen}
            if all(leads_to(root, end, parent) for end in others):
                load: dict[str, F] = {}
                for arc in (arc for route in chosen for arc in pairwise(route)):
                    for port in (f"{arc[0]} out", f"{arc[1]} in"):
                        if port.split()[0] not in switches:
                            load[port] = load.get(port, F(0)) + times[arc]
                    if switches >= set(arc):
                        load[str(arc)] = load.get(str(arc), F(0)) + times[arc]
                loads.add(tuple(sorted(load.items())))
        taken_by_root.append(loads)
    best = None
    for mix in product(*taken_by_root):
        total: dict[str, F] = {}
        for port, time in (entry for one in mix for entry in one):
            total[port] = total.get(port, F(0)) + time
        longest = max(total.values())
        best = longest if best is None else min(best, longest)
    assert best is not None
    return best


def leads_to(root: str, end: str, parent: Mapping[str, str]) -> bool:
    for _ in parent:
        end = parent.get(end, root)
    return end == root


@pytest.mark.parametrize("seed", range(draws(5, 400)))
def test_under_one_port_the_least_time_is_that_of_all_trees(seed: int) -> None:
    random = Random(seed)
    number = random.choice((3, 3, 4))
    links = {(random.randrange(v), v): random.randint(1, 4) for v in range(1, number)}
    one, other = sorted(random.sample(range(number), 2))
    links[one, other] = random.randint(1, 4)
    problem = on(both_ways(links), 3, "allgather", ports="one_port", chunks=1)
    result = solve(problem, max_period="exact").result
    assert 1 / result.objective.value == least_of_all_trees(problem)
    assert result.outcome == "optimal" or result.notes[0] == whole_chunks.BY_PROGRAM


def test_ports_with_a_bandwidth_and_shared_links_take_whole_chunks() -> None:
    """Each of 16 chunks comes to 0 once, where at most 10 come in per time unit."""
    problem = on(DGX_1, 8, "allgather", chunks=2)
    problem["problem"]["platform"]["processors"][0]["bandwidth_in"] = 10
    result = solve(problem).result
    assert (result.outcome, result.objective.value) == ("optimal", F(10, 7))
    assert result.certificate.type == "cuts"
    problem = on(DGX_1, 8, "reduce", target="0", chunks=2)
    problem["problem"]["platform"]["processors"][0]["bandwidth_in"] = 10
    assert solve(problem).result.objective.value == 10
    halves = [dict(link, duplex="half") for link in problem["problem"]["platform"]["links"]]
    halves = [link for link in halves if link["source"] < link["target"]]
    shared = on(DGX_1, 8, "allreduce", chunks=1)
    shared["problem"]["platform"]["links"] = halves
    result = solve(shared).result
    assert result.objective.value == 40  # Half of what both directions do.


def test_an_allreduce_over_links_in_one_direction_has_no_program() -> None:
    circle = {(v, (v + 1) % 3): 1 for v in range(3)}
    circle |= {(0, 2): 1}
    result = solve(on(circle, 3, "allreduce", ports="one_port", chunks=1)).result
    assert result.outcome in ("feasible", "optimal")
    assert result.trees.count >= 1


NO_CHUNKS = [
    (figure_2(ports="multiport", chunks=1), "chunks", "field_not_applicable", "max_period"),
    (together("allgather", ports="multiport", copying="all", chunks=1), "chunks", "field_not_applicable", "switches copy"),
    (together("reduce", target="A", ports="multiport", combine={"times": {"A": 1}}, chunks=1), "chunks", "field_not_applicable", "combining takes time"),
    (together("reduce", target="A", ports="multiport", order="fixed", chunks=1), "chunks", "field_not_applicable", "the order of the operands is fixed"),
    (cast("multicast", targets=["B", "C", "D"], ports="multiport", method="mcph", chunks=1), "chunks", "field_not_applicable", "method 'mcph' does not grow"),
    (cast("multicast", targets=["C"], ports="multiport", chunks=1), "chunks", "chunks_not_offered", '"copying": "participants"'),
    (together("allgather", ports="no_overlap", chunks=1), "chunks", "chunks_not_offered", "not under no_overlap"),
    (together("allgather", members={"duplex": "half"}, chunks=1), "chunks", "chunks_not_offered", 'under "multiport" only'),
    (together("allgather", chunks="auto"), "chunks", "chunks_not_offered", "ask a number of chunks"),
    (together("allgather", members={"duplex": "half"}, ports="multiport", chunks="auto"), "chunks", "chunks_not_offered", "ask a number"),
    (together("allgather", ports="multiport", chunk_loss="1/2"), "chunk_loss", "field_not_applicable", '"chunks": "auto"'),
    (together("allgather", ports="multiport", chunks=2, chunk_loss="1/2"), "chunk_loss", "field_not_applicable", "leave out"),
    (together("allgather", ports="multiport", chunks=1025), "chunks", "limit_exceeded", "4,100 chunks in all, and at most 4,096 are accepted: ask at most 1,024"),
    (together("allgather", ports="multiport", chunks="auto", sizes={"A": "1/5000"}), "chunks", "limit_exceeded", "a larger common divisor"),
    (together("allgather", ports="multiport", chunks=0), "chunks", None, "1"),
]  # fmt: skip


@pytest.mark.parametrize(("problem", "place", "code", "remedy"), NO_CHUNKS)
def test_chunks_are_refused_where_they_are_not_offered(problem, place, code, remedy) -> None:
    found = faults(problem)
    assert {fault.pointer[1] for fault in found} == {place}
    assert code is None or [fault.code for fault in found] == [code]
    assert any(remedy in fault.detail for fault in found)


def test_chunks_make_a_short_period_already() -> None:
    (fault,) = faults(together("allgather", ports="multiport", chunks=1), max_period=7)
    assert (fault.pointer, fault.code) == (("options", "max_period"), "chunks_with_max_period")
    assert "leave out max_period, or chunks" in fault.detail
    assert not faults(together("allgather", ports="multiport", chunks=1), max_period="exact")


def test_workers_that_know_no_chunks_get_none() -> None:
    asked = parse_submission(together("allgather", ports="multiport", chunks=1), Limits())
    other = parse_submission(together("allgather", ports="multiport"), Limits())
    assert (asked.requires, other.requires) == (12, 2)
