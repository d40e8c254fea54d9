"""Allocations at prices of processors and of single arcs, for the search over slots."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property

from steadygrid.engine.allocations.exact_pricing import cheapest_allocation
from steadygrid.engine.allocations.problem import Problem
from steadygrid.engine.allocations.room import Exhausted, Room
from steadygrid.engine.scheduling import Plan
from steadygrid.engine.scheduling.in_slots import Income, Pricing
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.task_graph.schemas import TaskGraphInstance


def price_by_arcs(
    instance: TaskGraphInstance, most_entries: int | None, control: Control
) -> Pricing:
    """Give what finds the cheapest allocation, exactly, where tables tell which one that is.

    Parameters
    ----------
    most_entries
        Where labelling tables hold more entries, no allocation is looked for. None: where there is
        no room for them.
    """
    return _Pricing(instance, most_entries, control)


class _Pricing:
    def __init__(
        self, instance: TaskGraphInstance, most_entries: int | None, control: Control
    ) -> None:
        self._instance = instance
        self._most_entries = most_entries
        self._control = control

    @cached_property
    def _problem(self) -> Problem | None:
        instance = self._instance
        problem = Problem(instance, instance.routing, check=self._control.check, by_arc=True)
        if problem.too_large:
            return None
        most = self._most_entries
        if most is not None and problem.elimination.held(problem.label_counts) > most:
            return None
        return problem

    def __call__(
        self, computing: Mapping[str, Fraction], sending: Mapping[int, Fraction], _: Income
    ) -> Sequence[Plan]:
        """Give the allocation that costs least, if that is less than 1."""
        problem = self._problem
        if problem is None:
            return ()
        platform = self._instance.platform
        prices = [computing.get(p.id, Fraction(0)) for p in platform.processors]
        prices += [sending.get(arc.index, Fraction(0)) for arc in platform.arcs]
        try:
            cheapest = cheapest_allocation(problem, prices, Room(self._control))
        except Exhausted:
            return ()
        return () if cheapest is None else [cheapest.column.plan(self._instance, Fraction(0))]
