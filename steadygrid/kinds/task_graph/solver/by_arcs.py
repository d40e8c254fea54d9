"""Allocations at prices of processors and of single arcs, for the search over slots."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property

from steadygrid.engine.allocations.exact_pricing import cheapest_allocation
from steadygrid.engine.allocations.problem import Problem
from steadygrid.engine.scheduling import Plan
from steadygrid.engine.scheduling.in_slots import Income, Pricing
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.task_graph.schemas import TaskGraphInstance


def price_by_arcs(instance: TaskGraphInstance, most_entries: int, control: Control) -> Pricing:
    """Give what finds the cheapest allocation, exactly, where tables tell which one that is.

    Parameters
    ----------
    most_entries
        Where the largest table of the dynamic program has more entries, no allocation is looked for.
    """
    return _Pricing(instance, most_entries, control.check)


class _Pricing:
    def __init__(
        self, instance: TaskGraphInstance, most_entries: int, check: Callable[[], None]
    ) -> None:
        self._instance = instance
        self._most_entries = most_entries
        self._check = check

    @cached_property
    def _problem(self) -> Problem | None:
        instance = self._instance
        problem = Problem(instance, instance.routing, check=self._check, by_arc=True)
        if problem.too_large:
            return None
        entries = problem.elimination.entries(problem.label_counts)
        return problem if entries <= self._most_entries else None

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
        cheapest = cheapest_allocation(problem, prices, self._check)
        return () if cheapest is None else [cheapest.column.plan(self._instance, Fraction(0))]
