"""Delegation of connected tasks to other processors, step by step.

Source: M. Gallet, *Steady-State Scheduling of Task Graphs onto Heterogeneous Platforms* (2009),
section 4.4.3.
"""

import numpy as np

from steadygrid.domain.errors import OutOfTime
from steadygrid.engine.mapping.occupation import Changes, Occupation, costs_of
from steadygrid.engine.mapping.screen import (
    Flags,
    Floats,
    Integers,
    Moves,
    Screen,
    Towards,
    better,
    least,
    screen_of,
)
from steadygrid.engine.mapping.tables import Mapping_, Tables
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.mono_allocation.solver.heuristics.greedy import place_all, ranks
from steadygrid.kinds.mono_allocation.solver.transfer_routes.copies import backwards

MOST_NEIGHBOURHOODS = 64
"""Of one task. The smallest are taken, then those whose tasks come first in the application."""
MOST_ENTRIES = 40_000_000
"""Numbers in the tables of all neighbourhoods by task and by file; in larger applications fewer are
taken of each task."""
MOST_KEPT = 20_000_000
"""Numbers. What moves towards each processor change is kept up to so many."""


def delegate(
    tables: Tables,
    control: Control,
    source: int | None = None,
    depth: int = 2,
    start: Mapping_ | None = None,
) -> list[int]:
    """Move connected tasks to other processors as long as that helps (thesis, Algorithm 5).

    All tasks start on the source. In every step each *neighborhood*, a connected set of tasks at
    most `depth` files away from one of its tasks ``T_k``, is tried on each processor that does not
    run ``T_k``. Then *refine_move* adds tasks next to the set as long as that makes the
    mapping better. The best of all the resulting mappings is taken if it is better than the
    current one. Mappings are compared by their sorted occupation times, the longest first.

    What the printed algorithm leaves open, and what is done here:

    * The test for an improvement stands inside its loop over tasks. Its text performs the best move
      among all tasks, as here.
    * `best_value` starts at 0, which no order of sequences has. Here the first candidate is the
      first best.
    * refine_move takes neighbouring tasks in the order of the application, again and again until
      none is added.
    * Ties between the best mappings go to the first processor, then to the smaller and first set.
    * A set found from several tasks is tried once.

    Beyond the thesis:

    * Where there are limits of memory or intervals, every mapping keeps to them. As many tasks as the
      source may hold start there, in the order of the graph.
    * Tasks that cannot run on the source are first placed by the rule of `refined_greedy`.
    * What a processor cannot run, or a file without a path, is no candidate.
    * At most `MOST_NEIGHBOURHOODS` neighborhoods of a task, in large applications fewer, are tried,
      smallest first: see `capped`.

    A candidate is not looked at where it provably cannot be the best of its step. Moved tasks stay on
    the new processor, and some still have to follow until the set reaches the most occupied resource.
    The computing time there, with those, must not exceed the longest occupation of the best candidate
    so far.

    Parameters
    ----------
    tables, control
        The instance, and the reins of the solve.
    source
        Where all tasks start; by default the processor that can run the most tasks, ties to the
        shortest total time, then to the order of the platform.
    depth
        0 moves single tasks (and what refine_move adds).
    start
        A mapping to begin from, in place of the source.

    Returns
    -------
    The mapping. The best so far where the time is over.

    Raises
    ------
    NoMapping
        If a task that cannot run on the source has no place.
    Cancelled, OutOfTime
        If the solve was cancelled, or its time is over before the first mapping is complete.
    """
    if start is not None:
        occupation = Occupation(costs_of(tables), start)
    else:
        occupation = _start(tables, control, default_source(tables) if source is None else source)
    try:
        screen = screen_of(tables, control)
        sets = Neighborhoods(tables, screen, depth)
        while True:
            control.check()
            step = _best_step(Moves(screen, occupation), sets, control)
            if step is None or occupation.compare(step[1], {}) >= 0:
                break
            occupation.move(*step)
    except OutOfTime:
        pass
    return occupation.complete()


def default_source(tables: Tables) -> int:
    """Give the processor that can run the most tasks, ties to the shortest total time."""
    able: dict[int, list[int]] = {}
    for task, firsts in enumerate(tables.sorts):
        for processor in firsts:
            able.setdefault(processor, []).append(task)
    return min(
        able, key=lambda i: (-len(able[i]), sum(tables.time(task, i) for task in able[i]), i)
    )


