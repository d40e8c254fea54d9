"""Faults and size of a `simulation` instance, before anything is carried out."""

from collections.abc import Iterator
from math import ceil
from typing import NamedTuple, Protocol

from steadygrid.domain.errors import Fault, Pointer
from steadygrid.domain.job import Execution, Options
from steadygrid.domain.periods import last_period
from steadygrid.domain.problem import Sizing
from steadygrid.domain.schedule import Schedule
from steadygrid.kinds.simulation.schemas import SimulationInstance
from steadygrid.kinds.simulation.subject import Subject, subject_faults, subject_of

SINCE = 14
"""Workers that solve less do not know this kind, see `steadygrid.kinds.SOLVES`."""
USUAL_INSTANCES = 1_000
USUAL_OPERATIONS = 2_000_000
"""Of all runs together, where the number of instances is not given."""
MOST_UNROLLED = 1_000_000
"""Operations of a run of a schedule without allocations, or by heft: all of them are in memory."""
WINDOWS = 3
"""A run completes at least so many times the instances that are in progress."""
PIECE = 5
"""Operations for which a piece of a program counts, which is slower to follow."""
LEAST_PERIODS = 2
"""Of which all instances are complete in a run."""


class Variant(NamedTuple):
    """An execution; of ``dispatch`` there may be two."""

    execution: Execution
    overtake: bool | None


def faults(instance: SimulationInstance, _options: Options, pointer: Pointer) -> Iterator[Fault]:
    """Find what is wrong with a well-formed instance.

    Rules, in order:

    1. The rules of `subject_faults` hold.
    2. No noise and no execution is listed twice.
    3. A run of a schedule without allocations, or by heft, has at most `MOST_UNROLLED` operations.
    4. Each execution is one of those that there are for the schedule.
    5. Of the size given there is a program, and it can be run.

    Parameters
    ----------
    instance
        Well-formed.
    _options
        Not read.
    pointer
        Where it is in the document; faults point there.
    """
    found = list(subject_faults(instance, pointer))
    yield from found
    for name in ("noise", "executions"):
        listed = getattr(instance, name) or ()
        for i, one in enumerate(listed):
            if one in listed[:i]:
                yield Fault((*pointer, name, i), "repeated", f"{one} is listed twice")
    if found:
        return
    subject = subject_of(instance)
    yield from _unrolled_faults(instance, subject, pointer)
    possible = subject.executions
    for i, execution in enumerate(instance.executions or ()):
        if execution not in possible:
            detail = (
                f"there is no execution {execution} of this schedule: take {', '.join(possible)}"
            )
            yield Fault((*pointer, "executions", i), "no_such_execution", detail)
    if "program" in possible and "program" in (instance.executions or possible):
        yield from _program_faults(instance, subject, pointer)


def _program_faults(
    instance: SimulationInstance, subject: Subject, pointer: Pointer
) -> Iterator[Fault]:
    """Refuse a size without a program, and a program that does not do what it should."""
    sizes = subject.programs
    if instance.bytes is not None and instance.bytes not in sizes:
        listed = ", ".join(f"{size:,}" for size in sizes)
        detail = f"no time is predicted for {instance.bytes:,} bytes. The result has {listed}"
        yield Fault((*pointer, "bytes"), "invalid_size", detail)
        return
    for fault in subject.program_of(instance.bytes).faults():
        yield fault._replace(pointer=(*pointer, *fault.pointer))


def _unrolled_faults(
    instance: SimulationInstance, subject: Subject, pointer: Pointer
) -> Iterator[Fault]:
    """Refuse runs of more operations than there is memory for."""
    heft = "heft" in (instance.executions or ())
    if heft:
        instances = batched(instance.batch, 1 if instance.instances is None else instance.instances)
    elif instance.instances is None or not subject.is_unrolled:
        return
    else:
        instances = instance.instances
    operations = extent_of(subject).operations(instances)
    if operations > MOST_UNROLLED:
        detail = (
            f"a run of {instances:,} instances takes {operations:,} operations, and at most"
            f" {MOST_UNROLLED:,} are carried out: ask for fewer"
        )
        few = heft and instance.instances is None
        at = "batch" if few else "instances"
        yield Fault((*pointer, at), "too_many_operations", detail)


