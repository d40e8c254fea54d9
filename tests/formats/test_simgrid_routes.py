"""SimGrid's static routing: what its zones say, and what the platform has to."""

from fractions import Fraction
from typing import Any

import pytest

from steadygrid.domain.limits import Limits
from steadygrid.formats.simgrid import fixed
from tests.data import shared_data
from tests.formats.simgrid_documents import document, load, zone
from tests.solved import solve


def hosts(*names: str) -> str:
    return "".join(f'<host id="{name}" speed="1Gf"/>' for name in names)


def route(source: str, target: str, *links: str, symmetrical: str = "YES") -> str:
    hops = "".join(f'<link_ctn id="{link}"/>' for link in links)
    return f'<route src="{source}" dst="{target}" symmetrical="{symmetrical}">{hops}</route>'


def links(*names: str, bandwidth: str = "1MBps") -> str:
    return "".join(f'<link id="{n}" bandwidth="{bandwidth}" latency="0"/>' for n in names)


def written(data: bytes) -> dict[tuple[str, str], tuple[str, ...]]:
    return {(r.source, r.target): r.via for r in load(data).document.routes if not r.missing}


FEWER_LINKS = (
    hosts("a", "b") + '<router id="r"/>' + links("1", "2", "10", "11", "12")
    + route("a", "r", "1") + route("r", "b", "2") + route("a", "b", "10", "11", "12")
)  # fmt: skip
"""From a to b there are three links in one route, or two in two."""


@pytest.mark.parametrize("routing", ["Floyd", "Dijkstra", "DijkstraCache"])
def test_chains_of_the_fewest_simgrid_links_are_taken(routing: str) -> None:
    assert written(zone(FEWER_LINKS, routing)) == {("a", "b"): ("r",), ("b", "a"): ("r",)}


def test_what_is_taken_anyway_is_not_written() -> None:
    assert written(zone(FEWER_LINKS, "Full")) == {}
    tree = hosts("a", "b", "c") + links("1", "2") + route("a", "b", "1") + route("b", "c", "2")
    imported = load(zone(tree, "Floyd"))
    assert imported.document.routes == ()
    assert not any('"routing"' in warning for warning in imported.warnings)


def test_of_equally_many_links_the_first_found_is_taken() -> None:
    """Both ways have two links; the one over m is slower, and found first."""
    square = (
        hosts("m", "a", "b", "n") + links("1", "2", bandwidth="1MBps") + links("3", "4", bandwidth="9MBps")
        + route("a", "m", "1") + route("m", "b", "2") + route("a", "n", "3") + route("n", "b", "4")
    )  # fmt: skip
    expected = {("a", "b"): ("m",), ("b", "a"): ("m",)}
    routes = written(zone(square, "Floyd"))
    assert {ends: routes[ends] for ends in expected} == expected
    assert written(zone(square, "Dijkstra"))["a", "b"] == ("m",)


def test_a_pair_without_a_route_has_none_over_hosts_or_routers() -> None:
    """S and T each have a route to C and one to the router, but none to each other."""
    star = (
        hosts("S", "T", "C") + '<router id="r"/>' + links("1", "2", "3", "4")
        + route("S", "C", "1", "3") + route("T", "C", "2", "3", "4")
        + route("S", "r", "1") + route("T", "r", "2")
    )  # fmt: skip
    imported = load(zone(star, "Full"))
    assert [(r.source, r.target, r.missing) for r in imported.document.routes] == [
        ("S", "T", True),
        ("T", "S", True),
    ]
    (warning,) = [w for w in imported.warnings if w.startswith("SimGrid has no route")]
    assert warning.endswith("in one go: S to T, T to S")


def zones(routing: str) -> bytes:
    """Three zones of a ring; from z0 to z2 there is a way of one link, and one of two."""
    inner = "".join(
        f'<zone id="z{k}" routing="Full">{hosts(f"h{k}", f"g{k}")}{links(f"l{k}")}'
        f"{route(f'h{k}', f'g{k}', f'l{k}')}</zone>"
        for k in range(3)
    )
    outer = "".join(
        f'<zoneRoute src="z{a}" dst="z{b}" gw_src="{x}" gw_dst="{y}">'
        + "".join(f'<link_ctn id="{name}"/>' for name in names)
        + "</zoneRoute>"
        for a, b, x, y, names in (
            (0, 1, "h0", "g1", ["p"]), (1, 2, "h1", "g2", ["q"]), (0, 2, "g0", "h2", ["r", "s", "t"]),
        )
    )  # fmt: skip
    more = links("p", "q", "r", "s", "t")
    return document(f'<zone id="top" routing="{routing}">{inner}{more}{outer}</zone>')