def most_neighbourhoods(tables: Tables) -> int:
    """Give how many neighborhoods of a task are tried at most."""
    tasks = len(tables.tasks)
    fit = MOST_ENTRIES // (tasks * (2 * tasks + len(tables.files)))
    return max(1, min(MOST_NEIGHBOURHOODS, fit))


def capped(tables: Tables, depth: int) -> tuple[str, ...]:
    """Name the tasks with more neighborhoods than are tried.

    Parameters
    ----------
    tables
        The instance, with its routes between processors, by position.
    depth
        How many files away from its task a neighborhood reaches.
    """
    joined, most = _joined(tables), most_neighbourhoods(tables)
    return tuple(
        name
        for task, name in enumerate(tables.tasks)
        if len(_connected(joined, task, depth, most + 1)) > most
    )


def _start(tables: Tables, control: Control, source: int) -> Occupation:
    occupation = Occupation(costs_of(tables))
    here = [k for k, labels in enumerate(tables.labels) if source in labels]
    if occupation.limited:
        inside: dict[int, int] = {}
        for k in reversed(backwards(tables)):
            if k in here and occupation.allows(inside | {k: source}):
                inside[k] = source
        here = list(inside)
    placed = dict.fromkeys(here, source)
    changes = occupation.changes(placed)
    assert changes is not None
    occupation.move(placed, changes)
    weights = ranks(tables)
    elsewhere = sorted(set(range(len(weights))) - set(here), key=lambda k: (-weights[k], k))
    place_all(occupation, elsewhere, control)
    return occupation


def _joined(tables: Tables) -> list[list[int]]:
    joined: list[set[int]] = [set() for _ in tables.tasks]
    for k, m, _ in tables.files:
        joined[k].add(m)
        joined[m].add(k)
    return [sorted(tasks) for tasks in joined]


def _connected(joined: list[list[int]], task: int, depth: int, most: int) -> list[tuple[int, ...]]:
    """List connected sets of tasks at most `depth` from one that contain it, smallest first."""
    near = {task}
    for _ in range(depth):
        near |= {m for k in near for m in joined[k]}
    found: dict[tuple[int, ...], None] = {(task,): None}
    layer: list[tuple[int, ...]] = [(task,)]
    while layer and len(found) < most:
        larger: dict[tuple[int, ...], None] = {}
        for some in layer:
            if len(larger) > most:
                break
            for other in sorted({m for k in some for m in joined[k]} & near - set(some)):
                larger[tuple(sorted((*some, other)))] = None
        layer = sorted(larger)
        found.update(larger)
    return list(found)[:most]


class Neighborhoods:
    """All sets of tasks that are tried, each once.

    Attributes
    ----------
    members
        Set by task.
    inner
        Set by file: whether both its tasks are in the set.
    roots
        Set by task: whether the set is a neighborhood of the task.
    """

    def __init__(self, tables: Tables, screen: Screen, depth: int) -> None:
        joined, most = _joined(tables), most_neighbourhoods(tables)
        roots: dict[tuple[int, ...], list[int]] = {}
        for task in range(len(tables.tasks)):
            for some in _connected(joined, task, depth, most):
                roots.setdefault(some, []).append(task)
        self.members: Floats = np.zeros((len(roots), len(tables.tasks)))
        self.roots: Floats = np.zeros_like(self.members)
        for row, some in enumerate(sorted(roots, key=lambda some: (len(some), some))):
            self.members[row, list(some)] = 1
            self.roots[row, roots[some]] = 1
        self.inner: Floats = self.members[:, screen.producers] * self.members[:, screen.users]
        self.files = [
            np.array([*tables.outgoing[k], *tables.incoming[k]], dtype=np.intp)
            for k in range(len(tables.tasks))
        ]
        self.others = [
            np.array(
                [tables.files[f][1] for f in tables.outgoing[k]]
                + [tables.files[f][0] for f in tables.incoming[k]],
                dtype=np.intp,
            )
            for k in range(len(tables.tasks))
        ]


