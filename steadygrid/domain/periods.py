"""In which period the operations of an instance run, and what waits in between."""

import heapq
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from steadygrid.domain.amounts import Amounts
from steadygrid.domain.platform import PortModel
from steadygrid.domain.roles import Role, joins_of, roles_of
from steadygrid.domain.schedule import Allocation
from steadygrid.domain.slots import FileName

Copy = tuple[str, str]
"""A task and a processor that runs it."""
Precedes = Callable[[str, str, str], bool]
"""Of two tasks and a processor: whether it runs the first to its end, in each period, before the second."""


def first_periods(
    files: Iterable[FileName], allocation: Allocation, ports: PortModel
) -> dict[Copy, int]:
    """Give the first period in which each copy of each task runs, counted from 1.

    A task or a hop of an instance runs in the period after the one in which the last of what
    it needs was finished; `with_order` makes an exception. A copy of a task needs each of its files: the one made on its own
    processor if the producer runs there, else all shares that are sent there. Tasks that are
    not in ``allocation.tasks`` (the fictitious begin and end) take no period: a file that
    waits at the master from the start makes its first hop in period 1. Neither does a combination
    of data that is not in ``allocation.tasks``. Its outcome is there when the last operand is, so its
    first hop runs in the period after that; under ``multiport`` in the same one, since data then
    flows through.

    Parameters
    ----------
    files
        All files of the application, also those that never move. What an allocation that carries a
        message moves and combines is read from itself, see `roles_of`.
    allocation
        A path may also begin where another path of the same file has brought it, see
        `hop_periods`. Its own ``first_periods``, if it has any, take the place of this rule
        for tasks.
    ports
        ``multiport``: a whole path takes one period, with everything that branches off it; else
        each hop of it does.

    Returns
    -------
    dict
        By task and processor.

    Raises
    ------
    ValueError
        If the files form a cycle, or a file is not sent where it is needed.

    Notes
    -----
    RR-4870, section 2.3, with the rule that every operation waits for the next period;
    O(n log n) for n tasks, files and hops.
    """
    return _follow(files, allocation, ports).tasks


def with_order(
    files: Iterable[FileName], allocation: Allocation, ports: PortModel, precedes: Precedes
) -> Allocation:
    """Let a task run in the same period as the one before it on its processor, where it runs later.

    Parameters
    ----------
    files, allocation, ports
        As of `first_periods`.
    precedes
        In which order the tasks of an instance run on a processor.

    Returns
    -------
    Allocation
        With its own ``first_periods``. The same as `allocation` where no task is earlier by this.
    """
    listed = tuple(files)
    ordered = _follow(listed, allocation, ports, precedes).tasks
    if ordered == _follow(listed, allocation, ports).tasks:
        return allocation
    return allocation._replace(first_periods=ordered)


def hop_periods(
    files: Iterable[FileName], allocation: Allocation, ports: PortModel
) -> tuple[tuple[int, ...], ...]:
    """Give, for each transfer of an allocation, the first period of each hop of its path.

    A path begins on a processor that makes the file, in the period after that; or on one that
    another transfer of the file passes by or ends on, the first of them if several do. Such a
    branch leaves in the period after the file came; under ``multiport`` it flows in the same
    period.

    Parameters, errors and rules are those of `first_periods`.

    Parameters
    ----------
    files, allocation, ports
        As of `first_periods`.
    """
    return tuple(_follow(files, allocation, ports).hops)


def last_period(files: Iterable[FileName], allocation: Allocation, ports: PortModel) -> int:
    """Give the period in which the last operation of an allocation's instance ends.

    Counted from 1; 1 also where an instance has no operation at all.

    Parameters
    ----------
    files, allocation, ports
        As of `first_periods`.
    """
    course = _follow(files, allocation, ports)
    return max([1, *course.tasks.values(), *(period for hops in course.hops for period in hops)])


