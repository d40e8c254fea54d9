"""Folding: no processor is lost, and each is joined only with its twins."""

from collections.abc import Mapping
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from steadygrid.domain.platform import Platform
from steadygrid.reading import LossyFormatWarning, read_platform
from steadygrid.report.folding import Facts, Folding, fold, group_label, named
from steadygrid.report.occupation import resources_of
from tests.data import shared_data
from tests.draws import draws
from tests.twins import planted

F = Fraction


def facts(platform: Platform, ports: str = "multiport", **told: Any) -> Facts:
    named = {**told.get("shares", {}), **told.get("prices", {})}
    return Facts(tuple(resources_of(platform, ports, named)), **told)


def star(leaves: int, **changes: Mapping[str, Any]) -> Platform:
    processors: list[dict[str, Any]] = [{"id": "hub", "switch": True}]
    links: list[dict[str, Any]] = []
    for k in range(leaves):
        name = f"w-{k}.site"
        change = dict(changes.get(f"w{k}", {}))
        link = change.pop("link", {})
        processors.append({"id": name, "speed": 2, "bandwidth_in": 5} | change)
        links.append({"source": "hub", "target": name, "bandwidth": 3} | link)
    media = [{"id": "bus", "bandwidth": 1}]
    return Platform.model_validate({"processors": processors, "links": links, "media": media})


def sizes(folded: Folding) -> list[int]:
    return sorted(len(node.members) for node in folded.nodes)


def test_twins_at_a_hub_become_one_node() -> None:
    platform = star(4)
    folded = fold(platform, facts(platform))
    assert [node.members for node in folded.nodes] == [
        ("hub",),
        ("w-0.site", "w-1.site", "w-2.site", "w-3.site"),
    ]
    assert folded.edges == {(0, 1): (0, 1, 2, 3)}


@pytest.mark.parametrize(
    "change",
    [
        {"speed": 3},
        {"bandwidth_in": 6},
        {"bandwidth_out": 6},
        {"latency": 1},
        {"memory": 4},
        {"link": {"bandwidth": 4}},
        {"link": {"duplex": "half"}},
        {"link": {"duplex": "simplex"}},
        {"link": {"latency": 1}},
        {"link": {"media": ["bus"]}},
    ],
)
def test_who_differs_in_what_the_platform_says_stays_apart(change: Mapping[str, Any]) -> None:
    platform = star(4, w1=change)
    assert sizes(fold(platform, facts(platform))) == [1, 1, 3]


@pytest.mark.parametrize(
    "told",
    [
        {"roles": {"w-1.site": "master"}},
        {"side": frozenset({"w-1.site"})},
        {"prices": {"w-1.site.compute": F(1, 7)}},
        {"prices": {"hub->w-1.site.link": F(1, 7)}},
        {"shares": {"w-1.site.compute": F(1, 10**30)}},
        {"shares": {"w-1.site.in": 1 - F(1, 10**30)}},
        {"shares": {"w-1.site->hub.link": F(1, 2)}},
    ],
)
def test_who_differs_in_what_the_answer_says_stays_apart(told: dict[str, Any]) -> None:
    platform = star(4)
    assert sizes(fold(platform, facts(platform, **told))) == [1, 1, 3]


@pytest.mark.parametrize("what", ["shares", "prices"])
@pytest.mark.parametrize("name", ["{}.compute", "{}.in", "hub->{}.link", "{}->hub.link"])
def test_who_agrees_in_what_the_answer_says_is_joined(what: str, name: str) -> None:
    platform = star(4)
    amounts: Any = {name.format(f"w-{k}.site"): F(1, 7) for k in range(4)}
    assert sizes(fold(platform, facts(platform, **{what: amounts}))) == [1, 4]


def test_who_is_in_a_priced_set_stays_apart_from_who_is_not() -> None:
    platform = star(4)
    told = facts(platform, prices={"hub--w-0.site--w-1.site.odd": F(1, 7)})
    assert [node.members for node in fold(platform, told).nodes] == [
        ("hub",),
        ("w-0.site", "w-1.site"),
        ("w-2.site", "w-3.site"),
    ]


