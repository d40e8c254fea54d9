"""What an answer says of how deep its trees are."""

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction

from steadygrid.domain.platform import Platform
from steadygrid.domain.rounding import READABLE_BITS, num_bits
from steadygrid.kinds.collective.schemas import (
    COMBINING,
    CollectiveInstance,
    MessageAllocation,
    TreesOut,
)


def trees_told(
    instance: CollectiveInstance, allocations: Sequence[MessageAllocation]
) -> TreesOut | None:
    """Sum up how deep trees are.

    Parameters
    ----------
    instance
        Without faults.
    allocations
        With their depths. None where messages differ.
    """
    sizes = {message.name: message.size for message in instance.messages}
    depths = [each.depth for each in allocations if each.depth is not None]
    if not depths:
        return None
    data = [each.rate * sizes[each.message] for each in allocations]
    total = sum(data, Fraction(0))
    mean = sum(map(Fraction.__mul__, data, map(Fraction, depths)), Fraction(0)) / total
    roots = {(each.message, each.root) for each in allocations}
    return TreesOut(
        count=len(depths),
        depth_max=max(depths),
        depth_mean=mean if num_bits(mean) <= READABLE_BITS else None,
        depth_bound=max(_least_depth(instance, message, root) for message, root in roots),
    )


def _least_depth(instance: CollectiveInstance, name: str, root: str) -> int:
    """Give the depth that every tree of a message has at least, from or to a root."""
    message = next(each for each in instance.messages if each.name == name)
    ends = {*message.sources, *message.receivers} - {root}
    if instance.joined_in_twos:
        return 1 if ends else 0
    if instance.operation == "allreduce":
        return _farthest(instance, root, ends, home=True) + _farthest(
            instance, root, ends, home=False
        )
    return _farthest(instance, root, ends, home=instance.operation in COMBINING)


def _farthest(instance: CollectiveInstance, root: str, ends: Iterable[str], *, home: bool) -> int:
    """Count the hops between who may copy from a root to the farthest end, or from there to it."""
    platform, index = instance.platform, instance.platform.index_by_id
    stops = {index[name] for name in instance.copiers}
    near = _neighbours(platform, home=home)
    far = {index[name] for name in ends}
    level, passed, reached = 0, set[int](), {index[root]}
    frontier = [index[root]]
    while far - reached:
        level += 1
        waiting, frontier = frontier, []
        for here in waiting:
            for there in near(here):
                if there in stops and there not in reached:
                    reached.add(there)
                    frontier.append(there)
                elif there not in stops and there not in passed:
                    passed.add(there)
                    waiting.append(there)
    return level


def _neighbours(platform: Platform, *, home: bool) -> Callable[[int], Iterable[int]]:
    if home:
        return lambda here: [arc.source for arc in platform.arcs_in[here]]
    return lambda here: [arc.target for arc in platform.arcs_out[here]]
