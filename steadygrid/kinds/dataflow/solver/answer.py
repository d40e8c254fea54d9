"""What is answered, and how many tokens the channels hold in it."""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import accumulate
from math import gcd, lcm
from typing import Any

import numpy as np

from steadygrid.domain.certificate import SearchCertificate
from steadygrid.domain.job import Bound, Objective, Outcome, relative_gap
from steadygrid.domain.timetable import Firing, Row, Timetable
from steadygrid.engine.cycles.graph import ROOM, Whole, fitting, whole
from steadygrid.engine.cycles.ratio import least_starts
from steadygrid.engine.solver import Solution, without_schedule
from steadygrid.kinds.dataflow.schemas import (
    MOST_CLAUSE_STEPS,
    MOST_LISTED,
    ChannelBuffer,
    CircuitCertificate,
    CoverCertificate,
    CoverClause,
    DataflowResult,
    DataflowStatistics,
    DeadlockCertificate,
    FrontPoint,
    NotStrictCertificate,
    TooShortCertificate,
    WaitingTokens,
)
from steadygrid.kinds.dataflow.solver.capacities import Clause, Exploration, Places
from steadygrid.kinds.dataflow.solver.circuits import Walk, even_circuit
from steadygrid.kinds.dataflow.solver.model import FEW_PAIRS, Heartbeat, Unfolded
from steadygrid.kinds.dataflow.solver.net import Channel, Net
from steadygrid.kinds.dataflow.solver.rounds import Progress, Schedule

METHOD = "k_periodic"
_ONLY_EVEN = "the bound is that of strictly periodic schedules: with schedule k_periodic another may be faster"


def in_deadlock(net: Net, progress: Progress, walk: Walk) -> Solution:
    """Say that firings wait for each other for ever.

    Parameters
    ----------
    net
        Actors, with all that they wait for.
    progress
        What the rounds have found so far.
    walk
        The firings that wait for each other.
    """
    certificate = DeadlockCertificate(circuit=walk.deadlock_steps())
    return _solution_without_schedule(
        net, progress, Outcome.INFEASIBLE, [], certificate=certificate
    )


def without_limit(net: Net, progress: Progress) -> Solution:
    """Say that the throughput has no limit.

    Parameters
    ----------
    net
        Actors, with all that they wait for.
    progress
        What the rounds have found so far.
    """
    note = (
        "no circuit of firings takes time, so the throughput has no limit: ask for concurrency"
        " sequential, or add a channel from an actor to itself with one token"
    )
    return _solution_without_schedule(net, progress, Outcome.UNKNOWN, [note])


def only_bound(net: Net, progress: Progress, walk: Walk | None, note: str) -> Solution:
    """Answer without a schedule: with a bound, if a circuit is known that proves one.

    Parameters
    ----------
    net
        Actors, with all that they wait for.
    progress
        What the rounds have found so far.
    walk
        The circuit that proves the bound; None where none is known.
    note
        Why there is no schedule.
    """
    if walk is None:
        return _solution_without_schedule(net, progress, Outcome.UNKNOWN, [note])
    notes = [note, *_about_length(walk)]
    return _solution_without_schedule(
        net, progress, Outcome.BOUND_ONLY, notes, **_proved(net, walk)
    )


def scheduled(
    net: Net, progress: Progress, schedule: Schedule, walk: Walk, heartbeat: Heartbeat
) -> Solution:
    """Answer with the schedule of a round and the circuit that bounds all schedules.

    Parameters
    ----------
    net
        Actors, with all that they wait for.
    progress
        What the rounds have found so far.
    schedule
        Of the last round.
    walk
        The circuit that proves the bound.
    heartbeat
        Called now and then; may raise, which ends the work.
    """
    notes = _about_length(walk)
    return _with_schedule(net, progress, schedule, heartbeat, notes=notes, **_proved(net, walk))


def evenly(net: Net, progress: Progress, heartbeat: Heartbeat) -> Solution:
    """Answer with the best schedule in which starts repeat after each cycle, or that there is none.

    Parameters
    ----------
    net
        Actors, with all that they wait for.
    progress
        Of the first round, with its circuit.
    heartbeat
        Called now and then; may raise, which ends the work.
    """
    assert progress.circuit is not None
    steps, iterations = even_circuit(progress.circuit)
    circuit = {"critical_circuit": steps, "iterations": iterations}
    if progress.schedule is None:
        return _solution_without_schedule(
            net, progress, Outcome.INFEASIBLE, [], certificate=NotStrictCertificate(), **circuit
        )
    bound = Bound.from_value(1 / progress.schedule.period, exact=True)
    proof = {"bound": bound, "certificate": CircuitCertificate()}
    return _with_schedule(
        net, progress, progress.schedule, heartbeat, notes=[_ONLY_EVEN], **proof, **circuit
    )


