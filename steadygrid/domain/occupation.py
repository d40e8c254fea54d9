"""What a schedule takes of each resource of a platform."""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from itertools import pairwise

from steadygrid.domain.amounts import Amounts
from steadygrid.domain.platform import Platform, PortModel, arc_uses, computing_resource
from steadygrid.domain.schedule import Schedule
from steadygrid.domain.slots import FileName


def occupation(
    platform: Platform,
    file_sizes: Mapping[FileName, Fraction],
    schedule: Schedule,
    ports: PortModel,
    odd_sets: Iterable[str] = (),
) -> dict[str, Fraction]:
    """Compute from a schedule what it takes of each resource, by the names of a port model.

    Parameters
    ----------
    odd_sets
        Names of sets of processors, ``A--B--C.odd``, that are resources, too.

    Returns
    -------
    dict
        Time used per time unit; for a medium or a port bandwidth, data over capacity.
        Linear in the hops of all allocations.
    """
    volumes: Amounts[tuple[str, str]] = Amounts()
    for allocation in schedule.allocations:
        for transfer in allocation.transfers:
            size = file_sizes[transfer.file] * transfer.share
            for hop in pairwise(transfer.path):
                volumes[hop] += allocation.instances_per_period * size
    busy: Amounts[str] = Amounts()
    for computation in schedule.computations:
        busy[computing_resource(computation.processor, ports)] += computation.time
    sets = {name: frozenset(name.removesuffix(".odd").split("--")) for name in odd_sets}
    index = platform.index_by_id
    for (sender, receiver), volume in volumes.items():
        arc = platform.arc_by_ends[index[sender], index[receiver]]
        for use in arc_uses(platform, arc, ports):
            busy[use.resource] += volume * use.time_per_data
        for name, members in sets.items():
            if members.issuperset((sender, receiver)):
                busy[name] += volume * arc.unit_time / (len(members) // 2)
    return {resource: time / schedule.period for resource, time in busy.items() if time}
