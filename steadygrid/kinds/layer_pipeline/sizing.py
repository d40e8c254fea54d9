"""Method and size of a `layer_pipeline` instance, before anything is built."""

from bisect import bisect_right
from collections.abc import Iterator
from math import prod

from steadygrid.domain.errors import Fault, LimitError
from steadygrid.domain.job import Options
from steadygrid.domain.problem import Sizing
from steadygrid.kinds.layer_pipeline.chain import Chain
from steadygrid.kinds.layer_pipeline.faults import faults
from steadygrid.kinds.layer_pipeline.schemas import LayerPipelineInstance

SINCE = 12
"""Workers that solve less do not know this kind, see `steadygrid.kinds.SOLVES`."""
MOST_STEPS = 2_000_000_000
"""Of one test whether some plan keeps a period, at most."""
MOST_STATES = 500_000
"""Numbers of devices in use, by device type."""

__all__ = ["SINCE", "faults", "requires", "sizing"]


def requires(_instance: LayerPipelineInstance, _options: Options) -> int:
    """Say how new a version has to be that knows this kind.

    Parameters
    ----------
    _instance
        Not read.
    _options
        Not read.
    """
    return SINCE


def sizing(instance: LayerPipelineInstance, _options: Options) -> Sizing:
    """Count layers and devices, and for ``exact`` what one test of a period has to look at.

    A test has ``states`` for each layer, numbers of devices in use by device type, and at most so
    many ``steps``: a stage that begins there, by its last layer, its device type and its copies.
    Stages that no device can hold are not counted.

    Parameters
    ----------
    instance
        Without faults.
    _options
        Not read.

    Raises
    ------
    LimitError
        If there are more than `MOST_STATES` states or `MOST_STEPS` steps.
    """
    chain = Chain.from_instance(instance)
    sizes = {
        "layers": chain.num_layers,
        "sorts": chain.num_device_types,
        "devices": sum(device.count for device in instance.devices),
    }
    if instance.method == "exact":
        states = prod(device.count + 1 for device in instance.devices)
        sizes |= {"states": states, "steps": states * _num_stages(chain)}
        if states > MOST_STATES:
            _refuse(
                f"the numbers of devices in use, by type, have {states:,} values together, and at most"
                f" {MOST_STATES:,} are accepted: give fewer device types"
            )
        if sizes["steps"] > MOST_STEPS:
            _refuse(
                f"a test of a period looks at up to {sizes['steps']:,} parts of plans, and at most"
                f" {MOST_STEPS:,} are accepted: merge layers, or give max_replicas"
            )
    return Sizing(
        instance.method,
        sizes,
        warnings=tuple(_unused(instance)),
        remedy="merge layers, or give max_replicas",
    )


def _refuse(detail: str) -> None:
    raise LimitError(detail, [Fault(("problem", "devices"), "limit_exceeded", detail)])


def _num_stages(chain: Chain) -> int:
    """Count the stages that a device has room for, by layers, device type and copies."""
    held = [one + other for one, other in zip(chain.memory, chain.in_flight, strict=True)]
    found = 0
    for device in chain.instance.devices:
        for first in range(chain.num_layers):
            end = chain.num_layers
            if device.memory is not None:
                end = bisect_right(held, held[first] + device.memory) - 1
            most = device.count
            for copies in chain.most_copies[first:end]:
                most = min(most, copies)
                found += most
    return found


def _unused(instance: LayerPipelineInstance) -> Iterator[str]:
    for device in instance.devices:
        if device.times is not None and device.speed != 1:
            yield f"the speed of {device.id!r} is not used: it has times"
