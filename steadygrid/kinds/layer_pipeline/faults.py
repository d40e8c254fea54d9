"""What a `layer_pipeline` instance may be refused for."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import pairwise

from steadygrid.domain.errors import Fault, Pointer
from steadygrid.domain.job import Options
from steadygrid.domain.nearest import Known
from steadygrid.domain.wording import shown
from steadygrid.kinds.layer_pipeline.chain import Chain, has_backward_passes
from steadygrid.kinds.layer_pipeline.schemas import (
    MOST_DEVICES,
    GivenStage,
    LayerPipelineInstance,
)

MOST_DIGITS = 900
"""Of the common denominator of all times. A period is a sum of them over a whole number."""


def faults(instance: LayerPipelineInstance, _options: Options, at: Pointer) -> Iterator[Fault]:
    """List the faults of a well-formed instance.

    Rules, in order:

    1. Ids of layers are unique, and those of device types.
    2. There are at most `MOST_DEVICES` devices.
    3. Layers are known wherever they are named, and skips lead on.
    4. A type that has times has them for every layer.
    5. Bandwidths name known types, each pair once. All pairs that may be neighbours have one.
    6. The schedule suits the backward passes.
    7. Times have a common denominator of at most `MOST_DIGITS` digits.
    8. Something takes time on every device.
    9. A type has room for each layer.
    10. For ``evaluate``, the stages hold all layers in order, on devices that there are.

    Parameters
    ----------
    instance
        Well-formed. It may have faults.
    _options
        Not read.
    at
        Place of the instance in the submission; pointers to faults begin with it.
    """
    sound = True
    for fault in (
        *_name_faults(instance, at),
        *_skip_faults(instance, at),
        *_device_faults(instance, at),
        *_bandwidth_faults(instance, at),
        *_schedule_faults(instance, at),
    ):
        sound = False
        yield fault
    if sound:
        chain = Chain.from_instance(instance)
        yield from _time_faults(chain, at)
        yield from _memory_faults(chain, at)
        yield from _stage_faults(chain, at)


def _name_faults(instance: LayerPipelineInstance, at: Pointer) -> Iterator[Fault]:
    for field, noun, code in (
        ("layers", "layer", "duplicate_layer"),
        ("devices", "device type", "duplicate_sort"),
    ):
        seen: set[str] = set()
        for i, one in enumerate(getattr(instance, field)):
            if one.id in seen:
                detail = (
                    f"{noun} {shown(one.id)} is given twice: give each {noun} a name of its own"
                )
                yield Fault((*at, field, i, "id"), code, detail)
            seen.add(one.id)
    number = sum(device.count for device in instance.devices)
    if number > MOST_DEVICES:
        yield Fault(
            (*at, "devices"),
            "limit_exceeded",
            f"there are {number:,} devices, and at most {MOST_DEVICES:,} are accepted: plan for a part of"
            " them",
        )


def _unknown_layers(
    names: Mapping[str, Pointer], instance: LayerPipelineInstance
) -> Iterator[Fault]:
    known = Known(layer.id for layer in instance.layers)
    there = {layer.id for layer in instance.layers}
    for name, pointer in names.items():
        if name not in there:
            detail = f"there is no layer {shown(name)}{known.suggestion(name)}"
            yield Fault(pointer, "unknown_layer", detail)


def _skip_faults(instance: LayerPipelineInstance, at: Pointer) -> Iterator[Fault]:
    index = {layer.id: i for i, layer in enumerate(instance.layers)}
    for i, skip in enumerate(instance.skips):
        here = (*at, "skips", i)
        ends = {skip.source: (*here, "source"), skip.target: (*here, "target")}
        unknown = list(_unknown_layers(ends, instance))
        yield from unknown
        if not unknown and index[skip.source] >= index[skip.target]:
            detail = (
                f"the skip leads from {shown(skip.source)} to {shown(skip.target)}: its target must come"
                " after its source in layers"
            )
            yield Fault(here, "skip_backward", detail)


def _device_faults(instance: LayerPipelineInstance, at: Pointer) -> Iterator[Fault]:
    if isinstance(instance.max_replicas, dict):
        named = {name: (*at, "max_replicas", name) for name in instance.max_replicas}
        yield from _unknown_layers(named, instance)
    for i, device in enumerate(instance.devices):
        if device.times is None:
            continue
        here = (*at, "devices", i, "times")
        yield from _unknown_layers({name: (*here, name) for name in device.times}, instance)
        lacking = [layer.id for layer in instance.layers if layer.id not in device.times]
        if lacking:
            yield Fault(
                here,
                "missing_times",
                f"{shown(device.id)} has no times for layer {shown(lacking[0])}"
                + (f" and {len(lacking) - 1:,} more" if len(lacking) > 1 else "")
                + ": give [forward, backward] for every layer",
            )


def _bandwidth_faults(instance: LayerPipelineInstance, at: Pointer) -> Iterator[Fault]:
    if not isinstance(instance.bandwidth, tuple):
        return
    names = [device.id for device in instance.devices]
    known = Known(iter(names))
    seen: set[frozenset[str]] = set()
    for i, pair in enumerate(instance.bandwidth):
        here = (*at, "bandwidth", i)
        for end in ("source", "target"):
            if (name := getattr(pair, end)) not in names:
                detail = f"there is no device type {shown(name)}{known.suggestion(name)}"
                yield Fault((*here, end), "unknown_sort", detail)
        both = frozenset((pair.source, pair.target))
        if both in seen:
            detail = (
                f"the pair of {shown(pair.source)} and {shown(pair.target)} is given twice: each link has"
                " its bandwidth in both directions"
            )
            yield Fault(here, "duplicate_pair", detail)
        seen.add(both)
    for i, one in enumerate(instance.devices):
        for other in instance.devices[i:]:
            neighbours = one.id != other.id or one.count > 1
            if (
                neighbours
                and len(instance.layers) > 1
                and frozenset((one.id, other.id)) not in seen
            ):
                detail = (
                    f"devices of {shown(one.id)} and {shown(other.id)} may be neighbours: give the"
                    " bandwidth of this pair, too"
                )
                yield Fault((*at, "bandwidth"), "missing_bandwidth", detail)


def _schedule_faults(instance: LayerPipelineInstance, at: Pointer) -> Iterator[Fault]:
    here = (*at, "schedule")
    trains = has_backward_passes(instance)
    if trains and instance.schedule == "forward":
        detail = (
            "some layer has a backward pass, which the schedule forward does not run: leave it out, or use"
            " schedule one_forward_one_backward"
        )
        yield Fault(here, "backward_given", detail)
    if not trains and instance.schedule == "one_forward_one_backward":
        detail = "no layer has a backward pass: use schedule forward, or give backward"
        yield Fault(here, "backward_missing", detail)
    for i, layer in enumerate(instance.layers):
        if not trains and layer.gradient is not None and layer.gradient > 0:
            detail = (
                f"layer {shown(layer.id)} gets a gradient, but no layer has a backward pass: leave"
                " gradient out, or give backward"
            )
            yield Fault((*at, "layers", i, "gradient"), "gradient_without_backward", detail)


def _time_faults(chain: Chain, at: Pointer) -> Iterator[Fault]:
    if not chain.is_short(10**MOST_DIGITS):
        detail = (
            f"the common denominator of all times has more than {MOST_DIGITS} digits: round works, sizes,"
            " speeds and bandwidths"
        )
        yield Fault((*at, "layers"), "too_many_digits", detail)
    device_types = range(chain.num_device_types)
    if not any(
        all(chain.load(layer, layer + 1, device_type) for device_type in device_types)
        for layer in range(chain.num_layers)
    ):
        detail = (
            "no layer takes time on every type of device, so nothing limits the throughput: give a layer"
            " work above 0"
        )
        yield Fault((*at, "layers"), "no_throughput_limit", detail)


def _memory_faults(chain: Chain, at: Pointer) -> Iterator[Fault]:
    rooms = [device.memory for device in chain.instance.devices]
    largest = max((room for room in rooms if room is not None), default=Fraction(0))
    for i, layer in enumerate(chain.instance.layers):
        if not any(
            chain.fits(i, i + 1, device_type) for device_type in range(chain.num_device_types)
        ):
            detail = (
                f"layer {shown(layer.id)} needs {chain.held(i, i + 1, 1)} for one data set, the largest"
                f" device has {largest}: give devices more memory, or divide the layer"
            )
            yield Fault((*at, "layers", i), "too_little_memory", detail)


def _stage_faults(chain: Chain, at: Pointer) -> Iterator[Fault]:
    instance = chain.instance
    stages = instance.stages
    if instance.method != "evaluate":
        return
    if stages is None:
        detail = "evaluate judges a plan: give its stages, or ask for exact"
        yield Fault((*at, "stages"), "stages_missing", detail)
        return
    sound = True
    for fault in _names_of_stages(instance, stages, at):
        sound = False
        yield fault
    if not sound:
        return
    yield from _gaps(instance, stages, at)
    yield from _counts(chain, stages, at)


def _names_of_stages(
    instance: LayerPipelineInstance, stages: tuple[GivenStage, ...], at: Pointer
) -> Iterator[Fault]:
    names = [device.id for device in instance.devices]
    known = Known(iter(names))
    for i, stage in enumerate(stages):
        here = (*at, "stages", i)
        ends = {name: (*here, "layers", k) for k, name in enumerate(stage.layers)}
        yield from _unknown_layers(ends, instance)
        if stage.device not in names:
            detail = (
                f"there is no device type {shown(stage.device)}{known.suggestion(stage.device)}"
            )
            yield Fault((*here, "device"), "unknown_sort", detail)


def _gaps(
    instance: LayerPipelineInstance, stages: tuple[GivenStage, ...], at: Pointer
) -> Iterator[Fault]:
    index = {layer.id: i for i, layer in enumerate(instance.layers)}
    ends = [(index[stage.layers[0]], index[stage.layers[1]]) for stage in stages]
    for i, (first, last) in enumerate(ends):
        if first > last:
            names = [shown(name) for name in stages[i].layers]
            detail = f"layer {names[0]} comes after {names[1]}: name the first layer first"
            yield Fault((*at, "stages", i, "layers"), "not_an_interval", detail)
    before = [(-1, -1), *ends, (len(index), len(index))]
    for i, ((_, last), (first, _)) in enumerate(pairwise(before)):
        if first != last + 1:
            due = "no layer" if last + 1 == len(index) else shown(instance.layers[last + 1].id)
            there = "the end" if first == len(index) else shown(instance.layers[first].id)
            detail = (
                f"{due} must follow here, and {there} does: let the stages hold every layer once, in the"
                " order of layers"
            )
            yield Fault((*at, "stages", min(i, len(stages) - 1)), "gap_in_layers", detail)


def _counts(chain: Chain, stages: tuple[GivenStage, ...], at: Pointer) -> Iterator[Fault]:
    index = {layer.id: i for i, layer in enumerate(chain.instance.layers)}
    left = {device.id: device.count for device in chain.instance.devices}
    for i, stage in enumerate(stages):
        here = (*at, "stages", i)
        left[stage.device] -= stage.replicas
        if 0 < -left[stage.device] <= stage.replicas:
            detail = (
                f"up to here the stages take {-left[stage.device]:,} more devices of"
                f" {shown(stage.device)} than there are: give fewer replicas, or another type"
            )
            yield Fault(here, "too_many_devices", detail)
        first, last = index[stage.layers[0]], index[stage.layers[1]]
        most = min(chain.most_copies[first : last + 1], default=stage.replicas)
        if stage.replicas > most:
            detail = f"max_replicas allows {most:,}, and {stage.replicas:,} are given: give fewer"
            yield Fault((*here, "replicas"), "too_many_replicas", detail)
