"""Odd sets of processors as resources: what is sent among their members takes time of them."""

from collections.abc import Iterable
from dataclasses import dataclass

from steadygrid.domain.platform import Arc, Platform, Use
from steadygrid.domain.resources import odd_resource

Pair = tuple[int, int]
"""Two vertices, the smaller one first: an edge."""


@dataclass(frozen=True)
class OddSet:
    """An odd number of processors, at least 3, by indices in rising order."""

    members: tuple[int, ...]

    @property
    def max_transfers(self) -> int:
        """Transfers among the members that can run at a time."""
        return len(self.members) // 2

    def name(self, platform: Platform) -> str:
        """Name the resource."""
        return odd_resource(platform.processors[i].id for i in self.members)

    def __contains__(self, arc: Arc) -> bool:
        return arc.source in self.members and arc.target in self.members


def odd_uses(platform: Platform, arc: Arc, sets: Iterable[OddSet]) -> list[Use]:
    """List what one unit of data on an arc takes of sets that have both its ends, as shares.

    Parameters
    ----------
    platform
        Its processors and arcs, by index.
    arc
        One direction of a link.
    sets
        Odd sets that are resources.
    """
    return [
        Use(odd.name(platform), arc.unit_time / odd.max_transfers) for odd in sets if arc in odd
    ]
