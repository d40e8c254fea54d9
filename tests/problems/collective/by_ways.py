"""What can run side by side on a small platform, for programs over all ways or trees."""

from typing import Any

from steadygrid.domain.platform import Platform


def slots_of_two_ports(platform: Platform) -> list[frozenset[int]]:
    """List every set of arcs of which no two leave, or enter, a processor, or share a link."""
    ports = [
        {("out", arc.source), ("in", arc.target)}
        - {(way, i) for i, p in enumerate(platform.processors) if p.switch for way in ("out", "in")}
        for arc in platform.arcs
    ]
    slots: list[frozenset[int]] = [frozenset()]
    for arc in platform.arcs:
        slots += [
            slot | {arc.index}
            for slot in slots
            if arc.half not in slot and all(ports[arc.index].isdisjoint(ports[k]) for k in slot)
        ]
    return slots


def flow_side_by_side(model: Any, platform: Platform, data: dict[int, Any]) -> None:
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
