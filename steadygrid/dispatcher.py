"""Hands out instances as a schedule plans them, for a program without a global clock."""

from collections.abc import Sequence
from math import ceil
from typing import NamedTuple

from steadygrid.domain.dispatch import DispatchOrder
from steadygrid.domain.errors import Fault, InstanceError
from steadygrid.domain.periods import last_period
from steadygrid.domain.schedule import Allocation, Schedule


class Dispatched(NamedTuple):
    """An instance that shall start, and where its parts run."""

    instance: int
    """Counted from 0."""
    allocation: Allocation


class Dispatcher:
    """Gives each next instance to an allocation, so that each allocation keeps its rate.

    At every moment an allocation has its share of the instances, up to less than one instance.
    At most `window` instances are handed out and not finished; when one finishes, the next may start.
    Nothing is promised about ports: an instance may wait for one.

    Parameters
    ----------
    schedule
        A periodic one.
    message
        Of which message instances are handed out, where the schedule has messages.
    window
        Instances that are handed out and not finished, at most; default: as many as the schedule
        itself has in a period.
    counts
        Instances of each allocation so far, to go on where another dispatcher of the schedule
        ended: its `counts`.

    Raises
    ------
    InstanceError
        ``not_periodic``; ``missing_parameter`` and ``unknown_message`` of a schedule with messages;
        ``invalid_parameter`` of a window or counts.

    Examples
    --------
    >>> dispatcher = sg.Dispatcher(answer.schedule)
    >>> while (next_one := dispatcher.next()) is not None:
    ...     start(next_one.instance, next_one.allocation)
    """

    def __init__(
        self,
        schedule: Schedule,
        *,
        message: str | None = None,
        window: int | None = None,
        counts: Sequence[int] | None = None,
    ) -> None:
        if not isinstance(schedule, Schedule):
            raise _refused("schedule", "not_periodic", "only a schedule that repeats has an order")
        self._allocations = _allocations_of(schedule, message)
        try:
            self._order = DispatchOrder([one.rate for one in self._allocations], counts)
        except ValueError as error:
            raise _refused("counts", "invalid_parameter", str(error)) from None
        if window is None:
            window = _usual_window(schedule, self._allocations)
        if window < 1:
            raise _refused("window", "invalid_parameter", "a window holds at least one instance")
        self.window = window
        """Instances that are handed out and not finished, at most."""
        self._under_way: set[int] = set()

    @property
    def counts(self) -> tuple[int, ...]:
        """Instances of each allocation that have been handed out."""
        return tuple(self._order.counts)

    @property
    def unfinished(self) -> frozenset[int]:
        """Instances that have been handed out and are not finished."""
        return frozenset(self._under_way)

    def next(self) -> Dispatched | None:
        """Hand out an instance; None while the window is full, or if no allocation has a rate."""
        if len(self._under_way) >= self.window:
            return None
        instance = sum(self._order.counts)
        for index in self._order:
            self._under_way.add(instance)
            return Dispatched(instance, self._allocations[index])
        return None

    def finish(self, instance: int) -> None:
        """Take the report that an instance is done.

        Parameters
        ----------
        instance
            Its number. It may have been handed out by the dispatcher before: then it is not counted.
        """
        self._under_way.discard(instance)


def _allocations_of(schedule: Schedule, message: str | None) -> list[Allocation]:
    found = [one for one in schedule.allocations if one.message == message]
    if message is None and len(found) < len(schedule.allocations):
        names = sorted({one.message for one in schedule.allocations if one.message is not None})
        detail = f"an instance is one of each message: name one, such as {names[0]!r:.80}"
        raise _refused("message", "missing_parameter", detail)
    if message is not None and not found:
        detail = f"no allocation of this schedule carries a message {message!r:.80}"
        raise _refused("message", "unknown_message", detail)
    return found


def _usual_window(schedule: Schedule, allocations: Sequence[Allocation]) -> int:
    """Count the instances that have begun and not ended in a period of the steady state."""
    under_way = sum(
        one.instances_per_period * last_period(schedule.files, one, schedule.ports)
        for one in allocations
    )
    return max(1, ceil(under_way))


def _refused(place: str, code: str, detail: str) -> InstanceError:
    return InstanceError(faults=[Fault((place,), code, detail)])
