"""Interchangeable hosts are one processor where there would be too many; the answers stay the same."""

from fractions import Fraction
from random import Random
from typing import Any

import pytest

from steadygrid.domain.errors import InstanceError
from steadygrid.domain.limits import Limits
from steadygrid.domain.platform import Platform
from tests.draws import draws
from tests.formats.simgrid_documents import document, link_between, load, summary
from tests.solved import solve

MB = 10**6


def cluster(radical: str, more: str = "", name: str = "c") -> str:
    return (
        f'<cluster id="{name}" prefix="{name}-" suffix=".x" radical="{radical}" speed="1Gf"'
        f' bw="10MBps" lat="1us" {more}/>'
    )


def world(*parts: str, routing: str = "Full") -> bytes:
    return document(f'<zone id="w" routing="{routing}">{"".join(parts)}</zone>')


def folded(data: bytes, most: int = 4, **parameters: str) -> Any:
    return load(data, Limits(max_processors=most), **parameters)


def hosts(platform: Platform) -> dict[str, int]:
    return {p.id: p.members or 1 for p in platform.processors if not p.switch}


# --- which hosts, and what they are -----------------------------------------------------------


def test_hosts_are_folded_only_where_there_would_be_too_many() -> None:
    data = document(cluster("1-9"))
    assert len(folded(data, 10).document.processors) == 10
    assert hosts(folded(data, 9).document) == {"c-1.x": 1, "c-[2-9].x": 8}


def test_a_folded_host_has_the_speed_and_the_links_of_all() -> None:
    imported = folded(document(cluster("0-8", 'limiter_link="12MBps" core="2"')))
    platform = imported.document
    (pool,) = [p for p in platform.processors if p.members]
    assert (pool.id, pool.members, pool.speed) == ("c-[1-8].x", 8, 8 * 2 * 10**9)
    link = link_between(platform, "c-[1-8].x", "c-c_router.x")
    assert summary(link) == (80 * MB, "full", ("c_link_[1-8]_limiter",))
    assert {medium.bandwidth for medium in platform.media} == {12 * MB, 8 * 12 * MB}
    assert any(
        w.startswith("interchangeable hosts are one") and w.endswith(": c-[1-8].x")
        for w in imported.warnings
    )


def test_a_backbone_is_shared_as_before_and_a_fat_pipe_is_each_ones_own() -> None:
    shared = folded(document(cluster("0-8", 'bb_bw="15MBps"'))).document
    assert summary(link_between(shared, "c-[1-8].x", "c")) == (15 * MB, "simplex", ("c_backbone",))
    pipe = 'bb_bw="4MBps" bb_sharing_policy="FATPIPE"'
    bounded = folded(document(cluster("0-8", pipe))).document
    assert summary(link_between(bounded, "c-[1-8].x", "c-c_router.x")) == (32 * MB, "full", ())
    assert summary(link_between(bounded, "c-0.x", "c-c_router.x")) == (4 * MB, "full", ())


@pytest.mark.parametrize(
    ("radical", "apart", "names"),
    [
        ("0-8", "c-5.x", ["c-0.x", "c-5.x", "c-[1-4,6-8].x"]),
        ("0-8", " c-8.x , c-1.x,", ["c-0.x", "c-1.x", "c-8.x", "c-[2-7].x"]),
        ("7,1-3,20-24", "", ["c-7.x", "c-[1-3,20-24].x"]),
        (",".join(str(n) for n in range(0, 200, 2)), "", ["c-0.x", "c-[2,...,198].x"]),
        ("0-8", "c-9.x", ["c-0.x", "c-[1-8].x"]),
    ],
)
def test_the_first_host_and_those_asked_for_stay_by_themselves(
    radical: str, apart: str, names: list[str]
) -> None:
    imported = folded(document(cluster(radical)), 5, apart=apart)
    assert sorted(hosts(imported.document)) == sorted(names)
    strange = any(w == "apart: there is no such host: c-9.x" for w in imported.warnings)
    assert strange == (apart == "c-9.x")


