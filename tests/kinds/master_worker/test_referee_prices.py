"""What tasks cost at the prices of a certificate, against every chain of routes."""

from collections.abc import Mapping
from fractions import Fraction
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from steadygrid.domain.errors import OutOfTime
from steadygrid.domain.job import Options
from steadygrid.domain.limits import Limits
from steadygrid.domain.platform import Arc, Use, arc_uses, computing_resource
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.master_worker.referee_prices import check_certificate
from steadygrid.kinds.master_worker.schemas import MasterWorkerInstance
from steadygrid.kinds.master_worker.solver.legs import Legs
from steadygrid.kinds.master_worker.solver.methods import solve_program
from steadygrid.kinds.master_worker.validator import steady_instance
from steadygrid.submissions.submission import parse_submission
from steadygrid.verification.exact import show
from steadygrid.verification.findings import Findings
from steadygrid.verification.routes import FixedRoutes
from tests.draws import draws
from tests.kinds.master_worker.test_fixed_routing import chains, drawn
from tests.pair_routes import all_routes

Prices = Mapping[str, Fraction]


def instance_of(seed: int) -> MasterWorkerInstance:
    """Draw routes that hide shorter ones, some missing, under any port model."""
    body = drawn(seed, missing=seed % 3 == 0)
    problem = body["problem"]
    if problem["ports"] == "one_port":
        problem["ports"] = ("one_port", "send_or_receive", "no_overlap")[seed % 4 % 3]
    instance = parse_submission(body, Limits()).instance
    assert isinstance(instance, MasterWorkerInstance)
    return instance


def cheapest(instance: MasterWorkerInstance, prices: Prices) -> dict[str, Fraction]:
    """Price every chain there, and every chain back; give what costs less than 1 by processor."""
    platform, task = instance.platform, instance.task
    master, times = platform.index_by_id[instance.master], instance.compute_times
    hosts = [i for i, time in enumerate(times) if time is not None or i == master]
    ways = all_routes(platform)

    sets = [name for name in prices if name.endswith(".odd")]

    def uses(arc: Arc) -> list[Use]:
        ends = {platform.processors[end].id for end in (arc.source, arc.target)}
        odd = [(name, set(name.removesuffix(".odd").split("--"))) for name in sets]
        shares = [Use(n, 2 * arc.unit_time / (len(own) - 1)) for n, own in odd if ends <= own]
        return [*arc_uses(platform, arc, instance.ports), *shares]

    def best(start: int, end: int, size: Fraction) -> Fraction | None:
        costs = [
            sum(
                (
                    size * per * prices.get(resource, 0)
                    for way in stages
                    for hop in pairwise(way)
                    for resource, per in uses(platform.arc_by_ends[hop])
                ),
                Fraction(0),
            )
            for stages in chains(ways, hosts, start, end, master)
        ]
        return min(costs, default=None)

    found = {}
    for worker in hosts:
        time, name = times[worker], platform.processors[worker].id
        there = best(master, worker, task.input_size)
        back = best(worker, master, task.output_size) if task.output_size else Fraction(0)
        if time is not None and there is not None and back is not None:
            here = time * prices.get(computing_resource(name, instance.ports), 0)
            if there + here + back < 1:
                found[name] = there + here + back
    return found


def told_of(cheap: Mapping[str, Fraction]) -> list[str]:
    return sorted(
        f"a task on {name!r}, with its files, costs {show(cheap[name])}," for name in cheap
    )


def refereed(instance: MasterWorkerInstance, prices: Prices, routing: str) -> list[str]:
    """Give what the referee says of cheap tasks."""
    steady = steady_instance(instance)
    routes = FixedRoutes(steady.network, instance.platform.routes) if routing == "fixed" else None
    findings = Findings()
    bound = sum(prices.values(), Fraction(0))
    check_certificate(instance, steady, routes, prices, bound, findings)
    assert {fault.code for fault in findings.faults} <= {"cheap_allocation"}
    return sorted(
        fault.detail.removeprefix("At these prices ").removesuffix(
            " less than 1: they do not prove the bound."
        )
        for fault in findings.faults
    )


