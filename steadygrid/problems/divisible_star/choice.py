"""Which method answers what is asked."""

from steadygrid.problems.divisible_star.order import arcs_down, latencies
from steadygrid.problems.divisible_star.schemas import DivisibleStarInstance


def is_tree_linear(instance: DivisibleStarInstance) -> bool:
    """Tell whether nothing but shares costs time, in one round, and nothing comes back."""
    return (
        instance.rounds == 1
        and instance.load.items is None
        and not instance.load.return_volume
        and not latencies(instance, arcs_down(instance.platform, instance.master))
    )


def method_of(instance: DivisibleStarInstance) -> str | None:
    """Give the method that an instance without other faults is answered by; None if there is none.

    Linear costs in one round without results have a closed form, on trees too. Several rounds of
    linear costs are one linear program.
    """
    if is_tree_linear(instance):
        return "closed_form" if instance.method == "auto" else instance.method
    late = latencies(instance, arcs_down(instance.platform, instance.master))
    if instance.rounds > 1 and instance.order is not None and not late:
        return "lp" if instance.method in ("auto", "lp") else None
    return None
