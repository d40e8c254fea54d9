"""When a task runs first, and how many instances of a file are kept: the same on any mapping."""

from collections.abc import Sequence
from fractions import Fraction

from steadygrid.kinds.cell.schemas import CellInstance


def first_periods(instance: CellInstance) -> list[int]:
    r"""Give the first period of each task, by position, counted from 1.

    .. math::
        \mu(T_l) = 1 \text{ without files}, \quad
        \mu(F_{kl}) = \mu(T_k) + 1, \quad
        \mu(T_l) = \max_k \mu(F_{kl}) + peek_l + 1

    Raises
    ------
    ValueError
        If the files form a cycle.

    Notes
    -----
    *Steady-State Scheduling of Task Graphs onto Heterogeneous Platforms*, Theorem 7.1. A file
    takes its period also where it stays on its core. Linear in tasks plus files.
    """
    tasks = instance.application.tasks
    users: list[list[int]] = [[] for _ in tasks]
    missing = [0] * len(tasks)
    for source, target, _ in instance.files:
        users[source].append(target)
        missing[target] += 1
    first = [1] * len(tasks)
    ready = [task for task, number in enumerate(missing) if not number]
    for task in ready:
        for user in users[task]:
            first[user] = max(first[user], first[task] + 2 + tasks[user].peek)
            missing[user] -= 1
            if not missing[user]:
                ready.append(user)
    if len(ready) < len(tasks):
        raise ValueError("the files form a cycle")
    return first


def buffers(instance: CellInstance, first: Sequence[int]) -> list[Fraction]:
    r"""Give the size of the buffer of each file, by position, in units of data.

    :math:`buff_{kl} = data_{kl} (\mu(T_l) - \mu(T_k))`, on both ends (section 7.2.2).

    Parameters
    ----------
    instance
        Its graph has no faults.
    first
        First period of each task, by position.
    """
    return [size * (first[target] - first[source]) for source, target, size in instance.files]


def buffers_by_task(instance: CellInstance, of_files: Sequence[Fraction]) -> list[Fraction]:
    """Add up, for each task, the buffers that it needs on the SPE that runs it.

    Parameters
    ----------
    instance
        Its graph has no faults.
    of_files
        Size of the buffer of each file, by position, in units of data.

    Returns
    -------
    list of Fraction
        By position of the task, in units of data.
    """
    needed = [Fraction(0)] * len(instance.application.tasks)
    for (source, target, _), room in zip(instance.files, of_files, strict=True):
        needed[source] += room
        needed[target] += room
    return needed
