"""Schedules, read no further than an answer needs them; sync, for the thread pool."""

import base64
import re
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import islice
from typing import Any, NamedTuple

from app.db.engine import Database
from app.db.ids import is_id
from app.db.packing import entries_text
from app.db.pages import Page, decode_token, encode_token
from app.db.schedules import ScheduleRecord
from app.db.unit import Unit
from app.http.answers import to_json, with_numbers
from app.http.dates import read_date
from app.http.pages import page_token_checked
from app.http.refusals import Refusal, refused_parameter
from app.http.resources import Resources
from app.schedules.timeline import MOST_STEPS, PeriodicTimeline, Position, read_position
from app.schedules.transfers import Bars, derived_page, is_in_runs, stored_runs
from steadygrid.domain.dispatch import dispatch_order
from steadygrid.domain.forms import form_of
from steadygrid.domain.rational import parse_exact
from steadygrid.domain.schedule import Allocation, Computation, Schedule
from steadygrid.domain.slots import Slot
from steadygrid.domain.timeline import Timeline
from steadygrid.domain.timetable import (
    Occurrence,
    Timetable,
    earliest,
    occurrence_document,
    occurrences,
    row_from_document,
)
from steadygrid.domain.wording import shown

_QUANTITIES = frozenset(
    {
        *("period", "makespan", "instances_per_period", "throughput", "optimal_throughput"),
        *("loss", "rounding_loss", "rate", "share", "count"),
        *("start", "end", "time", "duration", "every", "residue", "modulus"),
        *("latency_time", "completion_time_at_most", "no_schedule_before"),
    }
)
_QUANTITIES_OF_RUN = frozenset(
    {
        *("instances", "completion_time_at_most", "no_schedule_before", "ratio"),
        *("horizon", "instances_at_least", "instances_at_most"),
    }
)
_LISTS = frozenset({"transfers", "cargo"})
SLOTS_AT_ONCE = 64
_TURN = re.compile(r"([0-9]{1,9})\.([0-9]{1,4300})", re.ASCII)
"""Rows may start again after a small part of a time unit: turns have more digits than dates."""


def header(parts: Resources, tenant: str, schedule_id: str, numbers: str) -> dict[str, Any]:
    """Give a schedule without its parts; `Refusal` ``not_found``.

    Parameters
    ----------
    parts
        The parts of the running application.
    tenant
        Who asks.
    schedule_id
        Of the schedule.
    numbers
        ``exact``: numbers are strings; ``float``: the nearest doubles.
    """
    with parts.database.read(tenant) as unit:
        record = _existing(unit, schedule_id)
    own = f"/v1/schedules/{schedule_id}"
    names = (
        "allocations",
        "computations",
        "runs",
        "slots",
        "rows",
        "timeline",
        "dispatch",
        "document",
    )
    links = {"self": own} | {name: f"{own}/{name}" for name in names}
    return {"id": schedule_id} | _numbered(record.header, numbers) | {"links": links}


def document(parts: Resources, tenant: str, schedule_id: str) -> Iterator[bytes]:
    """Write a schedule with all of its parts, piece by piece; `Refusal` ``not_found``.

    No transaction stays open between two chunks, however slowly the pieces are taken.

    Parameters
    ----------
    parts
        The parts of the running application.
    tenant
        Who asks.
    schedule_id
        Of the schedule.

    Raises
    ------
    RuntimeError
        While pieces are taken: the schedule has been deleted meanwhile. What was written so far
        must not pass for a whole document.
    """
    with parts.database.read(tenant) as unit:
        record = _existing(unit, schedule_id)
    return _document(parts.database, tenant, record)


def _document(database: Database, tenant: str, record: ScheduleRecord) -> Iterator[bytes]:
    yield to_json(record.header).removesuffix(b"}")
    for name in form_of(record.header).parts_in(record.header):
        yield to_json(name).join((b",\n", b":["))
        missing, number = int(record.header["counts"][name]), 0
        while missing:
            with database.read(tenant) as unit:
                chunk = unit.schedules.chunk(record.id, name, number)
            if chunk is None:
                raise RuntimeError("a schedule was deleted while it was read")
            yield b",\n" if number else b"\n"
            yield from entries_text(chunk[1])
            missing, number = missing - chunk[0], number + 1
        yield b"]"
    yield b"}\n"


def _existing(unit: Unit, schedule_id: str) -> ScheduleRecord:
    record = unit.schedules.get(schedule_id) if is_id("sch_", schedule_id) else None
    if record is None:
        raise no_such_schedule()
    return record


def no_such_schedule() -> Refusal:
    """Say that there is none, or none of this tenant."""
    return Refusal("not_found", "There is no such schedule.")


