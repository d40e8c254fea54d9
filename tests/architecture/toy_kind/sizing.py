"""Faults and size of a `one_worker` instance."""

from collections.abc import Iterator

from steadygrid.kinds.one_worker.schemas import OneWorkerInstance

from steadygrid.domain.errors import Fault, Pointer
from steadygrid.domain.job import Options
from steadygrid.domain.platform import platform_faults
from steadygrid.domain.problem import Sizing
from steadygrid.kinds.shared.start_ups import start_up_faults, vain_options


def faults(instance: OneWorkerInstance, options: Options, pointer: Pointer) -> Iterator[Fault]:
    """Find what is wrong with a well-formed instance."""
    platform = instance.platform
    yield from platform_faults(platform, (*pointer, "platform"))
    yield from start_up_faults(instance, options, pointer)
    speeds = {one.id: one.time_per_work for one in platform.processors}
    if not speeds.get(instance.worker):
        yield Fault((*pointer, "worker"), "cannot_compute", "give the worker a unit_time")
    links = {(link.source, link.target) for link in platform.links}
    if (instance.source, instance.worker) not in links:
        yield Fault((*pointer, "source"), "no_link", "add a link from the source to the worker")


def requires(_instance: OneWorkerInstance, _options: Options) -> int:
    """Say from which version on it can be solved."""
    return 1


def sizing(instance: OneWorkerInstance, options: Options) -> Sizing:
    """Count what will be built."""
    warnings = (*vain_options(instance.platform, options),)
    return Sizing("lp", {"variables": 1, "constraints": 3}, warnings)
