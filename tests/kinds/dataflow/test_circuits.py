"""Circuits that bound a throughput, and those that prove a deadlock, step by step."""

import random
from typing import Any

import networkx as nx

from steadygrid.domain.certificate import NoCertificate
from steadygrid.domain.job import Outcome
from steadygrid.kinds.dataflow.referee_graph import Channel, Rates
from steadygrid.kinds.dataflow.referee_zero import _in_circles
from steadygrid.kinds.dataflow.schemas import (
    CircuitStep,
    DeadlockCertificate,
)
from tests.draws import draws
from tests.kinds.dataflow.bodies import graph, two
from tests.kinds.dataflow.judged import CIRCUIT, F, R, built, codes, with_result, with_step
from tests.kinds.dataflow.unfolded import Answer


def test_a_circuit_follows_tokens() -> None:
    right = built(two(concurrency="auto"))
    assert (code_of := codes(with_step(right, 1, token=None))) == [
        ("wrong_token", f"{CIRCUIT}/1/token")
    ], code_of
    # Token 2 is taken by firing 2 of b, not by the first one.
    assert codes(with_step(right, 1, token=2)) == [("wrong_token", f"{CIRCUIT}/1/token")]
    # Firing 2 does take it, but a has made it one circuit later.
    assert codes(with_step(right, 1, token=2, firing=2)) == [
        ("wrong_token", f"{CIRCUIT}/0/token"),
        ("wrong_token", f"{CIRCUIT}/1/token"),
    ]
    assert codes(with_step(right, 0, channel=None, token=None)) == [
        ("no_order", f"{CIRCUIT}/0/channel")
    ]
    # A circuit that is real, advances as it says, and takes no time limits nothing.
    free = graph({"a": 0, "b": 2}, "a 1>1 b; a 1>1 a 1; b 1>1 b 1", concurrency="auto")
    step = CircuitStep(actor="a", firing=0, channel="a--a", token=0, time=F(0))
    idle = with_result(built(free), critical_circuit=[step], iterations=F(1))
    assert codes(idle) == [("no_time", CIRCUIT)]


def test_the_own_order_of_an_actor_takes_no_token() -> None:
    alone = built(graph({"a": 2}, ""))
    assert not codes(alone)
    assert codes(with_step(alone, 0, token=0)) == [("wrong_token", f"{CIRCUIT}/0/token")]
    assert ("no_order", f"{CIRCUIT}/0/channel") in codes(
        alone._replace(instance=graph({"a": 2}, "", concurrency="auto"))
    )


def test_a_coarser_timetable_has_the_bound_of_a_real_circuit() -> None:
    """With one start for each actor the same circuit proves a throughput that no schedule reaches."""
    instance = graph({"a": 1, "b": 1}, "a 2>3 b; b 3>2 a 4", concurrency="auto")
    best, coarse = built(instance), built(instance, {"a": 1, "b": 1})
    assert best.result.bound == coarse.result.bound
    assert coarse.result.outcome is Outcome.FEASIBLE
    assert not codes(coarse)
    # The value of the best with the rows of the coarse one.
    mixed = best.result.model_copy(update={"unfolding": coarse.result.unfolding})
    told = codes(coarse._replace(result=mixed))
    assert {"wrong_every", "wrong_period"} <= {code for code, _ in told}


DEAD = graph({"a": 1, "b": 1}, "a 2>3 b 1; b 3>2 a 1", concurrency="auto")
AT = f"{R}/certificate/circuit"


def with_dead_step(given: Answer, at: int, **changed: Any) -> Answer:
    assert isinstance(given.result.certificate, DeadlockCertificate)
    steps = list(given.result.certificate.circuit)
    steps[at] = steps[at].model_copy(update=changed)
    return with_result(given, certificate=DeadlockCertificate(circuit=steps))


def test_a_deadlock_is_proved_step_by_step() -> None:
    dead = built(DEAD)
    assert dead.result.outcome is Outcome.INFEASIBLE
    assert not codes(dead)
    assert codes(with_dead_step(dead, 0, tokens=2)) == [("wrong_tokens", f"{AT}/0/tokens")]
    assert codes(with_dead_step(dead, 0, actor="c")) == [("unknown_actor", f"{AT}/0/actor")]
    assert codes(with_dead_step(dead, 0, channel=None, tokens=None)) == [
        ("no_order", f"{AT}/0/channel")
    ]
    assert codes(with_dead_step(dead, 0, firing=50)) in (
        [("waits_for_nothing", f"{AT}/0/firing")],
        [("waits_for_nothing", f"{AT}/0/firing"), ("waits_for_nothing", f"{AT}/1/firing")],
    )
    assert codes(with_result(dead, certificate=NoCertificate())) == [
        ("wrong_certificate", f"{R}/certificate/type")
    ]
    alive = built(DEAD.model_copy(update={"graph": two().graph}))
    assert codes(alive._replace(result=dead.result, schedule=None))


