"""The proof that no allocation is cheap, against plain enumeration of all of them."""

from collections.abc import Mapping
from fractions import Fraction
from itertools import pairwise, product
from random import Random
from typing import Any, NamedTuple

import pytest

from steadygrid.domain.platform import Platform, Route
from steadygrid.verification.label_tables import TooWideError
from steadygrid.verification.labelling import cheap_allocation
from steadygrid.verification.network import read_network
from steadygrid.verification.placement import Places, placement_exists
from steadygrid.verification.priced_paths import PricedPaths
from steadygrid.verification.prices import Cost, PriceList
from steadygrid.verification.routes import FixedRoutes
from steadygrid.verification.steady import SteadyInstance

TINY = Fraction(1, 10**100)


class Case(NamedTuple):
    steady: SteadyInstance
    prices: dict[str, Fraction]
    order: list[str]

    def cheap(self, factor: Fraction = Fraction(1), **limits: Any) -> Fraction | None:
        prices = PriceList(
            self.steady.network, {name: price * factor for name, price in self.prices.items()}
        )
        ways = PricedPaths(self.steady, prices, None)
        return cheap_allocation(self.steady, prices, ways, self.order, **limits)

    def costs(self) -> list[Fraction]:
        """Give the cost of every allocation."""
        list_ = PriceList(self.steady.network, self.prices)
        ways = {p: list_.cheapest_costs(p, Fraction(1)) for p in self.steady.network.processors}
        found = []
        for labels in product(*self.steady.times.values()):
            place = dict(zip(self.steady.times, labels, strict=True))
            cost = sum(
                (
                    self.prices.get(f"{p}.compute", Fraction(0)) * self.steady.times[task][p]
                    for task, p in place.items()
                ),
                Fraction(0),
            )
            for (source, target), size in self.steady.sizes.items():
                way = ways[place[source]].get(place[target])
                if way is None:
                    break
                cost += size * list_.value_of([way])
            else:
                found.append(cost)
        return found


def drawn(seed: int) -> Case:
    random = Random(seed)
    names = [f"P{i}" for i in range(random.randint(1, 4))]
    links = [
        {
            "source": a,
            "target": b,
            "unit_time": Fraction(random.randint(1, 4), random.randint(1, 3)),
            "duplex": "simplex",
        }
        for a in names
        for b in names
        if a != b and random.random() < 0.5
    ]
    platform = Platform.model_validate(
        {"processors": [{"id": name} for name in names], "links": links}
    )
    network = read_network(platform, random.choice(["one_port", "multiport"]))
    tasks = [f"T{i}" for i in range(random.randint(1, 5))]
    times = {
        task: {
            name: Fraction(random.randint(0, 5), random.randint(1, 3))
            for name in random.sample(names, random.randint(1, len(names)))
        }
        for task in tasks
    }
    sizes = {
        (a, b): Fraction(random.randint(0, 3))
        for i, a in enumerate(tasks)
        for b in tasks[i + 1 :]
        if random.random() < 0.5
    }
    resources = sorted(network.resources | {f"{name}.compute" for name in names})
    prices = {r: Fraction(random.randint(0, 3), random.choice([10, 17, 40])) for r in resources}
    return Case(SteadyInstance(network, times, sizes), prices, random.sample(tasks, len(tasks)))


@pytest.mark.parametrize("start", range(0, 200, 20))
def test_the_cheapest_allocation_is_found_to_the_last_bit(start: int) -> None:
    for seed in range(start, start + 20):
        case = drawn(seed)
        costs = case.costs()
        least = min(costs, default=None)
        assert case.cheap() == (least if costs and least < 1 else None)
        if least:
            assert case.cheap(1 / least) is None
            assert case.cheap((1 - TINY) / least) == 1 - TINY


@pytest.mark.parametrize("start", range(0, 200, 50))
def test_tasks_can_be_placed_where_enumeration_says_so(start: int) -> None:
    found = set()
    for seed in range(start, start + 50):
        case = drawn(seed)
        tasks = list(case.steady.times)
        exists = placement_exists(
            [times.keys() for times in case.steady.times.values()],
            [(tasks.index(a), tasks.index(b)) for a, b in case.steady.sizes],
            Places.from_hops(case.steady.network.processors, case.steady.network.hops),
            [tasks.index(task) for task in case.order],
        )
        assert exists == bool(case.costs())
        found.add(exists)
    assert found == {True, False}


