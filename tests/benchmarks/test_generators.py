"""The benchmarks measure what their tables say."""

import random
from collections import Counter

from benchmarks.boxes import mi250
from benchmarks.collectives import LINKS_EACH, allgather, broadcast
from benchmarks.generators import (
    random_fork_join,
    random_platform,
    random_task_graph,
    random_transfers,
    random_tree,
    saturated_transfers,
)
from benchmarks.measurement import Measurement
from steadygrid.domain.job import Options
from steadygrid.domain.limits import Limits
from steadygrid.kinds.master_worker.sizing import Reach, faults
from steadygrid.kinds.task_graph.sizing import faults as task_graph_faults
from steadygrid.kinds.task_graph.sizing import sizing as task_graph_sizing
from steadygrid.submissions.submission import parse_submission


def test_a_random_platform_is_reproducible_sound_and_reached_from_its_master() -> None:
    instance = random_platform(3, num_processors=50, num_links=200)
    assert instance == random_platform(3, num_processors=50, num_links=200)
    assert instance != random_platform(4, num_processors=50, num_links=200)
    assert list(faults(instance, Options(), ("problem",))) == []
    assert len(instance.platform.links) == 200
    assert len(Reach.from_instance(instance).workers) == 50


def test_a_random_tree_has_as_many_distinct_weights_as_asked() -> None:
    parents, links, computes = random_tree(0, 500, distinct=7)
    assert parents[0] == -1
    assert all(0 <= parent < node for node, parent in enumerate(parents[1:], 1))
    assert len({id(weight) for weight in links}) <= 7
    assert len({id(weight) for weight in computes}) <= 7
    assert len(set(random_tree(0, 500, distinct=None)[2])) > 400


def test_a_saturated_graph_keeps_every_port_busy_for_the_same_time() -> None:
    edges = saturated_transfers(1, num_edges=600, num_processors=20, digits=30)
    sends: Counter[int] = Counter()
    receives: Counter[int] = Counter()
    for edge in edges:
        sends[edge.sender] += edge.weight
        receives[edge.receiver] += edge.weight
    assert len(edges) == 600
    assert len({*sends.values(), *receives.values()}) == 1
    assert len(sends) == len(receives) == 20
    assert len({edge.weight for edge in edges}) > 300


def test_random_transfers_have_weights_of_the_asked_length() -> None:
    edges = random_transfers(0, num_edges=100, num_processors=10, digits=30)
    assert {len(str(edge.weight)) for edge in edges} == {30}


def test_a_claim_may_be_a_ceiling_or_a_floor() -> None:
    low, high = sorted(random.Random(0).sample(range(100), 2))
    assert Measurement("time", low, "s", claim=high).holds
    assert not Measurement("time", high, "s", claim=low).holds
    assert Measurement("rate", high, "/s", claim=low, at_least=True).holds
    assert not Measurement("rate", low, "/s", claim=high, at_least=True).holds
    assert Measurement("size", high, "GB").holds is None


def test_a_random_task_graph_is_reproducible_sound_and_not_too_wide() -> None:
    for instance in (random_task_graph(5, 12, 6, 3), random_fork_join(5)):
        assert list(task_graph_faults(instance, Options(), ("problem",))) == []
    assert random_task_graph(5, 12, 6, 3) == random_task_graph(5, 12, 6, 3)
    assert random_fork_join(5) != random_fork_join(6)
    assert task_graph_sizing(random_task_graph(5, 12, 6, 3), Options()).sizes["width"] <= 3


def test_collective_operations_are_reproducible_and_as_large_as_they_say() -> None:
    for uneven in (True, False):
        body = broadcast(50, uneven=uneven)
        assert body == broadcast(50, uneven=uneven)
        instance = parse_submission(body, Limits()).instance
        assert 2 * len(instance.platform.links) == LINKS_EACH * 50
        assert len(instance.messages[0].receivers) == 49
    instance = parse_submission(allgather(mi250(2)), Limits()).instance
    assert len(instance.messages) == 32
    assert [p.id for p in instance.platform.processors if p.switch] == ["S32"]
