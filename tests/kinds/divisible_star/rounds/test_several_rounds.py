"""Several rounds through the whole pipeline, against all sets of messages, and out of time."""

from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from steadygrid.domain.errors import InvalidScheduleError, OutOfTime, SolverError
from steadygrid.domain.limits import Limits
from steadygrid.engine.solving.control import Control
from steadygrid.kinds.divisible_star.solver.rounds import shares
from steadygrid.kinds.divisible_star.solver.rounds.answer import BY_LINK_TIME, ROUNDED
from steadygrid.kinds.divisible_star.solver.rounds.shares import (
    FAILED,
    INTERRUPTED,
    TOO_FAINT,
    Found,
    search_rounds,
    solve_linear,
)
from steadygrid.kinds.divisible_star.solver.star.star import ZERO, Costs, Star
from steadygrid.submissions.submission import parse_submission, schedule_limits
from tests.draws import draws
from tests.kinds.divisible_star.bodies import result_of, star
from tests.kinds.divisible_star.rounds.rounds import best_program, random_star, simulated
from tests.solved import solve

LIMITS = schedule_limits(Limits())

F = Fraction


def body(read: Star, **problem: Any) -> dict[str, Any]:
    """Write the instance of a star, in the order that it has."""
    own = None if read.own is None else read.own.work
    document = star(
        [one.wire for one in read.workers],
        [one.work for one in read.workers],
        **{"own": own} | problem,
    )
    platform = document["problem"]["platform"]
    for link, processor, one in zip(
        platform["links"], platform["processors"][1:], read.workers, strict=True
    ):
        link["latency"] = str(one.wire_latency)
        processor["latency"] = str(one.work_latency)
    if read.own is not None:
        platform["processors"][0]["latency"] = str(read.own.work_latency)
    return document


def best(read: Star, number: int) -> Found:
    """Find the best shares as the pipeline does."""
    control = Control(60)
    if read.has_latencies:
        return search_rounds(read, number, F(0), control)
    return solve_linear(read, number, control)


def test_the_messages_chosen_are_the_best() -> None:
    """Compared with an exact program for every set of messages."""
    for seed in range(draws(4, 400)):
        random = Random(seed)
        workers = random.choice([1, 2, 2, 3])
        number = 2 if workers == 3 else random.choice([2, 3])
        read = random_star(random, workers)
        found = best(read, number)
        assert simulated(read, found.plan) == found.makespan
        assert found.makespan == best_program(read, number) == found.bound


@pytest.mark.parametrize(
    ("order", "value"),
    [(["P1", "P2"], F(57, 7)), (["P2", "P1"], F(301, 37)), (None, F(57, 7))],
)
def test_another_order_may_be_better(order: list[str] | None, value: Fraction) -> None:
    """The second is 8.135, the first, by link time, 8.143; none is asked for in the third."""
    document = star([2, 3], [5, 5], rounds=2, order=order)
    platform = document["problem"]["platform"]
    platform["links"][0]["latency"], platform["links"][1]["latency"] = 2, 1
    platform["processors"][2]["latency"] = 4
    result = result_of(document)
    assert result.makespan == value
    if order is None:
        assert (result.outcome, result.order_proof) == ("feasible", "none")
        assert BY_LINK_TIME in result.notes
    else:
        assert (result.outcome, result.order_proof) == ("optimal", "given")
        assert (result.certificate.type, result.proof) == ("search", "search")


@pytest.mark.parametrize("latencies", [False, True])
@pytest.mark.parametrize("workers", [1, 2])
def test_workers_that_are_alike_have_only_one_order(workers: int, latencies: bool) -> None:
    """What is the best at that order is optimal, with or without a source that says so."""
    for seed in range(draws(5, 200)):
        one = random_star(Random(seed), 1, latencies=latencies)
        names = [f"P{i + 1}" for i in range(workers)]
        read = replace(one, names=names, workers=[*one.workers] * workers)
        document = body(read, rounds=2)
        result, given = result_of(document), result_of(document, order=names)
        assert (result.outcome, result.makespan) == ("optimal", best_program(read, 2))
        assert (result.order_proof, given.order_proof) == ("bound", "given")
        assert (result.bound, result.bound_source) == (given.bound, given.bound_source)
        assert BY_LINK_TIME not in result.notes


