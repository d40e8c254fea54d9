"""Uniform and periodic rounds against their equations, a simulator and the best of all programs."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import count
from random import Random

import pytest

from steadygrid.domain.errors import OutOfTime
from steadygrid.kinds.divisible_star.solver.rounds.periodic import (
    best_periods,
    guaranteed,
    plan_of_periods,
)
from steadygrid.kinds.divisible_star.solver.rounds.umr import uniform_plan
from steadygrid.kinds.divisible_star.solver.star.makespan import makespan_of
from steadygrid.kinds.divisible_star.solver.star.star import Costs, Star
from steadygrid.kinds.divisible_star.solver.star.steady import steady_state
from tests.draws import draws
from tests.kinds.divisible_star.rounds.rounds import (
    best_program,
    least_makespan,
    random_star,
    simulated,
)

F = Fraction


def _star(*workers: Costs, own: Costs | None = None) -> Star:
    return Star("M", own, [f"P{i + 1}" for i in range(len(workers))], workers, two_ports=False)


def test_nothing_beats_the_steady_state_and_no_guarantee_is_broken() -> None:
    """Not the best of all sets of messages; and no rounds of ours beat those."""
    for seed in range(draws(25, 400)):
        random = Random(seed)
        workers = random.choice([1, 2, 2, 3])
        rounds = 2 if workers == 3 else random.choice([2, 3])
        star = random_star(random, workers, latencies=random.random() < 0.7)
        best, periods = best_program(star, rounds), best_periods(star, rounds)
        assert periods is not None
        uniform = uniform_plan(star, rounds)
        values = simulated(star, uniform), simulated(star, plan_of_periods(star, periods))
        assert values[0] == makespan_of(star, uniform)
        assert steady_state(star).bound <= best <= min(values)
        assert values[1] <= periods.makespan <= guaranteed(star, rounds)


def test_prices_of_the_steady_state_prove_it() -> None:
    """They sum to 1, and no fraction of the load costs less at any place."""
    for seed in range(draws(100, 2000)):
        star = random_star(Random(seed), Random(seed).randint(1, 6))
        steady = steady_state(star)
        prices = dict(steady.prices)
        port = prices.pop("M.port", F(0))
        costs = [one.wire * port for one in star.workers]
        for i, one in enumerate(star.workers):
            costs[i] += one.work * prices.pop(f"P{i + 1}.compute", F(0))
        at_home = prices.pop("M.compute", F(0))
        if star.own is not None:
            costs.append(star.own.work * at_home)
        assert not prices
        assert sum(steady.prices.values()) == 1
        assert min(costs) == steady.bound


def test_rounds_last_equally_long() -> None:
    """(14): on all workers, and as long as the next ones take to send; then all end together."""
    found = 0
    for seed in range(draws(100, 2000)):
        star = random_star(Random(seed), 3, own=False)
        plan = uniform_plan(star, 6)
        last = plan.messages[-1].round
        rounds = [[m for m in plan.messages if m.round == n] for n in range(1, last + 1)]
        lengths: list[Fraction] = []
        for row in rounds[:-1]:
            times = {
                star.workers[m.worker].work_latency + star.workers[m.worker].work * m.share
                for m in row
            }
            assert len(times) == 1
            lengths += times
        sent = [
            sum(
                star.workers[m.worker].wire_latency + star.workers[m.worker].wire * m.share
                for m in row
            )
            for row in rounds
        ]
        assert lengths[: last - 2] == sent[1:-1]
        found += last > 2
    assert found > 5


def test_equal_workers_end_at_the_predicted_makespan() -> None:
    """(15), where all messages are in time."""
    star = _star(*[Costs(F(1), F(12), wire_latency=F(1, 100), work_latency=F(1, 50))] * 4)
    plan = uniform_plan(star, 10)
    rounds, first = plan.messages[-1].round, plan.messages[0].share
    assert rounds > 1
    assert makespan_of(star, plan) == F(12, 4) + rounds * F(1, 50) + F(5, 2) * (F(1, 100) + first)


def test_uniform_rounds_are_the_best_of_their_kind() -> None:
    """No other number of rounds or workers, solved anew, is better before shares move."""
    for seed in range(draws(30, 1000)):
        star = random_star(Random(seed), 3, own=False)
        value = makespan_of(star, uniform_plan(star, 5))
        for workers in range(1, 4):
            for rounds in range(1, 6):
                other = _uniform(star.workers[:workers], rounds)
                assert other is None or value <= other


def _uniform(workers: Sequence[Costs], rounds: int) -> Fraction | None:
    """Solve (14) by two guesses of the first round, and give the makespan of its shares."""

    def table(first: Fraction) -> list[list[Fraction]]:
        length, rows = first, []
        for _ in range(rounds):
            rows.append([(length - one.work_latency) / one.work for one in workers])
            # The next round takes as long to send: the sum of C + c (tau - W) / w is this length.
            slope = sum(one.wire / one.work for one in workers)
            fixed = sum(
                one.wire_latency - one.wire * one.work_latency / one.work for one in workers
            )
            length = (length - fixed) / slope
        return rows

    low, high = (sum(map(sum, table(F(guess)))) for guess in (0, 1))
    rows = table(F((1 - low) / (high - low)))
    if any(share < 0 for row in rows for share in row):
        return None
    free, done = F(0), [F(0)] * len(workers)
    for row in rows:
        for i, (one, share) in enumerate(zip(workers, row, strict=True)):
            if share:
                free += one.wire_latency + one.wire * share
                done[i] = max(done[i], free) + one.work_latency + one.work * share
    return max(done)


def test_periods_are_as_short_as_they_can_be() -> None:
    """Of every number of periods and workers, filled anew, none shorter holds the load."""
    for seed in range(draws(40, 1000)):
        star = random_star(Random(seed), 3)
        best = best_periods(star, 6)
        assert best is not None
        assert _held(star, best.members, best.count, best.length) >= 1
        for members in range(1, 4):
            for periods in range(1, 7):
                shorter = best.makespan / (periods + 1) * F(10**9 - 1, 10**9)
                assert _held(star, members, periods, shorter) < 1


def _held(star: Star, members: int, periods: int, length: Fraction) -> Fraction:
    """Give the load that periods can hold: a knapsack of port time, cheapest wires first."""
    workers = star.workers[:members]
    port = length - sum(one.wire_latency for one in workers)
    rooms = [(length - one.work_latency) / one.work for one in workers]
    if port < 0 or min(rooms) < 0:
        return F(0)
    load = F(0)
    for one, room in zip(workers, rooms, strict=True):
        share = min(room, port / one.wire)
        port -= share * one.wire
        load += periods * share
    if star.own is not None:
        load += max(F(0), ((periods + 1) * length - star.own.work_latency) / star.own.work)
    return load


def test_published_recurrence_of_equal_workers() -> None:
    """(13), from the last message to the first, gives the optimum where no share is below 0."""
    equal = 0
    for seed in range(draws(40, 1000)):
        random = Random(seed)
        workers, rounds = random.randint(1, 3), random.randint(1, 3)
        c, w = F(random.randint(1, 4), 4), F(random.randint(2, 9))
        wire, work = F(random.randint(0, 2), 20), F(random.randint(0, 2), 20)
        star = _star(*[Costs(c, w, wire_latency=wire, work_latency=work)] * workers)
        shares = _recurrence(c, w, wire, work, workers, workers * rounds)
        if min(shares) < 0:
            continue
        equal += 1
        senders = [i for _ in range(rounds) for i in range(workers)]
        free, done = F(0), [F(0)] * workers
        for i, share in zip(senders, shares, strict=True):
            free += wire + c * share
            done[i] = max(done[i], free) + work + w * share
        assert max(done) == least_makespan(star, senders, own=False)
    assert equal > 10


def _recurrence(
    c: Fraction, w: Fraction, wire: Fraction, work: Fraction, workers: int, messages: int
) -> list[Fraction]:
    """Solve (13) by two guesses of the last computing time."""

    def times(last: Fraction) -> list[Fraction]:
        found = [last]
        for j in range(1, messages):
            recent = sum(found[max(0, j - workers) :], F(0))
            found.append(
                c / w * recent + (workers * wire - work if j >= workers else j * wire + last)
            )
        return found

    low, high = (sum(times(F(guess))) for guess in (0, 1))
    return [time / w for time in reversed(times((w - low) / (high - low)))]


@pytest.mark.parametrize("own", [None, Costs(F(0), F(3))])
def test_who_needs_no_time(own: Costs | None) -> None:
    """With no data, no work or neither, all plans keep their bounds, in rounds or not."""
    for wire, work in ((F(0), F(2)), (F(2), F(0)), (F(0), F(0))):
        star = _star(
            Costs(wire, work, wire_latency=F(1)), Costs(wire, work, work_latency=F(2)), own=own
        )
        steady = steady_state(star)
        periods = best_periods(star, 4)
        assert periods is not None
        for plan in (uniform_plan(star, 4), plan_of_periods(star, periods)):
            assert steady.bound <= simulated(star, plan)
        assert simulated(star, plan) <= periods.makespan <= guaranteed(star, 4)


def test_long_numbers_are_rounded() -> None:
    """Exact shares of a hundred rounds have thousands of digits; the plan has fewer than 40."""
    star = _star(
        *[Costs(F(10**9 + i, 10**9 + 7 * i + 1), F(9 + i), F(0), F(1, 10**4)) for i in range(6)]
    )
    plan = uniform_plan(star, 100)
    assert sum(message.share for message in plan.messages) == 1
    assert max(len(str(message.share)) for message in plan.messages) < 40
    assert makespan_of(star, plan) < F(101, 100) * steady_state(star).bound + F(1)


def test_the_best_so_far_when_time_is_over() -> None:
    """The first plan tried is the one predicted to be best; before that there is none."""
    star = random_star(Random(1), 3, own=False)
    calls = count()

    def late_then() -> None:
        if next(calls):
            raise OutOfTime

    def late() -> None:
        raise OutOfTime

    assert makespan_of(star, uniform_plan(star, 9, late_then)) >= steady_state(star).bound
    with pytest.raises(OutOfTime):
        uniform_plan(star, 9, late)
