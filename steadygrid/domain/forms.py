"""The forms that schedules have, and how a document says which one it is.

A form is a class: its `form` is what headers say, its `parts` are what it lists. A new one is a
class and a line in `FORMS`, and in `app.schedules.service` a line that says what happens when.
"""

from collections.abc import Mapping
from typing import Any

from steadygrid.domain.header import stated_form
from steadygrid.domain.schedule import Schedule
from steadygrid.domain.timeline import Timeline
from steadygrid.domain.timetable import Timetable

AnySchedule = Schedule | Timeline | Timetable

FORMS: Mapping[str, type[AnySchedule]] = {
    each.form: each for each in (Schedule, Timeline, Timetable)
}


def form_of(document: Mapping[str, Any]) -> type[AnySchedule]:
    """Give the form of a document or header.

    Raises
    ------
    KeyError, TypeError, ValueError
        If it has none that is known.
    """
    stated = stated_form(document)
    if stated not in FORMS:
        *others, last = map(repr, FORMS)
        known = f"{', '.join(others)} or {last}"
        raise ValueError(f"a schedule's form is {known}, not {stated[:40]!r}")
    return FORMS[stated]


def schedule_from_document(document: Mapping[str, Any]) -> AnySchedule:
    """Read a schedule of any form; errors as those of `form_of` and `Schedule.from_document`."""
    return form_of(document).from_document(document)


def whole_header(header: Mapping[str, Any]) -> dict[str, Any]:
    """Complete a stored header: older ones lack the members that say what all forms say."""
    return {"form": stated_form(header), "makespan": None, **header}
