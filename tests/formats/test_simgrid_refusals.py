"""Each refusal, with its line and its sentence."""

import pytest

from steadygrid.domain.errors import InstanceError, LimitError
from steadygrid.domain.limits import Limits
from tests.formats.simgrid_documents import DOCTYPE, document, load, pair, zone

TWO = '<host id="a" speed="1f"/><host id="b" speed="1f"/>'
LINK = '<link id="l" bandwidth="1MBps"/>'
SPLIT = '<link id="l" bandwidth="1MBps" sharing_policy="SPLITDUPLEX"/>'


def refusals(data):
    with pytest.raises(InstanceError) as caught:
        load(data)
    return [fault.detail for fault in caught.value.faults]


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ('<host speed="1f"/>', "line 5, <host>: the attribute id is missing or empty"),
        ('<host id="a"/>', "line 5, <host id='a'>: the attribute speed is missing or empty"),
        ('<host id="a" speed="1GF"/>', "speed: '1GF': there is no unit 'GF'"),
        ('<host id="a" speed="1f,2"  pstate="2"/>', "pstate=2, but only 2 speeds are given"),
        ('<host id="a" speed="1f" core="0"/>', "core='0' is not a whole number of at least 1"),
        ('<host id="a" speed="1f" core="two"/>', "core='two' is not a whole number"),
        ('<host id="a" speed="1f" core="1e9"/>', "core='1e9' is not a whole number"),
        (TWO + '<link id="l" bandwidth="0"/>', "bandwidth is zero: nothing could ever cross"),
        (TWO + '<link id="l" bandwidth="1Gb"/>', "bandwidth: '1Gb': there is no unit 'Gb'"),
        (TWO + '<link id="l" bandwidth="1MBps" latency="1x"/>', "latency: '1x': there is no unit"),
        (
            TWO + '<link id="l" bandwidth="1MBps" sharing_policy="WIFI"/>',
            "WIFI links cannot be represented",
        ),
        (
            TWO + '<link id="l" bandwidth="1MBps" sharing_policy="HALF"/>',
            "sharing_policy='HALF' is not one of SHARED, SPLITDUPLEX, FULLDUPLEX, FATPIPE, WIFI",
        ),
        (TWO + '<link id="l" bandwidth="1Bps,2Bps"/>', "there is no unit 'Bps,2Bps'"),
        ('<hots id="a"/>', "line 5, <hots id='a'>: is no element of SimGrid platforms"),
        ('<host id="a" speed="1f"><host id="b" speed="1f"/></host>', "does not belong into <host>"),
        (TWO + '<link_ctn id="l"/>', "<link_ctn id='l'>: does not belong into <zone>"),
        (TWO + '<route src="a" dst="b"></route>', "a route without links would be infinitely fast"),
        (
            TWO + LINK + '<route src="a" dst="b" symmetrical="maybe"><link_ctn id="l"/></route>',
            "symmetrical='maybe' is not one of YES, yes, NO, no",
        ),
        (
            TWO + SPLIT + '<route src="a" dst="b"><link_ctn id="l" direction="LEFT"/></route>',
            "direction='LEFT' is not one of UP, DOWN, NONE",
        ),
        (TWO + '<host_link id="a" up="l" down="l"/>', "belongs into a zone with Cluster"),
        (TWO + '<peer id="p" speed="1f" bw_in="1Bps" bw_out="1Bps"/>', "(or, peers, Vivaldi)"),
    ],
)
def test_an_element_that_breaks_a_rule_is_named_with_its_line(body, says):
    (detail,) = refusals(zone(body))
    assert detail.startswith("line 5, <")
    assert says in detail


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ('<host id="a" speed="1f"/><router id="a"/>', "'a' is the name of another host, router"),
        ('<host id="z" speed="1f"/>', "'z' is the name of another host, router or zone (line 4)"),
        (TWO + LINK + LINK, "the link 'l' is declared twice (first on line 5)"),
        (
            TWO + SPLIT + '<link id="l_UP" bandwidth="1MBps"/>',
            "the link 'l_UP' is declared twice (first on line 5)",
        ),
        (
            TWO + '<route src="a" dst="b"><link_ctn id="l"/></route>',
            "the route from 'a' to 'b': there is no link 'l'",
        ),
        (
            TWO + SPLIT + '<route src="a" dst="b"><link_ctn id="l"/></route>',
            "the route from 'a' to 'b': the link 'l' is SPLITDUPLEX: its use needs direction=\"UP\"",
        ),
        (
            TWO + LINK + '<route src="a" dst="b"><link_ctn id="l" direction="UP"/></route>',
            "the link 'l' has no direction: it is not SPLITDUPLEX",
        ),
        (
            TWO + '<route src="a" dst="b"><link_ctn id="l" direction="UP"/></route>',
            "there is no link 'l'",
        ),
        (
            TWO + LINK + '<route src="a" dst="c"><link_ctn id="l"/></route>',
            "the route from 'a' to 'c': there is no host or router 'c'",
        ),
        (
            TWO + LINK + '<route src="a" dst="z"><link_ctn id="l"/></route>',
            "'z' is a zone: use <zoneRoute>",
        ),
        (
            TWO
            + LINK
            + '<route src="a" dst="b"><link_ctn id="l"/></route>'
            + '<route src="b" dst="a" symmetrical="NO"><link_ctn id="l"/></route>',
            "the route from 'b' to 'a' is already given on line 5. Routes are symmetrical unless",
        ),
    ],
)
def test_a_name_that_leads_nowhere_is_named_with_its_line(body, says):
    (detail,) = refusals(zone(body))
    assert detail.startswith("line 5: ")
    assert says in detail


