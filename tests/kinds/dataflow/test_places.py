"""The fewest places of channels: published values, all distributions, and what the referee refuses."""

import random
from collections.abc import Callable
from fractions import Fraction
from math import gcd, lcm
from typing import Any

import pytest

from steadygrid.domain.document import parse_json
from steadygrid.domain.job import Options, Outcome
from steadygrid.engine.solver import Solution, solver_for
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.dataflow import PROBLEM
from steadygrid.kinds.dataflow.schemas import CoverCertificate, DataflowInstance, DataflowResult
from steadygrid.kinds.dataflow.solver import capacities
from tests.draws import draws
from tests.kinds.dataflow.bodies import faults, graph, problem
from tests.kinds.dataflow.judged import R, codes, with_result
from tests.kinds.dataflow.published import PUBLISHED, instance
from tests.kinds.dataflow.self_timed import Machine, Queue
from tests.kinds.dataflow.unfolded import Answer
from tests.solved import solve
from tests.tree import ROOT

F = Fraction
PAIR = "a 2>3 b; b 1>2 c"
TIMES = {"a": 1, "b": 2, "c": 2}


def answered(asked: DataflowInstance) -> Answer:
    """Solve without the referee."""
    found: Solution = solver_for("dataflow").solve(
        asked,
        Options(),
        PROBLEM.sizing(asked, Options()),
        Control(),
    )
    assert isinstance(found.result, DataflowResult)
    return Answer(asked, Options(), found.result, found.schedule)  # type: ignore[arg-type]


def front_of(result: DataflowResult) -> list[tuple[Fraction, Fraction]]:
    return [(point.places, point.period) for point in result.front or ()]


SMALL = [
    (graph(TIMES, PAIR, buffers="front"), {6: 7, 8: 6, 9: 5, 10: 4}),
    (
        graph(
            {"a": 1, "b": 4, "c": 6},
            "a 4>2 b 1; b 3>2 c 2; c 1>3 a 6",
            buffers="front",
        ),
        {15: 26, 16: 22, 17: 18},
    ),
    (
        graph({"a": 6, "b": 2, "c": 1}, "a 3>2 b; b 1>3 c 2", buffers="front"),
        {7: 18, 8: 16, 9: 14, 10: 12},
    ),
]


@pytest.mark.parametrize(("asked", "points"), SMALL)
def test_fronts_by_hand_and_of_an_exhaustive_search(
    asked: DataflowInstance, points: dict[int, int]
) -> None:
    result, _ = solve({"problem": asked.model_dump(mode="json", exclude_none=True)})
    assert dict(front_of(result)) == points
    assert result.outcome is Outcome.OPTIMAL
    assert result.places == result.places_bound == result.objective.value == max(points)


@pytest.mark.parametrize(
    ("name", "points"),
    [
        ("samplerate", {32: 1088, 33: 1029, 34: 960}),
        ("modem", {38: 32, 39: 18, 40: 16}),
        ("satellite", {1542: 1320, 1544: 1056}),
    ],
)
def test_fronts_of_published_graphs(name: str, points: dict[int, int]) -> None:
    document, _, _ = PUBLISHED[name]
    result, _ = solve({"problem": {"kind": "dataflow", "graph": document, "buffers": "front"}})
    assert dict(front_of(result)) == points


def test_the_front_of_a_decoder_has_36_points() -> None:
    document, _, _ = PUBLISHED["h263decoder"]
    result, _ = solve({"problem": {"kind": "dataflow", "graph": document, "buffers": "front"}})
    points = front_of(result)
    assert (len(points), points[0], points[-1]) == (36, (1189, 633253), (1224, 332046))
    assert result.outcome is Outcome.OPTIMAL


