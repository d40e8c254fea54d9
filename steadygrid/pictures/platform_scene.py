"""What a platform's picture is made of: nodes, links and media, with places, classes and names."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import ceil
from typing import Any

import numpy as np

from steadygrid.domain.platform import Platform
from steadygrid.domain.resources import (
    compute_resource,
    half_resource,
    link_resource,
    medium_resource,
)
from steadygrid.pictures.grading import Class, classes_of, place_in
from steadygrid.pictures.house_style import BUSY_CLASSES
from steadygrid.pictures.labels import Label, Segment, place
from steadygrid.pictures.layout import free_place, lay_out, on_paper
from steadygrid.pictures.numbers import exact
from steadygrid.pictures.occupation import busy_class
from steadygrid.report.folding import Facts, Folding, Node, group_label, named
from steadygrid.report.glyphs import UNICODE, printable
from steadygrid.report.names import Names
from steadygrid.report.occupation import Resource
from steadygrid.report.quantities import decimal_text, percent, rounded_text

MOST_LABELS = 40
"""Nodes up to which all of them are labelled, and with what they do, on wide paper."""
MOST_NEEDED = 8
"""Labels of masters, and of what limits or is at work, that stand even where there is no room."""
_PIXELS_OF_A_LABEL = 20
"""Of the paper's width, for each of them."""
FEW_LINKS = 14
"""Edges up to which these are labelled, too."""
FONT = 11
LINE_HEIGHT = 13
WIDEST_NAMES = (24, 16)
"""Characters where there are few nodes on wide paper, and elsewhere."""
SPOKES = (12, 90)
"""Most lines from media to their links: as many as there are edges, within these bounds."""
CLASSES = 4
"""Of speeds and of bandwidths."""
WIDTHS = (1.2, 2.0, 3.2, 4.8)
"""Of links, by their class of bandwidth."""
BUSY_WIDTHS: Mapping[str, float] = dict(zip(BUSY_CLASSES, (1.2, 1.6, 2.8, 4.0, 5.0), strict=True))

Row = dict[str, Any]
DOES: Mapping[str, str] = {
    "compute": "computes",
    "send": "sends",
    "receive": "receives",
    "port": "busy",
    "out": "sends",
    "in": "receives",
}


@dataclass
class Scene:
    """What is drawn, in pixels.

    Attributes
    ----------
    width, height
        Of the drawing, without its legend.
    rows
        By dataset: ``halos``, ``casings``, ``edges``, ``spokes``, ``arrows``, ``media``, ``nodes``,
        ``balls``, and ``labels`` by the side on which they stand.
    radius
        Of a usual node.
    speeds, bandwidths
        The classes that sizes and widths stand for; none where occupation is shown.
    left_out
        Media that are not drawn.
    """

    width: float
    height: float
    radius: float
    rows: dict[str, list[Row]] = field(default_factory=lambda: defaultdict(list))
    speeds: list[Class] = field(default_factory=list)
    bandwidths: list[Class] = field(default_factory=list)
    left_out: int = 0

    @property
    def marks(self) -> int:
        """How many things are drawn."""
        return sum(map(len, self.rows.values()))


def scene_of(platform: Platform, folded: Folding, facts: Facts, names: Names, width: int) -> Scene:
    """Place and describe all that is drawn of a platform.

    Parameters
    ----------
    names
        Short names of processors and media.
    width
        Pixels.
    """
    return _Maker(platform, folded, facts, names, width).scene


def shape_of(platform: Platform, facts: Facts, node: Node) -> str:
    """Say what a node is, as its shape shows it."""
    if node.unused:
        return "not used"
    processor = platform.processors[platform.index_by_id[node.first]]
    if node.first in facts.roles:
        return facts.roles[node.first]
    if processor.switch:
        return "switch"
    return "processor" if computes(platform, facts, node.first) else "router"


