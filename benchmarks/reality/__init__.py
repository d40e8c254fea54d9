"""Schedules on real processes, which speak over loopback sockets: what they reach of the plan.

Each processor is a process. Each direction of a link is a socket behind a token bucket with the link's
bandwidth. Ports are given away as the port model says. Computing is sleeping, and once hashing.
"""

from collections.abc import Iterator

from benchmarks.measurement import Measurement


def measure() -> Iterator[Measurement]:
    """Carry out every case by every execution."""
    # The processes of the platforms import this package, and need nothing of all that.
    from benchmarks.reality.measuring import measured_cases

    yield from measured_cases()
