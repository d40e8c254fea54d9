"""Faults, method and size of a `cell` instance, before anything is built."""

from collections.abc import Iterator
from fractions import Fraction
from math import lcm

from steadygrid.domain.application import graph_faults
from steadygrid.domain.errors import Fault, Pointer
from steadygrid.domain.job import Options
from steadygrid.domain.problem import Sizing
from steadygrid.kinds.cell.periods import buffers, buffers_by_task, first_periods
from steadygrid.kinds.cell.schemas import CellInstance, CellTask

MOST_DIGITS = 900
"""Of the common denominator of all times. A period is a sum of them."""


def faults(instance: CellInstance, options: Options, at: Pointer) -> Iterator[Fault]:
    """List the faults of a well-formed instance.

    Rules, in order:

    1. There is a core.
    2. The rules of the application's graph hold.
    3. Times have a common denominator of at most `MOST_DIGITS` digits.
    4. Every task has a time on a type of core that there is.
    5. A local store can hold its buffers, or it has a time on a PPE.
    6. Local stores together can hold the buffers of the tasks that only SPEs can run.
    7. Calls are enough for the files that must move between PPEs and SPEs.
    8. There is a PPE where all tasks shall be on one.
    9. The throughput is bounded.

    Parameters
    ----------
    instance
        Well-formed. It may have faults.
    options
        Not read.
    at
        Place of the instance in the submission; pointers to faults begin with it.
    """
    machine = instance.machine
    here = (*at, "application")
    if not machine.ppes + machine.spes:
        yield Fault(
            (*at, "machine"), "no_core", "the machine has neither a PPE nor an SPE: give it one"
        )
        return
    sound = True
    for fault in _faults_of_parts(instance, here):
        sound = False
        yield fault
    if instance.method == "ppe_only" and not machine.ppes:
        yield Fault(
            (*at, "method"),
            "method_not_applicable",
            'the machine has no PPE: use "milp" or "greedy"',
        )
    if not sound:
        return
    for fault in _room_faults(instance, here):
        sound = False
        yield fault
    if sound:
        yield from _call_faults(instance, here)
        yield from _unbounded(instance, here)


def _faults_of_parts(instance: CellInstance, at: Pointer) -> Iterator[Fault]:
    machine, application = instance.machine, instance.application
    yield from graph_faults([task.id for task in application.tasks], application.files, at)
    yield from _long_numbers(instance, at)
    for i, task in enumerate(application.tasks):
        if task.time_ppe is None and task.time_spe is None:
            yield Fault(
                (*at, "tasks", i),
                "task_without_core",
                f"no core can run task {task.id!r}: give time_ppe, time_spe or both",
            )
        elif not _on_ppe(instance, task) and not _on_spe(instance, task):
            there, field = ("SPE", "time_spe") if not machine.ppes else ("PPE", "time_ppe")
            yield Fault(
                (*at, "tasks", i),
                "task_without_core",
                f"no core can run task {task.id!r}: the machine has {there}s only. Give {field}",
            )


def _long_numbers(instance: CellInstance, at: Pointer) -> Iterator[Fault]:
    """Refuse times whose sums could not be printed."""
    width = instance.machine.bandwidth
    common = 1
    parts: list[tuple[Pointer, list[Fraction]]] = [
        (
            (*at, "tasks", i),
            [
                task.time_ppe or Fraction(0),
                task.time_spe or Fraction(0),
                task.read / width,
                task.write / width,
            ],
        )
        for i, task in enumerate(instance.application.tasks)
    ]
    parts += [
        ((*at, "files", i), [file.size / width])
        for i, file in enumerate(instance.application.files)
    ]
    for pointer, times in parts:
        common = lcm(common, *(time.denominator for time in times))
        if common >= 10**MOST_DIGITS:
            yield Fault(
                pointer,
                "too_many_digits",
                "the common denominator of all times, down to this one, has more than"
                f" {MOST_DIGITS} digits: round the times, sizes and the bandwidth",
            )
            return


def _on_ppe(instance: CellInstance, task: CellTask) -> bool:
    return task.time_ppe is not None and instance.machine.ppes > 0


def _on_spe(instance: CellInstance, task: CellTask) -> bool:
    return task.time_spe is not None and instance.machine.spes > 0


def _room_faults(instance: CellInstance, at: Pointer) -> Iterator[Fault]:
    """Find tasks that fit nowhere, and SPEs that cannot hold all that only they can run."""
    machine = instance.machine
    needed = buffers_by_task(instance, buffers(instance, first_periods(instance)))
    reason = "it has no PPE time" if machine.ppes else "the machine has no PPE"
    bound: list[int] = []
    for i, task in enumerate(instance.application.tasks):
        if _on_ppe(instance, task):
            continue
        bound.append(i)
        if needed[i] > machine.local_store:
            yield Fault(
                (*at, "tasks", i),
                "no_room",
                f"task {task.id!r} fits on no SPE: its buffers need"
                f" {written(needed[i])} of {written(machine.local_store)} bytes, and {reason}",
            )
    together = sum((needed[i] for i in bound), Fraction(0))
    every = machine.spes * machine.local_store
    if together > every:
        yield Fault(
            (*at, "tasks"),
            "no_room",
            f"the {len(bound)} tasks that only SPEs can run do not fit: their buffers need"
            f" {written(together)} bytes, and {machine.spes} local stores have"
            f" {written(every)}. Give more SPEs, or times on a PPE",
        )


