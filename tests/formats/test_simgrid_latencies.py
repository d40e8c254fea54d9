"""What a route takes is what SimGrid sums: every link of it once."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise, permutations, product

import pytest

from steadygrid.domain.limits import Limits
from steadygrid.domain.platform import Platform
from steadygrid.verification.network import read_network
from steadygrid.verification.routes import FixedRoutes
from tests.formats.simgrid_documents import document, load, load_platform

LATENCY = {"c": 1, "d": 2}
"""Of a host's own link, by cluster."""
BACKBONE = {"c": 10, "d": 20}
BETWEEN = 100
POLICIES = (None, "SHARED", "FATPIPE")


def cluster(name: str, policy: str | None, more: str, last: int = 2) -> str:
    backbone = (
        ""
        if policy is None
        else f'bb_bw="50Bps" bb_lat="{BACKBONE[name]}s" bb_sharing_policy="{policy}"'
    )
    return (
        f'<cluster id="{name}" prefix="{name}" suffix="" radical="0-{last}" speed="1f" bw="100Bps"'
        f' lat="{LATENCY[name]}s" router_id="r{name}" {backbone} {more}/>'
    )


def grid(c: str, d: str) -> bytes:
    """Two clusters, and a link between their routers."""
    return document(
        f'<zone id="top" routing="Full">{c}{d}<link id="l" bandwidth="7Bps" latency="{BETWEEN}s"/>'
        '<zoneRoute src="c" dst="d" gw_src="rc" gw_dst="rd"><link_ctn id="l"/></zoneRoute></zone>'
    )


def told(platform: Platform, source: str, target: str) -> Fraction | None:
    """Sum the latencies of the links on the route of a platform."""
    routes = FixedRoutes(read_network(platform, "multiport"), platform.routes)
    way = routes.path(source, target)
    latencies = {(link.source, link.target): link.latency for link in platform.links}
    for link in platform.links:
        if link.duplex != "simplex":
            latencies[link.target, link.source] = link.latency
    if way is None:
        return None
    return sum((latencies[hop] for hop in pairwise(way)), Fraction(0))


def listed(source: str, target: str, policies: dict[str, str | None]) -> Sequence[int]:
    """List SimGrid's links between two hosts by their latencies."""

    def half(cluster: str) -> list[int]:
        backbone = [] if policies[cluster] is None else [BACKBONE[cluster]]
        return [LATENCY[cluster], *backbone]

    if source[0] == target[0]:
        return [*half(source[0]), LATENCY[target[0]]]
    return [*half(source[0]), BETWEEN, *half(target[0])]


@pytest.mark.parametrize(
    "more",
    ["", 'sharing_policy="SHARED"', 'limiter_link="70Bps" loopback_bw="9Bps" loopback_lat="5s"'],
)
@pytest.mark.parametrize(("first", "second"), list(product(POLICIES, POLICIES)))
def test_every_path_takes_what_its_links_take(
    first: str | None, second: str | None, more: str
) -> None:
    platform = load_platform(grid(cluster("c", first, more), cluster("d", second, more)))
    hosts = [p.id for p in platform.processors if not p.switch]
    assert len(hosts) == 6
    for source, target in permutations(hosts, 2):
        wanted = sum(listed(source, target, {"c": first, "d": second}))
        assert told(platform, source, target) == wanted, (source, target)


@pytest.mark.parametrize("policy", POLICIES)
def test_folded_hosts_take_what_single_ones_do(policy: str | None) -> None:
    text = grid(cluster("c", policy, "", last=99), cluster("d", policy, "", last=99))
    platform = load(text, Limits(max_processors=20)).document
    hosts = [p.id for p in platform.processors if not p.switch]
    assert [p.members for p in platform.processors if not p.switch] == [None, 99] * 2
    for source, target in permutations(hosts, 2):
        wanted = sum(listed(source, target, {"c": policy, "d": policy}))
        assert told(platform, source, target) == wanted, (source, target)


def test_a_fat_pipe_bounds_each_host_in_both_directions_and_no_router() -> None:
    platform = load_platform(grid(cluster("c", "FATPIPE", ""), cluster("d", "FATPIPE", "")))
    found = {(link.source, link.target): (link.bandwidth, link.latency) for link in platform.links}
    assert found["c0", "c"] == (50, 11)
    assert found["c", "c0"] == (50, 1)
    assert found["c", "rc"] == (150, 0)
    assert found["rc", "c"] == (150, 10)
    assert platform.media == ()


