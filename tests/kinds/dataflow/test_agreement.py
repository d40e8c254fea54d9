"""Small random graphs agree with every token by itself: enumerated cycles, and a simulation."""

import random
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from steadygrid.domain.job import Options, Outcome
from steadygrid.kinds.dataflow import PROBLEM
from tests.draws import draws
from tests.kinds.dataflow.published import CONCURRENCIES, Concurrency, instance, random_graph
from tests.kinds.dataflow.token_by_token import (
    Deadlock,
    Tokens,
    earliest_starts,
    enumerated_period,
    most_tokens,
    simulated_period,
)
from tests.solved import solve

MOST_FIRINGS = 14
"""Of an iteration whose cycles are enumerated."""
TURNS = 90
"""Of each row that are written out."""


def test_the_period_is_that_of_the_worst_cycle_of_firings() -> None:
    seen = Counter[str]()
    for seed in range(draws(100, 10_000)):
        chance = random.Random(seed)
        connected = chance.random() < 0.5
        document = random_graph(chance, connected=connected)
        for concurrency in CONCURRENCIES:
            asked = instance(document, concurrency)
            tokens = Tokens(asked)
            if sum(tokens.iteration.values()) > MOST_FIRINGS:
                continue
            found = _compared(document, concurrency, tokens, enumerated(asked))
            seen[found] += 1
            if found == "optimal" and connected:
                simulated = simulated_period(asked, 16)
                seen["simulated"] += simulated is not None
                assert simulated in (None, enumerated(asked))
    assert seen["optimal"] > 20
    assert seen["infeasible"] > 30
    assert seen["simulated"] > 10


def enumerated(asked: Any) -> Fraction | None:
    try:
        return enumerated_period(asked)
    except Deadlock:
        return None


def _compared(document: Any, concurrency: Concurrency, tokens: Tokens, due: Fraction | None) -> str:
    body = {"problem": {"kind": "dataflow", "graph": document, "concurrency": concurrency}}
    if not due:
        faults = list(PROBLEM.faults(instance(document, concurrency), Options(), ()))
        if faults:
            assert due == 0, "a deadlock is an answer"
            assert [fault.code for fault in faults] == ["no_throughput_limit"]
            return "refused"
        result, _ = solve(body)
        if due is None:
            assert result.outcome is Outcome.INFEASIBLE
            names = instance(document).channel_names
            assert _waits(result.certificate.circuit, tokens, names)
            return "infeasible"
        assert result.outcome is Outcome.UNKNOWN
        return "unknown"
    result, schedule = solve(body)
    assert (result.outcome, result.period) == (Outcome.OPTIMAL, due)
    starts = _unrolled(schedule, tokens)
    for firing, start in starts.items():
        if firing[1] < 20 * tokens.phases[firing[0]]:
            for other in tokens.waits_for(firing):
                assert starts[other] + tokens.time(other) <= start
    if concurrency == "sequential" or set(tokens.phases.values()) == {1}:
        _check_buffers(result, starts, tokens)
    return "optimal"


def _waits(circuit: Any, tokens: Tokens, names: Sequence[str]) -> bool:
    """Tell whether each firing waits for the one before, by the channel that it names."""
    return all(
        (before.actor, before.firing)
        in (
            {(step.actor, step.firing - 1)}
            if step.channel is None
            else {*tokens.makers((step.actor, step.firing), names.index(step.channel))}
        )
        for before, step in zip([circuit[-1], *circuit], circuit, strict=False)
    )


def _unrolled(schedule: Any, tokens: Tokens) -> dict[tuple[str, int], Fraction]:
    starts = {}
    for row in schedule.rows:
        actor, phase = row.operation
        for turn in range(TURNS):
            number = (row.residue + turn * row.modulus) * tokens.phases[actor] + phase - 1
            starts[actor, number] = row.start + turn * row.every
    return starts


def _check_buffers(result: Any, starts: Any, tokens: Tokens) -> None:
    """Where firings start in order, places are tokens counted at any time."""
    for number, (waiting, held) in enumerate(
        zip(result.tokens_waiting, result.buffers, strict=True)
    ):
        ends = tokens.channels[number][:2]
        last = min(max(at for (a, _), at in starts.items() if a == end) for end in ends)
        until = {firing: at for firing, at in starts.items() if at < last}
        assert most_tokens(tokens, until, number) == waiting.tokens
        if tokens.sequential:
            assert most_tokens(tokens, until, number, to_the_end=True) == held.tokens


def test_a_deadlock_is_one_in_a_simulation_too_and_tokens_free_its_circuit() -> None:
    freed = 0
    for seed in range(draws(100, 3_000)):
        document = random_graph(random.Random(seed))
        body = {"problem": {"kind": "dataflow", "graph": document}}
        asked = instance(document)
        if list(PROBLEM.faults(asked, Options(), ())):
            continue
        try:
            earliest_starts(Tokens(asked), 2)
        except Deadlock:
            result, _ = solve(body)
            assert result.outcome is Outcome.INFEASIBLE
            (told,) = PROBLEM.view(asked, Options(), result, None).proof.text
            assert isinstance(told, str)
            remedy = told.split("; ")[1]
            tokens, name = (
                int(remedy.split()[0].replace(",", "")),
                remedy.split(" on ")[1].split()[0],
            )
            for channel, known in zip(document["channels"], asked.channel_names, strict=True):
                if known == name:
                    channel["tokens"] = channel.get("tokens", 0) + tokens
            circuit = result.certificate.circuit
            assert not _waits(circuit, Tokens(instance(document)), asked.channel_names)
            freed += 1
    assert freed > 20
