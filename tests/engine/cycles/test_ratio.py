"""The largest ratio of a cycle: against all cycles, and where it is hard to see."""

import random
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest

from steadygrid.domain.errors import Cancelled, OutOfTime
from steadygrid.engine.cycles.graph import Graph
from steadygrid.engine.cycles.ratio import Critical, NoProgress, critical, least_starts
from steadygrid.engine.solving.control import Control
from tests.draws import draws
from tests.engine.cycles.plainly import (
    Edge,
    earliest,
    graph_of,
    random_edges,
    ratios,
    totals,
    weights,
)


def assert_proved(nodes: int, edges: Sequence[Edge], found: Critical) -> None:
    """Check the ratio from below by the cycle, and from above by the potentials."""
    if found.cycle:
        assert Fraction(*totals(edges, found.cycle)) == found.ratio
    else:
        assert found.ratio == 0
    potentials = found.potentials
    assert len(potentials) == nodes
    assert min(potentials, default=0) == 0
    for (source, target, _, _), weight in zip(edges, weights(edges, found.ratio), strict=True):
        assert potentials[target] - potentials[source] >= weight


def assert_stuck(edges: Sequence[Edge], cycle: Sequence[int]) -> None:
    time, height = totals(edges, cycle)
    assert height < 0 or (height == 0 and time > 0)


@pytest.mark.parametrize("seed", range(4))
def test_all_cycles_of_random_graphs_have_no_larger_ratio(seed: int) -> None:
    draw = random.Random(seed)
    stuck_ones = advancing = 0
    for _ in range(draws(375, 20_000)):
        nodes, edges = random_edges(draw)
        graph = graph_of(nodes, edges)
        expected, stuck = ratios(nodes, edges)
        policy = [draw.randrange(-1, max(1, len(edges))) for _ in range(nodes)]
        given = draw.choice([None, policy])
        if stuck:
            with pytest.raises(NoProgress) as raised:
                critical(graph, policy=given)
            assert_stuck(edges, raised.value.cycle)
            stuck_ones += 1
            continue
        found = critical(graph, policy=given)
        assert found.ratio == (expected or 0)
        assert (expected is None) == (not found.cycle)
        assert_proved(nodes, edges, found)
        assert least_starts(graph, found) == earliest(nodes, edges, found.ratio)
        assert critical(graph, policy=found.policy).ratio == found.ratio
        advancing += expected is not None
    assert min(stuck_ones, advancing) > 100


def test_a_cycle_that_needs_neither_time_nor_tokens_asks_for_nothing() -> None:
    harmless = [(0, 1, 0, 2), (1, 0, 0, -2)]
    found = critical(graph_of(2, harmless))
    assert (found.ratio, found.cycle) == (0, ())
    loop = (1, 1, 7, 3)
    found = critical(graph_of(2, [*harmless, loop]))
    assert (found.ratio, found.cycle) == (Fraction(7, 3), (2,))
    assert_proved(2, [*harmless, loop], found)


def test_no_time_at_all_is_the_ratio_0_of_a_cycle_that_advances() -> None:
    # The first policy goes from 0 to 1 and back, which does not advance.
    edges = [(0, 1, 0, -2), (1, 0, 0, 2), (1, 2, 0, 0), (2, 0, 0, 3), (0, 3, 9, 1)]
    found = critical(graph_of(4, edges))
    assert (found.ratio, found.cycle) == (0, (2, 3, 0))
    assert_proved(4, edges, found)


@pytest.mark.parametrize("loop", [(2, 2, 1, 0), (2, 2, 0, -1), (2, 2, 1, -1)])
def test_a_cycle_without_progress_is_found_behind_slower_parts(loop: Edge) -> None:
    slower = [(0, 1, 1000, 0), (1, 0, 0, 1), (1, 2, 0, -5), (2, 2, 1, 10**6)]
    with pytest.raises(NoProgress) as raised:
        critical(graph_of(3, [*slower, loop]))
    assert raised.value.cycle == (4,)
    assert str(raised.value) == "a cycle of 1 edges does not advance"


def test_potentials_hold_in_slower_parts_whose_heights_are_negative() -> None:
    """Parts of ratio 9, 1/6 and 0, with edges between them in both senses of height."""
    edges = [
        (0, 0, 9, 1),
        (1, 2, 1, -3),
        (2, 1, 0, 9),
        (3, 4, 0, -7),
        (4, 3, 0, 7),
        (0, 1, 5, -2),
        (2, 3, 0, 4),
        (0, 4, 3, -8),
    ]
    found = critical(graph_of(5, edges))
    assert (found.ratio, found.cycle) == (9, (0,))
    assert_proved(5, edges, found)
    assert least_starts(graph_of(5, edges), found) == earliest(5, edges, found.ratio)