def test_a_fat_pipe_without_latency_needs_no_hub_of_its_own() -> None:
    without = cluster("c", "FATPIPE", "").replace('bb_lat="10s"', 'bb_lat="0s"')
    platform = load_platform(document(without))
    assert {link.duplex for link in platform.links} == {"full"}
    assert [p.id for p in platform.processors if p.switch] == ["rc"]


def star(links: str, *hung: str, backbone: str = "", routers: str = '<router id="r"/>') -> bytes:
    hosts = "".join(f'<host id="h{i}" speed="1f"/>' for i in range(len(hung)))
    joined = "".join(f'<host_link id="h{i}" {how}/>' for i, how in enumerate(hung))
    return document(
        f'<zone id="z" routing="Cluster">{hosts}{routers}{links}{backbone}{joined}</zone>'
    )


@pytest.mark.parametrize("policy", ["SHARED", "FATPIPE"])
def test_hosts_on_one_link_of_a_cluster_zone_pay_for_it_once(policy: str) -> None:
    both = (
        f'<link id="l" bandwidth="100Bps" latency="1s" sharing_policy="{policy}"/>'
        '<link id="m" bandwidth="100Bps" latency="3s"/>'
    )
    platform = load_platform(star(both, *['up="l" down="l"'] * 2, 'up="m" down="m"'))
    assert told(platform, "h0", "h1") == told(platform, "h1", "h0") == 1
    assert told(platform, "h0", "h2") == told(platform, "h2", "h0") == 4


@pytest.mark.parametrize("policy", ["SHARED", "FATPIPE"])
@pytest.mark.parametrize("routers", ["", '<router id="r"/>', '<router id="r"/><router id="s"/>'])
def test_a_backbone_that_is_declared_counts_once(policy: str, routers: str) -> None:
    links = "".join(f'<link id="l{i}" bandwidth="100Bps" latency="{3**i}s"/>' for i in range(3))
    backbone = '<backbone id="b" bandwidth="90Bps" latency="50s"/>'
    if policy == "FATPIPE":
        backbone = backbone.replace("/>", ' sharing_policy="FATPIPE"/>')
    hung = [f'up="l{i}" down="l{i}"' for i in range(3)]
    platform = load_platform(star(links, *hung, backbone=backbone, routers=routers))
    for i, j in permutations(range(3), 2):
        assert told(platform, f"h{i}", f"h{j}") == 3**i + 50 + 3**j


def fabric(topology: str, parameters: str, hosts: int) -> Platform:
    return load_platform(
        document(
            f'<cluster id="c" prefix="h" suffix="" radical="0-{hosts - 1}" speed="1f" bw="100Bps"'
            f' lat="1s" topology="{topology}" topo_parameters="{parameters}" limiter_link="80Bps"'
            ' loopback_bw="9Bps" loopback_lat="5s"/>'
        )
    )


def test_routes_of_a_torus_take_its_steps() -> None:
    sizes = (2, 3, 4)
    platform = fabric("TORUS", "2,3,4", 24)
    places = [(i % 2, i // 2 % 3, i // 6) for i in range(24)]
    for i, j in permutations(range(24), 2):
        steps = [
            min((a - b) % size, (b - a) % size)
            for a, b, size in zip(places[i], places[j], sizes, strict=True)
        ]
        assert told(platform, f"h{i}", f"h{j}") == sum(steps)


def test_routes_of_a_fat_tree_with_many_cables_take_two_links_a_level() -> None:
    platform = fabric("FAT_TREE", "2;4,2;2,2;1,3", 8)
    for i, j in permutations(range(8), 2):
        assert told(platform, f"h{i}", f"h{j}") == (2 if i // 4 == j // 4 else 4)


def test_routes_of_a_dragonfly_take_the_links_that_they_cross() -> None:
    platform = fabric("DRAGONFLY", "2,2;2,2;3,2;2", 24)
    for i, j in permutations(range(24), 2):
        (g, c, b), (h, d, e) = ((n // 12, n // 6 % 2, n // 2 % 3) for n in (i, j))
        links = 2
        if g != h:
            links += (b != h) + (c != 0) + 1
            c, b = 0, g
        if b != e:
            # SimGrid takes it that a green link is one of the first chassis.
            c = 0
            links += 1
        links += c != d
        assert told(platform, f"h{i}", f"h{j}") == links, (i, j)
