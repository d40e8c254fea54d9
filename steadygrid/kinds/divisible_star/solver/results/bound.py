r"""A bound on the makespan of a star with results that needs neither participants nor orders.

Leave out the port's time for results, and what is left is a star without them, in which a result
is a part of its computation: `order_free` bounds that. Read backwards in time, the same holds of
the messages. One port for both directions has no more than K for all of it,

.. math:: \sum_i \Big( c_i + d_i + \frac{C_i + D_i}{A_i} \Big) a_i \le K, \quad a_i \le A_i

with :math:`A_i` what i takes alone within K: filled up by what a share costs. The best of the
three bounds stands.
"""

from dataclasses import replace
from fractions import Fraction

from steadygrid.kinds.divisible_star.solver.results.bases import latency_of, time_of
from steadygrid.kinds.divisible_star.solver.star.order_free import greatest_bound, order_free_load
from steadygrid.kinds.divisible_star.solver.star.sequence_load import own_load
from steadygrid.kinds.divisible_star.solver.star.star import ZERO, Costs, Star

MOST_EXACT = 20
"""Workers up to whom the bound is exact where it is linear."""
MOST_BOUNDED = 200
"""Workers up to whom the bound is evaluated in fractions, which grow."""


def returned_bound(star: Star, makespan: Fraction) -> Fraction | None:
    """Bound the makespan from below: exactly for few workers without latencies, else in 17 digits.

    Parameters
    ----------
    makespan
        Of some schedule.

    Returns
    -------
    Fraction or None
        None where there are too many workers.
    """
    if not makespan:
        return ZERO
    if len(star.workers) > MOST_BOUNDED:
        return None
    if len(star.workers) <= MOST_EXACT and not star.has_latencies:
        # Loads grow in proportion to the time.
        most = max_load_within(star, Fraction(1))
        return ZERO if most is None else 1 / most

    def proves(time: Fraction, bits: int | None) -> bool:
        most = max_load_within(star, time, bits)
        return most is not None and most <= 1

    return greatest_bound(makespan, proves)


def max_load_within(star: Star, time: Fraction, bits: int | None = None) -> Fraction | None:
    """Bound the load that any processor can compute within a time. None for any load.

    With `bits` it is a good guess only, see `order_free_load`.

    Parameters
    ----------
    star
        Master and workers, with what the load costs them.
    time
        In time units.
    bits
        To which numbers are rounded. None for a proof.
    """
    sent = replace(star, workers=[_sent(costs) for costs in star.workers])
    returned = replace(star, workers=[_returned(costs) for costs in star.workers])
    loads = [order_free_load(sent, time, bits), order_free_load(returned, time, bits)]
    if not star.two_ports:
        loads.append(_within_port(star, time))
    return min((load for load in loads if load is not None), default=None)


def _within_port(star: Star, time: Fraction) -> Fraction | None:
    load = own_load(star, time)
    if load is None:
        return None
    wanted = []
    for costs in star.workers:
        if (room := time - latency_of(costs)) <= 0:
            continue
        if not time_of(costs):
            return None
        most = room / time_of(costs)
        port = costs.wire + costs.back + (costs.wire_latency + costs.back_latency) / most
        wanted.append((port, most))
    left = time
    for port, most in sorted(wanted):
        share = min(most, left / port) if port else most
        load += share
        left -= share * port
    return load


def _sent(costs: Costs) -> Costs:
    return Costs(
        costs.wire,
        costs.work + costs.back,
        ZERO,
        costs.wire_latency,
        costs.work_latency + costs.back_latency,
    )


def _returned(costs: Costs) -> Costs:
    return Costs(
        costs.back,
        costs.work + costs.wire,
        ZERO,
        costs.back_latency,
        costs.work_latency + costs.wire_latency,
    )