def part(
    parts: Resources,
    tenant: str,
    schedule_id: str,
    name: str,
    limit: int,
    token: str | None,
    numbers: str,
) -> Page[dict[str, Any]]:
    """Give a page of a part.

    Parameters
    ----------
    parts
        The parts of the running application.
    tenant
        Who asks.
    schedule_id
        Of the schedule.
    name
        Of the part, such as ``slots``.
    limit
        Most on the page.
    token
        Of the page before. None: the first page.
    numbers
        ``exact``: numbers are strings; ``float``: the nearest doubles.

    Raises
    ------
    Refusal
        ``not_found``, ``slots_too_many``, or for a wrong page token.
    """
    with page_token_checked(token), parts.database.read(tenant) as unit:
        record = _existing(unit, schedule_id)
        most = parts.settings.limits.max_slot_transfers
        page = derived_page(unit, record, name, limit, token, most)
        if page is None:
            page = unit.schedules.page(schedule_id, name, limit, token)
    return Page([_numbered(item, numbers) for item in page.items], page.next_token)


def _numbered(item: Mapping[str, Any], numbers: str) -> dict[str, Any]:
    """Turn an entry's quantities, and those of what it lists, into JSON numbers on demand."""
    if numbers != "float":
        return dict(item)
    document = with_numbers(item, _QUANTITIES)
    for name in _LISTS & document.keys():
        document[name] = [with_numbers(one, _QUANTITIES) for one in document[name]]
    if document.get("run") is not None:
        document["run"] = with_numbers(document["run"], _QUANTITIES_OF_RUN)
    return document


def first_instance(first: int | None, start: int | None) -> tuple[str, int]:
    """Tell by which parameter a client said where an order begins, and what it said.

    Parameters
    ----------
    first, start
        What ``from`` and ``start`` say. None: nothing.

    Raises
    ------
    Refusal
        ``invalid_request`` where both are given.
    """
    if first is not None and start is not None:
        raise refused_parameter(
            "start", "conflicting_parameters", "start is an older name of from: give one of them"
        )
    if start is not None:
        return "start", start
    return "from", 0 if first is None else first


def dispatch(
    parts: Resources,
    tenant: str,
    schedule_id: str,
    count: int,
    message: str | None,
    name: str,
    start: int,
) -> list[int]:
    """Give the allocation of each of `count` instances, of a message if there are any.

    Parameters
    ----------
    parts
        The parts of the running application.
    tenant
        Who asks.
    schedule_id
        Of the schedule.
    count
        How many instances.
    message
        Name of a message of a collective operation. None if there are none.
    name
        Of the parameter that says `start`.
    start
        How many instances have been handed out before.

    Raises
    ------
    Refusal
        ``not_found``; ``invalid_request`` where a message must be named, the schedule has none
        of this name, or too many instances decide what follows `start`.
    """
    with parts.database.read(tenant) as unit:
        _existing(unit, schedule_id)
        rates: dict[int, Fraction] = {}
        others: set[str | None] = set()
        for item in unit.schedules.items(schedule_id, "allocations"):
            if item.get("message") == message:
                rates[int(item["index"])] = parse_exact(item["rate"])
            else:
                others.add(item.get("message"))
    if others and message is None:
        raise refused_parameter(
            "message",
            "missing_parameter",
            f"an instance of this schedule is one of each of its messages: name one, such as"
            f" {shown(str(min(others, key=str)))}",
        )
    if message is not None and not rates:
        raise refused_parameter(
            "message",
            "unknown_message",
            f"no allocation of this schedule carries a message {shown(message)}",
        )
    indices = sorted(rates)
    if not indices:
        return []
    try:
        order = dispatch_order([rates[index] for index in indices], count, start)
    except ValueError as error:
        raise refused_parameter(name, "limit_exceeded", str(error)) from None
    return [indices[i] for i in order]


def timeline(
    parts: Resources,
    tenant: str,
    schedule_id: str,
    begin: str | None,
    end: str | None,
    limit: int,
    token: str | None,
    numbers: str,
) -> Page[dict[str, Any]]:
    """Give events of a window of time, in the order of their starts.

    Parameters
    ----------
    parts
        The parts of the running application.
    tenant
        Who asks.
    schedule_id
        Of the schedule.
    begin, end
        The window, in time units, as it was written. None: as far as there is something.
    limit
        Most on the page.
    token
        Of the page before. None: the first page.
    numbers
        ``exact``: numbers are strings; ``float``: the nearest doubles.

    Raises
    ------
    Refusal
        ``not_found``; ``invalid_request`` for dates that are none and a wrong page token.
    """
    window = _Window(
        None if begin is None else read_date("from", begin),
        None if end is None else read_date("to", end),
    )
    if window.end is not None and window.end < window.start:
        raise refused_parameter("to", "window_backwards", "the window ends before it begins")
    with parts.database.read(tenant) as unit:
        record = _existing(unit, schedule_id)
        page = EVENTS[record.header["form"]](unit, record, window, limit, token)
    return Page([_numbered(item, numbers) for item in page.items], page.next_token)