class _Candidates:
    """Sets of tasks that move to one processor: screened in floats, compared exactly.

    Attributes
    ----------
    members
        Set by task.
    loads
        Set by column of `towards`: after the move.
    """

    def __init__(
        self, moves: Moves, towards: Towards, sets: Neighborhoods, members: Flags, loads: Floats
    ) -> None:
        self.moves = moves
        self.towards = towards
        self.sets = sets
        self.members = members
        self.loads = loads
        self._known: dict[bytes, Changes] = {}
        self._columns: dict[int, tuple[Integers, Floats, Floats]] = {}

    def step(self, members: Flags) -> dict[int, int]:
        """Give the move of a set."""
        return dict.fromkeys(np.flatnonzero(members).tolist(), self.towards.processor)

    def changes(self, members: Flags) -> Changes:
        """Give the exact changes by the move of a set that has its place there."""
        key = members.tobytes()
        if key not in self._known:
            changes = self.moves.occupation.changes(self.step(members))
            assert changes is not None
            self._known[key] = changes
        return self._known[key]

    def compare(self, first: Flags, second: Flags) -> int:
        """Compare the moves of two sets exactly."""
        return self.moves.occupation.compare(self.changes(first), self.changes(second))

    def compare_rows(self, first: int, second: int) -> int:
        """Compare two of the sets by their positions."""
        return self.compare(self.members[first], self.members[second])

    def refine(self, limit: float) -> None:
        """Add tasks next to each set as long as that makes the mapping better.

        Parameters
        ----------
        limit
            Sets that keep the processor busy for longer are dropped. A set that grows takes no less
        of its time, where it computes with nothing that transfers use.
        """
        towards = self.towards
        screen = self.moves.screen
        here = screen.able[:, towards.processor] & (self.moves.mapping != towards.processor)
        busy = int(np.searchsorted(towards.columns, towards.processor))
        tasks = here.nonzero()[0].tolist()
        self._near = self.members @ screen.neighbours
        self._open = np.ones(len(self.members), dtype=bool)
        while self._open.any():
            _, first = np.unique(np.packbits(self.members, axis=1), axis=0, return_index=True)
            first = np.sort(first[self.loads[first, busy] <= limit])
            self.members, self.loads = self.members[first], self.loads[first]
            self._near, considered = self._near[first], self._open[first]
            self._open = np.zeros(len(first), dtype=bool)
            for task in tasks:
                rows = (
                    self._near[:, task] & ~self.members[:, task] & (considered | self._open)
                ).nonzero()[0]
                if len(rows):
                    self._add(task, rows)

    def _add(self, task: int, rows: Integers) -> None:
        """Add a task to those of some sets next to it that it makes better."""
        towards, members = self.towards, self.members
        files, others = self.sets.files[task], self.sets.others[task]
        inside = members[rows[:, None], others].astype(float)
        faults = towards.single_faults[task] + inside @ towards.joint_faults[files]
        if faults.any():
            rows, inside = rows[faults == 0], inside[faults == 0]
            if not len(rows):
                return
        if self.moves.occupation.limited:
            allowed = np.array(
                [self._allows_with(task, members[row]) for row in rows.tolist()], dtype=bool
            )
            rows, inside = rows[allowed], inside[allowed]
            if not len(rows):
                return
        if task not in self._columns:
            changing = (towards.single[task] != 0) | (towards.joint[files] != 0).any(axis=0)
            columns = changing.nonzero()[0]
            joint = towards.joint[files[:, None], columns]
            self._columns[task] = columns, towards.single[task, columns], joint
        columns, single, joint = self._columns[task]
        old = self.loads[rows[:, None], columns]
        new = old + single
        new += inside @ joint
        differ = new != old
        gap = (old * differ).max(axis=1, initial=0) - (new * differ).max(axis=1, initial=0)
        accept = gap > 2 * towards.tolerance
        for at in (np.abs(gap) <= 2 * towards.tolerance).nonzero()[0].tolist():
            verdict = better(new[at], old[at], towards.tolerance)
            if verdict == 0 and towards.tolerance and differ[at].any():
                larger = members[rows[at]].copy()
                larger[task] = True
                verdict = -self.compare(larger, members[rows[at]])
            accept[at] = verdict > 0
        if accept.any():
            taken = rows[accept]
            self.members[taken, task] = True
            self.loads[taken[:, None], columns] = new[accept]
            self._near[taken] |= self.moves.screen.neighbours[task]
            self._open[taken] = True

    def _allows_with(self, task: int, members: Flags) -> bool:
        """Tell whether the limits allow that a task moves with a set."""
        return self.moves.occupation.allows(self.step(members) | {task: self.towards.processor})


