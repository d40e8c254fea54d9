"""What the events of a schedule that runs once wait for: data, ports, processors and dates."""

from collections import deque
from collections.abc import Callable, Sequence
from fractions import Fraction

from steadygrid.domain.errors import Fault
from steadygrid.domain.resources import (
    compute_resource,
    pair_name,
    port_resource,
    receive_resource,
    send_resource,
)
from steadygrid.domain.timeline import Event, Timeline
from steadygrid.domain.unrolling import Line, Repetition, Unrolling

Ends = tuple[str, str]


def _first_date(_event: Event) -> Fraction:
    return Fraction(0)


def unrolled_once(
    schedule: Timeline, root: str, not_before: Callable[[Event], Fraction] = _first_date
) -> Unrolling | list[Fault]:
    """Say what each event waits for; or why the schedule does not hold.

    An installment is computed, or sent on, after it has arrived. Its results are sent back after it
    has been computed, and after the results from behind have arrived. Ports and processors do one
    thing at a time.

    Parameters
    ----------
    schedule
        Of loads that come from one processor.
    root
        The processor.
    not_before
        Gives the date from which an event may start.

    Notes
    -----
    Rules, in this order:

    == ================================================================== =================
    1  the makespan is the end of the last event                          `wrong_makespan`
    2  every event starts after those that it waits for, and no earlier   `too_early`
       than it may
    3  on a port or a processor, it starts after the one before has ended `overlap`
    == ================================================================== =================
    """
    events = schedule.events
    lines = [
        Line(
            event.start,
            event.end - event.start,
            Fraction(0),
            event.place if isinstance(event.place, str) else pair_name(*event.place),
            _resources(event, strict=schedule.ports == "strict_one_port"),
            isinstance(event.place, str),
            not_before(event),
        )
        for event in events
    ]
    needs = _needs(events, root)
    if faults := _faults(schedule, lines, needs):
        return faults
    turns: list[Repetition] = []
    computed = 0
    for position, needed in enumerate(needs):
        instance = -1
        if lines[position].computes:
            instance, computed = computed, computed + 1
        turns.append(Repetition(position, 0, instance, needed))
    return Unrolling(lines, len(lines), lambda _instances: turns)


def _resources(event: Event, *, strict: bool) -> tuple[str, ...]:
    if event.start == event.end:
        return ()
    if isinstance(event.place, str):
        return (compute_resource(event.place),)
    sender, receiver = event.place
    if strict:
        return port_resource(sender), port_resource(receiver)
    return send_resource(sender), receive_resource(receiver)


def _needs(events: Sequence[Event], root: str) -> list[tuple[int, ...]]:
    above = _towards(events, root)
    arrived: dict[tuple[str, str, int], int] = {}
    computed: dict[tuple[str, str, int], int] = {}
    returned: dict[tuple[str, str, int], list[int]] = {}
    for position, event in enumerate(events):
        part = event.load, event.installment
        if isinstance(event.place, str):
            computed[event.place, *part] = position
        elif above.get(event.place[1]) == event.place[0]:
            arrived[event.place[1], *part] = position
        else:
            returned.setdefault((event.place[1], *part), []).append(position)
    found: list[tuple[int, ...]] = []
    for event in events:
        at, back = event.place, False
        if not isinstance(at, str):
            back = above.get(at[1]) != at[0]
            at = at[0]
        here = (at, event.load, event.installment)
        needed = [arrived[here]] if here in arrived else []
        if back:
            needed += returned.get(here, [])
            needed += [computed[here]] if here in computed else []
        found.append(tuple(needed))
    return found


def _towards(events: Sequence[Event], root: str) -> dict[str, str]:
    """Give the neighbour of each processor towards the root."""
    after: dict[str, dict[str, None]] = {}
    for event in events:
        if not isinstance(event.place, str):
            after.setdefault(event.place[0], {})[event.place[1]] = None
    above: dict[str, str] = {}
    reached = deque([root])
    while reached:
        here = reached.popleft()
        for there in after.get(here, ()):
            if there not in above and there != root:
                above[there] = here
                reached.append(there)
    return above


def _faults(
    schedule: Timeline, lines: Sequence[Line], needs: Sequence[tuple[int, ...]]
) -> list[Fault]:
    found: list[Fault] = []
    last = max((event.end for event in schedule.events), default=Fraction(0))
    if schedule.makespan != last:
        detail = f"the last event ends at {last}, not at {schedule.makespan}"
        found.append(Fault(("schedule", "makespan"), "wrong_makespan", detail))
    free: dict[str, Fraction] = {}
    ends = [event.end for event in schedule.events]
    order = sorted(range(len(lines)), key=lambda one: (lines[one].start, ends[one]))
    for position in order:
        line, at = lines[position], ("schedule", "events", position)
        earliest = max((ends[need] for need in needs[position]), default=line.not_before)
        if line.time < 0 or line.start < max(earliest, line.not_before):
            found.append(Fault(at, "too_early", "it starts before what it waits for has ended"))
        for resource in line.resources:
            if line.start < free.get(resource, Fraction(0)):
                found.append(Fault(at, "overlap", f"{resource} is busy when it starts"))
            free[resource] = ends[position]
    return found[:200]