def _with_schedule(
    net: Net, progress: Progress, schedule: Schedule, heartbeat: Heartbeat, **proved: Any
) -> Solution:
    starts = least_starts(schedule.unfolded.graph, schedule.critical, heartbeat=heartbeat)
    throughput = 1 / schedule.period
    bound = proved["bound"].value
    heartbeat()
    result = DataflowResult(
        outcome=Outcome.OPTIMAL if bound == throughput else Outcome.FEASIBLE,
        method=METHOD,
        objective=Objective.throughput(throughput),
        gap=relative_gap(throughput, bound),
        period=schedule.period,
        repetitions=_repetitions(net),
        unfolding={
            actor.name: turns
            for actor, turns in zip(net.actors, schedule.unfolded.turns, strict=True)
        },
        buffers=[
            ChannelBuffer(channel=name, tokens=tokens)
            for name, tokens in _named(net, buffers(schedule, starts, to_the_end=True))
        ],
        tokens_waiting=[
            WaitingTokens(channel=name, tokens=tokens)
            for name, tokens in _named(net, buffers(schedule, starts, to_the_end=False))
        ],
        statistics=_statistics(progress),
        **proved,
    )
    heartbeat()
    return Solution(result, schedule=_timetable(schedule, starts))


def too_short(net: Net, progress: Progress, walk: Walk) -> Solution:
    """Say that a circuit takes longer than the target, however many places there are.

    Parameters
    ----------
    net
        Actors, with all that they wait for.
    progress
        What the rounds have found so far.
    walk
        The circuit.
    """
    return _solution_without_schedule(
        net,
        progress,
        Outcome.INFEASIBLE,
        _about_length(walk),
        certificate=TooShortCertificate(circuit=walk.arrays(net)),
        critical_circuit=walk.critical_steps(),
        iterations=walk.iterations,
    )


def without_least_period(net: Net, progress: Progress) -> Solution:
    """Say that places cannot be chosen, since it is not known what they have to reach.

    Parameters
    ----------
    net
        Actors, with all that they wait for.
    progress
        What the rounds have found so far.
    """
    note = (
        "the least period was not found in time, so the fewest places for it are not known: give a"
        " target_period, or a longer time_limit"
    )
    return _solution_without_schedule(net, progress, Outcome.UNKNOWN, [note])


def with_fewest_places(
    net: Net, base: Solution, found: Exploration, heartbeat: Heartbeat
) -> Solution:
    """Answer with the schedule of the fewest places that were found.

    Parameters
    ----------
    net
        Actors, with all that they wait for without limits.
    base
        The answer without limits; its places do where the search has not ended.
    found
        By the search.
    heartbeat
        Called now and then; may raise, which ends the work.
    """
    unlimited = base.result
    assert isinstance(unlimited, DataflowResult)
    front = [_point(found, places, allowed.period) for places, allowed in found.points]
    if found.complete:
        _, allowed = found.points[-1]
        assert allowed.progress.schedule is not None
        solution = scheduled(
            allowed.net, allowed.progress, allowed.progress.schedule, allowed.walk, heartbeat
        )
    else:
        solution = base
        needed = {i: one.tokens for i, one in enumerate(unlimited.buffers or ())}
        places = found.fitting(needed)
        front.append(_point(found, places, unlimited.period))
    best = front[-1]
    bound = best.places if found.complete else min(best.places, Fraction(found.bound, found.scale))
    listed = sum(len(one.walk.steps) for one in found.clauses) <= MOST_CLAUSE_STEPS
    proof = unlimited.certificate
    certificate = (
        CoverCertificate(
            clauses=[_cover_clause(found, net, one) for one in found.clauses],
            circuit=proof.circuit if isinstance(proof, CircuitCertificate) else None,
        )
        if listed
        else SearchCertificate()
    )
    assert isinstance(solution.result, DataflowResult)
    result = solution.result.model_copy(
        update={
            "outcome": Outcome.OPTIMAL if bound == best.places else Outcome.FEASIBLE,
            "objective": Objective.places(best.places),
            "bound": Bound.from_value(bound, exact=listed),
            "gap": relative_gap(best.places, bound),
            "certificate": certificate,
            "critical_circuit": unlimited.critical_circuit,
            "iterations": unlimited.iterations,
            "capacities": best.capacities,
            "places": best.places,
            "places_bound": bound,
            "front": front if found.every else None,
            "statistics": solution.result.statistics.model_copy(
                update={"distributions": found.distributions + 1}
            ),
        }
    )
    if not found.complete:
        result.notes.append(
            f"the search for fewer places has not ended: {found.distributions:,} distributions were"
            " looked at. Ask for a longer time_limit"
        )
    return Solution(result, schedule=solution.schedule)


