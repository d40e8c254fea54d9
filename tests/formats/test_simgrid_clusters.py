"""Clusters, Cluster zones, cabinets and peers: stars around a hub."""

from fractions import Fraction

from tests.formats.simgrid_documents import (
    bandwidths,
    document,
    link_between,
    load,
    load_platform,
    summary,
    zone,
)

MB = 10**6


def cluster(attributes, around=""):
    return document(
        f'<cluster id="c" prefix="n-" suffix=".x" radical="0-1,5" speed="1Gf" bw="10MBps"'
        f' lat="1us" {attributes}>{around}</cluster>'
    )


def test_a_cluster_without_backbone_is_a_star_around_its_router():
    platform = load_platform(cluster(""))
    assert [p.id for p in platform.processors] == ["n-c_router.x", "n-0.x", "n-1.x", "n-5.x"]
    assert [(x.source, x.target, *summary(x)) for x in platform.links] == [
        ("n-0.x", "n-c_router.x", 10 * MB, "full", ()),
        ("n-1.x", "n-c_router.x", 10 * MB, "full", ()),
        ("n-5.x", "n-c_router.x", 10 * MB, "full", ()),
    ]


def test_a_cluster_with_a_backbone_is_a_hub_whose_router_is_behind_it():
    platform = load_platform(cluster('bb_bw="15MBps" bb_lat="2us" router_id="gate"'))
    assert [(p.id, p.switch) for p in platform.processors[:2]] == [("c", True), ("gate", True)]
    assert summary(link_between(platform, "n-0.x", "c")) == (10 * MB, "simplex", ("c_backbone",))
    assert summary(link_between(platform, "c", "n-0.x")) == (10 * MB, "simplex", ())
    assert summary(link_between(platform, "gate", "c")) == (15 * MB, "simplex", ("c_backbone",))
    assert summary(link_between(platform, "c", "gate")) == (15 * MB, "simplex", ())
    assert link_between(platform, "n-0.x", "c").latency == Fraction(3, 10**6)
    assert link_between(platform, "c", "n-0.x").latency == Fraction(1, 10**6)
    assert bandwidths(platform) == {"c_backbone": 15 * MB}


def test_shared_cluster_links_carry_both_directions_together():
    plain = load_platform(cluster('sharing_policy="SHARED"'))
    assert summary(plain.links[0]) == (10 * MB, "half", ())
    behind = load_platform(cluster('sharing_policy="SHARED" bb_bw="15MBps"'))
    assert link_between(behind, "n-0.x", "c").media == ("c_link_0", "c_backbone")
    assert link_between(behind, "c", "n-0.x").media == ("c_link_0",)


def test_a_fat_pipe_backbone_only_bounds_the_hosts():
    platform = load_platform(cluster('bb_bw="4MBps" bb_sharing_policy="FATPIPE"'))
    assert {summary(link) for link in platform.links} == {(4 * MB, "full", ())}


def test_fat_pipe_cluster_links_are_shared_as_simgrid_makes_them():
    imported = load(cluster('sharing_policy="FATPIPE"'))
    assert {summary(link) for link in imported.document.links} == {(10 * MB, "half", ())}
    assert any(w.startswith("links of clusters are SHARED where") for w in imported.warnings)


def test_a_limiter_is_shared_by_both_directions_of_a_host():
    platform = load_platform(cluster('limiter_link="15MBps"'))
    assert summary(platform.links[0]) == (10 * MB, "full", ("c_link_0_limiter",))
    tight = load_platform(cluster('limiter_link="5MBps"'))
    assert summary(tight.links[0]) == (5 * MB, "half", ())


def test_loopbacks_properties_and_profiles_of_a_cluster_are_left_out_with_warnings():
    imported = load(
        cluster(
            'loopback_bw="1GBps" loopback_lat="0" state_file="x" bb_bw="0" limiter_link="0"',
            '<prop id="p" value="v"/>',
        )
    )
    assert any(w.startswith("loopback") for w in imported.warnings)
    assert any(w.startswith("availability") for w in imported.warnings)
    assert any(w.startswith("properties") for w in imported.warnings)
    assert imported.document.media == ()


def test_cores_of_a_cluster_count():
    imported = load(cluster('core="2"'))
    assert imported.document.processors[1].speed == 2 * 10**9


CLUSTER_ZONE = """
<zone id="c" routing="Cluster">
  <host id="a" speed="1f"/><host id="b" speed="1f"/>{routers}
  <link id="l" bandwidth="4MBps" sharing_policy="SPLITDUPLEX"/><link id="m" bandwidth="5MBps"/>
  {backbone}
  <host_link id="a" up="l_UP" down="l_DOWN"/>
  <host_link id="b" up="m" down="m"/>
  <cabinet id="k" prefix="k" suffix="" radical="7" speed="1f" bw="6MBps" lat="0"/>
</zone>
"""


def test_a_cluster_zone_hangs_hosts_and_cabinets_on_its_hub():
    platform = load_platform(document(CLUSTER_ZONE.format(routers="", backbone="")))
    assert [(x.source, x.target, *summary(x)) for x in platform.links] == [
        ("a", "c", 4 * MB, "full", ()),
        ("b", "c", 5 * MB, "half", ()),
        ("k7", "c", 6 * MB, "full", ()),
    ]


def test_several_routers_of_a_cluster_zone_take_all_that_its_hosts_can_send():
    platform = load_platform(
        document(CLUSTER_ZONE.format(routers='<router id="r"/><router id="s"/>', backbone=""))
    )
    assert summary(link_between(platform, "c", "r")) == (15 * MB, "full", ())
    assert summary(link_between(platform, "c", "s")) == (15 * MB, "full", ())


def test_a_cluster_zone_may_have_a_backbone():
    backbone = '<backbone id="bb" bandwidth="9MBps" latency="1ms"/>'
    platform = load_platform(
        document(CLUSTER_ZONE.format(routers='<router id="r"/>', backbone=backbone))
    )
    assert link_between(platform, "a", "c").media == ("bb",)
    assert summary(link_between(platform, "r", "c")) == (9 * MB, "simplex", ("bb",))


def test_hosts_on_the_same_link_of_a_cluster_zone_are_warned_of():
    imported = load(
        zone(
            '<host id="a" speed="1f"/><host id="b" speed="1f"/><link id="l" bandwidth="4MBps"/>'
            '<host_link id="a" up="l" down="l"/><host_link id="b" up="l" down="l"/>',
            "Cluster",
        )
    )
    assert any("use it once" in w and w.endswith(": l") for w in imported.warnings)
    # The way over the hub would use the link twice.
    assert summary(link_between(imported.document, "a", "b")) == (4 * MB, "full", ("l",))
    assert {(r.source, r.target, r.via) for r in imported.document.routes} <= {
        ("a", "b", ()),
        ("b", "a", ()),
    }


def test_peers_hang_on_the_hub_of_their_vivaldi_zone():
    imported = load(
        zone(
            '<peer id="p" speed="1f" bw_in="2MBps" bw_out="1MBps" coordinates="0 0 1"/>', "Vivaldi"
        )
    )
    assert [(x.source, x.target, x.bandwidth) for x in imported.document.links] == [
        ("p", "z", MB),
        ("z", "p", 2 * MB),
    ]
    assert any(w.startswith("coordinates") for w in imported.warnings)
