"""How rounds are made, what they keep, and what is answered where they do not end."""

import math
import random
from fractions import Fraction
from itertools import count, product
from math import gcd
from typing import Any

import pytest

from steadygrid.domain.errors import OutOfTime
from steadygrid.domain.job import Options, Outcome, Proof
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.dataflow import PROBLEM
from steadygrid.kinds.dataflow.schemas import LONGEST_CIRCUIT
from steadygrid.kinds.dataflow.solver import answer, lower_bounds, model, rounds
from steadygrid.kinds.dataflow.solver.model import Block, unfold
from steadygrid.kinds.dataflow.solver.net import Channel, net_of
from steadygrid.kinds.dataflow.solver.rounds import Progress, run_rounds
from tests.draws import draws
from tests.kinds.dataflow.published import PUBLISHED, graph, instance, random_graph
from tests.solved import solve


def asked(document: Any, concurrency: str = "sequential") -> dict[str, Any]:
    return {"problem": {"kind": "dataflow", "graph": document, "concurrency": concurrency}}


COPRIME = graph(
    {"a": 3, "b": 4, "c": 5},
    ("a", "b", 13, 11),
    ("b", "a", 11, 13, 40),
    ("b", "c", 17, 13),
    ("c", "b", 13, 17, 60),
)
"""Under `auto`: two rounds, and circuits of many firings."""