def test_hosts_that_routes_name_stay_by_themselves() -> None:
    """As gateways of routes and bypasses, and by their links."""
    single = '<zone id="s" routing="None"><host id="s1" speed="1Gf"/></zone><link id="l" bandwidth="1MBps"/>'
    route = '<zoneRoute src="c" dst="s" gw_src="c-3.x" gw_dst="s1"><link_ctn id="l"/></zoneRoute>'
    bypass = (
        '<bypassZoneRoute src="s" dst="c" gw_src="s1" gw_dst="c-5.x"><link_ctn id="c_link_7_UP"/>'
        "</bypassZoneRoute>"
    )
    platform = folded(world(cluster("0-8"), single, route, bypass), 8).document
    assert hosts(platform) == {
        "c-0.x": 1, "c-3.x": 1, "c-5.x": 1, "c-7.x": 1, "c-[1-2,4,6,8].x": 5, "s1": 1,
    }  # fmt: skip


def test_cabinets_are_folded_too() -> None:
    cabinets = "".join(
        f'<cabinet id="k{k}" prefix="k{k}-" suffix="" radical="1-6" speed="1f" bw="1MBps" lat="0"/>'
        for k in range(2)
    )
    data = document(f'<zone id="z" routing="Cluster"><router id="r"/>{cabinets}</zone>')
    platform = folded(data, 6).document
    assert hosts(platform) == {"k0-1": 1, "k0-[2-6]": 5, "k1-1": 1, "k1-[2-6]": 5}
    assert summary(link_between(platform, "k1-[2-6]", "r")) == (5 * MB, "full", ())


def test_a_thousand_million_hosts_take_no_more_than_two() -> None:
    platform = load(document(cluster("0-999999998"))).document
    assert hosts(platform) == {"c-0.x": 1, "c-[1-999999998].x": 999_999_998}


# --- names ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("others", "says"),
    [
        (
            '<zone id="z" routing="None"><host id="c-17.x" speed="1f"/></zone>',
            "'c-17.x' is the name of",
        ),
        (
            cluster("9-12", name="c").replace('id="c"', 'id="d"'),
            "'c-9.x' is the name of another host",
        ),
        ('<link id="c_link_3_UP" bandwidth="1MBps"/>', "'c_link_3_UP' is the name of another"),
        (
            cluster("0-9", name="d").replace('prefix="d-"', 'prefix="c-1"'),
            "'c-10.x' is the name of another host",
        ),
        (
            cluster("0-9", name="d").replace('prefix="d-" suffix=".x"', 'prefix="c-" suffix="1.x"'),
            "'c-11.x' is the name of another host",
        ),
    ],
)
def test_names_given_twice_are_found_without_making_them(others: str, says: str) -> None:
    with pytest.raises(InstanceError, match=says):
        folded(world(cluster("0-20"), others), 9)
    with pytest.raises(InstanceError):
        load(world(cluster("0-20"), others))


@pytest.mark.parametrize(
    "others",
    [
        '<zone id="z" routing="None"><host id="c-21.x" speed="1f"/><host id="c-07.x" speed="1f"/></zone>',
        cluster("21-40", name="c").replace('id="c"', 'id="d"'),
        cluster("0-9", name="d").replace('prefix="d-"', 'prefix="c-x"'),
        cluster("7-9", name="d").replace('prefix="d-"', 'prefix="c-3"'),
        cluster("0-9", name="d").replace('prefix="d-" suffix=".x"', 'prefix="c-" suffix=".y"'),
    ],
)
def test_names_that_only_look_alike_are_no_fault(others: str) -> None:
    several = folded(world(cluster("0-20"), others), 9).document
    assert sum(hosts(several).values()) == sum(
        hosts(load(world(cluster("0-20"), others)).document).values()
    )


def test_names_of_too_many_hosts_are_not_compared() -> None:
    many = cluster("0-99999999"), cluster("0-99999999", name="d").replace('"d-"', '"c-1"')
    with pytest.raises(InstanceError, match="takes too long to tell"):
        load(world(*many))


# --- answers ----------------------------------------------------------------------------------


