"""A `cell` instance in the referee's terms, derived anew from what was asked."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from steadygrid.domain.amounts import Amounts
from steadygrid.domain.resources import compute_resource, in_resource, out_resource
from steadygrid.domain.schedule import Schedule
from steadygrid.domain.slots import FileName
from steadygrid.kinds.cell.schemas import CellInstance, CellTask
from steadygrid.verification.network import Hop, Network
from steadygrid.verification.steady import SteadyInstance


@dataclass(frozen=True)
class RefereeView:
    """Cores, times, first periods and buffers."""

    instance: CellInstance

    @cached_property
    def ppes(self) -> frozenset[str]:
        """Names of the PPEs."""
        return frozenset(f"PPE{i}" for i in range(1, self.instance.machine.ppes + 1))

    @cached_property
    def spes(self) -> list[str]:
        """Names of the SPEs, in order."""
        return [f"SPE{i}" for i in range(1, self.instance.machine.spes + 1)]

    @cached_property
    def cores(self) -> list[str]:
        """All cores, PPEs first, in order."""
        return [*(f"PPE{i}" for i in range(1, self.instance.machine.ppes + 1)), *self.spes]

    @cached_property
    def tasks(self) -> dict[str, CellTask]:
        """Tasks by id."""
        return {task.id: task for task in self.instance.application.tasks}

    @cached_property
    def sizes(self) -> dict[FileName, Fraction]:
        """Data of each file."""
        return {(f.source, f.target): f.size for f in self.instance.application.files}

    def time(self, task: str, core: str) -> Fraction | None:
        """Time of a task on a core, None where it cannot run.

        Parameters
        ----------
        task
            Its name.
        core
            Name of a PPE or an SPE.

        Returns
        -------
        Fraction or None
            In time units of the machine.
        """
        asked = self.tasks[task]
        return asked.time_ppe if core in self.ppes else asked.time_spe

    @cached_property
    def first(self) -> dict[str, int]:
        """First period of each task, by Theorem 7.1."""
        first = dict.fromkeys(self.tasks, 1)
        users: dict[str, list[str]] = {task: [] for task in self.tasks}
        unknown = dict.fromkeys(self.tasks, 0)
        for source, target in self.sizes:
            users[source].append(target)
            unknown[target] += 1
        known = [task for task, number in unknown.items() if number == 0]
        while known:
            source = known.pop()
            sent = first[source] + 1
            for target in users[source]:
                first[target] = max(first[target], sent + self.tasks[target].peek + 1)
                unknown[target] -= 1
                if not unknown[target]:
                    known.append(target)
        return first

    @cached_property
    def buffers(self) -> dict[FileName, Fraction]:
        """Room that each file takes at either end."""
        return {
            (source, target): size * (self.first[target] - self.first[source])
            for (source, target), size in self.sizes.items()
        }

    @cached_property
    def needs(self) -> dict[str, Fraction]:
        """Room that the buffers of each task take on an SPE."""
        needs = dict.fromkeys(self.tasks, Fraction(0))
        for ends, room in self.buffers.items():
            for task in ends:
                needs[task] += room
        return needs

    def occupation(self, mapping: Mapping[str, str]) -> dict[str, Fraction]:
        """Give the time that one instance takes of each resource, zero ones left out."""
        width = self.instance.machine.bandwidth
        times: Amounts[str] = Amounts()

        def add(resource: str, time: Fraction | None) -> None:
            if time is not None and time > 0:
                times[resource] += time

        for task, core in mapping.items():
            add(compute_resource(core), self.time(task, core))
            add(in_resource(core), self.tasks[task].read / width)
            add(out_resource(core), self.tasks[task].write / width)
        for (source, target), size in self.sizes.items():
            if mapping[source] != mapping[target]:
                add(out_resource(mapping[source]), size / width)
                add(in_resource(mapping[target]), size / width)
        return times

    def calls(self, mapping: Mapping[str, str]) -> dict[tuple[str, str | None], int]:
        """Count the files that each SPE fetches, and each PPE from each SPE."""
        calls: Counter[tuple[str, str | None]] = Counter({(spe, None): 0 for spe in self.spes})
        for source, target in self.sizes:
            for call in self.call(mapping[source], mapping[target]):
                calls[call] += 1
        return calls

    def call(self, sender: str, receiver: str) -> Iterator[tuple[str, str | None]]:
        """Name the limit that a file from one core to another counts for, if any.

        Parameters
        ----------
        sender
            Core that makes the file.
        receiver
            Core that uses it; may be the same.

        Returns
        -------
        iterator of pair
            At most one: the core that fetches, and for a PPE the SPE it fetches from, else None.
        """
        if receiver not in self.ppes:
            if sender != receiver:
                yield receiver, None
        elif sender not in self.ppes:
            yield receiver, sender

    def most_calls(self, core: str) -> int:
        """Limit of what `calls` counts for a core."""
        machine = self.instance.machine
        return machine.dma_spe_to_ppe if core in self.ppes else machine.dma_into_spe

    def steady(self, schedule: Schedule | None) -> SteadyInstance:
        """State the instance in the terms of periodic schedules.

        The bus joins every core with every other; only the hops that a schedule names are made.
        """
        named = [] if schedule is None else list(_hops(schedule))
        known, step = set(self.cores), 1 / self.instance.machine.bandwidth
        hops = {
            (sender, receiver): Hop(
                step, None, ((out_resource(sender), step), (in_resource(receiver), step))
            )
            for sender, receiver in named
            if sender in known and receiver in known and sender != receiver
        }
        ports = frozenset(
            f"{core}.{direction}" for core in self.cores for direction in ("in", "out")
        )
        return SteadyInstance(
            Network("multiport", frozenset(known), frozenset(), hops, ports),
            {
                name: {
                    core: time for core in self.cores if (time := self.time(name, core)) is not None
                }
                for name in self.tasks
            },
            self.sizes,
            first_periods=self.first,
        )


def _hops(schedule: Schedule) -> Iterable[tuple[str, str]]:
    for allocation in schedule.allocations:
        for transfer in allocation.transfers:
            yield from zip(transfer.path, transfer.path[1:], strict=False)
    for slot in schedule.slots:
        for moved in slot.transfers:
            yield moved.sender, moved.receiver
