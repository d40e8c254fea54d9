"""The optimum of a load on a star or a tree, known from the literature or found in other ways."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import pairwise, permutations, product
from random import Random
from typing import Any

import pytest

from steadygrid.domain.document import parse_json
from steadygrid.kinds import PROBLEMS
from tests.draws import draws
from tests.kinds.divisible_star.bodies import makespan, random_tree, result_of, star, tree
from tests.solved import solve
from tests.tree import ROOT

F = Fraction


def test_the_example_is_solved_by_link_time() -> None:
    result = result_of(PROBLEMS["divisible_star"].example)
    assert (result.makespan, result.order_proof) == (F(32, 17), "theorem")
    assert {share.processor: share.fraction for share in result.shares} == {
        "P1": F(8, 17),
        "P2": F(6, 17),
        "P3": F(3, 17),
    }


def test_the_example_in_the_documents_is_that_of_the_kind() -> None:
    path = ROOT / "examples" / "divisible-load-on-a-star.json"
    assert parse_json(path.read_bytes()) == PROBLEMS["divisible_star"].example


@pytest.mark.parametrize("method", ["closed_form", "lp"])
@pytest.mark.parametrize(
    ("document", "expected"),
    [
        (star([1, 2, 3], [3, 2, 1]), F(32, 17)),
        (star([3, 1, 2], [1, 3, 2]), F(32, 17)),
        (star([1, 2, 3], [3, 2, 1], order=["P3", "P2", "P1"]), F(8, 3)),
        (star([1, 2, 3], [3, 2, 1], order=["P2"]), F(4)),
        (star([1, 1, 1], [2, 3, 4]), F(5, 3)),
        (star([1, 1, 1], [2, 3, 4], order=["P3", "P1", "P2"]), F(5, 3)),
        (star([], [], own=2), F(2)),
        (star([1], [1], own=1), F(2, 3)),
        # Without work all goes over the fastest link, or stays; without data all compute at once.
        (star([2, 1], [5, 7], work=0), F(1)),
        (star([2, 1], [5, 7], own=9, work=0), F(0)),
        (star([2, 1], [2, 3], own=6, data=0), F(1)),
        (star([2, 1], [5, 7], work=0, data=0), F(0)),
        # A chain with a router in the middle, and a leaf that computes nothing.
        (tree({"M": 1, "R": None, "P": 1, "Q": None}, {("M", "R"): 1, ("R", "P"): 1, ("R", "Q"): 1}), F(3, 4)),
    ],
)  # fmt: skip
def test_known_optima(document: Mapping[str, Any], expected: Fraction, method: str) -> None:
    assert makespan(document, method=method) == expected


def test_a_worker_that_is_delays_others_too_long_gets_nothing() -> None:
    result = result_of(star([1, 2, 3], [3, 2, 1], order=["P3", "P2", "P1"]))
    assert (result.participants, result.order_proof) == (["P2", "P1"], "given")


def orders(document: Mapping[str, Any]) -> list[Sequence[str]]:
    """List the orders of a tree that differ, each as the children of its processors in turn."""
    children: dict[str, list[str]] = {}
    for link in document["problem"]["platform"]["links"]:
        children.setdefault(link["source"], []).append(link["target"])
    ways = product(*(permutations(siblings) for siblings in children.values()))
    return [[name for siblings in way for name in siblings] for way in ways]


def test_no_order_is_better_than_by_link_time() -> None:
    """Every order of small trees, each answered exactly; also where work or data take no time."""
    worse = 0
    for seed in range(draws(13, 400)):
        document = random_tree(Random(seed), 5)
        found = orders(document)
        if len(found) > 24:
            continue
        best = makespan(document)
        given = [makespan(document, order=order) for order in found]
        assert min(given) == best
        worse += max(given) > best
    assert worse > draws(13, 400) // 10


def test_the_closed_form_is_the_optimum_of_one_program_over_the_whole_tree() -> None:
    """At the best order, and at any other."""
    for seed in range(draws(13, 600)):
        random = Random(1000 + seed)
        document = random_tree(random, 8)
        found = [*map(str, (p["id"] for p in document["problem"]["platform"]["processors"][1:]))]
        assert makespan(document) == makespan(document, method="lp")
        random.shuffle(found)
        given = {"order": found} if found else {}
        assert makespan(document, **given) == makespan(document, method="lp", **given)


def test_a_chain_takes_as_long_as_one_load_takes_on_a_chain() -> None:
    for seed in range(draws(5, 200)):
        random = Random(seed)
        names = [f"P{i}" for i in range(random.randint(1, 5))]
        works = {name: F(random.randint(1, 6), random.randint(1, 3)) for name in names}
        wires = {pair: F(random.randint(1, 6), random.randint(1, 3)) for pair in pairwise(names)}
        document = tree(works, wires, master="P0", work=2)
        load = document["problem"]["load"] | {"id": "L", "installments": 1}
        platform = document["problem"]["platform"]
        chain = {"kind": "divisible_chain", "platform": platform, "chain": names, "loads": [load]}
        assert makespan(document) == solve({"problem": chain}).result.makespan


@pytest.mark.parametrize("factor", [F(7, 3), F(1, 10**40)])
def test_times_that_grow_make_the_makespan_grow_as_much(factor: Fraction) -> None:
    document = star([1, 2, 3], [3, 2, 1], own=4)
    scaled = star(
        [factor, 2 * factor, 3 * factor], [3 * factor, 2 * factor, factor], own=4 * factor
    )
    assert makespan(scaled) == factor * makespan(document)


def test_long_answers_are_rounded_with_a_negligible_gap() -> None:
    """Stars, chains and trees; also where times differ by many orders of magnitude."""
    random = Random(1)
    for size, depth, spread in ((400, 1, 6), (300, 300, 2), (400, 20, 12)):
        names = [f"P{i}" for i in range(size)]
        times = [
            F(random.randint(1, 10**6), 10 ** random.randint(0, spread)) for _ in range(2 * size)
        ]
        works = dict(zip(names, times, strict=False))
        wires = {
            (names[max(0, i - max(1, size // depth)) if depth > 1 else 0], names[i]): times[-i]
            for i in range(1, size)
        }
        result = result_of(tree(works, wires, master="P0"))
        assert result.outcome == "feasible"
        assert result.gap is not None
        assert 0 < result.gap < F(1, 10**60)
        assert any("more than a thousand digits" in note for note in result.notes)


@pytest.mark.parametrize("seconds", [0, 60])
def test_a_program_without_time_is_answered_in_closed_form(seconds: float) -> None:
    for work, expected in ((1, F(32, 17)), (0, F(1))):
        document = star([1, 2, 3], [3, 2, 1], work=work, method="lp")
        result = solve(document, seconds=seconds).result
        assert (result.makespan, result.method) == (expected, "lp")


def test_a_hundred_equal_workers_are_exact() -> None:
    """Of n equal workers the last takes the part (1 + w/c)^-1 of the one before."""
    n, ratio = 100, F(2, 3)
    expected = F(1) / (1 - ratio**n)
    assert makespan(star([1] * n, [2] * n)) == expected