def drawn(chance: random.Random) -> tuple[Machine, dict[str, Any]]:
    """Draw two or three actors in a row or a ring, some with phases."""
    count = chance.choice([2, 3, 3])
    cycles = [chance.randint(1, 3) for _ in range(count)]
    phases = [chance.choice([1, 1, 2]) for _ in range(count)]
    ends = [(i, i + 1) for i in range(count - 1)]
    ends += [(count - 1, 0)] if chance.random() < 0.4 else []
    queues = []
    for source, target in ends:
        moved = lcm(cycles[source], cycles[target]) * chance.choice([1, 1, 2])
        made = _split(chance, moved // cycles[source], phases[source])
        taken = _split(chance, moved // cycles[target], phases[target])
        tokens = 2 * moved if source > target else chance.choice([0, 0, 1])
        queues.append(Queue(source, target, made, taken, tokens))
    times = [tuple(chance.randint(min(i, 1), 4) for _ in range(n)) for i, n in enumerate(phases)]
    firings = [q // gcd(*cycles) * n for q, n in zip(cycles, phases, strict=True)]
    entries = [
        f"{'abc'[q.source]} {_told(q.made)}>{_told(q.taken)} {'abc'[q.target]} {q.tokens}"
        for q in queues
    ]
    body = problem({"abc"[i]: list(each) for i, each in enumerate(times)}, ";".join(entries))
    return Machine(times, firings, queues), body


def _split(chance: random.Random, total: int, parts: int) -> tuple[int, ...]:
    first = chance.randint(0, total) if parts == 2 else total
    return (first, total - first)[:parts]


def _told(rates: tuple[int, ...]) -> str:
    return ",".join(map(str, rates))


def test_fronts_are_those_of_all_distributions() -> None:
    points = weighted = 0
    for seed in range(draws(60, 1_000)):
        chance = random.Random(seed)
        machine, body = drawn(chance)
        least, _ = solve({"problem": body})
        if least.period is None:
            continue
        weights = [chance.choice([1, 1, 2]) for _ in machine.queues]
        names = DataflowInstance.model_validate(body).channel_names
        asked = body | {"buffers": "front", "weights": dict(zip(names, weights, strict=True))}
        result, _ = solve({"problem": asked})
        due = machine.front(least.period, weights)
        assert dict(front_of(result)) == due, seed
        points += len(due)
        weighted += max(weights)
    assert points > 90


def test_capacities_are_channels_back() -> None:
    """The buffers of a schedule do for its period, and capacities give the period of a run by the clock."""
    kept = dead = 0
    for seed in range(draws(60, 1_000)):
        chance = random.Random(1_000 + seed)
        machine, body = drawn(chance)
        free, _ = solve({"problem": body})
        names = DataflowInstance.model_validate(body).channel_names
        if free.period is not None:
            places = {one.channel: one.tokens for one in free.buffers}
            limited, _ = solve({"problem": body | {"capacities": places}})
            assert limited.period == free.period
            kept += 1
        chosen = [max(q.tokens, *q.made, *q.taken) + chance.randint(0, 2) for q in machine.queues]
        limited, _ = solve(
            {"problem": body | {"capacities": dict(zip(names, chosen, strict=True))}}
        )
        assert limited.period == machine.period(chosen)
        dead += limited.period is None
    assert kept > 30
    assert dead > 5


def test_a_target_takes_fewer_places_than_the_least_period() -> None:
    body = problem(TIMES, PAIR, buffers="least", target_period=6)
    result, schedule = solve({"problem": body})
    assert (result.places, result.period, schedule.period) == (8, 6, 6)
    assert result.capacities == {"a--b": 5, "b--c": 3}
    body["target_period"] = "11/2"
    result, _ = solve({"problem": body})
    assert (result.places, result.period) == (9, 5)


def test_a_target_that_no_places_reach_is_proved_to_be_too_short() -> None:
    result, schedule = solve({"problem": problem(TIMES, PAIR, buffers="least", target_period=3)})
    assert (result.outcome, result.certificate.type) == (Outcome.INFEASIBLE, "too_short")
    assert schedule is None
    assert sum(step.time for step in result.critical_circuit) / result.iterations == 4


def test_channels_that_are_not_counted_have_no_limits() -> None:
    result, _ = solve({"problem": problem(TIMES, PAIR, buffers="least", counted=["b--c"])})
    assert result.capacities == {"b--c": 3}
    fixed = problem(TIMES, PAIR, buffers="least", capacities={"a--b": 4}, target_period=7)
    result, _ = solve({"problem": fixed})
    assert (result.capacities, result.places) == ({"b--c": 2}, 2)


def test_what_ends_early_has_a_bound_that_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(capacities, "MOST_DISTRIBUTIONS", 3)
    result, _ = solve({"problem": problem(TIMES, PAIR, buffers="front")})
    assert result.outcome is Outcome.FEASIBLE
    assert 6 <= result.places_bound == result.bound.value < 10 <= result.places
    assert result.notes


@pytest.mark.parametrize("buffers", ["least", "front"])
def test_without_time_the_answer_is_none_or_has_a_bound(buffers: str) -> None:
    """The referee accepts either answer."""
    result, _ = solve({"problem": problem(TIMES, PAIR, buffers=buffers)}, seconds=0)
    assert result.outcome in (Outcome.UNKNOWN, Outcome.FEASIBLE, Outcome.OPTIMAL)
    assert result.bound is None or result.bound.value <= 10


def test_a_result_of_before_has_the_places_until_tokens_are_taken() -> None:
    new = answered(graph(TIMES, PAIR))
    waiting, held = (
        [one.tokens for one in listed or ()]
        for listed in (new.result.tokens_waiting, new.result.buffers)
    )
    assert (waiting, held) == ([5, 2], [8, 3])
    assert not codes(new)
    old = with_result(new, tokens_waiting=None)
    assert codes(old) == [("wrong_buffers", f"{R}/buffers/0")]
    listed = [
        one.model_copy(update={"tokens": tokens})
        for one, tokens in zip(new.result.buffers or (), waiting, strict=True)
    ]
    assert not codes(with_result(old, buffers=listed))


def _without_clause(given: Answer) -> Answer:
    clauses = _cover(given).clauses
    return with_result(given, certificate=CoverCertificate(clauses=clauses[:-1]))


def _cover(given: Answer) -> CoverCertificate:
    assert isinstance(given.result.certificate, CoverCertificate)
    return given.result.certificate


def _clause(**changed: Any) -> Callable[[Answer], Answer]:
    def plant(given: Answer) -> Answer:
        first, *others = _cover(given).clauses
        return with_result(
            given,
            certificate=CoverCertificate(clauses=[first.model_copy(update=changed), *others]),
        )

    return plant


def _fewer(given: Answer) -> Answer:
    chosen = {
        name: count - (name == "a--b") for name, count in (given.result.capacities or {}).items()
    }
    front = list(given.result.front or ())
    places = front[-1].places - 1
    front[-1] = front[-1].model_copy(update={"capacities": chosen, "places": places})
    changed = {"capacities": chosen, "places": places, "front": front, "places_bound": places}
    value = given.result.objective.model_copy(update={"value": places, "approx": float(places)})
    bound = given.result.bound.model_copy(update={"value": places, "approx": float(places)})
    return with_result(given, objective=value, bound=bound, **changed)


def _without_point(given: Answer) -> Answer:
    front = list(given.result.front or ())
    return with_result(given, front=[front[0], *front[2:]])


def _point(at: int, **changed: Any) -> Callable[[Answer], Answer]:
    def plant(given: Answer) -> Answer:
        front = list(given.result.front or ())
        front[at] = front[at].model_copy(update=changed)
        return with_result(given, front=front)

    return plant


PLANTED: list[tuple[str, Callable[[Answer], Answer]]] = [
    ("uncovered", _without_clause),
    ("uncovered", _without_point),
    ("wrong_clause", _clause(iterations=F(1, 2))),
    ("wrong_clause", _clause(capacities={"a--b": 9, "b--c": 9})),
    ("wrong_clause", _clause(firings=[0])),
    ("wrong_clause", _clause(actors=[99, 99])),
    ("wrong_clause", _clause(actors=[-1, -2])),
    ("over_capacity", _fewer),
    ("wrong_period", _point(0, period=F(13, 2))),
    ("uncovered", _point(0, period=F(15, 2))),
    ("wrong_capacities", _point(0, places=F(5))),
    ("wrong_capacities", _point(0, capacities={"a--b": 6})),
    ("wrong_capacities", _point(0, capacities={"a--b": 3, "b--c": 3})),
    ("wrong_front", _point(1, period=F(7))),
    ("wrong_front", _point(-1, capacities={"a--b": 6, "b--c": 4})),
    ("wrong_parts", lambda a: with_result(a, places=F(9))),
    ("wrong_parts", lambda a: with_result(a, front=None)),
    ("wrong_parts", lambda a: with_result(a, capacities=None)),
    ("wrong_circuit", lambda a: with_result(a, critical_circuit=None)),
]


@pytest.mark.parametrize(("code", "plant"), PLANTED)
def test_planted_faults_of_places_are_found(code: str, plant: Callable[[Answer], Answer]) -> None:
    right = answered(SMALL[0][0])
    assert not codes(right)
    assert code in [found for found, _ in codes(plant(right))]


def test_a_period_that_is_not_the_least_is_no_target() -> None:
    """Who asks for no target gets the places for the least period, not for a slower one."""
    slower = answered(graph(TIMES, PAIR, buffers="least", target_period=6))
    asked = graph(TIMES, PAIR, buffers="least")
    assert ("wrong_bound", f"{R}/period") in codes(slower._replace(instance=asked))
    assert ("too_slow", f"{R}/period") in codes(
        slower._replace(instance=graph(TIMES, PAIR, buffers="least", target_period=5))
    )


def test_a_circuit_as_fast_as_the_target_forbids_no_places() -> None:
    faster = answered(graph(TIMES, PAIR, buffers="least", target_period=5))
    asked = graph(TIMES, PAIR, buffers="least", target_period=6)
    told = codes(faster._replace(instance=asked))
    assert told == [("uncovered", f"{R}/certificate/clauses")]


def test_firings_without_time_that_wait_in_a_circle_have_no_period() -> None:
    """With one place for `z`, the second firing of a, b and the first of c wait for each other."""
    asked = graph(
        {"a": 0, "b": [0, 0], "c": 0, "d": 1},
        "a 1>1 b; y:b 0,2>1 c; z:a 1>1 c; a 1>1 d",
        buffers="front",
        counted=["z"],
    )
    right = answered(asked)
    assert not codes(right)
    assert right.result.front is not None
    (first,) = right.result.front
    assert first.places == 2
    slower = first.model_copy(update={"places": F(1), "period": F(9), "capacities": {"z": 1}})
    told = codes(with_result(right, front=[slower, first]))
    assert told == [("wrong_period", f"{R}/front/0")]


def test_a_target_that_the_circuit_reaches_is_not_too_short() -> None:
    short = answered(graph(TIMES, PAIR, buffers="least", target_period=3))
    assert not codes(short)
    asked = graph(TIMES, PAIR, buffers="least", target_period=4)
    told = codes(short._replace(instance=asked))
    assert ("wrong_bound", f"{R}/critical_circuit") in told


def test_places_stand_only_where_they_are_chosen() -> None:
    plain = answered(graph(TIMES, PAIR))
    assert codes(with_result(plain, places=F(3))) == [("wrong_parts", f"{R}/places")]


@pytest.mark.parametrize("buffers", ["least", "front"])
def test_a_faster_point_cannot_be_left_out_at_the_end(buffers: str) -> None:
    """Neither the circuit without limits nor that of the places makes period 5 the least one."""
    right = answered(graph(TIMES, PAIR, buffers="front"))
    nine = answered(graph(TIMES, PAIR, buffers="least", target_period=5))
    limited = answered(graph(TIMES, PAIR, capacities=nine.result.capacities))
    front = list(right.result.front or ())[:-1] if buffers == "front" else None
    for circuit, code in ((right.result, "wrong_bound"), (limited.result, "wrong_channel")):
        forged = with_result(
            nine,
            front=front,
            certificate=right.result.certificate,
            critical_circuit=circuit.critical_circuit,
            iterations=circuit.iterations,
        )
        told = codes(forged._replace(instance=graph(TIMES, PAIR, buffers=buffers)))
        assert code in [found for found, _ in told]


@pytest.mark.parametrize(
    ("code", "fields"),
    [
        ("unused_field", {"target_period": 3}),
        ("unused_field", {"target_period": 3, "buffers": "front"}),
        ("unused_field", {"weights": {"a--b": 2}}),
        ("unused_field", {"counted": ["a--b"], "buffers": "of_schedule"}),
        ("unknown_channel", {"capacities": {"a-b": 5}}),
        ("unknown_channel", {"counted": ["x"], "buffers": "least"}),
        ("duplicate_channel", {"counted": ["a--b", "a--b"], "buffers": "least"}),
        ("nothing_counted", {"counted": [], "buffers": "least"}),
        ("nothing_counted", {"capacities": {"a--b": 9, "b--c": 9}, "buffers": "least"}),
    ],
)
def test_places_that_do_not_fit_the_graph_are_refused(code: str, fields: dict[str, Any]) -> None:
    assert code in [fault.code for fault in faults(graph(TIMES, PAIR, **fields))]


def test_tokens_need_places_names_are_taken_and_firings_have_an_order() -> None:
    asked = graph(TIMES, "a 2>3 b 5; b 1>2 c", capacities={"a--b": 4})
    assert [fault.code for fault in faults(asked)] == ["capacity_below_tokens"]
    asked = graph(TIMES, "x:a 2>3 b; x.room:b 1>2 c", buffers="least")
    assert [fault.code for fault in faults(asked)] == ["reserved_channel"]
    asked = graph({"a": [1, 2], "b": 1}, "a 1>1 b; b 1>1 a 2", buffers="least", concurrency="auto")
    assert [fault.code for fault in faults(asked)] == ["unordered_firings"]


def test_places_limit_actors_whose_firings_may_overlap() -> None:
    """Without places nothing limits a and b; with three, three firings of each may be under way."""
    body = problem({"a": 2, "b": 4}, "a 1>1 b", concurrency="auto", capacities={"a--b": 3})
    assert not faults(DataflowInstance.model_validate(body))
    result, _ = solve({"problem": body})
    assert result.period == 2


def test_the_example_is_that_of_the_page() -> None:
    """The table of the page lists the points that the example has."""
    result, _ = solve(parse_json((ROOT / "examples" / "dataflow-front.json").read_bytes()))
    page = (ROOT / "docs" / "dataflow.md").read_text(encoding="utf-8")
    for point in result.front:
        chosen = ", ".join(map(str, point.capacities.values()))
        assert f"| {point.places} | {point.period} | {chosen} |" in page


def test_instances_of_before_keep_their_form() -> None:
    """The new fields are absent where nothing is said."""
    asked = instance(PUBLISHED["two"][0])
    told = asked.model_dump(exclude_none=True)
    assert told.keys() == {"kind", "graph", "concurrency", "method"}
