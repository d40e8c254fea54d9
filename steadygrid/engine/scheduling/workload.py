"""What reconstruction is given: a platform, the files of an instance, and certified rates."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from graphlib import TopologicalSorter
from itertools import pairwise
from typing import NamedTuple

from steadygrid.domain.amounts import Amounts
from steadygrid.domain.combination import Combination
from steadygrid.domain.platform import Arc, Platform, PortModel, arc_uses, computing_resource
from steadygrid.domain.schedule import Allocation, Schedule, Transfer
from steadygrid.domain.slots import FileName
from steadygrid.engine.matching.odd_sets import OddSet, odd_uses


class Plan(NamedTuple):
    """One allocation before it gets a period."""

    rate: Fraction
    """Instances per time unit."""
    tasks: Mapping[str, tuple[str, ...]]
    """The processors that run each task: one, or several where it is duplicated."""
    transfers: tuple[Transfer, ...]
    """The routes of the files that move."""
    message: str | None = None
    """Which message of an instance it carries, where an instance is one of each of several."""
    combinations: tuple[Combination, ...] = ()
    """Of what the message has from several sources. Those that take time are tasks, too."""


def allocation_of(index: int, plan: Plan, count: int) -> Allocation:
    """Give the allocation of a plan.

    Parameters
    ----------
    index
        In the schedule.
    plan
        With its rate.
    count
        Instances per period.
    """
    return Allocation(
        index,
        plan.rate,
        Fraction(count),
        plan.tasks,
        plan.transfers,
        message=plan.message,
        combinations=plan.combinations,
    )


@dataclass(frozen=True)
class Workload:
    """What reconstruction must know of an instance."""

    platform: Platform
    ports: PortModel
    task_time: Callable[[str, str], Fraction]
    """Time of a task on a processor; of a combination, for two operands."""
    file_sizes: Mapping[FileName, Fraction]
    """Units of data, of all files that may move, in the application's order."""
    files: tuple[FileName, ...] | None = None
    """That the header of the schedule lists. None: all those above."""
    mix: Mapping[str, Fraction] | None = None
    """Where each plan runs one of several tasks, how many of each an instance is, on the average."""

    @cached_property
    def ranks(self) -> Mapping[str, int]:
        """The tasks that files join, each with its place behind those whose files it needs."""
        before: dict[str, list[str]] = {}
        for maker, user in self.file_sizes if self.files is None else self.files:
            before.setdefault(user, []).append(maker)
        return {task: place for place, task in enumerate(TopologicalSorter(before).static_order())}

    def times_of(self, plan: Plan) -> Iterator[tuple[str, str, Fraction]]:
        """Give the tasks of a plan with their processors, and the time of one execution.

        Of an application, a task comes behind those whose files it needs.
        """
        steps = {one.outcome: len(one.operands) - 1 for one in plan.combinations}
        tasks = [*plan.tasks.items()]
        if plan.message is None and self.mix is None:
            tasks.sort(key=lambda item: self.ranks.get(item[0], 0))
        for task, processors in tasks:
            for processor in processors:
                yield task, processor, steps.get(task, 1) * self.task_time(task, processor)


class UnitSlot(NamedTuple):
    """A slot that a kind has computed itself: for `duration` of each time unit, these arcs."""

    duration: Fraction
    arcs: tuple[tuple[str, str], ...]
    """Sender and receiver of each transfer that may run."""


def unit_slot(platform: Platform, arcs: Iterable[int], duration: Fraction) -> UnitSlot:
    """Name the ends of some arcs, in the order of their indices.

    Parameters
    ----------
    platform
        Its processors and arcs, by index.
    arcs
        Indices of the arcs that are in use.
    duration
        Share of each time unit.
    """
    ids = [processor.id for processor in platform.processors]
    ends = ((platform.arcs[k].source, platform.arcs[k].target) for k in sorted(arcs))
    return UnitSlot(duration, tuple((ids[source], ids[target]) for source, target in ends))


class Reconstruction(NamedTuple):
    """A schedule and what a reader should know about it."""

    schedule: Schedule
    notes: list[str]


class Operation(NamedTuple):
    """One file of one allocation on one hop: what moves `share` of it for each instance."""

    plan: int
    file: FileName
    arc: Arc
    share: Fraction
    file_time: Fraction
    """Time of one whole file on the hop."""

    @property
    def time(self) -> Fraction:
        """Time that the hop is busy for one instance."""
        return self.share * self.file_time


def operations(workload: Workload, plans: Sequence[Plan]) -> list[Operation]:
    """List every hop that takes time, in the order of plans, transfers and paths.

    Files of size 0 and shares of 0 take none. What several transfers of a plan send of a file
    over the same hop (shares of it, or the whole file for several receivers) is one operation.

    Parameters
    ----------
    workload
        Platform, port model, times and sizes.
    plans
        The allocations, with their rates.
    """
    platform = workload.platform
    index, arcs = platform.index_by_id, platform.arc_by_ends
    hops: dict[tuple[int, FileName, int], Operation] = {}
    file_times: dict[tuple[FileName, int], Fraction] = {}
    for number, plan in enumerate(plans):
        for transfer in plan.transfers:
            size = workload.file_sizes[transfer.file]
            if not size or not transfer.share:
                continue
            for sender, receiver in pairwise(transfer.path):
                arc = arcs[index[sender], index[receiver]]
                key = transfer.file, arc.index
                if key not in file_times:
                    file_times[key] = size * arc.unit_time
                lane = number, *key
                share = transfer.share + (hops[lane].share if lane in hops else 0)
                hops[lane] = Operation(number, transfer.file, arc, share, file_times[key])
    return list(hops.values())


Rows = dict[str, Amounts[int]]
"""For each resource, what one instance of each plan takes of it: time per instance."""


def resource_rows(
    workload: Workload,
    plans: Sequence[Plan],
    hops: Sequence[Operation],
    sets: Sequence[OddSet] = (),
) -> Rows:
    """Tabulate what one instance of each plan takes from every resource, odd sets included.

    A period of length T holds whole counts r if ``sum_a row[a] * r[a] <= T`` on every row.

    Parameters
    ----------
    workload
        Platform, port model, times and sizes.
    plans
        The allocations, with their rates.
    hops
        Every operation that there may be.
    sets
        Odd sets that are resources, too.
    """
    rows: Rows = {}
    for number, plan in enumerate(plans):
        for _, processor, time in workload.times_of(plan):
            if time:
                _add(rows, computing_resource(processor, workload.ports), number, time)
    uses: dict[tuple[FileName, int, Fraction], list[tuple[str, Fraction]]] = {}
    for hop in hops:
        key = hop.file, hop.arc.index, hop.share
        if key not in uses:
            uses[key] = _uses(workload, hop, sets)
        for resource, time in uses[key]:
            _add(rows, resource, hop.plan, time)
    return rows


def _uses(workload: Workload, hop: Operation, sets: Sequence[OddSet]) -> list[tuple[str, Fraction]]:
    data = hop.share * workload.file_sizes[hop.file]
    return [
        (use.resource, data * use.time_per_data)
        for use in (
            *arc_uses(workload.platform, hop.arc, workload.ports),
            *odd_uses(workload.platform, hop.arc, sets),
        )
    ]


def _add(rows: Rows, resource: str, plan: int, time: Fraction) -> None:
    rows.setdefault(resource, Amounts())[plan] += time
