"""The referee's own reading of a platform."""

from fractions import Fraction

import pytest

from steadygrid.domain.platform import Platform, arc_uses
from steadygrid.verification.network import read_network
from tests.verification.answers import RIGHT, links

PLATFORM = Platform.model_validate(
    {
        "processors": [
            {"id": "b", "unit_time": 1, "bandwidth_in": 2, "bandwidth_out": 4},
            {"id": "a"},
            {"id": "S", "switch": True, "bandwidth_in": 5, "bandwidth_out": 5},
            {"id": "T", "switch": True},
        ],
        "links": [
            {"source": "b", "target": "a", "bandwidth": 3, "duplex": "half", "media": ["m", "m"]},
            {"source": "b", "target": "S", "unit_time": "1/7", "duplex": "simplex"},
            {"source": "S", "target": "T", "unit_time": 5},
            {"source": "T", "target": "a", "unit_time": 6, "duplex": "half"},
        ],
        "media": [{"id": "m", "bandwidth": 8}, {"id": "unused", "bandwidth": 1}],
    }
)


def test_one_port_limits_ports_half_links_and_links_between_switches():
    network = read_network(PLATFORM, "one_port")
    assert {ends: dict(hop.uses) for ends, hop in network.hops.items()} == {
        ("b", "a"): {
            "a--b.half": Fraction(1, 3),
            "b.send": Fraction(1, 3),
            "a.receive": Fraction(1, 3),
        },
        ("a", "b"): {
            "a--b.half": Fraction(1, 3),
            "a.send": Fraction(1, 3),
            "b.receive": Fraction(1, 3),
        },
        ("b", "S"): {"b.send": Fraction(1, 7)},
        ("S", "T"): {"S->T.link": Fraction(5)},
        ("T", "S"): {"T->S.link": Fraction(5)},
        ("T", "a"): {"T--a.half": Fraction(6), "a.receive": Fraction(6)},
        ("a", "T"): {"T--a.half": Fraction(6), "a.send": Fraction(6)},
    }
    ports = {"a.send", "a.receive", "b.send", "b.receive"}
    assert network.resources == ports | {"a--b.half", "T--a.half", "S->T.link", "T->S.link"}
    assert network.switches == {"S", "T"}


def test_multiport_limits_links_bandwidths_and_media():
    network = read_network(PLATFORM, "multiport")
    assert network.hops["b", "a"].uses == (
        ("a--b.half", Fraction(1, 3)),
        ("b.out", Fraction(1, 4)),
        ("m.medium", Fraction(1, 4)),
    )
    assert network.hops["b", "S"].uses == (("b->S.link", Fraction(1, 7)), ("b.out", Fraction(1, 4)))
    assert network.hops["a", "b"].uses[1] == ("b.in", Fraction(1, 2))
    assert network.resources == {
        "a--b.half", "b->S.link", "S->T.link", "T->S.link", "T--a.half",
        "b.in", "b.out", "m.medium", "unused.medium",
    }  # fmt: skip


def test_a_link_without_speed_is_not_read():
    platform = Platform.model_validate(
        {"processors": [{"id": "A"}, {"id": "B"}], "links": [{"source": "A", "target": "B"}]}
    )
    with pytest.raises(ValueError, match="has no speed"):
        read_network(platform, "one_port")


@pytest.mark.parametrize("ports", ["one_port", "multiport"])
@pytest.mark.parametrize("platform", [PLATFORM, *(RIGHT[n]().instance.platform for n in RIGHT)])
def test_both_sides_of_the_house_name_the_same_resources(platform, ports):
    network = read_network(platform, ports)
    ids = [processor.id for processor in platform.processors]
    for arc in platform.arcs:
        hop = network.hops[ids[arc.source], ids[arc.target]]
        assert sorted(hop.uses) == sorted(map(tuple, arc_uses(platform, arc, ports)))
    assert len(network.hops) == len(platform.arcs)


def test_links_default_to_full_duplex():
    platform = Platform.model_validate(
        {"processors": [{"id": "A"}, {"id": "B"}], "links": links("A B")}
    )
    assert set(read_network(platform, "one_port").hops) == {("A", "B"), ("B", "A")}
