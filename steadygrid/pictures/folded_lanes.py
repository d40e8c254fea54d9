"""Lanes that show the same are folded into one, which names them all."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from steadygrid.report.bars import Bar
from steadygrid.report.folding import group_label
from steadygrid.report.lanes import (
    Lane,
)


class Fold(NamedTuple):
    """Lanes whose ports do the same at the same times, if not with the same others."""

    lanes: tuple[Lane, ...]
    """At least one, in their order."""
    bars: tuple[Bar, ...]
    """Those of each of them, `whom` of all together."""

    @property
    def name(self) -> str:
        """The owner, the direction of a link, or the first of several and their number."""
        first = self.lanes[0]
        if len(self.lanes) == 1 or first.port != "link":
            return group_label(self.members)
        ends = [group_label((end, end)).rpartition(" … ")[0] for end in first.owners]
        return f"{arrow(first).join(ends)} … ×{len(self.lanes)}"

    @property
    def members(self) -> tuple[str, ...]:
        """The owners of the lanes; of links, what is between their ends says in which direction they go."""
        return tuple(owner(lane) for lane in self.lanes)

    @property
    def word(self) -> str:
        """What stands behind the name: the port."""
        return self.lanes[0].word


def owner(lane: Lane) -> str:
    """Name the processor or actor, or the link by its ends."""
    return arrow(lane).join(lane.owners)


def arrow(lane: Lane) -> str:
    """Say in which direction a link goes."""
    return "↔" if lane.resource.endswith(".half") else "→"


def fold(lanes: Iterable[Lane]) -> list[Fold]:
    """Fold lanes of the same port that do the same, and as much of it, at the same times.

    With whom they do it may differ. Linear in the bars.

    Returns
    -------
    list
        Every lane is in one of them; by the first of each.
    """
    alike: dict[object, list[Lane]] = {}
    for lane in lanes:
        shown = tuple(bar._replace(whom=()) for bar in lane.bars)
        alike.setdefault((lane.port, lane.card, lane.track, shown), []).append(lane)
    return [Fold(tuple(group), _together(group)) for group in alike.values()]


def _together(group: Sequence[Lane]) -> tuple[Bar, ...]:
    if len(group) == 1:
        return group[0].bars
    return tuple(
        bars[0]._replace(whom=tuple(dict.fromkeys(name for bar in bars for name in bar.whom)))
        for bars in zip(*(lane.bars for lane in group), strict=True)
    )
