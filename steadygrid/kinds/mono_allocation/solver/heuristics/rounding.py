"""Rounding the relaxed program task by task.

Source: M. Gallet, *Steady-State Scheduling of Task Graphs onto Heterogeneous Platforms* (2009),
section 4.4.2.
"""

from collections.abc import Callable
from fractions import Fraction
from random import Random
from typing import Any

from steadygrid.domain.errors import SolverError
from steadygrid.engine.mapping import NoMapping
from steadygrid.engine.solving.control import Control
from steadygrid.engine.solving.relaxation import Relaxation
from steadygrid.kinds.mono_allocation.solver.heuristics.greedy import simple_greedy
from steadygrid.kinds.mono_allocation.solver.programs.model import (
    NoAssignment,
    Program,
    build_fixed,
)
from steadygrid.kinds.mono_allocation.solver.tables import MonoTables

SAME = 1e-7
"""Values of the relaxed program that differ by less are one value."""

Shares = dict[tuple[int, int], float]
"""By task and processor, for tasks that are not mapped yet."""


def rlp_max(tables: MonoTables, control: Control) -> list[int]:
    """Map the task and the processor with the largest value, and solve again (thesis, Algorithm 4).

    Program (4.1) over the reference routes is relaxed. Of the tasks that are not mapped, the one
    with the largest ``y`` is mapped to its processor, and the program is solved again with that
    ``y = 1``; once per task. Values closer than `SAME` are equal, and go to the first task of the
    application, then to the first processor of the platform.

    Beyond the source: where the program then has no solution, the processor is excluded for that
    task and the step is repeated. What memory or intervals do not allow exactly is never chosen.

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
        If the relaxed program has no solution, or none is left, or the solver cannot solve it.
    Cancelled, OutOfTime
        If the solve was asked to stop.
    """

    def largest(shares: Shares) -> tuple[int, int]:
        most = max(shares.values())
        return min(key for key, share in shares.items() if share >= most - SAME)

    return _rounded(tables, control, largest)


def rlp_rand(tables: MonoTables, control: Control, seed: int = 0) -> list[int]:
    """Map tasks in random order, with the relaxed values as probabilities (thesis, Algorithm 4).

    As `rlp_max`, but a task that is not mapped is drawn, all with the same probability, and its
    processor with the probability ``y``.

    Parameters
    ----------
    seed
        The same seed gives the same mapping.

    Raises
    ------
    NoMapping
        If the relaxed program has no solution, or none is left, or the solver cannot solve it.
    Cancelled, OutOfTime
        If the solve was asked to stop.
    """
    random = Random(seed)

    def drawn(shares: Shares) -> tuple[int, int]:
        tasks = sorted({task for task, _ in shares})
        task = tasks[random.randrange(len(tasks))]
        able = sorted(i for k, i in shares if k == task)
        weights = [shares[task, i] if shares[task, i] > SAME else 0.0 for i in able]
        if not any(weights):
            weights = [shares[task, i] + SAME for i in able]
        return task, random.choices(able, weights)[0]

    return _rounded(tables, control, drawn)


def _rounded(
    tables: MonoTables, control: Control, choose: Callable[[Shares], tuple[int, int]]
) -> list[int]:
    try:
        begun = Program.begun(tables, control, reference=_reference(tables, control))
        model = build_fixed(begun).model
    except NoAssignment:
        raise NoMapping("some task has no processor that its files can reach") from None
    try:
        mapping = _fixed_one_by_one(tables, control, choose, model)
    except SolverError:
        raise NoMapping(
            "the solver cannot solve the relaxed program in double precision: the times, speeds or"
            " sizes may differ by too many powers of ten"
        ) from None
    if mapping is None:
        raise NoMapping("the relaxed program has no solution that goes on from the tasks mapped")
    return mapping


def _fixed_one_by_one(
    tables: MonoTables, control: Control, choose: Callable[[Shares], tuple[int, int]], model: Any
) -> list[int] | None:
    limits = tables.limits
    mapping: dict[int, int] = {}
    placed: list[int | None] = [None] * len(tables.tasks)
    excluded: set[tuple[int, int]] = set()
    with Relaxation(model, control) as relaxation:
        feasible = relaxation.solve()
        while feasible and len(mapping) < len(tables.tasks):
            values = relaxation.values_of(model.placed)
            # Exactly, because the program has tolerances.
            held = [] if limits is None else limits.held(placed)
            shares = {
                (k, i): max(0.0, values.get((k, i), 0.0))
                for k, i in model.placed
                if k not in mapping and (k, i) not in excluded
                if limits is None or limits.allow(placed, held, {k: i})
            }
            if not shares:
                return None
            task, processor = choose(shares)
            relaxation.fix(model.placed[task, processor], 1)
            feasible = relaxation.solve()
            if feasible:
                mapping[task] = placed[task] = processor
            else:
                excluded.add((task, processor))
                relaxation.fix(model.placed[task, processor], 0)
                feasible = relaxation.solve()
    if not feasible:
        return None
    return [mapping[task] for task in range(len(tables.tasks))]


def _reference(tables: MonoTables, control: Control) -> Fraction:
    """Give a period to measure by."""
    try:
        return tables.period(simple_greedy(tables, control))
    except NoMapping:
        longest = (max(tables.time(k, i) for i in row) for k, row in enumerate(tables.labels))
        return sum(longest, Fraction(0))