def test_routes_between_zones_pass_from_gateway_to_gateway() -> None:
    """Two links beat three, and inside z1 the way goes on from its one gateway to the other."""
    assert written(zones("Floyd"))["h0", "g2"] == ("g1", "h1")
    assert written(zones("Floyd"))["g0", "h2"] == ("h0", "g1", "h1", "g2")
    assert ("g0", "h2") not in written(zones("Full"))


CLUSTERS = "".join(
    f'<cluster id="c{k}" prefix="c{k}-" suffix="" radical="1-3" speed="1Gf" bw="1MBps" lat="0"/>'
    for k in range(3)
) + links("p", "q", bandwidth="9MBps") + links("r", bandwidth="1MBps") + "".join(
    f'<zoneRoute src="c{a}" dst="c{b}" gw_src="c{a}-c{a}_router" gw_dst="c{b}-c{b}_router">'
    f'<link_ctn id="{name}"/></zoneRoute>'
    for a, b, name in ((0, 1, "p"), (1, 2, "q"), (0, 2, "r"))
)  # fmt: skip
"""Three clusters of three hosts; the direct line from the first to the last is slow."""


def test_hosts_of_one_cluster_share_their_route() -> None:
    routes = written(document(f'<zone id="top" routing="Full">{CLUSTERS}</zone>'))
    assert len(routes) == 2 * 3 * 3
    assert set(routes.values()) == {
        ("c0-c0_router", "c2-c2_router"),
        ("c2-c2_router", "c0-c0_router"),
    }


@pytest.mark.parametrize(("bound", "value"), [("MOST_PAIRS", 1), ("MOST_MEMBERS", 1)])
def test_too_many_routes_are_not_looked_for(
    bound: str, value: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fixed, bound, value)
    imported = load(zone(FEWER_LINKS, "Floyd"))
    assert imported.document.routes == ()
    assert any("too many routes" in warning for warning in imported.warnings)


def test_more_routes_than_a_platform_may_have_are_not_written() -> None:
    data = zone(FEWER_LINKS, "Floyd")
    assert load(data, Limits(max_links=5)).document.routes
    assert len(load(data, Limits(max_links=3)).document.links) == 3
    clusters = document(f'<zone id="top" routing="Full">{CLUSTERS}</zone>')
    imported = load(clusters, Limits(max_links=17))
    assert imported.document.routes == ()
    assert any("too many routes" in warning for warning in imported.warnings)


def test_all_routes_are_written_where_comparing_takes_too_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(fixed, "MOST_STEPS", 1)
    assert written(zone(FEWER_LINKS, "Full")) == {("a", "b"): (), ("b", "a"): ()}


def throughput(platform: Any, master: str, task: dict[str, Any], routing: str) -> Fraction:
    problem = {"kind": "master_worker", "platform": platform.model_dump(mode="json")}
    problem |= {"master": master, "task": task, "ports": "multiport", "routing": routing}
    value = solve({"problem": problem}).result.objective.value
    assert isinstance(value, Fraction)
    return value


def test_fixed_routing_promises_what_simgrid_s_routes_carry() -> None:
    """Over the router at most one file per second; the direct links are never taken."""
    platform = load(zone(FEWER_LINKS.replace("1Gf", "10Mf"), "Dijkstra")).document
    task = {"work": 5_000_000, "input_size": 1_000_000}
    assert throughput(platform, "a", task, "fixed") == 2 + 1
    assert throughput(platform, "a", task, "free") == 2 + 2


def test_a_dogbone_s_servers_reach_each_other_over_clients_only() -> None:
    """S1's files for S2 cross the line in the middle twice: 100 MB/s carry 50 of them."""
    data = shared_data("simgrid-platforms/dogbone.xml").read_bytes()
    platform = load(data).document
    task = {"times": {"S2": "1/1000"}, "input_size": 1_000_000}
    assert throughput(platform, "S1", task, "fixed") == 50
    assert throughput(platform, "S1", task, "free") == 100
