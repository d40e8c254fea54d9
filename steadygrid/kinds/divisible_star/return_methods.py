"""Which methods answer a star that sends results back."""

from math import comb, factorial

from steadygrid.kinds.divisible_star.order import arcs_down, latencies, reverse_arc, working
from steadygrid.kinds.divisible_star.schemas import DivisibleStarInstance

MOST_PAIRS = 1_000_000
"""Pairs of orders of all participants, and a hundred for each set of them, that are all tried."""
MOST_TRIED = 13
"""Workers beyond whom even the sets of participants are too many."""
MOST_IN_PROGRAM = 12
"""Workers in the mixed-integer program of orders."""
MOST_MOVED = 200
"""Workers that a local search moves."""


def methods_with_results(instance: DivisibleStarInstance) -> tuple[str, ...]:
    """Give the methods that answer an instance with results, the one of ``auto`` first."""
    late = _is_late(instance)
    count = workers_beside_master(instance)
    if instance.return_orders == "lifo" and not late:
        return "closed_form", "lp"
    if not late and (are_orders_given(instance) or is_order_known(instance)):
        return ("lp",)
    if count <= most_searched(instance):
        return "search", "local_search"
    return ("local_search",) if count <= MOST_MOVED else ()


def most_searched(instance: DivisibleStarInstance) -> int:
    """Count the workers next to the master among whom the orders of an instance are searched for."""
    strict = instance.ports == "strict_one_port"
    free = instance.order is None and instance.return_orders in ("any", "fifo")
    if strict and free and not _is_late(instance):
        return MOST_IN_PROGRAM
    open_orders = num_open_orders(instance)
    return max(count for count in range(MOST_TRIED + 1) if _are_few_pairs(count, open_orders))


def num_open_orders(instance: DivisibleStarInstance) -> int:
    """Count which of the two orders, of sending and of results, are open."""
    return (instance.order is None) + (instance.return_orders == "any")


def _is_late(instance: DivisibleStarInstance) -> bool:
    return bool(latencies(instance, arcs_down(instance.platform, instance.master)))


def workers_beside_master(instance: DivisibleStarInstance) -> int:
    """Count the workers that compute."""
    master = instance.platform.index_by_id[instance.master]
    return sum(place != master for place in working(instance))


def is_every_pair_tried(instance: DivisibleStarInstance) -> bool:
    """Tell whether there are few enough pairs of orders to try all."""
    count = workers_beside_master(instance)
    return count <= MOST_TRIED and _are_few_pairs(count, num_open_orders(instance))


def _are_few_pairs(count: int, open_orders: int) -> bool:
    pairs: int = sum(
        comb(count, size) * factorial(size) ** open_orders for size in range(count + 1)
    )
    sets = 1 << count
    return pairs + 100 * sets <= MOST_PAIRS


def are_orders_given(instance: DivisibleStarInstance) -> bool:
    """Tell whether one linear program decides: orders are given, and idle workers delay none.

    Where the master receives while it sends, and results come back in yet another order, the row of
    a worker without a share is no rule.
    """
    order, back = instance.order, instance.return_orders
    if order is None or back == "any":
        return False
    simple = isinstance(back, str) or back in (order, order[::-1])
    return simple or instance.ports == "strict_one_port"


def is_order_known(instance: DivisibleStarInstance) -> bool:
    """Tell whether a theorem says in which order the results come back as sent.

    On a bus any order is the best, of all pairs, a given one, too; as sent, where all results are the
    same multiple of the data, that by link time.
    """
    if instance.order is not None and instance.return_orders != "any":
        return False
    platform = instance.platform
    down = arcs_down(platform, instance.master)
    master = platform.index_by_id[instance.master]
    load = instance.load
    times = []
    for place in working(instance):
        if place != master:
            back = reverse_arc(platform, down[place])
            assert back is not None
            there = down[place].unit_time * load.communication_volume
            times.append((there, back.unit_time * load.return_volume))
    if instance.return_orders == "any":
        return len({*times}) <= 1
    if instance.return_orders != "fifo":
        return False
    first = next(((c, d) for c, d in times if c), None)
    if first is None:
        return len({*times}) <= 1
    return all(d * first[0] == first[1] * c for c, d in times)
