r"""Certificates that tasks do not fit on the processors within a shorter period.

In an allocation of a period :math:`P < T`, the tasks S that one processor runs take less than T
together. So do, on their route out of the processor, the files from tasks of S to others, and on
their route in those from others to S. Hops of times :math:`t_{hr}` per unit of data on their
resources carry, per time unit, no more than :math:`\sum_h 1 / \max_r t_{hr}` together, nor more
than :math:`1 / \min_h t_{hr}` for any resource r that all of them use.

Where memory is limited, that of the processor holds all of S.

Weights :math:`\alpha_k \ge 0` prove that there is no such allocation: every task runs somewhere.
So the sets of all processors weigh at least :math:`\sum_k \alpha_k` together, and if the heaviest
sets that fit weigh less there is none. Then the period is at least T, for every routing.

With duplication it may be another copy that sends a file to a task outside S, and only what enters
counts. A task has all its files where it runs, and those that are not made there come in.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import ceil, lcm
from typing import NamedTuple

from steadygrid.domain.errors import Pointer
from steadygrid.domain.slots import FileName
from steadygrid.verification.exact import show
from steadygrid.verification.findings import Findings
from steadygrid.verification.network import Hop
from steadygrid.verification.steady import SteadyInstance

MAX_STEPS = 3_000_000
"""Choices tried over all processors."""


class Memory(NamedTuple):
    """What some tasks need wherever they run, and what some processors have; others: no limit."""

    needs: Mapping[str, Fraction]
    room: Mapping[str, Fraction]


NO_MEMORY = Memory({}, {})


class TooManyStepsError(Exception):
    """The search would take longer than is sensible."""


def check_weights(
    steady: SteadyInstance,
    weights: Mapping[str, Fraction],
    bound: Fraction,
    findings: Findings,
    at: Pointer,
    memory: Memory = NO_MEMORY,
) -> None:
    """Check that weights prove a bound of the throughput of single allocations.

    Parameters
    ----------
    bound
        Of the throughput, above 0.
    memory
        What tasks need and processors have.

    Notes
    -----
    Rules, in this order:

    == ======================================================================= =================
    1  each weight is of a task                                                `ghost_task`
    2  no weight is negative                                                   `negative_weight`
    3  the heaviest sets are found in `MAX_STEPS`                              `not_proved`
    4  the heaviest sets that fit within any period shorter than ``1 / bound`` `weights_fit`
       weigh less than all tasks
    == ======================================================================= =================
    """
    known = True
    for task, weight in weights.items():
        if task not in steady.times:
            known = False
            findings.add((*at, task), "ghost_task", f"There is a weight of {task!r}, no task.")
        if weight < 0:
            known = False
            findings.add((*at, task), "negative_weight", f"The weight of {task!r} is negative.")
    if not known:
        return
    try:
        heaviest = heaviest_sets(steady, weights, 1 / bound, memory)
    except TooManyStepsError as error:
        findings.add(at, "not_proved", f"These weights prove nothing here: {error}.")
        return
    total = sum(weights.values(), Fraction(0))
    if heaviest >= total:
        findings.add(
            at,
            "weights_fit",
            f"Within periods shorter than {show(1 / bound)} the processors can run tasks of weight"
            f" {show(heaviest)}, and all tasks weigh {show(total)}: they do not prove the bound.",
        )


def heaviest_sets(
    steady: SteadyInstance,
    weights: Mapping[str, Fraction],
    below: Fraction,
    memory: Memory = NO_MEMORY,
    max_steps: int = MAX_STEPS,
) -> Fraction:
    """Add up, over all processors, the weight of the heaviest set of tasks that fits.

    Parameters
    ----------
    steady
        What is run, and on which network.
    weights
        By task; one that is left out weighs nothing.
    below
        A set fits if it keeps every resource busy for less than this.
    memory
        What tasks need and processors have.
    max_steps
        Of the search, for all processors together.

    Raises
    ------
    TooManyStepsError
        If it is not found in `max_steps`.

    Notes
    -----
    Branch and bound over whole numbers, once for all processors that are alike; exponential in
    the number of tasks at worst.
    """
    tasks = list(steady.times)
    unit = lcm(1, *(weight.denominator for weight in weights.values()))
    whole = [int(weights.get(task, Fraction(0)) * unit) for task in tasks]
    position = {task: k for k, task in enumerate(tasks)}
    leaving: dict[str, list[Hop]] = {}
    entering: dict[str, list[Hop]] = {}
    for (sender, receiver), hop in steady.network.hops.items():
        leaving.setdefault(sender, []).append(hop)
        entering.setdefault(receiver, []).append(hop)
    needs = [memory.needs.get(task, Fraction(0)) for task in tasks]
    found: dict[tuple[object, ...], int] = {}
    total, left = 0, max_steps
    for name in sorted({name for times in steady.times.values() for name in times}):
        times = [steady.times[task].get(name) for task in tasks]
        out = None if steady.duplication != "none" else _carried(leaving.get(name, []))
        into = _carried(entering.get(name, []))
        room = memory.room.get(name)
        alike = (*times, out, into, room)
        if alike not in found:
            held = None if room is None else _Held(needs, room)
            search = _Search(
                times, _files(steady.sizes, position), whole, (out, into), below, left, held
            )
            found[alike] = search.heaviest()
            left = search.left
        total += found[alike]
    return Fraction(total, unit)


def shortest_operation(steady: SteadyInstance) -> Fraction | None:
    """Give the least time that anything takes which takes some. None where nothing does.

    That is a task on a processor that can run it, or a file that leaves or enters such a processor, over
    all its links together: files only pass through all others. No allocation has a shorter period,
    unless nothing in it takes any time.
    """
    leaving: dict[str, list[Hop]] = {}
    entering: dict[str, list[Hop]] = {}
    for (sender, receiver), hop in steady.network.hops.items():
        leaving.setdefault(sender, []).append(hop)
        entering.setdefault(receiver, []).append(hop)
    hosts = {name for by_name in steady.times.values() for name in by_name}
    carried = [
        _carried(hops)
        for joined in (leaving, entering)
        for name, hops in joined.items()
        if name in hosts
    ]
    longest = max(carried, default=Fraction(0))
    times = [time for by_name in steady.times.values() for time in by_name.values() if time]
    if longest:
        times += [size / longest for size in steady.sizes.values() if size]
    return min(times, default=None)


def _files(
    sizes: Mapping[FileName, Fraction], position: Mapping[str, int]
) -> list[tuple[int, int, Fraction]]:
    return [(position[source], position[target], size) for (source, target), size in sizes.items()]


def _carried(hops: Sequence[Hop]) -> Fraction:
    """Give the most data per time unit that hops carry together."""
    if not hops:
        return Fraction(0)
    apart = sum((1 / max(time for _, time in hop.uses) for hop in hops), Fraction(0))
    for name, _ in hops[0].uses:
        times = [time for hop in hops for other, time in hop.uses if other == name]
        if len(times) == len(hops):
            apart = min(apart, 1 / min(times))
    return apart


def _rank(weight: int, time: int) -> tuple[bool, Fraction]:
    """Give the place of a task in the order of weights per time, the highest first."""
    return (False, Fraction(0)) if time == 0 else (True, Fraction(-weight, time))


class _Held(NamedTuple):
    """What each task needs of a memory, and the whole of it."""

    needs: Sequence[Fraction]
    room: Fraction


class _Search:
    """The heaviest set of tasks that one processor can run.

    Attributes
    ----------
    left
        Steps that may still be taken.
    """

    def __init__(
        self,
        times: Sequence[Fraction | None],
        files: Sequence[tuple[int, int, Fraction]],
        weights: Sequence[int],
        carried: tuple[Fraction | None, Fraction],
        below: Fraction,
        left: int,
        held: _Held | None = None,
    ) -> None:
        self.left = left
        self._held = held
        unit = lcm(1, *(time.denominator for time in times if time is not None))
        self._room = ceil(below * unit) - 1
        self._times = {k: int(time * unit) for k, time in enumerate(times) if time is not None}
        self._times = {k: time for k, time in self._times.items() if time <= self._room}
        self._weights = weights
        unit = lcm(1, *(size.denominator for _, _, size in files))
        out, into = carried
        self._limits = (
            None if out is None else max(0, ceil(below * out * unit) - 1),
            max(0, ceil(below * into * unit) - 1),
        )
        self._made: list[list[tuple[int, int]]] = [[] for _ in weights]
        self._used: list[list[tuple[int, int]]] = [[] for _ in weights]
        for source, target, size in files:
            self._made[source].append((target, int(size * unit)))
            self._used[target].append((source, int(size * unit)))
        self._by_ratio = sorted(self._times, key=lambda k: _rank(weights[k], self._times[k]))
        self._by_need: list[int] = []
        if held is not None:
            needs = held.needs
            self._by_need = sorted(
                self._times,
                key=lambda k: (True, -weights[k] / needs[k]) if needs[k] else (False, Fraction(0)),
            )
        self._best = 0

    def heaviest(self) -> int:
        """Search. The set without tasks weighs nothing."""
        outside = sum(1 << k for k in range(len(self._weights)) if k not in self._times)
        waiting = [(0, outside, self._room, 0)]
        while waiting:
            self.left -= 1
            if self.left < 0:
                raise TooManyStepsError("the heaviest sets of tasks take too many steps to find")
            inside, outside, room, weight = waiting.pop()
            if (
                not self._may_fit(inside, outside)
                or not self._may_hold(inside, outside, weight)
                or self._may_reach(inside | outside, room, weight) <= self._best
            ):
                continue
            task = self._next(inside, outside)
            if task is None:
                self._best = weight
                continue
            waiting.append((inside, outside | 1 << task, room, weight))
            if self._times[task] <= room:
                rest = room - self._times[task]
                heavier = weight + self._weights[task]
                waiting.append((inside | 1 << task, outside, rest, heavier))
        return self._best

    def _may_fit(self, inside: int, outside: int) -> bool:
        """Tell whether the files between the tasks that are in and those that are out fit."""
        most_out, most_in = self._limits
        out = into = 0
        rest = inside
        while rest:
            task = rest.bit_length() - 1
            rest ^= 1 << task
            out += sum(size for other, size in self._made[task] if outside >> other & 1)
            into += sum(size for other, size in self._used[task] if outside >> other & 1)
        return into <= most_in and (most_out is None or out <= most_out)

    def _may_hold(self, inside: int, outside: int, weight: int) -> bool:
        """Tell whether the tasks that are in fit into the memory, and with others weigh enough.

        The bound is that of `_may_reach`, with memory in the place of time.
        """
        if self._held is None:
            return True
        needs, room = self._held
        room -= sum((need for k, need in enumerate(needs) if inside >> k & 1), Fraction(0))
        if room < 0:
            return False
        most = Fraction(weight)
        for task in self._by_need:
            if not (inside | outside) >> task & 1:
                if needs[task] > room:
                    most += self._weights[task] * room / needs[task]
                    break
                room -= needs[task]
                most += self._weights[task]
        return most > self._best

    def _may_reach(self, decided: int, room: int, weight: int) -> int:
        """Bound the weight: fill the room with tasks, the last of them in part.

        No set of undecided tasks that fits into the room weighs more. Let r be the weight per
        time of the task that is taken in part. Every task before it is taken whole, those of
        time 0 among them, and weighs at least r per time. Every task after it weighs at most r
        per time, and takes some. All that another set leaves out of the former weighs at least r
        per time, what it has instead at most r, and there is no more time for it.
        """
        for task in self._by_ratio:
            if not decided >> task & 1:
                time = self._times[task]
                if time > room:
                    return weight + self._weights[task] * room // time
                room -= time
                weight += self._weights[task]
        return weight

    def _next(self, inside: int, outside: int) -> int | None:
        """Choose the task that shares the most data with those that are in."""
        best, found = -1, None
        for task in self._by_ratio:
            if not (inside | outside) >> task & 1:
                shared = sum(
                    size
                    for other, size in (*self._made[task], *self._used[task])
                    if inside >> other & 1
                )
                if shared > best:
                    best, found = shared, task
        return found
