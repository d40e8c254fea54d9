"""An instance in whole numbers: what every task, file and core takes, by position."""

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import lcm

from steadygrid.kinds.cell.periods import buffers, buffers_by_task, first_periods
from steadygrid.kinds.cell.schemas import CellInstance

USES = ("compute", "in", "out")
"""What an instance occupies of each core, by the suffix of the resource's name."""


class Tables:
    """Times and sizes over common denominators, so that mappings are compared exactly and fast.

    A mapping is a list of core indices, one per task; PPEs come first.

    Attributes
    ----------
    cores
        Names.
    num_ppes
        Cores below this index are PPEs.
    first
        First period of each task.
    room
        Data that each file's buffer takes, at either end.
    compute
        Time of each task on a PPE and on an SPE, None where it cannot run; in `unit`.
    read, write, move
        Time of each task's reads and writes and of each file on an interface; in `unit`.
    need, store
        Data of each task's buffers and of a local store; in `store_unit`.
    unit, store_unit
        Time, and data, per whole unit.
    """

    def __init__(self, instance: CellInstance) -> None:
        machine, tasks = instance.machine, instance.application.tasks
        self.instance = instance
        self.tasks = tuple(task.id for task in tasks)
        self.cores = (*instance.ppes, *instance.spes)
        self.num_ppes = machine.ppes
        self.first = first_periods(instance)
        self.room = buffers(instance, self.first)
        needed = buffers_by_task(instance, self.room)
        width = machine.bandwidth
        sizes = [size / width for _, _, size in instance.files]
        reads, writes = (
            [getattr(task, name) / width for task in tasks] for name in ("read", "write")
        )
        given = [time for t in tasks for time in (t.time_ppe, t.time_spe) if time is not None]
        common = lcm(*(time.denominator for time in (*given, *sizes, *reads, *writes)))
        self.unit = Fraction(1, common)
        self.read, self.write, self.move = (
            [int(time * common) for time in times] for times in (reads, writes, sizes)
        )
        self.compute = [(_whole(t.time_ppe, common), _whole(t.time_spe, common)) for t in tasks]
        of_data = lcm(machine.local_store.denominator, *(need.denominator for need in needed))
        self.need = [int(need * of_data) for need in needed]
        self.store = int(machine.local_store * of_data)
        self.store_unit = Fraction(1, of_data)
        self.files = [(source, target) for source, target, _ in instance.files]
        self.incoming: list[list[int]] = [[] for _ in tasks]
        self.outgoing: list[list[int]] = [[] for _ in tasks]
        for file, (source, target) in enumerate(self.files):
            self.outgoing[source].append(file)
            self.incoming[target].append(file)
        cores = range(len(self.cores))
        self.able = [
            [
                core
                for core in cores
                if self.time(task, core) is not None
                and (core < self.num_ppes or self.need[task] <= self.store)
            ]
            for task in range(len(tasks))
        ]
        """Cores that can run each task, the size of its own buffers considered."""

    def time(self, task: int, core: int) -> int | None:
        """Time of a task on a core, in `unit`.

        Parameters
        ----------
        task, core
            Positions.

        Returns
        -------
        int or None
            None where the core cannot run the task.
        """
        return self.compute[task][core >= self.num_ppes]

    def occupation(self, mapping: Sequence[int]) -> dict[str, Fraction]:
        """Give the time that one instance takes of each resource, zero ones left out."""
        use = Occupancy(self, mapping)
        return {
            f"{core}.{suffix}": times[i] * self.unit
            for suffix, times in zip(USES, use.times, strict=True)
            for i, core in enumerate(self.cores)
            if times[i]
        }

    def period(self, mapping: Sequence[int]) -> Fraction:
        """Give the longest time that an instance takes of one resource."""
        return Occupancy(self, mapping).longest * self.unit


def _whole(time: Fraction | None, common: int) -> int | None:
    return None if time is None else int(time * common)


