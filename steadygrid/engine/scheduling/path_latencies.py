"""The latencies that data pays on its route where it flows along whole paths at once."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping
from fractions import Fraction
from heapq import heappop, heappush
from itertools import pairwise

from steadygrid.domain.roles import joins_of, roles_of
from steadygrid.domain.schedule import Allocation
from steadygrid.domain.slots import FileName

Path = tuple[str, ...]
Latency = Callable[[str, str], Fraction]
"""Of the hop between two processors."""


def latencies_of_paths(
    allocation: Allocation, sizes: Mapping[FileName, Fraction], latency: Latency
) -> Iterator[Fraction]:
    """Sum up the latencies from where each file is made to the end of each of its paths.

    A path that begins where another one brings the file goes on from the earliest of these; one of
    what was combined in no time, from the last of its operands.

    Parameters
    ----------
    allocation
        Its transfers, tasks and combinations.
    sizes
        Of all files, in units of data.
    latency
        Gives the latency of a hop, in time units, from its sender and its receiver.
    """
    paths: dict[FileName, list[Path]] = defaultdict(list)
    for transfer in allocation.transfers:
        if sizes[transfer.file] and transfer.share:
            paths[transfer.file].append(transfer.path)
    joins = joins_of(allocation)
    outcomes = [(allocation.message or "", outcome) for outcome in joins]
    roles = roles_of((*paths, *outcomes), allocation)
    position = {outcome: place for place, outcome in enumerate(joins)}
    files = sorted({*paths, *outcomes}, key=lambda file: position.get(roles[file].maker, -1))
    arrivals: dict[FileName, dict[str, Fraction]] = {}
    for file in files:
        maker = roles[file].maker
        made = dict.fromkeys(allocation.tasks.get(maker, ()), Fraction(0))
        if maker in joins:
            _, processor, operands = joins[maker]
            brought = (arrivals.get((file[0], operand), {}) for operand in operands)
            made = {processor: max(there.get(processor, Fraction(0)) for there in brought)}
        arrivals[file], ends = _reached(paths.get(file, ()), made, latency)
        yield from ends


def _reached(
    paths: Collection[Path], made: Mapping[str, Fraction], latency: Latency
) -> tuple[dict[str, Fraction], list[Fraction]]:
    """Give when a file first comes to each processor, and when it is at the end of each path."""
    brought = {name for path in paths for name in path[1:]}
    waiting = [(since, name) for name, since in made.items()]
    if not made:
        waiting = [(Fraction(0), path[0]) for path in paths if path[0] not in brought]
    leaving: dict[str, list[Path]] = defaultdict(list)
    for path in paths:
        leaving[path[0]].append(path)
    there: dict[str, Fraction] = {}
    ends: list[Fraction] = []
    while waiting:
        since, name = heappop(waiting)
        if name in there:
            continue
        there[name] = since
        for path in leaving[name]:
            arrival = since
            for hop in pairwise(path):
                arrival += latency(*hop)
                heappush(waiting, (arrival, hop[1]))
            ends.append(arrival)
    return there, ends