def test_several_faults_are_reported_at_once():
    details = refusals(zone('<host id="a" speed="x"/>\n<host id="b" speed="y"/>'))
    assert [detail[:6] for detail in details] == ["line 5", "line 6"]


def test_at_most_twenty_faults_are_reported():
    assert len(refusals(zone('<host id="a" speed="x"/>' * 100))) == 20
    routes = '<route src="a" dst="b"><link_ctn id="l"/></route>' * 100
    assert len(refusals(zone(TWO + routes))) == 20


INNER = '<zone id="i" routing="Full"><host id="c" speed="1f"/></zone>'
OUTER = '<zone id="o" routing="Full"><host id="d" speed="1f"/></zone>'


@pytest.mark.parametrize(
    ("route", "says"),
    [
        ('src="i" dst="x" gw_src="c" gw_dst="d"', "there is no zone 'x'"),
        ('src="i" dst="a" gw_src="c" gw_dst="d"', "there is no zone 'a'"),
        ('src="i" dst="z" gw_src="c" gw_dst="d"', "'z' is not directly in the zone 'z'"),
        (
            'src="i" dst="o" gw_src="c" gw_dst="e"',
            "there is no host or router 'e' to be the gateway of 'o'",
        ),
        ('src="i" dst="o" gw_src="c" gw_dst="a"', "the gateway 'a' is not in the zone 'o'"),
        ('src="i" dst="i" gw_src="c" gw_dst="c"', "a zone route joins two different zones"),
    ],
)
def test_a_zone_route_needs_zones_here_and_gateways_in_them(route, says):
    body = f'{TWO}{LINK}{INNER}{OUTER}<zoneRoute {route}><link_ctn id="l"/></zoneRoute>'
    (detail,) = refusals(zone(body))
    assert says in detail


def test_a_route_joins_hosts_of_its_own_zone():
    body = f'{TWO}{LINK}{INNER}<route src="a" dst="c"><link_ctn id="l"/></route>'
    (detail,) = refusals(zone(body))
    assert "'c' is not directly in the zone 'z'" in detail


@pytest.mark.parametrize(
    ("routing", "says"),
    [
        ("None", "the zone 'z' has the routing None: no routes"),
        ("Cluster", "hosts of a Cluster zone are joined by <host_link>, not by routes"),
    ],
)
def test_zones_without_routes_refuse_them(routing, says):
    routers = '<router id="a"/><router id="b"/>'
    details = refusals(
        zone(f'{routers}{LINK}<route src="a" dst="b"><link_ctn id="l"/></route>', routing)
    )
    assert says in details[0]


@pytest.mark.parametrize("routing", ["Wifi", "Magic"])
def test_a_routing_that_cannot_be_represented_is_refused(routing):
    (detail,) = refusals(zone("", routing))
    assert f"routing='{routing}' cannot be represented" in detail