def requires(_instance: SimulationInstance, _options: Options) -> int:
    """Say how new a version has to be that knows this kind.

    Parameters
    ----------
    _instance
        Not read.
    _options
        Not read.
    """
    return SINCE


def variants_of(instance: SimulationInstance, subject: Subject) -> list[Variant]:
    """List the executions that are simulated, in the order of rows.

    Parameters
    ----------
    instance
        Without faults.
    subject
        What is simulated.
    """
    wanted = instance.executions or subject.usual
    found: list[Variant] = []
    for execution in subject.executions:
        if execution not in wanted:
            continue
        both: tuple[bool | None, ...] = (None,)
        if execution == "dispatch" and subject.periodic.ports != "multiport":
            both = (False, True) if instance.overtake is None else (instance.overtake,)
        found += (Variant(execution, overtake) for overtake in both)
    return found


class Extended(Protocol):
    """How much is carried out in a run, of a schedule of any form."""

    def operations(self, instances: int, /) -> int:
        """Count the operations of a run with so many instances."""


class UnrolledExtent(NamedTuple):
    """How much is carried out in a run of a schedule without allocations."""

    per_instance: int
    runs_once: bool

    def operations(self, instances: int) -> int:
        """Count the operations of a run with so many instances.

        Parameters
        ----------
        instances
            That are complete.
        """
        return self.per_instance * (1 if self.runs_once else instances)


class Extent(NamedTuple):
    """How much is carried out in a run."""

    per_period: int
    """Operations."""
    warm_up: int
    """Periods that an instance takes at most."""
    schedule: Schedule

    @classmethod
    def from_schedule(cls, schedule: Schedule) -> "Extent":
        """Count the operations of a period, parts of files included."""
        found = 0
        for one in schedule.allocations:
            hops = sum(len(transfer.path) - 1 for transfer in one.transfers)
            copies = sum(map(len, one.tasks.values()))
            found += int(one.instances_per_period) * (hops + copies)
        if schedule.preempted:
            counts = schedule.counts
            found += counts.get("cargo", counts["transfers"]) + counts["computations"]
        warm_up = max(
            last_period(schedule.files, one, schedule.ports)
            for one in schedule.allocations
            if one.instances_per_period
        )
        return cls(found, warm_up, schedule)

    @property
    def usual_window(self) -> int:
        """Instances that have begun and not ended, in the steady state."""
        schedule = self.schedule
        return sum(
            int(one.instances_per_period) * last_period(schedule.files, one, schedule.ports)
            for one in schedule.allocations
            if one.instances_per_period
        )

    def operations(self, instances: int) -> int:
        """Count the operations of a run with so many instances.

        Parameters
        ----------
        instances
            That are complete.
        """
        periods = max(LEAST_PERIODS, ceil(instances / self.schedule.instances_per_period))
        return (periods + self.warm_up - 1) * self.per_period


