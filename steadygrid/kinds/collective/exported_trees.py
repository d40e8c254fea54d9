"""Allocations of a result as trees between ranks, for programs."""

from collections.abc import Mapping, Sequence

from steadygrid.domain.errors import Fault, InstanceError
from steadygrid.formats.msccl.moves import Route, Tree
from steadygrid.kinds.collective.schemas import (
    COMBINING,
    DIFFERENT,
    MessageAllocation,
    MessageOut,
    Operation,
)

SUM = "--sum"
"""The data that an allreduce spreads."""


def refused(code: str, detail: str) -> InstanceError:
    """Make the error for an answer that has no form in MSCCL.

    Parameters
    ----------
    code
        Stable name of the fault.
    detail
        One sentence without a full stop.
    """
    return InstanceError(detail, [Fault((), code, detail)])


def tree_of(
    allocation: MessageAllocation,
    message: MessageOut | None,
    operation: Operation,
    chunks: int,
    numbers: Mapping[str, int],
    ranks: Mapping[str, int],
) -> Tree:
    """Cut the routes of an allocation at ranks; others only forward.

    Routes stand in the order of the transfers that end (of what is combined: begin) them.

    Parameters
    ----------
    allocation
        How a message travels.
    message
        That message. None where the result does not list it.
    operation
        Of the result.
    chunks
        That travel so.
    numbers
        A number for each processor.
    ranks
        The rank of each participant.

    Raises
    ------
    InstanceError
        It is no tree between all ranks, or another processor copies or combines.
    """
    if message is None or allocation.root not in ranks:
        raise _no_tree(allocation)
    if operation != "allreduce" and allocation.root != (message.origin or message.receivers[0]):
        raise _no_tree(allocation)
    if not all(len(transfer.path) > 1 for transfer in allocation.transfers):
        raise _no_tree(allocation)
    spread, combined = [], []
    for transfer in allocation.transfers:
        if operation in COMBINING or (operation == "allreduce" and transfer.file[1] != SUM):
            combined.append(transfer.path[::-1])
        else:
            spread.append(transfer.path)
    ends = set(message.receivers if operation in DIFFERENT else ranks)
    halves = []
    for paths, used in (
        (spread, operation not in COMBINING),
        (combined, operation in COMBINING or operation == "allreduce"),
    ):
        routes = _routes(allocation, paths, ranks, ends) if used else []
        halves.append([tuple(numbers[name] for name in route) for route in routes])
    there = tuple(halves[0])
    back: tuple[Route, ...] = tuple(route[::-1] for route in halves[1])
    return Tree(numbers[allocation.root], chunks, there, back)


def _routes(
    allocation: MessageAllocation,
    paths: Sequence[Sequence[str]],
    ranks: Mapping[str, int],
    ends: set[str],
) -> list[list[str]]:
    """Follow paths from the root on, and cut them at ranks. All that ends there is in `ends`."""
    leaving: dict[str, list[int]] = {}
    for number, path in enumerate(paths):
        leaving.setdefault(path[0], []).append(number)
    found: list[tuple[int, list[str]]] = []
    reached = {allocation.root}
    queue = [[allocation.root]]
    followed = 0
    for begun in queue:
        here = begun[-1]
        numbers = leaving.get(here, [])
        if here not in ranks and len(numbers) > 1:
            raise refused(
                "copies_outside_ranks",
                f"{here!r} copies or combines and is no rank: ask the problem for copying:"
                " participants",
            )
        for number in numbers:
            followed += 1
            route = begun
            path = paths[number]
            for position, name in enumerate(path[1:], 2):
                if name in reached:
                    raise _no_tree(allocation)
                if name in ranks or position == len(path):
                    reached.add(name)
                route = [*route, name]
                if name in ranks:
                    found.append((number, route))
                    route = [name]
            queue.append(route)
    last = {route[-1] for _, route in found}
    through = {route[0] for _, route in found}
    if followed < len(paths) or not ends <= last | {allocation.root} or not last - through <= ends:
        raise _no_tree(allocation)
    return [route for _, route in sorted(found, key=lambda one: one[0])]


def _no_tree(allocation: MessageAllocation) -> InstanceError:
    return refused(
        "not_a_tree",
        f"allocation {allocation.index} is no tree to all participants: `steadygrid check` says"
        " what is wrong with the result",
    )
