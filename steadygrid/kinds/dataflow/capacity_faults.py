"""What is wrong with places of channels that a `dataflow` instance gives, or asks for."""

from collections.abc import Iterator

from steadygrid.domain.errors import Fault, Pointer
from steadygrid.domain.nearest import Known
from steadygrid.domain.wording import shown
from steadygrid.kinds.dataflow.rates import phases_of
from steadygrid.kinds.dataflow.schemas import DataflowChannel, DataflowInstance, room_name

_WITH_PLACES = ("target_period", "weights", "counted")
"""Fields that say which places are the fewest."""


def place_faults(instance: DataflowInstance, at: Pointer) -> Iterator[Fault]:
    """List the faults of capacities, and of what is said of the fewest places.

    Parameters
    ----------
    instance
        Whose actors and channels have no faults.
    at
        Place of the instance in the submission.

    Notes
    -----
    Rules, in this order:

    == ===================================================================== ======================
    1  `target_period` is given with ``buffers: least``, `weights` and       `unused_field`
       `counted` with that or ``buffers: front``
       ``strictly_periodic`` stands without ``least`` and ``front``          `not_together`
    2  capacities, weights and counted channels are of channels of the graph `unknown_channel`
    3  a channel is counted once                                             `duplicate_channel`
    4  capacities are at least the tokens of the beginning                   `capacity_below_tokens`
    5  no channel is named as the free places of another                     `reserved_channel`
    6  some channel is counted that has no capacity                          `nothing_counted`
    7  firings of an actor whose places are chosen are in order, or all      `unordered_firings`
       take the same time
    == ===================================================================== ======================
    """
    names = instance.channel_names
    given = dict(zip(names, instance.graph.channels, strict=True))
    known = Known(names)
    yield from _unused_fields(instance, at)
    if instance.even and instance.chooses_places:
        detail = (
            "the fewest places are known for k_periodic schedules: leave schedule out, or ask for"
            " buffers: of_schedule"
        )
        yield Fault((*at, "schedule"), "not_together", detail)
    for field in ("capacities", "weights", "counted"):
        for name in getattr(instance, field) or ():
            if name not in given:
                detail = f"there is no channel {shown(name)}{known.suggestion(name)}"
                yield Fault((*at, field), "unknown_channel", detail)
    counted = instance.counted or []
    for i, name in enumerate(counted):
        if name in counted[:i]:
            detail = f"channel {shown(name)} is counted twice: name it once"
            yield Fault((*at, "counted", i), "duplicate_channel", detail)
    for name, places in (instance.capacities or {}).items():
        if name in given and places < given[name].tokens:
            yield Fault(
                (*at, "capacities", name),
                "capacity_below_tokens",
                f"{shown(name)} has {given[name].tokens:,} tokens at the beginning, and {places:,}"
                " places: give it as many places as tokens, or more",
            )
    if instance.capacities is not None or instance.chooses_places:
        for i, name in enumerate(names):
            if room_name(name) in given:
                yield Fault(
                    (*at, "graph", "channels", names.index(room_name(name))),
                    "reserved_channel",
                    f"{shown(room_name(name))} names the free places of {shown(name)}: give channel"
                    f" {i} or this one another id",
                )
    if instance.chooses_places:
        yield from _choice_faults(instance, given, at)


def _unused_fields(instance: DataflowInstance, at: Pointer) -> Iterator[Fault]:
    for field in _WITH_PLACES:
        fits = instance.chooses_places and (field != "target_period" or instance.buffers == "least")
        if getattr(instance, field) is not None and not fits:
            needed = "least" if field == "target_period" else "least or front"
            detail = f"{field} is for buffers: {needed}: ask for that, or leave {field} out"
            yield Fault((*at, field), "unused_field", detail)


def _choice_faults(
    instance: DataflowInstance, given: dict[str, DataflowChannel], at: Pointer
) -> Iterator[Fault]:
    free = [name for name in given if name not in (instance.capacities or {})]
    if instance.counted is None:
        counted = [name for name in free if given[name].source != given[name].target]
    else:
        counted = [name for name in free if name in instance.counted]
    if not counted:
        yield Fault(
            (*at, "buffers"),
            "nothing_counted",
            "no channel is counted: leave its capacity out, or name it in counted",
        )
    if instance.concurrency == "auto" and max(phases_of(instance.graph)) > 1:
        yield Fault(
            (*at, "buffers"),
            "unordered_firings",
            "the fewest places are known where firings of an actor are in order, or all take the same"
            " time. Ask for concurrency: sequential, or give each actor one phase",
        )
