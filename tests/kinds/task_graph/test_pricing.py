"""Pricing: labellings against plain enumeration, in floats and in exact integers."""

from fractions import Fraction
from itertools import product
from random import Random

import numpy as np
import pytest

from steadygrid.engine.allocations.elimination import Elimination, eliminate
from steadygrid.engine.allocations.exact_pricing import cheapest_allocation
from steadygrid.engine.allocations.labelling import Labelling
from steadygrid.engine.allocations.model import cheapest_by_program
from steadygrid.engine.allocations.problem import FloatCosts, Problem
from steadygrid.engine.allocations.room import Room
from steadygrid.engine.allocations.search import LocalSearch
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.task_graph.schemas import TaskGraphInstance
from steadygrid.kinds.task_graph.solver.column_generation import solve
from tests.kinds.task_graph.enumeration import cheapest
from tests.kinds.task_graph.random_instances import SHAPES, grid, random_instance


def nothing(*_: int) -> None:
    """Check nothing."""


def random_costs(seed: int) -> tuple[list[np.ndarray], dict[tuple[int, int], np.ndarray]]:
    """Whole costs of labels and pairs on a random graph; some pairs are forbidden."""
    random = np.random.default_rng(seed)
    number = int(random.integers(1, 6))
    single = [
        random.integers(0, 20, int(random.integers(1, 4))).astype(float) for _ in range(number)
    ]
    pairs = {}
    for a in range(number):
        for b in range(a):
            if random.random() < 0.6:
                table = random.integers(0, 20, (len(single[b]), len(single[a]))).astype(float)
                table[random.random(table.shape) < 0.1] = np.inf
                pairs[b, a] = table
    return single, pairs


def by_hand(
    single: list[np.ndarray], pairs: dict[tuple[int, int], np.ndarray]
) -> dict[tuple[int, ...], float]:
    return {
        labels: sum(float(single[k][x]) for k, x in enumerate(labels))
        + sum(float(table[labels[a], labels[b]]) for (a, b), table in pairs.items())
        for labels in product(*(range(len(costs)) for costs in single))
    }


def order_of(single: list[np.ndarray], pairs: dict[tuple[int, int], np.ndarray]) -> Elimination:
    return eliminate(len(single), pairs, [len(costs) for costs in single])


@pytest.mark.parametrize("seed", range(20))
def test_a_labelling_costs_what_enumeration_says(seed: int) -> None:
    single, pairs = random_costs(seed)
    every = by_hand(single, pairs)
    order = order_of(single, pairs)
    for root in range(len(single)):
        labelling = Labelling(order.rooted_at(root), single, pairs, nothing)
        assert labelling.cost == min(every.values())
        if np.isfinite(labelling.cost):
            assert every[tuple(labelling.cheapest().tolist())] == labelling.cost
        tables = Labelling(order.rooted_at(root), single, pairs, nothing, marginal=True)
        assert tables.cost == labelling.cost
        marginals = tables.marginals()
        for task, costs in enumerate(single):
            for label in range(len(costs)):
                least = min(cost for labels, cost in every.items() if labels[task] == label)
                assert marginals[task][label] == least
        for labels in labelling.cheapest_by_root().T.tolist():
            least = marginals[root][labels[root]]
            assert every[tuple(labels)] == least or not np.isfinite(least)


@pytest.mark.parametrize("seed", range(10))
def test_integers_of_any_length_are_priced_exactly(seed: int) -> None:
    single, pairs = random_costs(seed)
    unit = 10**40 + 1
    forbidden = 10**60
    exact = [np.array([int(x) * unit + 1 for x in costs], dtype=object) for costs in single]
    tables = {
        pair: np.array(
            [[forbidden if x == np.inf else int(x) * unit for x in row] for row in table.tolist()],
            dtype=object,
        )
        for pair, table in pairs.items()
    }
    labelling = Labelling(order_of(single, pairs), exact, tables, nothing)
    least = min(by_hand(single, pairs).values())
    if np.isfinite(least):
        assert labelling.cost == int(least) * unit + len(single)
    else:
        assert labelling.cost >= forbidden


@pytest.mark.parametrize("seed", range(10))
def test_an_integer_program_prices_like_the_tables(seed: int) -> None:
    single, pairs = random_costs(seed)
    every = by_hand(single, pairs)
    if not np.isfinite(min(every.values())):
        return
    bound, labels = cheapest_by_program(single, pairs, Control(), 0.0)
    assert every[tuple(labels)] == min(every.values())
    assert bound == pytest.approx(min(every.values()))


