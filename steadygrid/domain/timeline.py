"""The schedule that runs once: what happens when, from 0 until everything is done.

Another form of schedules, besides the periodic one of `steadygrid.domain.schedule`. Its header has
the same members, null where there is no period to speak of, and its only part is the timeline.
`Timeline.document` and `Timeline.from_document` are its JSON form.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, ClassVar, Literal, NamedTuple

from steadygrid.domain.header import (
    GROUPING,
    Headed,
    Parts,
    read_counts,
    require_form,
    text_of,
)
from steadygrid.domain.rational import parse_exact, parse_whole

OncePorts = Literal["strict_one_port", "one_port"]
"""Port models of schedules that run once."""


class Event(NamedTuple):
    """An installment of a load is computed by a processor, or sent over a link."""

    start: Fraction
    end: Fraction
    place: str | tuple[str, str]
    """The processor that computes; or the sender and the receiver."""
    load: str
    installment: int
    """Counted from 1."""
    share: Fraction
    """Part of the load that is computed or sent."""


def event_document(event: Event) -> dict[str, Any]:
    """Write an event as the timeline shows it."""
    sent = not isinstance(event.place, str)
    return {
        "start": str(event.start),
        "end": str(event.end),
        **({"link": list(event.place)} if sent else {"processor": event.place}),
        "kind": "transfer" if sent else "compute",
        "load": event.load,
        "installment": event.installment,
        "share": str(event.share),
    }


@dataclass(frozen=True)
class Timeline(Headed):
    """A schedule that runs once.

    A kind whose schedules have this form declares ``Problem(form=Timeline, ...)``. Its solver
    answers with ``Solution(result, schedule=Timeline(...))``. It is stored, served (``/timeline``;
    the parts of periodic schedules are empty), written by ``solve --schedule`` and read by
    ``check`` like any other, and `Problem.validate` gets it as its schedule.

    Attributes
    ----------
    makespan
        From 0 to the end of the last event.
    events
        By their starts.
    """

    form: ClassVar = "once"
    parts: ClassVar[Parts] = {"events": event_document}
    lacks: ClassVar = (
        "period",
        "instances_per_period",
        "throughput",
        "optimal_throughput",
        "loss",
        "rounding_loss",
        "bounded",
        "prologue_periods",
        "latency_periods",
        "preempted",
        *GROUPING,
    )

    ports: OncePorts
    makespan: Fraction
    events: tuple[Event, ...]
    stated_counts: Mapping[str, int] | None = field(default=None, compare=False)
    """As in `Schedule`."""

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> "Timeline":
        """Read the JSON form back. Numbers may be strings or JSON integers.

        Raises
        ------
        KeyError, TypeError, ValueError
            If the document does not have the form of a schedule that runs once.
        """
        require_form(document, cls.form, cls.lacks)
        return cls(
            ports=_ports(document["ports"]),
            makespan=parse_exact(document["makespan"]),
            events=tuple(_event(event) for event in document["events"]),
            stated_counts=read_counts(document),
        )


def _ports(value: Any) -> OncePorts:
    if value not in ("strict_one_port", "one_port"):
        raise ValueError(f"unknown port model {value!r}")
    return value  # type: ignore[no-any-return]


def _event(value: Mapping[str, Any]) -> Event:
    return Event(
        parse_exact(value["start"]),
        parse_exact(value["end"]),
        _place(value),
        text_of(value["load"]),
        parse_whole(value["installment"]),
        parse_exact(value["share"]),
    )


def _place(value: Mapping[str, Any]) -> str | tuple[str, str]:
    if value["kind"] == "compute":
        return text_of(value["processor"])
    if value["kind"] == "transfer":
        sender, receiver = value["link"]
        return text_of(sender), text_of(receiver)
    raise ValueError(f"unknown kind of event {value['kind']!r}")
