"""Real platform files, the example, and large clusters."""

from contextlib import suppress
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from steadygrid.domain.errors import InstanceError, LimitError
from steadygrid.domain.limits import Limits
from steadygrid.formats import guess_importer
from tests.data import shared_data
from tests.formats.simgrid_documents import (
    SIMGRID,
    bandwidths,
    document,
    link_between,
    load,
    summary,
)

MB = 10**6
EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "three_sites.xml"


def load_shared(name, limits=None):
    return load(shared_data(f"simgrid-platforms/{name}.xml").read_bytes(), limits)


# Hosts, switches (routers, and the hubs of clusters behind a backbone), links, media.
COUNTS = {
    "two_hosts": (2, 0, 1, 0),
    "onelink": (2, 0, 1, 0),
    "crosstraffic": (2, 0, 1, 0),
    "three_multicore_hosts": (3, 0, 3, 1),
    "hosts_with_disks": (3, 0, 3, 0),
    "dogbone": (4, 2, 9, 5),
    "small_platform": (7, 0, 21, 22),
    "simulacrum_7_hosts": (7, 0, 21, 9),
    "small_platform_one_link_routes": (6, 0, 15, 0),
    "small_platform_with_routers": (5, 6, 19, 10),
    "small_platform_fatpipe": (4, 0, 4, 0),
    "small_platform_routing_none": (7, 0, 0, 0),
    "cluster_backbone": (100, 2, 202, 1),
    "cluster_multi": (24, 5, 8 + 2 * 18 + 3, 1 + 9),
    "cluster_and_one_host": (3, 1, 3, 0),
    "griffon": (92, 6, 2 * 92 + 2 * 3 + 3, 3 + 1),
    "g5k": (1528, 102, 3286, 68),
    "bypassRoute": (4, 5, 9, 0),
    "cluster_crossbar": (2, 1, 2, 0),
    "tesh_three_hosts_non_symmetric_route": (3, 0, 4, 2),
    "tesh_two_hosts_multi_hop": (2, 0, 1, 0),
    "tesh_one_cluster_splitduplex": (5, 2, 12, 1),
    "tesh_link_attributes": (1, 0, 0, 0),
    "tesh_host_attributes": (5, 0, 0, 0),
}
ROUTES = {"small_platform_one_link_routes": 14, "g5k": 0, "griffon": 0, "dogbone": 4}
"""Those that are needed: all others are the shortest paths."""
REFUSED = {"tesh_bogus_missing_dst_gateway", "tesh_bogus_two_hosts_asymetric"}


@pytest.mark.parametrize("name", sorted(COUNTS))
def test_a_real_platform_loads_with_the_expected_counts(name):
    imported = load_shared(name)
    platform = imported.document
    switches = sum(processor.switch for processor in platform.processors)
    hosts = len(platform.processors) - switches
    assert (hosts, switches, len(platform.links), len(platform.media)) == COUNTS[name]
    assert len(platform.routes) == ROUTES.get(name, len(platform.routes))
    if name == "g5k":  # every host reaches every other
        assert not any("joins" in warning for warning in imported.warnings)


def test_no_real_platform_is_forgotten():
    folder = shared_data("simgrid-platforms")
    assert {path.stem for path in folder.glob("*.xml")} == set(COUNTS) | REFUSED


def test_a_gateway_that_does_not_exist_is_named():
    with pytest.raises(InstanceError) as caught:
        load_shared("tesh_bogus_missing_dst_gateway")
    (fault,) = caught.value.faults
    assert fault.detail == (
        "line 14: the route from 'us' to 'fr': there is no host or router"
        " 'neud-grappe_router.grappe.fr' to be the gateway of 'fr'"
    )


def test_a_route_given_twice_is_named_since_routes_are_symmetrical():
    with pytest.raises(InstanceError) as caught:
        load_shared("tesh_bogus_two_hosts_asymetric")
    (fault,) = caught.value.faults
    assert fault.detail == (
        "line 17: the route from 'alice' to 'bob': the route from 'alice' to 'bob' is already given"
        ' on line 14. Routes are symmetrical unless they say symmetrical="NO"'
    )


def test_the_crossbar_of_65536_hosts_is_two_processors():
    imported = load_shared("cluster_crossbar")
    router, first, others = imported.document.processors
    assert router.switch
    assert (first.id, first.members, first.speed) == ("node-0.simgrid.org", None, 10**9)
    assert (others.id, others.members) == ("node-[1-65535].simgrid.org", 65_535)
    assert others.speed == 65_535 * 10**9
    assert [link.bandwidth for link in imported.document.links] == [125 * MB, 65_535 * 125 * MB]


