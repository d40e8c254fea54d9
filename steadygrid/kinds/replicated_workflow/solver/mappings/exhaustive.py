"""All mappings and all orders, but for those that cannot be better."""

from collections.abc import Iterator
from fractions import Fraction
from math import gcd, lcm

from steadygrid.kinds.replicated_workflow.solver.mappings.space import Space, Tuples


def all_better(space: Space, best: Fraction | None) -> Iterator[Tuples]:
    """Give better and better mappings. When it ends, none is better than the last.

    Depth first over the stages, the one with the fewest choices first and then those that exchange
    files with it. A branch ends where the resources of the stages that are placed, or the fastest
    processors that are left for another one, take as long as the best period. Of processors that may
    change places the first that is free is taken. And since shifting the data sets turns all
    tuples at once, a processor of the least kind comes as early as it can.

    Parameters
    ----------
    best
        Period that is known. None: of none.

    Raises
    ------
    AssertionError
        If some mapping would be too large to be evaluated; admission leaves none.
    """
    order = _order(space)
    chosen: list[tuple[int, ...]] = [()] * len(order)
    stack = [_tuples(space, chosen, order, 0)]
    while stack:
        depth = len(stack) - 1
        stage = order[depth]
        chosen[stage] = ()
        found = next(stack[-1], None)
        if found is None:
            stack.pop()
            continue
        space.heartbeat()
        chosen[stage] = found
        longest = space.longest(chosen)
        if longest is None or (best is not None and longest >= best):
            continue
        if depth + 1 < len(order):
            if best is None or _left_takes(space, chosen, order[depth + 1 :]) < best:
                stack.append(_tuples(space, chosen, order, depth + 1))
            continue
        mapping = tuple(chosen)
        if lcm(*map(len, mapping)) > space.instance.max_rows:
            continue
        period = space.period(mapping) if space.fits(mapping) else None
        if period is None:
            raise AssertionError("a mapping of a small space has few nodes")
        if best is None or period < best:
            best = period
            yield mapping


def _order(space: Space) -> list[int]:
    """Put the stages in the order in which they are placed."""
    left = set(range(len(space.stages)))
    order: list[int] = []
    while left:
        near = {other for k in order for _, other in space.neighbours[k]} & left
        stage = min(near or left, key=lambda k: (len(space.times[k]), k))
        order.append(stage)
        left.remove(stage)
    return order


def _left_takes(space: Space, chosen: list[tuple[int, ...]], left: list[int]) -> Fraction:
    """Bound the period from below by the stages to come, each as if it had all that is free."""
    taken = {p for processors in chosen for p in processors}
    bound = Fraction(0)
    for k in left:
        times = sorted(time for p, time in space.times[k].items() if p not in taken)
        if len(times) < 1:
            return Fraction(10**30)
        bound = max(bound, min(time / (r + 1) for r, time in enumerate(times[: space.most[k]])))
    return bound


def _tuples(
    space: Space, chosen: list[tuple[int, ...]], order: list[int], depth: int
) -> Iterator[tuple[int, ...]]:
    """Give the processors of a stage in all orders that differ, besides those of the ones before."""
    stage = order[depth]
    joined = _joined(space, stage, set(order[:depth]))
    placed = lcm(*(len(chosen[k]) for k in joined)) if joined else 1
    taken = {p for k in order[:depth] for p in chosen[k]}
    able = [p for p in sorted(space.times[stage]) if p not in taken]
    stack: list[tuple[int, ...]] = [()]
    while stack:
        one = stack.pop()
        if one:
            kinds = [space.kinds[p] for p in one]
            if kinds.index(min(kinds)) < gcd(placed, len(one)):
                yield one
        if len(one) < space.most[stage]:
            seen: set[int] = set()
            longer = []
            for p in able:
                kind = space.kinds[p]
                if p not in one and kind not in seen:
                    seen.add(kind)
                    longer.append((*one, p))
            stack += reversed(longer)


def _joined(space: Space, stage: int, placed: set[int]) -> list[int]:
    """Give the placed stages that files join to one, over any stages."""
    found, waiting = {stage}, [stage]
    for k in waiting:
        for _, other in space.neighbours[k]:
            if other not in found:
                found.add(other)
                waiting.append(other)
    return sorted(found & placed)
