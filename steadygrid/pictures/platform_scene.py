"""What a platform's picture consists of: boxes and lines in tiers, and chips for what is left out.

Twins are one box. What no file uses and no price names hangs as one chip at the box it hangs on. A
row has a few boxes; the rest of those in use are a chip as well, but what limits is always drawn.
Three or more forwarding boxes one after the other are one pill. Of a neighbourhood what is idle is drawn
too, and all that is farther away hangs as chips at its edge.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from rich.cells import cell_len

from steadygrid.pictures.picture import Neighbourhood
from steadygrid.pictures.platform_told import LineWords, NodeWords, Teller
from steadygrid.pictures.tiers import Box, Tiers, lay_out, levels_of
from steadygrid.report.folding import Folding, Node
from steadygrid.report.glyphs import UNICODE
from steadygrid.report.names import Names

MOST_BOXES = 4
"""In a row, chips not counted, of what pages show."""
MOST_LINES = 40
"""Lines up to which those that nothing uses are drawn."""
MOST_ROWS = 12
"""Of boxes. What is further away is counted, but what limits is drawn."""
WIDTH, CHIP_WIDTH = 140.0, 112.0
"""Pixels of a box, and of a chip."""
_PILL_HEIGHT, _LINE_HEIGHT, _PADDING = 24.0, 14.0, 12.0
_WIDEST_NAME, _WIDEST_PILL = 16, 18
"""Cells."""
_ROOM, _BOLD, _PLAIN = 114.0, 7.5, 6.6
"""Pixels for a name and a role side by side, and those of a cell of either."""
_FEWEST_IN_A_ROW = 3
"""Forwarding boxes, to be one pill."""
_BETWEEN = re.compile(r"[-_. ]+")
"""What parts a name into tokens."""
_ROOTS = ("master", "source", "target")
"""Roles that a drawing begins with, and never leaves out. The first that there is."""


@dataclass(frozen=True)
class DrawnBox:
    """A box.

    Attributes
    ----------
    kind
        ``processor``, ``pill`` (it forwards only) or ``chip`` (what is not drawn).
    said
        What stands next to `role` in its first line, and below.
    role
        What it is to the problem; `apart` tells whether that is a line of its own.
    keys
        Of the resources that it shows.
    alike
        Whether it stands for several.
    marked
        Whether it is on one side of the cut that is the bottleneck.
    """

    kind: str
    said: tuple[str, ...]
    words: NodeWords
    keys: tuple[str, ...] = ()
    role: str = ""
    apart: bool = False
    alike: bool = False
    marked: bool = False

    @property
    def size(self) -> tuple[float, float]:
        """Width and height, in pixels."""
        if self.kind == "chip":
            return CHIP_WIDTH, _PILL_HEIGHT
        if self.kind == "pill":
            return WIDTH, _PILL_HEIGHT
        return WIDTH, _PADDING + _LINE_HEIGHT * (len(self.said) + self.apart)


@dataclass(frozen=True)
class Scene:
    """All that is drawn.

    Attributes
    ----------
    boxes
        In the order of the places in `tiers`.
    lines
        In the order of the lines in `tiers`. None: a chip hangs there.
    """

    boxes: tuple[DrawnBox, ...]
    lines: tuple[LineWords | None, ...]
    tiers: Tiers

    @property
    def marks(self) -> int:
        """How many things are drawn."""
        return len(self.boxes) + len(self.lines)


def scene_of(
    teller: Teller,
    folded: Folding,
    names: Names,
    roles: Mapping[str, str],
    *,
    side: frozenset[str] = frozenset(),
    most: int = MOST_BOXES,
    near: Neighbourhood | None = None,
) -> Scene:
    """Decide what is drawn of a platform, and where.

    Parameters
    ----------
    names
        Short names of processors and media.
    roles
        What a processor is to the problem, by its id.
    side
        Processors on one side of the cut that is the bottleneck.
    most
        Boxes in a row.
    near
        The part that is drawn, around a processor of the platform; None: all of it.
    """
    return _Maker(teller, folded, names, roles, side, most, near).scene


def nodes_near(folded: Folding, near: Neighbourhood) -> Mapping[int, int]:
    """Give the nodes of a neighbourhood, with how many links each is away.

    Parameters
    ----------
    folded
        The platform.
    near
        Its part.
    """
    around: defaultdict[int, set[int]] = defaultdict(set)
    for a, b in folded.edges:
        around[a].add(b)
        around[b].add(a)
    centre = next(i for i, node in enumerate(folded.nodes) if near.around in node.members)
    found = {centre: 0}
    for here in (queue := [centre]):
        if found[here] < near.hops:
            more = sorted(around[here].difference(found))
            found |= dict.fromkeys(more, found[here] + 1)
            queue += more
    return found


class _Maker:
    """Makes a scene. A group is what is drawn as one: a node, or nodes that forward in a row."""

    def __init__(
        self,
        teller: Teller,
        folded: Folding,
        names: Names,
        roles: Mapping[str, str],
        side: frozenset[str],
        most: int,
        near: Neighbourhood | None,
    ) -> None:
        self._teller, self._folded, self._names = teller, folded, names
        self._roles, self._side, self._most = roles, side, most
        self._words = [teller.node(node) for node in folded.nodes]
        self._lines = {
            ends: teller.line(positions, frozenset(folded.nodes[ends[0]].members))
            for ends, positions in folded.edges.items()
        }
        self._labels: set[str] = set()
        self._near = None if near is None else nodes_near(folded, near)

    @cached_property
    def _around(self) -> list[set[int]]:
        around: list[set[int]] = [set() for _ in self._folded.nodes]
        for a, b in self._folded.edges:
            around[a].add(b)
            around[b].add(a)
        return around

    @cached_property
    def _used(self) -> list[bool]:
        limited = {end for ends, line in self._lines.items() if line.limits for end in ends}
        used = [words.used or i in limited for i, words in enumerate(self._words)]
        return used if any(used) else [True] * len(used)

    @cached_property
    def _drawable(self) -> list[bool]:
        if self._near is None:
            return self._used
        return [i in self._near for i in range(len(self._words))]

    def _role(self, node: Node) -> str:
        return self._roles.get(node.first, "")

    @cached_property
    def _runs(self) -> list[list[int]]:
        """List the forwarding nodes that stand one after the other, three and more together."""

        def passes(i: int) -> bool:
            node, words = self._folded.nodes[i], self._words[i]
            return (
                self._used[i]
                and not words.limits
                and not self._role(node)
                and len(node.members) == 1
                and sum(self._used[k] for k in self._around[i]) == 2
                and self._teller.forwards(node.first)
            )

        def joined(i: int) -> list[int]:
            found = (k for k in self._around[i] if k in passing)
            return [k for k in found if not self._lines[min(i, k), max(i, k)].limits]

        if all(self._used) or self._near is not None:
            return []
        passing = {i for i in range(len(self._words)) if passes(i)}
        runs: list[list[int]] = []
        seen: set[int] = set()
        for start in sorted(passing):
            if start in seen:
                continue
            seen.add(start)
            run = [start]
            for here in run:
                more = [k for k in joined(here) if k not in seen]
                seen.update(more)
                run += more
            if len(run) >= _FEWEST_IN_A_ROW:
                runs.append(sorted(run))
        return runs

    @cached_property
    def scene(self) -> Scene:
        """All that is drawn."""
        group_of = list(range(len(self._words)))
        for run in self._runs:
            for i in run:
                group_of[i] = run[0]
        members: dict[int, list[int]] = {}
        for i, group in enumerate(group_of):
            members.setdefault(group, []).append(i)
        around: defaultdict[int, set[int]] = defaultdict(set)
        for a, b in self._folded.edges:
            if group_of[a] != group_of[b]:
                around[group_of[a]].add(group_of[b])
                around[group_of[b]].add(group_of[a])
        groups = list(members)
        rank = {group: i for i, group in enumerate(groups)}
        levels = levels_of(
            [[rank[other] for other in around[group]] for group in groups],
            [rank[group_of[i]] for i in self._roots()],
        )
        level = dict(zip(groups, levels, strict=True))
        shown = self._shown(groups, level, around)
        boxes = {group: self._box(members[group]) for group in groups if group in shown}
        drawn: list[tuple[int, DrawnBox, int | None]] = [
            (level[group], box, None) for group, box in boxes.items()
        ]
        place = {group: i for i, group in enumerate(boxes)}
        lines: dict[tuple[int, int], LineWords | None] = {}
        for (a, b), line in self._lines.items():
            one, other = group_of[a], group_of[b]
            if one != other and one in place and other in place:
                kept = lines.get((place[one], place[other]))
                if kept is None or (line.used and not kept.used):
                    if level[one] != level[other]:
                        line = line.facing(level[one] < level[other])
                    lines[place[one], place[other]] = line
        if len(lines) > MOST_LINES:
            lines = {ends: line for ends, line in lines.items() if line is None or line.used}
        for at, box, hung in self._chips(groups, level, around, shown, members):
            if hung is not None:
                lines[place[hung], len(drawn)] = None
            drawn.append((at, box, hung))
        tiers = lay_out(
            [Box(at, *box.size, last=box.kind == "chip") for at, box, _ in drawn], lines
        )
        return Scene(tuple(box for _, box, _ in drawn), self._tagged(lines), tiers)

    @staticmethod
    def _tagged(
        lines: Mapping[tuple[int, int], LineWords | None],
    ) -> tuple[LineWords | None, ...]:
        """Leave the tag of what several lines share at the first of them."""
        told: set[str] = set()
        found: list[LineWords | None] = []
        for line in lines.values():
            if line is None or not line.tag:
                found.append(line)
                continue
            found.append(line._replace(tag="") if line.told in told else line)
            told.add(line.told)
        return tuple(found)

    def _roots(self) -> list[int]:
        if self._near is not None:
            return [next(iter(self._near))]
        for role in _ROOTS:
            found = [i for i, node in enumerate(self._folded.nodes) if self._role(node) == role]
            if found:
                return found
        return []

    def _shown(
        self, groups: Sequence[int], level: Mapping[int, int], around: Mapping[int, set[int]]
    ) -> set[int]:
        """Choose the groups that are drawn: those in use, as many as a row has room for.

        What limits is drawn, and what leads to it. Nothing else stands without what leads to it.
        """
        used = sorted((i for i in groups if self._drawable[i]), key=lambda i: (level[i], i))

        def above(i: int) -> list[int]:
            return sorted(k for k in around[i] if level[k] < level[i] and self._drawable[k])

        kept: set[int] = set()
        for i in used:
            here: int | None = i if self._is_needed(i) else None
            while here is not None and here not in kept:
                kept.add(here)
                upper = above(here)
                here = next((k for k in upper if k in kept), upper[0] if upper else None)
        rows: defaultdict[int, list[int]] = defaultdict(list)
        for i in used:
            rows[level[i]].append(i)
        for at, row in sorted(rows.items()):
            room = (self._most if at < MOST_ROWS else 0) - sum(i in kept for i in row)
            reached = [
                i for i in row if i not in kept and (not above(i) or kept.intersection(above(i)))
            ]
            reached.sort(key=lambda i: self._importance(i, level, around))
            kept.update(reached[: max(0, room)])
        return kept

    def _is_needed(self, i: int) -> bool:
        words = self._words[i]
        if self._near is not None and not self._near[i]:
            return True
        return words.weight > 0 or self._role(self._folded.nodes[i]) in _ROOTS[:2]

    def _importance(
        self, i: int, level: Mapping[int, int], around: Mapping[int, set[int]]
    ) -> tuple[object, ...]:
        node, words = self._folded.nodes[i], self._words[i]
        leads = any(level[k] > level[i] and self._used[k] for k in around[i])
        busy = Fraction(0) if words.part is None else words.part
        return (
            not words.limits,
            not leads,
            not self._role(node),
            -busy,
            -len(node.members),
            i,
        )

    def _chips(
        self,
        groups: Sequence[int],
        level: Mapping[int, int],
        around: Mapping[int, set[int]],
        shown: set[int],
        members: Mapping[int, Sequence[int]],
    ) -> list[tuple[int, DrawnBox, int | None]]:
        """Hang whole branches that are not drawn at the box that they hang on."""
        home: dict[int, int | None] = {}
        hung: defaultdict[tuple[int | None, bool], list[int]] = defaultdict(list)
        for i in sorted(groups, key=lambda i: (level[i], i)):
            if i in shown:
                continue
            above = sorted(
                (k for k in around[i] if level[k] < level[i]), key=lambda k: (k not in shown, k)
            )
            first = above[0] if above else None
            home[i] = first if first is None or first in shown else home[first]
            hung[home[i], self._used[i]] += members[i]
        by_level: defaultdict[int, list[tuple[int | None, bool, list[int]]]] = defaultdict(list)
        for (at, used), nodes in hung.items():
            below = 0 if at is None else level[at] + 1
            by_level[below].append((at, used, nodes))
        found: list[tuple[int, DrawnBox, int | None]] = []
        for below, chips in sorted(by_level.items()):
            boxes = sum(level[i] == below for i in shown)
            if len(chips) > max(1, self._most + 1 - boxes):
                for used in (True, False):
                    nodes = [i for _, so, inside in chips for i in inside if so is used]
                    if nodes:
                        found.append((below, self._chip(nodes, used=used), None))
                continue
            found += [(below, self._chip(nodes, used=used), at) for at, used, nodes in chips]
        return found

    def _chip(self, nodes: Sequence[int], *, used: bool) -> DrawnBox:
        found = [self._folded.nodes[i] for i in sorted(nodes)]
        hosts = sum(len(one.members) for one in found if not self._teller.forwards(one.first))
        count = sum(len(one.members) for one in found)
        if used:
            text = f"{count:,} more" if all(self._used) else f"{count:,} more in use"
        elif hosts:
            text = f"{hosts:,} idle"
        else:
            text = f"{count:,} idle {'switch' if count == 1 else 'switches'}"
        keys = tuple(key for i in sorted(nodes) for key in self._words[i].keys)
        words = NodeWords(keys, (), None, used=used)
        return DrawnBox("chip", (text,), words, keys)

    def _box(self, group: Sequence[int]) -> DrawnBox:
        words, node = self._words[group[0]], self._folded.nodes[group[0]]
        if len(group) > 1:
            keys = [key for i in group for key in self._words[i].keys]
            keys += [key for i in group for k in group if (i, k) in self._lines
                     for key in self._lines[i, k].keys]  # fmt: skip
            said = self._unlike(f"through {len(group):,} switches", _WIDEST_PILL)
            return DrawnBox("pill", (said,), words, tuple(keys))
        role = self._role(node)
        pill = self._teller.forwards(node.first) and not role and not words.limits
        widest = _WIDEST_PILL if pill else _WIDEST_NAME
        name = self._unlike(self._name(node, widest), widest)
        if pill:
            return DrawnBox("pill", (name,), words, words.keys, alike=len(node.members) > 1)
        return DrawnBox(
            "processor",
            (name, *words.lines),
            words,
            words.keys,
            role,
            apart=bool(role) and _BOLD * cell_len(name) + _PLAIN * cell_len(role) > _ROOM,
            alike=len(node.members) > 1,
            marked=node.first in self._side,
        )

    def _name(self, node: Node, widest: int) -> str:
        more = f" … ×{len(node.members):,}" if len(node.members) > 1 else ""
        return self._short(node.first, widest - cell_len(more)) + more

    def _short(self, processor: str, widest: int) -> str:
        """Name a processor by the part up to its first dot, or by its end, where only it has that."""
        name = self._names.name_of(processor)
        host = name.partition(".")[0]
        if host != name and host and self._hosts[host] == 1:
            name = host
        if cell_len(name) <= widest:
            return name
        cuts = [found.end() for found in _BETWEEN.finditer(name)]
        for cut in reversed(cuts):
            end = name[cut:]
            if cell_len(end) > widest:
                break
            if end and sum(other.endswith(end) for other in self._known_names) == 1:
                return end
        return self._names.short_name(processor, widest, UNICODE)

    @cached_property
    def _known_names(self) -> list[str]:
        processors = self._teller.platform.processors
        return [self._names.name_of(one.id) for one in processors]

    @cached_property
    def _hosts(self) -> Counter[str]:
        return Counter(name.partition(".")[0] for name in self._known_names)

    def _unlike(self, name: str, widest: int) -> str:
        """Give a name that no other box has."""
        found, number = name, 1
        while found in self._labels:
            number += 1
            mark = f"…#{number}"
            found = f"{name[: widest - len(mark)]}{mark}"
        self._labels.add(found)
        return found