def window_of(instance: SimulationInstance, extent: Extent, instances: int) -> int:
    """Give how many instances ``dispatch`` has in progress.

    Parameters
    ----------
    instance
        Without faults.
    extent
        Of the schedule.
    instances
        That each run completes.
    """
    if instance.window is not None:
        return instance.window
    return max(1, min(extent.usual_window, instances // WINDOWS))


def completed(under_way: int, instances: int) -> int:
    """Give how many instances a run without dates completes: those asked for, or a few windows.

    Parameters
    ----------
    under_way
        At a time.
    instances
        That were asked for.
    """
    return max(2, instances, WINDOWS * under_way)


def batched(batch: int, instances: int) -> int:
    """Give how many instances a run in batches completes: an even number of batches.

    Parameters
    ----------
    batch
        Instances that are planned together.
    instances
        That were asked for.
    """
    return 2 * batch * ceil(instances / (2 * batch))


def usual_instances(extent: Extended, runs: int) -> int:
    """Give how many instances each run completes where it was not said.

    Parameters
    ----------
    extent
        Of the schedule.
    runs
        How many runs there are.
    """
    low, high = 1, USUAL_INSTANCES
    while low < high:
        middle = (low + high + 1) // 2
        if runs * extent.operations(middle) <= USUAL_OPERATIONS:
            low = middle
        else:
            high = middle - 1
    return low


def num_runs(instance: SimulationInstance, variants: int) -> int:
    """Count the runs: one without noise, else one for each seed.

    Parameters
    ----------
    instance
        Without faults.
    variants
        How many executions are simulated.
    """
    return variants * sum(instance.seeds if noise else 1 for noise in instance.noise)


def sizing(instance: SimulationInstance, _options: Options) -> Sizing:
    """Count the operations of all runs together.

    Parameters
    ----------
    instance
        Without faults.
    _options
        Not read.
    """
    subject = subject_of(instance)
    variants = variants_of(instance, subject)
    runs = num_runs(instance, len(variants))
    runs_program = any(variant.execution == "program" for variant in variants)
    of_program = num_runs(instance, 1) if runs_program else 0
    extent = extent_of(subject)
    instances = instance.instances
    if subject.runs_once:
        instances = 1
    elif instances is None:
        instances = usual_instances(extent, runs - of_program)
    most = instances
    if isinstance(extent, Extent):
        most = max(instances, *_completed_instances(instance, subject, extent, instances))
    operations = (runs - of_program) * extent.operations(most)
    if of_program:
        operations += of_program * PIECE * subject.program_of(instance.bytes).pieces
    sizes = {"runs": runs, "instances": instances, "simulated_operations": operations}
    return Sizing("replay", sizes, tuple(_unused(instance, subject)))


def extent_of(subject: Subject) -> Extent | UnrolledExtent:
    """Give how much is carried out in a run.

    Parameters
    ----------
    subject
        What is simulated; without faults.
    """
    if not subject.is_unrolled:
        return Extent.from_schedule(subject.periodic)
    unrolled = subject.unrolled
    assert not isinstance(unrolled, list)
    return UnrolledExtent(unrolled.per_instance, subject.runs_once)


def _completed_instances(
    instance: SimulationInstance, subject: Subject, extent: Extent, instances: int
) -> Iterator[int]:
    """Give how many instances runs without dates complete."""
    yield 2
    used = {variant.execution for variant in variants_of(instance, subject)}
    if "dispatch" in used:
        yield completed(window_of(instance, extent, instances), instances)
    if "on_demand" in used:
        workers = len(subject.instance.platform.processors)
        yield completed(workers * (instance.buffer + 1), instances)
    if "heft" in used:
        yield batched(instance.batch, instances)


def _unused(instance: SimulationInstance, subject: Subject) -> Iterator[str]:
    wanted = instance.executions or subject.usual
    if instance.instances is not None and subject.runs_once:
        yield "instances is not used: the schedule runs once"
    elif instance.instances is not None and tuple(wanted) == ("program",):
        yield "instances is not used: a program runs one operation"
    if instance.bytes is not None and "program" not in wanted:
        yield "bytes is not used: no program is run"
    if instance.window is not None and "dispatch" not in wanted:
        yield "window is not used: nothing is dispatched"
    if instance.overtake is not None and "dispatch" not in wanted:
        yield "overtake is not used: nothing is dispatched"
    elif instance.overtake is not None and subject.periodic.ports == "multiport":
        yield "overtake is not used: under multiport transfers share links"
    if instance.batch != 100 and "heft" not in wanted:
        yield "batch is not used: nothing is planned in batches"
    if instance.buffer != 4 and "on_demand" not in wanted:
        yield "buffer is not used: no worker asks for tasks"
