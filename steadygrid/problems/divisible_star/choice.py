"""Which method answers what is asked."""

from steadygrid.problems.divisible_star.order import arcs_down, latencies, working
from steadygrid.problems.divisible_star.schemas import DivisibleStarInstance


def is_tree_linear(instance: DivisibleStarInstance) -> bool:
    """Tell whether nothing but shares costs time, in one round, and nothing comes back."""
    return (
        instance.rounds == 1
        and instance.load.items is None
        and not instance.load.return_volume
        and not latencies(instance, arcs_down(instance.platform, instance.master))
    )


MOST_SEARCHED = 64
"""Processors that compute, among which the best participants and order are searched for."""
MOST_IMPROVED = 200
"""Processors that compute, where latencies are paid at all: bounds are evaluated in fractions."""


def method_of(instance: DivisibleStarInstance) -> str | None:
    """Give the method that an instance without other faults is answered by; None if there is none.

    Linear costs in one round without results have a closed form, on trees too. Several rounds of
    linear costs are one linear program. One round with latencies is searched.
    """
    if is_tree_linear(instance):
        return _among(instance, "closed_form", "lp")
    late = latencies(instance, arcs_down(instance.platform, instance.master))
    if instance.rounds > 1:
        return None if instance.order is None or late else _among(instance, "lp")
    if instance.load.items is None and not instance.load.return_volume:
        return _searching(instance, len(working(instance)))
    return None


def _searching(instance: DivisibleStarInstance, count: int) -> str | None:
    if count > MOST_IMPROVED:
        return None
    if instance.order is not None:
        return _among(instance, "search")
    if count > MOST_SEARCHED:
        return _among(instance, "local_search")
    return _among(instance, "search", "local_search")


def _among(instance: DivisibleStarInstance, *methods: str) -> str | None:
    """Give the method that was asked for, if it is one of these; the first for ``auto``."""
    if instance.method == "auto":
        return methods[0]
    return instance.method if instance.method in methods else None
