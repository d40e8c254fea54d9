"""Batches by HEFT: by hand, and no operation beside another on the same resource."""

from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest

from steadygrid.domain.platform import Platform
from steadygrid.domain.resources import pair_name
from steadygrid.engine.executions.batches import Graph, planned_batch
from steadygrid.engine.executions.unrolled import Unrolled
from steadygrid.verification.network import Network, read_network

F = Fraction
BAG = {("begin", "task"): F(1)}


def star(*works: int, duplex: str = "full", ports: Any = "one_port") -> Network:
    """Read a master with links of time 1 to workers P1, P2, ..."""
    names = [f"P{i}" for i in range(1, len(works) + 1)]
    platform = {
        "processors": [{"id": "M"}, *({"id": name, "unit_time": 1} for name in names)],
        "links": [
            {"source": "M", "target": name, "unit_time": 1, "duplex": duplex} for name in names
        ],
    }
    return read_network(Platform.model_validate(platform), ports)


def bag(*works: int) -> Graph:
    return Graph({"task": {f"P{i}": F(work) for i, work in enumerate(works, 1)}}, BAG, "M")


def test_each_task_runs_where_it_ends_first() -> None:
    """The second would end at 7 on the first worker, and at 6 on the second."""
    batch = planned_batch(bag(3, 4), star(3, 4), 3)
    assert batch is not None
    assert [(one.draws, one.start, one.time) for one in batch.lines] == [
        (pair_name("M", "P1"), 0, 1),
        ("P1", 1, 3),
        (pair_name("M", "P2"), 1, 1),
        ("P2", 2, 4),
        (pair_name("M", "P1"), 2, 1),
        ("P1", 4, 3),
    ]
    assert {one.every for one in batch.lines} == {7}


def test_the_next_batch_begins_on_a_resource_when_the_last_has_ended_there() -> None:
    """The worker is never idle: two tasks of 3 in each batch of length 7, and 1/3 in the long run."""
    batch = planned_batch(bag(3), star(3), 2)
    assert batch is not None
    assert {one.every for one in batch.lines} == {7}
    done = Unrolled(batch, 20).carry_out(clocked=False, noise=None)
    assert (done.steady, done.ended) == (F(1, 3), 1 + 20 * 3)


def test_results_go_home() -> None:
    sizes = {**BAG, ("task", "end"): F(2)}
    batch = planned_batch(bag(1)._replace(sizes=sizes), star(1), 2)
    assert batch is not None
    done = Unrolled(batch, 2).carry_out(clocked=False, noise=None)
    assert done.ended == 1 + 1 + 2 + 2


def test_latencies_are_paid_where_they_are_to_be() -> None:
    platform = {
        "processors": [{"id": "M"}, {"id": "P1", "unit_time": 1}],
        "links": [{"source": "M", "target": "P1", "unit_time": 1, "latency": 5}],
    }
    network = read_network(Platform.model_validate(platform), "one_port")
    for paid, end in ((False, 2), (True, 7)):
        batch = planned_batch(bag(1), network, 1, paid=paid)
        assert batch is not None
        assert {one.every for one in batch.lines} == {end}


def test_a_task_that_its_files_do_not_reach_has_no_place() -> None:
    network = star(1, duplex="simplex")
    there = {("one", "other"): F(1)}
    times = {"one": {"P1": F(1)}, "other": {"M": F(1)}}
    assert planned_batch(Graph(times, there, None), network, 1) is None


@pytest.mark.parametrize("ports", ["one_port", "send_or_receive", "no_overlap"])
def test_no_operation_is_beside_another_on_its_resource_or_before_what_it_needs(ports: Any) -> None:
    """A diamond of tasks over three processors, one of them behind another."""
    platform = {
        "processors": [{"id": name, "unit_time": 1} for name in "ABC"],
        "links": [
            {"source": "A", "target": "B", "unit_time": 1},
            {"source": "B", "target": "C", "unit_time": 2},
        ],
    }
    network = read_network(Platform.model_validate(platform), ports)
    times = {
        name: dict(zip("ABC", map(F, row), strict=True))
        for name, row in {"d": (9, 1, 5), "b": (4, 1, 9), "a": (1, 9, 9), "c": (9, 9, 2)}.items()
    }
    sizes = {("a", "b"): F(1), ("a", "c"): F(1), ("b", "d"): F(1), ("c", "d"): F(2)}
    batch = planned_batch(Graph(times, sizes, None), network, 4)
    assert batch is not None
    busy: dict[str, list[tuple[Fraction, Fraction]]] = {}
    for one in batch.lines:
        for resource in one.resources:
            busy.setdefault(resource, []).append((one.start, one.start + one.time))
    for spans in busy.values():
        assert all(end <= start for (_, end), (start, _) in pairwise(sorted(spans)))
    done = batch.repetitions_of(4)
    for repetition in done:
        for need in repetition.needs:
            before = batch.lines[done[need].line]
            assert before.start + before.time <= batch.lines[repetition.line].start
    computed = [one.instance for one in done if batch.lines[one.line].computes]
    assert sorted(computed) == sorted([*range(4)] * 4)