def drawn(random: Random) -> bytes:
    """Draw a cluster or two of a few hosts each, and a single host outside."""

    def one(name: str) -> str:
        more = random.choice(("", 'bb_bw="25MBps"', 'bb_bw="6MBps" bb_sharing_policy="FATPIPE"'))
        more += random.choice(("", ' limiter_link="7MBps"', ' limiter_link="13MBps"'))
        more += f' sharing_policy="{random.choice(("SPLITDUPLEX", "SHARED"))}"'
        speed = random.choice(("1Gf", "3Gf"))
        return cluster(f"0-{random.randint(3, 5)}", more, name).replace('"1Gf"', f'"{speed}"')

    single = '<zone id="s" routing="Full"><host id="s1" speed="2Gf"/></zone>'
    links = "".join(f'<link id="l{k}" bandwidth="{random.randint(10, 60)}MBps"/>' for k in range(3))
    routes = "".join(
        f'<zoneRoute src="{a}" dst="{b}" gw_src="{x}" gw_dst="{y}"><link_ctn id="{link}"/>'
        '<link_ctn id="l2"/></zoneRoute>'
        for a, b, x, y, link in (
            ("s", "c", "s1", "c-c_router.x", "l0"),
            ("s", "d", "s1", "d-d_router.x", "l1"),
            ("c", "d", "c-c_router.x", "d-d_router.x", "l1"),
        )
    )  # fmt: skip
    return world(one("c"), one("d"), single, links, routes)


def bag(random: Random, platform: Platform, routing: str) -> dict[str, Any]:
    return {
        "kind": "master_worker",
        "platform": platform.model_dump(mode="json", exclude_none=True),
        "master": random.choice(("s1", "c-0.x")),
        "task": {
            "work": random.choice((10**8, 10**9, 3 * 10**9)),
            "input_size": random.choice((0, MB, 10 * MB)),
            "output_size": random.choice((0, 0, MB)),
        },
        "ports": "multiport",
        "routing": routing,
    }


def graph(random: Random, platform: Platform, routing: str) -> dict[str, Any]:
    tasks: list[dict[str, Any]] = [
        {"id": f"t{k}", "work": random.choice((10**8, 10**9))} for k in range(4)
    ]
    tasks[0]["allowed"] = ["s1"]
    files = [
        {"source": f"t{a}", "target": f"t{b}", "size": random.choice((MB, 5 * MB))}
        for a, b in ((0, 1), (0, 2), (1, 3), (2, 3))
    ]
    return {
        "kind": "task_graph",
        "platform": platform.model_dump(mode="json", exclude_none=True),
        "application": {"tasks": tasks, "files": files},
        "ports": "multiport",
        "routing": routing,
    }


@pytest.mark.parametrize("asked", [bag, graph])
def test_the_answer_is_that_of_the_hosts_listed_one_by_one(asked: Any) -> None:
    several = set()
    for seed in range(draws(4, 400)):
        data = drawn(Random(seed))
        whole = load(data).document
        fewer = load(data, Limits(max_processors=len(whole.processors) - 1)).document
        assert sum(hosts(fewer).values()) == len(hosts(whole))
        assert len(hosts(fewer)) == 5
        for routing in ("fixed", "free"):
            each = solve({"problem": asked(Random(seed), whole, routing)}).result
            together = solve({"problem": asked(Random(seed), fewer, routing)}).result
            assert together.outcome == each.outcome == "optimal"
            assert together.objective.value == each.objective.value
            assert together.bound.value == each.bound.value
            several.add(each.objective.value)
    assert len(several) > 3


def test_all_hosts_of_a_large_cluster_are_used() -> None:
    platform = load(document(cluster("0-65535"))).document
    problem = {
        "kind": "master_worker",
        "platform": platform.model_dump(mode="json"),
        "master": "c-0.x",
        "task": {"work": 10**9, "input_size": 0},
        "ports": "multiport",
        "routing": "fixed",
    }
    result, schedule = solve({"problem": problem})
    assert result.objective.value == 65_536
    assert schedule.period == Fraction(1)
