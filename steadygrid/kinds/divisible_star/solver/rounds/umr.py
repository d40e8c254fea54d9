r"""Uniform multi-round: every round lasts equally long on all workers.

Of n workers in M rounds, round j computing for :math:`\tau_j` while the next one is sent,

.. math::
   W_i + w_i a_{i,j} = \tau_j, \quad \sum_i (C_i + c_i a_{i,j+1}) = \tau_j \tag{14}

so that, with :math:`A = \sum c_i / w_i`, :math:`A \tau_{j+1} = \tau_j + g`,
:math:`g = \sum c_i W_i / w_i - \sum C_i`. The shares sum to the load L that the master leaves, and
:math:`\sum_j \tau_j = (L + M \sum W_i / w_i) / \sum 1 / w_i` gives the round from which the others
fall, the last where A < 1, else the first. In the last round shares move so that all are done
together: at the mean of their ends, with weights :math:`1 / w_i`. Before that mean no worker's
rounds can be over, even if others wait. It is the makespan where no message is late. Of equal
workers it is

.. math:: \frac{w}{n} + M W + \frac{n + 1}{2} (C + c a_0) \tag{15}

The workers are the first by nondecreasing c; how many, and in how many rounds, is tried in floats,
the best by (15) and its like first, and the best of all is built exactly.

Source: Gallet, *Steady-State Scheduling of Task Graphs onto Heterogeneous Platforms*, 2009, section
1.2.4: (1.23) for equal workers, where (15) has n/2; after Yang and Casanova, *UMR: a multi-round
algorithm for scheduling divisible workloads*, IPDPS 2003.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from math import inf
from typing import NamedTuple

from steadygrid.domain.errors import OutOfTime
from steadygrid.domain.rounding import num_bits
from steadygrid.engine.exact.parts import rounded_parts
from steadygrid.engine.exact.safe_rounding import too_long
from steadygrid.kinds.divisible_star.solver.star.makespan import (
    Number,
    Times,
    last_end,
    makespan_of,
    one_round,
    times_of,
)
from steadygrid.kinds.divisible_star.solver.star.star import Message, Plan, Star
from steadygrid.kinds.divisible_star.solver.star.steady import by_wire
from steadygrid.kinds.divisible_star.solver.tree.closed_form import LONGEST_BITS

LEAST = 5e-324
"""Of the positive floats."""


def uniform_plan(star: Star, max_rounds: int, check: Callable[[], None] = lambda: None) -> Plan:
    """Find the best uniform plan of at most so many rounds, one round among them.

    Parameters
    ----------
    check
        Called often. Where it says that the time is over, the best so far is given.

    Notes
    -----
    Shares whose exact numbers are long are rounded.
    """
    once = one_round(star)
    unit = makespan_of(star, once)
    if not unit:
        return once
    ranked = [i for i in by_wire(star) if star.workers[i].work]
    teams = [_team(star, sorted(ranked[:n]), unit) for n in range(1, len(ranked) + 1)]
    for round_plan in sorted(_tried(teams, max_rounds, check)):
        team = teams[round_plan.team]
        if (
            plan := _exact(star, sorted(ranked[: round_plan.team + 1]), round_plan, team)
        ) is not None:
            return min(once, plan, key=lambda one: makespan_of(star, one))
    return once


class _RoundPlan(NamedTuple):
    """What is sent in which rounds, and how long it takes in floats."""

    makespan: float
    rounds: int
    team: int
    balanced: bool
    timing: "_Timing"


def _tried(
    teams: Sequence["_Team"], max_rounds: int, check: Callable[[], None]
) -> list[_RoundPlan]:
    ahead = sorted(
        (float(timing.makespan), timing.rounds, n, timing)
        for n, team in enumerate(teams)
        for timing in _timings(team, max_rounds)
        if 0 <= timing.makespan < inf
    )
    found: list[_RoundPlan] = []
    best = inf
    for least, _, n, timing in ahead:
        if least >= best:
            break
        try:
            check()
        except OutOfTime:
            if found:
                break
            raise
        for balanced in (True, False):
            shares = _shares(teams[n], timing, balanced=balanced)
            if shares is not None:
                end = float(_end(teams[n], shares))
                found.append(_RoundPlan(end, timing.rounds, n, balanced, timing))
                best = min(best, found[-1].makespan)
    return found


@dataclass(frozen=True)
class _Team:
    """Workers in the order in which they are sent to, and the master, in some unit of time.

    Attributes
    ----------
    own
        W and w of the master.
    """

    own: tuple[Number, Number] | None
    workers: Sequence[Times]

    @property
    def rate(self) -> Number:
        """The sum of 1/w."""
        return sum(1 / one.work for one in self.workers)

    @property
    def factor(self) -> Number:
        """A: by how much rounds get shorter."""
        return sum(one.wire / one.work for one in self.workers)

    @property
    def gain(self) -> Number:
        """What latencies make of that, g."""
        return sum(one.wire * one.pause / one.work - one.wait for one in self.workers)

    @property
    def paused(self) -> Number:
        """The sum of W/w."""
        return sum(one.pause / one.work for one in self.workers)


def _team(star: Star, members: Sequence[int], unit: Fraction, *, exact: bool = False) -> _Team:
    def of(time: Number) -> Number:
        scaled = Fraction(time) / unit
        return scaled if exact else _double(scaled)

    workers = [Times(*map(of, times_of(star.workers[i]))) for i in members]
    own = star.own
    return _Team(None if own is None else (of(own.work_latency), of(own.work)), workers)


def _double(value: Fraction) -> float:
    try:
        return max(value.numerator / value.denominator, LEAST) if value else 0.0
    except OverflowError:
        return inf


class _Timing(NamedTuple):
    """How long rounds last.

    Attributes
    ----------
    away
        L.
    first, step, change
        Of the round from which the others fall, and of each from the one before it: the step
        times it, and the change.
    forwards
        Whether that round is the first one, else the last.
    makespan
        Where no message is late.
    """

    rounds: int
    away: Number
    first: Number
    step: Number
    change: Number
    forwards: bool
    makespan: Number


def _timings(team: _Team, max_rounds: int) -> Iterator[_Timing]:
    """Solve (14) for 1, 2, ... rounds. Where the master's part leaves something."""
    rate, factor, gain, paused = team.rate, team.factor, team.gain, team.paused
    forwards = factor > 1
    if not 0 < rate < inf:
        return
    step = 1 / factor if forwards else factor
    change = gain / factor if forwards else -gain
    # Weighted mean of the first arrivals, as a function of the first round.
    fixed = list(accumulate(one.wait - one.wire * one.pause / one.work for one in team.workers))
    grows = list(accumulate(one.wire / one.work for one in team.workers))
    mean = sum(at / one.work for at, one in zip(fixed, team.workers, strict=True)) / rate
    slope = sum(at / one.work for at, one in zip(grows, team.workers, strict=True)) / rate
    power: Number = 1  # step ** (rounds - 1)
    before: Number = 0  # 1 + step + ... + step ** (rounds - 2)
    changes: Number = 0  # the sum of all these so far
    for rounds in range(1, max_rounds + 1):
        total = before + power
        # Of no load, and what a whole one adds.
        base = (rounds * paused / rate - change * changes) / total
        gained = 1 / (rate * total)
        first, firsts = (
            (base, gained) if forwards else (base * power + change * before, gained * power)
        )
        least = rounds * paused / rate + mean + slope * first
        each = 1 / rate + slope * firsts
        away = _load_sent(team, least, each)
        if away > 0:
            yield _Timing(
                rounds, away, base + gained * away, step, change, forwards, least + each * away
            )
        power, before, changes = power * step, total, changes + total