def test_the_referee_finds_the_cheap_tasks_of_all_chains_of_routes() -> None:
    by_links, by_routes, refused = 0, 0, 0
    for seed in range(draws(60, 3000)):
        random, instance = Random(seed), instance_of(seed)
        optimum = solve_program(instance, Options(), Legs.from_instance(instance), Control())
        trials = [dict(optimum.prices)]
        if optimum.prices:
            name = random.choice(sorted(optimum.prices))
            less = 1 - Fraction(1, random.choice([10**80, 10**6, 3]))
            trials.append(trials[0] | {name: trials[0][name] * less})
        steady = steady_instance(instance)
        resources = sorted(steady.network.resources)
        trials += [
            {name: Fraction(random.randint(0, 2), random.randint(1, 8)) for name in resources}
            for _ in range(2)
        ]
        for prices in trials:
            expected = told_of(cheapest(instance, prices))
            assert refereed(instance, prices, "fixed") == expected
            free = refereed(instance, prices, "free")
            by_links += not free
            by_routes += bool(free) and not expected
            refused += bool(expected)
    assert min(by_links, by_routes, refused) > 5


@pytest.mark.parametrize("given", [[], [{"source": "P", "via": ["M"], "target": "Q"}]])
def test_no_chain_passes_the_master_again(given: list[Any]) -> None:
    """The route of the master to Q is dear; that of P leads over the master, and is cheap."""
    hosts = [{"id": name, "unit_time": 1} for name in ("P", "Q")]
    pairs = ("M", "P"), ("M", "Q"), ("M", "R"), ("R", "Q")
    platform = {
        "processors": [{"id": "M"}, {"id": "R"}, *hosts],
        "links": [{"source": a, "target": b, "unit_time": 1} for a, b in pairs],
        "routes": [{"source": "M", "via": ["R"], "target": "Q"}, *given],
    }
    problem = {"kind": "master_worker", "platform": platform, "master": "M", "routing": "fixed"}
    body = {"problem": problem | {"ports": "multiport", "task": {"work": 1}}}
    instance: Any = parse_submission(body, Limits()).instance
    prices = {"R->Q.link": Fraction(1), "P.compute": Fraction(1)}
    assert refereed(instance, prices, "free") == told_of({"Q": Fraction(0)})
    assert refereed(instance, prices, "fixed") == told_of(cheapest(instance, prices)) == []


def grid(count: int) -> MasterWorkerInstance:
    """Draw a platform where all compute and no route is given."""
    random = Random(count)
    pairs = [(random.randrange(max(0, i - 20), i), i) for i in range(1, count)]
    pairs += [(i, i + random.randint(2, 9)) for i in range(count - 9)]
    links = {pair: {"source": f"N{pair[0]}", "target": f"N{pair[1]}"} for pair in pairs}
    problem = {
        "kind": "master_worker",
        "platform": {
            "processors": [
                {"id": f"N{i}", "unit_time": random.randint(1, 100)} for i in range(count)
            ],
            "links": [
                link | {"unit_time": f"{random.randint(1, 30)}/10"} for link in links.values()
            ],
        },
        "master": "N0",
        "ports": "multiport",
        "routing": "fixed",
        "task": {"work": 1, "input_size": 100},
    }
    instance = parse_submission({"problem": problem}, Limits()).instance
    assert isinstance(instance, MasterWorkerInstance)
    return instance


def test_routes_are_looked_up_only_where_a_task_may_be_cheap() -> None:
    instance = grid(60)
    optimum = solve_program(instance, Options(), Legs.from_instance(instance), Control())
    steady = steady_instance(instance)
    searches: list[None] = []

    def searched(prices: Prices) -> int:
        searches.clear()
        routes = FixedRoutes(steady.network, (), lambda: searches.append(None))
        bound = sum(prices.values(), Fraction(0))
        check_certificate(instance, steady, routes, prices, bound, Findings())
        return len(searches)

    assert searched(optimum.prices) == 0
    alone = {"N0.compute": optimum.prices["N0.compute"] * (1 - Fraction(1, 10**9))}
    assert searched({**optimum.prices, **alone}) == 1
    assert searched({}) == 60


def test_the_clock_is_looked_at_before_routes_are() -> None:
    instance = grid(12)
    steady = steady_instance(instance)
    routes = FixedRoutes(steady.network, (), Control(0).check)
    with pytest.raises(OutOfTime):
        check_certificate(instance, steady, routes, {}, Fraction(0), Findings())
