"""Fixed routes, against an enumeration of all simple paths."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import combinations, pairwise
from random import Random

from steadygrid.domain.platform import Link, Platform, Processor, Route
from steadygrid.verification.network import read_network
from steadygrid.verification.routes import FixedRoutes

NAMES = ("P10", "P9", "a", "B", "switch")
Times = Mapping[tuple[str, str], Fraction]


def drawn(random: Random) -> Platform:
    """Draw links of few different speeds, so that many paths take equally long."""
    links = []
    for pair in combinations(NAMES, 2):
        if random.random() < 0.75:
            source, target = random.sample(pair, 2)
            links.append(
                Link(
                    source=source,
                    target=target,
                    unit_time=random.choice([Fraction(1, 3), Fraction(2, 3), Fraction(1)]),
                    duplex=random.choice(["full", "half", "simplex"]),
                )
            )
    processors = tuple(Processor(id=name, switch=name == "switch") for name in NAMES)
    return Platform(processors=processors, links=tuple(links))


def simple_paths(times: Times, path: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Go on from the end of a path to wherever it has not been."""
    yield path
    for sender, receiver in times:
        if sender == path[-1] and receiver not in path:
            yield from simple_paths(times, (*path, receiver))


def test_a_route_is_the_given_one_or_the_first_of_all_simple_paths() -> None:
    ties = 0
    for seed in range(150):
        random = Random(seed)
        platform = drawn(random)
        times = {
            ends: link.unit_time
            for link in platform.links
            if link.unit_time is not None
            for ends in ((link.source, link.target), (link.target, link.source))
            if link.duplex != "simplex" or ends == (link.source, link.target)
        }
        every = [path for name in NAMES for path in simple_paths(times, (name,))]
        given = random.sample([path for path in every if len(path) > 1], min(2, len(times)))
        given = list({(path[0], path[-1]): path for path in given}.values())
        expected: dict[tuple[str, str], tuple[str, ...]] = {}
        for start in NAMES:
            for end in NAMES:
                ranked = sorted(
                    (sum(map(times.__getitem__, pairwise(path)), Fraction(0)), len(path), path)
                    for path in every
                    if (path[0], path[-1]) == (start, end)
                )
                ties += len(ranked) > 1 and ranked[0][:2] == ranked[1][:2]
                if ranked:
                    expected[start, end] = ranked[0][-1]
        expected.update(((path[0], path[-1]), path) for path in given)
        routes = FixedRoutes(
            read_network(platform, "one_port"),
            [Route(source=path[0], via=path[1:-1], target=path[-1]) for path in given],
        )
        found = {(start, end): path for start in NAMES for end, path in routes.paths(start).items()}
        assert found == expected
    assert ties > 50


def triangle(*times: Fraction) -> Platform:
    ends = ("a", "b"), ("b", "c"), ("a", "c")
    return Platform(
        processors=tuple(Processor(id=name) for name in "abc"),
        links=tuple(
            Link(source=source, target=target, unit_time=time)
            for (source, target), time in zip(ends, times, strict=True)
        ),
    )


def test_a_pair_whose_route_is_missing_has_none() -> None:
    network = read_network(triangle(Fraction(1), Fraction(1), Fraction(3)), "one_port")
    routes = FixedRoutes(network, [Route(source="a", target="c", missing=True)])
    assert routes.path("a", "c") is None
    assert routes.path("c", "a") == ("c", "b", "a")
    assert routes.paths("a") == {"a": ("a",), "b": ("a", "b")}
    assert routes.path("a", "nowhere") is None
    assert routes.path("nowhere", "nowhere") == ("nowhere",)


def test_times_without_a_short_common_denominator_are_compared_exactly() -> None:
    prime, other = 2**2203 - 1, 2**2281 - 1
    for last, way in ((1, ("a", "c")), (2, ("a", "b", "c"))):
        first = Fraction(1, prime), Fraction(1, other)
        longer = first[0] + first[1] + Fraction(2 * last - 3, prime * other)
        routes = FixedRoutes(read_network(triangle(*first, longer), "one_port"), [])
        assert routes.path("a", "c") == way


def test_a_processor_out_of_reach_has_no_route_to_it() -> None:
    one_way = Link(source="a", target="b", unit_time=Fraction(1), duplex="simplex")
    platform = triangle(Fraction(1), Fraction(1), Fraction(1)).model_copy(
        update={"links": (one_way,)}
    )
    routes = FixedRoutes(read_network(platform, "one_port"), [])
    assert routes.path("a", "b") == ("a", "b")
    assert routes.path("b", "a") is None
    assert routes.paths("b") == {"b": ("b",)}