def _load_sent(team: _Team, least: Number, each: Number) -> Number:
    """Give the load with which the workers end with the master; at most all of it."""
    if team.own is None:
        return 1
    start, work = team.own
    return min(1, (start + work - least) / (work + each))


class _Shares(NamedTuple):
    own: Number
    rounds: Sequence[Sequence[Number]]


def _shares(team: _Team, timing: _Timing, *, balanced: bool) -> _Shares | None:
    """Give the shares of rounds. None where some are below 0."""
    if balanced and timing.rounds == 1:
        return None
    lengths = [timing.first]
    for _ in range(timing.rounds - 1):
        lengths.append(timing.step * lengths[-1] + timing.change)
    # Lengths are monotone, so that the first or the last is the shortest.
    if not min(lengths[0], lengths[-1]) >= max(one.pause for one in team.workers):
        return None
    if not timing.forwards:
        lengths.reverse()
    table = [[(length - one.pause) / one.work for one in team.workers] for length in lengths]
    if balanced:
        arrived = accumulate(
            one.wait + one.wire * share for one, share in zip(team.workers, table[0], strict=True)
        )
        left = timing.makespan - sum(lengths[:-1])
        table[-1] = [
            (left - at - one.pause) / one.work
            for one, at in zip(team.workers, arrived, strict=True)
        ]
    if not all(share >= 0 for share in table[-1]):
        return None
    return _Shares(1 - timing.away, table)


def _end(team: _Team, shares: _Shares) -> Number:
    sent = ((i, share) for row in shares.rounds for i, share in enumerate(row) if share)
    end = last_end(team.workers, sent)
    if team.own is None or not shares.own:
        return end
    return max(end, team.own[0] + team.own[1] * shares.own)


def _exact(star: Star, members: Sequence[int], round_plan: _RoundPlan, near: _Team) -> Plan | None:
    """Build what was tried in floats. None where a share is below 0 after all."""
    team = _team(star, members, Fraction(1), exact=True)
    if num_bits(Fraction(team.factor)) * round_plan.rounds <= LONGEST_BITS:
        timing = next(
            (one for one in _timings(team, round_plan.rounds) if one.rounds == round_plan.rounds),
            None,
        )
        shares = None if timing is None else _shares(team, timing, balanced=round_plan.balanced)
        if shares is None:
            return None
        parts = {
            (number, i): Fraction(share)
            for number, row in enumerate(shares.rounds, 1)
            for i, share in zip(members, row, strict=True)
            if share
        }
        plan = _plan(Fraction(shares.own), parts)
        if not too_long([*parts.values(), makespan_of(star, plan)], LONGEST_BITS):
            return plan
    shares = _shares(near, round_plan.timing, balanced=round_plan.balanced)
    assert shares is not None, "they were there before"
    rounded = rounded_parts(
        {(0, -1): shares.own}
        | {
            (number, i): share
            for number, row in enumerate(shares.rounds, 1)
            for i, share in zip(members, row, strict=True)
        }
    )
    return _plan(rounded.pop((0, -1), Fraction(0)), rounded)


def _plan(own: Fraction, parts: dict[tuple[int, int], Fraction]) -> Plan:
    return Plan(own, [Message(i, number, share) for (number, i), share in parts.items()])
