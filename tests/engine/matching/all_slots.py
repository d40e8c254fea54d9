"""What can be done in a unit of time, by listing all slots: the rules as they are written."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any

import pyomo.core as pyo

from steadygrid.domain.platform import Platform


def all_slots(platform: Platform) -> list[frozenset[int]]:
    """List every set of arcs of which no two meet at a processor, or share a half-duplex link."""
    ports = [
        {end for end in (arc.source, arc.target) if not platform.processors[end].switch}
        for arc in platform.arcs
    ]
    return apart(platform, ports)


def apart(platform: Platform, ports: Sequence[AbstractSet[Hashable]]) -> list[frozenset[int]]:
    """List every set of arcs of which no two need one port, by arc, or share a half-duplex link."""
    slots: list[frozenset[int]] = [frozenset()]
    for arc in platform.arcs:
        slots += [
            slot | {arc.index}
            for slot in slots
            if arc.half not in slot and all(ports[arc.index].isdisjoint(ports[k]) for k in slot)
        ]
    return slots


def share_time(
    model: Any,
    platform: Platform,
    ports: str,
    carried: Mapping[int, Any],
    computed: Mapping[int, Any],
    length: Any = 1,
    listed: Callable[[Platform], list[frozenset[int]]] = all_slots,
) -> None:
    """Let the slots carry what crosses each arc, and the processors compute, within a time unit.

    Parameters
    ----------
    model
        With a list of constraints ``rows``.
    carried, computed
        Time, by arc and by processor.
    length
        What there is instead of a time unit.
    listed
        Lists the slots.
    """
    slots = listed(platform)
    model.slot = pyo.Var(range(len(slots)), domain=pyo.NonNegativeReals)
    model.rows.add(sum(model.slot.values()) <= length)
    for index, time in carried.items():
        model.rows.add(time <= sum(model.slot[k] for k, slot in enumerate(slots) if index in slot))
    for i, time in computed.items():
        moving = [
            model.slot[k]
            for k, slot in enumerate(slots)
            if any(i in platform.arcs[a][1:3] for a in slot)
        ]
        model.rows.add(time + (sum(moving) if ports == "no_overlap" else 0) <= length)