def alike(number: int, prices: Mapping[str, Fraction], work: Any = 1) -> Case:
    """Give a chain of three tasks on processors that are all linked and equally fast."""
    names = [f"P{i}" for i in range(number)]
    platform = Platform.model_validate(
        {
            "processors": [{"id": name} for name in names],
            "links": [
                {"source": a, "target": b, "unit_time": 1} for i, a in enumerate(names)
                for b in names[:i]
            ],
        }
    )  # fmt: skip
    tasks = ["a", "b", "c"]
    steady = SteadyInstance(
        read_network(platform, "one_port"),
        {task: {name: Fraction(work) for name in names} for task in tasks},
        {("a", "b"): Fraction(1), ("b", "c"): Fraction(1), ("a", "c"): Fraction(1)},
    )
    return Case(steady, dict(prices), tasks)


def evenly(number: int, price: Fraction) -> dict[str, Fraction]:
    return {f"P{i}.compute": price for i in range(number)}


def test_processors_that_cost_the_same_are_looked_at_once() -> None:
    case = alike(12, evenly(12, Fraction(1, 3)))
    assert case.cheap(max_entries=1) is None
    case = alike(12, evenly(12, Fraction(1, 4)) | {"P0.send": Fraction(1, 9)} | {
        f"P{i}.receive": Fraction(i, 100) for i in range(12)
    })  # fmt: skip
    assert case.cheap(max_entries=1_727) == Fraction(3, 4)
    with pytest.raises(TooWideError, match="1,728 entries, too many of which"):
        case.cheap(max_entries=100, max_listed=20)
    with pytest.raises(TooWideError, match=r"1,728 entries$"):
        case.cheap(max_entries=1_727, whole=True)


def test_no_combination_is_left_where_one_of_three_files_takes_a_long_route() -> None:
    """Three files over one link each would cost 9/10, which is all that bounds of labels tell."""
    names = "ABCDEF"
    platform = Platform.model_validate(
        {
            "processors": [{"id": name} for name in names],
            "links": [
                {"source": a, "target": b, "unit_time": 1, "duplex": "simplex"}
                for a, b in ("AC", "BD", "CE", "DF", "AF", "BE")
            ],
        }
    )
    steady = SteadyInstance(
        read_network(platform, "one_port"),
        {
            task: dict.fromkeys(both, Fraction(1))
            for task, both in zip("abc", ("AB", "CD", "EF"), strict=True)
        },
        {(a, b): Fraction(1) for a, b in ("ab", "bc", "ac")},
    )
    case = Case(steady, {f"{name}.send": Fraction(3, 10) for name in names}, list("abc"))
    assert case.cheap(Fraction(5, 6)) is None
    assert case.cheap(Fraction(5, 6) - TINY) == 1 - Fraction(6, 5) * TINY
    assert case.cheap() is None
    assert case.cheap(max_entries=0) is None