class _Window(NamedTuple):
    """What a client asked to see. None where it left that to the schedule."""

    begin: Fraction | None
    end: Fraction | None

    @property
    def start(self) -> Fraction:
        return Fraction(0) if self.begin is None else self.begin


_Page = Page[dict[str, Any]]


def _events_of_periods(
    unit: Unit, record: ScheduleRecord, window: _Window, limit: int, token: str | None
) -> _Page:
    """Give a page of what happens in a window of a schedule that repeats."""
    after = None if token is None else _position(token)
    walk = _timeline(unit, record)
    end = window.end
    if end is None:
        periods = 1 if window.begin is not None else record.header["prologue_periods"] + 1
        end = window.start + periods * walk.period
    items: list[dict[str, Any]] = []
    for steps, step in enumerate(walk.walk(window.start, end, after), 1):
        if step.event is not None:
            items.append(step.event)
        if len(items) == limit or steps == MOST_STEPS:
            return Page(items, _token(str(step.position)))
    return Page(items, None)


def _events_of_one_run(
    unit: Unit, record: ScheduleRecord, window: _Window, limit: int, token: str | None
) -> _Page:
    """Give a page of what happens in a window of a schedule that runs once."""
    with page_token_checked(token):
        first = 0 if token is None else decode_token(token, (int,))[0]
    items: list[dict[str, Any]] = []
    for number, event in enumerate(unit.schedules.items(record.id, "events", first), first):
        if len(items) == limit or number == first + MOST_STEPS:
            return Page(items, encode_token([number]))
        if window.end is not None and parse_exact(event["start"]) >= window.end:
            break
        if parse_exact(event["end"]) > window.start:
            items.append(event)
    return Page(items, None)


def _events_of_rows(
    unit: Unit, record: ScheduleRecord, window: _Window, limit: int, token: str | None
) -> _Page:
    """Give a page of what happens in a window of a schedule that repeats row by row."""
    after = None if token is None else _occurrence(token, unit, record)
    end = window.end
    if end is None:
        end = window.start + parse_exact(record.header["period"])
    entries = unit.schedules.items(record.id, "rows")
    rows = earliest(entries, window.start, end, limit, after)
    found = list(islice(occurrences(rows, window.start, end, after), limit))
    items = [occurrence_document(rows[one.row], one) for one in found]
    last = found[-1] if len(found) == limit else None
    return Page(items, None if last is None else _token(f"{last.row}.{last.turn}"))


def _occurrence(token: str, unit: Unit, record: ScheduleRecord) -> Occurrence:
    """Read where a page ended: at which turn of which row."""
    found = _TURN.fullmatch(_text(token))
    if found is None or int(found[1]) >= record.header["counts"]["rows"]:
        raise _wrong_token()
    position, turn = int(found[1]), int(found[2])
    row = row_from_document(next(unit.schedules.items(record.id, "rows", position)))
    return Occurrence(row.start + turn * row.every, position, turn)


EVENTS: Mapping[str, Callable[[Unit, ScheduleRecord, _Window, int, str | None], _Page]] = {
    Schedule.form: _events_of_periods,
    Timeline.form: _events_of_one_run,
    Timetable.form: _events_of_rows,
}
"""What gives the events, by the form of the schedule."""


def _timeline(unit: Unit, record: ScheduleRecord) -> PeriodicTimeline:
    def entries(name: str, first: int = 0) -> Iterator[dict[str, Any]]:
        return unit.schedules.items(record.id, name, first)

    # Only the small parts are read here; the slots stay where they are.
    head = Schedule.from_document(
        record.header
        | {
            "allocations": list(entries("allocations")),
            "computations": list(entries("computations")),
            "slots": [],
        }
    )
    allocations: tuple[Allocation, ...] = head.allocations
    computations: list[Computation] = sorted(head.computations, key=lambda one: one.start)

    def slots(first: int) -> Iterator[Slot]:
        left = entries("slots", first)
        while some := list(islice(left, SLOTS_AT_ONCE)):
            document = {"allocations": [], "computations": [], "slots": some}
            yield from Schedule.from_document(record.header | document).slots

    def index_at(moment: Fraction) -> int:
        return unit.schedules.index_at(record.id, "slots", moment)

    bars = Bars(lambda: stored_runs(unit, record)) if is_in_runs(record.header) else None
    return PeriodicTimeline(
        head.period,
        head.ports,
        head.files,
        allocations,
        computations,
        slots if bars is None else bars.starting_with,
        index_at if bars is None else bars.index_at,
    )


def _token(text: str) -> str:
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def _text(token: str) -> str:
    try:
        return base64.b64decode(token + "=" * (-len(token) % 4), altchars=b"-_").decode("ascii")
    except ValueError:
        raise _wrong_token() from None


def _position(token: str) -> Position:
    try:
        return read_position(_text(token))
    except ValueError:
        raise _wrong_token() from None


def _wrong_token() -> Refusal:
    return refused_parameter(
        "page_token", "invalid_page_token", "it is not a next_page_token of this list"
    )