class Occupancy:
    """What a mapping takes of every core. Tasks can be put and taken one by one.

    Attributes
    ----------
    place
        Core of each task, None while it is on none.
    times
        `USES` by core, in the tables' unit.
    used
        Data in each core's local store; of PPEs, too, where it does not matter.
    fetched
        Files that each core fetches per period.
    fetched_from
        Files that a PPE fetches from an SPE per period, by both.
    excess
        How far the limits are broken; 0 if they are kept.
    """

    def __init__(self, tables: Tables, mapping: Sequence[int | None]) -> None:
        machine = tables.instance.machine
        self.tables = tables
        num_cores = len(tables.cores)
        self.place: list[int | None] = [None] * len(mapping)
        self.times = tuple([0] * num_cores for _ in USES)
        self.used = [0] * num_cores
        self.fetched = [0] * num_cores
        self.fetched_from: Counter[tuple[int, int]] = Counter()
        self.excess = 0
        self._into, self._to_ppe = machine.dma_into_spe, machine.dma_spe_to_ppe
        self._per_call = max(1, tables.store)
        for task, core in enumerate(mapping):
            if core is not None:
                self.place_task(task, core)

    def place_task(self, task: int, core: int) -> None:
        """Let a task that is on no core run on this one.

        Parameters
        ----------
        task, core
            Positions.
        """
        self._change(task, core, 1)
        self.place[task] = core

    def take(self, task: int) -> int:
        """Take a task off its core, and say which it was."""
        core = self.place[task]
        if core is None:
            raise ValueError("the task is on no core")
        self.place[task] = None
        self._change(task, core, -1)
        return core

    def lift_calls(self) -> None:
        """Let calls be without limit, while no task is placed."""
        self._into = self._to_ppe = len(self.tables.files)

    def _change(self, task: int, core: int, sign: int) -> None:
        tables = self.tables
        compute, arriving, leaving = self.times
        compute[core] += sign * (tables.time(task, core) or 0)
        arriving[core] += sign * tables.read[task]
        leaving[core] += sign * tables.write[task]
        used = self.used[core]
        self.used[core] = used + sign * tables.need[task]
        if core >= tables.num_ppes:
            self.excess += max(0, self.used[core] - tables.store) - max(0, used - tables.store)
        for file in tables.incoming[task]:
            other = self.place[tables.files[file][0]]
            if other is not None and other != core:
                arriving[core] += sign * tables.move[file]
                leaving[other] += sign * tables.move[file]
                self._fetch(core, other, sign)
        for file in tables.outgoing[task]:
            other = self.place[tables.files[file][1]]
            if other is not None and other != core:
                leaving[core] += sign * tables.move[file]
                arriving[other] += sign * tables.move[file]
                self._fetch(other, core, sign)

    def _fetch(self, core: int, source: int, sign: int) -> None:
        self.fetched[core] += sign
        calls, most = self.fetched[core], self._into
        if core < self.tables.num_ppes:
            if source < self.tables.num_ppes:
                return
            self.fetched_from[core, source] += sign
            calls = self.fetched_from[core, source]
            most = self._to_ppe
        if max(calls, calls - sign) > most:
            self.excess += sign * self._per_call

    @property
    def longest(self) -> int:
        """The period, in the tables' unit."""
        return max(map(max, self.times))

    def breaks_limit(self, core: int) -> bool:
        """Tell whether an SPE breaks a limit, of its own or of what a PPE fetches from it."""
        return (
            self.used[core] > self.tables.store
            or self.fetched[core] > self._into
            or any(
                self.fetched_from[ppe, core] > self._to_ppe for ppe in range(self.tables.num_ppes)
            )
        )

    def breaches(self) -> Iterator[str]:
        """Say which limits are broken: (7.1h), (7.1i), (7.1j)."""
        names = self.tables.cores
        for core in range(self.tables.num_ppes, len(names)):
            if self.used[core] > self.tables.store:
                yield f"the buffers on {names[core]} do not fit into its local store"
            if self.fetched[core] > self._into:
                yield (
                    f"{names[core]} would fetch {self.fetched[core]} files, and can {self._into}"
                )
        for (core, source), calls in self.fetched_from.items():
            if calls > self._to_ppe:
                yield (
                    f"{names[core]} would fetch {calls} files from {names[source]}, and can"
                    f" {self._to_ppe}"
                )