def test_the_referee_tells_orders_apart() -> None:
    """What prices prove of one order is worth nothing where there is another."""
    document = star([4, 5], [4, 4], rounds=2)
    priced = solve({"problem": document["problem"] | {"order": ["P1", "P2"]}})
    claimed = priced.result.model_copy(update={"order_proof": "bound"})
    asked = parse_submission(document, Limits())
    with pytest.raises(InvalidScheduleError) as refused:
        asked.problem.validate(asked.instance, asked.options, claimed, priced.schedule, LIMITS)
    codes = {fault.code for fault in refused.value.faults}
    assert codes == {"wrong_bound_source", "prices_of_one_order"}
    alike = star([4, 4], [4, 4], rounds=2)
    solved = solve(alike)
    asked = parse_submission(alike, Limits())
    for reason in ("none", "given", "theorem", "search"):
        claimed = solved.result.model_copy(update={"order_proof": reason})
        with pytest.raises(InvalidScheduleError, match="stands by 'bound'"):
            asked.problem.validate(asked.instance, asked.options, claimed, solved.schedule, LIMITS)


@pytest.mark.parametrize("asks", [{"rounds": 2}, {"method": "umr"}])
def test_where_the_bound_for_any_rounds_is_reached_no_order_is_better(asks: dict[str, Any]) -> None:
    """Without data all compute all the time."""
    result = result_of(star([1, 1], [1, 2], data=0), **asks)
    assert (result.outcome, result.bound_source) == ("optimal", "any_rounds")
    assert result.order_proof == "bound"


def test_answers_of_all_methods_are_verified() -> None:
    """Their values stand in the order in which they must."""
    for seed in range(draws(3, 300)):
        random = Random(seed)
        read = random_star(random, random.randint(1, 4), latencies=random.random() < 0.7)
        document = body(read, max_rounds=random.randint(1, 6))
        for problem in (
            {"rounds": 3},
            {"rounds": 2, "order": [*read.names][::-1]},
            {"method": "umr"},
            {"method": "umr", "order": [*read.names][::-1]},
            {"method": "periodic"},
        ):
            result = result_of(document, **problem)
            assert result.makespan is not None
            assert result.bound is not None
            assert result.any_rounds_bound is not None
            assert result.any_rounds_bound <= result.bound.value <= result.makespan
            if problem.get("method") == "periodic":
                assert result.guarantee is not None
                assert result.makespan <= result.guarantee.bound


@pytest.mark.parametrize("given", [True, False])
@pytest.mark.parametrize("method", [{"rounds": 3}, {"method": "umr"}, {"method": "periodic"}])
@pytest.mark.parametrize("latencies", [True, False])
def test_there_is_an_answer_when_the_time_is_over(
    method: dict[str, Any], latencies: bool, given: bool
) -> None:
    read = random_star(Random(3), 3, latencies=latencies, own=False)
    document = body(read, **method, order=[*read.names] if given else None)
    late = solve(document, seconds=1e-9).result
    usual = result_of(document)
    assert INTERRUPTED in late.notes
    assert usual.makespan is not None
    assert late.bound.value <= min(usual.makespan, late.makespan)


