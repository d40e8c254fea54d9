"""Schedules in which the starts of each actor repeat after each of its cycles."""

import random
from fractions import Fraction
from itertools import product
from math import lcm
from typing import Any

import networkx as nx
import pytest

from steadygrid.domain.job import Outcome
from steadygrid.kinds.dataflow.referee_even import check_even
from steadygrid.kinds.dataflow.referee_graph import Graph
from steadygrid.kinds.dataflow.schemas import CircuitStep, DataflowInstance, NotStrictCertificate
from steadygrid.verification.findings import Findings
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


def latest_waits(made: list[int], taken: list[int], tokens: int) -> dict[tuple[int, int], int]:
    """Token by token: by phases of maker and taker, the tokens by which their cycles are apart at most."""
    makers = [(-1, -1)] * tokens
    makers += [(n, i) for n in range(40) for i, count in enumerate(made) for _ in range(count)]
    takers = [(m, j) for m in range(40) for j, count in enumerate(taken) for _ in range(count)]
    found: dict[tuple[int, int], int] = {}
    for (n, i), (m, j) in zip(makers, takers, strict=False):
        apart = n * sum(made) - m * sum(taken)
        if n >= 0:
            found[i, j] = max(apart, found.get((i, j), apart))
    return found


def rates(chance: random.Random, total: int, phases: int) -> list[int]:
    found = [0] * phases
    for _ in range(total):
        found[chance.randrange(phases)] += 1
    return found


def test_the_referee_knows_by_how_much_a_phase_waits_for_another() -> None:
    """In a circuit of two phases; all pairs, those too that have no token in common."""
    idle = 0
    for seed in range(draws(40, 1_000)):
        chance = random.Random(seed)
        cycles = chance.choice([(1, 1), (1, 2), (2, 3), (3, 1)])
        phases = [chance.randint(1, 3) for _ in range(2)]
        listed: list[tuple[list[int], list[int], int]] = []
        for one, other in ((0, 1), (1, 0)):
            moved = lcm(*cycles) * chance.randint(1, 3)
            made, taken = (rates(chance, moved // cycles[k], phases[k]) for k in (one, other))
            listed.append((made, taken, chance.randint(0, 2 * moved)))
        text = "; ".join(
            f"{name} {','.join(map(str, made))},0>{','.join(map(str, taken))},0 {to} {tokens}"
            for name, to, (made, taken, tokens) in zip("ab", "ba", listed, strict=True)
        )
        asked = graph({"a": [1] * (phases[0] + 1), "b": [1] * (phases[1] + 1)}, text)
        waits = [latest_waits(*one) for one in listed]
        per_iteration = [cycles[k] * sum(one[0]) for k, one in enumerate(listed)]
        for i, j in product(*(range(count + 1) for count in phases)):
            steps = [
                CircuitStep(actor=actor, firing=phase, channel=channel, token=None, time=F(1))
                for actor, phase, channel in (("a", i, "b--a"), ("b", j, "a--b"))
            ]
            apart = (waits[0].get((i, j)), waits[1].get((j, i)))
            findings = Findings()
            due = sum(
                (F(-(d or 0), per) for d, per in zip(apart, per_iteration, strict=True)), F(0)
            )
            time = check_even(Graph(asked), cycles, steps, due, ("here",), findings)
            if None in apart:
                idle += 1
                assert [one.code for one in findings.faults] == ["waits_for_nothing"]
            else:
                assert (time, findings.faults) == (2, []), (seed, i, j)
    assert idle > 50


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