def _best_step(
    moves: Moves, sets: Neighborhoods, control: Control
) -> tuple[dict[int, int], Changes] | None:
    screen, mapping = moves.screen, moves.mapping
    now = float(moves.loads.max())
    apart = screen.costs.tables.instance.ports != "no_overlap"
    away = mapping[:, None] != np.arange(screen.num_processors)
    busy = moves.computing + sets.members @ (screen.work * away)
    follow = _following(moves, away)
    possible = (sets.roots @ away > 0) & (sets.members @ ~screen.able == 0)
    promising = []
    kept: dict[int, Towards] = {}
    numbers = 0
    for processor in moves.targets:
        control.check()
        towards = moves.towards(processor)
        valid = towards.single_faults == 0
        if moves.occupation.limited:
            for k in np.flatnonzero(valid).tolist():
                valid[k] = moves.occupation.allows({k: processor})
        alone = (towards.before + towards.single[valid]).max(axis=1).min(initial=np.inf)
        promising.append((max(float(alone), towards.rest), processor))
        numbers += towards.single.size + towards.joint.size
        if numbers <= MOST_KEPT:
            kept[processor] = towards
    promising.sort()
    lowest = min(now, promising[0][0])
    best: tuple[dict[int, int], Changes] | None = None
    target = -1
    for _, processor in promising:
        control.check()
        towards = kept.get(processor) or moves.towards(processor)
        slack = 2 * towards.tolerance
        rows = np.flatnonzero(possible[:, processor] & (busy[:, processor] <= lowest + slack))
        least_busy = busy[rows, processor]
        if lowest < now - slack:
            inside = sets.members[rows] > 0
            least_busy = least_busy + np.where(inside, follow[:, processor], np.inf).min(
                axis=1, initial=np.inf
            )
            rows = rows[least_busy <= lowest + slack]
        faults = sets.members[rows] @ towards.single_faults
        rows = rows[faults + sets.inner[rows] @ towards.joint_faults == 0]
        if moves.occupation.limited:
            allowed = [
                row
                for row in rows.tolist()
                if moves.occupation.allows(
                    dict.fromkeys(np.flatnonzero(sets.members[row]).tolist(), processor)
                )
            ]
            rows = np.array(allowed, dtype=np.intp)
        if not len(rows):
            continue
        loads = towards.before + sets.members[rows] @ towards.single
        loads += sets.inner[rows] @ towards.joint
        lowest = min(lowest, max(float(loads.max(axis=1).min()), towards.rest))
        some = _Candidates(moves, towards, sets, sets.members[rows] > 0, loads)
        some.refine(lowest + slack if apart else np.inf)
        if not len(some.loads):
            continue
        lowest = min(lowest, max(float(some.loads.max(axis=1).min()), towards.rest))
        row = least(some.loads, towards.tolerance, some.compare_rows)
        found = some.changes(some.members[row])
        verdict = -1 if best is None else moves.occupation.compare(found, best[1])
        if verdict < 0 or (verdict == 0 and processor < target):
            best, target = (some.step(some.members[row]), found), processor
    return best


def _following(moves: Moves, away: Flags) -> Floats:
    """Task by processor: the least time of tasks that a set needs to reach the longest load.

    A load becomes shorter only if a task that computes there, or one with a file that passes
    there, moves. Sets stay connected, so all tasks on some path to such a task move as well.
    """
    screen = moves.screen
    touches = moves.touching(int(moves.loads.argmax()))
    follow = np.where(touches[:, None] & away, 0.0, np.inf)
    entering = np.where(screen.able, screen.work * away, np.inf)
    while True:
        before = follow.copy()
        for k, m in zip(screen.producers.tolist(), screen.users.tolist(), strict=True):
            np.minimum(follow[k], entering[m] + follow[m], out=follow[k])
            np.minimum(follow[m], entering[k] + follow[k], out=follow[m])
        if (follow == before).all():
            return follow
