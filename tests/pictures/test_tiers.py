"""Drawings in tiers: no line meets a third box, no two boxes overlap, whatever the platform."""

from random import Random
from time import perf_counter
from typing import Any

import pytest

from steadygrid.domain.platform import Platform
from steadygrid.pictures.platform import platform_scene
from steadygrid.pictures.platform_scene import Scene
from steadygrid.pictures.tiers import Box, lay_out, levels_of
from tests.draws import draws


def connected(random: Random, count: int) -> list[tuple[int, int]]:
    edges = {(random.randrange(k), k) for k in range(1, count)}
    for _ in range(random.randrange(count)):
        a, b = sorted(random.sample(range(count), 2))
        edges.add((a, b))
    return sorted(edges)


def random_platform(random: Random, count: int) -> Platform:
    """Give one whose processors differ, switches among them, so that twins are rare."""
    processors: list[dict[str, Any]] = [
        {"id": f"p{k}", "switch": True}
        if random.random() < 0.2
        else {"id": f"p{k}", "speed": k + 1}
        for k in range(count)
    ]
    links = [
        {"source": f"p{a}", "target": f"p{b}", "bandwidth": random.randint(1, 9)}
        for a, b in connected(random, count)
    ]
    return Platform.model_validate({"processors": processors, "links": links})


def assert_clean(scene: Scene) -> None:
    assert scene.tiers.through() == []
    assert scene.tiers.overlaps() == []
    labels = [box.said[0] for box in scene.boxes if box.kind != "chip"]
    assert len(labels) == len(set(labels))


def test_lines_meet_no_third_box_and_boxes_do_not_overlap() -> None:
    random = Random(37)
    for _ in range(draws(7, 600)):
        count = random.randint(3, 60)
        platform = random_platform(random, count)
        for most in (4, 60):
            scene = platform_scene(platform, most)
            assert_clean(scene)
            counted = sum(box.kind != "chip" for box in scene.boxes)
            assert counted <= count
        # With as much room as this, only layers beyond the twelfth are counted.
        assert counted >= min(count, 12)


def test_layers_are_distances_and_neighbours_differ_by_one_at_most() -> None:
    random = Random(4)
    for _ in range(draws(10, 300)):
        count = random.randint(2, 40)
        edges = connected(random, count)
        around: list[list[int]] = [[] for _ in range(count)]
        for a, b in edges:
            around[a].append(b)
            around[b].append(a)
        root = random.randrange(count)
        levels = levels_of(around, [root])
        assert levels[root] == 0
        for i, level in enumerate(levels):
            if i != root:
                assert min(levels[k] for k in around[i]) == level - 1
            assert all(abs(levels[k] - level) <= 1 for k in around[i])


def test_what_cannot_be_reached_begins_anew_at_its_greatest_degree() -> None:
    assert levels_of([[1], [0], [3], [2, 4], [3]], [0]) == [0, 1, 1, 0, 1]


def test_a_line_that_would_cross_a_row_is_refused() -> None:
    boxes = [Box(0, 140, 40), Box(1, 140, 40), Box(2, 140, 40)]
    with pytest.raises(ValueError, match="boxes 0 and 2 cannot be joined"):
        lay_out(boxes, [(0, 1), (0, 2)])


def test_through_and_overlaps_find_what_they_are_for() -> None:
    """A line that is moved across a box is found; so are two boxes at one place."""
    tiers = lay_out([Box(0, 140, 40), Box(1, 140, 40), Box(1, 140, 40)], [(0, 1)])
    first, second, third = tiers.places
    moved = third._replace(x=(first.x + second.x) / 2, y=(first.y + second.y) / 2)
    across = type(tiers)((first, second, moved), tiers.lines, tiers.width, tiers.height)
    assert across.through() == [((0, 1), 2)]
    both = type(tiers)((first, second, second), (), tiers.width, tiers.height)
    assert both.overlaps() == [(2, 1)]


def test_children_stand_below_their_parents_in_the_order_of_these() -> None:
    boxes = [Box(0, 140, 40), *(Box(1, 140, 40) for _ in range(2)), *([Box(2, 140, 40)] * 2)]
    tiers = lay_out(boxes, [(0, 1), (0, 2), (1, 4), (2, 3)])
    x = [place.x for place in tiers.places]
    assert x[0] == (x[1] + x[2]) / 2
    assert x[4] == x[1] < x[2] == x[3]


def test_a_line_within_a_row_runs_below_it() -> None:
    tiers = lay_out([Box(0, 140, 24), *(Box(1, 140, 40) for _ in range(3))],
                    [(0, 1), (0, 2), (0, 3), (1, 3)])  # fmt: skip
    assert tiers.through() == []
    lowest = max(y for _, y in tiers.curve((1, 3)).samples)
    assert tiers.places[2].bottom + 30 < lowest < tiers.height


def test_the_layout_of_many_boxes_takes_moments() -> None:
    """A ratio in one run: four times the boxes take less than sixteen times as long."""
    random = Random(1)

    def seconds(count: int) -> float:
        platform = random_platform(random, count)
        platform_scene(platform, 10)  # what is kept of a platform is there then
        begin = perf_counter()
        platform_scene(platform, 10)
        return perf_counter() - begin

    assert min(seconds(800) for _ in range(2)) < 16 * max(seconds(200) for _ in range(2)) + 0.05
