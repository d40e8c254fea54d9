"""Improving a mapping by moves of single tasks and by swaps of two."""

from functools import partial

import numpy as np

from steadygrid.domain.errors import OutOfTime
from steadygrid.engine.mapping.occupation import Changes, Occupation, costs_of
from steadygrid.engine.mapping.screen import Integers, Moves, least, screen_of
from steadygrid.engine.mapping.tables import Mapping_, Tables
from steadygrid.engine.solving.control import Control

Step = tuple[dict[int, int], Changes]


def improved(tables: Tables, mapping: Mapping_, control: Control) -> list[int]:
    """Take the best move of one task, or the best swap where no move helps, until none does.

    Mappings are compared by their sorted occupations, the longest first. Swaps are tried for the
    tasks whose work or files are on the most occupied resource.

    Parameters
    ----------
    mapping
        Complete, with a route for each file.

    Returns
    -------
    A mapping that is not worse. The best so far where the time is over.

    Raises
    ------
    Cancelled, OutOfTime
        If the solve was cancelled.
    """
    occupation = Occupation(costs_of(tables), mapping)
    try:
        screen = screen_of(tables, control)
        while True:
            moves = Moves(screen, occupation)
            step = _best_move(moves, control)
            if step is None:
                step = _best_swap(moves, control)
            if step is None:
                break
            occupation.move(*step)
    except OutOfTime:
        pass
    return occupation.complete()


def _best_move(moves: Moves, control: Control) -> Step | None:
    occupation = moves.occupation
    best: Step = {}, {}
    for processor in moves.targets:
        control.check()
        towards = moves.towards(processor)
        tasks = np.flatnonzero((towards.single_faults == 0) & (moves.mapping != processor))
        if occupation.limited:
            allowed = [k for k in tasks.tolist() if occupation.allows({k: processor})]
            tasks = np.array(allowed, dtype=np.intp)
        if not len(tasks):
            continue
        row = least(
            towards.before + towards.single[tasks],
            towards.tolerance,
            partial(_compared, occupation, processor, tasks),
        )
        candidate = _step(occupation, int(tasks[row]), processor)
        if occupation.compare(candidate[1], best[1]) < 0:
            best = candidate
    return best if best[0] else None


def _step(occupation: Occupation, task: int, processor: int) -> Step:
    step = {task: processor}
    changes = occupation.changes(step)
    assert changes is not None
    return step, changes


def _compared(
    occupation: Occupation, processor: int, tasks: Integers, first: int, second: int
) -> int:
    """Compare the moves of two of the tasks, by their positions, exactly."""
    one, other = (_step(occupation, int(tasks[row]), processor) for row in (first, second))
    return occupation.compare(one[1], other[1])


def _best_swap(moves: Moves, control: Control) -> Step | None:
    occupation, mapping = moves.occupation, moves.mapping.tolist()
    able = moves.screen.able
    best: Step = {}, {}
    for task in np.flatnonzero(moves.touching(int(moves.loads.argmax()))).tolist():
        control.check()
        here = mapping[task]
        for other, there in enumerate(mapping):
            if here == there or not (able[task, there] and able[other, here]):
                continue
            step = {task: there, other: here}
            changes = occupation.changes(step)
            if changes is not None and occupation.compare(changes, best[1]) < 0:
                best = (step, changes)
    return best if best[0] else None