@pytest.mark.parametrize("rounds", [0, 1])
def test_bounds_of_labels_hold_after_any_number_of_rounds(
    rounds: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("steadygrid.verification.label_bounds.MOST_ROUNDS", rounds)
    for seed in range(30):
        case = drawn(seed)
        assert case.cheap(max_entries=0) == case.cheap()


@pytest.mark.parametrize("limits", [{"max_entries": 0}, {"max_entries": 4}])
@pytest.mark.parametrize("start", range(0, 200, 50))
def test_labels_and_combinations_that_cannot_be_cheap_are_left_out(
    start: int, limits: dict[str, Any]
) -> None:
    for seed in range(start, start + 50):
        case = drawn(seed)
        least = min(case.costs(), default=None)
        assert case.cheap(**limits) == case.cheap()
        if least:
            assert case.cheap(1 / least, **limits) is None
            assert case.cheap((1 - TINY) / least, **limits) == 1 - TINY


def test_tables_that_cannot_be_numbered_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    case = alike(12, evenly(12, Fraction(1, 4)) | {
        f"P{i}.receive": Fraction(i, 100) for i in range(12)
    })  # fmt: skip
    monkeypatch.setattr("steadygrid.verification.label_combinations.MOST_POSITIONS", 1)
    with pytest.raises(TooWideError, match="1,728 entries"):
        case.cheap(max_entries=100)


@pytest.mark.parametrize("listed", [0, 20, 10**6])
def test_a_table_of_the_labels_that_are_left_may_be_small_enough(listed: int) -> None:
    dear = {f"P{i}.compute": Fraction(2) for i in range(6, 12)}
    case = alike(12, evenly(12, Fraction(1, 4)) | dear | {
        f"P{i}.receive": Fraction(i, 100) for i in range(12)
    })  # fmt: skip
    assert case.cheap(max_entries=6**3, max_listed=listed) == Fraction(3, 4)


def test_prices_that_differ_beyond_any_enclosure_are_told_apart() -> None:
    case = alike(3, evenly(3, Fraction(1, 3)) | {"P2.compute": Fraction(1, 3) - TINY})
    assert case.cheap() == 1 - 3 * TINY
    case = alike(3, evenly(3, Fraction(1, 3)) | {"P0.compute": Fraction(1, 3) + TINY})
    assert case.cheap() is None


def test_what_stays_too_close_to_1_is_limited() -> None:
    prices = evenly(4, Fraction(1, 3))
    prices |= {f"P{i}.send": (i + 1) * TINY for i in range(4)}
    assert alike(4, prices).cheap() is None
    for most in (3, 10):
        with pytest.raises(TooWideError, match="table entries cost about 1"):
            alike(4, prices).cheap(max_left=most)


def test_costs_beyond_all_doubles_are_high() -> None:
    case = alike(2, evenly(2, Fraction(10) ** 200), work=10**30)
    assert case.cheap() is None


def test_a_task_of_one_processor_pays_for_its_files() -> None:
    case = alike(3, {f"P{i}.send": Fraction(1, 4) for i in range(3)})
    pinned = {"a": {"P0": Fraction(0)}, "c": {"P1": Fraction(0)}}
    steady = SteadyInstance(case.steady.network, {**case.steady.times, **pinned}, case.steady.sizes)
    assert Case(steady, case.prices, case.order).cheap() == Fraction(1, 2)
    assert Case(steady, case.prices, case.order).cheap(Fraction(2)) is None


def ring(number: int) -> Platform:
    return Platform.model_validate(
        {
            "processors": [{"id": f"P{i}"} for i in range(number)],
            "links": [
                {"source": f"P{i}", "target": f"P{(i + 1) % number}", "unit_time": 1}
                for i in range(number)
            ],
        }
    )


def test_places_are_the_strongly_connected_parts() -> None:
    hops = list(pairwise("abca")) + list(pairwise("cde")) + list(pairwise("edf")) + [("g", "f")]
    places = Places.from_hops("abcdefg", hops)
    parts: dict[int, set[str]] = {}
    for name, place in places.place.items():
        parts.setdefault(place, set()).add(name)
    assert sorted(map(sorted, parts.values())) == [["a", "b", "c"], ["d", "e"], ["f"], ["g"]]

    def reaches(one: str, other: str) -> bool:
        return places.reaches(places.place[one], places.place[other])

    assert [name for name in "abcdefg" if reaches("a", name)] == list("abcdef")
    assert [name for name in "abcdefg" if reaches("g", name)] == ["f", "g"]
    assert [name for name in "abcdefg" if reaches("f", name)] == ["f"]


def test_a_placement_that_takes_too_much_room_is_left_open() -> None:
    names = [f"P{i}" for i in range(6)]
    places = Places.from_hops(names, [])
    files = [(0, 1), (1, 2)]
    everywhere = [set(names)] * 3
    assert placement_exists(everywhere, files, places, [0, 1, 2], most_rows=35) is None
    assert placement_exists(everywhere, files, places, [0, 1, 2], most_rows=36) is True
    down = Places.from_hops(names, list(pairwise(names)))
    assert placement_exists(everywhere, files, down, [1, 0, 2], most_rows=36) is None


def test_fixed_routes_are_the_given_ones_and_the_shortest_elsewhere() -> None:
    network = read_network(ring(4), "one_port")
    routes = FixedRoutes(network, [Route(source="P0", target="P1", via=("P3", "P2"))])
    assert routes.paths("P0") == {
        "P0": ("P0",),
        "P1": ("P0", "P3", "P2", "P1"),
        "P2": ("P0", "P1", "P2"),  # as long as over P3, and first by its ids
        "P3": ("P0", "P3"),
    }
    assert routes.paths("P0") is routes.paths("P0")
    assert routes.paths("nowhere") == {"nowhere": ("nowhere",)}


def test_a_faster_route_beats_a_shorter_one() -> None:
    platform = Platform.model_validate(
        {
            "processors": [{"id": name} for name in "ABC"],
            "links": [
                {"source": "A", "target": "C", "unit_time": 3},
                {"source": "A", "target": "B", "unit_time": 1},
                {"source": "B", "target": "C", "unit_time": 1},
            ],
        }
    )
    assert FixedRoutes(read_network(platform, "one_port"), []).paths("A")["C"] == ("A", "B", "C")


def test_steps_are_priced_once() -> None:
    network = read_network(ring(3), "one_port")
    prices = PriceList(network, {"P0.send": Fraction(1)})
    first: Mapping[str, Cost] = prices.cheapest_costs("P0", Fraction(2))
    assert prices.value_of([first["P1"]]) == 2
    assert prices.value_of([prices.cheapest_costs("P0", Fraction(2), homeward=True)["P1"]]) == 0