@pytest.mark.parametrize(
    ("host_links", "says"),
    [
        ("", "the host 'a' has no <host_link> in its Cluster zone"),
        ('<host_link id="a" up="x" down="l"/>', "the host link of 'a': there is no link 'x'"),
        ('<host_link id="a" up="l" down="l"/>' * 2, "the host link of 'a': given twice"),
        (
            '<host_link id="a" up="l" down="l"/><host_link id="x" up="l" down="l"/>',
            "the host link of 'x': there is no host or router 'x'",
        ),
        (
            '<backbone id="p" bandwidth="1Bps"/><backbone id="q" bandwidth="1Bps"/>',
            "the zone has a backbone already: 'p'",
        ),
    ],
)
def test_host_links_are_checked(host_links, says):
    details = refusals(zone(f'<host id="a" speed="1f"/>{LINK}{host_links}', "Cluster"))
    assert says in details[0]


@pytest.mark.parametrize(
    ("attributes", "says"),
    [
        (
            'radical="0-1" topology="TORUS" topo_parameters="2,2"',
            "there are 4 hosts in it, but only 2",
        ),
        ('radical="0" topology="TORUS" topo_parameters="2;2"', "a TORUS cluster needs sizes"),
        ('radical="0" topology="TORUS" topo_parameters=""', "a TORUS cluster needs sizes"),
        ('radical="0" topology="TORUS" topo_parameters="0"', "all at least 1"),
        ('radical="0" topology="FAT_TREE" topo_parameters="1;1;1"', "a FAT_TREE cluster needs the"),
        (
            'radical="0" topology="FAT_TREE" topo_parameters="2;1;1;1"',
            "a FAT_TREE cluster needs the",
        ),
        ('radical="0" topology="FAT_TREE" topo_parameters="1;x;1;1"', "topo_parameters='x'"),
        ('radical="0" topology="DRAGONFLY" topo_parameters="1;1;1;1"', "needs groups and their"),
        (
            'radical="0-2" topology="DRAGONFLY" topo_parameters="3,1;1,1;1,1;1"',
            "at least 3 routers",
        ),
        (
            'radical="0" topology="FAT_TREE" topo_parameters="2;1,1;1,2;1,1" limiter_link="1MBps"',
            "more switches than hosts",
        ),
        ('radical="0-1" topology="RING"', "topology='RING' is not one of FLAT, TORUS"),
        ('radical="3-1"', "radical: '3-1' is not a number or a range like 1-29"),
        ('radical="1-2-3"', "radical: '1-2-3' is not a number"),
        ('radical="1,,2"', "radical: '' is not a number"),
        ('radical="1-9999999999"', "radical: '1-9999999999' is not a number"),
        ('radical="0-3,2"', "radical: 2 is listed twice"),
        ('radical="0" sharing_policy="WIFI"', "sharing_policy='WIFI' is not one of"),
        ('radical="0" bb_sharing_policy="SPLITDUPLEX" bb_bw="1Bps"', "is not one of SHARED"),
    ],
)
def test_a_cluster_that_breaks_a_rule_is_refused(attributes, says):
    details = refusals(document(f'<cluster id="c" speed="1f" bw="1MBps" lat="0" {attributes}/>'))
    assert says in details[0]


def test_what_follows_a_refused_cluster_is_still_read_in_its_place():
    bad = '<cluster id="c" radical="0" speed="1f" bw="1MBps" lat="0" bb_bw="x"/>'
    (detail,) = refusals(zone(bad + TWO + LINK))
    assert "bb_bw: 'x' is not a bandwidth like 125MBps" in detail


@pytest.mark.parametrize("version", ["3", "4.2", "5", "", "four"])
def test_other_versions_are_refused(version):
    (detail,) = refusals(document('<zone id="z" routing="Full"/>', version))
    assert "version" in detail


def test_there_is_one_outermost_zone():
    (detail,) = refusals(document(INNER + OUTER))
    assert "a platform has one outermost zone, and 'i' is it already" in detail


def test_the_root_is_a_platform():
    (detail,) = refusals(b"<adag/>")
    assert detail == "line 1, <adag>: is no element of SimGrid platforms, version 4 or 4.1"
    (detail,) = refusals(b'<zone id="z" routing="Full"/>')
    assert detail == "line 1, <zone id='z'>: does not belong here"


def test_a_platform_has_processors():
    assert refusals(document("")) == ["the platform has no host and no router"]
    assert refusals(zone("")) == ["the platform has no host and no router"]


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("x" * 201, "200 characters"),
        ("a&#9;b", "control characters"),
    ],
)
def test_a_name_that_no_id_can_be_is_refused(name, says):
    (detail,) = refusals(zone(f'<host id="{name}" speed="1f"/>'))
    assert says in detail