def buffers(
    sizes: Mapping[FileName, Fraction], allocation: Allocation, ports: PortModel
) -> dict[str, Fraction]:
    r"""Give the data that each processor holds at most, with one instance per period.

    With n instances per period it is n times as much. A processor has room for a file, or for the
    share of it that a path carries. It has it from the period in which it makes or gets it to the
    period in which it is done with it, both included:

    .. math::

        B_i = \sum_{f \text{ made on } i} \mathit{size}_f \, (d_{f,i} - \mu_{k,i} + 1)
            + \sum_{\text{paths } p \text{ of } f \text{ into } i}
              \mathit{size}_f \, \mathit{share}_p \, (d_{p,i} - g_{p,i} + 1)

    Here :math:`\mu_{k,i}` is the first period of the producer k on i, and :math:`g_{p,i}` that of
    the hop into i. The period d is the last of the first periods of what uses the data on i:

    * the task that needs the file, if it runs there and takes it from there
    * the next hop of the path
    * the first hop of each path that begins there.

    Under ``multiport`` a path flows on at once, so
    the processors that it only passes hold nothing, wherever it may branch.

    Parameters
    ----------
    sizes
        Units of data, of all files of the application.

    Returns
    -------
    dict
        By processor, only those that hold something. What waits from the start at a fictitious
        first task is not counted. Only for instances of an application, not for messages.

    Notes
    -----
    In every period of the steady state, ``d - g + 1`` instances are between g and d. The
    processor holds no more than that at any moment, and as much if the data of the youngest
    comes at the beginning of the period and that of the oldest leaves at its end.
    """
    course = _follow(sizes, allocation, ports)
    held: Amounts[str] = Amounts()
    for stay in _stays(course, sizes, allocation, ports):
        data = sizes[stay.file] * stay.share * (stay.last - stay.first + 1)
        if data:
            held[stay.processor] += data
    return held


class _Course(NamedTuple):
    """When everything happens."""

    tasks: dict[Copy, int]
    joins: dict[Copy, int]
    """Since when the outcome of a combination that takes no time can leave: after that period."""
    hops: list[tuple[int, ...]]
    """By transfer."""
    fed_by: dict[int, tuple[int, int]]
    """For a transfer that begins where the file is not made: which one brings it there first,
    and with which of its hops."""


class _Work(NamedTuple):
    """What an allocation runs, and where."""

    roles: Mapping[FileName, Role]
    places: Mapping[str, tuple[str, ...]]
    """Of tasks and joins."""
    joins: Collection[str]

    def is_made_on(self, processor: str, file: FileName) -> bool:
        """Tell whether the file's maker runs there."""
        return processor in self.places.get(self.roles[file].maker, ())


def _work_of(files: Iterable[FileName], allocation: Allocation) -> _Work:
    joins = joins_of(allocation)
    places = {name: (join.processor,) for name, join in joins.items()}
    return _Work(roles_of(files, allocation), {**allocation.tasks, **places}, joins)


def _follow(
    files: Iterable[FileName],
    allocation: Allocation,
    ports: PortModel,
    precedes: Precedes = lambda *_: False,
) -> _Course:
    work = _work_of(files, allocation)
    incoming: dict[str, list[FileName]] = {task: [] for task in work.places}
    outgoing: dict[str, list[FileName]] = {}
    for file, (maker, users) in work.roles.items():
        incoming.setdefault(maker, [])
        outgoing.setdefault(maker, []).append(file)
        for user in users:
            incoming.setdefault(user, []).append(file)
    given = allocation.first_periods or {}
    moving: dict[FileName, list[int]] = {}
    for number, transfer in enumerate(allocation.transfers):
        moving.setdefault(transfer.file, []).append(number)
    course = _Course({}, {}, [()] * len(allocation.transfers), {})
    arrivals: dict[FileName, dict[str, int]] = {}
    waiting = {task: len(needed) for task, needed in incoming.items()}
    ready = [task for task, number in waiting.items() if number == 0]
    for task in ready:
        for processor in work.places.get(task, ()):
            there = {file: _arrival(arrivals, work, file, processor) for file in incoming[task]}
            if task in work.joins:
                course.joins[task, processor] = _joined(there, work, processor, ports)
            else:
                after = _first_period(there, work, task, processor, precedes)
                course.tasks[task, processor] = given.get((task, processor), after)
        for file in outgoing.get(task, ()):
            numbers = moving.get(file, ())
            arrivals[file] = _move(file, numbers, work, allocation, ports, course)
            for user in work.roles[file].users:
                waiting[user] -= 1
                if waiting[user] == 0:
                    ready.append(user)
    if len(ready) < len(incoming):
        raise ValueError("the files form a cycle")
    return course


def _first_period(
    there: Mapping[FileName, int], work: _Work, task: str, processor: str, precedes: Precedes
) -> int:
    """Give the first period in which a copy of a task can run."""
    first = 1
    for file, period in there.items():
        maker = work.roles[file].maker
        is_behind = work.is_made_on(processor, file) and precedes(maker, task, processor)
        first = max(first, period if is_behind else period + 1)
    return first