@pytest.mark.parametrize(("error", "note"), [(OutOfTime, INTERRUPTED), (SolverError, FAILED)])
def test_a_search_that_comes_to_nothing(
    monkeypatch: pytest.MonkeyPatch, error: type[Exception], note: str
) -> None:
    """Uniform rounds are the answer then, and the bound is that of any number of messages."""

    def failing(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(shares, "search_mixed_integer", failing)
    read = random_star(Random(3), 3, own=False)
    result = result_of(body(read, rounds=2, order=[*read.names]))
    assert note in result.notes
    assert (result.outcome, result.bound_source) == ("feasible", "any_rounds")


def test_a_gap_may_be_left() -> None:
    """What the search then calls its end is no proof."""
    document = body(random_star(Random(3), 3, own=False), rounds=3)
    document["problem"]["order"] = ["P1", "P2", "P3"]
    result = solve(document, mip_gap="1/2").result
    assert result.outcome == "feasible"
    assert INTERRUPTED not in result.notes
    assert FAILED not in result.notes


@pytest.mark.parametrize("asked", [{"rounds": 2}, {"method": "umr"}, {"method": "periodic"}])
@pytest.mark.parametrize(
    "document",
    [
        star([], [], own=2),
        star([1, 1], [None, None], own=2),
        star([1, 1], [None, 3]),
        star([1, 2], [1, 3], data=0),
        star([1, 2], [1, 3], work=0),
        star([1, 2], [1, 3], own=1, data=0, work=0),
        star([1, 2], [1, 3], own=1, work=0),
        star([1, 2], [1, 3], own=1, order=[]),
        body(random_star(Random(3), 3), data=0, work=0, own=1, order=["P2", "P1"]),
    ],
)
def test_stars_with_little_to_decide(document: dict[str, Any], asked: dict[str, Any]) -> None:
    """No worker, no worker that computes, nothing to send or nothing to compute has an answer."""
    result = result_of(document, **asked)
    once = result_of(document).makespan
    assert result.makespan is not None
    assert once is not None
    if result.guarantee is None:
        assert result.makespan <= once
    else:
        assert result.makespan <= result.guarantee.bound


@pytest.mark.parametrize("held", [True, False])
def test_what_the_solver_held_is_rounded(monkeypatch: pytest.MonkeyPatch, held: bool) -> None:
    """Any shares are a plan, and any prices prove something; without shares there is another."""
    document = star([1, 2], [4, 3], own=9, order=["P1", "P2"], rounds=2)
    optimum = result_of(document)
    assert optimum.makespan is not None
    messages = [f"P{i}.message{number}" for number in (1, 2) for i in (1, 2)]
    fractions = {f"{one.processor}.message{one.round}": one.fraction for one in optimum.shares}

    def interrupted(*_: object, **__: object) -> None:
        interruption = OutOfTime()
        prices = optimum.certificate.prices
        interruption.duals = {
            ("done", s): float(prices.get(name, 0)) for s, name in enumerate(messages)
        } | {("at_home", None): float(prices["M.compute"])}
        if held:
            interruption.values = {
                ("share", s): float(fractions[name]) for s, name in enumerate(messages)
            } | {("own", None): float(fractions["M.message1"])}
        raise interruption

    monkeypatch.setattr(shares, "solve_messages", interrupted)
    result = result_of(document)
    assert result.bound is not None
    assert result.makespan is not None
    assert result.outcome == "feasible"
    assert result.bound.value < optimum.makespan < result.makespan
    if held:
        assert result.makespan - result.bound.value < F(1, 10**14)
        assert ROUNDED in result.notes
    assert result.bound_source == ("program" if held else "any_rounds")


def test_long_answers_are_rounded() -> None:
    """Exact shares of odd costs in many rounds have thousands of digits."""
    wires = [F(10**12 + i, 10**13 + 7 * i + 1) for i in range(6)]
    works = [F(10**12 + 3 * i, 10**12 - 1 - i) for i in range(6)]
    names = [f"P{i}" for i in range(1, 7)]
    result = result_of(star(wires, works, order=names, rounds=16))
    assert result.outcome == "feasible"
    assert result.gap is not None
    assert 0 < result.gap < F(1, 10**50)
    assert result.bound is not None
    assert (result.bound_source, result.bound.exact) == ("program", True)
    assert max(len(str(share.fraction)) for share in result.shares) < 200


def test_a_worker_that_needs_no_time_for_any_share() -> None:
    """The steady state has no bound then; half of the best single round has."""
    document = star([1], [1], data=0, work=0, method="umr")
    document["problem"]["platform"]["links"][0]["latency"] = 3
    result = result_of(document)
    assert (result.makespan, result.any_rounds_bound) == (3, 0)
    assert result.guarantee is not None
    assert (result.bound_source, result.guarantee.of) == ("theorem", "single_round")
    assert F(3, 2) * (1 - F(1, 10**15)) < result.guarantee.bound <= F(3, 2)


@pytest.mark.parametrize(
    ("workers", "own", "least"),
    [
        # Three messages and the master halve what one message and the master alone take.
        ([Costs(F(10**30), F(1), ZERO, F(1, 2), F(1, 2))], Costs(ZERO, F(10**30)), F(10**30, 2)),
        (
            [
                Costs(F(1), F(2), ZERO, F(1, 10**30), F(1, 10**30)),
                Costs(F(10**9), F(2), ZERO, F(1, 10**30), F(1, 10**30)),
            ],
            None,
            F(2),
        ),
    ],
)
def test_latencies_that_no_float_can_see_prove_nothing(
    workers: list[Costs], own: Costs | None, least: Fraction
) -> None:
    names = [f"P{i}" for i in range(1, len(workers) + 1)]
    read = Star("M", own, names, workers, two_ports=False)
    result = result_of(body(read, rounds=2, order=names))
    assert result.outcome == "feasible"
    assert result.bound is not None
    assert result.bound.exact
    assert TOO_FAINT in result.notes
    assert result.makespan is not None
    assert result.makespan < least * (1 + F(1, 2))
