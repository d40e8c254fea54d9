"""Fixed ways: the shortest paths with all their ties, found from neighbours where there is one."""

from fractions import Fraction
from itertools import pairwise, permutations
from random import Random

import pytest

from steadygrid.domain.errors import OutOfTime
from steadygrid.domain.platform import Link, Platform, Processor, Route
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.shared import routes as module
from steadygrid.kinds.shared.routes import Routes, fixed_routes


def drawn(seed: int, denominators: tuple[int, ...] = (1, 2, 3)) -> Platform:
    """Draw a few switches in a mesh, and hosts that hang on one of them, with many ties."""
    random = Random(seed)
    names = [f"S{i}" for i in range(4)] + [f"H{i}" for i in range(3)]
    pairs = [(a, b) for i, a in enumerate(names[:4]) for b in names[i + 1 : 4]]
    links = [pair for pair in pairs if random.random() < 0.7]
    links += [(random.choice(names[:4]), host) for host in names[4:]]
    return Platform(
        processors=tuple(Processor(id=name) for name in names),
        links=tuple(
            Link(
                source=source,
                target=target,
                unit_time=Fraction(random.randint(1, 2), random.choice(denominators)),
                duplex=random.choice(("full", "full", "half", "simplex")),
            )
            for source, target in links
        ),
    )


def shortest(platform: Platform, source: int, target: int) -> tuple[int, ...] | None:
    """Enumerate all simple paths."""
    arcs = platform.arc_by_ends
    others = [i for i in range(len(platform.processors)) if i not in (source, target)]
    found = []
    for length in range(len(others) + 1):
        for middle in permutations(others, length):
            hops = [source, *middle, target]
            steps = [arcs.get((a, b)) for a, b in pairwise(hops)]
            path = [step for step in steps if step is not None]
            if len(path) == len(steps):
                names = tuple(platform.processors[i].id for i in hops)
                time = sum(arc.unit_time for arc in path)
                found.append((time, len(path), names, tuple(arc.index for arc in path)))
    return min(found)[-1] if found else None


@pytest.mark.parametrize("seed", range(12))
def test_every_route_is_the_first_of_the_shortest_paths(seed: int) -> None:
    platform = drawn(seed, (1,) if seed % 2 else (1, 2, 3))
    ways = Routes(platform)
    every = range(len(platform.processors))
    expected = {(i, j): shortest(platform, i, j) for i in every for j in every if i != j}
    assert {pair: ways.path(*pair) for pair in expected} == expected
    listed = {pair: way for pair, way in expected.items() if way is not None}
    assert fixed_routes(platform, list(every), list(every)) == listed


@pytest.mark.parametrize("seed", range(12))
def test_direct_routes_are_the_shortest_paths_that_pass_no_stop(seed: int) -> None:
    platform, random = drawn(seed), Random(seed)
    every = range(len(platform.processors))
    for source in every:
        stops = set(random.sample(every, random.randint(0, len(every))))
        paths = ((target, shortest(platform, source, target)) for target in every)
        expected = {
            target: path
            for target, path in paths
            if target != source
            and path
            and stops.isdisjoint(platform.arcs[arc].target for arc in path[:-1])
        }
        assert Routes(platform).direct(source, stops) == expected


def test_denominators_too_long_to_share_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    platform = drawn(3, (7, 11, 13))
    every = list(range(len(platform.processors)))
    expected = fixed_routes(platform, every, every)
    monkeypatch.setattr(module, "LONGEST_SCALE", 1)
    assert fixed_routes(platform, every, every) == expected


def star() -> Platform:
    names = ["S", "A", "B", "C"]
    return Platform(
        processors=tuple(Processor(id=name) for name in names),
        links=tuple(Link(source="S", target=name, unit_time=Fraction(1)) for name in names[1:]),
        routes=(Route(source="A", target="C", via=("S",)),),
    )


def test_hosts_of_one_switch_need_one_search() -> None:
    searched = []
    ways = Routes(star(), check=lambda: searched.append(1))
    assert ways.path(1, 1) == ()
    assert ways.path(1, 0) == (1,)
    assert not searched
    assert ways.path(1, 2) == (1, 2)
    assert ways.path(2, 3) == (3, 4)
    assert ways.path(3, 1) == (5, 0)
    assert len(searched) == 1


def test_given_routes_count_unless_others_are_given() -> None:
    detour = Route(source="S", target="A", via=())
    platform = star()
    assert Routes(platform).path(1, 3) == (1, 4)
    assert Routes(platform, (detour,)).path(0, 1) == (0,)
    assert Routes(platform, ()).path(1, 3) == (1, 4)


def test_a_search_for_many_routes_stops_when_the_time_is_over() -> None:
    with pytest.raises(OutOfTime):
        fixed_routes(star(), [1, 2], [3], Control(0).check)
