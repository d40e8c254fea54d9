"""The referee's rules for prices of `master_worker`: of its bound, and of its second objective."""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from functools import partial

from steadygrid.domain.errors import Pointer
from steadygrid.domain.job import Options
from steadygrid.domain.preferred import Preferred
from steadygrid.kinds.master_worker.referee_rates import ExactRates
from steadygrid.kinds.master_worker.schemas import MasterWorkerInstance, MasterWorkerResult
from steadygrid.verification.chains import Chains
from steadygrid.verification.exact import (
    add,
    common_denominator,
    equals,
    scaled_ratio,
    show,
)
from steadygrid.verification.findings import Findings
from steadygrid.verification.odd_sets import with_odd_sets
from steadygrid.verification.prices import PriceList, check_prices
from steadygrid.verification.steady import SteadyInstance
from steadygrid.verification.traffic import with_price_of_traffic, with_traffic


def check_certificate(
    instance: MasterWorkerInstance,
    steady: SteadyInstance,
    chains: Chains | None,
    listed: Mapping[str, Fraction],
    bound: Fraction,
    findings: Findings,
) -> None:
    """Check that prices prove a bound on the throughput.

    Parameters
    ----------
    instance
        Without faults.
    steady
        The instance in the terms of periodic schedules.
    chains
        Of routes that files take; None where the routing is free.
    listed
        Prices by resource.
    bound
        What they are to prove.
    findings
        Collects the faults that are found.

    Notes
    -----
    Rules, in this order:

    == =================================================================== ====================
    1  the prices are of resources, not negative, and sum to the bound     see `check_prices`
    2  at them no task costs less than 1 on any processor, with its files  `cheap_allocation`
    == =================================================================== ====================

    Rule 2: a task has a way from the master for its input, and back for its output, with fixed
    routing a chain of routes, see `Chains`.
    """
    at = ("result", "certificate", "prices")
    steady = replace(steady, network=with_odd_sets(steady.network, listed))
    prices = check_prices(steady.network, steady.times["task"], listed, bound, findings, at)
    if prices is None:
        return
    for processor, cost in _cheap_tasks(instance, steady, chains, prices).items():
        findings.add(
            at,
            "cheap_allocation",
            f"At these prices a task on {processor!r}, with its files, costs {show(cost)}, less"
            " than 1: they do not prove the bound.",
        )


def check_preferred(
    instance: MasterWorkerInstance,
    options: Options,
    steady: SteadyInstance,
    chains: Chains | None,
    result: MasterWorkerResult,
    rates: ExactRates,
    findings: Findings,
) -> None:
    """Check what an answer says of its second objective.

    Parameters
    ----------
    instance
        Without faults.
    options
        `prefer` is read.
    steady
        The instance in the terms of periodic schedules.
    chains
        Of routes that files take; None where the routing is free.
    result
        The answer.
    rates
        Of this answer.
    findings
        Collects the faults that are found.

    Notes
    -----
    Rules, in this order:

    == =================================================================== ====================
    1  it is there where `prefer` asks for it and the method is ``lp``,    `wrong_preferred`
       and not where any rates are asked for
    2  its value is the time for which links carry what is sent            `wrong_traffic`
    3  that is not more than before                                        `more_than_before`
    4  worth and prices belong to what is proved, and worth is above 0     `wrong_proof`
    5  the prices are of resources and not negative                        see `check_prices`
    6  the throughput at its worth, less the prices, is the value          `traffic_not_least`
    7  no task costs less than its worth, with its traffic and its files   `cheap_traffic`
    == =================================================================== ====================

    Rules 6 and 7 together: no rates of this throughput, or more, have less traffic.
    """
    preferred, at = result.preferred, ("result", "preferred")
    asked = options.prefer == "least_traffic" and result.method == "lp"
    if (asked and preferred is None) or (options.prefer == "any" and preferred is not None):
        findings.add(
            at,
            "wrong_preferred",
            "The answer says what is preferred where `prefer` asks for it and the method is lp, and"
            " not where any rates are asked for.",
        )
    if preferred is None:
        return
    traffic = rates.traffic(steady)
    if not equals(traffic, scaled_ratio(preferred.value, rates.common)):
        findings.add(
            (*at, "value"),
            "wrong_traffic",
            f"Links carry files for {rates.show(traffic)} of the time together, not for"
            f" {show(preferred.value)}.",
        )
    if preferred.before < preferred.value:
        findings.add(
            (*at, "before"),
            "more_than_before",
            f"The traffic was {show(preferred.before)} before, and is {show(preferred.value)} now.",
        )
    is_proved = preferred.proof == "exact"
    if is_proved != (preferred.worth is not None) or (preferred.prices and not is_proved):
        findings.add(
            (*at, "proof"),
            "wrong_proof",
            "What is proved has a worth and prices, and nothing else.",
        )
    elif preferred.worth is not None and preferred.worth <= 0:
        findings.add((*at, "worth"), "wrong_proof", "What a task is worth is not above 0.")
    elif preferred.worth is not None and result.objective is not None:
        throughput = result.objective.value
        _check_least(instance, steady, chains, preferred, preferred.worth, throughput, findings, at)


def _check_least(
    instance: MasterWorkerInstance,
    steady: SteadyInstance,
    chains: Chains | None,
    preferred: Preferred,
    worth: Fraction,
    throughput: Fraction,
    findings: Findings,
    at: Pointer,
) -> None:
    listed = preferred.prices
    common = common_denominator(listed.values())
    numerator, denominator = add(scaled_ratio(price, common) for price in listed.values())
    total = Fraction(numerator, denominator * common)
    network = with_odd_sets(steady.network, listed)
    here = (*at, "prices")
    if check_prices(network, steady.times["task"], listed, total, findings, here) is None:
        return
    if worth * throughput - total != preferred.value:
        findings.add(
            at,
            "traffic_not_least",
            f"{show(throughput)} tasks of worth {show(worth)}, less prices of {show(total)}, prove"
            f" another value than {show(preferred.value)}.",
        )
    network = with_traffic(network)
    prices = PriceList(network, with_price_of_traffic(listed, worth))
    steady = replace(steady, network=network)
    for processor, cost in _cheap_tasks(instance, steady, chains, prices).items():
        findings.add(
            here,
            "cheap_traffic",
            f"At these prices, and 1 for traffic, a task on {processor!r}, with its files, costs"
            f" {show(cost * worth)}, less than its worth {show(worth)}: they do not prove that no"
            " optimal rates have less traffic.",
        )


def _cheap_tasks(
    instance: MasterWorkerInstance,
    steady: SteadyInstance,
    chains: Chains | None,
    prices: PriceList,
) -> dict[str, Fraction]:
    """Give what a task costs where that is less than 1, by processor, with its files."""
    task = instance.task
    cheapest = prices.cheapest_costs
    if chains is not None:
        cheapest = partial(chains.over(steady.network).cheapest, prices)
    there = cheapest(instance.master, task.input_size)
    back = None
    if task.output_size:
        back = cheapest(instance.master, task.output_size, homeward=True)
    cheap: dict[str, Fraction] = {}
    for processor, time in steady.times["task"].items():
        if processor not in there or (back is not None and processor not in back):
            continue
        costs = [
            there[processor],
            prices.cost_of([(steady.network.computing(processor), time)], Fraction(1)),
        ]
        if back is not None:
            costs.append(back[processor])
        if not prices.reach_one(costs):
            cheap[processor] = prices.value_of(costs)
    return cheap
