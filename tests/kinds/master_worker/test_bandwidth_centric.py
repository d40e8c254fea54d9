"""The tree algorithm on its own, with arrays."""

import random
from fractions import Fraction

import pytest

from steadygrid.kinds.master_worker.solver.bandwidth_centric import TreeSolution, solve_tree


def prices_sum(solution: TreeSolution) -> object:
    return sum((*solution.compute_prices, *solution.send_prices, *solution.receive_prices), start=0)


@pytest.mark.parametrize(
    ("link_times", "compute_times", "master", "expected"),
    [
        ((1, 2, 4), (3, 2, 1), None, Fraction(2, 3)),
        ((1, 2, 4), (3, 2, 1), 5, Fraction(13, 15)),
        ((1, 1, 1), (4, 4, 4), None, Fraction(3, 4)),
        ((2, 3, 5), (1, 1, 1), 10, Fraction(3, 5)),
    ],
)
def test_stars_have_the_published_throughput(
    link_times: tuple[int, ...],
    compute_times: tuple[int, ...],
    master: int | None,
    expected: Fraction,
) -> None:
    star = solve_tree(
        [-1, 0, 0, 0],
        [Fraction(0), *map(Fraction, link_times)],
        [None if master is None else Fraction(master), *map(Fraction, compute_times)],
    )
    assert Fraction(str(star.throughput)) == expected
    assert prices_sum(star) == star.throughput


def test_the_order_of_nodes_does_not_matter() -> None:
    up = solve_tree([-1, 0, 1], [Fraction(0), Fraction(1), Fraction(2)], [None, None, Fraction(3)])
    down = solve_tree(
        [1, 2, -1], [Fraction(2), Fraction(1), Fraction(0)], [Fraction(3), None, None]
    )
    assert up.throughput == down.throughput
    assert up.computed == down.computed[::-1]


def test_files_of_size_zero_reach_every_worker() -> None:
    free = solve_tree([-1, 0, 0], [Fraction(0)] * 3, [Fraction(2), Fraction(3), Fraction(6)])
    assert str(free.throughput) == "1"


def test_a_worker_that_takes_no_time_is_limited_by_its_link() -> None:
    tree = solve_tree([-1, 0], [Fraction(0), Fraction(4)], [None, Fraction(0)])
    assert str(tree.throughput) == "1/4"
    assert prices_sum(tree) == tree.throughput


def test_an_unbounded_tree_is_refused() -> None:
    with pytest.raises(ValueError, match="unbounded"):
        solve_tree([-1, 0], [Fraction(0), Fraction(0)], [None, Fraction(0)])
    with pytest.raises(ValueError, match="unbounded"):
        solve_tree([-1], [Fraction(0)], [Fraction(0)])


@pytest.mark.parametrize("parents", [[-1, -1], [1, 0], [-1, 2, 1]])
def test_what_is_no_tree_is_refused(parents: list[int]) -> None:
    with pytest.raises(ValueError, match="one tree"):
        solve_tree(parents, [Fraction(1)] * len(parents), [Fraction(1)] * len(parents))


def test_rates_and_prices_prove_each_other_on_random_trees() -> None:
    for seed in range(300):
        draw = random.Random(seed)
        size = draw.randint(1, 12)
        parents = [-1, *(draw.randrange(i) for i in range(1, size))]
        links = [Fraction(draw.randint(1, 6), draw.randint(1, 4)) for _ in range(size)]
        times = [
            draw.choice([None, Fraction(draw.randint(1, 9), draw.randint(1, 3))])
            for _ in range(size)
        ]
        tree = solve_tree(parents, links, times)
        assert sum(tree.computed, start=0) == tree.throughput == prices_sum(tree)
        for node in range(size):
            inside = [k for k in range(size) if parents[k] == node]
            forwarded = sum((tree.received[k] for k in inside), start=0)
            assert tree.received[node] == tree.computed[node] + forwarded
            assert (
                sum((links[k] * Fraction(str(tree.received[k])) for k in inside), Fraction()) <= 1
            )


def test_the_work_can_be_interrupted() -> None:
    def check() -> None:
        raise TimeoutError

    with pytest.raises(TimeoutError):
        solve_tree([-1, 0], [Fraction(1)] * 2, [Fraction(1)] * 2, check)
