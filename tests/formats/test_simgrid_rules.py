"""Each rule of the importer, on a document of a few lines."""

from fractions import Fraction

import pytest

from steadygrid.domain.platform import Units
from tests.formats.simgrid_documents import (
    bandwidths,
    document,
    link_between,
    load,
    load_platform,
    pair,
    summary,
    zone,
)

MB = 10**6


def only_link(data):
    (link,) = load_platform(data).links
    return link


# --- processors ----------------------------------------------------------------------------


def test_units_are_seconds_bytes_and_flops():
    platform = load_platform(zone('<host id="a" speed="1Gf"/>'))
    assert platform.units == Units(time="s", data="B", work="flop")


def test_the_outermost_zone_names_the_platform_unless_asked_otherwise():
    data = zone('<host id="a" speed="1Gf"/>')
    assert load(data).document.name == "z"
    assert load(data, name="mine").document.name == "mine"


def test_speed_counts_all_cores_and_says_so():
    imported = load(zone('<host id="a" speed="1.5Gf" core="4"/><host id="b" speed="1Gf"/>'))
    assert imported.document.processors[0].speed == 6 * 10**9
    (warning,) = [w for w in imported.warnings if "cores" in w]
    assert warning.endswith(": a")


def test_of_several_speeds_the_first_is_kept():
    imported = load(zone('<host id="a" speed="100Mf, 50Mf,20Mf"/>'))
    assert imported.document.processors[0].speed == 100 * MB
    assert any("pstates" in w for w in imported.warnings)


def test_a_host_starts_in_the_state_that_it_names():
    platform = load_platform(zone('<host id="a" speed="100Mf,50Mf" pstate="1"/>'))
    assert platform.processors[0].speed == 50 * MB


def test_a_host_of_speed_zero_runs_nothing():
    imported = load(zone('<host id="a" speed="0f"/>'))
    (processor,) = imported.document.processors
    assert (processor.speed, processor.switch) == (None, False)
    assert any("runs nothing: a" in w for w in imported.warnings)


def test_routers_become_switches():
    platform = load_platform(zone('<router id="r"/><host id="a" speed="1f"/>'))
    assert [(p.id, p.switch, p.speed) for p in platform.processors] == [
        ("r", True, None),
        ("a", False, 1),
    ]


def test_numbers_without_units_are_read_in_base_units_with_a_warning():
    imported = load(
        document(
            '<AS id="z" routing="Full"><host id="a" speed="5"/><host id="b" speed="5f"/>'
            '<link id="l" bandwidth="100" latency="0"/>'
            '<route src="a" dst="b"><link_ctn id="l"/></route></AS>',
            version="4",
        )
    )
    assert imported.document.links[0].bandwidth == 100
    assert imported.document.processors[0].speed == 5
    (warning,) = [w for w in imported.warnings if "unit" in w]
    assert "<host id='a'>, <link id='l'>" in warning


# --- links, by who uses them -----------------------------------------------------------------


def test_a_shared_link_of_one_route_is_a_half_duplex_link():
    link = only_link(pair('<link id="l" bandwidth="1MBps"/>', '<link_ctn id="l"/>'))
    assert summary(link) == (MB, "half", ())


def test_an_unshared_link_of_a_route_in_one_direction_has_its_plain_bandwidth():
    platform = load_platform(
        zone(
            '<host id="a" speed="1f"/><host id="b" speed="1f"/><link id="l" bandwidth="1MBps"/>'
            '<route src="a" dst="b" symmetrical="NO"><link_ctn id="l"/></route>'
        )
    )
    assert summary(platform.links[0]) == (MB, "simplex", ())
    assert platform.media == ()


def test_a_shared_link_of_two_routes_is_a_medium_of_both():
    platform = load_platform(
        zone(
            '<host id="a" speed="1f"/><host id="b" speed="1f"/><host id="c" speed="1f"/>'
            '<link id="l" bandwidth="1MBps"/>'
            '<route src="a" dst="b"><link_ctn id="l"/></route>'
            '<route src="b" dst="c"><link_ctn id="l"/></route>'
        )
    )
    assert [summary(link) for link in platform.links] == [(MB, "full", ("l",))] * 2
    assert bandwidths(platform) == {"l": MB}


def test_a_split_duplex_link_of_one_route_gives_each_direction_its_own_bandwidth():
    link = only_link(
        pair(
            '<link id="l" bandwidth="1MBps" sharing_policy="SPLITDUPLEX"/>',
            '<link_ctn id="l" direction="UP"/>',
        )
    )
    assert summary(link) == (MB, "full", ())


