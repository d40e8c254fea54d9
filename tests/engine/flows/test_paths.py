"""Flows without cycles, and the paths that they consist of."""

from collections import defaultdict
from fractions import Fraction
from itertools import pairwise
from random import Random

from steadygrid.domain.platform import Platform
from steadygrid.engine.flows.paths import nearly_paths_to, paths_to
from tests.kinds.mono_allocation.drawn import drawn, instance
from tests.kinds.mono_allocation.enumeration import Enumeration


def square() -> Platform:
    """Two ways from A to D."""
    return Platform.model_validate(
        {
            "processors": [{"id": name, "speed": 1} for name in "ABCD"],
            "links": [
                {"source": s, "target": t, "bandwidth": 1} for s, t in ("AB", "BD", "AC", "CD")
            ],
        }
    )


def arcs_of(platform: Platform, *hops: str) -> list[int]:
    ends = platform.index_by_id
    return [platform.arc_by_ends[ends[s], ends[t]].index for s, t in hops]


def test_circles_are_taken_out_of_a_flow() -> None:
    """A -> B -> D -> C -> A -> B: the flow passes A and B twice, and rests on a circle apart."""
    platform = square()
    flow = dict.fromkeys(arcs_of(platform, "BD", "DC", "CA"), Fraction(1))
    flow |= dict.fromkeys(arcs_of(platform, "AB"), Fraction(2))
    flow |= dict.fromkeys(arcs_of(platform, "CD"), Fraction(0))
    assert paths_to(platform, flow, [1]) == [(tuple(arcs_of(platform, "AB")), 1)]


def test_a_flow_is_shared_out_among_its_receivers() -> None:
    """B and C send; A and D get a copy each."""
    platform = square()
    flow = {
        **dict.fromkeys(arcs_of(platform, "BA", "BD"), Fraction(2, 3)),
        **dict.fromkeys(arcs_of(platform, "CA", "CD"), Fraction(1, 3)),
    }
    ways = paths_to(platform, flow, [0, 3])
    assert {tuple(way): share for way, share in ways} == {
        tuple(arcs_of(platform, "BA")): Fraction(2, 3),
        tuple(arcs_of(platform, "BD")): Fraction(2, 3),
        tuple(arcs_of(platform, "CA")): Fraction(1, 3),
        tuple(arcs_of(platform, "CD")): Fraction(1, 3),
    }


def test_random_flows_are_rebuilt_by_their_paths() -> None:
    for seed in range(100):
        random = Random(seed)
        drawn_instance = instance(drawn(random, 2, 6, links=0.8, routing="multipath"))
        platform = drawn_instance.platform
        tried = Enumeration(drawn_instance)
        ends = platform.index_by_id
        source, target = random.sample(tried.names[:6], 2)
        paths = tried.simple_paths.get((source, target), [])
        if not paths:
            continue
        chosen = [random.choice(paths) for _ in range(4)]
        flow: dict[int, Fraction] = defaultdict(Fraction)
        for path in chosen:
            for s, t in pairwise(path):
                flow[platform.arc_by_ends[ends[s], ends[t]].index] += Fraction(1, 4)
        before = dict(flow)
        ways = paths_to(platform, flow, [ends[target]])
        after: dict[int, Fraction] = defaultdict(Fraction)
        for way, share in ways:
            for arc in way:
                after[arc] += share
        assert sum(share for _, share in ways) == 1
        assert len(ways) <= len(before)
        assert all(after[arc] <= before[arc] for arc in after)


def test_a_flow_in_double_precision_is_followed_as_far_as_it_holds() -> None:
    platform = square()
    ends = [0.6, 0.6 - 1e-9, 0.4, 0.4 + 1e-9]
    flow = dict(zip(arcs_of(platform, "AB", "BD", "AC", "CD"), ends, strict=True))
    ways = nearly_paths_to(platform, flow, [0], 3)
    assert sum(share for _, share in ways) == 1
    assert {way: round(share, 6) for way, share in ways} == {
        tuple(arcs_of(platform, "AB", "BD")): Fraction(3, 5),
        tuple(arcs_of(platform, "AC", "CD")): Fraction(2, 5),
    }
    torn = dict(zip(arcs_of(platform, "AB", "BD", "CD"), (0.5, 0.5, 0.5), strict=True))
    assert nearly_paths_to(platform, torn, [0], 3) == [(tuple(arcs_of(platform, "AB", "BD")), 1)]
    assert nearly_paths_to(platform, {}, [0], 3) == []
