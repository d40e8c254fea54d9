"""Replaying the timeline of loads on a chain, in exact arithmetic."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from steadygrid.domain.amounts import Amounts
from steadygrid.domain.errors import Pointer
from steadygrid.domain.timeline import Event
from steadygrid.kinds.divisible_chain.terms import ZERO, Terms
from steadygrid.verification.exact import show
from steadygrid.verification.findings import Findings

Place = str | tuple[str, str]
Parts = Mapping[tuple[int, int], Fraction]
"""Fraction of the whole load by processor (or link) and position in the sequence."""

Dated = Callable[[Place, int, Fraction, Fraction], Fraction]
"""From where, which installment, the earliest start and the duration, to the end."""


@dataclass(frozen=True)
class Passage:
    """When loads are complete: by load the end of its last computation, and the last end."""

    completions: list[Fraction]
    makespan: Fraction


def crossing_parts(terms: Terms, shares: Parts) -> dict[tuple[int, int], Fraction]:
    """Give, by link and installment, what the processors behind the link compute of it.

    Parameters
    ----------
    terms
        Times of processors and links for each load, as the referee reads them.
    shares
        Fraction of the whole load by processor and position in the sequence.
    """
    parts: Amounts[tuple[int, int]] = Amounts()
    for (i, t), share in shares.items():
        for link in range(i):
            parts[link, t] += share
    return parts


def walk(terms: Terms, shares: Parts, dated: Dated) -> Passage:
    """Go through transfers and computations in order; `dated` says when each ends.

    The earliest start of a transfer is the latest of the load's release (on the first link), its
    arrival, and the end of the link's last one. Under ``strict_one_port`` the end of the last one
    that the receiver forwards counts, too. Of a computation: the processor's availability, the
    load's release (on the first processor), its arrival, the end of the processor's last one. A
    transfer that is empty ends there. What a processor computes nothing of does not concern it.

    Parameters
    ----------
    terms
        Times of processors and links for each load, as the referee reads them.
    shares
        Fraction of the whole load by processor and position in the sequence.
    dated
        Gives the end from place, installment, earliest start and duration.
    """
    crossing = crossing_parts(terms, shares)
    links = len(terms.wire)
    last_sent = [ZERO] * links
    idle_from = list(terms.available)
    completions = [ZERO] * len(terms.counts)
    for t, (load, _) in enumerate(terms.sequence):
        before = list(last_sent)
        for link in range(links):
            start = max(before[link], last_sent[link - 1] if link else terms.released[load])
            if terms.strict and link + 1 < links:
                start = max(start, before[link + 1])
            if part := crossing.get((link, t), ZERO):
                place = (terms.ids[link], terms.ids[link + 1])
                start = dated(place, t, start, part * terms.wire[link][load])
            last_sent[link] = start
        for i in range(len(terms.ids)):
            if share := shares.get((i, t), ZERO):
                arrival = last_sent[i - 1] if i else terms.released[load]
                start, time = max(idle_from[i], arrival), terms.work[i][load] or ZERO
                idle_from[i] = end = dated(terms.ids[i], t, start, share * time)
                completions[load] = max(completions[load], end)
    return Passage(completions, max(completions))


def replay(
    terms: Terms,
    shares: Parts,
    events: list[Event],
    findings: Findings,
) -> Passage:
    """Check every event of a timeline against the shares and against what must come before.

    Parameters
    ----------
    terms
        Times of processors and links for each load, as the referee reads them.
    shares
        Fraction of the whole load by processor and position in the sequence.
    events
        Those of the timeline.
    findings
        Collects the faults that are found.

    Notes
    -----
    Rules, in this order:

    == =========================================== =====================
    1  an event is of an installment that there is `unknown_installment`
    2  no event is listed twice                    `event_twice`
    3  events are listed by their starts           `events_unsorted`
    4  each is one that the shares need            `idle_event`
    5  all that they need are there                `missing_event`
    6  each carries what the shares say            `wrong_share`
    7  it starts no earlier than `walk` allows     `too_early`
    8  it takes the time of its part               `wrong_duration`
    == =========================================== =====================
    """
    at: Pointer = ("schedule", "events")
    position = {key: t for t, key in enumerate(terms.sequence)}
    known: dict[tuple[Place, int], tuple[int, Event]] = {}
    names = {name: k for k, name in enumerate(terms.loads)}
    for place, event in enumerate(events):
        key = position.get((names.get(event.load, -1), event.installment))
        if key is None:
            findings.add((*at, place), "unknown_installment", f"{_text(event)} does not exist.")
            continue
        if (event.place, key) in known:
            findings.add((*at, place), "event_twice", f"{_text(event)} is listed twice.")
        known[event.place, key] = (place, event)
        if place and event.start < events[place - 1].start:
            findings.add((*at, place), "events_unsorted", f"{_text(event)} is listed too late.")
    parts = crossing_parts(terms, shares)
    needed: dict[tuple[Place, int], Fraction] = {
        ((terms.ids[link], terms.ids[link + 1]), t): part for (link, t), part in parts.items()
    }
    needed |= {(terms.ids[i], t): share for (i, t), share in shares.items()}
    for idle in known.keys() - needed.keys():
        place, event = known[idle]
        findings.add((*at, place), "idle_event", f"{_text(event)} is of nothing.")

    def dated(where: Place, t: int, earliest: Fraction, duration: Fraction) -> Fraction:
        if (where, t) not in known:
            findings.add(
                at, "missing_event", f"Installment {t + 1} in order is missing on {where!r}."
            )
            return earliest + duration
        place, event = known[where, t]
        here = (*at, place)
        if event.share != needed[where, t]:
            wanted = show(needed[where, t])
            findings.add(here, "wrong_share", f"{_text(event)} has share {wanted}.")
        if event.start < earliest:
            findings.add(here, "too_early", f"{_text(event)} cannot start before {show(earliest)}.")
        if event.end - event.start != duration:
            findings.add(here, "wrong_duration", f"{_text(event)} takes {show(duration)}.")
        return event.end

    return walk(terms, shares, dated)


def _text(event: Event) -> str:
    where = event.place if isinstance(event.place, str) else " -> ".join(event.place)
    return f"Installment {event.installment} of load {event.load!r} on {where!r}"
