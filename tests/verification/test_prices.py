"""Certificates: what prices prove."""

import random
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steadygrid.domain.platform import Platform
from steadygrid.verification.findings import Findings
from steadygrid.verification.network import read_network
from steadygrid.verification.prices import FREE, PriceList, check_prices


def random_platform(rng, processors=7, density=0.4):
    links = []
    for i in range(processors):
        for j in range(i + 1, processors):
            if rng.random() < density:
                duplex = rng.choice(["full", "half", "simplex"])
                time = Fraction(rng.randint(1, 4), rng.choice([1, 2, 3, 10**9 + 7]))
                links.append(
                    {"source": f"P{i}", "target": f"P{j}", "unit_time": time, "duplex": duplex}
                )
    return Platform.model_validate(
        {"processors": [{"id": f"P{i}"} for i in range(processors)], "links": links}
    )


def random_prices(rng, network, digits):
    scale = 10**digits
    return {
        name: Fraction(rng.choice([0, 1, 1, 2, rng.randrange(scale)]), rng.choice([1, 2, scale]))
        for name in sorted(network.resources)
        if rng.random() < 0.8
    }


def cheapest_by_bellman_and_ford(network, prices, origin, size, homeward):
    cost = {origin: Fraction(0)}
    for _ in network.processors:
        for (sender, receiver), hop in network.hops.items():
            here, there = (receiver, sender) if homeward else (sender, receiver)
            if here in cost:
                step = (
                    sum(
                        (prices.get(name, Fraction(0)) * time for name, time in hop.uses),
                        Fraction(0),
                    )
                    * size
                )
                cost[there] = min(cost.get(there, cost[here] + step), cost[here] + step)
    return cost


@given(st.integers(0, 10**6), st.booleans(), st.sampled_from([1, 3, 40, 400]))
def test_cheapest_paths_are_exact(seed, homeward, digits):
    rng = random.Random(seed)
    network = read_network(random_platform(rng), "one_port")
    prices = random_prices(rng, network, digits)
    size = rng.choice([Fraction(0), Fraction(1), Fraction(7, 3)])
    listed = PriceList(network, prices)
    ways = listed.cheapest_costs("P0", size, homeward=homeward)
    expected = cheapest_by_bellman_and_ford(network, prices, "P0", size, homeward)
    for processor, cost in expected.items():
        assert listed.value_of([ways[processor]]) == cost
    assert ways.keys() == expected.keys()


@pytest.fixture
def chain():
    platform = Platform.model_validate(
        {
            "processors": [{"id": "A"}, {"id": "B"}, {"id": "C"}],
            "links": [
                {"source": "A", "target": "B", "unit_time": 1},
                {"source": "B", "target": "C", "unit_time": 1},
            ],
        }
    )
    return read_network(platform, "one_port")


def test_a_cost_of_exactly_one_reaches_one(chain):
    third = Fraction(1, 3)
    prices = PriceList(chain, {"A.send": third, "B.send": 2 * third})
    assert prices.reach_one([prices.cheapest_costs("A", Fraction(1))["C"]])
    assert not prices.reach_one([prices.cheapest_costs("A", Fraction(1))["B"]])


def test_a_hair_below_one_does_not_reach_one(chain):
    hair = Fraction(1, 10**1000)
    prices = PriceList(chain, {"A.send": Fraction(1, 3) - hair, "B.send": Fraction(2, 3)})
    ways = prices.cheapest_costs("A", Fraction(1))
    assert not prices.reach_one([ways["C"]])
    assert prices.value_of([ways["C"]]) == 1 - hair
    above = PriceList(chain, {"A.send": Fraction(1, 3) + hair, "B.send": Fraction(2, 3)})
    assert above.reach_one([above.cheapest_costs("A", Fraction(1))["C"]])


def test_what_cannot_be_reached_has_no_cost(chain):
    assert set(PriceList(chain, {}).cheapest_costs("C", Fraction(1))) == {"A", "B", "C"}
    one_way = read_network(
        Platform.model_validate(
            {
                "processors": [{"id": "A"}, {"id": "B"}],
                "links": [{"source": "A", "target": "B", "unit_time": 1, "duplex": "simplex"}],
            }
        ),
        "one_port",
    )
    assert set(PriceList(one_way, {}).cheapest_costs("B", Fraction(1))) == {"B"}
    assert set(PriceList(one_way, {}).cheapest_costs("B", Fraction(1), homeward=True)) == {"A", "B"}


def test_costs_that_differ_by_a_hair_are_ordered(chain):
    hair = Fraction(1, 10**1000)
    prices = PriceList(
        chain, {"A.send": Fraction(1, 3), "B.send": Fraction(1, 3) + hair, "C.send": Fraction(1, 2)}
    )
    one = prices.cost_of([("A.send", Fraction(1))], Fraction(1))
    more = prices.cost_of([("B.send", Fraction(1))], Fraction(1))
    much = prices.cost_of([("C.send", Fraction(1))], Fraction(1))
    assert one < more
    assert not more < one
    assert not one < one  # noqa: PLR0124
    assert one < much
    assert not much < one
    assert one > FREE
    assert one.plus(FREE) is one


def test_sound_prices_are_returned_ready_to_add_up(chain):
    findings = Findings()
    prices = check_prices(
        chain,
        ["C"],
        {"A.send": Fraction(1, 2), "C.compute": Fraction(1, 2)},
        Fraction(1),
        findings,
        ("prices",),
    )
    assert not findings
    assert prices is not None
    assert prices.reach_one([prices.cost_of([("C.compute", Fraction(2))], Fraction(1))])


def test_no_certificate_of_nothing_proves_nothing(chain):
    findings = Findings()
    assert check_prices(chain, [], {}, Fraction(0), findings, ()) is not None
    assert not findings
