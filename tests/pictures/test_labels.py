"""Labels stand where they cover nothing, and crossing lines is worse than not."""

from itertools import combinations
from random import Random

from steadygrid.pictures.labels import Box, Label, box_of, place
from tests.draws import draws

FRAME = (400.0, 300.0)


def apart(one: Box, other: Box) -> bool:
    return one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]


def test_a_label_stands_below_where_nothing_is_in_the_way() -> None:
    assert place([Label(200, 150, 10, ("P1",))], [], FRAME, 11, 9) == ["below"]


def test_a_label_goes_to_the_side_that_no_line_takes() -> None:
    label = Label(200, 150, 10, ("P1", "computes"))
    down, right, left = (200, 150, 200, 280), (200, 150, 380, 150), (200, 150, 20, 150)
    assert place([label], [down], FRAME, 11, 9) == ["right"]
    assert place([label], [down, right], FRAME, 11, 9) == ["left"]
    assert place([label], [down, right, left], FRAME, 11, 9) == ["above"]


def test_a_label_stays_inside_the_drawing() -> None:
    corner = Label(395, 292, 4, ("long name",))
    assert place([corner], [], FRAME, 11, 0) == ["left"]
    assert place([corner._replace(x=5, y=8)], [], FRAME, 11, 0) == ["right"]


def test_what_finds_no_room_is_left_out_unless_it_is_needed() -> None:
    labels = [Label(200, 150, 10, ("many letters here",)) for _ in range(5)]
    sides = place(labels, [], FRAME, 11, 0)
    assert sides == ["below", "right", "left", "above", None]
    assert place(labels, [], FRAME, 11, 4)[4] is None
    assert None not in place(labels, [], FRAME, 11, 5)


def test_labels_cover_neither_things_nor_each_other() -> None:
    random = Random(2)
    left_out = 0
    for _ in range(draws(10, 300)):
        labels = [
            Label(
                random.uniform(20, 380), random.uniform(20, 280), 6, ("n" * random.randint(1, 9),)
            )
            for _ in range(random.randint(2, 30))
        ]
        sides = place(labels, [], FRAME, 11, 0)
        boxes = [
            box_of(label, side, 11)
            for label, side in zip(labels, sides, strict=True)
            if side is not None
        ]
        left_out += len(labels) - len(boxes)
        assert all(apart(one, other) for one, other in combinations(boxes, 2))
        for i, label in enumerate(labels):
            thing = (label.x - 6, label.y - 6, label.x + 6, label.y + 6)
            own = sides[i]
            others = [box for box in boxes if own is None or box != box_of(label, own, 11)]
            assert all(apart(thing, box) for box in others)
    assert left_out
