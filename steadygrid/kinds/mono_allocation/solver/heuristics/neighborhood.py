"""Placing a task with its neighbours in view.

Source: M. Gallet, *Steady-State Scheduling of Task Graphs onto Heterogeneous Platforms* (2009),
section 4.4.4.
"""

from fractions import Fraction

import numpy as np

from steadygrid.engine.mapping import NoMapping
from steadygrid.engine.mapping.occupation import Changes, Number, Occupation
from steadygrid.engine.mapping.screen import Flags, Floats, Screen, least, screen_of
from steadygrid.engine.mapping.tables import Tables
from steadygrid.engine.mapping.twins import twins_of
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.mono_allocation.solver.heuristics.greedy import stuck

MOST_KEPT = 20_000_000
"""Numbers. The costs of all routes are kept as arrays up to so many."""


def neighborhood(tables: Tables, control: Control) -> list[int]:
    """Place each task where it and its neighbours fit best together (thesis, Algorithm 6).

    The priority of a task is the mean, over the processors that can run it, of the longest
    occupation on an idle platform once its neighbours have been placed. They are placed one by one,
    each where the sorted occupations, the longest first, become smallest. In decreasing order of
    priority, each task then goes where the same game, with the tasks placed before where they are,
    ends best.

    What the printed algorithm leaves open, or gets wrong: its last lines keep the times of
    neighbours that were placed for a moment only. They stand inside the loop over processors, and
    these times are counted again when the turn of a neighbour comes. The text says "temporarily". So
    here only the chosen processor's work for the task remains, and its files from and to tasks with
    a place. Only files of the task itself count while neighbours are tried, as printed. Neighbours
    are taken in the order of the application; ties go to the first processor of the platform, and
    among tasks to the first of the application.

    Of interchangeable processors without a task only the first is tried.

    Beyond the source: processors that cannot run a task, or have no route to or from the other end
    of a file, are skipped. ``O(tasks * degree * processors ** 2)`` evaluations, all for one
    processor at once in floats. What floats cannot tell apart is compared exactly.

    Parameters
    ----------
    tables
        The instance, with its routes between processors, by position.
    control
        Deadline, cancellation and progress of the solve.

    Returns
    -------
    list of int
        Position of the processor of each task.

    Raises
    ------
    NoMapping
        If no processor is left for a task.
    Cancelled, OutOfTime
        If the solve was asked to stop.
    """
    screen = screen_of(tables, control)
    board = _Board(tables, screen)
    twins = twins_of(tables)
    priorities: list[Fraction] = []
    for task in range(len(tables.tasks)):
        total, count = Fraction(0), 0
        for processor in twins.candidates(tables.labels[task], ()):
            control.check()
            state = board.tried(task, processor)
            if state is not None:
                alike = len(twins.like(processor))
                total += alike * Fraction(max(state.values(), default=0))
                count += alike
        if not count:
            raise NoMapping(
                f"no processor that can run {tables.tasks[task]!r} has a path to and from processors"
                " for all its neighbours"
            )
        priorities.append(total / count)
    occupation = board.occupation
    for task in sorted(range(len(priorities)), key=lambda k: -priorities[k]):
        best: tuple[int, Changes] | None = None
        for processor in twins.candidates(tables.labels[task], board.used):
            control.check()
            state = board.tried(task, processor)
            if state is not None and (best is None or occupation.compare(state, best[1]) < 0):
                best = (processor, state)
        if best is None:
            raise stuck(tables, task)
        board.place(task, best[0])
    return occupation.complete()


