"""Hands out instances as a schedule plans them, for a program without a global clock."""

from collections.abc import Iterable, Sequence
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

    After any number of instances, each allocation has its share of them, up to less than one
    instance: ``|n - p t| <= 1 - 1/(2m - 2) < 1``, as `steadygrid.domain.dispatch` proves. At most `window` instances are handed out and not finished. When one finishes, the next may start.
    Nothing is promised about ports: an instance may wait for one.

    Parameters
    ----------
    schedule
        A periodic one.
    message
        Of which message instances are handed out, where the schedule has messages.
    window
        Instances that are handed out and not finished, at most; default: as many as the schedule
        itself has in progress.
    counts
        Instances of each allocation so far, to go on where another dispatcher of the schedule
        ended: its `counts`.
    start
        In place of `counts`: how many instances have been handed out before. The dispatcher goes
        on as if it had handed them out, without a walk through them.
    unfinished
        Of these, the numbers of those that are not finished: they count in the window.

    Raises
    ------
    InstanceError
        ``not_periodic``; ``missing_parameter`` and ``unknown_message`` of a schedule with messages;
        ``invalid_parameter`` of a window, counts, a start or unfinished instances.
        ``limit_exceeded`` of a start at which only `counts` can say how to go on, because a rate is
        below a millionth of all.

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
        start: int = 0,
        unfinished: Iterable[int] = (),
    ) -> None:
        if not isinstance(schedule, Schedule):
            raise _refused("schedule", "not_periodic", "only a schedule that repeats has an order")
        self._allocations = _allocations_of(schedule, message)
        self._order = _order_of(self._allocations, counts, start)
        if window is None:
            window = _usual_window(schedule, self._allocations)
        if window < 1:
            raise _refused("window", "invalid_parameter", "a window holds at least one instance")
        self.window = window
        """Instances that are handed out and not finished, at most."""
        self._under_way = set(unfinished)
        before = sum(self._order.counts)
        if any(not 0 <= instance < before for instance in self._under_way):
            detail = (
                f"an unfinished instance has a number from 0 to {before - 1:,}, if there is any"
            )
            raise _refused("unfinished", "invalid_parameter", detail)

    @property
    def counts(self) -> tuple[int, ...]:
        """Instances of each allocation that have been handed out."""
        return tuple(self._order.counts)

    @property
    def unfinished(self) -> frozenset[int]:
        """Instances that have been handed out and are not finished."""
        return frozenset(self._under_way)

    def next(self) -> Dispatched | None:
        """Hand out an instance. None while the window is full, or if no allocation has a rate."""
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


def _order_of(
    allocations: Sequence[Allocation], counts: Sequence[int] | None, start: int
) -> DispatchOrder:
    if start < 0:
        raise _refused("start", "invalid_parameter", "no fewer than 0 instances are handed out")
    if start and counts is not None:
        detail = "give counts or a start: counts say how many instances there were"
        raise _refused("start", "invalid_parameter", detail)
    try:
        return DispatchOrder([one.rate for one in allocations], counts, start)
    except ValueError as error:
        if counts is not None:
            raise _refused("counts", "invalid_parameter", str(error)) from None
        detail = f"{error}: give the counts of the dispatcher that ended here"
        raise _refused("start", "limit_exceeded", detail) from None


def _usual_window(schedule: Schedule, allocations: Sequence[Allocation]) -> int:
    """Count the instances that have begun and not ended in a period of the steady state."""
    under_way = sum(
        one.instances_per_period * last_period(schedule.files, one, schedule.ports)
        for one in allocations
    )
    return max(1, ceil(under_way))


def _refused(place: str, code: str, detail: str) -> InstanceError:
    return InstanceError(faults=[Fault((place,), code, detail)])
