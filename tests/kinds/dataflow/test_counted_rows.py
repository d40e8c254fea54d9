"""The fewest places of large graphs: a program to start from, and rows where firings move one token."""

import math
import random
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from steadygrid.domain.errors import OutOfTime
from steadygrid.domain.job import Outcome
from steadygrid.kinds.dataflow.referee_counted import WrongRowError, needed_together
from steadygrid.kinds.dataflow.referee_graph import Graph
from steadygrid.kinds.dataflow.schemas import CountedRow, RowsCertificate
from steadygrid.kinds.dataflow.solver import capacities, methods
from tests.draws import draws
from tests.kinds.dataflow.bodies import graph, problem
from tests.kinds.dataflow.judged import R, codes, with_result
from tests.kinds.dataflow.self_timed import Machine, Queue
from tests.kinds.dataflow.test_places import answered
from tests.kinds.dataflow.unfolded import Answer
from tests.solved import solve

F = Fraction
RING = graph(
    {"a": 3, "b": 1, "c": 1},
    "x:a 1>1 b; y:b 1>1 c; z:a 1>1 c",
    buffers="least",
    target_period="7/2",
)


def test_rows_by_hand() -> None:
    """At a period of 7/2, a and b with the places of `x` take 4, so 2; of `y` 2 of time, so 1.

    a, b, c and the places of `z` take 5, so 2. No two of these circuits share places.
    """
    found = answered(RING)
    assert found.result.capacities == {"x": 2, "y": 1, "z": 2}
    assert found.result.outcome is Outcome.OPTIMAL
    proof = found.result.certificate
    assert isinstance(proof, RowsCertificate)
    assert not codes(found)
    assert {one.factor for one in proof.rows} == {1}


def single(draw: random.Random, actors: int, more: int) -> tuple[dict[str, int], list[Queue]]:
    """Draw actors and channels of rates 1."""
    times = {f"a{i}": draw.randint(1, 5) for i in range(actors)}
    queues = [Queue(draw.randrange(max(0, i - 3), i), i, (1,), (1,), 0) for i in range(1, actors)]
    for _ in range(more):
        source, target = draw.sample(range(actors), 2)
        tokens = 0 if source < target else draw.randint(1, 3) + source - target
        queues.append(Queue(source, target, (1,), (1,), tokens))
    return times, queues


def told(queues: list[Queue]) -> str:
    return ";".join(
        f"c{i}:a{one.source} 1>1 a{one.target} {one.tokens}" for i, one in enumerate(queues)
    )


def test_no_distribution_with_fewer_places_is_as_fast() -> None:
    """All of them are run by the clock."""
    for seed in range(draws(4, 500)):
        draw = random.Random(seed)
        times, queues = single(draw, draw.randint(2, 4), draw.randint(0, 1))
        weights = [draw.choice([F(1), F(2), F(3, 2)]) for _ in queues]
        period = solve({"problem": problem(times, told(queues))}).result.period
        target = period * draw.choice([F(1), F(5, 4), F(2)])
        asked = problem(times, told(queues), buffers="least", target_period=str(target))
        asked["weights"] = {f"c{i}": str(weight) for i, weight in enumerate(weights)}
        result, _ = solve({"problem": asked})
        assert (result.outcome, result.certificate.type) == (Outcome.OPTIMAL, "rows")
        machine = Machine([(time,) for time in times.values()], [1] * len(times), queues)
        least = [max(1, one.tokens) for one in queues]
        for places in product(*(range(low, low + 4) for low in least)):
            if sum(w * n for w, n in zip(weights, places, strict=True)) < result.places:
                reached = machine.period(places)
                assert reached is None or reached > target


def test_rows_prove_the_places_of_graphs_that_no_search_gets_through() -> None:
    times, queues = single(random.Random(1), 25, 15)
    result, _ = solve({"problem": problem(times, told(queues), buffers="least")})
    assert (result.outcome, result.certificate.type) == (Outcome.OPTIMAL, "rows")
    assert result.statistics.distributions == 1


def test_without_a_search_the_places_are_near_the_fewest(monkeypatch: pytest.MonkeyPatch) -> None:
    """The schedule without limits has more than twice as many."""
    times = {name: 1 + i % 3 for i, name in enumerate("abcdefgh")}
    channels = "a 2>3 b; b 1>2 c; a 1>3 c; c 3>1 d; d 2>3 e; c 2>1 e; e 1>2 f; f 2>1 g; e 3>3 h"
    best, _ = solve({"problem": problem(times, channels, buffers="least")})
    assert best.outcome is Outcome.OPTIMAL
    monkeypatch.setattr(capacities, "MOST_DISTRIBUTIONS", 0)
    found, _ = solve({"problem": problem(times, channels, buffers="least")})
    assert found.period == best.period
    assert best.places <= found.places <= best.places + 2
    assert found.places_bound <= best.places
    schedule, _ = solve({"problem": problem(times, channels)})
    assert found.places < sum(one.tokens for one in schedule.buffers)