def test_a_split_duplex_link_of_two_routes_is_one_medium_for_each_direction():
    platform = load_platform(
        zone(
            '<host id="a" speed="1f"/><host id="b" speed="1f"/><host id="c" speed="1f"/>'
            '<link id="l" bandwidth="1MBps" sharing_policy="FULLDUPLEX"/>'
            '<route src="a" dst="b"><link_ctn id="l" direction="UP"/></route>'
            '<route src="a" dst="c"><link_ctn id="l" direction="UP"/></route>'
        )
    )
    assert [(x.source, x.target, *summary(x)) for x in platform.links] == [
        ("a", "b", MB, "simplex", ("l_UP",)),
        ("b", "a", MB, "simplex", ("l_DOWN",)),
        ("a", "c", MB, "simplex", ("l_UP",)),
        ("c", "a", MB, "simplex", ("l_DOWN",)),
    ]
    assert bandwidths(platform) == {"l_UP": MB, "l_DOWN": MB}


def test_one_direction_of_a_split_duplex_link_can_be_named_by_itself():
    platform = load_platform(
        pair(
            '<link id="l" bandwidth="1MBps" sharing_policy="SPLITDUPLEX"/>',
            '<link_ctn id="l_UP"/>',
        )
    )
    assert summary(platform.links[0]) == (MB, "half", ())


def test_a_fat_pipe_bounds_each_link_and_is_shared_by_none():
    imported = load(
        zone(
            '<host id="a" speed="1f"/><host id="b" speed="1f"/><host id="c" speed="1f"/>'
            '<link id="l" bandwidth="1MBps" sharing_policy="FATPIPE"/>'
            '<route src="a" dst="b"><link_ctn id="l"/></route>'
            '<route src="b" dst="c"><link_ctn id="l"/><link_ctn id="l"/></route>'
        )
    )
    assert [summary(x) for x in imported.document.links] == [(MB, "full", ())] * 2
    assert imported.document.media == ()
    assert any(w.startswith("FATPIPE") and w.endswith(": l") for w in imported.warnings)


def test_a_route_of_several_links_has_their_least_bandwidth_all_their_media_and_summed_latency():
    platform = load_platform(
        zone(
            '<host id="a" speed="1f"/><host id="b" speed="1f"/><host id="c" speed="1f"/>'
            '<link id="l" bandwidth="3MBps" latency="1ms"/>'
            '<link id="m" bandwidth="2MBps" latency="2ms"/>'
            '<link id="n" bandwidth="1MBps" latency="4ms" sharing_policy="FATPIPE"/>'
            '<route src="a" dst="b"><link_ctn id="l"/><link_ctn id="m"/><link_ctn id="n"/></route>'
            '<route src="a" dst="c"><link_ctn id="l"/><link_ctn id="m"/></route>'
        )
    )
    assert summary(link_between(platform, "a", "b")) == (MB, "full", ("l", "m"))
    assert summary(link_between(platform, "a", "c")) == (2 * MB, "full", ("l", "m"))
    assert link_between(platform, "a", "b").latency == Fraction(7, 1000)


def test_a_medium_listed_twice_counts_twice():
    platform = load_platform(
        zone(
            '<host id="a" speed="1f"/><host id="b" speed="1f"/><host id="c" speed="1f"/>'
            '<link id="l" bandwidth="2MBps"/>'
            '<route src="a" dst="b"><link_ctn id="l"/><link_ctn id="l"/></route>'
            '<route src="a" dst="c"><link_ctn id="l"/></route>'
        )
    )
    assert link_between(platform, "a", "b").media == ("l", "l")
    assert bandwidths(platform) == {"l": 2 * MB}


def test_a_private_link_listed_twice_has_half_its_bandwidth():
    link = only_link(
        pair('<link id="l" bandwidth="2MBps"/>', '<link_ctn id="l"/><link_ctn id="l"/>')
    )
    assert summary(link) == (MB, "half", ())


def test_a_link_used_more_often_in_one_direction_is_a_medium():
    platform = load_platform(
        zone(
            '<host id="a" speed="1f"/><host id="b" speed="1f"/><link id="l" bandwidth="1MBps"/>'
            '<route src="a" dst="b" symmetrical="NO"><link_ctn id="l"/><link_ctn id="l"/></route>'
            '<route src="b" dst="a" symmetrical="NO"><link_ctn id="l"/></route>'
        )
    )
    assert [summary(x) for x in platform.links] == [
        (MB, "simplex", ("l", "l")),
        (MB, "simplex", ("l",)),
    ]


