"""Whether any mapping keeps the limits of local stores and calls: exact search, by depth first."""

from steadygrid.engine.solving.control import Control
from steadygrid.kinds.cell.solver.tables import Occupancy, Tables

MOST_STEPS = 200_000
"""Placements tried before the search gives up."""
_BETWEEN_CHECKS = 1_024


class UndecidedError(Exception):
    """The search has taken too many steps."""


def crowded(tables: Tables) -> bool:
    """Tell whether counting proves that the tasks that only SPEs can run do not fit on them.

    For every size s of such a task: as many tasks of size s or more fit into a store as the
    smallest of them do. And where s is at most half a store, two tasks of more than half a store
    share none, those that leave less than s share with no task from s on. And what the tasks
    from s to half a store need beyond what the others leave takes stores of its own (the bound
    L2 of bin packing, Martello and Toth, 1990).

    Notes
    -----
    O(tasks^2).
    """
    store, spes = tables.store, len(tables.cores) - tables.num_ppes
    sizes = sorted(
        tables.need[task] for task, able in enumerate(tables.able) if able[0] >= tables.num_ppes
    )
    for k, least in enumerate(sizes):
        rest = sizes[k:]
        number = total = 0
        while number < len(rest) and total + rest[number] <= store:
            total += rest[number]
            number += 1
        if len(rest) > number * spes:
            return True
        if 2 * least <= store:
            alone = sum(size > store - least for size in rest)
            large = [size for size in rest if store < 2 * size <= 2 * (store - least)]
            small = sum(size for size in rest if 2 * size <= store)
            room = len(large) * store - sum(large)
            if alone + len(large) + max(0, -(-(small - room) // max(1, store))) > spes:
                return True
    return False


def find_placement(tables: Tables, control: Control, *, calls: bool = True) -> list[int] | None:
    """Find a mapping that keeps all limits. None if there is none, which is then proved.

    Tasks are placed one by one, those with the fewest cores and the largest buffers first; of the
    cores of a type that are still empty only the first is tried. What a partial mapping breaks,
    no further task mends.

    Parameters
    ----------
    calls
        False: as if calls were not limited.

    Raises
    ------
    UndecidedError
        After `MOST_STEPS`.
    Cancelled, OutOfTime
        When cancelled or out of time.
    """
    if crowded(tables):
        return None
    order = sorted(
        range(len(tables.tasks)), key=lambda k: (len(tables.able[k]), -tables.need[k], k)
    )
    use = Occupancy(tables, [None] * len(order))
    if not calls:
        use.lift_calls()
    choices = [_choices(tables, use, order[0])]
    steps = 0
    while choices:
        task = order[len(choices) - 1]
        if use.place[task] is not None:
            use.take(task)
        if not choices[-1]:
            choices.pop()
            continue
        steps += 1
        if steps > MOST_STEPS:
            raise UndecidedError
        if steps % _BETWEEN_CHECKS == 0:
            control.check()
        use.place_task(task, choices[-1].pop(0))
        if use.excess:
            continue
        if len(choices) == len(order):
            return [core for core in use.place if core is not None]
        choices.append(_choices(tables, use, order[len(choices)]))
    return None


def _choices(tables: Tables, use: Occupancy, task: int) -> list[int]:
    """Cores to try: PPEs first, which have room; of the empty ones of a type only one."""
    used = set(use.place)
    chosen: list[int] = []
    fresh: set[bool] = set()
    for core in tables.able[task]:
        if core not in used:
            core_type = core < tables.num_ppes
            if core_type in fresh:
                continue
            fresh.add(core_type)
        chosen.append(core)
    return chosen


def explain_infeasible(tables: Tables, control: Control) -> str:
    """Say why no mapping keeps the limits, given that none does.

    Parameters
    ----------
    tables
        The instance in whole numbers.
    control
        Deadline, cancellation and progress of the solve.

    Raises
    ------
    Cancelled, OutOfTime
        When cancelled or out of time.
    """
    instance = tables.instance
    machine = instance.machine
    bound = sum(able[0] >= tables.num_ppes for able in tables.able)
    who = f"the {bound} tasks that only SPEs can run" if bound > 1 else "the tasks"
    try:
        fits = find_placement(tables, control, calls=False) is not None
    except UndecidedError:
        fits = True
    if not fits:
        return (
            f"no mapping fits: however {who} are shared among {machine.spes} local stores of"
            f" {float(machine.local_store):,.6g} bytes, the buffers of some do not fit; give more"
            " SPEs, larger local stores, or times on a PPE"
        )
    return (
        f"no mapping fits: the buffers alone would, but however {who} are placed, some SPE fetches"
        f" more than {machine.dma_into_spe} files per period, or some PPE more than"
        f" {machine.dma_spe_to_ppe} from one SPE"
    )