def _point(found: Exploration, places: Places, period: Fraction | None) -> FrontPoint:
    assert period is not None
    return FrontPoint(
        places=Fraction(found.size(places), found.scale),
        period=period,
        capacities=found.named(places),
    )


def _cover_clause(found: Exploration, net: Net, clause: Clause) -> CoverClause:
    numbers = clause.walk.numbers(net)
    return CoverClause(
        capacities={found.variables[i].name: most for i, most in clause.most},
        iterations=clause.walk.iterations,
        **numbers.model_dump(),
    )


def _proved(net: Net, walk: Walk) -> dict[str, Any]:
    return {
        "bound": Bound.from_value(walk.iterations / walk.time, exact=True),
        "certificate": CircuitCertificate(circuit=walk.arrays(net)),
        "critical_circuit": walk.critical_steps(),
        "iterations": walk.iterations,
    }


def _about_length(walk: Walk) -> list[str]:
    if len(walk.steps) <= MOST_LISTED:
        return []
    return [
        f"the critical circuit has {len(walk.steps):,} firings: the first {MOST_LISTED:,} are listed,"
        " and `circuit` of the certificate has the numbers of all"
    ]


def _solution_without_schedule(
    net: Net, progress: Progress, outcome: Outcome, notes: list[str], **known: Any
) -> Solution:
    empty = dict.fromkeys(
        ("period", "unfolding", "buffers", "critical_circuit", "iterations"), None
    )
    result = without_schedule(
        DataflowResult,
        outcome,
        METHOD,
        **empty
        | {
            "repetitions": _repetitions(net),
            "statistics": _statistics(progress),
            "notes": notes,
        }
        | known,
    )
    return Solution(result)


def _repetitions(net: Net) -> dict[str, int]:
    return {actor.name: actor.repetitions for actor in net.actors}


def _statistics(progress: Progress) -> DataflowStatistics:
    return DataflowStatistics(
        rounds=progress.rounds or None,
        nodes=progress.nodes or None,
        edges=progress.edges or None,
        policy_rounds=progress.policy_rounds or None,
    )


def _timetable(schedule: Schedule, starts: Any) -> Timetable:
    unfolded = schedule.unfolded
    net, period = unfolded.net, schedule.period
    unit = schedule.critical.ratio.denominator * net.scale
    rows = []
    for place, actor in enumerate(net.actors):
        turns, phases = unfolded.turns[place], len(actor.times)
        every = period * turns / actor.repetitions
        first = unfolded.starts[place]
        firings = [Firing(actor.name, phase + 1) for phase in range(phases)]
        for node in range(turns * phases):
            cycle, phase = divmod(node, phases)
            start = Fraction(starts[first + node], unit)
            rows.append(Row(firings[phase], cycle, turns, start, actor.times[phase], every))
    # Turns divide the repetitions, so everything repeats after one iteration.
    return Timetable(ports=None, period=period, instances_per_period=1, rows=tuple(rows))


def _named(net: Net, counts: Iterable[int]) -> Iterator[tuple[str, int]]:
    return zip((channel.name or "" for channel in queues(net)), counts, strict=True)


def queues(net: Net) -> Iterator[Channel]:
    """Give the channels of the graph, in their order."""
    return (one for one in net.channels if one.name is not None and one.of is None)


def buffers(schedule: Schedule, starts: Sequence[int], *, to_the_end: bool) -> list[int]:
    """Count the places of each channel of the graph, in their order.

    Parameters
    ----------
    starts
        Of each phase, in units of ``1/q`` of a unit of the net's `scale` where the ratio is p/q.
    to_the_end
        Whether a place is free when the firing that takes its token ends, or when that starts.

    Notes
    -----
    Room for a token is taken from the start of the firing that makes it to the end or start of the
    firing that takes it; tokens keep their places, so what a channel needs is the farthest that a
    token already begun is ahead of one whose place is not free. With the letters of `model`,
    ``gamma = T g / Theta``, starts s of the source's phases i, and times r when the target's phases j
    free their places, of phases that make or take something,

        B = max(M, max over i, j of M + I(i) - O(j-1) + g (ceil((r_j - s_i) / gamma) - 1)):

    turns in which i starts before j are those with ``D / Theta > (s_i - r_j) / T``, and i is then
    ``M + I(i) - O(j-1) - D`` ahead. Where firings start in order, that is the most tokens at any
    time. Writing ``s = gamma n + rho`` sorts out the ceiling: it is ``n_j - n_i``, and 1 more if
    ``rho_j > rho_i``.
    """
    unfolded = schedule.unfolded
    queued = [*queues(unfolded.net)]
    if not to_the_end:
        at = whole(starts)
        return [_num_tokens(schedule, channel, at, at, 1) for channel in queued]
    # In half units: a firing without time frees its places after what starts at the same moment.
    unit = schedule.critical.ratio.denominator * unfolded.net.scale
    times = [
        int(2 * time * unit) or 1
        for actor, turns in zip(unfolded.net.actors, unfolded.turns, strict=True)
        for time in actor.times * turns
    ]
    begins = [2 * int(start) for start in starts[: len(times)]]
    frees = whole([start + time for start, time in zip(begins, times, strict=True)])
    counts = [_num_tokens(schedule, channel, whole(begins), frees, 2) for channel in queued]
    limits = {one.of: one for one in unfolded.net.channels if one.of is not None}
    return [
        min(count, limits[i].tokens + channel.tokens) if i in limits else count
        for i, (count, channel) in enumerate(zip(counts, queued, strict=True))
    ]