class _Board:
    """The tasks placed so far, and what placing one more would bring.

    Attributes
    ----------
    occupation
        Of the tasks placed.
    """

    def __init__(self, tables: Tables, screen: Screen) -> None:
        self.occupation = Occupation(screen.costs)
        self._screen = screen
        self._loads = screen.loads(self.occupation)
        size = screen.num_processors
        self._keep = size * size * screen.num_resources <= MOST_KEPT
        self._kept: dict[tuple[int, bool], Floats] = {}
        self._twins = twins_of(tables)
        self._able = [np.array(labels, dtype=np.intp) for labels in tables.labels]
        self._neighbours = [
            sorted(
                [(tables.files[f][1], f, True) for f in tables.outgoing[k]]
                + [(tables.files[f][0], f, False) for f in tables.incoming[k]]
            )
            for k in range(len(tables.tasks))
        ]

    @property
    def used(self) -> set[int]:
        """The processors with a task."""
        return {i for i in self.occupation.mapping if i is not None}

    def place(self, task: int, processor: int) -> None:
        """Place a task for good."""
        moves = {task: processor}
        changes = self.occupation.changes(moves)
        assert changes is not None
        self.occupation.move(moves, changes)
        self._loads = self._screen.loads(self.occupation)

    def tried(self, task: int, processor: int) -> Changes | None:
        """Give the occupation once a task is on a processor and its neighbours follow.

        None if some neighbour has no place.
        """
        screen = self._screen
        if not self.occupation.allows({task: processor}):
            return None
        moves = {task: processor}
        state: Changes = {}
        used = self.used | {processor} if self._twins.classes else {processor}
        self._compute(state, task, processor)
        loads = self._loads.copy()
        loads[processor] += screen.work[task, processor]
        for other, file, outwards in self._neighbours[task]:
            path_costs, reach = self._path_costs(processor, outwards)
            place = self.occupation.mapping[other]
            fresh = place is None
            if place is None:
                place = self._best_place(
                    state, loads, other, file, processor, outwards, used, moves
                )
            if place is None or not reach[place]:
                return None
            if fresh:
                used.add(place)
                moves[other] = place
                self._compute(state, other, place)
                loads[place] += screen.work[other, place]
            self._carry(state, file, processor, place, outwards)
            loads += path_costs[place] * screen.sizes[file]
        return state

    def _best_place(
        self,
        state: Changes,
        loads: Floats,
        other: int,
        file: int,
        processor: int,
        outwards: bool,
        used: set[int],
        moves: dict[int, int],
    ) -> int | None:
        screen = self._screen
        path_costs, reach = self._path_costs(processor, outwards)
        able = self._able[other]
        able = able[reach[able]]
        if self._twins.classes:
            able = np.array(self._twins.candidates(able.tolist(), used), dtype=np.intp)
        if self.occupation.limited:
            allowed = [i for i in able.tolist() if self.occupation.allows(moves | {other: i})]
            able = np.array(allowed, dtype=np.intp)
        if not len(able):
            return None
        tried = loads + path_costs[able] * screen.sizes[file]
        tried[np.arange(len(able)), able] += screen.work[other, able]

        def changed(row: int) -> Changes:
            found = state.copy()
            self._compute(found, other, int(able[row]))
            self._carry(found, file, processor, int(able[row]), outwards)
            return found

        row = least(
            tried,
            screen.tolerance(tried),
            lambda a, b: self.occupation.compare(changed(a), changed(b)),
        )
        return int(able[row])

    def _compute(self, state: Changes, task: int, processor: int) -> None:
        time = self._screen.costs.times[task][processor]
        assert time is not None
        self._add(state, processor, time)

    def _carry(self, state: Changes, file: int, processor: int, place: int, outwards: bool) -> None:
        costs = self._screen.costs
        ends = (processor, place) if outwards else (place, processor)
        for resource, time in costs.uses(*ends) or ():
            self._add(state, resource, costs.sizes[file] * time)

    def _add(self, state: Changes, resource: int, time: Number) -> None:
        state[resource] = state.get(resource, self.occupation.loads[resource]) + time

    def _path_costs(self, processor: int, outwards: bool) -> tuple[Floats, Flags]:
        """Give the costs and the existence of routes from, or to, a processor."""
        screen = self._screen
        key = (processor, outwards)
        reach = screen.reach[processor] if outwards else screen.reach[:, processor]
        if key in self._kept:
            return self._kept[key], reach
        every = np.arange(screen.num_processors)
        size = screen.num_processors
        path_costs = screen.spread(
            processor * size + every if outwards else every * size + processor
        )
        if self._keep:
            self._kept[key] = path_costs
        return path_costs, reach