def test_small_platform_agrees_with_the_comparison_by_hand():
    """Written down from the file by hand: 26 routes, of which 5 are loopbacks.

    Every link but 80 is on two routes or more; 80 is on Boivin-Fafard only, where link 9 (both
    directions, 7.20975 MB/s) leaves it nothing to bound. The loopback link is on no route
    between two hosts.
    """
    imported = load_shared("small_platform")
    platform = imported.document
    assert {p.id: p.speed for p in platform.processors} == {
        "Tremblay": 98_095_000,
        "Jupiter": 76_296_000,
        "Fafard": 76_296_000,
        "Ginette": 48_492_000,
        "Bourassa": 48_492_000,
        "Jacquelin": 137_333_000,
        "Boivin": 98_095_000,
    }
    assert bandwidths(platform) == {
        "0": 41_279_125,
        "1": 34_285_625,
        "2": 118_682_500,
        "3": 34_285_625,
        "4": 10_099_625,
        "5": 27_946_250,
        "6": 41_279_125,
        "7": 11_618_875,
        "8": 8_158_000,
        "9": 7_209_750,
        "10": 34_285_625,
        "11": 118_682_500,
        "16": 34_285_625,
        "17": 118_682_500,
        "44": 10_314_625,
        "47": 10_314_625,
        "54": 15_376_875,
        "56": 21_414_750,
        "59": 11_845_375,
        "78": 27_946_250,
        "79": 8_427_250,
        "145": 2_583_375,
    }
    expected = {
        ("Tremblay", "Jupiter"): (7_209_750, "9"),
        ("Tremblay", "Fafard"): (8_158_000, "4 3 2 0 1 8"),
        ("Tremblay", "Ginette"): (10_099_625, "4 3 5"),
        ("Tremblay", "Bourassa"): (10_099_625, "4 3 2 0 1 6 7"),
        ("Jupiter", "Fafard"): (7_209_750, "9 4 3 2 0 1 8"),
        ("Fafard", "Ginette"): (8_158_000, "8 1 0 2 5"),
        ("Jupiter", "Jacquelin"): (2_583_375, "145"),
        ("Jupiter", "Boivin"): (10_314_625, "47"),
        ("Fafard", "Bourassa"): (8_158_000, "8 6 7"),
        ("Jacquelin", "Boivin"): (2_583_375, "145 59 56 54 17 16 10 11 44 47"),
        ("Jacquelin", "Tremblay"): (2_583_375, "145 59 56 54 2 3"),
        ("Boivin", "Tremblay"): (10_314_625, "47 44 11 10 16 0 3"),
        ("Boivin", "Fafard"): (7_209_750, "47 44 11 6 9 79 78"),
    }
    for ends, (bandwidth, media) in expected.items():
        assert summary(link_between(platform, *ends)) == (bandwidth, "full", tuple(media.split()))
    tremblay_ginette = link_between(platform, "Tremblay", "Ginette")
    assert tremblay_ginette.latency == Fraction(479_780 + 514_433 + 278_066, 10**9)
    assert [warning.split(":")[0] for warning in imported.warnings] == [
        "loopback links are left out",
        "latencies of links (summed along a route) are ignored unless latencies are paid",
        "SimGrid's routes are fixed",
    ]


def test_griffon_has_three_hubs_behind_backbones_and_one_shared_trunk():
    platform = load_shared("griffon").document
    hub = "griffon_cluster_cabinet1"
    router = "griffon-griffon_cluster_cabinet1_router.nancy.grid5000.fr"
    other = "griffon-griffon_cluster_cabinet3_router.nancy.grid5000.fr"
    host = "griffon-58.nancy.grid5000.fr"
    backbone = "griffon_cluster_cabinet1_backbone"
    assert {p.speed for p in platform.processors} == {None, 286_087}
    assert summary(link_between(platform, host, hub)) == (125 * 10**6, "simplex", (backbone,))
    assert summary(link_between(platform, hub, host)) == (125 * 10**6, "simplex", ())
    assert summary(link_between(platform, router, hub)) == (125 * 10**7, "simplex", (backbone,))
    assert summary(link_between(platform, hub, router)) == (125 * 10**7, "simplex", ())
    assert summary(link_between(platform, router, other)) == (125 * 10**7, "full", ("backbone",))


def test_a_cluster_of_15000_hosts_loads():
    body = (
        '<cluster id="c" prefix="n-" suffix="" radical="1-15000" speed="1Gf" bw="1Gbps" lat="1us"'
        ' bb_bw="10Gbps"/>'
    )
    platform = SIMGRID.read(document(body)).document
    assert len(platform.processors) == 15_002
    assert len(platform.links) == 30_002
    assert [(m.id, m.bandwidth) for m in platform.media] == [("c_backbone", 125 * 10**7)]


def test_the_three_sites_example_is_a_grid_behind_shared_lines():
    assert guess_importer("platform", EXAMPLE.name) is SIMGRID
    platform = load(EXAMPLE.read_bytes()).document
    assert sum(not processor.switch for processor in platform.processors) == 20
    assert bandwidths(platform) == {
        "shore_backbone": 500 * 10**6,
        "shore_line": 60 * 10**6,
        "hill_line": 45 * 10**6,
        "harbour_line": 15 * 10**6,
    }
    assert summary(link_between(platform, "shore_gateway", "hill_gateway")) == (
        45 * 10**6,
        "full",
        ("shore_line", "hill_line"),
    )
    assert summary(link_between(platform, "harbour-1", "harbour_gateway")) == (
        12_500_000,
        "half",
        (),
    )


TEXT = EXAMPLE.read_bytes()
PIECES = st.sampled_from(
    b"""< > " & ' \0 \xff </zone> <zone> <host speed="1e30Yf" radical='1-99999' up='x' ]]> <![CDATA[
    hill_gateway shore direction='UP' SPLITDUPLEX -- -> 1 - &x; <!-- --> FATPIPE 0""".split()
)


@settings(max_examples=200, deadline=None, derandomize=True)
@given(
    st.lists(
        st.tuples(st.integers(0, len(TEXT)), st.integers(0, 40), PIECES), min_size=1, max_size=6
    )
)
def test_a_damaged_document_is_imported_or_refused_but_never_crashes(damages):
    data = TEXT
    for start, length, piece in damages:
        data = data[:start] + piece + data[start + length :]
    with suppress(InstanceError, LimitError):
        load(data, Limits(max_processors=100))


@settings(max_examples=100, deadline=None, derandomize=True)
@given(st.binary(max_size=200))
def test_arbitrary_bytes_are_refused(data):
    with pytest.raises(InstanceError):
        SIMGRID.read(data)
