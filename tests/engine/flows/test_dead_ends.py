"""Arcs without dead ends against all paths between the ends."""

from random import Random

import pytest

from steadygrid.domain.platform import Platform
from steadygrid.engine.flows.dead_ends import without_dead_ends
from tests.draws import draws


def _drawn(random: Random) -> Platform:
    names = [f"P{i}" for i in range(random.randint(2, 8))]
    pairs = [(a, b) for i, a in enumerate(names) for b in names[i + 1 :]]
    links = [
        {"source": a, "target": b, "bandwidth": 1, "duplex": random.choice(("full", "simplex"))}
        for a, b in random.sample(pairs, random.randint(0, min(len(pairs), len(names) + 1)))
    ]
    return Platform.model_validate({"processors": [{"id": n} for n in names], "links": links})


def _on_paths(platform: Platform, start: int, end: int, passed: tuple[int, ...]) -> set[int]:
    """Give the arcs of all paths without a cycle, by going all ways."""
    if start == end:
        return set()
    found: set[int] = set()
    for arc in platform.arcs_out[start]:
        if arc.target not in passed and (
            arc.target == end or _reaches(platform, arc.target, end, (*passed, arc.target))
        ):
            found |= {arc.index, *_on_paths(platform, arc.target, end, (*passed, arc.target))}
    return found


def _reaches(platform: Platform, start: int, end: int, passed: tuple[int, ...]) -> bool:
    return start == end or any(
        _reaches(platform, arc.target, end, (*passed, arc.target))
        for arc in platform.arcs_out[start]
        if arc.target not in passed
    )


@pytest.mark.parametrize("seed", range(draws(10, 2000)))
def test_every_path_between_ends_is_left(seed: int) -> None:
    random = Random(seed)
    platform = _drawn(random)
    places = range(len(platform.processors))
    ends = random.sample(places, random.randint(1, len(places)))
    left = {arc.index for arc in without_dead_ends(platform, ends)}
    for start in ends:
        for end in ends:
            assert left >= _on_paths(platform, start, end, (start,))


def test_what_hangs_on_a_router_is_left_out() -> None:
    names = ["A", "router", "B", "C", "tail"]
    platform = Platform.model_validate(
        {
            "processors": [{"id": name} for name in names],
            "links": [
                {"source": source, "target": target, "bandwidth": 1}
                for source, target in (
                    ("A", "router"),
                    ("router", "B"),
                    ("router", "C"),
                    ("C", "tail"),
                )
            ],
        }
    )

    def left(copying: list[int]) -> set[tuple[int, int]]:
        arcs = without_dead_ends(platform, [0, 2], copying)
        return {(min(arc[1:3]), max(arc[1:3])) for arc in arcs}

    assert left([]) == {(0, 1), (1, 2)}
    assert left([0, 1, 2, 3, 4]) == {(0, 1), (1, 2)}
    assert left([0, 2, 3, 4]) == {(0, 1), (1, 2), (1, 3)}
    assert left([0, 2, 4]) == {(0, 1), (1, 2), (1, 3), (3, 4)}