def test_two_alone_are_no_twins() -> None:
    """Each has one neighbour, but not the same one."""
    body = {
        "processors": [{"id": "A", "speed": 1}, {"id": "B", "speed": 1}],
        "links": [{"source": "A", "target": "B", "bandwidth": 1}],
    }
    platform = Platform.model_validate(body)
    assert sizes(fold(platform, facts(platform))) == [1, 1]


def _told(platform: Platform, told: Facts, who: str) -> list[object]:
    """Say all that may be seen of a processor, in other words than the folding does."""
    (this,) = (p for p in platform.processors if p.id == who)
    near = []
    for link in platform.links:
        if who in (link.source, link.target):
            other = link.target if link.source == who else link.source
            there, back = f"{who}->{other}.link", f"{other}->{who}.link"
            half = f"{min(who, other)}--{max(who, other)}.half"
            seen = [told.use(name) for name in (there, back, half)]
            speed = link.unit_time or 1 / (link.bandwidth or F(1))
            media = sorted(link.media)
            way = link.source == who if link.duplex == "simplex" else None
            near.append((other, way, link.duplex, speed, link.latency, media, seen))
    own = [
        told.use(f"{who}.{what}") for what in ("compute", "send", "receive", "port", "in", "out")
    ]
    limits = [this.time_per_work, this.bandwidth_in, this.bandwidth_out, this.switch, this.cards]
    return [sorted(near, key=str), own, limits, told.roles.get(who), who in told.side]


@pytest.mark.parametrize("ports", ["one_port", "multiport"])
def test_folding_loses_no_processor_and_joins_twins_only(ports: str) -> None:
    random = Random(11)
    joined = 0
    for _ in range(draws(20, 2_000)):
        platform = Platform.model_validate(planted(random, ports))
        names = [one.name for one in resources_of(platform, ports)]
        ids = [processor.id for processor in platform.processors]
        values = [F(0), F(0), F(0), F(1, 3), F(1)]
        told = facts(
            platform,
            ports,
            shares={name: random.choice(values) for name in names if random.random() < 0.1},
            prices={name: F(1, 5) for name in names if random.random() < 0.05},
            roles={random.choice(ids): "master"},
            side=frozenset(random.sample(ids, 1)),
        )
        folded = fold(platform, told)
        assert sorted(one for node in folded.nodes for one in node.members) == sorted(ids)
        for node in folded.nodes:
            seen = [_told(platform, told, one) for one in node.members]
            assert all(one == seen[0] for one in seen)
            joined += len(seen) > 1
        drawn = sorted(link for links in folded.edges.values() for link in links)
        assert drawn == list(range(len(platform.links)))
    assert joined


@pytest.mark.parametrize(
    ("members", "label"),
    [
        (("a.b.c",), "a.b.c"),
        (("griffon-1.nancy", "griffon-2.nancy"), "griffon-1 … ×2"),
        ((".hidden", "other"), ".hidden … ×2"),
    ],
)
def test_groups_are_called_by_their_first_member(members: tuple[str, ...], label: str) -> None:
    assert group_label(members) == label


def test_fifty_members_are_named_and_the_rest_counted() -> None:
    assert named(["a", "b"]) == "a, b"
    assert named([str(k) for k in range(50)]).endswith("48, 49")
    assert named([str(k) for k in range(1051)]).endswith("48, 49 and 1,001 more")


@pytest.mark.parametrize(("name", "most"), [("griffon", 10), ("g5k", 145)])
def test_clusters_of_real_grids_fold(name: str, most: int) -> None:
    with pytest.warns(LossyFormatWarning):
        platform = read_platform(shared_data(f"simgrid-platforms/{name}.xml"))
    folded = fold(platform, facts(platform))
    assert len(folded.nodes) <= most
    assert sum(len(node.members) for node in folded.nodes) == len(platform.processors)
