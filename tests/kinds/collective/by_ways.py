"""What can run side by side on a small platform, for programs over all ways or trees."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from steadygrid.domain.platform import Platform
from tests.engine.matching.all_slots import all_slots, apart, share_time


def slots_of_two_ports(platform: Platform) -> list[frozenset[int]]:
    """List every set of arcs of which no two leave, or enter, a processor, or share a link."""
    ports = [
        {("out", arc.source), ("in", arc.target)}
        - {(way, i) for i, p in enumerate(platform.processors) if p.switch for way in ("out", "in")}
        for arc in platform.arcs
    ]
    return apart(platform, ports)


def flow_side_by_side(model: Any, platform: Platform, data: Mapping[int, Any]) -> None:
    """Limit what flows over links, at processors and through media, all at the same time."""
    for arc in platform.arcs:
        both = [arc.index] if arc.half is None else [arc.index, arc.half]
        model.rows.add(sum(arc.unit_time * data[k] for k in both) <= 1)
        model.rows.add(arc.unit_time * data[arc.index] <= 1)
    for i, processor in enumerate(platform.processors):
        for bandwidth, end in ((processor.bandwidth_out, "source"), (processor.bandwidth_in, "target")):  # fmt: skip
            here = [data[arc.index] for arc in platform.arcs if getattr(arc, end) == i]
            if bandwidth is not None and here:
                model.rows.add(sum(here) <= bandwidth)
    for m, medium in enumerate(platform.media):
        through = [data[arc.index] for arc in platform.arcs if m in arc.media]
        model.rows.add(sum(through) <= medium.bandwidth)


def limit(
    model: Any,
    platform: Platform,
    ports: str,
    data: Mapping[int, Any],
    computed: Mapping[int, Any] = MappingProxyType({}),
) -> None:
    """Limit the data over each arc, and computing, per time unit, by what the ports allow."""
    if ports == "multiport":
        flow_side_by_side(model, platform, data)
        for time in computed.values():
            model.rows.add(time <= 1)
        return
    carried = {a.index: a.unit_time * data[a.index] for a in platform.arcs if a.index in data}
    slots = slots_of_two_ports if ports == "one_port" else all_slots
    share_time(model, platform, ports, carried, computed, listed=slots)
