"""The classes that are found: every exchange of members is a symmetry, and planted ones are found."""

from fractions import Fraction
from itertools import combinations, permutations
from random import Random
from typing import Any

import pytest

from steadygrid.domain.platform import Platform
from steadygrid.domain.twins import twin_classes
from tests.draws import draws
from tests.twins import planted


def read(drawn: dict[str, Any]) -> Platform:
    return Platform.model_validate(drawn, strict=False)


def found(platform: Platform, ports: str = "one_port", **said: Any) -> list[list[str]]:
    speeds = [processor.time_per_work for processor in platform.processors]
    classes = twin_classes(platform, ports, speeds, **({"fixed_routes": False} | said))
    return [[platform.processors[i].id for i in one.members] for one in classes]


def described(platform: Platform, swap: dict[int, int], media: dict[int, int]) -> Any:
    """State all that limits data and work, with some processors and media exchanged."""
    processors = {
        (swap.get(i, i), p.time_per_work, p.bandwidth_in, p.bandwidth_out, p.switch, p.cards)
        for i, p in enumerate(platform.processors)
    }
    arcs = {
        (
            swap.get(arc.source, arc.source),
            swap.get(arc.target, arc.target),
            arc.unit_time,
            arc.half is None,
            (arc.source_card, arc.target_card),
            tuple(sorted(media[medium] for medium in arc.media)),
        )
        for arc in platform.arcs
    }
    return processors, arcs


def is_symmetric(platform: Platform, one: int, other: int) -> bool:
    same = {m: m for m in range(len(platform.media))}
    wide = [medium.bandwidth for medium in platform.media]
    return any(
        described(platform, {one: other, other: one}, dict(enumerate(order)))
        == described(platform, {}, same)
        for order in permutations(same)
        if all(wide[m] == wide[order[m]] for m in same)
    )


@pytest.mark.parametrize("ports", ["one_port", "multiport", "no_overlap"])
def test_members_are_exchangeable_and_never_joined(ports: str) -> None:
    number = 0
    for seed in range(draws(75, 5_000)):
        platform = read(planted(Random(seed), ports))
        if len(platform.media) > 6:
            continue
        speeds = [processor.time_per_work for processor in platform.processors]
        classes = twin_classes(platform, ports, speeds, fixed_routes=False)
        members = {i for one in classes for i in one.members}
        assert len(members) == sum(len(one.members) for one in classes)
        assert not any(a.source in members and a.target in members for a in platform.arcs)
        for one in classes:
            assert len(one.members) > 1
            number += 1
            for pair in combinations(one.members, 2):
                assert is_symmetric(platform, *pair), seed
    assert number > 50


@pytest.mark.parametrize("seed", range(10))
def test_copies_of_a_leaf_are_found(seed: int) -> None:
    random = Random(seed)
    drawn = planted(random, "multiport")
    wide, count = random.choice(["3", "5"]), random.randint(2, 4)
    copies = [f"leaf{k}" for k in range(count)]
    hub = drawn["processors"][0]["id"]
    for k, name in enumerate(copies):
        drawn["processors"].append({"id": name, "unit_time": "11"})
        drawn["media"] += [{"id": f"up{name}", "bandwidth": wide}]
        ends = (name, hub) if k % 2 else (hub, name)
        drawn["links"].append(
            {"source": ends[0], "target": ends[1], "bandwidth": "9", "media": [f"up{name}"]}
        )
    assert copies in found(read(drawn), "multiport")


def star(**changes: dict[str, Any]) -> Platform:
    """Three leaves of a switch, of which some are said to be different."""
    leaves = ["A", "B", "C"]
    return read(
        {
            "processors": [
                {"id": "S", "switch": True},
                *({"id": n, "unit_time": 2} | changes.get(n, {}) for n in leaves),
            ],
            "links": [
                {"source": "S", "target": n, "unit_time": 1} | changes.get(f"{n}_link", {})
                for n in leaves
            ],
        }
    )


@pytest.mark.parametrize(
    "change",
    [
        {"C": {"unit_time": 3}},
        {"C": {"bandwidth_in": 1}},
        {"C": {"bandwidth_out": 1}},
        {"C": {"latency": 1}},
        {"C": {"switch": True, "unit_time": None}},
        {"C_link": {"unit_time": "1/2"}},
        {"C_link": {"duplex": "half"}},
        {"C_link": {"duplex": "simplex"}},
        {"C_link": {"latency": 1}},
        {"C": {"cards": 2}},
        {"C": {"cards": ["a"]}, "C_link": {"target_card": "a"}},
    ],
)
def test_one_difference_is_enough(change: dict[str, Any]) -> None:
    assert found(star()) == [["A", "B", "C"]]
    assert found(star(**change)) == [["A", "B"]]