def _call_faults(instance: CellInstance, at: Pointer) -> Iterator[Fault]:
    """Find tasks that need more files from the other type of core than can be fetched."""
    machine, tasks = instance.machine, instance.application.tasks
    needed = buffers_by_task(instance, buffers(instance, first_periods(instance)))
    on_ppe = [_on_ppe(instance, task) for task in tasks]
    on_spe = [
        _on_spe(instance, task) and room <= machine.local_store
        for task, room in zip(tasks, needed, strict=True)
    ]
    from_ppes, from_spes = [0] * len(tasks), [0] * len(tasks)
    for source, target, _ in instance.files:
        from_ppes[target] += not on_spe[source]
        from_spes[target] += not on_ppe[source]
    most = machine.dma_spe_to_ppe * machine.spes
    for i, task in enumerate(tasks):
        if not on_ppe[i] and from_ppes[i] > machine.dma_into_spe:
            yield Fault(
                (*at, "tasks", i),
                "too_many_calls",
                f"task {task.id!r} runs on SPEs only and uses {from_ppes[i]} files of tasks that"
                f" run on PPEs only, and an SPE can fetch {machine.dma_into_spe} per period",
            )
        if not on_spe[i] and from_spes[i] > most:
            yield Fault(
                (*at, "tasks", i),
                "too_many_calls",
                f"task {task.id!r} runs on PPEs only and uses {from_spes[i]} files of tasks that"
                f" run on SPEs only. A PPE can fetch {machine.dma_spe_to_ppe} from each of"
                f" {machine.spes} SPEs per period",
            )


def _unbounded(instance: CellInstance, at: Pointer) -> Iterator[Fault]:
    """Refuse what would take no time at all, as far as room for single groups of tasks goes.

    Tasks that exchange data must then share a core. Each group is free on one type of core, on an SPE
    only if its buffers fit there together.
    """
    tasks = instance.application.tasks
    leader = list(range(len(tasks)))

    def lead(task: int) -> int:
        while leader[task] != task:
            leader[task] = task = leader[leader[task]]
        return task

    for source, target, size in instance.files:
        if size:
            leader[lead(source)] = lead(target)
    free = {lead(i): {"ppe", "spe"} for i in range(len(tasks))}
    room = dict.fromkeys(free, Fraction(0))
    for i, need in enumerate(buffers_by_task(instance, buffers(instance, first_periods(instance)))):
        room[lead(i)] += need
    for i, task in enumerate(tasks):
        if room[lead(i)] > instance.machine.local_store:
            free[lead(i)].discard("spe")
        idle = not (task.read or task.write)
        if not (idle and _on_ppe(instance, task) and task.time_ppe == 0):
            free[lead(i)].discard("ppe")
        if not (idle and _on_spe(instance, task) and task.time_spe == 0):
            free[lead(i)].discard("spe")
    if all(free.values()):
        yield Fault(
            at,
            "unbounded_throughput",
            "all tasks can run in no time without moving any data, so the throughput has no"
            " bound: give a task some time, or a file a size",
        )


def written(quantity: Fraction) -> str:
    """Write an amount of data: ``270,336``, or a fraction."""
    if quantity.denominator == 1:
        return f"{quantity.numerator:,}"
    return str(quantity) if quantity.denominator < 10**6 else f"about {float(quantity):,.6g}"


def sizing(instance: CellInstance, options: Options) -> Sizing:
    """Name the method and count what it has to handle.

    Parameters
    ----------
    instance
        Without faults.
    options
        Not read.

    Notes
    -----
    The program of ``milp`` has about ``tasks * cores + files * (SPEs + PPEs * cores)``
    variables. See `steadygrid/kinds/cell/solver/model.py`.
    """
    machine, application = instance.machine, instance.application
    cores = machine.ppes + machine.spes
    num_tasks, num_files = len(application.tasks), len(application.files)
    sizes = {"tasks": num_tasks, "files": num_files, "cores": cores}
    if instance.method == "milp":
        moved = machine.spes + machine.ppes * cores
        sizes |= {
            "variables": 1 + num_tasks * cores + num_files * moved,
            "constraints": num_tasks
            + 2 * num_files * cores
            + 4 * cores
            + (2 + machine.ppes) * machine.spes,
            "coefficients": 6 * num_tasks * cores + num_files * (6 * moved + 2 * cores),
        }
    return Sizing(
        instance.method,
        sizes,
        warnings=tuple(_unused(instance)),
        remedy='ask for "method": "greedy", or for fewer cores',
    )


def _unused(instance: CellInstance) -> Iterator[str]:
    """Name what is given but cannot matter."""
    fed = {target for _, target, _ in instance.files}
    for i, task in enumerate(instance.application.tasks):
        if task.peek and i not in fed:
            yield f"the peek of task {task.id!r} is not used: it uses no file"
    for field, there in (("time_ppe", instance.ppes), ("time_spe", instance.spes)):
        if not there and any(
            getattr(task, field) is not None for task in instance.application.tasks
        ):
            yield f"{field} is not used: the machine has no {field[-3:].upper()}"