def computes(platform: Platform, facts: Facts, name: str) -> bool:
    """Tell whether a processor can compute, as far as platform and answer say."""
    processors = platform.processors
    if all(one.time_per_work is None for one in processors):
        return True
    processor = processors[platform.index_by_id[name]]
    return processor.time_per_work is not None or any(facts.use(compute_resource(name)))


def number(value: Fraction) -> str:
    """Write a number in a few characters."""
    text = decimal_text(value, 4)
    return text if len(text) <= 8 else rounded_text(value, 3)


class _Maker:
    """Makes a scene, one sort of thing after the other."""

    def __init__(
        self, platform: Platform, folded: Folding, facts: Facts, names: Names, width: int
    ) -> None:
        self._platform, self._folded, self._facts, self._names = platform, folded, facts, names
        self._own: defaultdict[str, list[Resource]] = defaultdict(list)
        at_work = any(one.what == "compute" and any(facts.use(one.name)) for one in facts.resources)
        for one in facts.resources:
            if len(one.ends) == 1 and (one.what != "compute" or at_work or not facts.shares):
                self._own[one.ends[0]].append(one)
        self._sets = [
            frozenset(one.ends)
            for one in facts.resources
            if one.what == "odd" and facts.prices.get(one.name, Fraction(0))
        ]
        places = lay_out(len(folded.nodes), list(folded.edges), upright=width < 500)
        self._points, height, radius = on_paper(places, width)
        self.scene = Scene(float(width), height, radius)
        if facts.shares is None:
            self._grade()
        self._labels: list[tuple[tuple[Any, ...], Label, str]] = []
        most = min(MOST_LABELS, width // _PIXELS_OF_A_LABEL)
        self._few = len(folded.nodes) <= most
        self._widest = WIDEST_NAMES[0] if self._few and width >= 500 else WIDEST_NAMES[1]
        self._needed = 0
        self._nodes()
        middles = self._edges()
        self._media(middles)
        self._place_labels()

    def _grade(self) -> None:
        """Sort speeds and bandwidths into classes."""
        speeds = [1 / one.time_per_work for one in self._platform.processors if one.time_per_work]
        self.scene.speeds = classes_of(speeds, CLASSES)
        self.scene.bandwidths = classes_of(
            (1 / arc.unit_time for arc in self._platform.arcs), CLASSES
        )

    # -- nodes

    def _nodes(self) -> None:
        for i, node in enumerate(self._folded.nodes):
            x, y = map(float, self._points[i])
            shape = shape_of(self._platform, self._facts, node)
            own = [] if node.unused else self._own[node.first]
            size = self.scene.radius * self._stretch(node, shape)
            row: Row = {
                "x": x,
                "y": y,
                "kind": shape,
                "size": (2 * size) ** 2,
                "who": named([printable(one) for one in node.members]),
                "priced": any(self._facts.prices.get(one.name) for one in own),
                "told": self._resources_text(own) or self._speed(node),
            }
            share = self._busiest(own)
            shown: Resource | None = None
            if own and self._facts.shares is not None:
                row["busy"] = busy_class(share)
                full = [one for one in own if self._facts.use(one.name)[0] == share]
                shown = max(full, key=lambda one: self._facts.prices.get(one.name, Fraction(0)))
                ball = min(size, 1.15 * self.scene.radius) * 0.72
                self.scene.rows["balls"].append({**row, "size": (2 * ball) ** 2})
            self.scene.rows["nodes"].append(row)
            if len(node.members) > 1 and not node.unused:
                ring = {**row, "size": (2 * size + 7) ** 2, "priced": False}
                self.scene.rows["rings"].append(ring)
                size += 3.5
            if node.first in self._facts.side:
                self.scene.rows["halos"].append({**row, "size": (2 * size + 22) ** 2})
                size += 8
            self._label(node, row, shape, shown, size)

    def _stretch(self, node: Node, shape: str) -> float:
        """Give the size of a node, as a multiple of the usual one."""
        if shape in ("switch", "not used"):
            return 0.8
        if shape in ("master", "source", "target", "participant"):
            return 1.35
        processor = self._platform.processors[self._platform.index_by_id[node.first]]
        if self.scene.speeds and processor.time_per_work:
            place = place_in(self.scene.speeds, 1 / processor.time_per_work)
            return speed_stretch(place, len(self.scene.speeds))
        return 1.0

    def _busiest(self, own: Iterable[Resource]) -> Fraction:
        return max((self._facts.use(one.name)[0] for one in own), default=Fraction(0))

    def _resources_text(self, own: Iterable[Resource]) -> str:
        """Write what resources do, and what they are worth, for a tooltip."""
        if self._facts.shares is None and not self._facts.prices:
            return ""
        parts: list[str] = []
        for one in own:
            share, price = self._facts.use(one.name)
            if not share and not price:
                continue
            card = f" by {printable(one.card)}" if one.card else ""
            does = DOES.get(one.what, one.what) + card
            busy = "" if self._facts.shares is None else f" {exact(share)} of the time"
            worth = f", price {exact(price)}" if price else ""
            parts.append(f"{does}{busy}{worth}")
        return "; ".join(parts) or "not used"

    def _speed(self, node: Node) -> str:
        processor = self._platform.processors[self._platform.index_by_id[node.first]]
        time = processor.time_per_work
        return "" if time is None else f"speed {exact(1 / time)}"

    def _label(self, node: Node, row: Row, shape: str, shown: Resource | None, size: float) -> None:
        few = self._few
        if not few and shape in ("switch", "router"):
            return
        if node.unused:
            text = f"{len(node.members):,} more"
        elif len(node.members) > 1:
            label = group_label(node.members)
            first, dots, times = label.rpartition(" … ")
            text = f"{Names([first]).short_name(first, self._widest - 3, UNICODE)}{dots}{times}"
        else:
            text = self._names.short_name(node.first, self._widest, UNICODE)
        lines = [text]
        if few and shown is not None:
            share = self._facts.use(shown.name)[0]
            if share:
                lines.append(f"{DOES[shown.what]} {percent(share)}")
        elif few and self._facts.shares is None and not node.unused:
            processor = self._platform.processors[self._platform.index_by_id[node.first]]
            if processor.time_per_work is not None:
                lines.append(f"speed {number(1 / processor.time_per_work)}")
        rank = (
            0,
            not row["priced"],
            node.first not in self._facts.roles,
            shown is None or not self._facts.use(shown.name)[0],
            shape in ("switch", "router"),
            -len(node.members),
        )
        self._needed += not all(rank[1:4])
        label_at = Label(row["x"], row["y"], size, tuple(lines))
        self._labels.append((rank, label_at, "node"))

    # -- links

    def _edges(self) -> dict[int, list[tuple[tuple[int, int], float, float]]]:
        """Draw the edges; give for each medium the middles of those that use it."""
        middles: defaultdict[int, list[tuple[tuple[int, int], float, float]]] = defaultdict(list)
        few = len(self._folded.edges) <= FEW_LINKS
        for (a, b), links in self._folded.edges.items():
            x, y, x2, y2 = map(float, (*self._points[a], *self._points[b]))
            there, back, shares, priced = self._link_loads(a, links)
            row: Row = {
                "x": x,
                "y": y,
                "x2": x2,
                "y2": y2,
                "who": f"{self._called(a)} and {self._called(b)}",
                "told": self._link_told(a, b, there, back, len(links)),
                "priced": priced,
            }
            middle = (x + x2) / 2, (y + y2) / 2
            text = ""
            if self._facts.shares is not None:
                greatest = max(shares, default=Fraction(0))
                row["busy"] = busy_class(greatest)
                row["width"] = BUSY_WIDTHS[row["busy"]]
                text = percent(greatest) if greatest else ""
                if bool(there) != bool(back):
                    dx, dy = (x2 - x, y2 - y) if there else (x - x2, y - y2)
                    angle = float(np.degrees(np.arctan2(dx, -dy)))
                    arrow = {"x": middle[0], "y": middle[1], "angle": angle, "busy": row["busy"]}
                    self.scene.rows["arrows"].append(arrow)
            else:
                bandwidth = max(self._bandwidths(links))
                row["width"] = WIDTHS[place_in(self.scene.bandwidths, bandwidth)]
                text = number(bandwidth)
            self.scene.rows["edges"].append(row)
            if priced:
                self.scene.rows["casings"].append(row)
            if few and text:
                at = Label(*middle, 4.0, (text,))
                self._labels.append(((1, -len(text)), at, "link"))
            for medium in {m for link in links for m in self._media_of[link]}:
                middles[medium].append(((a, b), *middle))
        return middles

    def _bandwidths(self, links: Iterable[int]) -> list[Fraction]:
        found: list[Fraction] = []
        for position in links:
            link = self._platform.links[position]
            if link.bandwidth is not None:
                found.append(link.bandwidth)
            elif link.unit_time is not None:
                found.append(1 / link.unit_time)
        return found

    def _link_loads(
        self, a: int, links: Iterable[int]
    ) -> tuple[Fraction, Fraction, list[Fraction], bool]:
        """Give what goes each way over links, all shares of them, and whether any has a price."""
        inside = set(self._folded.nodes[a].members)
        there = back = Fraction(0)
        shares: list[Fraction] = []
        priced = False
        for position in links:
            link = self._platform.links[position]
            ways = ((link.source, link.target), (link.target, link.source))
            both = Fraction(0)
            for source, target in ways:
                share, price = self._facts.use(link_resource(source, target))
                shares.append(share)
                priced = priced or bool(price)
                if source in inside:
                    there = max(there, share)
                else:
                    back = max(back, share)
            if link.duplex == "half":
                both, price = self._facts.use(half_resource(link.source, link.target))
                shares.append(both)
                priced = priced or bool(price)
                there, back = max(there, both), max(back, both)
            priced = priced or any(one.issuperset((link.source, link.target)) for one in self._sets)
        return there, back, shares, priced

    def _called(self, i: int) -> str:
        node = self._folded.nodes[i]
        more = f" and {len(node.members) - 1:,} more" if len(node.members) > 1 else ""
        return printable(node.first) + more

    def _link_told(self, a: int, b: int, there: Fraction, back: Fraction, count: int) -> str:
        links = self._folded.edges[a, b]
        first = self._platform.links[links[0]]
        bandwidth = max(self._bandwidths(links))
        parts = [f"bandwidth {exact(bandwidth)}", first.duplex]
        if count > 1:
            parts.insert(0, f"{count:,} links")
        if self._facts.shares is not None:
            if first.duplex == "half":
                parts.append(f"busy {exact(there)} of the time")
            else:
                parts += [f"{exact(there)} of the time there, {exact(back)} back"]
        prices = {
            price
            for position in links
            for name in _names_of(self._platform, position)
            if (price := self._facts.prices.get(name))
        }
        parts += [f"price {exact(price)}" for price in sorted(prices, reverse=True)[:2]]
        return "; ".join(parts)

    # -- media

    @cached_property
    def _media_of(self) -> dict[int, tuple[int, ...]]:
        by_id = {medium.id: i for i, medium in enumerate(self._platform.media)}
        listed = {one.medium for one in self._facts.resources if one.medium is not None}
        return {
            i: tuple(by_id[m] for m in link.media if m in listed)
            for i, link in enumerate(self._platform.links)
        }

    def _media(self, middles: Mapping[int, Sequence[tuple[tuple[int, int], float, float]]]) -> None:
        """Draw media where their links are: on the only one, or among several."""

        def amounts(i: int) -> tuple[Fraction, Fraction]:
            return self._facts.use(medium_resource(self._platform.media[i].id))

        ranked = sorted(
            middles, key=lambda i: (*(-x for x in amounts(i)[::-1]), len(middles[i]), i)
        )
        spokes, most = 0, min(max(len(self._folded.edges), SPOKES[0]), SPOKES[1])
        taken = [tuple(map(float, point)) for point in self._points]
        for edge in self.scene.rows["edges"]:
            taken += _points_on(edge)
        on_edge: defaultdict[tuple[int, int], int] = defaultdict(int)
        for i in ranked:
            share, price = amounts(i)
            uses = middles[i]
            spokes += len(uses)
            idle = self._facts.shares is not None and not share and not price
            if (spokes > most and not price) or (idle and len(ranked) > 12):
                self.scene.left_out += 1
                continue
            medium = self._platform.media[i]
            if len(uses) == 1:
                ends, x, y = uses[0]
                on_edge[ends] += 1
                (ax, ay), (bx, by) = self._points[ends[0]], self._points[ends[1]]
                part = (0.5, 0.3, 0.7, 0.4, 0.6)[(on_edge[ends] - 1) % 5]
                x, y = float(ax + part * (bx - ax)), float(ay + part * (by - ay))
            else:
                x = sum(use[1] for use in uses) / len(uses)
                y = sum(use[2] for use in uses) / len(uses)
                x, y = free_place(x, y, taken, 2.2 * self.scene.radius)
                self.scene.rows["spokes"] += [
                    {"x": x, "y": y, "x2": use[1], "y2": use[2]} for use in uses
                ]
            taken.append((x, y))
            row: Row = {
                "x": x,
                "y": y,
                "kind": "medium",
                "size": (3 * max(self.scene.radius, 7.0)) ** 2,
                "who": printable(medium.id),
                "priced": bool(price),
                "told": f"bandwidth {exact(medium.bandwidth)}",
            }
            if self._facts.shares is not None:
                row["busy"] = busy_class(share)
                row["told"] += f"; busy {exact(share)} of the time"
                row["told"] += f"; price {exact(price)}" if price else ""
                ball = 0.5 * max(self.scene.radius, 7.0)
                self.scene.rows["balls"].append({**row, "size": (2 * ball) ** 2})
            self.scene.rows["media"].append(row)
            if self._few:
                lines = [self._names.short_name(medium.id, self._widest, UNICODE)]
                if share:
                    lines.append(f"carries {percent(share)}")
                radius = 1.5 * max(self.scene.radius, 7.0)
                self._labels.append(
                    ((0, not price, True, True, 0), Label(x, y, radius, tuple(lines)), "medium")
                )

    # -- labels

    def _place_labels(self) -> None:
        ranked = sorted(self._labels, key=lambda one: (one[0], one[1].x, one[1].y))
        segments: list[Segment] = [
            (row["x"], row["y"], row["x2"], row["y2"])
            for name in ("edges", "casings", "casings")  # labels cross thick lines last of all
            for row in self.scene.rows[name]
        ]
        frame = self.scene.width, self.scene.height
        those = [one for _, one, _ in ranked]
        needed = len(ranked) if self._few else min(self._needed, MOST_NEEDED)
        sides = place(those, segments, frame, FONT, needed)
        for (_, label, what), side in zip(ranked, sides, strict=True):
            if side is not None:
                row = {
                    "x": label.x,
                    "y": label.y,
                    "text": "\n".join(label.lines),
                    "what": what,
                }
                gap = 4 * ceil((label.radius + 2) / 4)  # a few different ones: each is a layer
                self.scene.rows[f"labels {side} {gap} {len(label.lines)}"].append(row)


def speed_stretch(place: int, count: int) -> float:
    """Give the size of the nodes of a class of speeds, as a multiple of the usual one."""
    return 1.0 if count < 2 else 0.65 + 0.8 * place / (count - 1)


def _names_of(platform: Platform, position: int) -> tuple[str, str, str]:
    link = platform.links[position]
    there, back = (link.source, link.target), (link.target, link.source)
    return link_resource(*there), link_resource(*back), half_resource(*there)


def _points_on(edge: Row) -> list[tuple[float, float]]:
    """Give points on an edge, between which nothing finds room."""
    dx, dy = edge["x2"] - edge["x"], edge["y2"] - edge["y"]
    return [(edge["x"] + k / 8 * dx, edge["y"] + k / 8 * dy) for k in range(1, 8)]
