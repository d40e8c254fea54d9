"""In which period each operation of an instance runs, and what the processors hold meanwhile."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise

from steadygrid.domain.amounts import Amounts
from steadygrid.domain.schedule import Allocation
from steadygrid.domain.slots import FileName
from steadygrid.verification.steady import SteadyInstance

Follows = Callable[[str, str, str], bool]
_MADE = -1
"""Where a processor has made a file itself; otherwise the transfer that brought it counts."""


@dataclass
class Course:
    """The first period of every operation. What can never begin is left out.

    Attributes
    ----------
    copies
        By task and processor.
    hops
        By the position of the transfer in the allocation and that of the hop in its path.
    """

    copies: dict[tuple[str, str], int] = field(default_factory=dict)
    hops: dict[tuple[int, int], int] = field(default_factory=dict)
    joins: dict[str, int] = field(default_factory=dict)
    """The period after which what a join makes can leave."""
    needed: dict[tuple[str, str], int] = field(default_factory=dict)
    """By task and processor, the first period in which a copy could run."""

    @property
    def last(self) -> int:
        """The period of the last operation; 1 if there is none."""
        return max([1, *self.copies.values(), *self.hops.values()])


def course_of(
    instance: SteadyInstance, allocation: Allocation, follows: Follows = lambda *_: False
) -> Course:
    """Find the period, counted from 1, of each operation of an instance.

    Operations are the copies of tasks and the hops of paths. Where the allocation has first
    periods of its own, they stand for those of rule 1. Rules, in order:

    1. A copy runs in the period after the last of its files was there, and in period 1 if it
       needs none. A file made on its own processor is there when that copy of the producer has
       run. Any other is there when the last path that ends there has brought its share. A copy
       that follows the producer within a period may run in the same one.
    2. A path that begins where the file is made begins in the period after that. A file that is
       there from the start makes its first hop in period 1.
    3. Any other path begins where another one passes by or ends, the earliest one. It begins in
       the period after that, and under ``multiport`` in the same.
    4. Each hop runs in the period after the hop before it. Under ``multiport`` all hops of a path
       run in one period.
    5. What a join makes is there as soon as the last of its files was, without a period for
       itself. Under ``multiport`` it flows on in the period in which that one came.

    Parameters
    ----------
    instance
        What the allocation runs.
    allocation
        Where tasks run, and how files travel.
    follows
        Of a task, a producer and a processor that runs both: whether each period has all of the
        producer before all of the task.
    """
    course = Course()
    given = allocation.first_periods or {}
    moving: dict[FileName, list[int]] = {}
    for i, transfer in enumerate(allocation.transfers):
        moving.setdefault(transfer.file, []).append(i)
    there: dict[FileName, dict[str, int]] = {}
    for task, used, made in in_order(instance):
        if task in instance.joins:
            course.joins[task] = _joined(instance, allocation, task, {f: there[f] for f in used})
        for processor in allocation.tasks.get(task, ()) if task in instance.times else ():
            needed = 1
            for file in used:
                maker = instance.maker(file)
                makes = (maker, processor) in course.copies
                at_once = makes and follows(task, maker, processor)
                needed = max(needed, there[file].get(processor, 0) + (0 if at_once else 1))
            course.needed[task, processor] = needed
            course.copies[task, processor] = given.get((task, processor), needed)
        for file in made:
            there[file] = _send(instance, allocation, file, moving.get(file, []), course)
    return course


def _send(
    instance: SteadyInstance,
    allocation: Allocation,
    file: FileName,
    moving: Iterable[int],
    course: Course,
) -> dict[str, int]:
    """Run all paths of a file, period by period; give when the whole of it is where."""
    hop_by_hop = instance.network.ports != "multiport"
    made = _made(instance, allocation, file, course)
    waiting: dict[str, list[int]] = {}
    for i in moving:
        waiting.setdefault(next(iter(allocation.transfers[i].path), ""), []).append(i)
    agenda: dict[int, list[int]] = {}
    for processor, period in made.items():
        agenda.setdefault(period, []).extend(waiting.pop(processor, ()))
    there: dict[str, int] = {}
    begun: set[int] = set()
    while agenda:
        before = min(agenda)
        paths = agenda.pop(before)
        for i in paths:
            if i in begun:
                continue
            begun.add(i)
            period = before + 1
            for j, processor in enumerate(allocation.transfers[i].path[1:]):
                period = before + 1 + (j if hop_by_hop else 0)
                course.hops[i, j] = period
                branches = waiting.get(processor, ())
                (agenda.setdefault(period, []) if hop_by_hop else paths).extend(branches)
            end = allocation.transfers[i].path[-1]
            there[end] = max(there.get(end, 0), period)
    return there | made


def _made(
    instance: SteadyInstance,
    allocation: Allocation,
    file: FileName,
    course: Course,
) -> dict[str, int]:
    maker = instance.maker(file)
    if maker in instance.ends:
        return dict.fromkeys(instance.ends[maker], 0)
    if maker in instance.joins:
        return {instance.joins[maker]: course.joins[maker]}
    return {name: course.copies[maker, name] for name in allocation.tasks.get(maker, ())}


def _joined(
    instance: SteadyInstance,
    allocation: Allocation,
    join: str,
    there: Mapping[FileName, Mapping[str, int]],
) -> int:
    """Give the period after which the files of a join, all of them, can leave where they are joined."""
    here = instance.joins[join]
    flows = instance.network.ports == "multiport"
    periods = [0]
    for file, came in there.items():
        made_here = here in instance.places(allocation, instance.maker(file))
        at_once = flows and not made_here
        periods.append(came.get(here, 0) - at_once)
    return max(periods)


def in_order(instance: SteadyInstance) -> list[tuple[str, list[FileName], list[FileName]]]:
    """List the tasks, producers before users, each with the files it uses and makes."""
    everything = (*instance.times, *instance.ends, *instance.joins)
    used: dict[str, list[FileName]] = {task: [] for task in everything}
    made: dict[str, list[FileName]] = {task: [] for task in used}
    for file in instance.sizes:
        used[instance.user(file)].append(file)
        made[instance.maker(file)].append(file)
    missing = {task: len(files) for task, files in used.items()}
    ready = [task for task, number in missing.items() if number == 0]
    for task in ready:
        for user in map(instance.user, made[task]):
            missing[user] -= 1
            if missing[user] == 0:
                ready.append(user)
    return [(task, used[task], made[task]) for task in ready]


def buffers_of(
    instance: SteadyInstance, allocation: Allocation, course: Course | None = None
) -> dict[str, Fraction]:
    """Give the data that each processor must have room for, with one instance per period.

    A processor has a file because it made it, or a share of it because a path brought that. It holds
    this from the first to the last of the periods of the operations that touch it, both included:

    1. The run of the producer, or the hop that comes in.
    2. The run of the user, where that takes it from there.
    3. The next hop of the path.
    4. The first hop of a path that begins there. It takes what came first (of equals, what the
       transfer listed first brings).

    Under ``multiport`` what only passes by is not held. In the steady state as many
    instances as there are such periods are held at a time, each with its data. Only for applications,
    whose files name the tasks that make and use them.

    Parameters
    ----------
    instance
        What the allocation runs.
    allocation
        Where tasks run, and how files travel.
    course
        When everything runs; default: that of `course_of`.

    Returns
    -------
    dict
        By processor, without those that hold nothing.
    """
    if course is None:
        course = course_of(instance, allocation)
    touched = _touched(instance, allocation, course)
    held: Amounts[str] = Amounts()
    for (file, origin, processor), periods in touched.items():
        share = Fraction(1) if origin == _MADE else allocation.transfers[origin].share
        data = instance.sizes[file] * share * (max(periods) - min(periods) + 1)
        held[processor] += data
    return {processor: data for processor, data in held.items() if data}


def _touched(
    instance: SteadyInstance, allocation: Allocation, course: Course
) -> dict[tuple[FileName, int, str], list[int]]:
    """List the periods in which something is done with what a processor has of a file."""
    hop_by_hop = instance.network.ports != "multiport"
    touched: dict[tuple[FileName, int, str], list[int]] = {}

    def touch(file: FileName, origin: int, processor: str, period: int) -> None:
        touched.setdefault((file, origin, processor), []).append(period)

    first: dict[tuple[FileName, str], tuple[int, int]] = {}
    for (i, j), period in course.hops.items():
        file, path, _ = allocation.transfers[i]
        came = first.get((file, path[j + 1]), (period, i))
        first[file, path[j + 1]] = min(came, (period, i))
    for file in instance.sizes:
        for processor in allocation.tasks.get(file[0], ()) if file[0] in instance.times else ():
            for task in file:
                if (task, processor) in course.copies:
                    touch(file, _MADE, processor, course.copies[task, processor])
    for i, (file, path, _) in enumerate(allocation.transfers):
        makes = allocation.tasks.get(file[0], ())
        for j, (sender, receiver) in enumerate(pairwise(path)):
            if (i, j) not in course.hops:
                continue
            period = course.hops[i, j]
            ends = j == len(path) - 2
            uses = ends and receiver not in makes and (file[1], receiver) in course.copies
            if hop_by_hop or uses:
                touch(file, i, receiver, period)
            if uses:
                touch(file, i, receiver, course.copies[file[1], receiver])
            if j == 0 and sender in makes:
                touch(file, _MADE, sender, period)
            elif hop_by_hop and j > 0:
                touch(file, i, sender, period)
            elif hop_by_hop and (file, sender) in first:
                touch(file, first[file, sender][1], sender, period)
    return touched
