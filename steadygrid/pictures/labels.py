"""Where the names of things stand in a drawing, so that they cover neither things nor each other."""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from rich.cells import cell_len

Side = Literal["below", "above", "right", "left"]
SIDES: tuple[Side, ...] = ("below", "right", "left", "above")
"""In the order in which they are tried."""

Box = tuple[float, float, float, float]
"""Left, top, right, bottom in pixels."""
Segment = tuple[float, float, float, float]
"""From x, y to x, y."""


class Label(NamedTuple):
    """What is to be written at a thing.

    Attributes
    ----------
    x, y, radius
        The thing, in pixels.
    lines
        One below the other.
    """

    x: float
    y: float
    radius: float
    lines: tuple[str, ...]


def text_width(text: str, size: float) -> float:
    """Estimate the pixels that a text is wide.

    Parameters
    ----------
    text
        One line.
    size
        Of the font, in pixels.
    """
    return 0.58 * size * cell_len(text)


def place(
    labels: Sequence[Label],
    segments: Sequence[Segment],
    frame: tuple[float, float],
    size: float,
    needed: int,
) -> list[Side | None]:
    """Choose the side of each thing on which its label stands.

    Parameters
    ----------
    labels
        The most important first: they get the best places.
    segments
        Lines that labels should not cross.
    frame
        Width and height of the drawing.
    size
        Of the font, in pixels; a line takes 1.25 of it.
    needed
        How many of the first stand there even where they cover something, as little in the way as
        can be; others are left out then.

    Returns
    -------
    list
        A side by label; None where it is left out. O(labels * (labels + segments)).
    """
    things: list[Box] = [
        (one.x - one.radius, one.y - one.radius, one.x + one.radius, one.y + one.radius)
        for one in labels
    ]
    taken: list[Box] = []
    sides: list[Side | None] = []
    for number, label in enumerate(labels):
        others = [*taken, *things[:number], *things[number + 1 :]]
        best: tuple[float, int] | None = None
        for rank, side in enumerate(SIDES):
            box = box_of(label, side, size)
            covered = sum(_overlap(box, other) for other in others) + 3 * _beyond(box, frame)
            if covered and number >= needed:
                continue
            crossed = sum(_crosses(box, segment) for segment in segments)
            cost = covered * 10 + crossed * 60
            if best is None or cost < best[0]:
                best = cost, rank
        sides.append(None if best is None else SIDES[best[1]])
        if best is not None:
            taken.append(box_of(label, SIDES[best[1]], size))
    return sides


def box_of(label: Label, side: Side, size: float) -> Box:
    """Give the pixels that a label takes on one side of its thing.

    Parameters
    ----------
    label
        Lines, and the thing at which they are written.
    side
        Of the thing.
    size
        Of the font, in pixels.

    Returns
    -------
    tuple
        Left, top, right and bottom.
    """
    width = max((text_width(line, size) for line in label.lines), default=0.0)
    height = 1.25 * size * len(label.lines)
    gap = label.radius + 3
    if side in ("below", "above"):
        top = label.y + gap if side == "below" else label.y - gap - height
        return label.x - width / 2, top, label.x + width / 2, top + height
    left = label.x + gap if side == "right" else label.x - gap - width
    return left, label.y - height / 2, left + width, label.y + height / 2


def _overlap(one: Box, other: Box) -> float:
    width = min(one[2], other[2]) - max(one[0], other[0])
    height = min(one[3], other[3]) - max(one[1], other[1])
    return width * height if width > 0 and height > 0 else 0.0


def _beyond(box: Box, frame: tuple[float, float]) -> float:
    """Give the area of a box that is outside the drawing."""
    area = (box[2] - box[0]) * (box[3] - box[1])
    return area - _overlap(box, (0.0, 0.0, *frame))


def _crosses(box: Box, segment: Segment) -> bool:
    """Tell whether a line passes through a box (Liang and Barsky)."""
    x, y, to_x, to_y = segment
    begin, end = 0.0, 1.0
    for start, step, low, high in ((x, to_x - x, box[0], box[2]), (y, to_y - y, box[1], box[3])):
        if not step:
            if not low < start < high:
                return False
            continue
        first, last = sorted(((low - start) / step, (high - start) / step))
        begin, end = max(begin, first), min(end, last)
    return begin < end
