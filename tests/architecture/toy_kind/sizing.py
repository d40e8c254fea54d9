"""Faults and size of a `one_worker` instance."""

from collections.abc import Iterator

from steadygrid.problems.one_worker.schemas import OneWorkerInstance

from steadygrid.domain.errors import Fault, Pointer
from steadygrid.domain.job import Options
from steadygrid.domain.platform import platform_faults
from steadygrid.domain.problem import Sizing


def faults(instance: OneWorkerInstance, _options: Options, pointer: Pointer) -> Iterator[Fault]:
    """Find what is wrong with a well-formed instance."""
    platform = instance.platform
    yield from platform_faults(platform, (*pointer, "platform"))
    speeds = {one.id: one.time_per_work for one in platform.processors}
    if not speeds.get(instance.worker):
        yield Fault((*pointer, "worker"), "cannot_compute", "give the worker a unit_time")
    links = {(link.source, link.target) for link in platform.links}
    if (instance.source, instance.worker) not in links:
        yield Fault((*pointer, "source"), "no_link", "add a link from the source to the worker")


def requires(_instance: OneWorkerInstance, _options: Options) -> int:
    """Say from which version on it can be solved."""
    return 1


def sizing(_instance: OneWorkerInstance, _options: Options) -> Sizing:
    """Count what will be built."""
    return Sizing("lp", {"variables": 1, "constraints": 3})
