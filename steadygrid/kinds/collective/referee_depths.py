"""Rules for what is reported of how deep trees are."""

from collections.abc import Iterable
from fractions import Fraction

from steadygrid.domain.rounding import READABLE_BITS, num_bits
from steadygrid.kinds.collective.referee_messages import Movement
from steadygrid.kinds.collective.schemas import CollectiveResult, MessageAllocation
from steadygrid.verification.exact import show
from steadygrid.verification.findings import Findings
from steadygrid.verification.network import Network


def check_depths(
    network: Network, movement: Movement, result: CollectiveResult, findings: Findings
) -> None:
    """Check how deep trees are said to be.

    Parameters
    ----------
    network
        Platform of the instance, by resources and hops.
    movement
        The messages of the operation, and what may happen to them on their route.
    result
        The answer, but for its schedule.
    findings
        Collects the faults that are found.

    Notes
    -----
    Rules, in this order. They are asked of what is reported, since older answers tell nothing:

    == ==================================================================== ===================
    1  the depth of an allocation is the largest number of transfers after  `wrong_depth`
       each other that a piece of its data takes
    2  of messages that differ no depth is told                             `depth_of_nothing`
    3  there are as many trees as allocations                               `wrong_tree_count`
    4  the largest depth is the largest of theirs                           `wrong_depth_max`
    5  the mean depth is theirs by data, null where clients could not read  `wrong_depth_mean`
       it
    6  the bound is the largest distance between a root and an end of its   `wrong_depth_bound`
       messages, of an allreduce there and back
    == ==================================================================== ===================

    Nothing of that is asked where an allocation carries no message, or comes to no end.
    """
    told = result.trees
    depths: list[int] = []
    for position, allocation in enumerate(result.allocations):
        depth = None if allocation.message not in movement.messages else _depth(allocation)
        if depth is None:
            return
        depths.append(depth)
        if movement.different and allocation.depth is not None:
            findings.add(
                ("result", "allocations", position, "depth"),
                "depth_of_nothing",
                f"Allocation {position} is a path, and its depth is not told.",
            )
        elif allocation.depth is not None and allocation.depth != depth:
            findings.add(
                ("result", "allocations", position, "depth"),
                "wrong_depth",
                f"Allocation {position} has the depth {depth}, not {allocation.depth}.",
            )
    if told is None:
        return
    at = ("result", "trees")
    if movement.different or told.count != len(depths) or not depths:
        findings.add((*at, "count"), "wrong_tree_count", f"There are {len(depths):,} allocations.")
        return
    if told.depth_max != max(depths):
        findings.add((*at, "depth_max"), "wrong_depth_max", f"The largest depth is {max(depths)}.")
    data = [a.rate * movement.messages[a.message].size for a in result.allocations]
    total = sum(data, Fraction(0))
    deep = sum((each * depth for each, depth in zip(data, depths, strict=True)), Fraction(0))
    mean = deep / total if total else Fraction(0)
    if told.depth_mean != (mean if num_bits(mean) <= READABLE_BITS else None):
        findings.add(
            (*at, "depth_mean"), "wrong_depth_mean", f"The mean depth is {show(mean)} by data."
        )
    least = max(_least_depth(network, movement, a) for a in result.allocations)
    if told.depth_bound != least:
        findings.add(
            (*at, "depth_bound"),
            "wrong_depth_bound",
            f"The largest distance from the roots is {least}, not {told.depth_bound}.",
        )


def _depth(allocation: MessageAllocation) -> int | None:
    """Follow all data back from where it arrives to where it began. None if that has no end."""
    into: dict[tuple[str, str], list[tuple[tuple[str, str], int]]] = {}
    for transfer in allocation.transfers:
        if not transfer.path:
            return None
        data = transfer.file[1]
        into.setdefault((data, transfer.path[-1]), []).append(((data, transfer.path[0]), 1))
    for one in allocation.combinations:
        made = (f"--{one.index}", one.processor)
        into.setdefault(made, []).extend(((data, one.processor), 0) for data in one.operands)
    if allocation.combinations:
        last = allocation.combinations[-1]
        summed = ("--sum", last.processor)
        into.setdefault(summed, []).append(((f"--{last.index}", last.processor), 0))
    found: dict[tuple[str, str], int] = {}
    open_: set[tuple[str, str]] = set()
    waiting = list(into)
    while waiting:
        place = waiting[-1]
        before = into.get(place, [])
        missing = [one for one, _ in before if one not in found]
        if place in found or not missing:
            found.setdefault(place, max((found[one] + hops for one, hops in before), default=0))
            open_.discard(place)
            waiting.pop()
        elif place in open_:
            return None
        else:
            open_.add(place)
            waiting += missing
    return max(found.values(), default=0)


def _least_depth(network: Network, movement: Movement, allocation: MessageAllocation) -> int:
    """Give the distance from the root of an allocation to the farthest end of its message."""
    message, root = movement.messages[allocation.message], allocation.root
    ends = {*message.sources, *message.receivers} - {root}
    if movement.in_twos:
        return 1 if ends else 0
    hops = list(network.hops)
    back = [(there, here) for here, there in hops]
    if movement.spread:
        return _distance(hops, movement, root, ends) + _distance(back, movement, root, ends)
    return _distance(back if movement.combined else hops, movement, root, ends)


def _distance(
    hops: Iterable[tuple[str, str]], movement: Movement, root: str, ends: Iterable[str]
) -> int:
    """Count the routes between who may copy, one after the other, to the farthest end.

    Each place has its distance, from one who only forwards on at no cost; places of the least distance
    are left first.
    """
    leading: dict[str, list[str]] = {}
    for here, there in hops:
        leading.setdefault(here, []).append(there)
    distance: dict[str, int] = {}
    buckets: list[list[str]] = [[root]]
    for steps, bucket in enumerate(buckets):
        for here in bucket:
            if here in distance:
                continue
            distance[here] = steps
            onward = steps + (here in movement.copiers)
            while len(buckets) <= onward:
                buckets.append([])
            buckets[onward] += leading.get(here, ())
    return max((distance.get(end, 0) for end in ends), default=0)
