"""From pools of interchangeable processors to their members: who does which part of the work.

A plan on pools names the first member of each class, which stands for all of them.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from steadygrid.domain.pools import divide_time
from steadygrid.engine.scheduling.workload import Plan

Classes = Sequence[Sequence[str]]
"""Ids of the members, the first one first."""


def classes_used(plan: Plan, classes: Classes) -> list[Sequence[str]]:
    """Give the classes on which a plan computes, or past which its files go.

    Parameters
    ----------
    plan
        It names the first member of each class.
    classes
        For each class, the ids of its members.
    """
    names = {name for places in plan.tasks.values() for name in places}
    names.update(name for transfer in plan.transfers for name in transfer.path)
    return [members for members in classes if members[0] in names]


def spread(plan: Plan, classes: Classes) -> list[Plan]:
    """Divide a plan evenly among the members of each class it uses, see `divide_time`.

    Parameters
    ----------
    plan
        It names the first member of each class.
    classes
        For each class, the ids of its members.
    """
    return [
        moved(plan._replace(rate=plan.rate * share), places)
        for share, places in divide_time(classes_used(plan, classes))
    ]


def size_of_spread(plan: Plan, classes: Classes) -> int:
    """Count the plans that `spread` gives.

    Parameters
    ----------
    plan
        It names the first member of each class.
    classes
        For each class, the ids of its members.
    """
    sizes = {len(members) for members in classes_used(plan, classes)}
    return len({Fraction(k, size) for size in sizes for k in range(size)}) or 1


def moved(plan: Plan, places: Mapping[str, str]) -> Plan:
    """Give a plan with other members in the places of first ones.

    Parameters
    ----------
    plan
        It names the first member of each class.
    places
        By first member, the member that takes its place.
    """
    return Plan(
        plan.rate,
        {task: tuple(places.get(p, p) for p in on) for task, on in plan.tasks.items()},
        tuple(
            transfer._replace(path=tuple(places.get(p, p) for p in transfer.path))
            for transfer in plan.transfers
        ),
    )


def coupled(shares: Sequence[Sequence[int]]) -> Iterator[tuple[tuple[int, ...], int]]:
    """Couple several arrangements of the same number of instances, by the north-west-corner rule.

    Parameters
    ----------
    shares
        For each class, the instances of each member. All sum to the same.

    Yields
    ------
    tuple
        A member of each class, by position, and a number of instances above 0; as many times as
        there are members at most.
    """
    here = [0] * len(shares)
    left = [list(share) for share in shares]
    while True:
        for k, share in enumerate(left):
            while here[k] < len(share) and not share[here[k]]:
                here[k] += 1
            if here[k] == len(share):
                return
        number = min(share[at] for share, at in zip(left, here, strict=True))
        yield tuple(here), number
        for share, at in zip(left, here, strict=True):
            share[at] -= number
