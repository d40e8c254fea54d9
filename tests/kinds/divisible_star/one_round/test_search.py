"""Stars with latencies as jobs: what is asked, answered and proved."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from steadygrid.documents import read_submission
from steadygrid.domain.errors import InstanceError
from steadygrid.domain.limits import Limits
from steadygrid.kinds.divisible_star.schemas import DivisibleStarInstance
from steadygrid.kinds.divisible_star.solver.one_round import search
from steadygrid.kinds.divisible_star.solver.star.star import read_star
from tests.draws import draws
from tests.kinds.divisible_star.bodies import makespan, result_of, star
from tests.kinds.divisible_star.one_round.test_one_round import (
    all_orders,
    least,
    parts_of_the_order,
)
from tests.solved import solve

F = Fraction
Number = Fraction | int


def late_star(
    wires: Sequence[Number],
    works: Sequence[Number],
    wire_latencies: Sequence[Number],
    work_latencies: Sequence[Number],
    own: Number | None = None,
    own_latency: Number = 0,
    **problem: Any,
) -> dict[str, Any]:
    """Write a star whose messages and computations have latencies."""
    document = star(wires, works, own=own, **problem)
    platform = document["problem"]["platform"]
    for link, latency in zip(platform["links"], wire_latencies, strict=True):
        link["latency"] = str(latency)
    for processor, latency in zip(
        platform["processors"], (own_latency, *work_latencies), strict=True
    ):
        processor["latency"] = str(latency)
    return document


EXAMPLE = late_star([5, 4, 2], [2, 1, 4], [5, 0, 2], [2, 5, 2])


def test_the_order_by_link_time_is_not_the_best() -> None:
    result = result_of(EXAMPLE)
    assert (result.makespan, result.method, result.order) == (F(60, 7), "search", ["P2", "P3"])
    assert (result.order_proof, result.bound_source) == ("search", "search")
    assert result.certificate.type == "enumeration"
    given = result_of(EXAMPLE, order=["P3", "P2", "P1"])
    assert (given.makespan, given.order_proof) == (F(28, 3), "given")
    assert given.participants == ["P3", "P2"]


def test_no_worker_gets_a_share_below_0() -> None:
    assert makespan(late_star([5, 7, 2], [6, 5, 8], [0, 0, 0], [0, 10, 0])) == F(110, 19)


def random_late_star(random: Random, most: int) -> dict[str, Any]:
    n = random.randint(1, most)
    columns = [[random.choice([F(1), F(2), F(1, 3), F(5)]) for _ in range(n)] for _ in range(2)]
    latencies = [[random.choice([F(0), F(0), F(1), F(3, 2)]) for _ in range(n)] for _ in range(2)]
    own = random.choice([None, F(2), F(9)])
    load = {"communication_volume": random.choice([0, 1, 2]), "computation_volume": 1}
    latencies[0][0] = F(1, 2)
    return late_star(
        columns[0],
        columns[1],
        latencies[0],
        latencies[1],
        own=own,
        own_latency=random.choice([0, 3]),
        load=load,
    )


def test_the_answers_of_jobs_are_those_of_all_orders() -> None:
    """Read from a body, dated, and judged by the referee."""
    for seed in range(draws(6, 400)):
        document = random_late_star(Random(seed), 4)
        places = read_star(DivisibleStarInstance.model_validate(document["problem"]))
        assert makespan(document) == least(places, all_orders(places))
        names = [f"P{i + 1}" for i in range(len(places.workers))]
        document["problem"]["order"] = names
        places = read_star(DivisibleStarInstance.model_validate(document["problem"]))
        assert makespan(document) == least(places, parts_of_the_order(places))


def test_a_search_that_remembers_nothing_finds_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """It only looks at more sequences."""
    documents = [random_late_star(Random(seed), 5) for seed in range(draws(4, 200))]
    found = [makespan(document) for document in documents]
    monkeypatch.setattr(search, "MOST_KEPT", 0)
    assert [makespan(document) for document in documents] == found


def test_local_search_has_a_bound_for_every_order() -> None:
    for seed in range(draws(3, 200)):
        document = random_late_star(Random(seed), 5)
        result = result_of(document, method="local_search")
        best = makespan(document)
        assert result.bound is not None
        assert result.makespan is not None
        assert (result.bound.exact, result.bound.value) == (True, result.proved_bound)
        assert result.bound.value <= best <= result.makespan


def test_without_time_there_is_a_schedule_and_a_bound() -> None:
    random = Random(7)
    columns = [[random.randint(50, 99) for _ in range(20)] for _ in range(4)]
    result = solve(late_star(columns[0], columns[1], columns[2], columns[3]), seconds=0).result
    assert (result.outcome, result.order_proof) == ("feasible", "none")
    assert result.bound is not None
    assert result.bound.value > 0
    assert any("time was over" in note for note in result.notes)


def test_long_numbers_are_rounded() -> None:
    random = Random(8)

    def drawn(least: int, most: int) -> list[Fraction]:
        unit = 10**60
        return [
            F(random.randint(least * unit, most * unit), random.randint(unit, 2 * unit))
            for _ in range(12)
        ]

    document = late_star(drawn(1, 10), drawn(90, 900), drawn(0, 1), drawn(0, 1))
    result = result_of(document, order=[f"P{i}" for i in range(1, 13)])
    assert (result.outcome, result.order_proof) == ("feasible", "given")
    assert result.gap is not None
    assert 0 < result.gap < F(1, 10**50)
    assert any("rounded" in note for note in result.notes)


def code_of(document: Mapping[str, Any]) -> tuple[str, str]:
    with pytest.raises(InstanceError) as refused:
        solve(document)
    (fault,) = refused.value.faults
    return fault.code, fault.detail


@pytest.mark.parametrize(
    ("document", "remedy"),
    [
        (star([1, 2], [1, 2], method="search"), "ask closed_form"),
        (EXAMPLE | {"problem": EXAMPLE["problem"] | {"method": "closed_form"}}, "ask search"),
        (late_star([1] * 65, [2] * 65, [1] * 65, [0] * 65, method="search"), "at most 64"),
        (late_star([1] * 201, [2] * 201, [1] * 201, [0] * 201), "at most 200"),
    ],
)
def test_methods_that_do_not_apply_name_one_that_does(
    document: Mapping[str, Any], remedy: str
) -> None:
    code, detail = code_of(document)
    assert code == "method_not_applicable"
    assert remedy in detail


@pytest.mark.parametrize(
    ("returning", "workers", "asked", "most"),
    [
        ({}, 7, {}, 6),
        ({}, 14, {"method": "local_search"}, None),
        ({"return_orders": "fifo"}, 9, {}, 8),
        ({"order": True}, 9, {"return_orders": "fifo"}, 8),
        ({"order": True, "return_orders": "fifo"}, 14, {"method": "local_search"}, 13),
    ],
)
def test_search_says_how_many_may_send_results_back_and_what_does_more(
    returning: dict[str, Any], workers: int, asked: dict[str, Any], most: int | None
) -> None:
    wires, late = [1 + i % 3 for i in range(workers)], [1] * workers
    document = late_star(wires, wires, late, late)
    problem = document["problem"]
    problem["load"]["return_volume"] = "1/2"
    names = [f"P{i}" for i in range(1, workers + 1)]
    problem |= returning | {"method": "search"}
    if "order" in returning:
        problem["order"] = names
    code, detail = code_of(document)
    assert code == "method_not_applicable"
    assert f"{workers} workers send results back" in detail
    assert f"among at most {most or 6} here: ask local_search" in detail
    assert ("list order and return_orders" in detail) == (workers <= 13)
    # What is named instead is admitted.
    problem.pop("method")
    problem |= {"order": names} | asked
    read_submission(document, Limits(), {})


def test_many_workers_are_searched_locally() -> None:
    assert result_of(late_star([1] * 65, [2] * 65, [1] * 65, [0] * 65)).method == "local_search"


def test_orders_of_more_workers_are_proved_by_solver_and_referee() -> None:
    """Too many for all orders: each proves the same makespan by a search of its own."""
    for seed in range(draws(3, 60)):
        random = Random(seed)
        n = 8
        wires = [F(random.randint(10, 100), 100) for _ in range(n)]
        works = [F(random.randint(10, 100), 10) for _ in range(n)]
        late = [F(random.randint(0, 40), 100) for _ in range(n)]
        document = late_star(wires, works, late, [F(random.randint(0, 40), 100) for _ in range(n)])
        result = result_of(document)
        assert (result.outcome, result.order_proof) == ("optimal", "search")
        assert result.certificate.type == "enumeration"
        assert result.bound is not None
        assert result.bound.exact
        assert result.proved_bound is not None
        assert result.proved_bound < result.bound.value