def test_what_slower_parts_gain_by_edges_to_others_takes_no_policy() -> None:
    """The last node of a ring gains most by leaving it, and the others lose by waiting for it."""
    nodes = 100
    ring = [(k, (k + 1) % nodes, 1, int(k == nodes - 1)) for k in range(nodes)]
    leaving = [(k, nodes, 500 if k == nodes - 1 else 2 * (nodes - k), 0) for k in range(nodes)]
    edges = [*ring, *leaving, (nodes, nodes, 1000, 1)]
    found = critical(graph_of(nodes + 1, edges))
    assert (found.ratio, found.statistics.policy_rounds) == (1000, 1)
    assert_proved(nodes + 1, edges, found)


def test_numbers_beyond_64_bits_are_told_apart_to_the_last_digit() -> None:
    """Two loops whose times differ by 1, and heights that floats do not see cancel."""
    huge = 10**40
    edges = [(0, 0, huge, 3), (1, 1, huge + 1, 3), (0, 1, 5, huge), (1, 0, 0, 6 - huge)]
    found = critical(graph_of(2, edges))
    assert (found.ratio, found.cycle) == (Fraction(huge + 1, 3), (1,))
    assert_proved(2, edges, found)
    with pytest.raises(NoProgress) as raised:
        critical(graph_of(2, [*edges, (1, 0, 0, -huge)]))
    assert set(raised.value.cycle) == {2, 4}


def test_a_long_cycle_of_64_bit_numbers_does_not_overflow() -> None:
    nodes, time = 300, 2**53
    edges = [(k, (k + 1) % nodes, time - k, 2**53 if k == 0 else -k) for k in range(nodes)]
    found = critical(graph_of(nodes, edges))
    assert_proved(nodes, edges, found)
    assert found.ratio == Fraction(*totals(edges, range(nodes)))


def test_arrays_of_any_whole_numbers_are_read() -> None:
    ends = np.array([0, 1]), np.array([1, 0])
    for kind in (np.int64, np.int32, np.uint64, object):
        times, heights = np.array([3, 4], dtype=kind), np.array([1, 2], dtype=kind)
        assert critical(Graph(2, *ends, times, heights)).ratio == Fraction(7, 3)


@pytest.mark.parametrize("nodes", [0, 1, 5])
def test_a_graph_without_edges_has_no_cycle(nodes: int) -> None:
    graph = graph_of(nodes, [])
    found = critical(graph)
    assert (found.ratio, found.cycle, found.potentials) == (0, (), [0] * nodes)
    assert least_starts(graph, found) == [0] * nodes


@pytest.mark.parametrize("unit", [1, 10**30])
def test_a_warm_start_takes_a_policy_or_two_and_a_useless_one_does_no_harm(unit: int) -> None:
    draw = random.Random(5)
    nodes = 2000
    edges = [(k, (k + 1) % nodes, draw.randrange(100) * unit, 1) for k in range(nodes)]
    edges += [
        (draw.randrange(nodes), draw.randrange(nodes), draw.randrange(100) * unit, 1)
        for _ in range(3 * nodes)
    ]
    graph = graph_of(nodes, edges)
    cold = critical(graph)
    assert cold.statistics.policy_rounds > 5
    assert cold.statistics.sweeps == 1
    warm = critical(graph, policy=cold.policy)
    assert warm.statistics.policy_rounds <= 2
    assert (warm.ratio, warm.cycle) == (cold.ratio, cold.cycle)
    longer = graph_of(nodes, [*edges, (0, 0, 99 * unit, 1)])
    assert critical(longer, policy=cold.policy).ratio == 99 * unit
    assert critical(graph, policy=[10**9, -7] * (nodes // 2)).ratio == cold.ratio


def test_the_search_ends_when_its_heartbeat_does() -> None:
    """Cancelled between any two steps, and out of time."""
    draw = random.Random(2)
    edges = [
        (draw.randrange(50), draw.randrange(50), draw.randrange(9) * 10**30, draw.randint(1, 9))
        for _ in range(200)
    ]
    graph = graph_of(50, edges)
    control = Control()
    beats = 0

    def beat() -> None:
        nonlocal beats
        beats += 1
        if beats == last:
            control.cancel()
        control.check()

    last = -1
    found = critical(graph, heartbeat=beat)
    least_starts(graph, found, heartbeat=beat)
    assert beats > 20
    for cancelled_at in range(1, beats, 5):
        last, beats, control = cancelled_at, 0, Control()
        with pytest.raises(Cancelled):
            least_starts(graph, critical(graph, heartbeat=beat), heartbeat=beat)
    with pytest.raises(OutOfTime):
        critical(graph, heartbeat=Control(0).check)


@pytest.mark.parametrize(
    ("graph", "policy", "message"),
    [
        (graph_of(2, [(0, 2, 1, 1)]), None, "an edge ends at no node"),
        (graph_of(2, [(-1, 0, 1, 1)]), None, "an edge ends at no node"),
        (graph_of(2, [(0, 1, -1, 1)]), None, "a time is negative"),
        (graph_of(2, [(0, 1, 1, 1)])._replace(times=[]), None, "an edge needs a source"),
        (graph_of(2, [(0, 1, 1, 1)]), [0], "a policy needs an edge, or -1, for each node"),
    ],
)
def test_what_is_no_graph_is_refused(graph: Graph, policy: list[int] | None, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        critical(graph, policy=policy)