def _num_tokens(
    schedule: Schedule, channel: Channel, starts: Whole, frees: Whole, parts_of_unit: int
) -> int:
    unfolded = schedule.unfolded
    net, turns = unfolded.net, unfolded.turns
    ends = (channel.source, channel.target)
    parts = lcm(*(net.actors[actor].repetitions // turns[actor] for actor in ends))
    gamma = schedule.critical.ratio.numerator * unfolded.height_unit // parts * parts_of_unit
    phases = [turns[actor] * len(net.actors[actor].times) for actor in ends]
    if phases[0] * phases[1] <= FEW_PAIRS:
        return _num_tokens_one_by_one(unfolded, channel, starts, frees, gamma)
    begins, uses = (
        moments[unfolded.starts[actor] : unfolded.starts[actor + 1]]
        for actor, moments in zip(ends, (starts, frees), strict=True)
    )
    total = turns[channel.source] * sum(channel.production)
    divisor = gcd(total, turns[channel.target] * sum(channel.consumption))
    longest = max(int(begins.max()), int(uses.max()))
    # Tokens that have passed when the last one starts, and the times themselves.
    fits = max(2 * total + divisor * (longest // gamma + 1), gamma, longest) < ROOM
    made, taken = (
        np.tile(np.array(rates, dtype=np.int64 if fits else object), turns[actor])
        for actor, rates in zip(ends, (channel.production, channel.consumption), strict=True)
    )
    begins, uses = fitting(begins, fits), fitting(uses, fits)
    all_made, all_taken = np.cumsum(made), np.cumsum(taken)
    makers, takers = made != 0, taken != 0
    ahead, made_at = _split(all_made[makers], begins[makers], divisor, gamma)
    behind, taken_at = _split((all_taken - taken)[takers], uses[takers], divisor, gamma)
    most = int(ahead.max()) - int(behind.min()) - divisor
    order = np.argsort(made_at, kind="stable")
    highest = np.maximum.accumulate(ahead[order])
    earlier = np.searchsorted(made_at[order], taken_at, side="left")
    some = np.flatnonzero(earlier)
    if len(some):
        most = max(most, int((highest[earlier[some] - 1] - behind[some]).max()))
    return channel.tokens + max(0, most)


def _num_tokens_one_by_one(
    unfolded: Unfolded, channel: Channel, starts: Whole, frees: Whole, gamma: int
) -> int:
    """Look at each phase of the source and each of the target."""
    ends = (channel.source, channel.target)
    made, taken = (
        rates * unfolded.turns[actor]
        for actor, rates in zip(ends, (channel.production, channel.consumption), strict=True)
    )
    begins, uses = (
        [int(moment) for moment in moments[unfolded.starts[actor] : unfolded.starts[actor + 1]]]
        for actor, moments in zip(ends, (starts, frees), strict=True)
    )
    divisor = gcd(sum(made), sum(taken))
    makers = [one for one in zip(accumulate(made), begins, made, strict=True) if one[2]]
    takers = [one for one in zip(accumulate(taken), uses, taken, strict=True) if one[2]]
    most: int = max(
        ahead - behind + number - divisor * ((start - use) // gamma + 1)
        for ahead, start, _ in makers
        for behind, use, number in takers
    )
    return channel.tokens + max(0, most)


def _split(tokens: Whole, starts: Whole, divisor: int, gamma: int) -> tuple[Whole, Whole]:
    """Give ``tokens - g n`` and ``rho``."""
    turns = starts // gamma
    return tokens - divisor * turns, starts - gamma * turns
