"""What a task costs at the prices of a certificate, over links or over chains of routes."""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from steadygrid.kinds.master_worker.schemas import MasterWorkerInstance
from steadygrid.verification.chains import Chains
from steadygrid.verification.exact import show
from steadygrid.verification.findings import Findings
from steadygrid.verification.odd_sets import with_odd_sets
from steadygrid.verification.prices import Cost, PriceList, check_prices
from steadygrid.verification.routes import FixedRoutes
from steadygrid.verification.steady import SteadyInstance


def check_certificate(
    instance: MasterWorkerInstance,
    steady: SteadyInstance,
    routes: FixedRoutes | None,
    listed: Mapping[str, Fraction],
    bound: Fraction,
    findings: Findings,
) -> None:
    """Check that the prices prove the bound: `check_prices`, and that no task costs less than 1.

    Parameters
    ----------
    instance
        Without faults.
    steady
        The same in the terms of periodic schedules.
    routes
        Fixed ones; None where the routing is free.
    listed
        Price by resource.
    bound
        What they are to sum to.
    findings
        Where faults go.

    Notes
    -----
    Rules, in this order:

    == ================================================================== ==================
    1  the prices are what prices must be, and sum to the bound           see `check_prices`
    2  at them no task costs less than 1 on any processor, with its files `cheap_allocation`
    == ================================================================== ==================

    Rule 2: a task has a way from the master for its input, and back for its output, with fixed
    routing a chain of routes, see `Chains`. Routes are made of links. So where every task costs 1 even if its files take the cheapest
    links, one search shows it, and no route has to be looked up.
    """
    compute = steady.times["task"]
    at = ("result", "certificate", "prices")
    steady = replace(steady, network=with_odd_sets(steady.network, listed))
    prices = check_prices(steady.network, compute, listed, bound, findings, at)
    if prices is None:
        return
    tasks = _Tasks(instance, steady, prices)
    cheap = tasks.cheap_by_links()
    if cheap and routes is not None:
        cheap = tasks.cheap_by_routes(routes)
    for processor, cost in cheap.items():
        findings.add(
            at,
            "cheap_allocation",
            f"At these prices a task on {processor!r}, with its files, costs {show(cost)}, less"
            " than 1: they do not prove the bound.",
        )


class _Tasks:
    """What a task costs on each processor, with its files, at the prices of a certificate."""

    def __init__(
        self, instance: MasterWorkerInstance, steady: SteadyInstance, prices: PriceList
    ) -> None:
        self._steady = steady
        self._prices = prices
        self._master = instance.master
        self._input, self._output = instance.task.input_size, instance.task.output_size
        self._here = {
            processor: prices.cost_of([(steady.network.computing(processor), time)], Fraction(1))
            for processor, time in steady.times["task"].items()
        }
        self._home: dict[str, Cost] | None = None
        if self._output:
            self._home = prices.cheapest_costs(self._master, self._output, homeward=True)

    def cheap_by_links(self) -> dict[str, Fraction]:
        """Give the costs below 1 where files take any way."""
        there = self._prices.cheapest_costs(self._master, self._input)
        return self._below_one(there, self._home)

    def cheap_by_routes(self, routes: FixedRoutes) -> dict[str, Fraction]:
        """Give the costs below 1 where they take chains of routes."""
        network, prices = self._steady.network, self._prices
        chains = Chains(network, routes, self._steady.relays, self._master, prices)
        left = self._here
        if self._home is not None:
            home = self._home
            left = {name: cost.plus(home[name]) for name, cost in left.items() if name in home}
        rest = prices.cheapest_onward(left, self._input, homeward=True)
        there = chains.outward(self._input, rest)
        if self._home is None:
            return self._below_one(there, None)
        done = {name: there[name].plus(cost) for name, cost in self._here.items() if name in there}
        return self._below_one(there, chains.homeward(done, self._output, self._home))

    def _below_one(
        self, there: Mapping[str, Cost], home: Mapping[str, Cost] | None
    ) -> dict[str, Fraction]:
        cheap = {}
        for processor, here in self._here.items():
            if processor not in there or (home is not None and processor not in home):
                continue
            costs = [there[processor], here]
            if home is not None:
                costs.append(home[processor])
            if not self._prices.reach_one(costs):
                cheap[processor] = self._prices.value_of(costs)
        return cheap
