"""Platforms written for SimGrid: what is read back is the same platform."""

from fractions import Fraction
from typing import Any

import pytest

import steadygrid as sg
from steadygrid.domain.errors import InstanceError, LimitError
from steadygrid.domain.platform import Platform
from steadygrid.formats.simgrid import writer
from steadygrid.submissions.exports import write_platform
from tests.data import shared_data
from tests.formats.simgrid_documents import load_platform
from tests.tree import ROOT

REAL = [
    "bypassRoute",
    "cluster_and_one_host",
    "cluster_multi",
    "griffon",
    "simulacrum_7_hosts",
    "small_platform",
    "small_platform_one_link_routes",
    "small_platform_routing_none",
    "small_platform_with_routers",
    "tesh_one_cluster_splitduplex",
    "tesh_three_hosts_non_symmetric_route",
]
UNITS = {"time": "s", "data": "B", "work": "flop"}


def read_back(platform: Platform) -> Platform:
    return load_platform(write_platform("simgrid", platform).text.encode())


def made(links: list[dict[str, Any]], **more: Any) -> Platform:
    processors = [
        {"id": "a", "speed": 10**9},
        {"id": "b", "speed": "3/2"},
        {"id": "forwards"},
        {"id": "s", "switch": True},
    ]
    own = {"name": "lab", "units": UNITS, "processors": processors, "links": links}
    return Platform.model_validate(own | more)


def link(source: str, target: str, **more: Any) -> dict[str, Any]:
    return {"source": source, "target": target, "bandwidth": 100} | more


@pytest.mark.parametrize("name", REAL)
def test_a_real_platform_is_read_back(name: str) -> None:
    platform = load_platform(shared_data(f"simgrid-platforms/{name}.xml").read_bytes())
    assert read_back(platform) == platform
    assert write_platform("simgrid", platform).notes == ()


def test_a_platform_of_the_examples_is_read_back() -> None:
    platform = load_platform((ROOT / "examples" / "three_sites.xml").read_bytes())
    assert read_back(platform) == platform


@pytest.mark.parametrize(
    "platform",
    [
        made([link("a", "b", latency="1/8"), link("b", "s", duplex="half")]),
        made([link("a", "b", duplex="simplex"), link("b", "a", duplex="simplex", bandwidth=7)]),
        made(
            [link("a", "s", media=["bus"]), link("b", "s", media=["bus"], duplex="simplex")],
            media=[{"id": "bus", "bandwidth": 100}],
        ),
        made(
            [link("a", "s"), link("s", "b"), link("a", "forwards"), link("forwards", "b")],
            routes=[{"source": "a", "target": "b", "via": ["s"]}],
        ),
        made(
            [link("a", "b", bandwidth=1), link("a", "s"), link("s", "b")],
        ),
        made(
            [link("a", "b", bandwidth=1000), link("a", "s"), link("s", "b")],
            routes=[{"source": "b", "target": "a", "via": ["s"]}],
        ),
    ],
    ids=["half", "one way", "bus", "of two", "least time", "given"],
)
def test_links_media_and_routes_are_read_back(platform: Platform) -> None:
    assert read_back(platform) == platform


def test_routes_that_simgrid_would_not_take_are_bypasses() -> None:
    text = write_platform(
        "simgrid", made([link("a", "b", bandwidth=1), link("a", "s"), link("s", "b")])
    ).text
    assert text.count("<bypassRoute") == 2
    assert (
        '<bypassRoute src="b" dst="a"><link_ctn id="s-&gt;b" direction="DOWN"/>'
        '<link_ctn id="a-&gt;s" direction="DOWN"/></bypassRoute>'
    ) in text


def test_hosts_that_hang_alike_are_compared_once(monkeypatch: pytest.MonkeyPatch) -> None:
    platform = load_platform(
        b"<platform version='4.1'><zone id='z' routing='Floyd'>"
        + b"".join(b"<host id='h%d' speed='1f'/>" % i for i in range(6))
        + b"<router id='p'/><router id='q'/><router id='r'/>"
        b"<link id='l' bandwidth='1Bps' sharing_policy='FATPIPE'/>"
        b"<link id='m' bandwidth='9Bps' sharing_policy='FATPIPE'/>"
        + b"".join(
            b"<route src='h%d' dst='%s'><link_ctn id='m'/></route>" % (i, b"p" if i < 3 else b"q")
            for i in range(6)
        )
        + b"<route src='p' dst='q'><link_ctn id='l'/></route>"
        b"<route src='p' dst='r'><link_ctn id='m'/></route>"
        b"<route src='r' dst='q'><link_ctn id='m'/></route></zone></platform>"
    )
    routed = platform.model_copy(update={"routes": ()})
    monkeypatch.setattr(writer, "MOST_PAIRS", 4)
    assert write_platform("simgrid", routed).text.count("<bypassRoute") == 18
    assert read_back(routed) == routed
    monkeypatch.setattr(writer, "MOST_PAIRS", 3)
    with pytest.raises(LimitError, match=r"4 pairs of hosts. At most 3"):
        write_platform("simgrid", routed)


def test_many_processors_have_another_routing(monkeypatch: pytest.MonkeyPatch) -> None:
    platform = made([link("a", "b", bandwidth=1), link("a", "s"), link("s", "b")])
    monkeypatch.setattr(writer, "MOST_MEMBERS", 3)
    written = write_platform("simgrid", platform)
    assert 'routing="DijkstraCache"' in written.text
    assert load_platform(written.text.encode()) == platform


def test_what_is_read_otherwise_is_said() -> None:
    thirds = made([link("a", "b", unit_time=3, bandwidth=None)], name=None, units={"time": "h"})
    written = write_platform("simgrid", thirds)
    assert written.notes == (
        "SimGrid reads numbers as bytes, flops and seconds. The units of the platform are others",
        "the platform is called by its zone, 'platform'",
        "numbers that no decimal says are rounded to 17 digits",
    )
    assert all(f"<!-- {note} -->" in written.text for note in written.notes)
    (back,) = load_platform(written.text.encode()).links
    assert back.bandwidth == Fraction("0.33333333333333333")
    alone = made([link("a", "b", media=["m"])], media=[{"id": "m", "bandwidth": 50}], name="a")
    assert write_platform("simgrid", alone).notes == (
        "the platform is called by its zone, 'a zone'",
        "media that one link alone uses, or that are no narrower than a link, are read back as its"
        " bandwidth",
    )


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"processors": [{"id": "a", "bandwidth_in": 1}]}, "bandwidth_in of processor 'a'"),
        ({"processors": [{"id": "a", "memory": 1}]}, "memory of processor 'a'"),
        ({"processors": [{"id": "a", "speed": 1, "switch": True}]}, "the speed of switch 'a'"),
        (
            {"routes": [{"source": "a", "target": "b", "missing": True}]},
            "there is no route from 'a' to 'b'",
        ),
        ({"links": [link("a", "b", source_card="eth0")]}, "the card of the link from 'a' to 'b'"),
    ],
)
def test_what_simgrid_cannot_say_is_refused(change: dict[str, Any], says: str) -> None:
    platform = Platform.model_validate(made([]).model_dump(exclude_defaults=True) | change)
    with pytest.raises(InstanceError, match=says) as refused:
        platform.export("simgrid")
    assert [fault.code for fault in refused.value.faults] == ["not_in_format"]


def test_the_library_writes_it() -> None:
    star = (
        sg.Platform.build("star").processor("M").processor("A", speed=2).link("M", "A", bandwidth=3)
    )
    assert '<host id="A" speed="2f"/>' in star.done().export("simgrid")