def test_a_joint_bound_that_a_medium_implies_is_dropped():
    platform = load_platform(
        zone(
            '<host id="a" speed="1f"/><host id="b" speed="1f"/><host id="c" speed="1f"/>'
            '<link id="l" bandwidth="1MBps"/><link id="own" bandwidth="5MBps"/>'
            '<route src="a" dst="b"><link_ctn id="own"/><link_ctn id="l"/></route>'
            '<route src="a" dst="c"><link_ctn id="l"/></route>'
        )
    )
    assert summary(link_between(platform, "a", "b")) == (MB, "full", ("l",))
    assert bandwidths(platform) == {"l": MB}


def test_a_joint_bound_below_all_media_makes_the_link_half_duplex():
    platform = load_platform(
        zone(
            '<host id="a" speed="1f"/><host id="b" speed="1f"/><host id="c" speed="1f"/>'
            '<link id="l" bandwidth="5MBps"/><link id="own" bandwidth="1MBps"/>'
            '<route src="a" dst="b"><link_ctn id="own"/><link_ctn id="l"/></route>'
            '<route src="a" dst="c"><link_ctn id="l"/></route>'
        )
    )
    assert summary(link_between(platform, "a", "b")) == (MB, "half", ("l",))


def test_a_joint_bound_above_what_each_direction_carries_becomes_a_medium():
    platform = load_platform(
        pair(
            '<link id="l" bandwidth="3MBps"/>'
            '<link id="m" bandwidth="2MBps" sharing_policy="SPLITDUPLEX"/>',
            '<link_ctn id="l"/><link_ctn id="m" direction="UP"/>',
        )
    )
    assert summary(platform.links[0]) == (2 * MB, "full", ("l",))
    assert bandwidths(platform) == {"l": 3 * MB}


# --- routes --------------------------------------------------------------------------------


def test_routes_are_symmetrical_unless_they_say_no():
    body = (
        '<host id="a" speed="1f"/><host id="b" speed="1f"/>'
        '<link id="l" bandwidth="1MBps"/><link id="m" bandwidth="2MBps"/>'
        '<route src="a" dst="b" symmetrical="NO"><link_ctn id="l"/></route>'
        '<route src="b" dst="a" symmetrical="no"><link_ctn id="m"/></route>'
    )
    platform = load_platform(zone(body))
    assert [(x.source, x.target, *summary(x)) for x in platform.links] == [
        ("a", "b", MB, "simplex", ()),
        ("b", "a", 2 * MB, "simplex", ()),
    ]


def test_one_route_per_direction_of_equal_speed_is_one_full_link():
    link = only_link(
        zone(
            '<host id="a" speed="1f"/><host id="b" speed="1f"/>'
            '<link id="l" bandwidth="1MBps" sharing_policy="SPLITDUPLEX"/>'
            '<route src="a" dst="b" symmetrical="NO"><link_ctn id="l" direction="DOWN"/></route>'
            '<route src="b" dst="a" symmetrical="NO"><link_ctn id="l" direction="UP"/></route>'
        )
    )
    assert (link.source, link.target, link.duplex) == ("a", "b", "full")


def test_directions_that_differ_only_in_latency_are_two_links():
    platform = load_platform(
        zone(
            '<host id="a" speed="1f"/><host id="b" speed="1f"/>'
            '<link id="l" bandwidth="1MBps" latency="1s"/>'
            '<link id="m" bandwidth="1MBps" latency="2s"/>'
            '<route src="a" dst="b" symmetrical="NO"><link_ctn id="l"/></route>'
            '<route src="b" dst="a" symmetrical="NO"><link_ctn id="m"/></route>'
        )
    )
    assert [x.latency for x in platform.links] == [1, 2]


def test_loopback_routes_are_left_out_with_a_warning():
    imported = load(
        zone(
            '<host id="a" speed="1f"/><link id="l" bandwidth="1MBps" sharing_policy="FATPIPE"/>'
            '<route src="a" dst="a"><link_ctn id="l"/></route>'
        )
    )
    assert imported.document.links == ()
    assert imported.warnings == (
        "loopback links are left out: what stays on a host takes no time: a",
    )


def test_parts_that_nothing_joins_are_named():
    imported = load(
        zone(
            '<host id="a" speed="1f"/><host id="b" speed="1f"/><host id="c" speed="1f"/>'
            '<link id="l" bandwidth="1MBps"/><route src="a" dst="b"><link_ctn id="l"/></route>'
        )
    )
    assert [w for w in imported.warnings if "joins" in w] == [
        "no route joins the groups of these processors to one another: a, c"
    ]