def _arrival(
    arrivals: Mapping[FileName, Mapping[str, int]], work: _Work, file: FileName, processor: str
) -> int:
    """Give the period in which a processor gets or makes the last of a file."""
    if processor in arrivals[file]:
        return arrivals[file][processor]
    if work.roles[file].maker in work.places:
        raise ValueError(f"file {file} is not sent to {processor!r}, where it is needed")
    return 0


def _joined(there: Mapping[FileName, int], work: _Work, processor: str, ports: PortModel) -> int:
    """Give the period after which what is combined can leave. What flows in flows on at once."""
    flows = ports == "multiport"
    return max(
        period - (flows and period > 0 and not work.is_made_on(processor, file))
        for file, period in there.items()
    )


def _move(
    file: FileName,
    numbers: Sequence[int],
    work: _Work,
    allocation: Allocation,
    ports: PortModel,
    course: _Course,
) -> dict[str, int]:
    """Send a file on all its routes, those that begin first at first.

    Returns
    -------
    dict
        When the last of it is there, by processor that makes it or on which a path ends.
    """
    maker = work.roles[file].maker
    runs = course.joins if maker in work.joins else course.tasks
    made = {processor: runs[maker, processor] for processor in work.places.get(maker, ())}
    paths = {number: allocation.transfers[number].path for number in numbers}
    begun: list[tuple[int, int, tuple[int, int] | None]] = []
    branches: dict[str, list[int]] = {}
    brought = {processor for path in paths.values() for processor in path[1:]}
    for number, path in paths.items():
        waits_there = maker not in work.places and path[0] not in brought
        if path[0] in made or waits_there:
            begun.append((made.get(path[0], 0), number, None))
        else:
            branches.setdefault(path[0], []).append(number)
    heapq.heapify(begun)
    there: dict[str, int] = {}
    while begun:
        ready, number, source = heapq.heappop(begun)
        if course.hops[number]:
            continue
        path = paths[number]
        steps = range(len(path) - 1) if ports != "multiport" else [0] * (len(path) - 1)
        course.hops[number] = tuple(ready + 1 + step for step in steps)
        if source is not None:
            course.fed_by[number] = source
        for position, (processor, period) in enumerate(
            zip(path[1:], course.hops[number], strict=True)
        ):
            for branch in branches.get(processor, ()):
                begin = period if ports != "multiport" else ready
                heapq.heappush(begun, (begin, branch, (number, position)))
        there[path[-1]] = max(there.get(path[-1], 0), course.hops[number][-1])
    if not all(course.hops[number] for number in numbers):
        raise ValueError(f"file {file} begins a path where it never is")
    return there | made


class _Stay(NamedTuple):
    """Some of a file on a processor, from one period to another, both included."""

    file: FileName
    processor: str
    share: Fraction
    first: int
    last: int


def _stays(
    course: _Course, files: Iterable[FileName], allocation: Allocation, ports: PortModel
) -> Iterator[_Stay]:
    branches: dict[tuple[int, int], list[int]] = {}
    for number, source in course.fed_by.items():
        branches.setdefault(source, []).append(course.hops[number][0])
    leaving: dict[tuple[FileName, str], list[int]] = {}
    for number, (file, path, share) in enumerate(allocation.transfers):
        hops = course.hops[number]
        if number not in course.fed_by:
            leaving.setdefault((file, path[0]), []).append(hops[0])
        makers = allocation.tasks.get(file[0], ())
        for position, processor in enumerate(path[1:]):
            used = branches.get((number, position), [])
            if position + 1 < len(hops):
                used = [*used, hops[position + 1]]
            elif processor not in makers and (file[1], processor) in course.tasks:
                used = [*used, course.tasks[file[1], processor]]
            elif ports == "multiport":
                continue
            if ports != "multiport" or position + 1 == len(hops):
                yield _Stay(
                    file, processor, share, hops[position], max(used, default=hops[position])
                )
    for file in files:
        for processor in allocation.tasks.get(file[0], ()):
            made = course.tasks[file[0], processor]
            used = [made, *leaving.get((file, processor), ())]
            used.append(course.tasks.get((file[1], processor), made))
            yield _Stay(file, processor, Fraction(1), made, max(used))
