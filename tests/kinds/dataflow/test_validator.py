"""The referee accepts what was built slowly by itself, and nothing else."""

import dataclasses
import random
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from operator import add
from typing import Any

import pytest

from steadygrid.domain.certificate import NoCertificate
from steadygrid.domain.job import Bound, Objective, Outcome, relative_gap
from steadygrid.domain.timetable import Firing, Timetable
from steadygrid.kinds.dataflow.schemas import (
    CircuitStep,
    DataflowInstance,
    DataflowResult,
)
from tests.draws import draws
from tests.kinds.dataflow.bodies import drawn, faults, graph, two
from tests.kinds.dataflow.judged import (
    CIRCUIT,
    F,
    R,
    built,
    codes,
    with_result,
    with_row,
    with_step,
)
from tests.kinds.dataflow.unfolded import Answer, Replay, Unfolded, answer, places, unknown


@pytest.mark.parametrize(
    ("instance", "period", "iterations"),
    [
        (two(), 5, 1),
        (two(concurrency="auto"), 3, 1),
    ],
)
def test_what_the_contract_says(instance: DataflowInstance, period: int, iterations: int) -> None:
    found = built(instance)
    assert (found.result.period, found.result.iterations) == (period, iterations)
    assert not codes(found)


def test_right_answers_are_accepted_and_deadlocks_too() -> None:
    rng = random.Random(1)
    seen = dict.fromkeys(Outcome, 0)
    for _ in range(draws(60, 5000)):
        instance = drawn(rng)
        if faults(instance) or (found := answer(instance)) is None:
            continue
        assert (found.schedule is not None) == Unfolded(instance).alive()
        assert not codes(found)
        seen[found.result.outcome] += 1
        if found.schedule is None:
            continue
        assert not codes(bound_only(found))
        turns = {name: rng.choice([1, 1, 2, q]) for name, q in found.result.repetitions.items()}
        coarser = answer(instance, turns)
        if coarser is not None:
            assert not codes(coarser)
            seen[coarser.result.outcome] += 1
    assert min(seen[Outcome.OPTIMAL], seen[Outcome.INFEASIBLE]) > 10


def bound_only(given: Answer) -> Answer:
    nothing = dict.fromkeys(
        ("objective", "gap", "period", "unfolding", "buffers", "tokens_waiting")
    )
    bounded = with_result(given, outcome=Outcome.BOUND_ONLY, **nothing)
    return bounded._replace(schedule=None)


def test_starts_are_judged_as_a_replay_of_all_tokens_does() -> None:
    """Also where the rows of two actors repeat after different numbers of iterations."""
    rng = random.Random(2)
    refused = accepted = 0
    for _ in range(draws(40, 3000)):
        instance = drawn(rng)
        turns = {name: rng.randint(1, 3) for name in Unfolded(instance).cycles}
        found = None if faults(instance) else answer(instance, turns)
        if found is None or found.schedule is None:
            continue
        for _ in range(6):
            at = rng.randrange(len(found.schedule.rows))
            start = found.schedule.rows[at].start
            moved = start + F(rng.randint(-4, 4), rng.choice([1, 2, 12, 60]))
            changed = with_row(found, at, start=moved)
            assert changed.schedule is not None
            replay, told = Replay(Unfolded(instance), changed.schedule), codes(changed)
            buffers = ("wrong_buffers", "waits_for_itself")
            wrong = [code for code, _ in told if code not in buffers]
            assert bool(wrong) != replay.right(), (instance, changed)
            refused, accepted = refused + bool(wrong), accepted + (not wrong)
            if not wrong:
                unfolded = Unfolded(instance)
                same = all(
                    [one.tokens for one in listed or ()]
                    == [
                        places(unfolded, queue, changed.schedule, to_the_end=to_the_end)
                        for queue in unfolded.queues
                    ]
                    for to_the_end, listed in (
                        (False, found.result.tokens_waiting),
                        (True, found.result.buffers),
                    )
                )
                assert same == ("wrong_buffers" not in {code for code, _ in told})
    assert min(refused, accepted) > 10


