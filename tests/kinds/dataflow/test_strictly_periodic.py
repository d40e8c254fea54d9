"""Schedules in which the starts of each actor repeat after each of its cycles."""

import random
from fractions import Fraction
from typing import Any

import networkx as nx
import pytest

from steadygrid.domain.job import Outcome
from steadygrid.kinds.dataflow.schemas import DataflowInstance, NotStrictCertificate
from tests.draws import draws
from tests.kinds.dataflow.bodies import faults, graph, problem
from tests.kinds.dataflow.judged import R, codes, with_result
from tests.kinds.dataflow.test_places import answered
from tests.kinds.dataflow.token_by_token import Tokens
from tests.solved import solve

F = Fraction
EVEN = {"schedule": "strictly_periodic"}


def least_period(tokens: Tokens) -> Fraction | None:
    """Compare all firings of a long stretch, phase by phase; None: no period is long enough."""
    far = 4 + 2 * max((held for *_, held in tokens.channels), default=0)
    heights: dict[Any, Fraction] = {}
    for actor, size in tokens.iteration.items():
        phases = tokens.phases[actor]
        for number in range(far * size, (far + 2) * size):
            for source, other in tokens.waits_for((actor, number)):
                ends = (source, other % tokens.phases[source]), (actor, number % phases)
                later = F(number // phases, tokens.cycles[actor]) - F(
                    other // tokens.phases[source], tokens.cycles[source]
                )
                heights[ends] = min(later, heights.get(ends, later))
    net = nx.DiGraph()
    net.add_edges_from(heights)
    best = F(0)
    for cycle in nx.simple_cycles(net):
        turns = sum(heights[ends] for ends in zip(cycle, cycle[1:] + cycle[:1], strict=True))
        time = sum((tokens.time(phase) for phase in cycle), F(0))
        if turns <= 0:
            return None
        best = max(best, time / turns)
    return best


def drawn(chance: random.Random) -> dict[str, Any]:
    """Draw a ring of two actors, one of them with phases or a third one behind it."""
    made, taken = chance.randint(1, 4), chance.randint(1, 4)
    tokens = chance.randint(max(made, taken), made + taken + 2)
    channels = f"a {made}>{taken} b; b {taken}>{made} a {tokens}"
    times: dict[str, Any] = {"a": chance.randint(1, 4), "b": chance.randint(1, 4)}
    if chance.random() < 0.5:
        channels += f"; b {chance.randint(1, 2)}>{chance.randint(1, 2)} c"
        times["c"] = [1, 2]
    return problem(times, channels)


def test_the_period_is_that_of_the_worst_circuit_of_phases() -> None:
    slower = impossible = 0
    for seed in range(draws(60, 2_000)):
        asked = drawn(random.Random(seed))
        result, _ = solve({"problem": asked | EVEN})
        due = least_period(Tokens(DataflowInstance.model_validate(asked)))
        assert result.period == due, seed
        free, _ = solve({"problem": asked})
        impossible += due is None
        slower += due is not None and due > free.period
    assert slower > 5
    assert impossible > 2


def test_what_repeats_after_each_cycle_may_be_slower() -> None:
    body = problem({"a": 1, "b": 2}, "a 3>2 b; b 2>3 a 6")
    free, _ = solve({"problem": body})
    even, schedule = solve({"problem": body | EVEN})
    assert (free.period, even.period) == (6, 6)
    assert {row.modulus for row in schedule.rows} == {1}
    tight = problem({"a": 1, "b": 2}, "a 3>2 b; b 2>3 a 4")
    free, _ = solve({"problem": tight})
    even, _ = solve({"problem": tight | EVEN})
    assert free.period < even.period
    assert set(even.unfolding.values()) == {1}


def test_where_none_is_strictly_periodic_the_circuit_proves_it() -> None:
    found = answered(graph({"a": 1, "b": 1}, "a 2>3 b; b 3>2 a 3", **EVEN))
    assert found.result.outcome is Outcome.INFEASIBLE
    assert found.result.certificate.type == "not_strict"
    assert not codes(found)
    told = codes(with_result(found, iterations=F(-1, 7)))
    assert ("wrong_iterations", f"{R}/iterations") in told
    free = found._replace(instance=graph({"a": 1, "b": 1}, "a 2>3 b; b 3>2 a 3"))
    assert ("wrong_certificate", f"{R}/certificate/type") in codes(free)


@pytest.mark.parametrize(
    ("code", "changed"),
    [
        ("wrong_firing", {"firing": 7}),
        ("wrong_time", {"time": F(9)}),
        ("wrong_token", {"token": 0}),
        ("waits_for_nothing", {"channel": "none"}),
    ],
)
def test_circuits_of_phases_are_followed(code: str, changed: dict[str, Any]) -> None:
    found = answered(graph({"a": 1, "b": 2}, "a 3>2 b; b 2>3 a 4", **EVEN))
    assert not codes(found)
    steps = list(found.result.critical_circuit or ())
    steps[0] = steps[0].model_copy(update=changed)
    wrong = with_result(found, critical_circuit=steps)
    assert code in [one for one, _ in codes(wrong)]


def test_circuits_of_phases_prove_what_they_say() -> None:
    found = answered(graph({"a": 1, "b": 2}, "a 3>2 b; b 2>3 a 4", **EVEN))
    assert found.result.bound is not None
    less = found.result.bound.model_copy(update={"value": found.result.bound.value / 2})
    assert ("wrong_bound", f"{R}/bound") in codes(with_result(found, bound=less))
    none = dict.fromkeys(
        ("objective", "bound", "gap", "period", "unfolding", "buffers", "tokens_waiting")
    )
    claimed = with_result(
        found, outcome=Outcome.INFEASIBLE, certificate=NotStrictCertificate(), **none
    )._replace(schedule=None)
    assert ("wrong_bound", f"{R}/critical_circuit") in codes(claimed)


def test_a_schedule_of_other_turns_is_none_of_these() -> None:
    asked = graph({"a": 1, "b": 2}, "a 3>2 b; b 2>3 a 4")
    free = answered(asked)
    assert ("wrong_unfolding", f"{R}/unfolding") in codes(
        free._replace(instance=asked.model_copy(update=EVEN))
    )


def test_the_fewest_places_are_not_those_of_strictly_periodic_schedules() -> None:
    asked = graph({"a": 1, "b": 2}, "a 1>1 b", buffers="least", **EVEN)
    assert [fault.code for fault in faults(asked)] == ["not_together"]
