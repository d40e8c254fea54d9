"""When each operation of an instance runs first, and what waits in between, with copies of tasks.

A task or a hop runs in the period after the last of what it needs; under ``multiport`` a path
flows as a whole, together with the paths that branch off it.
"""

from dataclasses import dataclass, field
from fractions import Fraction
from graphlib import TopologicalSorter

from app.domain.schedule import Allocation, FileName
from app.verification.steady import SteadyInstance

Copy = tuple[str, str]
"""A task and a processor that runs it."""
_Kept = tuple[FileName, str] | tuple[int, int]
"""Where a file waits: where it is made, or behind a hop of a transfer, both by position."""


@dataclass
class Course:
    """The first periods of the operations of one instance, counted from 1.

    Attributes
    ----------
    copies
        Of each copy of each task.
    hops
        Of each hop, by transfer.
    fed
        For a transfer that begins where the file is not made, the transfer and the hop that bring
        it there first (of several the one listed first).
    """

    copies: dict[Copy, int] = field(default_factory=dict)
    hops: list[list[int]] = field(default_factory=list)
    fed: dict[int, tuple[int, int]] = field(default_factory=dict)

    @property
    def last(self) -> int:
        """The period of the last operation; 1 where there is none."""
        return max([1, *self.copies.values(), *(hop for hops in self.hops for hop in hops)])


def follow(instance: SteadyInstance, allocation: Allocation) -> Course:
    """Find the periods of an allocation that `check_allocation` has accepted.

    Notes
    -----
    The paths of a file are tried in rounds, until none begins earlier than before: at most as
    many rounds as it has paths.
    """
    course = Course(hops=[[] for _ in allocation.transfers])
    moves: dict[FileName, list[int]] = {file: [] for file in instance.sizes}
    for number, transfer in enumerate(allocation.transfers):
        moves[transfer.file].append(number)
    needs: dict[str, list[FileName]] = {task: [] for task in instance.times}
    for file in instance.sizes:
        needs[file[1]].append(file)
    graph = {task: {file[0] for file in files} for task, files in needs.items()}
    for task in TopologicalSorter(graph).static_order():
        for file in needs[task]:
            _send(instance, allocation, course, file, moves[file])
        for processor in allocation.tasks[task]:
            ready = 0
            for file in needs[task]:
                ready = max(ready, _arrival(allocation, course, file, processor, moves[file]))
            course.copies[task, processor] = ready + 1
    return course


def _arrival(
    allocation: Allocation, course: Course, file: FileName, processor: str, numbers: list[int]
) -> int:
    if processor in allocation.tasks[file[0]]:
        return course.copies[file[0], processor]
    return max(course.hops[n][-1] for n in numbers if allocation.transfers[n].path[-1] == processor)


def _send(
    instance: SteadyInstance,
    allocation: Allocation,
    course: Course,
    file: FileName,
    numbers: list[int],
) -> None:
    step = 1 if instance.network.ports == "one_port" else 0
    got: dict[str, tuple[int, int, int]] = {}
    changed = True
    while changed:
        changed = False
        for number in numbers:
            path = allocation.transfers[number].path
            if path[0] in allocation.tasks[file[0]]:
                begin = course.copies[file[0], path[0]] + 1
            elif path[0] in got:
                begin = got[path[0]][0] + step
            else:
                continue
            course.hops[number] = [begin + step * i for i in range(len(path) - 1)]
            for i, processor in enumerate(path[1:]):
                found = course.hops[number][i], number, i
                if processor not in got or found < got[processor]:
                    got[processor] = found
                    changed = True
    for number in numbers:
        begin_at = allocation.transfers[number].path[0]
        if begin_at not in allocation.tasks[file[0]]:
            course.fed[number] = got[begin_at][1:]


def data_held(
    instance: SteadyInstance, allocation: Allocation, course: Course
) -> dict[str, Fraction]:
    """Give the data that each processor holds at most, with one instance per period.

    A file, or the share that a path carries, takes room from the period in which the processor
    makes or gets it to the one in which it is used there last, both included. Under ``multiport``
    only where tasks make or use it. Processors that hold nothing are left out.
    """
    uses = _uses(instance, allocation, course)
    held: dict[str, Fraction] = {}

    def hold(processor: str, data: Fraction, since: int, periods: list[int]) -> None:
        if data:
            room = data * (max([since, *periods]) - since + 1)
            held[processor] = held.get(processor, Fraction(0)) + room

    for file, size in instance.sizes.items():
        for processor in allocation.tasks[file[0]]:
            made = course.copies[file[0], processor]
            hold(processor, size, made, uses.get((file, processor), []))
    for number, transfer in enumerate(allocation.transfers):
        data = instance.sizes[transfer.file] * transfer.share
        for i, processor in enumerate(transfer.path[1:]):
            if (number, i) in uses:
                hold(processor, data, course.hops[number][i], uses[number, i])
    return held


def _uses(
    instance: SteadyInstance, allocation: Allocation, course: Course
) -> dict[_Kept, list[int]]:
    """List the periods in which what waits somewhere is used there, by hops and by tasks."""
    one_port = instance.network.ports == "one_port"
    uses: dict[_Kept, list[int]] = {}
    ending: dict[tuple[FileName, str], list[int]] = {}
    for number, (transfer, hops) in enumerate(zip(allocation.transfers, course.hops, strict=True)):
        ending.setdefault((transfer.file, transfer.path[-1]), []).append(number)
        feeding = course.fed.get(number)
        if feeding is None:
            uses.setdefault((transfer.file, transfer.path[0]), []).append(hops[0])
        elif one_port:
            uses.setdefault(feeding, []).append(hops[0])
        if one_port:
            for i in range(len(hops)):
                uses.setdefault((number, i), []).append(hops[min(i + 1, len(hops) - 1)])
    for file in instance.sizes:
        for processor in allocation.tasks[file[1]]:
            period = course.copies[file[1], processor]
            if processor in allocation.tasks[file[0]]:
                uses.setdefault((file, processor), []).append(period)
                continue
            for number in ending[file, processor]:
                last = len(allocation.transfers[number].path) - 2
                uses.setdefault((number, last), []).append(period)
    return uses