def numbers(part: Any, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Give the places of all numbers of a document."""
    if isinstance(part, dict):
        return [p for name, value in part.items() for p in numbers(value, (*at, name))]
    if isinstance(part, list | tuple):
        return [p for i, value in enumerate(part) for p in numbers(value, (*at, i))]
    return [at] if isinstance(part, int | Fraction) and not isinstance(part, bool) else []


def changed(part: Any, at: tuple[Any, ...], change: Callable[[Any], Any]) -> Any:
    """Copy a document with another number at one place."""
    if not at:
        return change(part)
    copy = dict(part) if isinstance(part, dict) else list(part)
    copy[at[0]] = changed(part[at[0]], at[1:], change)
    return copy


@pytest.mark.parametrize("step", [1, -1, F(1, 7)])
def test_no_other_number_passes(step: Any) -> None:
    """Of every number of many answers; the only harmless ones say the same of the graph."""
    rng = random.Random(3)
    for _ in range(draws(30, 2000)):
        instance = drawn(rng)
        found = None if faults(instance) else answer(instance)
        if found is None:
            continue
        document = found.result.model_dump()
        places_of = [p for p in numbers(document) if p[0] != "statistics"]
        for at in rng.sample(places_of, min(12, len(places_of))):
            whole = at[-1] in ("firing", "token", "tokens") or at[0] in ("repetitions", "unfolding")
            other = changed(document, at, partial(add, (round(step) or 2) if whole else step))
            try:
                result = DataflowResult.model_validate(other)
            except ValueError:
                continue
            told = codes(found._replace(result=result))
            assert told or harmless(found, at, other), (instance, at)
        if found.schedule is None:
            continue
        rows = [row._asdict() for row in found.schedule.rows]
        for name in ("residue", "modulus", "time", "every"):
            at_row = rng.randrange(len(rows))
            delta = step if name in ("time", "every") else round(step) or 2
            assert codes(with_row(found, at_row, **{name: rows[at_row][name] + delta}))
        for name in ("period", "instances_per_period"):
            value = getattr(found.schedule, name)
            delta = step if name == "period" else round(step) or 2
            if value + delta <= 0:
                continue
            schedule = dataclasses.replace(found.schedule, **{name: value + delta})
            assert codes(found._replace(schedule=schedule))


def harmless(found: Answer, at: tuple[Any, ...], other: Any) -> bool:
    """Tell whether another token, or firing, makes a circuit that holds as well."""
    unfolded = Unfolded(found.instance)
    if at[0] == "critical_circuit" and at[-1] in ("token", "firing"):
        steps, deadlock = other["critical_circuit"], False
    elif at[0] == "certificate" and at[-1] == "firing":
        steps, deadlock = other["certificate"]["circuit"], True
    else:
        return False
    shifts = [found.result.iterations or F(0)] if not deadlock else [F(-n) for n in range(5)]
    queues = {queue.name: queue for queue in unfolded.queues}

    def waits(last: Any, step: Any, shift: Fraction) -> bool:
        cycles, lengths = unfolded.cycles[step["actor"]], unfolded.lengths[step["actor"]]
        if step["channel"] is None:
            return bool(step["firing"] + shift * cycles * lengths == last["firing"] + 1)
        queue = queues[step["channel"]]
        moved = unfolded.cycles[queue.source] * sum(queue.made) * shift
        taken = span(queue.taken, step["firing"])
        made = {t + queue.tokens - moved for t in span(queue.made, last["firing"])}
        return bool(taken & made) if deadlock else step["token"] in taken & made

    return any(
        all(waits(steps[j - 1], step, F(0) if j else shift) for j, step in enumerate(steps))
        for shift in shifts
    )


def span(rates: Any, firing: int) -> set[Fraction]:
    turns, phase = divmod(firing, len(rates))
    first = turns * sum(rates) + sum(rates[:phase])
    return {F(first + i) for i in range(rates[phase])}


PHASED = graph({"a": [1, 2], "b": 3}, "a 2,1>2 b; b 2>2,1 a 6; x:a 1>1 a 2")
"""q = (2, 3): a takes 3 of 6 cycles of T = 9, b is busy all the time."""


def unfolding(**turns: int) -> Callable[[Answer], Answer]:
    return lambda given: with_result(given, unfolding=turns)


PLANTED: list[tuple[str, str, Callable[[Answer], Answer]]] = [
    ("wrong_method", f"{R}/method", lambda a: with_result(a, method="auto")),
    (
        "wrong_repetitions",
        f"{R}/repetitions",
        lambda a: with_result(a, repetitions={"a": 2}),
    ),
    (
        "wrong_repetitions",
        f"{R}/repetitions",
        lambda a: with_result(a, repetitions={"a": 2, "b": 2}),
    ),
    (
        "wrong_repetitions",
        f"{R}/repetitions",
        lambda a: with_result(a, repetitions={"a": 4, "b": 6}),
    ),
    (
        "wrong_certificate",
        f"{R}/certificate/type",
        lambda a: with_result(a, certificate=NoCertificate()),
    ),
    (
        "wrong_certificate",
        f"{R}/certificate/state",
        lambda a: with_result(
            a, certificate=a.result.certificate.model_copy(update={"state": {"a.compute": F(1)}})
        ),
    ),
    ("wrong_circuit", CIRCUIT, lambda a: with_result(a, critical_circuit=None)),
    ("wrong_circuit", CIRCUIT, lambda a: with_result(a, iterations=None)),
    ("wrong_iterations", f"{R}/iterations", lambda a: with_result(a, iterations=F(0))),
    ("wrong_iterations", f"{R}/iterations", lambda a: with_result(a, iterations=F(1, 2))),
    ("wrong_firing", f"{CIRCUIT}/0/firing", lambda a: with_result(a, iterations=F(2))),
    ("unknown_actor", f"{CIRCUIT}/0/actor", lambda a: with_step(a, 0, actor="c")),
    ("wrong_firing", f"{CIRCUIT}/0/firing", lambda a: with_step(a, 0, firing=-1)),
    ("wrong_firing", f"{CIRCUIT}/1/firing", lambda a: with_step(a, 1, firing=7)),
    ("wrong_time", f"{CIRCUIT}/0/time", lambda a: with_step(a, 0, time=F(4))),
    ("wrong_token", f"{CIRCUIT}/0/token", lambda a: with_step(a, 0, token=0)),
    ("wrong_channel", f"{CIRCUIT}/0/channel", lambda a: with_step(a, 0, channel="a--b", token=0)),
    ("wrong_channel", f"{CIRCUIT}/0/channel", lambda a: with_step(a, 0, channel="y", token=0)),
    ("no_order", f"{CIRCUIT}/1/channel", lambda a: with_step(a, 0, actor="a", time=F(1))),
    (
        "wrong_bound",
        f"{R}/bound",
        lambda a: with_result(a, bound=Bound.from_value(F(1, 8), exact=True)),
    ),
    (
        "wrong_bound",
        f"{R}/bound/exact",
        lambda a: with_result(
            a, outcome=Outcome.FEASIBLE, bound=Bound.from_value(F(1, 9), exact=False)
        ),
    ),
    ("wrong_parts", f"{R}/buffers", lambda a: with_result(a, buffers=None)),
    ("wrong_parts", f"{R}/unfolding", lambda a: with_result(a, unfolding=None)),
    ("wrong_parts", "schedule", lambda a: a._replace(schedule=None)),
    (
        "wrong_value",
        f"{R}/objective",
        lambda a: with_result(
            a, objective=a.result.objective.model_copy(update={"name": "makespan"})
        ),
    ),
    ("wrong_value", f"{R}/objective", lambda a: with_result(a, period=F(10))),
    ("wrong_value", f"{R}/objective", lambda a: with_result(a, period=F(0))),
    ("wrong_unfolding", f"{R}/unfolding", unfolding(a=2)),
    ("wrong_unfolding", f"{R}/unfolding", unfolding(a=2, b=0)),
    ("wrong_rows", "schedule/rows", unfolding(a=2, b=6)),
    (
        "wrong_period",
        "schedule/instances_per_period",
        lambda a: a._replace(
            schedule=dataclasses.replace(a.schedule, instances_per_period=2, period=F(18))
        ),
    ),
    (
        "wrong_period",
        "schedule/period",
        lambda a: a._replace(schedule=dataclasses.replace(a.schedule, period=F(10))),
    ),
    (
        "wrong_ports",
        "schedule/ports",
        lambda a: a._replace(schedule=dataclasses.replace(a.schedule, ports="one_port")),
    ),
    ("wrong_rows", "schedule/rows/0", lambda a: with_row(a, 0, operation=Firing("a", 2))),
    ("wrong_rows", "schedule/rows/2", lambda a: with_row(a, 2, residue=0)),
    ("wrong_time", "schedule/rows/1/time", lambda a: with_row(a, 1, time=F(1))),
    ("wrong_every", "schedule/rows/1/every", lambda a: with_row(a, 1, every=F(8))),
    ("negative_start", "schedule/rows/0/start", lambda a: with_row(a, 0, start=F(-1))),
    ("overlap", "schedule/rows/0", lambda a: with_row(a, 0, start=F(1))),
    ("too_early", "schedule/rows/4", lambda a: with_row(a, 4, start=F(0))),
    (
        "wrong_buffers",
        f"{R}/buffers/0",
        lambda a: with_result(a, buffers=(a.result.buffers or [])[::-1]),
    ),
    (
        "wrong_buffers",
        f"{R}/buffers/2",
        lambda a: with_result(a, buffers=(a.result.buffers or [])[:-1]),
    ),
    (
        "wrong_buffers",
        f"{R}/buffers/3",
        lambda a: with_result(a, buffers=[*(a.result.buffers or []), a.result.buffers[0]]),
    ),
]


@pytest.mark.parametrize(("code", "place", "plant"), PLANTED)
def test_planted_faults_are_found(code: str, place: str, plant: Callable[[Answer], Answer]) -> None:
    right = built(PHASED)
    assert not codes(right)
    assert (code, place) in codes(plant(right))


def test_many_tokens_cost_no_more_than_few() -> None:
    """An iteration of 10^15 tokens, and of as many firings, is judged by its rows."""
    big = 10**14
    instance = graph({"a": 3, "b": 1}, f"a {big}>1 b; b 1>{big} a {2 * big}", concurrency="auto")
    assert not faults(instance)
    step = CircuitStep(actor="a", firing=2, channel="b--a", token=2 * big, time=F(3))
    other = CircuitStep(actor="b", firing=0, channel="a--b", token=0, time=F(1))
    small = built(graph({"a": 3, "b": 1}, "a 1>1 b; b 1>1 a 2", concurrency="auto"))
    assert small.schedule is not None
    row_a, row_b = small.schedule.rows[0], small.schedule.rows[-1]
    period = F(2)
    rows = (
        row_a._replace(start=F(0), every=period, modulus=1, residue=0),
        row_b._replace(start=F(3), every=period / big, modulus=1, residue=0),
    )
    result = small.result.model_copy(
        update={
            "outcome": Outcome.FEASIBLE,
            "objective": Objective.throughput(1 / period),
            "bound": Bound.from_value(F(1, 2), exact=True),
            "gap": relative_gap(1 / period, F(1, 2)),
            "period": period,
            "repetitions": {"a": 1, "b": big},
            "unfolding": {"a": 1, "b": 1},
            "critical_circuit": [other, step],
            "iterations": F(2),
        }
    )
    schedule = Timetable(None, period, 1, rows)
    told = codes(Answer(instance, small.options, result, schedule))
    # b spreads its firings over the period, so the last tokens come too late for a.
    assert ("too_early", "schedule/rows/0") in told
    spread = rows[0]._replace(every=F(4)), rows[1]._replace(every=F(4) / big)
    slower = result.model_copy(
        update={
            "objective": Objective.throughput(F(1, 4)),
            "gap": F(1, 2),
            "period": F(4),
            "tokens_waiting": None,
            "buffers": [
                b.model_copy(update={"tokens": n})
                for b, n in zip(result.buffers or (), (7 * big // 4 - 1, 2 * big), strict=True)
            ],
        }
    )
    told = codes(Answer(instance, small.options, slower, Timetable(None, F(4), 1, spread)))
    assert told == [], told


def test_who_had_no_time_says_so() -> None:
    assert not codes(unknown(two()))
    claimed = with_result(unknown(two()), period=F(5))
    assert codes(claimed) == [("wrong_parts", f"{R}/period")]
