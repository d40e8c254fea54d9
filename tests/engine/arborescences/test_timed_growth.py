"""Trees that grow as a program runs, and few routes over forwarders: within what links carry."""

from collections import Counter
from fractions import Fraction
from itertools import pairwise
from random import Random

import pytest

from benchmarks.boxes import a100, mi250
from steadygrid.engine.arborescences.chunk_times import least_chunk_time, whole_chunks
from steadygrid.engine.arborescences.cuts import Arc
from steadygrid.engine.arborescences.few_routes import few_routes
from steadygrid.engine.arborescences.packing import Arborescence
from steadygrid.engine.arborescences.timed_growth import grow_by_time
from tests.draws import draws
from tests.engine.arborescences.checks import check_packing

F = Fraction


def rational(bandwidths: dict[Arc, int]) -> dict[Arc, Fraction]:
    return {arc: F(width) for arc, width in bandwidths.items()}


@pytest.mark.parametrize("seed", range(draws(3, 300)))
def test_trees_grow_in_the_least_time_of_all_trees(seed: int) -> None:
    random = Random(seed)
    number = random.randint(2, 6)
    bandwidths = {(v, (v + 1) % number): F(random.randint(1, 6), 3) for v in range(number)}
    for _ in range(2 * number):
        tail, head = random.sample(range(number), 2)
        bandwidths[tail, head] = F(random.randint(1, 6), random.randint(1, 3))
    chunks = {v: random.randint(0, 3) for v in range(number)} | {0: 2}
    time = least_chunk_time(number, bandwidths, chunks, range(number)).time
    room = whole_chunks(bandwidths, time)
    found = grow_by_time(number, bandwidths, room, chunks)
    assert found is not None
    weights = Counter((tree.root, tree.routes) for tree in found)
    assert len(found) == weights.total() == sum(chunks.values())
    joined = [Arborescence(root, weight, ways) for (root, ways), weight in weights.items()]
    check_packing(joined, room, chunks, range(number))
    less = whole_chunks(bandwidths, time * F(99_999, 100_000))
    assert grow_by_time(number, bandwidths, less, chunks) is None


def last_arrival(trees: list[Arborescence], times: dict[Arc, Fraction]) -> Fraction:
    """Carry out all trees: a free arc takes what came over the fewest hops, then the first tree."""
    depth = [{tree.root: 0} for tree in trees]
    there = [{tree.root: F(0)} for tree in trees]
    waiting = [set(tree.routes) for tree in trees]
    free = dict.fromkeys(times, F(0))
    now = F(0)
    while any(waiting):
        for arc, taking in times.items():
            ready = [
                (depth[number][arc[0]], number)
                for number, ways in enumerate(waiting)
                if arc in ways and there[number].get(arc[0], now + 1) <= now
            ]
            if free[arc] <= now and ready:
                hops, number = min(ready)
                waiting[number].remove(arc)
                depth[number][arc[1]] = hops + 1
                there[number][arc[1]] = free[arc] = now + taking
        later = [time for ends in there for time in ends.values() if time > now]
        now = min(later, default=now)
    return max(time for ends in there for time in ends.values())


def test_a_ring_is_busy_all_the_time() -> None:
    """On a ring of 5 of unequal links, no link waits before it has carried all that it has to."""
    bandwidths = {(v, (v + step) % 5): F(1 + v % 2) for v in range(5) for step in (1, 4)}
    chunks = dict.fromkeys(range(5), 6)
    time = least_chunk_time(5, bandwidths, chunks, range(5)).time
    found = grow_by_time(5, bandwidths, whole_chunks(bandwidths, time), chunks)
    assert found is not None
    times = {arc: 1 / width for arc, width in bandwidths.items()}
    assert last_arrival(found, times) <= time + 4 * max(times.values())


def test_boxes_of_graphics_processors_have_one_neighbour_in_the_other_box() -> None:
    number, bandwidths, members = mi250(2)
    direct = few_routes(number, rational(bandwidths), members)
    over = {arc: way for arc, way in direct.routes.items() if len(way) > 2}
    assert {arc: (arc[1] - arc[0]) % 32 for arc in over} == {
        (v, (v + 16) % 32): 16 for v in range(32)
    }
    assert all(direct.bandwidths[arc] == 16 for arc in over)
    chunks = dict.fromkeys(members, 5)
    whole = least_chunk_time(number, rational(bandwidths), chunks, members).time
    assert least_chunk_time(32, direct.bandwidths, chunks, members).time == whole


@pytest.mark.parametrize("boxes", [mi250(2), a100(2)])
def test_routes_take_no_more_than_links_carry(boxes: tuple[int, dict[Arc, int], list[int]]) -> None:
    number, bandwidths, members = boxes
    direct = few_routes(number, rational(bandwidths), members)
    taken: dict[Arc, Fraction] = dict.fromkeys(bandwidths, F(0))
    for arc, way in direct.routes.items():
        assert (way[0], way[-1]) == arc
        assert not set(way[1:-1]) & set(members)
        for hop in pairwise(way):
            taken[hop] += direct.bandwidths[arc]
    assert all(taken[hop] <= bandwidths[hop] for hop in taken)
    assert all(taken[arc] == width for arc, width in bandwidths.items() if {*arc} <= set(members))


def test_who_is_reached_by_no_route_of_links_has_no_trees() -> None:
    direct = few_routes(4, {(0, 3): F(1), (3, 1): F(1)}, [0, 1, 2])
    assert direct.routes == {(0, 1): (0, 3, 1)}
    assert grow_by_time(3, direct.bandwidths, {(0, 1): 1}, {0: 1}) is None


def test_a_route_is_the_widest_of_the_shortest() -> None:
    """From 0 to 1 over 2 (width 1), over 3 (width 5), or over 4 and 5 (width 9, longer)."""
    widths = {(0, 2): 1, (2, 1): 7, (0, 3): 6, (3, 1): 5, (0, 4): 9, (4, 5): 9, (5, 1): 9}
    direct = few_routes(6, rational(widths), [0, 1])
    assert direct.bandwidths == {(0, 1): 5}
    assert direct.routes == {(0, 1): (0, 3, 1)}


def test_in_a_round_no_two_members_get_routes_to_the_same_one() -> None:
    """Behind switch 3 member 2 prefers 1, which 0 has taken: it gets 0 first, and 1 by what is left."""
    widths = {(0, 3): F(1), (1, 3): F(1), (2, 3): F(1)}
    widths |= {(3, 0): F(1, 2), (3, 1): F(2), (3, 2): F(1)}
    direct = few_routes(4, widths, [0, 1, 2])
    assert direct.bandwidths == {(0, 1): 1, (1, 2): 1, (2, 0): F(1, 2), (2, 1): F(1, 2)}