# --- zones ---------------------------------------------------------------------------------

NESTED = """
<{zone} id="world" routing="Floyd">
  <{zone} id="north" routing="Full">
    <{zone} id="inner" routing="Full"><router id="gn"/></{zone}>
    <{zone} id="hosts" routing="Full"><host id="a" speed="1f"/></{zone}>
    <link id="ln" bandwidth="1MBps"/>
    <{route} src="hosts" dst="inner" gw_src="a" gw_dst="gn"><link_ctn id="ln"/></{route}>
  </{zone}>
  <{zone} id="south" routing="Dijkstra"><host id="b" speed="1f"/></{zone}>
  <link id="wan" bandwidth="2MBps"/>
  <{route} src="north" dst="south" gw_src="gn" gw_dst="b"><link_ctn id="wan"/></{route}>
</{zone}>
"""


@pytest.mark.parametrize(
    ("version", "names"),
    [
        ("4.1", {"zone": "zone", "route": "zoneRoute"}),
        ("4", {"zone": "AS", "route": "ASroute"}),
        ("4.0", {"zone": "AS", "route": "ASroute"}),
    ],
)
def test_zones_nest_through_their_gateways_in_both_spellings(version, names):
    platform = load_platform(document(NESTED.format(**names), version))
    assert {(x.source, x.target): x.bandwidth for x in platform.links} == {
        ("a", "gn"): MB,
        ("gn", "b"): 2 * MB,
    }


# --- what we cannot represent ----------------------------------------------------------------


def test_what_cannot_be_represented_is_named_once_for_each_kind():
    hosts = "".join(
        f'<host id="h{i}" speed="1f" speed_file="f" coordinates="1 2 3">'
        '<prop id="k" value="v"/><disk id="d" read_bw="1MBps" write_bw="1MBps">'
        '<prop id="size" value="1"/></disk></host>'
        for i in range(5)
    )
    imported = load(
        document(
            f'<config id="General"><prop id="network/model" value="CM02"/></config>'
            f'<zone id="z" routing="None">{hosts}</zone>'
            '<trace id="t" periodicity="1.0">0.0 1.0</trace>'
            '<trace_connect trace="t" element="h0" kind="SPEED"/>'
            '<actor host="h0" function="f"><argument value="1"/></actor>'
        )
    )
    openings = [w.split(":")[0] for w in imported.warnings]
    assert len(openings) == len(set(openings))
    for word in ("availability", "coordinates", "properties", "disks", "traces", "actors"):
        assert sum(opening.startswith(word) for opening in openings) == 1, word
    (disks,) = [w for w in imported.warnings if w.startswith("disks")]
    assert disks.endswith("and 2 more")


def test_unknown_attributes_are_named():
    imported = load(zone('<host id="a" speed="1f" colour="red"/>'))
    assert imported.warnings == (
        "unknown attributes are left out: line 5: colour of <host id='a'>",
    )


def test_names_that_cannot_be_ids_are_changed_with_a_warning():
    imported = load(
        zone(
            '<host id="a--b" speed="1f"/><host id="c" speed="1f"/><host id="d" speed="1f"/>'
            '<link id="a->c" bandwidth="1MBps"/>'
            '<route src="a--b" dst="c"><link_ctn id="a->c"/></route>'
            '<route src="c" dst="d"><link_ctn id="a->c"/></route>'
        )
    )
    assert [p.id for p in imported.document.processors] == ["a-b", "c", "d"]
    assert [m.id for m in imported.document.media] == ["a→c"]
    assert any(w.startswith("names were changed") for w in imported.warnings)


def test_names_that_begin_or_end_with_a_dash_lose_it_with_a_warning():
    imported = load(zone('<host id="-a-" speed="1f"/><host id="--b" speed="1f"/>'))
    assert [p.id for p in imported.document.processors] == ["a", "b"]
    assert any('nor begin or end with "-"' in w for w in imported.warnings)


def test_a_warning_shortens_long_names():
    imported = load(zone(f'<host id="{"x" * 150}" speed="1f" core="2"/>'))
    assert imported.warnings[0].endswith(": " + "x" * 60 + "...")


def test_a_misspelt_attribute_is_asked_about():
    link = '<link id="l" bandwidth="1Bps" sharng_policy="SHARED"/>'
    (warning, *_) = load(zone('<host id="a" speed="1f"/>' + link)).warnings
    assert "line 5: sharng_policy (did you mean 'sharing_policy'?)" in warning
