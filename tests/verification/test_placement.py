"""Whether tasks can be placed, against an enumeration of all placements."""

from collections.abc import Iterable
from itertools import combinations, permutations, product
from random import Random
from typing import NamedTuple

from steadygrid.verification.placement import Places, copies_exist, placement_exists

NAMES = "abcde"


class Drawn(NamedTuple):
    """A few tasks on a few processors, hardly any of which reach each other."""

    hops: list[tuple[str, str]]
    candidates: list[set[str]]
    files: list[tuple[int, int]]
    order: list[int]

    @property
    def places(self) -> Places:
        return Places.from_hops(NAMES, self.hops)

    def reached(self) -> set[tuple[str, str]]:
        """Close the hops: from whom to whom data can get, oneself included."""
        ways = {(name, name) for name in NAMES} | set(self.hops)
        for middle, start, end in product(NAMES, repeat=3):
            if (start, middle) in ways and (middle, end) in ways:
                ways.add((start, end))
        return ways


def drawn(seed: int, most_tasks: int = 4) -> Drawn:
    random = Random(seed)
    tasks, likely = random.randint(1, most_tasks), random.choice([0.05, 0.15, 0.3])
    return Drawn(
        [hop for hop in permutations(NAMES, 2) if random.random() < likely],
        [set(random.sample(NAMES, random.randint(1, 3))) for _ in range(tasks)],
        [pair for pair in combinations(range(tasks), 2) if random.random() < 0.6],
        random.sample(range(tasks), tasks),
    )


def subsets(names: Iterable[str]) -> list[tuple[str, ...]]:
    listed = sorted(names)
    return [chosen for n in range(1, len(listed) + 1) for chosen in combinations(listed, n)]


def test_places_reach_what_paths_reach() -> None:
    for seed in range(600):
        case = drawn(seed)
        places, ways = case.places, case.reached()
        for one, other in product(NAMES, repeat=2):
            here, there = places.place[one], places.place[other]
            assert places.reaches(here, there) == ((one, other) in ways)
            assert (here == there) == ({(one, other), (other, one)} <= ways)


def test_places_reach_nothing_where_routes_are_missing() -> None:
    alike = 0
    for seed in range(600):
        case, random = drawn(seed), Random(seed)
        pairs = list(permutations(NAMES, 2))
        missing = set(random.sample(pairs, random.randint(1, 8)))
        if seed % 3 == 0:
            missing = {(one, other) for one in "ab" for other in "de"}
        places = Places.from_hops(NAMES, case.hops, missing)
        ways = case.reached() - missing
        for one, other in product(NAMES, repeat=2):
            here, there = places.place[one], places.place[other]
            assert places.reaches(here, there) == ((one, other) in ways)
            alike += here == there and one != other and seed % 3 == 0
    assert alike


def test_tasks_can_be_placed_where_enumeration_says_so() -> None:
    answers = []
    for seed in range(1500):
        case = drawn(seed)
        ways = case.reached()
        expected = any(
            all((chosen[source], chosen[target]) in ways for source, target in case.files)
            for chosen in product(*case.candidates)
        )
        assert placement_exists(case.candidates, case.files, case.places, case.order) is expected
        answers.append(expected)
    assert 300 < sum(answers) < 1300


def test_copies_can_be_placed_where_enumeration_says_so() -> None:
    answers = []
    for seed in range(500):
        case = drawn(seed, most_tasks=3)
        ways = case.reached()
        expected = any(
            all(
                any((sender, receiver) in ways for sender in copies[source])
                for source, target in case.files
                for receiver in copies[target]
            )
            for copies in product(*map(subsets, case.candidates))
        )
        assert copies_exist(case.candidates, case.files, case.places) is expected
        answers.append(expected)
    assert 100 < sum(answers) < 450
