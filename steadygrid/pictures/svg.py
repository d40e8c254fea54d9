"""SVG as text: boxes and lines of a platform, for files and for pages.

A file has its colours as attributes and needs nothing else. In a page there are classes, which its
style sheet paints, and indices of resources; neither has a script or a ``style`` attribute. Ids are
text, and nothing but text.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from steadygrid.pictures import house_style
from steadygrid.pictures.labels import text_width
from steadygrid.pictures.picture import Theme
from steadygrid.pictures.platform_scene import DrawnBox, Scene
from steadygrid.pictures.platform_told import LineWords
from steadygrid.pictures.svg_elements import LABEL_FONT, escaped, length_text, text_element
from steadygrid.pictures.tiers import Curve, Place

_PARTS = (0.5, 0.42, 0.58, 0.35, 0.65, 0.28, 0.72, 0.22, 0.78, 0.85, 0.15)
"""Of a line, where its label may stand."""
_LABEL_HEIGHT, _TAG_HEIGHT = 18.0, 17.0
_TITLE, _SUBTITLE = 22.0, 17.0
"""Pixels of a line of words above the drawing in a file."""

Area = tuple[float, float, float, float]


class Brush(Protocol):
    """Says how what has a class looks."""

    def look(self, name: str) -> str:
        """Give attributes, with a blank before each."""
        ...

    def marks(self, keys: Sequence[str], beside: Sequence[str]) -> str:
        """Say which resources something shows.

        Parameters
        ----------
        keys
            Of the resources.
        beside
            Of those with which it stays in sight.
        """
        ...

    def link(self, keys: Sequence[str]) -> tuple[str, str]:
        """Give the tags around what opens a resource; empty where nothing does."""
        ...


class FileBrush:
    """Colours as attributes: for what stands alone.

    Parameters
    ----------
    theme
        For a light or a dark page.
    """

    def __init__(self, theme: Theme) -> None:
        colour = house_style.PLATFORM[theme]
        paper, ink, faint, limit = (colour[one] for one in ("paper", "ink", "faint", "limit"))
        box = {"fill": paper, "stroke": colour["edge"], "stroke-width": "1.25"}
        dashed = {"stroke": colour["idle"], "stroke-dasharray": "3 3"}
        ring = {"stroke": limit, "stroke-width": "3"}
        line = {"fill": "none", "stroke": colour["use"]}
        bold = {"font-size": "11", "font-weight": "600"}
        self._paint: Mapping[str, Mapping[str, str]] = {
            "body": box,
            "body pill": {**box, "fill": colour["shade"]},
            "body idle": {**box, **dashed},
            "body idle pill": {**box, **dashed, "fill": colour["shade"]},
            "body limit": {**box, **ring},
            "body side": {**box, "fill": colour["side"]},
            "body idle side": {**box, **dashed, "fill": colour["side"]},
            "body limit side": {**box, **ring, "fill": colour["side"]},
            "behind": box,
            "chip": {**box, **dashed, "fill": "none"},
            "name": {"fill": ink, "font-size": "11.5", "font-weight": "600"},
            "small": {"fill": faint, "font-size": "11"},
            "said": {"fill": ink, "font-size": "11"},
            "title": {"fill": ink, "font-size": "14", "font-weight": "600"},
            "use": {"fill": colour["use"]},
            "use limit": {"fill": limit},
            "room": {"fill": colour["room"]},
            "line": line,
            "line idle": {**line, "stroke": colour["idle"], "stroke-dasharray": "2 4"},
            "line limit": {**line, "stroke": limit},
            "arrow": {"fill": colour["use"]},
            "arrow limit": {"fill": limit},
            "seat": {"fill": paper},
            "tag": {"fill": paper, "stroke": limit, "stroke-width": "1.5"},
            "tag most": {"fill": limit, "stroke": limit, "stroke-width": "1.5"},
            "tag-text": {**bold, "fill": limit},
            "tag-text most": {**bold, "fill": paper},
        }

    def look(self, name: str) -> str:
        """Give the colours of a class; one that groups others has none."""
        return "".join(f' {key}="{value}"' for key, value in self._paint.get(name, {}).items())

    def marks(self, keys: Sequence[str], beside: Sequence[str]) -> str:  # noqa: ARG002
        """Say nothing: files select nothing.

        Parameters
        ----------
        keys
            Of the resources.
        beside
            Of those with which it stays in sight.
        """
        return ""

    def link(self, keys: Sequence[str]) -> tuple[str, str]:  # noqa: ARG002
        """Open nothing."""
        return "<g>", "</g>"


@dataclass(frozen=True)
class PageBrush:
    """Classes and indices of resources: for what stands in a page.

    Attributes
    ----------
    index
        Gives the index of a resource in the page's list, by its key. None: the page does not list
        it.
    href
        Gives the address that opens a resource, by its key. None: nothing can be opened.
    chosen
        Key of the resource that is open.
    """

    index: Callable[[str], int | None]
    href: Callable[[str], str] | None = None
    chosen: str | None = None

    def look(self, name: str) -> str:
        """Give the class."""
        return f' class="{name}"'

    def marks(self, keys: Sequence[str], beside: Sequence[str]) -> str:
        """Give the indices, and whether it belongs to what is open.

        Parameters
        ----------
        keys
            Of the resources.
        beside
            Of those with which it stays in sight.
        """
        own = self._indices(keys)
        more = [one for one in self._indices(beside) if one not in own]
        text = f' data-r="{" ".join(map(str, own))}"'
        if more:
            text += f' data-b="{" ".join(map(str, more))}"'
        if self.chosen is not None and (self.chosen in keys or self.chosen in beside):
            text += ' data-on=""'
        return text

    def _indices(self, keys: Sequence[str]) -> list[int]:
        found = [self.index(key) for key in dict.fromkeys(keys)]
        return [one for one in found if one is not None]

    def link(self, keys: Sequence[str]) -> tuple[str, str]:
        """Give a link that opens the first of the resources."""
        if self.href is None or not keys or self.index(keys[0]) is None:
            return "<g>", "</g>"
        current = ' aria-current="true"' if self.chosen == keys[0] else ""
        return f'<a href="{escaped(self.href(keys[0]))}"{current}>', "</a>"


class Heading(NamedTuple):
    """What a drawing is called.

    Attributes
    ----------
    lines
        Written above it in a file, below the title.
    description
        For who cannot see it.
    """

    title: str
    lines: Sequence[str] = ()
    description: str = ""


def page_svg(scene: Scene, brush: PageBrush, heading: Heading) -> str:
    """Write a platform's drawing as it stands in a page.

    Parameters
    ----------
    scene
        What is drawn, and where.
    brush
        How it looks, and what of it can be opened.
    heading
        Its title names it.
    """
    width, height = scene.tiers.width, scene.tiers.height
    chosen = "" if brush.chosen is None else ' data-choosing=""'
    return (
        f'<svg class="platform" viewBox="0 0 {length_text(width)} {length_text(height)}" width="{length_text(width)}"'
        f' height="{length_text(height)}" role="group" aria-label="{escaped(heading.title)}"{chosen}>'
        f"{_drawn(scene, brush)}</svg>"
    )


def file_svg(scene: Scene, theme: Theme, width: int, heading: Heading) -> str:
    """Write a platform's drawing as a file.

    Parameters
    ----------
    scene
        What is drawn, and where.
    theme
        For a light or a dark page.
    width
        Pixels of the whole: a wider drawing is scaled, a narrower one stands in the middle.
    heading
        What is written above it, and what is said to those who cannot see it.
    """
    brush = FileBrush(theme)
    inside = max(scene.tiers.width, float(width))
    left = (inside - scene.tiers.width) / 2
    above = _TITLE + _SUBTITLE * len(heading.lines) + 12
    height = above + scene.tiers.height
    words = [text_element(_MARGIN, 20, heading.title, brush.look("title"))]
    for i, line in enumerate(heading.lines):
        words.append(text_element(_MARGIN, 20 + _SUBTITLE * (i + 1), line, brush.look("small")))
    paper = house_style.PLATFORM[theme]["paper"]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}"'
        f' height="{length_text(height * width / inside)}" viewBox="0 0 {length_text(inside)} {length_text(height)}"'
        f' role="img" font-family="{escaped(house_style.FONT)}">'
        f"<title>{escaped(heading.title)}</title><desc>{escaped(heading.description)}</desc>"
        f'<rect width="{length_text(inside)}" height="{length_text(height)}" fill="{paper}"/>{"".join(words)}'
        f'<g transform="translate({length_text(left)} {length_text(above)})">{_drawn(scene, brush)}</g></svg>\n'
    )


_MARGIN = 14.0


def _drawn(scene: Scene, brush: Brush) -> str:
    return _Writer(scene, brush).written()


class _Writer:
    """Writes the lines, then the boxes, each with its tag."""

    def __init__(self, scene: Scene, brush: Brush) -> None:
        self._scene, self._brush = scene, brush
        weights = [box.words.weight for box in scene.boxes]
        weights += [line.weight for line in scene.lines if line is not None]
        self._most = max(weights, default=0)
        self._taken: list[Area] = [
            (place.left_edge, place.top, place.right, place.bottom) for place in scene.tiers.places
        ]
        self._taken += [
            _tag_area(place.x, place.top, box.words.tag)
            for box, place in zip(scene.boxes, scene.tiers.places, strict=True)
            if box.words.tag
        ]
        self._beside: defaultdict[int, list[str]] = defaultdict(list)
        for ends, line in zip(scene.tiers.lines, scene.lines, strict=True):
            for end in ends if line is not None and line.used else ():
                self._beside[end] += line.keys if line is not None else ()

    def written(self) -> str:
        """Write all of it."""
        tiers = self._scene.tiers
        drawn = list(zip(tiers.lines, self._scene.lines, strict=True))
        lines = [self._line(ends, line) for ends, line in drawn]
        wide = sorted(
            ((ends, line) for ends, line in drawn if line is not None and (line.text or line.tag)),
            key=lambda one: not one[1].tag,
        )
        lines += [self._label(ends, line) for ends, line in wide]
        boxes = [
            self._box(i, box, place)
            for i, (box, place) in enumerate(zip(self._scene.boxes, tiers.places, strict=True))
        ]
        return "".join([*lines, *boxes])

    def _line(self, ends: tuple[int, int], line: LineWords | None) -> str:
        curve = self._scene.tiers.curve(ends)
        if line is None:
            return f'<path d="{_path(curve)}" stroke-width="1.2"{self._brush.look("line idle")}/>'
        look = "line limit" if line.limits else "line" if line.used else "line idle"
        parts = [
            f"<g{self._marks(ends, line)}>",
            f'<path d="{_path(curve)}" stroke-width="{length_text(line.width)}"{self._brush.look(look)}/>',
        ]
        backwards = self._scene.tiers.begins_at(ends) != ends[0]
        for course in line.courses:
            look = "arrow limit" if course.limits else "arrow"
            size = 4.5 + 2 * float(course.part)
            tip = _arrow(curve, size, backwards=course.forward is backwards)
            parts.append(f'<path d="{tip}"{self._brush.look(look)}/>')
        return "".join([*parts, "</g>"])

    def _marks(self, ends: tuple[int, int], line: LineWords) -> str:
        boxes = [key for end in ends for key in self._scene.boxes[end].keys] if line.used else []
        return self._brush.marks(line.keys, boxes)

    def _label(self, ends: tuple[int, int], line: LineWords) -> str:
        curve = self._scene.tiers.curve(ends)
        wide = text_width(line.text, LABEL_FONT) + 8 if line.text else 0.0
        tag = text_width(line.tag, LABEL_FONT) + 12 if line.tag else 0.0
        whole = wide + tag + (3 if wide and tag else 0)
        areas: list[Area] = []
        for part in _PARTS:
            x, y = curve.point_at(part)
            x = min(max(x, whole / 2 + 1), self._scene.tiers.width - whole / 2 - 1)
            half = _LABEL_HEIGHT / 2
            areas.append((x - whole / 2, y - half, x + whole / 2, y + half))
        area = min(areas, key=self._covered)
        self._taken.append(area)
        left, top = area[:2]
        parts = [f"<g{self._marks(ends, line)}>"]
        if line.text:
            parts.append(
                f'<rect x="{length_text(left)}" y="{length_text(top)}" width="{length_text(wide)}" height="18" rx="9"'
                f"{self._brush.look('seat')}/>"
            )
            parts.append(
                text_element(
                    left + wide / 2, top + 13, line.text, self._brush.look("said"), "middle"
                )
            )
        if line.tag:
            most = line.weight == self._most and line.weight > 0
            parts.append(self._tag(left + whole - tag, top + 0.5, line.tag, most=most))
        return "".join([*parts, "</g>"])

    def _covered(self, area: Area) -> float:
        """Give how much of a place is taken, in square pixels."""
        return sum(
            max(0.0, min(area[2], other[2]) - max(area[0], other[0]))
            * max(0.0, min(area[3], other[3]) - max(area[1], other[1]))
            for other in self._taken
        )

    def _box(self, i: int, box: DrawnBox, place: Place) -> str:
        begin, end = self._brush.link(box.keys if box.kind != "chip" else ())
        marks = self._brush.marks(box.keys, self._beside[i])
        inside = self._chip(box, place) if box.kind == "chip" else self._body(box, place)
        if box.words.tag:
            left, top, *_ = _tag_area(place.x, place.top, box.words.tag)
            most = box.words.weight == self._most and box.words.weight > 0
            inside += self._tag(left, top, box.words.tag, most=most)
        return begin[:2] + marks + begin[2:] + inside + end

    def _chip(self, box: DrawnBox, place: Place) -> str:
        text = text_element(place.x, place.y + 4, box.said[0], self._brush.look("small"), "middle")
        return f"<rect{_geometry(place, 12)}{self._brush.look('chip')}/>{text}"

    def _body(self, box: DrawnBox, place: Place) -> str:
        look, pill = self._brush.look, box.kind == "pill"
        limits, words = box.words.limits, box.words
        look_of = " ".join(
            [
                "body",
                *(["limit"] if limits else [] if words.used else ["idle"]),
                *(["pill"] if pill else ["side"] if box.marked else []),
            ]
        )
        radius = 12 if pill else 6
        parts: list[str] = []
        if box.alike:
            shifted = place._replace(x=place.x + 4, y=place.y + 4)
            parts.append(f"<rect{_geometry(shifted, radius)}{look('behind')}/>")
        parts.append(f"<rect{_geometry(place, radius)}{look(look_of)}/>")
        if pill:
            room = place.width - 12
            text = text_element(place.x, place.y + 4, box.said[0], look("small"), "middle", room)
            parts.append(text)
            return "".join(parts)
        if words.part is not None:
            inside, y = place.width - 2, place.bottom - 4
            bars = (
                ("room", inside),
                ("use limit" if limits else "use", inside * float(words.part)),
            )
            parts += [
                f'<rect x="{length_text(place.left_edge + 1)}" y="{length_text(y)}" width="{length_text(wide)}" height="3"'
                f"{look(name)}/>"
                for name, wide in bars
            ]
        said = [*box.said]
        y = place.top + 16
        for k, line in enumerate(said):
            name = "name" if k == 0 else "said" if limits else "small"
            role = box.role if k == 0 and not box.apart else ""
            room = place.width - 16 - (text_width(role, LABEL_FONT) + 8 if role else 0)
            parts.append(text_element(place.left_edge + 8, y + 14 * k, line, look(name), room=room))
            if k == 0 and box.role and not box.apart:
                parts.append(text_element(place.right - 8, y, box.role, look("small"), "end"))
        if box.apart:
            parts.append(
                text_element(place.left_edge + 8, y + 14 * len(said), box.role, look("small"))
            )
        return "".join(parts)

    def _tag(self, left: float, top: float, said: str, *, most: bool) -> str:
        wide = text_width(said, LABEL_FONT) + 12
        more = " most" if most else ""
        return (
            f'<rect x="{length_text(left)}" y="{length_text(top)}" width="{length_text(wide)}" height="{length_text(_TAG_HEIGHT)}"'
            f' rx="8.5"{self._brush.look(f"tag{more}")}/>'
            + text_element(
                left + wide / 2,
                top + 12.5,
                said,
                self._brush.look(f"tag-text{more}"),
                "middle",
            )
        )


def _tag_area(x: float, top: float, said: str) -> Area:
    wide = text_width(said, LABEL_FONT) + 12
    return x - wide / 2, top - 13, x + wide / 2, top - 13 + _TAG_HEIGHT


def _geometry(place: Place, radius: int) -> str:
    return (
        f' x="{length_text(place.left_edge)}" y="{length_text(place.top)}" width="{length_text(place.width)}"'
        f' height="{length_text(place.height)}" rx="{radius}"'
    )


def _path(curve: Curve) -> str:
    """Write the course of a line, without what has no length."""
    points: Iterable[float] = (value for point in curve.cubic[1:] for value in point)
    cubic = " ".join(map(length_text, points))
    begin, end = curve.begin, curve.end
    straight = f"V{length_text(curve.cubic[0][1])}" if begin != curve.cubic[0] else ""
    last = f"V{length_text(end[1])}" if end != curve.cubic[-1] else ""
    return f"M{length_text(begin[0])} {length_text(begin[1])}{straight}C{cubic}{last}"


def _arrow(curve: Curve, size: float, *, backwards: bool) -> str:
    """Write an arrow near the end that receives."""
    part = 0.1 if backwards else 0.9
    (x, y), (tail_x, tail_y), (head_x, head_y) = (
        curve.point_at(part),
        curve.point_at(part - 0.03),
        curve.point_at(part + 0.03),
    )
    dx, dy = (tail_x - head_x, tail_y - head_y) if backwards else (head_x - tail_x, head_y - tail_y)
    length = (dx * dx + dy * dy) ** 0.5
    ux, uy = size * dx / length, size * dy / length
    return (
        f"M{length_text(x + ux)} {length_text(y + uy)}L{length_text(x - ux - 0.8 * uy)} {length_text(y - uy + 0.8 * ux)}"
        f"L{length_text(x - ux + 0.8 * uy)} {length_text(y - uy - 0.8 * ux)}z"
    )