def test_names_that_would_become_the_same_id_are_refused():
    (detail,) = refusals(zone('<host id="a--b" speed="1f"/><host id="a-b" speed="1f"/>'))
    assert detail == "'a-b' and another name would both become 'a-b'"


def test_a_number_that_no_request_could_carry_is_refused():
    digits = "1" * 60
    (detail,) = refusals(zone(f'<host id="a" speed="{digits}Yf"/>'))
    assert "more than 64 digits" in detail


# --- limits --------------------------------------------------------------------------------


def refused_limit(data, **limits):
    with pytest.raises(LimitError) as caught:
        load(data, Limits(**limits))
    (fault,) = caught.value.faults
    return fault.detail


def fabric(shape, parameters, hosts, **limits):
    return refused_limit(
        document(
            f'<cluster id="c" radical="0-{hosts - 1}" speed="1f" bw="1Bps" lat="0"'
            f' topology="{shape}" topo_parameters="{parameters}"/>'
        ),
        **limits,
    )


def test_hosts_of_a_torus_are_not_folded_and_counted_before_it_is_made():
    detail = fabric("TORUS", "999,999", 998_001)
    assert detail == (
        "line 4: the cluster 'c' has 1,996,002 links between its switches. At most 200,000 are accepted"
    )
    assert "has 130,000 processors and switches or more" in fabric("TORUS", "130000", 130_000)
    assert "At most 15 are accepted (max_processors)" in fabric(
        "TORUS", "4,2", 8, max_processors=15
    )


def test_large_fabrics_are_refused_before_they_are_made():
    assert "has 10,000,000 hosts that are no flat cluster" in fabric(
        "DRAGONFLY", "1,1;1,1;100,1;100000", 10**7
    )
    assert "links between its switches" in fabric("DRAGONFLY", "1,1;1,1;999,1;1", 999)


def test_clusters_of_more_sorts_than_processors_are_refused():
    several = "".join(
        f'<cluster id="c{k}" prefix="c{k}-" suffix="" radical="0-9" speed="1f" bw="1Bps" lat="0"/>'
        for k in range(6)
    )
    data = document(f'<zone id="z" routing="Full">{several}</zone>')
    assert len(load(data, Limits(max_processors=18)).document.processors) == 18
    assert refused_limit(data, max_processors=17) == (
        "line 4: with this the platform has 18 processors and switches or more, interchangeable hosts"
        " counted once. At most 17 are accepted (max_processors): declare fewer hosts, or raise"
        " STEADYGRID_MAX_PROCESSORS"
    )


def test_hosts_beyond_the_limit_are_refused():
    detail = refused_limit(zone(TWO + '<router id="r"/>'), max_processors=2)
    assert detail.endswith("at least 3 processors and switches. At most 2 are accepted")


def test_a_document_beyond_the_limit_is_refused_unread():
    assert refused_limit(b" " * 101, max_body_bytes=100) == "101 bytes. At most 100 are accepted"


def test_links_beyond_the_limit_are_refused():
    line = '<link id="l" bandwidth="1MBps" sharing_policy="SPLITDUPLEX"/>'
    data = zone(
        TWO + line + '<link id="m" bandwidth="2MBps"/>'
        '<route src="a" dst="b" symmetrical="NO"><link_ctn id="l" direction="UP"/></route>'
        '<route src="b" dst="a" symmetrical="NO"><link_ctn id="m"/></route>'
    )
    assert refused_limit(data, max_links=1) == "2 routes. At most 1 are accepted"
    star = document('<cluster id="c" radical="0-3" speed="1f" bw="1Bps" lat="0"/>')
    assert refused_limit(star, max_links=3) == ("the platform has 4 links. At most 3 are accepted")


def test_elements_beyond_ten_times_the_limit_on_links_are_refused():
    data = pair(LINK, '<link_ctn id="l"/>' * 11)
    assert refused_limit(data, max_links=1) == "11 elements. At most 10 are accepted"


# --- hostile documents -----------------------------------------------------------------------


