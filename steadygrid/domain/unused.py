"""What a platform gives but a kind of problem does not use."""

from collections.abc import Iterator

from steadygrid.domain.platform import Platform, PortModel, has_latencies


def unused_memory(platform: Platform) -> Iterator[str]:
    """Name memory where nothing is placed within it."""
    if any(processor.memory is not None for processor in platform.processors):
        yield "memory of processors is not used: only mono_allocation places tasks within it"


def unused_parts(
    platform: Platform, ports: PortModel, *, pays: bool = False, holds: bool = False
) -> Iterator[str]:
    """Name what a platform gives but no steady-state kind uses under a port model.

    Parameters
    ----------
    pays
        Whether the schedule pays latencies.
    holds
        Whether tasks are placed within the memory of processors.
    """
    if not holds:
        yield from unused_memory(platform)
    if not pays and has_latencies(platform):
        yield (
            "latencies are not used: the steady state does not depend on them;"
            ' "latencies": "paid" in the options, or --latencies paid, pays them'
        )
    if any(p.latency for p in platform.processors if p.switch):
        yield "latencies of switches are not used: they run no tasks, and messages pay on links"
    limited = [
        p for p in platform.processors if p.bandwidth_in is not None or p.bandwidth_out is not None
    ]
    if ports != "multiport" and limited:
        yield f"bandwidth_in and bandwidth_out are not used under {ports}"
    elif any(p.switch for p in limited):
        yield "bandwidth_in and bandwidth_out of switches are not used: only their links limit"
    named = {medium for link in platform.links for medium in link.media}
    idle = [medium.id for medium in platform.media if medium.id not in named]
    if idle:
        yield f"no link uses {len(idle)} of the media, such as {idle[0]!r}"
