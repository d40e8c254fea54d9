"""Circuits that bound schedules in which the starts of each actor repeat after each of its cycles."""

from collections.abc import Sequence
from fractions import Fraction
from math import gcd

from steadygrid.domain.errors import Pointer
from steadygrid.kinds.dataflow.referee_graph import Channel, Graph
from steadygrid.kinds.dataflow.schemas import CircuitStep
from steadygrid.verification.exact import show
from steadygrid.verification.findings import Findings


def check_even(
    graph: Graph,
    cycles: Sequence[int],
    steps: Sequence[CircuitStep],
    iterations: Fraction,
    at: Pointer,
    findings: Findings,
) -> Fraction | None:
    """Check a circuit of phases, and give the time that its firings take. None where it is wrong.

    Let T be the period of an iteration. Phase i of actor a starts at s + n T/q in its cycle n, q the
    cycles of a in an iteration, and phase j of actor b likewise. Let U and V be
    the tokens of a cycle, and d = n U - m V. Cycle n of the one and cycle m of the other handle a
    common token of a channel if d lies between the tokens that j takes and those that i makes. The numbers d
    are the multiples of g = gcd(U, V). With X tokens of the channel in an iteration, n T/q - m T/q'
    is d T/X. So the largest d decides: j starts in its first cycle no earlier than i ends in its
    own, plus d T/X. Around the circuit all starts cancel, and T times the sum of -d/X, which
    `iterations` states, is at least the sum of the times.

    Parameters
    ----------
    graph
        Actors and channels by number.
    cycles
        Of each actor, in an iteration.
    steps
        Phases, each of which waits for the one before.
    iterations
        By which one turn of the circuit advances.
    at
        Place of the circuit in the answer.
    findings
        Collects the faults that are found.

    Notes
    -----
    Rules, in this order:

    == ===================================================================== ==================
    1  an actor is one of the graph, and a firing one of its phases          `wrong_firing`
    2  no token is stated                                                    `wrong_token`
    3  a firing has the time of its phase                                    `wrong_time`
    4  each phase waits for the one before, by the channel that it names,    `waits_for_nothing`
       or as the next of a sequential actor
    5  the sum of -d/X is `iterations`                                       `wrong_iterations`
    == ===================================================================== ==================
    """
    before = len(findings.faults)
    advance = Fraction(0)
    for j, step in enumerate(steps):
        here = (*at, j)
        actor = graph.index.get(step.actor)
        if actor is None or not 0 <= step.firing < graph.phases[actor]:
            detail = f"{step.actor!r} has no phase {step.firing}."
            findings.add((*here, "firing"), "wrong_firing", detail)
            return None
        if step.token is not None:
            detail = "The waiting of phases is for no single token."
            findings.add((*here, "token"), "wrong_token", detail)
        if step.time != graph.time(actor, step.firing):
            detail = f"Phase {step.firing} of {step.actor!r} takes {show(graph.time(actor, step.firing))}."
            findings.add((*here, "time"), "wrong_time", detail)
    for j, step in enumerate(steps):
        height = _height(graph, cycles, steps[j - 1], step)
        if height is None:
            findings.add(
                (*at, j, "channel"),
                "waits_for_nothing",
                f"Phase {step.firing} of {step.actor!r} does not wait for phase"
                f" {steps[j - 1].firing} of {steps[j - 1].actor!r}.",
            )
            return None
        advance += height
    if advance != iterations:
        findings.add(
            ("result", "iterations"),
            "wrong_iterations",
            f"The circuit advances by {show(advance)}.",
        )
    if len(findings.faults) > before:
        return None
    return sum((step.time for step in steps), Fraction(0))


def _height(
    graph: Graph, cycles: Sequence[int], last: CircuitStep, step: CircuitStep
) -> Fraction | None:
    """Say how many iterations later a phase waits for another. None where it does not."""
    source, target = graph.index[last.actor], graph.index[step.actor]
    if step.channel is None:
        if not graph.sequential or source != target:
            return None
        if step.firing == last.firing + 1:
            return Fraction(0)
        again = step.firing == 0 and last.firing == graph.phases[source] - 1
        return Fraction(1, cycles[source]) if again else None
    channel = graph.by_name.get(step.channel)
    if channel is None or (channel.source, channel.target) != (source, target):
        return None
    return _later(graph, cycles, channel, last.firing, step.firing)


def _later(
    graph: Graph, cycles: Sequence[int], channel: Channel, maker: int, taker: int
) -> Fraction | None:
    made, taken = channel.made(maker), channel.taken(taker)
    per_source, per_target = graph.per_cycle(channel)
    common = gcd(per_source, per_target)
    largest = (taken.end - made.first - 1) // common * common
    if made.first == made.end or taken.first == taken.end or largest <= taken.first - made.end:
        return None
    return Fraction(-largest, cycles[channel.source] * per_source)
