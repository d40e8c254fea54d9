"""The instance as the methods of this kind read it."""

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from functools import cached_property

from steadygrid.engine.mapping import NoMapping
from steadygrid.engine.mapping.limits import Limits
from steadygrid.engine.mapping.tables import Tables
from steadygrid.engine.matching.odd_sets import OddSet
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.mono_allocation.fitting import (
    UndecidedError,
    chain_of,
    fitting_of,
    some_mapping,
)
from steadygrid.kinds.mono_allocation.processor_bound import spare
from steadygrid.kinds.mono_allocation.schemas import MonoAllocationInstance


class MonoTables(Tables):
    """Tables of an instance of this kind. The platform's routes count where routing is fixed."""

    instance: MonoAllocationInstance

    def __init__(self, instance: MonoAllocationInstance, odd_sets: Iterable[OddSet] = ()) -> None:
        fixed = instance.routing == "fixed"
        super().__init__(instance, given_routes=fixed, odd_sets=tuple(odd_sets))
        if instance.within_memory or instance.contiguous:
            order = chain_of(instance) if instance.contiguous else None
            self.limits = Limits(instance.needs, instance.memory, self.labels, order)

    def knowing(self, found: Iterable[OddSet]) -> "MonoTables":
        """Give the tables in which these sets of processors are resources, too."""
        sets = tuple(dict.fromkeys((*self.odd_sets, *found)))
        if sets == self.odd_sets:
            return self
        more = MonoTables(self.instance, sets)
        more.routes = self.routes
        return more

    @cached_property
    def needed_labels(self) -> tuple[tuple[int, ...], ...]:
        """For each task, the processors that can run it and are not spare, see `spare`."""
        unneeded = spare(self.instance)
        return tuple(tuple(i for i in row if i not in unneeded) for row in self.labels)

    def fitting(self, control: Control) -> list[int] | None:
        """Give a mapping that keeps to the limits. None where that takes too long to find out.

        Raises
        ------
        NoMapping
            If it is proved that there is none.
        Cancelled, OutOfTime
            If the solve was asked to stop.
        """
        found = self.cached(_some_fitting, control)
        if isinstance(found, NoMapping):
            raise found
        return found


def _some_fitting(tables: MonoTables, control: Control) -> list[int] | NoMapping | None:
    instance = tables.instance
    try:
        found = some_mapping(instance, control.check)
        if found is None and instance.duplication != "none":
            # Copies may bring a file to where one task alone does not, but they need memory, too.
            alone = replace(fitting_of(instance), files=())
            if alone.mapping(control.check) is not None:
                return None
    except UndecidedError:
        return None
    return NoMapping(_why_nothing_fits(instance), proved=True) if found is None else found


def _why_nothing_fits(instance: MonoAllocationInstance) -> str:
    asked = []
    if instance.within_memory:
        runs = [
            i
            for i, column in enumerate(zip(*instance.times, strict=True))
            if column != (None,) * len(column)
        ]
        limits = [instance.memory[i] for i in runs]
        known = [limit for limit in limits if limit is not None]
        need, room = sum(instance.needs, Fraction(0)), sum(known, Fraction(0))
        told = f" (the tasks need {need}, they have {room})" if len(known) == len(limits) else ""
        asked.append(f"the memory of the processors{told}")
    if instance.contiguous:
        asked.append("intervals of the chain")
    return f"no mapping keeps to {' and to '.join(asked)}, for any period: all were tried"
