"""What prices of a task graph prove, added up anew."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from fractions import Fraction

from steadygrid.domain.errors import Pointer
from steadygrid.domain.platform import Route
from steadygrid.kinds.shared.collection_referee import elimination_order
from steadygrid.verification.exact import show
from steadygrid.verification.findings import Findings
from steadygrid.verification.odd_sets import with_odd_sets
from steadygrid.verification.priced_paths import PricedPaths
from steadygrid.verification.prices import PriceList, check_prices
from steadygrid.verification.relaxation import tasks_cost_enough
from steadygrid.verification.routes import FixedRoutes
from steadygrid.verification.steady import SteadyInstance
from steadygrid.verification.twins import Twins

MOST_ENTRIES_OF_A_SEARCH = 2_000_000
"""Up to tables of this size the referee prices anew what a search says."""


def routes_of(steady: SteadyInstance, given: Iterable[Route] | None) -> FixedRoutes | None:
    """Give the fixed routes among the processors of an instance, if its routing is fixed.

    Parameters
    ----------
    steady
        The instance in the terms of periodic schedules.
    given
        Routes of the platform. None where the routing is not fixed.
    """
    if given is None:
        return None
    there = steady.network.processors
    return FixedRoutes(
        steady.network, [r for r in given if there.issuperset((r.source, *r.via, r.target))]
    )


def check_all_cost_enough(
    twins: Twins,
    given: Iterable[Route] | None,
    listed: Mapping[str, Fraction],
    bound: Fraction,
    findings: Findings,
    at: Pointer,
    *,
    searched: bool = False,
) -> None:
    """Check that prices sum to a bound, and that no allocation costs less than 1 at them.

    Parameters
    ----------
    given
        Routes, where the routing is fixed.
    searched
        Whether this is a search's word, which is believed where the table would be large.

    Notes
    -----
    Rules, in this order:

    == =============================================================== ==================
    1  the prices are of resources, not negative, and sum to the bound see `least_cost`
    2  no allocation costs less than 1 at them                         `cheap_allocation`
    == =============================================================== ==================
    """
    cost = least_cost(twins, given, listed, bound, findings, at, searched=searched)
    if cost is not None:
        findings.add(
            at,
            "cheap_allocation",
            f"At these prices there is an allocation that costs {show(cost)}, less than 1: they"
            " do not prove the bound.",
        )


def least_cost(
    twins: Twins,
    given: Iterable[Route] | None,
    listed: Mapping[str, Fraction],
    total: Fraction,
    findings: Findings,
    at: Pointer,
    *,
    searched: bool = False,
) -> Fraction | None:
    """Find the cost of the cheapest allocation, if that is less than 1. See `check_prices`, too.

    Parameters
    ----------
    twins
        The instance, with the classes of processors that the answer claims.
    given
        Routes of the platform. None where the routing is not fixed.
    listed
        Prices by resource, as the answer has them.
    total
        What they are to sum to.
    findings
        Collects the faults that are found.
    at
        Place of the prices in the answer.
    searched
        Whether a search found them; then nothing is noted where the table would be too large.

    Returns
    -------
    Fraction or None
        None also where the prices are at fault, or the table would be too large.

    Notes
    -----
    Rules, in this order:

    == ========================================================================== ==================
    1  the prices are of resources, not negative, and sum to `total`              see `check_prices`
    2  the cheapest allocation is found by tables of a sensible size, unless this `not_proved`
       is a search's word
    == ========================================================================== ==================
    """
    steady = twins.steady
    computing = {name for times in steady.times.values() for name in times}
    steady = replace(steady, network=with_odd_sets(steady.network, listed))
    prices = check_prices(steady.network, computing, listed, total, findings, at)
    if prices is None:
        return None
    if twins.classes and twins.priced_alike(steady.network, listed):
        steady = twins.firsts_of(steady.network)
        prices = PriceList(steady.network, listed)
    if tasks_cost_enough(steady, prices):
        return None
    tasks = list(steady.times)
    order = [tasks[i] for i in elimination_order(steady)]
    from steadygrid.verification import (  # load numpy, which few judgements need
        label_tables,
        labelling,
    )

    most = MOST_ENTRIES_OF_A_SEARCH if searched else labelling.MAX_ENTRIES
    paths = PricedPaths(steady, prices, routes_of(steady, given))
    try:
        return labelling.cheap_allocation(steady, prices, paths, order, most, whole=searched)
    except label_tables.TooWideError as error:
        if not searched:
            findings.add(at, "not_proved", f"These prices prove nothing here: {error}.")
        return None
