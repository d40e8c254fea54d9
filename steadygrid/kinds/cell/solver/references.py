"""The two references: Algorithm 7, and all tasks on one PPE."""

from steadygrid.kinds.cell.solver.tables import Occupancy, Tables


class NoMappingError(Exception):
    """The method found no mapping. The text says why, for a person."""


def greedy(tables: Tables) -> list[int]:
    """Fill one SPE after the other, in the order of the tasks. The first PPE takes the rest.

    A task that breaks a limit of the current core, together with the tasks placed before it, is
    tried again on the next one, and no core is visited twice. A task without a time on SPEs goes
    to the first PPE, and the current core stays.

    Raises
    ------
    NoMappingError
        If a task breaks a limit on the last core, or cannot run there.

    Notes
    -----
    *Steady-State Scheduling of Task Graphs onto Heterogeneous Platforms*, Algorithm 7, which as
    printed leaves a task without a core when it moves on. O(tasks * cores^2 + files).
    """
    ppes = tables.num_ppes
    order = [*range(ppes, len(tables.cores)), *([0] if ppes else [])]
    use = Occupancy(tables, [None] * len(tables.tasks))
    current = 0
    for task, name in enumerate(tables.tasks):
        if tables.compute[task][1] is None and ppes:
            use.place_task(task, 0)
            if use.excess:
                reason = next(use.breaches())
                raise NoMappingError(f"task {name!r} runs on PPEs only, and {reason}")
            continue
        while True:
            core = order[current]
            reason = f"it has no time on {tables.cores[core]}"
            if tables.time(task, core) is not None:
                use.place_task(task, core)
                if not use.excess:
                    break
                reason = next(use.breaches())
                use.take(task)
            if current + 1 == len(order):
                raise NoMappingError(f"task {name!r} finds no core: {reason}")
            current += 1
    return [core for core in use.place if core is not None]


def ppe_only(tables: Tables) -> list[int]:
    """Put all tasks on the first PPE.

    Raises
    ------
    NoMappingError
        If there is no PPE, or a task has no time there.
    """
    if not tables.num_ppes:
        raise NoMappingError("the machine has no PPE")
    for name, (on_ppe, _) in zip(tables.tasks, tables.compute, strict=True):
        if on_ppe is None:
            raise NoMappingError(f"task {name!r} has no PPE time")
    return [0] * len(tables.tasks)
