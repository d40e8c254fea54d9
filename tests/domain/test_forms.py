"""Every schedule says its form; older documents have one without saying so."""

from typing import Any

import pytest

from steadygrid.domain.forms import FORMS, form_of, schedule_from_document, whole_header
from steadygrid.domain.header import GROUPING
from steadygrid.domain.schedule import Schedule
from steadygrid.domain.timeline import Timeline
from tests.databases import small_schedule
from tests.domain.test_timeline import ONCE

BOTH = [small_schedule(), ONCE]


@pytest.mark.parametrize("schedule", BOTH, ids=lambda schedule: schedule.form)
def test_a_document_says_its_form_and_is_read_by_it(schedule: Schedule | Timeline) -> None:
    document = schedule.document
    assert document["form"] == schedule.form
    assert FORMS[schedule.form] is form_of(document) is type(schedule)
    assert schedule_from_document(document) == schedule
    assert document.keys() == schedule.header.keys() | schedule.listed.keys()


@pytest.mark.parametrize("schedule", BOTH, ids=lambda schedule: schedule.form)
def test_an_older_document_has_the_form_that_its_period_tells(
    schedule: Schedule | Timeline,
) -> None:
    older = schedule.document
    del older["form"]
    if isinstance(schedule, Schedule):
        del older["makespan"]
    assert schedule_from_document(older) == schedule
    assert type(schedule).from_document(older) == schedule
    parts = schedule.parts.keys()
    assert whole_header({k: v for k, v in older.items() if k not in parts}) == schedule.header


@pytest.mark.parametrize(
    ("form", "error"),
    [
        ("calendar", "a schedule's form is 'periodic', 'once' or 'timetable', not 'calendar'"),
        ("x" * 1000, "not 'x{40}'$"),
        ("periodic", "its form is 'periodic', but its period is None"),
        (None, "expected a name, not 'None'"),
        (["once"], "expected a name"),
    ],
)
def test_a_form_that_is_not_known_or_not_had_is_refused(form: Any, error: str) -> None:
    with pytest.raises((TypeError, ValueError), match=error):
        schedule_from_document(ONCE.document | {"form": form})


def test_a_schedule_is_read_as_the_form_it_says_whatever_is_expected() -> None:
    with pytest.raises(ValueError, match=r"its form is 'periodic', but this kind's .* 'once'"):
        Timeline.from_document(small_schedule().document)


@pytest.mark.parametrize("schedule", BOTH, ids=lambda schedule: schedule.form)
def test_what_only_another_form_has_is_refused(schedule: Schedule | Timeline) -> None:
    document = schedule.document
    empty = {name for name, value in document.items() if value is None} - {"rounding_loss"}
    assert empty == set(schedule.lacks) - {"rounding_loss", "bounded", *GROUPING}
    for name in schedule.lacks:
        with pytest.raises(ValueError, match=rf"its form is '{schedule.form}', but its {name} is"):
            schedule_from_document(document | {name: "1"})
