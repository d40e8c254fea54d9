"""Circuits of firings that wait for each other: what they prove, step by step."""

from collections.abc import Sequence
from fractions import Fraction
from math import gcd

from steadygrid.domain.errors import Pointer
from steadygrid.kinds.dataflow.referee_graph import Channel, Graph, Span
from steadygrid.kinds.dataflow.schemas import CircuitStep, DeadlockStep
from steadygrid.verification.exact import show
from steadygrid.verification.findings import Findings


def check_critical(
    graph: Graph,
    cycles: Sequence[int],
    steps: Sequence[CircuitStep],
    iterations: Fraction,
    at: Pointer,
    findings: Findings,
) -> Fraction | None:
    """Check a critical circuit, and give the throughput that it allows. None where it is wrong.

    Each firing takes the token stated, which the firing before made, or follows it as a firing of
    the same, sequential actor. The first does so, `iterations` later, for the last: every firing is
    then shifted by whole cycles of its actor, of which an iteration holds `cycles`. So all tokens
    of a channel are shifted alike, and the same holds again and again. So the first firing runs at
    most once, for its turn, in the sum of the times.

    Parameters
    ----------
    graph
        Actors and channels by number.
    cycles
        Of each actor, in an iteration.
    steps
        Firings with the tokens that they take from each other.
    iterations
        By which one turn of the circuit advances.
    at
        Place of the circuit in the answer.
    findings
        Collects the faults that are found.

    Returns
    -------
    Fraction or None
        In iterations per time unit.

    Notes
    -----
    Rules, in this order:

    == ===================================================================== ==================
    1  an actor is one of the graph                                          `unknown_actor`
    2  a firing is 0 or later                                                `wrong_firing`
    3  `iterations` are whole cycles, above 0, of every actor on the circuit `wrong_iterations`
    4  a firing has the time of its phase                                    `wrong_time`
    5  without a channel it waits for a firing of the same, sequential actor `no_order`
    6  with one, the channel leads from the actor before to its own          `wrong_channel`
    7  what waits for its own actor takes no token                           `wrong_token`
    8  it is the firing right after the one before                           `wrong_firing`
    9  what waits for a channel takes the token stated                       `wrong_token`
    10 the firing before has made this token                                 `wrong_token`
    11 the circuit takes time                                                `no_time`
    == ===================================================================== ==================

    Of the first firing, rules 8 and 10 are about the last one, `iterations` earlier.
    """
    before = len(findings.faults)
    if not _known(graph, steps, at, findings):
        return None
    actors = [graph.index[step.actor] for step in steps]
    if iterations <= 0 or any(cycles[actor] % iterations.denominator for actor in actors):
        findings.add(
            ("result", "iterations"),
            "wrong_iterations",
            f"A circuit does not advance by {show(iterations)} iterations: that is no whole, positive"
            " number of cycles of every actor on it.",
        )
        return None
    for j, (step, actor) in enumerate(zip(steps, actors, strict=True)):
        here = (*at, j)
        time = graph.time(actor, step.firing)
        if step.time != time:
            detail = f"Firing {step.firing} of {step.actor!r} takes {show(time)}."
            findings.add((*here, "time"), "wrong_time", detail)
        last, shift = steps[j - 1], iterations if j == 0 else Fraction(0)
        channel = _channel_of_step(graph, last, step, here, findings)
        if channel is None:
            continue
        if isinstance(channel, Channel):
            tokens = shift * cycles[channel.source] * graph.per_cycle(channel)[0]
            _check_token(channel, last, step, int(tokens), here, findings)
        elif step.token is not None:
            findings.add(
                (*here, "token"), "wrong_token", "What waits for its own actor takes no token."
            )
        elif step.firing + shift * cycles[actor] * graph.phases[actor] != last.firing + 1:
            findings.add(
                (*here, "firing"),
                "wrong_firing",
                f"Firing {step.firing} of {step.actor!r} is not the one after firing {last.firing}"
                + (f", {show(shift)} iterations later." if shift else "."),
            )
    if len(findings.faults) > before:
        return None
    time = sum((step.time for step in steps), Fraction(0))
    if not time:
        findings.add(at, "no_time", "The circuit takes no time, and so limits nothing.")
        return None
    return iterations / time


def _check_token(
    channel: Channel,
    last: CircuitStep,
    step: CircuitStep,
    shift: int,
    at: Pointer,
    findings: Findings,
) -> None:
    token = step.token
    taken, made = channel.taken(step.firing), channel.made(last.firing)
    if token is None or not _holds(taken, token):
        findings.add(
            (*at, "token"),
            "wrong_token",
            f"Firing {step.firing} of {step.actor!r} does not take token {token} of"
            f" {channel.name!r}.",
        )
    elif not _holds(made, token + shift):
        findings.add(
            (*at, "token"),
            "wrong_token",
            f"Firing {last.firing} of {last.actor!r} does not make token {token + shift} of"
            f" {channel.name!r}.",
        )


