"""The shortest period by trying every mapping, in the words of chapter 7 alone."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import product

from steadygrid.kinds.cell.schemas import CellInstance


def first_periods(instance: CellInstance) -> dict[str, int]:
    """Theorem 7.1, by recursion."""
    tasks = {task.id: task for task in instance.application.tasks}

    def of_task(name: str) -> int:
        files = [f for f in instance.application.files if f.target == name]
        if not files:
            return 1
        return max(of_task(f.source) + 1 for f in files) + tasks[name].peek + 1

    return {name: of_task(name) for name in tasks}


def buffer_sizes(instance: CellInstance) -> dict[tuple[str, str], Fraction]:
    """Section 7.2.2."""
    first = first_periods(instance)
    return {
        (f.source, f.target): f.size * (first[f.target] - first[f.source])
        for f in instance.application.files
    }


def period_of(instance: CellInstance, mapping: Mapping[str, str]) -> Fraction | None:
    """Give the period of a mapping; None if it breaks (7.1h), (7.1i) or (7.1j)."""
    machine, application = instance.machine, instance.application
    buffers = buffer_sizes(instance)
    cores = [f"PPE{i + 1}" for i in range(machine.ppes)]
    spes = [f"SPE{i + 1}" for i in range(machine.spes)]
    moved = [f for f in application.files if mapping[f.source] != mapping[f.target]]
    for spe in spes:
        room = sum(
            room * ((mapping[k] == spe) + (mapping[l] == spe)) for (k, l), room in buffers.items()
        )
        if room > machine.local_store:
            return None
        if sum(mapping[f.target] == spe for f in moved) > machine.dma_into_spe:
            return None
        for ppe in cores:
            calls = sum((mapping[f.source], mapping[f.target]) == (spe, ppe) for f in moved)
            if calls > machine.dma_spe_to_ppe:
                return None
    longest = Fraction(0)
    for core in (*cores, *spes):
        here = [task for task in application.tasks if mapping[task.id] == core]
        times = [task.time_ppe if core in cores else task.time_spe for task in here]
        data_in = sum(t.read for t in here) + sum(
            f.size for f in moved if mapping[f.target] == core
        )
        data_out = sum(t.write for t in here) + sum(
            f.size for f in moved if mapping[f.source] == core
        )
        longest = max(
            longest,
            sum((t for t in times if t is not None), Fraction(0)),
            data_in / machine.bandwidth,
            data_out / machine.bandwidth,
        )
    return longest


def mappings(instance: CellInstance) -> Iterator[dict[str, str]]:
    """Every way to give each task a core that has a time for it."""
    machine = instance.machine
    choices = [
        [f"PPE{i + 1}" for i in range(machine.ppes if task.time_ppe is not None else 0)]
        + [f"SPE{i + 1}" for i in range(machine.spes if task.time_spe is not None else 0)]
        for task in instance.application.tasks
    ]
    names = [task.id for task in instance.application.tasks]
    for cores in product(*choices):
        yield dict(zip(names, cores, strict=True))


def shortest_period(instance: CellInstance) -> Fraction | None:
    """Give the shortest period of all mappings; None if every one breaks a limit."""
    periods = (period_of(instance, mapping) for mapping in mappings(instance))
    return min((period for period in periods if period is not None), default=None)
