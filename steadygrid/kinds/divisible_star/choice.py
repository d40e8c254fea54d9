"""Which method answers what is asked."""

from typing import get_args

from steadygrid.kinds.divisible_star.order import (
    arcs_down,
    is_deep,
    latencies,
    working,
)
from steadygrid.kinds.divisible_star.return_methods import methods_with_results
from steadygrid.kinds.divisible_star.schemas import DivisibleStarInstance

SEVERAL_ROUNDS = ("umr", "periodic")
"""Methods that choose the number of rounds themselves."""
MOST_MESSAGES = 1_000
"""Rounds times workers, for the program."""
MOST_BY_RULE = 100_000
"""Rounds times workers, for methods that choose the number of rounds."""


def is_tree_linear(instance: DivisibleStarInstance) -> bool:
    """Tell whether nothing but shares costs time, in one round, and nothing comes back to a star.

    Results on a tree come back in reverse order, if the instance has no faults.
    """
    down = arcs_down(instance.platform, instance.master)
    return (
        instance.rounds == 1
        and instance.method not in SEVERAL_ROUNDS
        and instance.load.items is None
        and (not instance.load.return_volume or is_deep(instance, down))
        and not latencies(instance, down)
    )


MOST_SEARCHED = 64
"""Processors that compute, among which the best participants and order are searched for."""
MOST_IMPROVED = 200
"""Processors that compute, where latencies are paid at all: bounds are evaluated in fractions."""
MOST_WITH_ALL_ORDERS = 6
"""Workers among which whole items are dealt out in every order, where none is given."""


def method_of(instance: DivisibleStarInstance) -> str | None:
    """Give the method that an instance without other faults is answered by. None if there is none.

    Linear costs in one round have a closed form, on trees too, without results or with results that
    come back in reverse order. Several rounds of linear costs are one linear program, with
    latencies a mixed-integer one. One round with latencies, or of whole items, is searched, with
    results that come back in reverse order, too; for other results see `methods_with_results`.
    """
    if instance.method == "compare":
        usual = method_of(instance.model_copy(update={"method": "auto"}))
        return None if usual is None else "compare"
    if is_tree_linear(instance):
        return _among(instance, "closed_form", "lp")
    if instance.rounds > 1:
        return _among(instance, "lp")
    if instance.method in SEVERAL_ROUNDS:
        several = instance.load.items is not None or instance.load.return_volume
        return None if several else instance.method
    if instance.load.items is not None:
        few = len(working(instance)) <= MOST_IMPROVED
        return _among(instance, "search", "rounding") if few else None
    late = latencies(instance, arcs_down(instance.platform, instance.master))
    if instance.load.return_volume and not (late and instance.return_orders == "lifo"):
        return _among(instance, *methods_with_results(instance))
    return _searching(instance, len(working(instance)))


def _searching(instance: DivisibleStarInstance, count: int) -> str | None:
    if count > MOST_IMPROVED:
        return None
    if instance.order is not None:
        return _among(instance, "search")
    if count > MOST_SEARCHED:
        return _among(instance, "local_search")
    return _among(instance, "search", "local_search")


def most_messages(instance: DivisibleStarInstance) -> tuple[int, int]:
    """Count the messages that an answer may have, and those that it may have at most."""
    workers = sum(
        place != instance.platform.index_by_id[instance.master] for place in working(instance)
    )
    if instance.method in SEVERAL_ROUNDS:
        return instance.max_rounds * workers, MOST_BY_RULE
    return instance.rounds * workers, MOST_MESSAGES


def _among(instance: DivisibleStarInstance, *methods: str) -> str | None:
    """Give the method that was asked for, if it is one of these. The first for ``auto``."""
    if instance.method == "auto":
        return methods[0] if methods else None
    return instance.method if instance.method in methods else None


def comparable(instance: DivisibleStarInstance) -> list[DivisibleStarInstance]:
    """Ask each method by itself that answers an instance."""
    methods = get_args(DivisibleStarInstance.model_fields["method"].annotation)
    asked = [
        instance.model_copy(update={"method": method})
        for method in methods
        if method not in ("auto", "compare")
    ]
    return [one for one in asked if method_of(one) is not None and _may_send(one)]


def _may_send(instance: DivisibleStarInstance) -> bool:
    """Tell whether a method that chooses the rounds may do so here."""
    if instance.method not in SEVERAL_ROUNDS:
        return True
    down = arcs_down(instance.platform, instance.master)
    count, most = most_messages(instance)
    return instance.rounds == 1 and count <= most and not is_deep(instance, down)