def test_a_deadlock_through_the_order_of_an_actor() -> None:
    """The second phase makes what the first one takes."""
    dead = built(graph({"a": [1, 1]}, "a 0,1>1,0 a"))
    assert not codes(dead)
    own = next(
        j
        for j, step in enumerate(dead.result.certificate.circuit)  # type: ignore[union-attr]
        if step.channel is None
    )
    assert codes(with_dead_step(dead, own, tokens=0)) == [("wrong_tokens", f"{AT}/{own}/tokens")]


def test_what_waits_for_later_turns_never_starts() -> None:
    """Phase 1 takes what phase 2 of the next cycle makes, one channel's tokens being taken back."""
    # Two channels between the same ends: b needs the second cycle of a before its first.
    instance = graph(
        {"a": [1, 1], "b": 1}, "a 1,0>1 b; b 1>0,1 a; x:a 0,1>1,0 a", concurrency="auto"
    )
    dead = built(instance)
    assert dead.result.outcome is Outcome.INFEASIBLE
    assert not codes(dead)
    assert isinstance(dead.result.certificate, DeadlockCertificate)
    circuit = dead.result.certificate.circuit
    # All firings a cycle later form the same circuit; the first alone waits for the cycle before.
    for first in (0, 1):
        steps = circuit[first:] + circuit[:first]
        turned = with_result(dead, certificate=DeadlockCertificate(circuit=steps))
        assert not codes(turned)
        later = steps[0].model_copy(
            update={"firing": steps[0].firing + (2 if steps[0].actor == "a" else 1)}
        )
        early = DeadlockCertificate(circuit=[later, *steps[1:]])
        assert codes(with_result(dead, certificate=early))


def test_firings_without_time_that_wait_for_themselves_are_no_answer() -> None:
    """a and b wait for each other without a token; their starts satisfy every inequality."""
    free = "c 1>1 a; {}"
    alive = built(graph({"a": 0, "b": 0, "c": 1}, free.format("a 1>1 b; b 1>1 a 1")))
    dead = graph({"a": 0, "b": 0, "c": 1}, free.format("a 1>1 b; b 1>1 a 0"))
    told = codes(alive._replace(instance=dead))
    assert told == [
        ("waits_for_itself", "schedule/rows/0"),
        ("wrong_buffers", f"{R}/tokens_waiting/2"),
        ("wrong_buffers", f"{R}/buffers/2"),
    ]
    assert built(dead).result.outcome is Outcome.INFEASIBLE
    # Through the order of an actor's phases, and through that of its cycles.
    phases = {"a": [0, 0], "c": 1}
    for rates, rows in (("0,1>1,0", 0), ("1,0>0,1", None)):
        instance = graph(phases, f"c 1>1,0 a; a {rates} a")
        told = codes(built(instance)) if rows is None else []
        assert not told
        if rows is not None:
            spare = built(graph(phases, f"c 1>1,0 a; a {rates} a 1"))
            assert ("waits_for_itself", "schedule/rows/0") in codes(
                spare._replace(instance=instance)
            )


def test_only_paths_from_cycle_to_cycle_are_looked_at() -> None:
    """Of many actors without time in a row, and of random ones."""
    chance = random.Random(1)
    row = [(i, i + 1) for i in range(20_000)]
    for size, ends in [(20_001, row)] + [
        (8, [(chance.randrange(8), chance.randrange(8)) for _ in range(chance.randint(0, 12))])
        for _ in range(draws(50, 5_000))
    ]:
        ways = nx.DiGraph(ends)
        on = {a for part in nx.strongly_connected_components(ways) for a in part if len(part) > 1}
        on |= {a for a, b in ends if a == b}
        after, before = set(on), set(on)
        for actor in on:
            after |= nx.descendants(ways, actor)
            before |= nx.ancestors(ways, actor)
        channels = [Channel("", a, b, Rates(1), Rates(1), 0) for a, b in ends]
        kept = [(c.source, c.target) for c in _in_circles(channels, size)]
        assert kept == [(a, b) for a, b in ends if a in after and b in before]
