"""The star of an instance: what a task of each class takes on each worker."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from steadygrid.domain.platform import arc_uses, computing_resource
from steadygrid.kinds.bag_of_tasks.schemas import BagClass, BagOfTasksInstance

Uses = tuple[tuple[str, Fraction], ...]
"""Time per unit, of data or work, on each resource."""


@dataclass(frozen=True)
class Worker:
    """Who computes, by its index in the platform.

    Attributes
    ----------
    per_work, per_data
        What a unit of a task's work and of its input take. The input of the master is there.
    unit_time
        Of a unit of data on the route to the worker.
    """

    index: int
    name: str
    per_work: Uses
    per_data: Uses
    unit_time: Fraction


@dataclass(frozen=True)
class Star:
    """The workers, and classes of tasks: those of all bags, or others that are to be dealt out.

    Attributes
    ----------
    others
        In place of the classes of the instance. Their shares sum to 1 as well.
    """

    instance: BagOfTasksInstance
    others: Sequence[BagClass] | None = None

    @property
    def classes(self) -> Sequence[BagClass]:
        """All classes, bag by bag."""
        return self.instance.classes if self.others is None else self.others

    @cached_property
    def workers(self) -> list[Worker]:
        """Who has a speed, in the platform's order. The master needs no link."""
        platform, ports = self.instance.platform, self.instance.ports
        master = platform.index_by_id[self.instance.master]
        arcs = {arc.target: arc for arc in platform.arcs_out[master]}
        found = []
        for i, processor in enumerate(platform.processors):
            if processor.time_per_work is None:
                continue
            per_work = ((computing_resource(processor.id, ports), processor.time_per_work),)
            if i == master:
                found.append(Worker(i, processor.id, per_work, (), Fraction(0)))
            else:
                uses = tuple(
                    (u.resource, u.time_per_data) for u in arc_uses(platform, arcs[i], ports)
                )
                found.append(Worker(i, processor.id, per_work, uses, arcs[i].unit_time))
        return found

    def taken(self, size: Fraction, work: Fraction, worker: Worker) -> Uses:
        """Give the time that a task of this size and work takes of each resource.

        Parameters
        ----------
        size
            In units of data.
        work
            In units of work.
        worker
            One of this star.
        """
        return (
            *((resource, work * time) for resource, time in worker.per_work if work),
            *((resource, size * time) for resource, time in worker.per_data if size),
        )
