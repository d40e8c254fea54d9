"""Where whole files may be under fixed routing: on the master and on all that compute.

Routers and switches only forward on routes. All others may also relay what has arrived.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from steadygrid.domain.platform import Platform
from steadygrid.kinds.master_worker.schemas import MasterWorkerInstance

MOST_LEGS = 10_000_000
"""Where counting ends. No limit is as high."""


@dataclass(frozen=True)
class Holders:
    """Processors that hold whole files, and who hangs where; by indices in platform order.

    Attributes
    ----------
    all
        The master, and who has a speed or a time for the task.
    hung
        Those that no route names and that have links with one other processor only, which holds
        no files: all their routes begin and end with it.
    routed
        Those that begin or end a route of the platform with another holder.
    """

    all: frozenset[int]
    hung: dict[int, int]
    routed: frozenset[int]

    @classmethod
    def from_instance(cls, instance: MasterWorkerInstance) -> "Holders":
        """Find them, in time linear in the platform."""
        platform = instance.platform
        index = platform.index_by_id
        holders = frozenset(
            i
            for i, (processor, time) in enumerate(
                zip(platform.processors, instance.compute_times, strict=True)
            )
            if time is not None or processor.time_per_work is not None
        ) | {index[instance.master]}
        ends = [(index[route.source], index[route.target]) for route in platform.routes]
        routed = frozenset(end for pair in ends if holders.issuperset(pair) for end in pair)
        hung = {}
        for holder in sorted(holders - routed):
            others = {arc.target for arc in platform.arcs_out[holder]}
            others.update(arc.source for arc in platform.arcs_in[holder])
            if len(others) == 1 and holders.isdisjoint(others):
                hung[holder] = others.pop()
        return cls(holders, hung, routed)

    @property
    def hubs(self) -> list[int]:
        """The processors on which others hang."""
        return sorted(set(self.hung.values()))

    @property
    def alone(self) -> list[int]:
        """The holders that hang nowhere: each has routes of its own."""
        return sorted(self.all - self.hung.keys())

    def count(self, platform: Platform) -> tuple[int, int]:
        """Give at least the number of legs between them, and that of the arcs in these.

        Counted are routes that pass no holder without a route. There may be fewer legs. Up to
        `MOST_LEGS`.
        """
        legs = arcs = 2 * len(self.hung)
        ends = {*self.alone, *self.hubs}
        stops = self.all - self.routed
        for start in sorted(ends):
            for hops in self._hops(platform, start, ends, stops):
                legs += 1
                arcs += hops
            if legs > MOST_LEGS:
                break
        return legs, arcs

    @staticmethod
    def _hops(
        platform: Platform, start: int, ends: set[int], stops: frozenset[int]
    ) -> Iterator[int]:
        hops = {start: 0}
        for here in (queue := [start]):
            for arc in platform.arcs_out[here]:
                if arc.target not in hops:
                    hops[arc.target] = hops[here] + 1
                    if arc.target in ends:
                        yield hops[arc.target]
                    if arc.target not in stops:
                        queue.append(arc.target)