def _holds(span: Span, token: int) -> bool:
    return span.first <= token < span.end


def check_deadlock(
    graph: Graph,
    cycles: Sequence[int],
    steps: Sequence[DeadlockStep],
    at: Pointer,
    findings: Findings,
) -> None:
    """Check that the firings of a circuit can never start.

    Each firing needs a token that the one before makes (or follows it as a firing of the same,
    sequential actor), and the first one needs the last, shifted by n >= 0 turns. A turn is the
    least number of iterations in which every actor of the circuit runs whole cycles, so the same
    holds of all later turns. With n = 0 every firing waits for itself; with n > 0 each waits for
    one that is n turns later, that one for another, and so on: none of them is the first to start.

    Parameters
    ----------
    graph
        Actors and channels by number.
    cycles
        Of each actor, in an iteration.
    steps
        Firings with the tokens that they take from each other.
    at
        Place of the circuit in the answer.
    findings
        Collects the faults that are found.

    Notes
    -----
    Rules, in this order:

    == ========================================================================= ===================
    1  an actor is one of the graph                                              `unknown_actor`
    2  a firing is 0 or later                                                    `wrong_firing`
    3  without a channel it waits for a firing of the same, sequential actor     `no_order`
    4  with one, the channel leads from the actor before to its own              `wrong_channel`
    5  `tokens` are what the channel has at the beginning, or null without one   `wrong_tokens`
    6  a firing needs a token that the one before makes, the first one also in a `waits_for_nothing`
       later turn
    == ========================================================================= ===================
    """
    if not _known(graph, steps, at, findings):
        return
    actors = [graph.index[step.actor] for step in steps]
    turns = gcd(*(cycles[actor] for actor in actors))
    for j, (step, actor) in enumerate(zip(steps, actors, strict=True)):
        here, last = (*at, j), steps[j - 1]
        channel = _channel_of_step(graph, last, step, here, findings)
        if channel is None:
            continue
        if isinstance(channel, Channel):
            if step.tokens != channel.initial:
                findings.add(
                    (*here, "tokens"),
                    "wrong_tokens",
                    f"{channel.name!r} has {channel.initial} tokens at the beginning.",
                )
            turn = cycles[channel.source] // turns * graph.per_cycle(channel)[0]
            made, taken = channel.made(last.firing), channel.taken(step.firing)
        else:
            if step.tokens is not None:
                findings.add(
                    (*here, "tokens"),
                    "wrong_tokens",
                    "What waits for its own actor waits for no channel.",
                )
            # As on a channel of one token, of which a firing takes one and makes one.
            turn = cycles[actor] // turns * graph.phases[actor]
            made = Span(last.firing + 1, last.firing + 2)
            taken = Span(step.firing, step.firing + 1)
        # Tokens of the last firing are made n turns later: the least n that lifts them to those taken.
        later = 0 if j else max(0, (taken.first - made.end) // turn + 1)
        first, end = made.first + later * turn, made.end + later * turn
        if max(first, taken.first) >= min(end, taken.end):
            findings.add(
                (*here, "firing"),
                "waits_for_nothing",
                f"Firing {step.firing} of {step.actor!r} needs nothing that firing {last.firing} of"
                f" {last.actor!r}{'' if j else ', or the same of a later turn,'} makes.",
            )


def _known(
    graph: Graph,
    steps: Sequence[CircuitStep | DeadlockStep],
    at: Pointer,
    findings: Findings,
) -> bool:
    """Check that there are such actors and firings."""
    found = True
    for j, step in enumerate(steps):
        if step.actor not in graph.index:
            detail = f"There is no actor {step.actor!r}."
            findings.add((*at, j, "actor"), "unknown_actor", detail)
            found = False
        if step.firing < 0:
            findings.add((*at, j, "firing"), "wrong_firing", "Firings are counted from 0.")
            found = False
    return found


class _Own:
    """The order of an actor's own firings."""


def _channel_of_step(
    graph: Graph,
    last: CircuitStep | DeadlockStep,
    step: CircuitStep | DeadlockStep,
    at: Pointer,
    findings: Findings,
) -> Channel | _Own | None:
    """Give the channel by which a step waits for the one before. None if there is none."""
    if step.channel is None:
        if graph.sequential and last.actor == step.actor:
            return _Own()
        findings.add(
            (*at, "channel"),
            "no_order",
            f"Firings of {step.actor!r} do not wait for those of {last.actor!r} without a channel.",
        )
        return None
    channel = graph.by_name.get(step.channel)
    ends = graph.index[last.actor], graph.index[step.actor]
    if channel is None or (channel.source, channel.target) != ends:
        findings.add(
            (*at, "channel"),
            "wrong_channel",
            f"{step.channel!r} is no channel from {last.actor!r} to {step.actor!r}.",
        )
        return None
    return channel
