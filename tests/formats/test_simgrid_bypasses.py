"""Bypass routes are the routes: between hosts of a zone, and between zones."""

from fractions import Fraction
from typing import Any

import pytest

from steadygrid.domain.errors import InstanceError
from tests.data import shared_data
from tests.formats.simgrid_documents import document, link_between, load, summary, zone
from tests.solved import solve

MB = 10**6
FAST_AND_SLOW = (
    '<host id="a" speed="1Gf"/><host id="b" speed="1Gf"/><router id="m"/>'
    '<link id="fast" bandwidth="100MBps"/><link id="slow" bandwidth="1MBps"/>'
    '<route src="a" dst="m"><link_ctn id="fast"/></route>'
    '<route src="m" dst="b"><link_ctn id="fast"/></route>'
)
SLOWLY = '<bypassRoute src="a" dst="b"><link_ctn id="slow"/></bypassRoute>'
DIRECT = (
    '<route src="a" dst="b"><link_ctn id="fast"/><link_ctn id="fast"/><link_ctn id="fast"/></route>'
)


def tasks_per_second(data: bytes, routing: str = "fixed") -> Fraction:
    """A task is a second of work and 10 MB; its master is host a."""
    problem = {
        "kind": "master_worker",
        "platform": load(data).document.model_dump(mode="json"),
        "master": "a",
        "task": {"work": 10**9, "input_size": 10 * MB},
        "ports": "multiport",
        "routing": routing,
    }
    value = solve({"problem": problem}).result.objective.value
    assert isinstance(value, Fraction)
    return value


def ways(data: bytes) -> dict[tuple[str, str], Any]:
    return {(r.source, r.target): None if r.missing else r.via for r in load(data).document.routes}


def test_a_bypass_of_a_chain_is_the_route() -> None:
    data = zone(FAST_AND_SLOW + SLOWLY, "Floyd")
    assert ways(data) == {("a", "b"): ()}
    assert summary(link_between(load(data).document, "a", "b")) == (MB, "simplex", ())
    assert tasks_per_second(data) == 1 + Fraction(1, 10)
    assert tasks_per_second(zone(FAST_AND_SLOW, "Floyd")) == 2
    # With free routing files take any way that there is.
    assert tasks_per_second(data, "free") == 2


def test_the_bypassed_links_of_the_regression_are_not_used() -> None:
    data = shared_data("regressions/simgrid-bypass.xml").read_bytes()
    assert tasks_per_second(data) == Fraction(11, 10)


def test_a_bypass_of_a_declared_route_goes_over_a_switch_of_its_own() -> None:
    """The route from a to b is still a part of chains, so that both must be there."""
    platform = load(zone(FAST_AND_SLOW + DIRECT + SLOWLY, "Full")).document
    (made,) = [p for p in platform.processors if p.switch and p.id != "m"]
    assert made.id == "a to b"
    assert [(r.source, r.target, r.via) for r in platform.routes] == [("a", "b", ("a to b",))]
    assert summary(link_between(platform, "a", "a to b")) == (MB, "simplex", ())
    assert tasks_per_second(zone(FAST_AND_SLOW + DIRECT + SLOWLY, "Full")) == Fraction(11, 10)


def test_a_bypass_has_one_direction_only() -> None:
    routes = ways(zone(FAST_AND_SLOW + DIRECT + SLOWLY, "Full"))
    assert ("b", "a") not in routes
    assert ways(zone(FAST_AND_SLOW + SLOWLY, "Full")) == {("a", "b"): (), ("b", "a"): None}


def test_of_equal_bypasses_names_are_told_apart() -> None:
    made = zone(FAST_AND_SLOW.replace("m", "a to b") + DIRECT + SLOWLY, "Full")
    names = [p.id for p in load(made).document.processors]
    assert names == ["a", "b", "a to b", "a to b 2"]


ZONES = (
    '<zone id="x" routing="Full"><host id="a" speed="1Gf"/><router id="p"/>'
    '<link id="one" bandwidth="100MBps"/><route src="a" dst="p"><link_ctn id="one"/></route></zone>'
    '<zone id="y" routing="Full"><host id="b" speed="1Gf"/><router id="q"/>'
    '<link id="two" bandwidth="100MBps"/><route src="b" dst="q"><link_ctn id="two"/></route></zone>'
    '<link id="fast" bandwidth="100MBps"/><link id="slow" bandwidth="1MBps"/>'
    '<zoneRoute src="x" dst="y" gw_src="p" gw_dst="q"><link_ctn id="fast"/></zoneRoute>'
)


@pytest.mark.parametrize("tag", ["bypassZoneRoute", "bypassASroute"])
def test_a_bypass_between_zones_is_the_route(tag: str) -> None:
    bypass = f'<{tag} src="x" dst="y" gw_src="p" gw_dst="b"><link_ctn id="slow"/></{tag}>'
    data = document(f'<zone id="z" routing="Full">{ZONES}{bypass}</zone>')
    assert ways(data) == {("a", "b"): ("p",)}
    assert tasks_per_second(data) == Fraction(11, 10)
    assert tasks_per_second(document(f'<zone id="z" routing="Full">{ZONES}</zone>')) == 2


def test_bypasses_that_simgrid_never_takes_are_left_out_with_a_warning() -> None:
    bypass = '<bypassRoute src="a" dst="b"><link_ctn id="slow"/></bypassRoute>'
    imported = load(document(f'<zone id="z" routing="Full">{ZONES}{bypass}</zone>'))
    assert imported.document.routes == ()
    assert any(
        w.startswith("SimGrid takes a bypassRoute only between hosts directly in its zone")
        for w in imported.warnings
    )


def test_a_bypass_that_leads_to_itself_is_no_route() -> None:
    """SimGrid looks for the way from a to the gateway b by the same bypass, for ever."""
    bypass = (
        '<bypassZoneRoute src="x" dst="y" gw_src="b" gw_dst="q"><link_ctn id="slow"/>'
        "</bypassZoneRoute>"
    )
    assert ways(document(f'<zone id="z" routing="Full">{ZONES}{bypass}</zone>')) == {
        ("a", "b"): None
    }


@pytest.mark.parametrize(
    ("bypass", "says"),
    [
        (
            '<bypassRoute src="a" dst="c"><link_ctn id="slow"/></bypassRoute>',
            "no host or router 'c'",
        ),
        ('<bypassRoute src="a" dst="b"><link_ctn id="x"/></bypassRoute>', "there is no link 'x'"),
        (SLOWLY + SLOWLY, "it is given twice"),
        ('<bypassRoute src="a" dst="b"></bypassRoute>', "without links would be infinitely fast"),
        (
            '<bypassZoneRoute src="a" dst="b" gw_src="a" gw_dst="b"><link_ctn id="slow"/>'
            "</bypassZoneRoute>",
            "there is no zone 'a'",
        ),
        (
            '<bypassZoneRoute src="z" dst="z" gw_src="a" gw_dst="c"><link_ctn id="slow"/>'
            "</bypassZoneRoute>",
            "there is no host or router 'c' to be a gateway",
        ),
    ],
)
def test_a_bypass_that_breaks_a_rule_is_refused(bypass: str, says: str) -> None:
    with pytest.raises(InstanceError, match=says) as refused:
        load(zone(FAST_AND_SLOW + bypass))
    assert refused.value.faults[0].detail.startswith("line 5")
