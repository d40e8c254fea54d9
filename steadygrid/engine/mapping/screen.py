"""All moves towards one processor at once, in floats: a screen before the exact decision."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from steadygrid.engine.mapping.occupation import Costs, Number, Occupation, costs_of
from steadygrid.engine.mapping.tables import Tables
from steadygrid.engine.mapping.twins import twins_of
from steadygrid.engine.solving.control import Control
from steadygrid.engine.solving.sparse import csr_array

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.intp]
Flags = npt.NDArray[np.bool_]

ROUNDING = 2.0**-40
"""Relative; sums of up to 2 ** 12 rounded terms are closer than that to what they stand for."""
LARGEST_EXACT = 2**53
"""Floats hold all integers up to here."""
MOST_DENSE = 100_000
"""Numbers of a table of tasks and files; larger ones are sparse."""


class Screen:
    """The costs of an instance as arrays of floats.

    Parameters
    ----------
    costs
        Exact.
    control
        Looked at while the routes between all processors are found.

    Attributes
    ----------
    exact
        Whether all floats are the integers of `costs` and all sums of them stay exact.
    able
        Task by processor: whether it can run there.
    work
        Task by processor; 0 where it cannot run.
    sizes
        Of the files, in a unit such that a size times the path costs (see `spread`) is a load.
    reach
        Processor by processor: whether there is a route. Only processors that can run a task.
    """

    def __init__(self, costs: Costs, control: Control) -> None:
        tables = costs.tables
        self.costs = costs
        self.num_processors = tables.num_processors
        self.num_resources = len(tables.resources)
        size = self.num_processors
        self.reach: Flags = np.zeros((size, size), dtype=bool)
        places: list[int] = []
        times: list[Number] = []
        counts = np.zeros(size * size, dtype=np.intp)
        for source in tables.usable:
            control.check()
            for target in tables.usable:
                uses = costs.uses(source, target)
                if uses is not None:
                    self.reach[source, target] = True
                    counts[source * size + target] = len(uses)
                    places += [place for place, _ in uses]
                    times += [time for _, time in uses]
        longest = max(times, default=0)
        computing = [
            [costs.times[k][i] or 0 for i in firsts] for k, firsts in enumerate(tables.sorts)
        ]
        total = sum(map(max, computing))
        total += 4 * sum(costs.sizes) * longest
        whole = all(
            isinstance(number, int)
            for number in (*(time for row in computing for time in row), *costs.sizes)
        )
        self.exact = whole and 4 * total < LARGEST_EXACT and _whole(times)
        self.unit: Number = 1 if self.exact or not total else total
        sorts = np.array(tables.instance.sorts, dtype=np.intp)
        self.able: Flags = np.zeros((len(costs.times), size), dtype=bool)
        self.work: Floats = np.zeros((len(costs.times), size))
        for k, firsts in enumerate(tables.sorts):
            self.able[k, list(firsts)] = True
            self.work[k, list(firsts)] = [float(time / self.unit) for time in computing[k]]
        self.able, self.work = self.able[:, sorts], self.work[:, sorts]
        of_time = 1 if self.exact or not longest else longest
        per_size = 1 if self.exact else Fraction(self.unit) / Fraction(of_time)
        self.sizes: Floats = np.array([float(size / per_size) for size in costs.sizes], dtype=float)
        self._starts: Integers = np.concatenate(([0], np.cumsum(counts)))
        self._counts = counts
        self._places: Integers = np.array(places, dtype=np.intp)
        self._times: Floats = np.array([float(time / of_time) for time in times], dtype=float)
        files = np.array([file[:2] for file in tables.files], dtype=np.intp).reshape(-1, 2)
        self.producers: Integers = files[:, 0]
        self.users: Integers = files[:, 1]
        count = len(tables.tasks)
        self.makes = _incidence(self.producers, count)
        self.needs = _incidence(self.users, count)

    def rows(self, pairs: Integers) -> tuple[Integers, Integers, Floats]:
        """Give the uses of routes as (row, resource, time per size); pairs are ``p q + r``."""
        counts = self._counts[pairs]
        ends = np.cumsum(counts)
        at = np.arange(ends[-1] if len(ends) else 0) + np.repeat(
            self._starts[pairs] - ends + counts, counts
        )
        return np.repeat(np.arange(len(pairs)), counts), self._places[at], self._times[at]

    def spread(self, pairs: Integers) -> Floats:
        """Give the uses of routes as an array, row by resource."""
        found = np.zeros((len(pairs), self.num_resources))
        rows, places, times = self.rows(pairs)
        found[rows, places] = times
        return found

    def loads(self, occupation: Occupation) -> Floats:
        """Give the occupation of all resources."""
        return np.array([float(load / self.unit) for load in occupation.loads])

    @cached_property
    def neighbours(self) -> Flags:
        """Task by task: whether a file joins them."""
        joined = np.zeros((len(self.able), len(self.able)), dtype=bool)
        joined[self.producers, self.users] = True
        joined[self.users, self.producers] = True
        return joined

    def tolerance(self, *magnitudes: Floats) -> float:
        """Give what rounding may add to or take from sums of such numbers."""
        if self.exact:
            return 0.0
        return ROUNDING * max((float(np.abs(m).max()) for m in magnitudes if m.size), default=0.0)


def _incidence(tasks: Integers, count: int) -> Floats | csr_array:
    """Give 1 where a task (row) is that of a file (column); sparse where that is large."""
    shape = count, len(tasks)
    if count * len(tasks) > MOST_DENSE:
        return csr_array((np.ones(len(tasks)), (tasks, np.arange(len(tasks)))), shape=shape)
    found = np.zeros(shape)
    found[tasks, np.arange(len(tasks))] = 1
    return found


def _whole(numbers: list[Number]) -> bool:
    return all(isinstance(number, int) for number in numbers)


def screen_of(tables: Tables, control: Control) -> Screen:
    """Give the screen of an instance, computed once.

    Parameters
    ----------
    tables
        The instance.
    control
        Deadline and cancellation.

    Raises
    ------
    Cancelled, OutOfTime
        If the solve was asked to stop.
    """
    return tables.cached(_screen, control)


def _screen(tables: Tables, control: Control) -> Screen:
    return Screen(costs_of(tables), control)


@dataclass(frozen=True)
class Towards:
    """What moving any tasks to one processor changes, as a sum over tasks and files.

    When a set of tasks moves to the processor, the load of each resource changes by two sums. They
    are of the rows of `single` of its tasks, and of the rows of `joint` of the files inside the
    set.

    Attributes
    ----------
    processor
        Where the tasks move.
    columns
        The resources that any such move can change.
    before
        Their loads now.
    rest
        The longest load of all other resources.
    single, joint
        Task by column, file by column.
    single_faults, joint_faults
        The same sums count what has no place: tasks that cannot run, files without a route.
    tolerance
        What rounding may do to a load.
    """

    processor: int
    columns: Integers
    before: Floats
    rest: float
    single: Floats
    joint: Floats
    single_faults: Floats
    joint_faults: Floats
    tolerance: float


class Moves:
    """All moves of a complete mapping.

    Parameters
    ----------
    screen
        Of the instance.
    occupation
        Complete; must not change while this is used.
    """

    def __init__(self, screen: Screen, occupation: Occupation) -> None:
        self.screen = screen
        self.occupation = occupation
        self.mapping: Integers = np.array(occupation.complete(), dtype=np.intp)
        self.loads = screen.loads(occupation)
        self._from = self.mapping[screen.producers]
        self._to = self.mapping[screen.users]
        self._now = screen.rows(self._from * screen.num_processors + self._to)

    @cached_property
    def computing(self) -> Floats:
        """The time that each processor computes. What it sends or receives is left out."""
        busy: Floats = np.zeros(self.screen.num_processors)
        np.add.at(busy, self.mapping, self.screen.work[np.arange(len(self.mapping)), self.mapping])
        return busy

    @cached_property
    def targets(self) -> list[int]:
        """Where tasks may move; of interchangeable processors without a task, the first."""
        tables = self.screen.costs.tables
        return twins_of(tables).candidates(tables.usable, set(self.mapping.tolist()))

    def touching(self, resource: int) -> Flags:
        """Tell which tasks compute on a resource, or have a file that passes it."""
        screen = self.screen
        touches: Flags = np.zeros(len(self.mapping), dtype=bool)
        if resource < screen.num_processors:
            touches = (self.mapping == resource) & (screen.work[:, resource] > 0)
        rows, places, times = self._now
        files = rows[(places == resource) & (times * screen.sizes[rows] > 0)]
        touches[screen.producers[files]] = True
        touches[screen.users[files]] = True
        return touches

    def towards(self, processor: int) -> Towards:
        """Look at all moves to one processor."""
        screen, mapping = self.screen, self.mapping
        size = screen.num_processors
        outwards = screen.rows(processor * size + self._to)
        inwards = screen.rows(self._from * size + processor)
        flags = np.zeros(screen.num_resources, dtype=bool)
        flags[mapping] = flags[processor] = True
        for _, places, _ in (self._now, outwards, inwards):
            flags[places] = True
        columns = np.flatnonzero(flags)
        column = np.zeros(screen.num_resources, dtype=np.intp)
        column[columns] = np.arange(len(columns))
        now, out, into = (
            self._dense(uses, column, len(columns)) for uses in (self._now, outwards, inwards)
        )
        single = screen.makes @ (out - now) + screen.needs @ (into - now)
        tasks = np.arange(len(mapping))
        single[tasks, column[mapping]] -= screen.work[tasks, mapping]
        single[:, column[processor]] += screen.work[:, processor]
        joint = now - out - into
        no_out = (~screen.reach[processor, self._to]).astype(float)
        no_into = (~screen.reach[self._from, processor]).astype(float)
        faults = screen.makes @ no_out + screen.needs @ no_into + ~screen.able[:, processor]
        before = self.loads[columns]
        rest = np.delete(self.loads, columns).max(initial=0.0)
        return Towards(
            processor,
            columns,
            before,
            float(rest),
            single,
            joint,
            faults,
            -(no_out + no_into),
            screen.tolerance(single, joint, self.loads),
        )

    def _dense(
        self, uses: tuple[Integers, Integers, Floats], column: Integers, width: int
    ) -> Floats:
        rows, places, times = uses
        found = np.zeros((len(self.screen.sizes), width))
        found[rows, column[places]] = times * self.screen.sizes[rows]
        return found


def least(loads: Floats, tolerance: float, compare: Callable[[int, int], Any]) -> int:
    """Find the row that is smallest when its values are sorted, the longest first.

    Parameters
    ----------
    loads
        Candidate by resource; at least one row.
    tolerance
        0 where the values are exact.
    compare
        Decides between two rows exactly: negative where the first is better. Called where
        floats cannot tell.

    Returns
    -------
    The first such row.
    """
    highest = loads.max(axis=1)
    alive = np.flatnonzero(highest <= highest.min() + 2 * tolerance)
    if len(alive) == 1:
        return int(alive[0])
    if tolerance == 0:
        ordered = -np.sort(-loads[alive], axis=1)
        for column in range(1, ordered.shape[1]):
            values = ordered[:, column]
            keep = values == values.min()
            if not keep.all():
                ordered, alive = ordered[keep], alive[keep]
                if len(alive) == 1:
                    break
        return int(alive[0])
    best = int(alive[0])
    for row in alive[1:].tolist():
        verdict = better(loads[row], loads[best], tolerance)
        if verdict > 0 or (verdict == 0 and compare(row, best) < 0):
            best = row
    return best


def better(first: Floats, second: Floats, tolerance: float) -> int:
    """Compare two rows of loads: 1 where the first is surely better, -1 surely worse, else 0.

    Parameters
    ----------
    first, second
        Loads of the same resources after two moves.
    tolerance
        Error that a load may have; 0 where floats are exact.
    """
    differ = first != second
    one, other = -np.sort(-first[differ]), -np.sort(-second[differ])
    if not len(one):
        return 0
    gap = other[0] - one[0]
    if abs(gap) > 2 * tolerance:
        return 1 if gap > 0 else -1
    if tolerance:
        return 0
    apart = np.flatnonzero(one != other)
    return 0 if not len(apart) else int(np.sign(other[apart[0]] - one[apart[0]]))