@pytest.mark.parametrize("seed", range(10))
def test_local_search_never_makes_a_labelling_dearer(seed: int) -> None:
    single, pairs = random_costs(seed)
    every = by_hand(single, pairs)
    problem = Problem(random_instance("out_tree", 0), "free")
    distances = problem.network.distances(np.ones(len(problem.network.resources)))
    search = LocalSearch(FloatCosts(distances, single, pairs), nothing)
    start = search.greedy(list(range(len(single))), 5, np.random.default_rng(seed))
    before, after = search.costs_of(start), search.costs_of(search.improve(start))
    assert before.tolist() == [every[tuple(labels)] for labels in start.T.tolist()]
    assert (after <= before).all()
    assert (after >= min(every.values())).all()


@pytest.mark.parametrize(
    ("name", "graph", "width"),
    [
        ("chain", (5, [(0, 1), (1, 2), (2, 3), (3, 4)]), 1),
        ("cycle", (4, [(0, 1), (1, 2), (2, 3), (0, 3)]), 2),
        ("clique", (4, [(a, b) for b in range(4) for a in range(b)]), 3),
        ("mesh", grid(3, 3), 3),
        ("apart", (3, []), 0),
    ],
)
def test_the_width_of_known_graphs_is_found(
    name: str, graph: tuple[int, list[tuple[int, int]]], width: int
) -> None:
    number, pairs = graph
    order = eliminate(number, pairs, [2] * number)
    assert order.width == width, name
    assert order.entries([2] * number) == 2 ** (width + 1)
    for root in range(number):
        rooted = order.rooted_at(root)
        assert rooted.order[-1] == root
        assert rooted.width == width
        position = {task: k for k, task in enumerate(rooted.order)}
        for a, b in pairs:
            first, second = sorted((a, b), key=position.__getitem__)
            assert second in rooted.scopes[first]


def random_prices(instance: TaskGraphInstance, random: Random) -> dict[str, Fraction]:
    names = Problem(instance, instance.routing).network.resources
    return {name: Fraction(random.randint(0, 9), random.randint(1, 9)) for name in names}


def by_messages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take every task graph for a wide one."""
    monkeypatch.setattr("steadygrid.engine.allocations.problem.MUCH_WORK", -1)
    monkeypatch.setattr("steadygrid.engine.allocations.problem.WIDE", -1)


@pytest.mark.parametrize("shape", sorted(SHAPES))
def test_messages_lead_to_the_same_throughput(shape: str, monkeypatch: pytest.MonkeyPatch) -> None:
    instances = [random_instance(shape, seed) for seed in range(6)]
    tables = [solve(instance, Control()) for instance in instances]
    by_messages(monkeypatch)
    for instance, answer in zip(instances, tables, strict=True):
        found = solve(instance, Control())
        assert (found.throughput, found.bound) == (answer.throughput, answer.bound)


@pytest.mark.parametrize("wide", [False, True])
@pytest.mark.parametrize("shape", sorted(SHAPES))
def test_exact_pricing_finds_what_enumeration_finds(
    shape: str, wide: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if wide:
        by_messages(monkeypatch)
    for seed in range(10):
        instance = random_instance(shape, seed)
        prices = random_prices(instance, Random(seed))
        least = cheapest(instance, prices)
        if not least:
            continue
        problem = Problem(instance, instance.routing)
        for goal in (Fraction(99, 100), Fraction(1, 3)):
            listed = [prices[name] * goal / least for name in problem.network.resources]
            found = cheapest_allocation(problem, listed, Room(Control()))
            assert found is not None
            assert found.cost == goal
            assert sum(time * listed[r] for r, time in found.column.uses.items()) == goal
        for goal in (Fraction(1), Fraction(101, 100)):
            dear = [prices[name] * goal / least for name in problem.network.resources]
            assert cheapest_allocation(problem, dear, Room(Control())) is None


def test_a_hair_below_one_is_told_from_one() -> None:
    instance = random_instance("fork_join", 2)
    problem = Problem(instance, instance.routing)
    prices = [Fraction(1)] * len(problem.network.resources)
    least = cheapest(instance, dict.fromkeys(problem.network.resources, Fraction(1)))
    assert least is not None
    below = 1 - Fraction(1, 10**50)
    listed = [price * below / least for price in prices]
    found = cheapest_allocation(problem, listed, Room(Control()))
    assert found is not None
    assert found.cost == below
