"""Replaying the timeline of a load on a star or a tree, in exact arithmetic."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from steadygrid.domain.errors import Pointer
from steadygrid.domain.timeline import Event
from steadygrid.kinds.divisible_star.replay.star_terms import StarTerms
from steadygrid.kinds.divisible_star.replay.tree_terms import ZERO, Terms
from steadygrid.kinds.divisible_star.schemas import LOAD
from steadygrid.verification.exact import show
from steadygrid.verification.findings import Findings

Place = str | tuple[str, str]
Key = tuple[Place, int]
"""A processor or a link, and the round."""
Messages = Mapping[tuple[int, int], Fraction]
"""From round and position in the order to the share, in the order in which they are sent."""
EndOf = Callable[[Place, int, Fraction, Fraction, Fraction], Fraction]
"""From where, the round, the earliest start, the share and the duration, to the end."""
Walk = Callable[[EndOf], Fraction]
"""Asks for the end of every event that there has to be, and gives the last of them."""


def replay(walk: Walk, events: Sequence[Event], findings: Findings) -> Fraction:
    """Check every event of a timeline against what there has to be.

    Parameters
    ----------
    walk
        `on_tree` or `on_star`.

    Returns
    -------
    Fraction
        The end of the last event.

    Notes
    -----
    Rules, in this order:

    == ======================================== =================
    1  an event is of the load                  `unknown_load`
    2  none is listed twice                     `event_twice`
    3  events are listed by their starts        `events_unsorted`
    4  all that the shares need are there       `missing_event`
    5  each carries what the shares say         `wrong_share`
    6  it starts after what must come before it `too_early`
    7  it takes the time of its share           `wrong_duration`
    8  each is one that the shares need         `idle_event`
    == ======================================== =================
    """
    at: Pointer = ("schedule", "events")
    known: dict[Key, tuple[int, Event]] = {}
    for place, event in enumerate(events):
        key = event.place, event.installment
        if event.load != LOAD:
            findings.add((*at, place), "unknown_load", f"{_text(event)} does not exist.")
        if key in known:
            findings.add((*at, place), "event_twice", f"{_text(event)} is listed twice.")
        known[key] = (place, event)
        if place and event.start < events[place - 1].start:
            findings.add((*at, place), "events_unsorted", f"{_text(event)} is listed too late.")
    needed: set[Key] = set()

    def end_of(
        where: Place, number: int, earliest: Fraction, share: Fraction, duration: Fraction
    ) -> Fraction:
        needed.add((where, number))
        if (where, number) not in known:
            findings.add(
                at, "missing_event", f"There is no event of round {number} on {_named(where)}."
            )
            return earliest + duration
        place, event = known[where, number]
        here = (*at, place)
        if event.share != share:
            findings.add(here, "wrong_share", f"{_text(event)} has share {show(share)}.")
        if event.start < earliest:
            findings.add(here, "too_early", f"{_text(event)} cannot start before {show(earliest)}.")
        if event.end - event.start != duration:
            findings.add(here, "wrong_duration", f"{_text(event)} takes {show(duration)}.")
        return event.end

    makespan = walk(end_of)
    for key, (place, event) in known.items():
        if key not in needed:
            findings.add((*at, place), "idle_event", f"{_text(event)} is of nothing.")
    return makespan


def on_tree(terms: Terms, shares: Sequence[Fraction], *, returns: bool) -> Walk:
    """Walk down a tree: a message for each who has a share, or forwards some, of all of that.

    Messages of one sender follow each other in order, after its own message has arrived. A
    computation starts when the message has arrived. Then up, if results come back: one message of
    all that was sent, when its sender has computed and received all of it. Those to one receiver
    follow each other in the reverse order, after all that the receiver sends.

    Parameters
    ----------
    terms
        Times by position, in the order of the answer.
    shares
        Fraction of the load that each processor computes, by position.
    returns
        Whether results come back.
    """

    def walk(end_of: EndOf) -> Fraction:
        arrived = [ZERO] * len(terms.ids)
        done = [ZERO] * len(terms.ids)
        sent = [ZERO] * len(terms.ids)
        through = terms.below(shares)
        for i in terms.downwards:
            name = terms.ids[i]
            if shares[i]:
                time = shares[i] * (terms.work[i] or ZERO)
                done[i] = end_of(name, 1, arrived[i], shares[i], time)
            free = arrived[i]
            for j in terms.receivers[i]:
                if part := through[j]:
                    where = name, terms.ids[j]
                    arrived[j] = free = end_of(where, 1, free, part, part * terms.wire[j])
            sent[i] = free
        for i in reversed(terms.downwards) if returns else ():
            free = sent[i]
            for j in reversed(terms.receivers[i]):
                if part := through[j]:
                    where = terms.ids[j], terms.ids[i]
                    start = max(free, done[j])
                    free = end_of(where, 1, start, part, part * terms.back[j])
            done[i] = max(done[i], free)
        return max(*done, *arrived)

    return walk


def on_star(terms: StarTerms, own: Fraction, messages: Messages) -> Walk:
    """Walk through the messages of a star, the computations and the results.

    Messages follow each other in order. A computation starts when its message has arrived and
    the one before it on the processor is done. A result when all computations of its worker are
    done, the result before it has arrived and, if the master has one port for both, everything
    is sent.

    Parameters
    ----------
    terms
        Times by position, in the order of the answer.
    own
        Fraction of the load that the master computes.
    messages
        Share by round and position in the order, as they are sent.
    """

    def walk(end_of: EndOf) -> Fraction:
        last = free = ZERO
        done: dict[int, Fraction] = {}
        total: dict[int, Fraction] = {}
        if own and (times := terms.own):
            last = end_of(terms.master, 1, ZERO, own, times.W + times.w * own)
        for (number, i), share in messages.items():
            times = terms.times[i]
            assert times is not None
            name = terms.ids[i]
            link_ends = (terms.master, name)
            free = end_of(link_ends, number, free, share, times.C + times.c * share)
            start = max(free, done.get(i, ZERO))
            done[i] = end_of(name, number, start, share, times.W + times.w * share)
            total[i] = total.get(i, ZERO) + share
        last = max(last, free, *done.values())
        free = ZERO if terms.two_ports else free
        for i in terms.returning:
            times = terms.times[i]
            if i in done and times is not None:
                link_ends = (terms.ids[i], terms.master)
                start = max(free, done[i])
                free = end_of(link_ends, 1, start, total[i], times.D + times.d * total[i])
                last = max(last, free)
        return last

    return walk


def _named(place: Place) -> str:
    return repr(place if isinstance(place, str) else " -> ".join(place))


def _text(event: Event) -> str:
    return f"Round {event.installment} of {event.load!r} on {_named(event.place)}"
