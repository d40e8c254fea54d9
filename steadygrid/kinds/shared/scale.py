"""Instances whose numbers seem to be in units that differ from one another."""

from collections.abc import Iterable, Iterator
from fractions import Fraction

from steadygrid.domain.platform import Platform

SHORTEST = Fraction(1, 10**6)
"""Seconds, of the longest transfer or computation that looks like work."""
LONGEST = 10**9
"""Seconds, of the shortest one."""
_SECONDS = frozenset({"s", "sec", "second", "seconds"})


def odd_units(
    platform: Platform,
    works: Iterable[Fraction | None],
    times: Iterable[Fraction],
    sizes: Iterable[Fraction],
) -> Iterator[str]:
    """Ask about the units where all work would be done in microseconds, or none in 30 years.

    Only where time is in seconds, or has no label. Times and sizes of 0 say nothing.

    Parameters
    ----------
    works
        Of all tasks, in units of work. None where a task has times.
    times
        Of all tasks that have times, in seconds.
    sizes
        Of all files, in units of data.
    """
    unit = None if platform.units is None else platform.units.time
    if unit is not None and unit.strip().lower() not in _SECONDS:
        return
    speeds = [p.time_per_work for p in platform.processors if p.time_per_work is not None]
    worked = [work for work in works if work is not None and work > 0]
    taken = [time for time in times if time]
    moved = [size for size in sizes if size]
    per_data = [arc.unit_time for arc in platform.arcs]
    if speeds and worked:
        taken += [max(worked) * max(speeds), min(worked) * min(speeds)]
    if per_data and moved:
        shared = [medium.bandwidth for medium in platform.media]
        shared += [p.bandwidth_in for p in platform.processors if p.bandwidth_in is not None]
        shared += [p.bandwidth_out for p in platform.processors if p.bandwidth_out is not None]
        longest = max(*per_data, 1 / min(shared)) if shared else max(per_data)
        taken += [max(moved) * longest, min(moved) * min(per_data)]
    if not taken:
        return
    if max(taken) <= SHORTEST:
        what = "takes more than a millionth of a second"
    elif min(taken) >= LONGEST:
        what = "takes less than 30 years"
    else:
        return
    yield (
        f"no computation and no transfer {what}: are the tasks' work and the files' sizes in the"
        " units of the platform's speeds and bandwidths (flop and bytes, say)?"
    )
