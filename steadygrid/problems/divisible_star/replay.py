"""Replaying the timeline of a load on a tree, in exact arithmetic."""

from collections.abc import Callable, Sequence
from fractions import Fraction

from steadygrid.domain.errors import Pointer
from steadygrid.domain.timeline import Event
from steadygrid.problems.divisible_star.schemas import LOAD
from steadygrid.problems.divisible_star.terms import ZERO, Terms
from steadygrid.verification.exact import show
from steadygrid.verification.findings import Findings

Place = str | tuple[str, str]
EndOf = Callable[[Place, Fraction, Fraction, Fraction], Fraction]
"""From where, the earliest start, the share and the duration, to the end."""


def replay(
    terms: Terms, shares: Sequence[Fraction], events: Sequence[Event], findings: Findings
) -> Fraction:
    """Check every event of a timeline against the shares and against what must come before.

    Rules, in order: events are listed by their starts, of the load's first installment, none
    twice; each is one that the shares need, and all of these are there: a computation where
    there is a share, and a message to whoever has one, or forwards some; each carries what the
    shares say and takes the time of it; messages of one sender follow each other in order, after
    its own message has arrived; a computation starts when the message has arrived.

    Returns
    -------
    Fraction
        The end of the last event.
    """
    at: Pointer = ("schedule", "events")
    known: dict[Place, tuple[int, Event]] = {}
    for place, event in enumerate(events):
        if (event.load, event.installment) != (LOAD, 1):
            findings.add((*at, place), "unknown_installment", f"{_text(event)} does not exist.")
        if event.place in known:
            findings.add((*at, place), "event_twice", f"{_text(event)} is listed twice.")
        known[event.place] = (place, event)
        if place and event.start < events[place - 1].start:
            findings.add((*at, place), "events_unsorted", f"{_text(event)} is listed too late.")
    needed: set[Place] = set()

    def end_of(where: Place, earliest: Fraction, share: Fraction, duration: Fraction) -> Fraction:
        needed.add(where)
        if where not in known:
            findings.add(at, "missing_event", f"There is no event on {_named(where)}.")
            return earliest + duration
        place, event = known[where]
        here = (*at, place)
        if event.share != share:
            findings.add(here, "wrong_share", f"{_text(event)} has share {show(share)}.")
        if event.start < earliest:
            findings.add(here, "too_early", f"{_text(event)} cannot start before {show(earliest)}.")
        if event.end - event.start != duration:
            findings.add(here, "wrong_duration", f"{_text(event)} takes {show(duration)}.")
        return event.end

    makespan = _walk(terms, shares, end_of)
    for place, event in known.values():
        if event.place not in needed:
            findings.add((*at, place), "idle_event", f"{_text(event)} is of nothing.")
    return makespan


def _walk(terms: Terms, shares: Sequence[Fraction], end_of: EndOf) -> Fraction:
    arrived = [ZERO] * len(terms.ids)
    last = ZERO
    through = terms.below(shares)
    for i in terms.downwards:
        name = terms.ids[i]
        if shares[i]:
            time = shares[i] * (terms.work[i] or ZERO)
            last = max(last, end_of(name, arrived[i], shares[i], time))
        free = arrived[i]
        for j in terms.receivers[i]:
            if part := through[j]:
                arrived[j] = free = end_of((name, terms.ids[j]), free, part, part * terms.wire[j])
    return max(last, *arrived)


def _named(place: Place) -> str:
    return repr(place if isinstance(place, str) else " -> ".join(place))


def _text(event: Event) -> str:
    return f"Installment {event.installment} of {event.load!r} on {_named(event.place)}"