def test_after_the_time_limit_the_search_has_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    """The grace time is for a schedule and a bound: 600 actors had 13 s in place of 0.02 s."""
    left: list[float] = []
    answer_of, search = methods._answered, capacities.explore

    def late(*given: Any) -> Any:
        if not left:
            left.append(math.inf)
            raise OutOfTime
        return answer_of(*given)

    def explore(*given: Any) -> Any:
        left.append(given[-1].remaining)
        return search(*given)

    monkeypatch.setattr(methods, "_answered", late)
    monkeypatch.setattr(methods, "explore", explore)
    asked = problem({"a": 3, "b": 1, "c": 1}, "a 1>1 b; b 1>1 c; a 1>1 c", buffers="least")
    assert solve({"problem": asked}, time_limit=5).result.places == 5
    assert left[1] <= 1


def test_without_time_for_a_search_the_least_places_are_a_bound(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A firing of a needs two places, one of b needs three, and b starts at a multiple of one: four."""
    monkeypatch.setattr(methods, "_SEARCH_SHARE", 0.0)
    result, _ = solve({"problem": problem({"a": 1, "b": 5}, "a 2>3 b", buffers="least")})
    assert (result.outcome, result.places_bound) == (Outcome.FEASIBLE, 4)
    assert result.places > 4


def _row(**changed: Any) -> Callable[[Answer], Answer]:
    def plant(given: Answer) -> Answer:
        first, *others = _rows(given)
        return _with_rows(given, [first.model_copy(update=changed), *others])

    return plant


def _rows(given: Answer) -> list[CountedRow]:
    assert isinstance(given.result.certificate, RowsCertificate)
    return given.result.certificate.rows


def _with_rows(given: Answer, rows: list[CountedRow]) -> Answer:
    return with_result(given, certificate=RowsCertificate(rows=rows))


ROWS, FIRST = f"{R}/certificate/rows", f"{R}/certificate/rows/0"
PLANTED: list[tuple[str, str, Callable[[Answer], Answer]]] = [
    ("wrong_row", ROWS, _row(factor=F(2))),
    ("uncovered", ROWS, lambda given: _with_rows(given, _rows(given)[1:])),
    ("wrong_row", FIRST, _row(channels=[0])),
    ("wrong_row", FIRST, _row(actors=[7, 8], channels=[0, 3])),
    ("wrong_row", FIRST, _row(actors=[0, 1], channels=[0, 3])),
    ("wrong_row", FIRST, _row(actors=[0, 1], channels=[6, 0])),
    ("wrong_row", FIRST, _row(actors=[0, 1], channels=[-1, 0])),
]


@pytest.mark.parametrize(("code", "place", "plant"), PLANTED)
def test_planted_faults_of_rows_are_found(
    code: str, place: str, plant: Callable[[Answer], Answer]
) -> None:
    assert codes(plant(answered(RING))) == [(code, place)]


def test_rows_prove_nothing_where_firings_move_more() -> None:
    asked = graph({"a": 1, "b": 1}, "x:a 2>1 b", buffers="least")
    row = CountedRow(actors=[0, 1], channels=[1, 0], factor=F(1))
    assert codes(_with_rows(answered(asked), [row])) == [("wrong_row", ROWS)]


def test_an_actor_that_runs_many_firings_at_once_has_no_order_of_its_own() -> None:
    own = CountedRow(actors=[0], channels=[-1], factor=F(1))
    weights, least = dict.fromkeys("xyz", F(1)), dict.fromkeys("xyz", 1)
    assert needed_together(RING, Graph(RING), [own], F(3), weights, least) == 3
    at_once = RING.model_copy(update={"concurrency": "auto"})
    with pytest.raises(WrongRowError):
        needed_together(at_once, Graph(at_once), [own], F(3), weights, least)


def test_places_that_are_given_are_tokens_of_a_row() -> None:
    """a and b take 4 of 7/2: as many as the two places of `x`, so `y` and `z` need no more."""
    asked = RING.model_copy(update={"capacities": {"x": 2}})
    row = CountedRow(actors=[0, 1], channels=[3, 0], factor=F(1))
    weights, least = {"y": F(1), "z": F(1)}, {"y": 1, "z": 1}
    assert needed_together(asked, Graph(asked), [row], F(7, 2), weights, least) == 2
