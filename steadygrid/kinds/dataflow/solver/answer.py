"""What is answered."""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any

from steadygrid.domain.certificate import SearchCertificate
from steadygrid.domain.job import Bound, Objective, Outcome, relative_gap
from steadygrid.domain.timetable import Firing, Row, Timetable
from steadygrid.engine.cycles.ratio import least_starts
from steadygrid.engine.solver import Solution, without_schedule
from steadygrid.kinds.dataflow.schemas import (
    MOST_CLAUSE_STEPS,
    MOST_CLAUSES,
    MOST_LISTED,
    ChannelBuffer,
    CircuitCertificate,
    CountedRow,
    CoverCertificate,
    CoverClause,
    DataflowResult,
    DataflowStatistics,
    DeadlockCertificate,
    FrontPoint,
    NotStrictCertificate,
    RowsCertificate,
    TooShortCertificate,
    WaitingTokens,
)
from steadygrid.kinds.dataflow.solver.capacities import Clause, Exploration
from steadygrid.kinds.dataflow.solver.channel_places import places_needed, queues
from steadygrid.kinds.dataflow.solver.circuits import Walk, even_circuit
from steadygrid.kinds.dataflow.solver.model import Heartbeat
from steadygrid.kinds.dataflow.solver.net import Net
from steadygrid.kinds.dataflow.solver.rounds import Progress, Schedule
from steadygrid.kinds.dataflow.solver.starting_places import Places

METHOD = "k_periodic"
NO_LIMIT = (
    "no circuit of firings takes time, so the throughput has no limit: ask for concurrency sequential,"
    " or add a channel from an actor to itself with one token"
)
NO_LEAST_PERIOD = (
    "the least period was not found in time, so the fewest places for it are not known: give a"
    " target_period, or a longer time_limit"
)
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


def only_bound(net: Net, progress: Progress, walk: Walk | None, note: str) -> Solution:
    """Answer without a schedule: with a bound, if a circuit is known that proves one.

    Parameters
    ----------
    net
        Actors, with all that they wait for.
    progress
        What the rounds have found so far.
    walk
        The circuit that proves the bound. None where none is known.
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
    needed = places_needed(schedule, starts, heartbeat)
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
            for name, tokens in _named(net, needed.to_the_end)
        ],
        tokens_waiting=[
            WaitingTokens(channel=name, tokens=tokens)
            for name, tokens in _named(net, needed.waiting)
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


def with_fewest_places(
    net: Net, base: Solution, found: Exploration, heartbeat: Heartbeat
) -> Solution:
    """Answer with the schedule of the fewest places that were found.

    Parameters
    ----------
    net
        Actors, with all that they wait for without limits.
    base
        The answer without limits. Its places do where the search has not ended.
    found
        By the search.
    heartbeat
        Called now and then; may raise, which ends the work.
    """
    unlimited = base.result
    assert isinstance(unlimited, DataflowResult)
    reached = found.points[-1] if found.complete else found.reaching
    front = [_point(found, places, allowed.period) for places, allowed in found.points]
    if reached is None:
        solution = base
        needed = {i: one.tokens for i, one in enumerate(unlimited.buffers or ())}
        front.append(_point(found, found.fitting(needed), unlimited.period))
    else:
        places, allowed = reached
        assert allowed.progress.schedule is not None
        solution = scheduled(
            allowed.net, allowed.progress, allowed.progress.schedule, allowed.walk, heartbeat
        )
        if not found.complete:
            front.append(_point(found, places, allowed.period))
    if len(front) > 1 and front[-2].places == front[-1].places:
        del front[-2]
    best = front[-1]
    bound, certificate = _proof_of_places(found, net, unlimited, best.places)
    assert isinstance(solution.result, DataflowResult)
    result = solution.result.model_copy(
        update={
            "outcome": Outcome.OPTIMAL if bound == best.places else Outcome.FEASIBLE,
            "objective": Objective.places(best.places),
            "bound": Bound.from_value(bound, exact=certificate.type != "search"),
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


def _proof_of_places(
    found: Exploration, net: Net, unlimited: DataflowResult, best: Fraction
) -> tuple[Fraction, CoverCertificate | RowsCertificate | SearchCertificate]:
    """Give the better of the bounds by clauses and by rows, with what proves it."""
    proof = unlimited.certificate
    circuit = proof.circuit if isinstance(proof, CircuitCertificate) else None
    by_search = min(best, Fraction(found.bound, found.scale))
    by_rows = Fraction(0) if found.rows is None else min(best, found.rows.places)
    if found.rows is not None and by_rows >= by_search:
        steps = sum(len(row.actors) for row, _ in found.rows.rows)
        if len(found.rows.rows) <= MOST_CLAUSES and steps <= MOST_CLAUSE_STEPS:
            return by_rows, RowsCertificate(
                rows=[
                    CountedRow(actors=[*row.actors], channels=[*row.channels], factor=factor)
                    for row, factor in found.rows.rows
                ],
                circuit=circuit,
            )
    if sum(len(one.walk.steps) for one in found.clauses) > MOST_CLAUSE_STEPS:
        return by_search, SearchCertificate()
    clauses = [_cover_clause(found, net, one) for one in found.clauses]
    return by_search, CoverCertificate(clauses=clauses, circuit=circuit)


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
