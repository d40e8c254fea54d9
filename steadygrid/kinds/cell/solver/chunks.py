"""A mapping that cuts the application into pieces, one for each core."""

from collections.abc import Sequence

from steadygrid.kinds.cell.solver.tables import Tables


def in_pieces(tables: Tables, cores: Sequence[int]) -> list[int]:
    """Fill the cores one after the other, producers before users, to the least common level.

    Few files then move between cores, wherever the application is more deep than wide. The level
    is the least computing time, found by bisection, at which all tasks find a core with room.
    Calls do not count, and a task that no core of the order could take at its turn goes where
    least is computed: the mapping may break limits.

    Parameters
    ----------
    cores
        The order in which they are filled.

    Notes
    -----
    O((tasks + files) log(total time)), and that times cores for tasks that fit nowhere.
    """
    order = sorted(range(len(tables.tasks)), key=lambda task: tables.first[task])
    low = 0
    high = sum(max(time or 0 for time in times) for times in tables.compute)
    best = _filled(tables, cores, order, high)[0]
    while low < high:
        level = (low + high) // 2
        mapping, left = _filled(tables, cores, order, level)
        if left:
            low = level + 1
        else:
            best, high = mapping, level
    return best


def _filled(
    tables: Tables, cores: Sequence[int], order: Sequence[int], level: int
) -> tuple[list[int], bool]:
    """Fill to a level; tell whether a task that could run on the order's cores found none."""
    mapping = [-1] * len(order)
    time, room = [0] * len(tables.cores), [0] * len(tables.cores)
    current, left = 0, False

    def put(task: int, core: int) -> None:
        mapping[task] = core
        time[core] += tables.time(task, core) or 0
        room[core] += tables.need[task]

    for task in order:
        able = set(tables.able[task])
        here = current
        while here < len(cores) and not (
            cores[here] in able
            and time[cores[here]] + (tables.time(task, cores[here]) or 0) <= level
            and (
                cores[here] < tables.num_ppes
                or room[cores[here]] + tables.need[task] <= tables.store
            )
        ):
            here += 1
        if here < len(cores):
            put(task, cores[here])
            # What only the other type of core can run does not end a piece.
            if cores[current] in able:
                current = here
        else:
            left = True
            put(task, min(able, key=lambda core: (time[core], core)))
    return mapping, left
