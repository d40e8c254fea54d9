"""Which processors of a platform are interchangeable: classes of twins, in linear time.

Processors are *twins* if all of this holds:

1. They agree in all that the caller says of them (the time of every task).
2. They agree in `bandwidth_in`, `bandwidth_out`, `latency`, `members` and `cards`, and in the given
   routes that begin or end on them.
3. None of them is a switch, or singled out by the caller.
4. They have the same links to and from the same processors: unit time, duplex, latency, cards, and
   the media that are shared with others. Media that only one of them uses are alike if their
   bandwidths are.
5. No link joins two members of classes, of one class or of two.
6. Where routes are fixed, none between two others passes through a member. So members have one
   neighbour.
7. Under port models that know sets of processors, they have at most one neighbour that is no
   switch.

Then exchanging two members changes nothing that limits a schedule. Classes that are unions of such
groups are not sought, nor are other symmetries.
"""

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Sequence
from typing import NamedTuple

from steadygrid.domain.platform import SINGLE_PORT, Arc, Platform


class TwinClass(NamedTuple):
    """Interchangeable processors.

    Attributes
    ----------
    members
        Two or more positions of processors, ascending.
    media
        For each member, the positions of the media that only its own links use. Those at the same
        place are alike.
    """

    members: tuple[int, ...]
    media: tuple[tuple[int, ...], ...]


def twin_classes(
    platform: Platform,
    ports: str,
    own: Sequence[Hashable],
    *,
    fixed_routes: bool,
    single: Collection[int] = (),
) -> tuple[TwinClass, ...]:
    """Find the classes of interchangeable processors, by their first members.

    Parameters
    ----------
    platform
        Without faults.
    ports
        The port model.
    own
        Of each processor, what must be equal on twins besides what the platform says, such as the
        time of every task.
    fixed_routes
        Whether files take the platform's routes.
    single
        Positions of processors that are in no class, such as the master.

    Notes
    -----
    O(processors + links + routes). Of two groups that touch, the smaller one, or else the one listed
    later, stays single processors.
    """
    media = _Media(platform)
    most_neighbours = 1 if fixed_routes else len(platform.processors)
    groups: dict[Hashable, list[int]] = {}
    for i, processor in enumerate(platform.processors):
        if processor.switch or i in single:
            continue
        around = _neighbours(platform, i)
        unswitched = sum(not platform.processors[j].switch for j in around)
        if len(around) > most_neighbours or (ports in SINGLE_PORT and unswitched > 1):
            continue
        limits = (
            processor.bandwidth_in,
            processor.bandwidth_out,
            processor.latency,
            processor.members,
        )
        cards = processor.num_pooled, processor.card_names
        key = own[i], limits, cards, _links_of(platform, media, i), media.sorts_of(i)
        groups.setdefault(key, []).append(i)
    found: Iterable[list[int]] = groups.values()
    if fixed_routes and platform.routes:
        found = _with_like_routes(platform, found)
    apart = _apart(platform, [group for group in found if len(group) > 1])
    return tuple(TwinClass(tuple(group), media.aligned(group)) for group in apart)


def _neighbours(platform: Platform, i: int) -> set[int]:
    return {arc.target for arc in platform.arcs_out[i]} | {
        arc.source for arc in platform.arcs_in[i]
    }


class _Media:
    """Which media only one processor's links use, and what these are."""

    def __init__(self, platform: Platform) -> None:
        self._platform = platform
        self._owners: list[set[int] | None] = [None] * len(platform.media)
        for arc in platform.arcs:
            ends = {arc.source, arc.target}
            for medium in arc.media:
                before = self._owners[medium]
                self._owners[medium] = ends if before is None else before & ends

    def is_own(self, medium: int, i: int) -> bool:
        """Tell whether only links of a processor use a medium."""
        return i in (self._owners[medium] or ())

    def sorts_of(self, i: int) -> Hashable:
        """Count the sorts of a processor's own media."""
        return frozenset((sort, len(media)) for sort, media in self._by_sort(i).items())

    def aligned(self, group: Sequence[int]) -> tuple[tuple[int, ...], ...]:
        """List the own media of each member of a group, in one order of their sorts."""
        found = [self._by_sort(i) for i in group]
        return tuple(
            tuple(medium for sort in found[0] for medium in by_sort[sort]) for by_sort in found
        )

    def _by_sort(self, i: int) -> dict[Hashable, list[int]]:
        """Group a processor's own media by bandwidth and by how often which links use them."""
        used: dict[int, Counter[Hashable]] = {}
        for arc in (*self._platform.arcs_out[i], *self._platform.arcs_in[i]):
            for medium in arc.media:
                if self.is_own(medium, i):
                    used.setdefault(medium, Counter())[_end(arc, i)] += 1
        by_sort: dict[Hashable, list[int]] = {}
        for medium, links in used.items():
            sort = self._platform.media[medium].bandwidth, frozenset(links.items())
            by_sort.setdefault(sort, []).append(medium)
        return by_sort


def _end(arc: Arc, i: int) -> tuple[int, bool]:
    """Give the other end of an arc, and whether the arc leads there."""
    return (arc.target, True) if arc.source == i else (arc.source, False)


def _links_of(platform: Platform, media: _Media, i: int) -> Hashable:
    return frozenset(
        (
            _end(arc, i),
            arc.unit_time,
            arc.half is None,
            platform.links[arc.link].latency,
            (arc.source_card, arc.target_card),
            tuple(sorted(medium for medium in arc.media if not media.is_own(medium, i))),
        )
        for arc in (*platform.arcs_out[i], *platform.arcs_in[i])
    )


class _End(NamedTuple):
    """A given route as one of its ends sees it."""

    other: int
    leaves: bool
    missing: bool
    via: tuple[str, ...]


def _with_like_routes(platform: Platform, groups: Iterable[list[int]]) -> list[list[int]]:
    """Split groups by the given routes between their members and others.

    Members of a group have one neighbour, so there is only one route between two of them, given or
    not, unless it is missing: then it is between all of them. A group that has given ones, and would be split, is none at all.
    """
    index = platform.index_by_id
    given: dict[int, list[_End]] = {}
    for route in platform.routes:
        source, target = index[route.source], index[route.target]
        missing = route.missing is True
        given.setdefault(source, []).append(_End(target, True, missing, route.via))
        given.setdefault(target, []).append(_End(source, False, missing, route.via))
    found: list[list[int]] = []
    for group in groups:
        inside = set(group)
        within = [end for i in group for end in given.get(i, ()) if end.other in inside]
        parts: dict[Hashable, list[int]] = {}
        for i in group:
            beyond = frozenset(end for end in given.get(i, ()) if end.other not in inside)
            parts.setdefault(beyond, []).append(i)
        apart = sum(end.missing for end in within if end.leaves)
        if apart not in (0, len(group) * (len(group) - 1)) or (within and len(parts) > 1):
            continue
        found += parts.values()
    return found


def _apart(platform: Platform, groups: Sequence[list[int]]) -> list[list[int]]:
    """Keep groups that do not touch, the largest first; in the order of their first members."""
    taken: set[int] = set()
    kept: list[list[int]] = []
    for group in sorted(groups, key=lambda group: (-len(group), group[0])):
        if taken.isdisjoint(_neighbours(platform, group[0])):
            taken.update(group)
            kept.append(group)
    return sorted(kept)