def test_cards_of_a_neighbour_tell_apart() -> None:
    """A and B hang on one card of a hub, C on the other, whichever end the link names first."""
    drawn = star().model_dump(mode="json", exclude_none=True)
    drawn["processors"][0] = {"id": "S", "unit_time": 9, "cards": ["x", "y"]}
    for link, card in zip(drawn["links"], "xxy", strict=True):
        link["source_card"] = card
    assert found(read(drawn)) == [["A", "B"]]
    for link in drawn["links"]:
        link |= {"source": link["target"], "target": "S", "target_card": link.pop("source_card")}
    assert found(read(drawn)) == [["A", "B"]]


def test_what_is_singled_out_is_in_no_class() -> None:
    platform = star()
    assert found(platform, single={platform.index_by_id["B"]}) == [["A", "C"]]


def two_rows(first: int, second: int) -> Platform:
    """Two groups, each processor of one joined to each of the other."""
    names = [f"A{k}" for k in range(first)], [f"B{k}" for k in range(second)]
    return read(
        {
            "processors": [{"id": n, "unit_time": 1} for row in names for n in row],
            "links": [
                {"source": a, "target": b, "unit_time": 1} for a in names[0] for b in names[1]
            ],
        }
    )


def test_of_groups_that_touch_the_smaller_or_later_stays_single() -> None:
    assert found(two_rows(2, 2)) == [["A0", "A1"]]
    assert found(two_rows(2, 3)) == [["B0", "B1", "B2"]]


def diamond(**more: Any) -> Platform:
    names = ["A", "C0", "C1", "B"]
    ends = [("A", "C0"), ("A", "C1"), ("C0", "B"), ("C1", "B")]
    return read(
        {
            "processors": [{"id": n, "unit_time": 2 if n == "B" else 1} for n in names],
            "links": [{"source": s, "target": t, "unit_time": 1} for s, t in ends],
            **more,
        }
    )


def test_fixed_routes_do_not_pass_through_members() -> None:
    assert found(diamond()) == [["C0", "C1"]]
    assert found(diamond(), fixed_routes=True) == []


def test_ports_with_sets_want_leaves() -> None:
    assert found(diamond(), "no_overlap") == []
    assert found(star(), "send_or_receive") == [["A", "B", "C"]]


def closed(*pairs: tuple[str, str]) -> list[list[str]]:
    """Give the classes of a star of which some routes are missing."""
    missing = [{"source": s, "target": t, "missing": True} for s, t in pairs]
    platform = star().model_dump(mode="json", exclude_none=True) | {"routes": missing}
    return found(read(platform), fixed_routes=True)


def test_missing_routes_tell_members_apart() -> None:
    among = [(a, b) for a in "ABC" for b in "ABC" if a != b]
    assert closed(("A", "S")) == [["B", "C"]]
    assert closed(*((name, "S") for name in "ABC")) == [["A", "B", "C"]]
    assert closed(*among) == [["A", "B", "C"]]
    assert closed(*among[1:]) == []
    assert closed(*among, ("A", "S")) == []


def routed(pairs: list[tuple[str, str, list[str]]]) -> list[list[str]]:
    platform = star()
    given = [{"source": s, "target": t, "via": v} for s, t, v in pairs]
    return found(
        read(platform.model_dump(mode="json", exclude_none=True) | {"routes": given}),
        fixed_routes=True,
    )


def test_given_routes_tell_members_apart() -> None:
    assert routed([]) == [["A", "B", "C"]]
    assert routed([("A", "S", [])]) == [["B", "C"]]
    assert routed([(n, "S", []) for n in "ABC"]) == [["A", "B", "C"]]
    everywhere = [(a, b, ["S"]) for a in "ABC" for b in "ABC" if a != b]
    assert routed(everywhere) == [["A", "B", "C"]]
    assert routed(everywhere[1:]) == [["A", "B", "C"]]
    assert routed([("A", "S", []), *everywhere]) == []


def test_own_media_of_other_bandwidth_tell_apart() -> None:
    drawn = star().model_dump(mode="json", exclude_none=True)
    for k, link in enumerate(drawn["links"]):
        link["media"] = [f"M{k}"]
    drawn["media"] = [{"id": f"M{k}", "bandwidth": str(Fraction(k // 2 + 1))} for k in range(3)]
    assert found(read(drawn), "multiport") == [["A", "B"]]
    drawn["links"][1]["media"] = ["M0"]
    assert found(read(drawn), "multiport") == [["A", "B"]]