@pytest.mark.parametrize(
    "doctype",
    [
        '<!DOCTYPE platform SYSTEM "file:///etc/passwd">',
        '<!DOCTYPE platform SYSTEM "http://example.org/simgrid.dtd">',
        '<!DOCTYPE platform SYSTEM "https://simgrid.org.example.org/simgrid.dtd">',
        '<!DOCTYPE platform PUBLIC "x" "https://simgrid.org/simgrid.dtd">',
        '<!DOCTYPE other SYSTEM "https://simgrid.org/simgrid.dtd">',
        "<!DOCTYPE platform>",
        '<!DOCTYPE platform [<!ENTITY a "b">]>',
        '<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd" [<!ENTITY a "b">]>',
        '<!DOCTYPE platform [<!ENTITY a SYSTEM "file:///etc/passwd">]>',
        '<!DOCTYPE platform [<!ENTITY % a SYSTEM "http://localhost/x"> %a;]>',
    ],
)
def test_any_other_doctype_is_refused(doctype):
    data = zone('<host id="a" speed="1f"/>').replace(DOCTYPE.encode(), doctype.encode())
    (detail,) = refusals(data)
    assert detail.startswith("line 2: only SimGrid's own DOCTYPE is accepted")


@pytest.mark.parametrize(
    "address",
    [
        "https://simgrid.org/simgrid.dtd",
        "http://simgrid.org/simgrid.dtd",
        "http://simgrid.gforge.inria.fr/simgrid/simgrid.dtd",
        "http://simgrid.gforge.inria.fr/simgrid.dtd",
        "simgrid.dtd",
    ],
)
def test_simgrids_own_doctypes_are_accepted_and_never_fetched(address):
    data = zone('<host id="a" speed="1f"/>')
    own = f'<!DOCTYPE platform SYSTEM "{address}">'
    assert load(data.replace(DOCTYPE.encode(), own.encode())).warnings == ()
    assert load(data.replace(DOCTYPE.encode(), b"")).warnings == ()


def test_entity_bombs_are_refused_before_they_expand():
    entities = "".join(f'<!ENTITY e{i} "{f"&e{i - 1};" * 100}">' for i in range(1, 20))
    bomb = f'<!DOCTYPE platform [<!ENTITY e0 "ha">{entities}]>'
    data = zone('<host id="&e19;" speed="1f"/>').replace(DOCTYPE.encode(), bomb.encode())
    with pytest.raises(InstanceError):
        load(data)
    quadratic = f'<!DOCTYPE platform [<!ENTITY e "{"x" * 100_000}">]>'
    data = zone('<host id="' + "&e;" * 10_000 + '" speed="1f"/>')
    with pytest.raises(InstanceError):
        load(data.replace(DOCTYPE.encode(), quadratic.encode()))


def test_an_undefined_entity_is_not_dropped_silently():
    assert refusals(zone('<host id="a&x;b" speed="1f"/>')) == ["the entity &x; is not defined"]


def test_ordinary_escapes_and_comments_are_no_entities():
    data = zone('<!-- R&D &x; --><host id="a&amp;b&#65;" speed="1f"/>')
    assert load(data).document.processors[0].id == "a&bA"


def test_deep_nesting_is_refused():
    deep = '<zone id="{}" routing="Full">'
    body = "".join(deep.format(f"z{i}") for i in range(100_000))
    details = refusals(document(body))
    assert details == ["line 4, <zone id='z99'>: nested more than 100 deep"]


def test_an_endless_tag_is_refused():
    attributes = " ".join(f'a{i}=""' for i in range(400_000))
    (detail,) = refusals(zone(f"<host {attributes}/>"))
    assert detail == "not readable as XML (a tag or comment is longer than 1,048,576 bytes)"


def test_a_comment_that_never_ends_is_refused():
    (detail,) = refusals(zone("&amp;" + "<!--" * 1000))
    assert "not well-formed XML" in detail


def test_a_document_cut_short_is_refused():
    data = zone('<host id="a" speed="1f"/>')
    (detail,) = refusals(data[:-5])
    assert detail.startswith("line 7: not well-formed XML")


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{}",
        b"\x00" * 50,
        zone("").decode().encode("utf-16"),
        b'<?xml version="1.0" encoding="no-such"?><platform version="4.1"/>',
        b'<?xml version="1.0" encoding="utf-7"?><platform version="4.1"/>',
        b"\xff\xfe<platform/>",
        b'<platform version="4.1" version="4.1"/>',
        b'<platform version="4.1"/><platform version="4.1"/>',
    ],
)
def test_what_is_not_xml_is_refused(data):
    assert refusals(data)
