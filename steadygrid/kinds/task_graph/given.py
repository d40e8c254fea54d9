"""Allocations that are given to be judged, one for each turn of the members of their classes."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from steadygrid.domain.amounts import Amounts
from steadygrid.domain.pools import divide_time
from steadygrid.domain.schedule import Transfer
from steadygrid.domain.slots import FileName
from steadygrid.kinds.shared.routes import Routes
from steadygrid.kinds.task_graph.schemas import GivenAllocation, TaskGraphInstance


class GivenColumn(NamedTuple):
    """An allocation of processors that stand for no others.

    Attributes
    ----------
    given
        The position of the allocation that was given.
    part
        Of its instances, if the members of all classes take turns evenly.
    tasks
        The processor of each task.
    transfers
        None: each file takes the platform's route.
    """

    given: int
    part: Fraction
    tasks: Mapping[str, str]
    transfers: tuple[Transfer, ...] | None


def columns_of(instance: TaskGraphInstance) -> Iterator[GivenColumn]:
    """Give the allocations of an instance that has some, in order, members in their turns."""
    for position, allocation in enumerate(instance.allocations or ()):
        for part, places in divide_time(classes_of(instance, allocation)):
            yield GivenColumn(
                position,
                part,
                {task: places.get(name, name) for task, name in allocation.tasks.items()},
                None if allocation.transfers is None else _moved(allocation, places),
            )


def count_columns(instance: TaskGraphInstance) -> int:
    """Bound what `columns_of` gives, without giving it."""
    return sum(
        max(1, sum(map(len, classes_of(instance, allocation))))
        for allocation in instance.allocations or ()
    )


def classes_of(instance: TaskGraphInstance, allocation: GivenAllocation) -> Sequence[Sequence[str]]:
    """Give the classes on whose first members an allocation computes, or past which its files go.

    Parameters
    ----------
    instance
        Without faults.
    allocation
        One of those given.

    Returns
    -------
    sequence
        Members of each such class, its first one first.
    """
    names = set(allocation.tasks.values())
    for transfer in allocation.transfers or ():
        names.update(transfer.path)
    return [members for members in instance.classes or () if members[0] in names]


def _moved(allocation: GivenAllocation, places: Mapping[str, str]) -> tuple[Transfer, ...]:
    return tuple(
        Transfer(t.file, tuple(places.get(name, name) for name in t.path), t.share)
        for t in allocation.transfers or ()
    )


def joined(transfers: Iterable[Transfer]) -> tuple[Transfer, ...]:
    """Make one of the transfers of shares of a file over the same path."""
    shares: Amounts[tuple[FileName, tuple[str, ...]]] = Amounts()
    for transfer in transfers:
        shares[transfer.file, transfer.path] += transfer.share
    return tuple(Transfer(file, path, share) for (file, path), share in shares.items())


class DefaultPaths:
    """The paths that files take in an allocation that lists none, see `Routes`."""

    def __init__(
        self, instance: TaskGraphInstance, check: Callable[[], None] = lambda: None
    ) -> None:
        self._platform = instance.platform
        self._names = [processor.id for processor in instance.platform.processors]
        self._routes = Routes(instance.platform, None, check)

    def path(self, origin: str, end: str) -> tuple[str, ...] | None:
        """Give the processors from one to another that is not the same. None where there is no route.

        Parameters
        ----------
        origin, end
            Names of processors.
        """
        index, arcs = self._platform.index_by_id, self._platform.arcs
        route = self._routes.path(index[origin], index[end])
        if route is None:
            return None
        return (origin, *(self._names[arcs[arc].target] for arc in route))
