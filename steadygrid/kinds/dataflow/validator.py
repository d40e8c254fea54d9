"""The exact referee of `dataflow`; shares no code with what solves it."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from math import gcd

from steadygrid.domain.errors import InvalidScheduleError
from steadygrid.domain.job import Options, Outcome
from steadygrid.domain.schedule import USUAL_LIMITS, ScheduleLimits
from steadygrid.domain.timetable import Timetable
from steadygrid.kinds.dataflow.long_circuits import (
    ARRAYS,
    LISTED,
    all_steps,
    at_numbers,
    check_arrays,
    circuit_arrays,
)
from steadygrid.kinds.dataflow.referee_circuits import check_critical, check_deadlock
from steadygrid.kinds.dataflow.referee_even import check_even
from steadygrid.kinds.dataflow.referee_graph import Channel, Graph
from steadygrid.kinds.dataflow.referee_places import check_places
from steadygrid.kinds.dataflow.referee_timetable import read_timetable
from steadygrid.kinds.dataflow.referee_tokens import Course
from steadygrid.kinds.dataflow.schemas import (
    ChannelBuffer,
    CircuitStep,
    DataflowInstance,
    DataflowResult,
    DeadlockCertificate,
    WaitingTokens,
)
from steadygrid.verification.envelope import check_envelope
from steadygrid.verification.exact import show
from steadygrid.verification.findings import Findings

_TYPES = {
    Outcome.INFEASIBLE: ("deadlock", "too_short", "not_strict"),
    Outcome.UNKNOWN: ("none",),
}
"""Of the certificate."""
_OF_BOUNDS = ("cycle_ratio",)
_OF_PLACES = ("cover", "rows", "search")


def validate(
    instance: DataflowInstance,
    options: Options,
    result: DataflowResult,
    schedule: Timetable | None,
    _limits: ScheduleLimits = USUAL_LIMITS,
) -> None:
    """Check a result and its timetable against the graph, in exact arithmetic.

    Parameters
    ----------
    instance
        Without faults.
    options
        Not read.
    result
        The answer, but for its schedule.
    schedule
        Of the answer. None where it has none.
    _limits
        Not read.

    Raises
    ------
    InvalidScheduleError
        With every fault found (at most a few hundred), each a sentence that names its place.

    Notes
    -----
    Rules, in this order:

    == ======================================================================== ====================
    1  outcome, value, bound, gap and certificate go together                   see `check_envelope`
    2  ``infeasible`` has a deadlock, or a circuit that takes longer than the   `wrong_certificate`
       target; a bound has a circuit, one of places a cover, rows or a search's word,
       and ``unknown`` nothing
    3  no certificate has a state                                               `wrong_certificate`
    4  there are cycles of every actor, at least 1                              `wrong_repetitions`
    5  they balance every channel                                               `wrong_repetitions`
    6  they are the least whole numbers that do                                 `wrong_repetitions`
    7  the firings of a deadlock never start                                    see `check_deadlock`
    8  a bound, a circuit and its iterations are there together, or none        `wrong_circuit`
    9  the circuit holds step by step, for ever; numbers of it                  see `check_critical`
       are those of a long one; of strictly periodic schedules, see             and `check_arrays`
       `check_even`
    10 the bound is how far it advances over the time that it takes; where      `wrong_bound`
       places are chosen, that is the period, or longer than the target
    11 that is exact                                                            `wrong_bound`
    12 a value has a period, an unfolding, buffers and a timetable, and without `wrong_parts`
       a value there are none; places stand only where they were chosen
    13 the value is a throughput, 1 over the period; or places                  `wrong_value`
    14 the timetable is one of the graph                                        see `read_timetable`
    15 tokens waiting, and buffers, have as many places as the timetable needs, `wrong_buffers`
       see `Course.places`, or all that there are; without tokens waiting the
       buffers are these
    16 the places chosen are the fewest                                         see `check_places`
    == ======================================================================== ====================

    The cost depends on rows, channels and steps, not on the firings of an iteration or the tokens
    that it moves. Rule 14 may compare all rows at the ends of a channel, where there are cycles of
    actors without time.
    """
    findings = Findings()
    check_envelope(
        instance,
        result,
        schedule,
        findings,
        may_find_nothing=("k_periodic",),
        optimised="places" if instance.chooses_places else "throughput",
    )
    _check_type(instance, result, findings)
    graph = Graph(instance)
    cycles = _cycles(graph, result, findings)
    if cycles is not None:
        if isinstance(result.certificate, DeadlockCertificate):
            at = ("result", "certificate", "circuit")
            check_deadlock(graph, cycles, result.certificate.circuit, at, findings)
        _check_bound(instance, graph, cycles, result, findings)
        _check_answer(instance, graph, cycles, result, schedule, findings)
        if instance.chooses_places and result.objective is not None:
            check_places(instance, graph, cycles, result, findings)
    if findings:
        raise InvalidScheduleError(faults=findings.faults)


def _check_type(instance: DataflowInstance, result: DataflowResult, findings: Findings) -> None:
    usual = _OF_PLACES if instance.chooses_places else _OF_BOUNDS
    due = _TYPES.get(result.outcome, usual)
    kind = result.certificate.type
    if (
        kind not in due
        or (kind == "too_short" and instance.target_period is None)
        or (kind == "not_strict" and not instance.even)
    ):
        named = " or ".join(map(repr, due))
        findings.add(
            ("result", "certificate", "type"),
            "wrong_certificate",
            f"An answer that is {result.outcome.value} has a certificate {named}.",
        )
    if getattr(result.certificate, "state", None) is not None:
        findings.add(
            ("result", "certificate", "state"),
            "wrong_certificate",
            "No state proves anything here: there are no resources.",
        )


def _cycles(graph: Graph, result: DataflowResult, findings: Findings) -> list[int] | None:
    """Give the cycles of each actor in an iteration. None where they are wrong."""
    at = ("result", "repetitions")
    told = result.repetitions
    if told.keys() != graph.index.keys() or any(count < 1 for count in told.values()):
        findings.add(
            at, "wrong_repetitions", "There are not so many cycles, at least 1, of every actor."
        )
        return None
    cycles = [told[name] for name in graph.names]
    for channel in graph.channels:
        made, taken = graph.per_cycle(channel)
        if cycles[channel.source] * made != cycles[channel.target] * taken:
            findings.add(
                at,
                "wrong_repetitions",
                f"An iteration makes {cycles[channel.source] * made} tokens of {channel.name!r} and"
                f" takes {cycles[channel.target] * taken}.",
            )
            return None
    if (shared := gcd(*cycles)) > 1:
        detail = f"Less than that, a part in {shared}, is an iteration already."
        findings.add(at, "wrong_repetitions", detail)
        return None
    return cycles


def _check_bound(
    instance: DataflowInstance,
    graph: Graph,
    cycles: Sequence[int],
    result: DataflowResult,
    findings: Findings,
) -> None:
    at, arrays = LISTED, circuit_arrays(result)
    steps, iterations = result.critical_circuit, result.iterations
    shows_limit = result.bound is not None or result.certificate.type in ("too_short", "not_strict")
    if {steps is not None, iterations is not None} != {shows_limit}:
        findings.add(
            at,
            "wrong_circuit",
            "A bound, a circuit and its iterations are there together, or none.",
        )
    if arrays is not None and steps is None:
        detail = "There are numbers of a circuit of which nothing is listed."
        findings.add(ARRAYS, "wrong_circuit", detail)
    if steps is None or iterations is None or not shows_limit:
        return
    if arrays is not None and not check_arrays(graph, arrays, steps, findings):
        return
    if instance.even:
        _check_even_bound(graph, cycles, result, steps, iterations, findings)
        return
    apart = Findings()
    proved = check_critical(graph, cycles, all_steps(graph, result), iterations, at, apart)
    findings.take(at_numbers(apart.faults))
    if proved is None:
        return
    target, period = instance.target_period, result.period
    if result.certificate.type == "too_short" and target is not None:
        if proved * target >= 1:
            findings.add(at, "wrong_bound", "The circuit is as fast as the target.")
    elif instance.chooses_places:
        reached = target is not None and instance.buffers == "least"
        if period is not None and not reached and proved * period != 1:
            detail = f"Without limits the circuit allows a throughput of {show(proved)}."
            findings.add(("result", "period"), "wrong_bound", detail)
    elif result.bound is not None and proved != result.bound.value:
        findings.add(
            ("result", "bound"),
            "wrong_bound",
            f"The circuit allows a throughput of {show(proved)}.",
        )
    if not instance.chooses_places and result.bound is not None and not result.bound.exact:
        findings.add(("result", "bound", "exact"), "wrong_bound", "What a circuit proves is exact.")


def _check_even_bound(
    graph: Graph,
    cycles: Sequence[int],
    result: DataflowResult,
    steps: Sequence[CircuitStep],
    iterations: Fraction,
    findings: Findings,
) -> None:
    """Check what a circuit of phases proves of schedules in which starts repeat after each cycle."""
    time = check_even(graph, cycles, steps, iterations, LISTED, findings)
    if time is None:
        return
    if result.bound is None:
        if iterations > 0 or not time:
            findings.add(LISTED, "wrong_bound", "A longer period gives the circuit time enough.")
    elif iterations <= 0 or not time or result.bound.value != iterations / time:
        detail = "The circuit does not allow just the throughput of the bound."
        findings.add(("result", "bound"), "wrong_bound", detail)


def _check_answer(
    instance: DataflowInstance,
    graph: Graph,
    cycles: Sequence[int],
    result: DataflowResult,
    schedule: Timetable | None,
    findings: Findings,
) -> None:
    objective, period = result.objective, result.period
    parts = (
        ("period", period),
        ("unfolding", result.unfolding),
        ("buffers", result.buffers),
        ("schedule", schedule),
    )
    for name, part in parts:
        if (part is None) != (objective is None):
            there = "is missing" if part is None else "stands without a value"
            at = (name,) if name == "schedule" else ("result", name)
            findings.add(at, "wrong_parts", f"The {name} {there}.")
    chosen = instance.chooses_places and objective is not None
    others: tuple[tuple[str, object, bool], ...] = (
        ("tokens_waiting", result.tokens_waiting, objective is not None),
        ("capacities", result.capacities, chosen),
        ("places", result.places, chosen),
        ("places_bound", result.places_bound, chosen),
        ("front", result.front, chosen),
    )
    for name, other, may_stand in others:
        if other is not None and not may_stand:
            findings.add(("result", name), "wrong_parts", f"The {name} stands without a value.")
    if objective is None:
        return
    if period is None or not (
        instance.chooses_places
        or (objective.name == "throughput" and objective.value * period == 1)
    ):
        findings.add(
            ("result", "objective"),
            "wrong_value",
            "The value is not a throughput, 1 over the period, above 0.",
        )
        return
    if schedule is None:
        return
    found = read_timetable(instance, graph, cycles, result, period, schedule, findings)
    if found is not None:
        _check_buffers(graph, found.course, found.limits, result, findings)


def _check_buffers(
    graph: Graph,
    course: Callable[[Channel], Course],
    limits: Mapping[str, int],
    result: DataflowResult,
    findings: Findings,
) -> None:
    """Check places until tokens are taken and until that ends; without the first, the second are these."""
    courses = [course(channel) for channel in graph.channels]
    waiting, held = (
        [one.places(to_the_end=to_the_end) for one in courses] for to_the_end in (False, True)
    )
    names = [channel.name for channel in graph.channels]
    held = [min(count, limits.get(name, count)) for name, count in zip(names, held, strict=True)]
    if result.tokens_waiting is None:
        _check_counts("buffers", names, result.buffers, waiting, findings)
    else:
        _check_counts("tokens_waiting", names, result.tokens_waiting, waiting, findings)
        _check_counts("buffers", names, result.buffers, held, findings)


def _check_counts(
    member: str,
    names: Sequence[str],
    listed: Sequence[ChannelBuffer | WaitingTokens] | None,
    due: Sequence[int],
    findings: Findings,
) -> None:
    if listed is None:
        return
    told, places = [(one.channel, one.tokens) for one in listed], [*zip(names, due, strict=True)]
    if told != places:
        wrong = next(
            (i for i, (one, other) in enumerate(zip(told, places, strict=False)) if one != other),
            min(len(told), len(places)),
        )
        named = f"{places[wrong][1]} of {places[wrong][0]!r}" if wrong < len(places) else "no more"
        findings.add(("result", member, wrong), "wrong_buffers", f"The places needed are {named}.")