def test_unfolding_finds_the_least_turn_of_every_pair_that_meets() -> None:
    chance = random.Random(1)
    for _ in range(draws(150, 20_000)):
        made, taken = (
            [chance.randint(0, 4) for _ in range(chance.randint(1, 6))] for _ in range(2)
        )
        if not any(made) or not any(taken):
            continue
        large = chance.choice((1, 1, 10**15))
        channel = Channel(
            "c",
            0,
            1,
            tuple(large * rate for rate in made),
            tuple(large * rate for rate in taken),
            large * chance.randint(0, 30) + chance.choice((0, large // 2)),
            chance.random() < 0.5,
        )
        turns = chance.randint(1, 5), chance.randint(1, 5)
        assert _pairs(unfold(channel, turns, lambda: None)) == _by_definition(channel, turns)


def _pairs(block: Block) -> dict[tuple[int, int], int]:
    edges = list(zip(block.sources.tolist(), block.targets.tolist(), block.heights, strict=True))
    found = {(a, b): int(h) for a, b, h in edges if a >= 0 and b >= 0}
    for (a, mid, ahead), (between, b, behind) in product(edges, edges):
        if a >= 0 and b >= 0 and mid == between < 0:
            assert (a, b) not in found
            found[a, b] = int(ahead + behind)
    return found


def _by_definition(channel: Channel, turns: tuple[int, int]) -> dict[tuple[int, int], int]:
    made, taken = channel.production * turns[0], channel.consumption * turns[1]
    divisor = gcd(sum(made), sum(taken))
    found = {}
    for i, j in product(range(len(made)), range(len(taken))):
        before, first = sum(made[:i]), sum(taken[:j])
        last = first + taken[j]
        # The least multiple D of g with D > M + I(i-1) - O(j).
        turn = (channel.tokens + before - last) // divisor + 1
        lowest = last - 1 if channel.ordered else first
        if made[i] and taken[j] and turn * divisor + lowest < channel.tokens + before + made[i]:
            found[i, j] = turn
    return found


def test_policies_that_are_carried_over_change_no_answer_and_save_steps(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    warm: list[tuple[bool, Fraction | None, int]] = []
    cold: list[tuple[bool, Fraction | None, int]] = []
    graphs = [instance(COPRIME, "auto")]
    graphs += [instance(random_graph(random.Random(seed))) for seed in range(40)]
    for listed in (warm, cold):
        for one in graphs:
            progress = Progress()
            run_rounds(net_of(one), progress, lambda: None, lambda _n, _p: None)
            period = None if progress.schedule is None else progress.schedule.period
            listed.append((progress.deadlock, period, progress.policy_rounds))
        monkeypatch.setattr(rounds, "carried", lambda *_: None)
    assert [one[:2] for one in warm] == [one[:2] for one in cold]
    assert sum(one[2] for one in warm) < sum(one[2] for one in cold)


def test_a_round_that_is_too_large_leaves_the_schedule_of_the_last_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    exact = solve(asked(COPRIME, "auto")).result
    assert exact.statistics.rounds > 1
    monkeypatch.setattr(model, "MOST_NODES", exact.statistics.nodes - 1)
    result, schedule = solve(asked(COPRIME, "auto"))
    assert result.outcome is Outcome.FEASIBLE
    assert result.proof is Proof.EXACT
    assert result.objective.value <= exact.objective.value <= result.bound.value
    assert schedule.throughput == result.objective.value
    assert any("would have more than" in note for note in result.notes)


def test_edges_are_counted_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(model, "MOST_EDGES", 2)
    result, schedule = solve(asked(COPRIME))
    # Not even the first round: an actor in order is still a bound.
    assert result.outcome is Outcome.BOUND_ONLY
    assert schedule is None
    busiest = max(
        result.repetitions["a"] * 3, result.repetitions["b"] * 4, result.repetitions["c"] * 5
    )
    assert result.bound.value == Fraction(1, busiest)


def test_without_any_bound_nothing_is_claimed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(model, "MOST_NODES", 3)
    monkeypatch.setattr(lower_bounds, "MOST_SUSPECT_FIRINGS", 0)
    monkeypatch.setattr(lower_bounds, "MOST_NEIGHBOUR_FIRINGS", 0)
    result, schedule = solve(asked(COPRIME, "auto"))
    assert result.outcome is Outcome.UNKNOWN
    assert schedule is None
    assert any("a schedule was found, but no circuit" in note for note in result.notes)


def test_a_circuit_is_no_longer_than_a_round() -> None:
    assert LONGEST_CIRCUIT == model.MOST_NODES
    # More firings than answers once listed; rates without a common divisor, and few places.
    long = graph({"a": 1, "b": 1}, ("a", "b", 6000, 6001), ("b", "a", 6001, 6000, 12000))
    result, _ = solve(asked(long))
    assert result.outcome is Outcome.OPTIMAL
    assert len(result.certificate.circuit.firings) == 12_001
    assert len(result.critical_circuit) == 10_000
    assert result.notes == [
        "the critical circuit has 12,001 firings: the first 10,000 are listed, and `circuit` of the"
        " certificate has the numbers of all"
    ]


@pytest.mark.parametrize("name", ["sample", "h263encoder"])
def test_without_any_time_there_is_a_bound(name: str) -> None:
    document, _, sequential = PUBLISHED[name]
    result, _ = solve(asked(document), seconds=0, time_limit=0.01)
    assert result.outcome is Outcome.BOUND_ONLY
    assert result.bound.value >= 1 / Fraction(sequential)
    assert result.critical_circuit is not None


def test_time_that_ends_between_rounds_leaves_the_schedule_of_the_last_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    exact = solve(asked(COPRIME, "auto")).result
    honest = rounds._raised

    def late(*arguments: Any) -> bool:
        found = honest(*arguments)
        if found:
            raise OutOfTime
        return found

    monkeypatch.setattr(rounds, "_raised", late)
    result, schedule = solve(asked(COPRIME, "auto"))
    assert result.outcome is Outcome.FEASIBLE
    assert result.objective.value < exact.objective.value <= result.bound.value
    assert schedule.throughput == result.objective.value
    assert any("time limit" in note for note in result.notes)


def test_time_may_end_while_circuits_of_neighbours_are_searched() -> None:
    net, found = net_of(instance(COPRIME)), Progress(suspects=[0, 1])
    assert lower_bounds.best_known(net, found, Control(0)) is not None
    assert lower_bounds.best_known(net_of(instance(COPRIME, "auto")), found, Control(0)) is None


def test_even_the_grace_time_may_end(monkeypatch: pytest.MonkeyPatch) -> None:
    def late(*_: Any) -> None:
        raise OutOfTime

    monkeypatch.setattr(answer, "scheduled", late)
    result, schedule = solve(asked(PUBLISHED["sample"][0]))
    assert result.outcome is Outcome.BOUND_ONLY
    assert schedule is None


def test_firings_without_time_hide_no_circuit_without_tokens() -> None:
    hidden = graph(
        {"a": 0, "b": 0, "c": 1}, ("a", "b", 1, 1), ("b", "a", 1, 1), ("a", "c", 1, 1), loops="c"
    )
    result, _ = solve(asked(hidden))
    assert result.outcome is Outcome.INFEASIBLE
    assert {step.actor for step in result.certificate.circuit} == {"a", "b"}


def test_a_deadlock_says_how_many_tokens_would_free_it() -> None:
    stuck = graph({"a": 1, "b": 1}, ("a", "b", 2, 3), ("b", "a", 3, 2, 3))
    result, _ = solve(asked(stuck))
    assert result.outcome is Outcome.INFEASIBLE
    assert result.notes == []
    (told,) = PROBLEM.view(instance(stuck), Options(), result, None).proof.text
    assert "; 1 more token on b--a would free this circuit" in str(told)
    stuck["channels"][1]["tokens"] = 4
    assert solve(asked(stuck)).result.outcome is Outcome.OPTIMAL


@pytest.mark.parametrize("concurrency", ["sequential", "auto"])
def test_tokens_in_another_unit_change_buffers_alone(concurrency: str) -> None:
    times, unit = 10**15, 10**13
    larger = {
        "actors": [a | {"times": f"{a['times']}/{times}"} for a in COPRIME["actors"]],
        "channels": [
            c
            | {
                name: unit * c[name]
                for name in ("production", "consumption", "tokens")
                if name in c
            }
            for c in COPRIME["channels"]
        ],
    }
    result, scaled = (solve(asked(one, concurrency)).result for one in (COPRIME, larger))
    assert scaled.period == result.period / times
    assert scaled.critical_circuit == [
        step.model_copy(
            update={
                "time": step.time / times,
                "token": None if step.token is None else unit * step.token,
            }
        )
        for step in result.critical_circuit
    ]
    assert [one.tokens for one in scaled.buffers] == [unit * one.tokens for one in result.buffers]


def _first_and_exact(document: Any) -> tuple[Fraction, Any]:
    """The period of the first round, and what is answered in the end."""
    periods: list[Fraction] = []
    asked_graph = instance(document, "auto")
    run_rounds(
        net_of(asked_graph), Progress(), lambda: None, lambda _, period: periods.append(period)
    )
    return periods[0], solve(asked(document, "auto")).result


def test_where_the_next_round_is_too_large_smaller_ones_are_made(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Between the first round and the last: never worse than the first, and mostly better."""
    chance = random.Random(7)
    shorter = smaller = 0
    for _ in range(draws(20, 400)):
        a, b = (math.prod(chance.choices((2, 3, 5), k=4)) for _ in range(2))
        tokens = chance.randint(a + b, 2 * (a + b))
        document = graph(
            {"a": chance.randint(1, 9), "b": chance.randint(1, 9)},
            ("a", "b", a, b),
            ("b", "a", b, a, tokens),
            ("a", "a", 1, 1, 1),  # one firing at a time: that bounds all schedules
        )
        first, exact = _first_and_exact(document)
        assert exact.outcome is Outcome.OPTIMAL
        if exact.statistics.rounds < 2:
            continue
        with monkeypatch.context() as patched:
            patched.setattr(model, "MOST_NODES", exact.statistics.nodes - 1)
            found = solve(asked(document, "auto")).result
        assert exact.period <= found.period <= first
        assert found.bound.value >= exact.objective.value
        if found.period == exact.period:
            continue
        assert found.outcome is Outcome.FEASIBLE
        smaller += 1
        shorter += found.period < first
        for actor, turns in found.unfolding.items():
            assert found.repetitions[actor] % turns == 0
    assert shorter > smaller / 4 > 0


def test_a_round_that_takes_too_long_leaves_the_schedule_of_the_last_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    exact = solve(asked(COPRIME, "auto")).result
    monkeypatch.setattr(rounds, "ROUND_SHARE", 1e-9)
    result, schedule = solve(asked(COPRIME, "auto"))
    assert result.outcome is Outcome.FEASIBLE
    assert result.statistics.rounds < exact.statistics.rounds + 1
    assert result.objective.value <= exact.objective.value <= result.bound.value
    assert schedule.throughput == result.objective.value
    assert any("would take longer than there is time" in note for note in result.notes)


def test_smaller_rounds_end_where_none_fits_the_time() -> None:
    """Each look at the clock takes a second."""
    document = graph(
        {"a": 3, "b": 4}, ("a", "b", 2**6 * 3, 3**5 * 2), ("b", "a", 3**5 * 2, 2**6 * 3, 700)
    )
    net, whole, found = net_of(instance(document, "auto")), Progress(), Progress()
    looks = count()
    run_rounds(net, whole, lambda: None, lambda *_: None)
    run_rounds(net, found, lambda: None, lambda *_: None, lambda: 60.0 - next(looks))
    assert not whole.too_large
    assert whole.schedule is not None
    assert found.too_long
    assert found.schedule is not None
    assert found.schedule.period > whole.schedule.period
    assert next(looks) < 60
