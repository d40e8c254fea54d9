"""Rules for the timelines of results whose schedules run once."""

from collections.abc import Sequence
from fractions import Fraction

from steadygrid.domain.one_shot import LoadEvent
from steadygrid.domain.timeline import Event, Timeline
from steadygrid.verification.findings import Findings


def read_events(timeline: Sequence[LoadEvent], findings: Findings) -> list[Event]:
    """Read the events of a result. A computation has a processor, a transfer a link.

    Parameters
    ----------
    timeline
        As the result lists it.
    findings
        Gets the faults.

    Notes
    -----
    Rules, in this order:

    == ======================================================================= =====================
    1  an event with a link is a transfer, one with a processor a computation, `wrong_kind_of_event`
       and none has both or neither
    == ======================================================================= =====================
    """
    events: list[Event] = []
    for place, event in enumerate(timeline):
        where: str | tuple[str, str] = event.processor or "" if event.link is None else event.link
        kind = "compute" if event.link is None else "transfer"
        if event.kind != kind or (event.link is None) == (event.processor is None):
            findings.add(
                ("result", "timeline", place),
                "wrong_kind_of_event",
                "A computation has a processor, a transfer a link.",
            )
        events.append(
            Event(event.start, event.end, where, event.load, event.installment, event.share)
        )
    return events


def check_agreement(
    ports: str,
    makespan: Fraction | None,
    events: Sequence[Event],
    schedule: Timeline,
    findings: Findings,
) -> None:
    """Check that a schedule has the ports that were asked, and the result's makespan and events.

    Parameters
    ----------
    ports
        The port model that was asked.
    makespan
        Of the result. None where it has none.
    events
        Of the result, see `read_events`.
    schedule
        The one to check.
    findings
        Gets the faults.

    Notes
    -----
    Rules, in this order:

    == ======================================= ====================
    1  the ports are those that were asked for `wrong_ports`
    2  the makespan is that of the result      `makespans_disagree`
    3  the events are those of the result      `timelines_disagree`
    == ======================================= ====================
    """
    if schedule.ports != ports:
        findings.add(
            ("schedule", "ports"),
            "wrong_ports",
            f"The ports are {schedule.ports}, which were not asked for.",
        )
    if schedule.makespan != makespan:
        findings.add(
            ("schedule", "makespan"), "makespans_disagree", "The result has another makespan."
        )
    if list(schedule.events) != list(events):
        findings.add(
            ("schedule", "events"), "timelines_disagree", "The result has another timeline."
        )
