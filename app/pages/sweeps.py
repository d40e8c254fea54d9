"""What the pages of sweeps show; sync, for the thread pool."""

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple
from urllib.parse import urlencode

from fastapi import Request

from app.db.sweeps import SweepRecord
from app.http.identity import tenant_of
from app.http.pages import DEFAULT_LIMIT
from app.http.pictures import pictures_installed
from app.http.resources import resources_of
from app.pages import studies, words
from app.pages.quantities import Shown, brief
from app.sweeps import service, table
from app.sweeps.documents import can_retry
from app.sweeps.picture_endpoints import NAME as PICTURE
from steadygrid.domain.document import canonical_json
from steadygrid.domain.errors import SchedulingError
from steadygrid.domain.job import JobState, Outcome
from steadygrid.domain.patch import places
from steadygrid.report.glyphs import UNICODE, printable, shorten
from steadygrid.report.layout import Column, Listing
from steadygrid.studies.sweep_plan import Parameter
from steadygrid.studies.sweep_table import SweepRow

VALUES = 12
"""Of a parameter. The rest is counted."""
_LONGEST = 40
"""Characters of a value."""


class Line(NamedTuple):
    """A sweep in a list."""

    record: SweepRecord
    name: str
    says: str


class Row(NamedTuple):
    """A job in a sweep's table."""

    row: SweepRow
    state: JobState
    outcome: Outcome | None
    values: Sequence[str]
    value: Shown | None
    gap: str


def line(record: SweepRecord) -> Line:
    """Write a sweep for a list."""
    return Line(record, words.sweep_name(record), words.sweep(record, datetime.now(UTC)))


def listed(request: Request, token: str | None) -> dict[str, Any]:
    """List sweeps, 50 a page; `Refusal` for a wrong page token.

    Parameters
    ----------
    request
        Of the client. It says which tenant asks.
    token
        Of the page before. None: the first page.
    """
    page = service.listed(resources_of(request), tenant_of(request), DEFAULT_LIMIT, token)
    return {"lines": [line(record) for record in page.items], "next_token": page.next_token}


def sweep_context(
    request: Request, sweep_id: str, token: str | None, axes: tuple[str, str]
) -> dict[str, Any]:
    """Describe a sweep.

    Parameters
    ----------
    token
        Of a page of its table.
    axes
        Names of the parameters that the picture is to have along and down; empty: the default.

    Raises
    ------
    Refusal
        ``not_found``, ``sweep_purged``; ``invalid_request`` for a wrong page token.
    """
    parts, tenant = resources_of(request), tenant_of(request)
    record, plan, outcomes, stored, tries = service.whole(parts, tenant, sweep_id)
    page = table.page(parts, tenant, sweep_id, DEFAULT_LIMIT, token)
    asked = [Parameter.model_validate(one) for one in plan.get("parameters", ())]
    names = [parameter.name for parameter in asked]
    varying = [parameter.name for parameter in asked if len(parameter.values) > 1]
    chosen = {name: axis for name, axis in zip(("x", "y"), axes, strict=True) if axis in varying}
    return {
        "record": record,
        "name": words.sweep_name(record),
        "says": words.sweep(record, datetime.now(UTC)),
        "found": _range(table.all_rows(parts, tenant, sweep_id)) if asked else (),
        "outcomes": {outcome: count for outcome, count in outcomes.items() if count},
        "retry": can_retry(record),
        "parameters": _parameters(asked),
        "names": [printable(name) for name in names],
        "rows": [_row(row, names) for row in page.items],
        "next_token": page.next_token,
        "first": token is None,
        "picture": f"/v1/sweeps/{record.id}/pictures/{PICTURE}" if asked else "",
        "picture_query": urlencode(chosen),
        "axes": chosen,
        "varying": varying if len(varying) > 1 and plan.get("mode") == "product" else [],
        "drawn": pictures_installed(),
        "warnings": plan.get("warnings", ()),
        "study": None if stored is None else studies.study(stored, tries, over=record.state.final),
    }


def _range(rows: Sequence[SweepRow]) -> words.Sentence:
    """Say between which values answers lie, and which is best; empty as long as there is none."""
    valued = [row for row in rows if row.value is not None]
    if not valued:
        return ()
    ranked = sorted(valued, key=lambda row: (row.value, row.index))
    least, greatest = ranked[0], ranked[-1]
    noun = (least.objective or "value").replace("_", " ")
    among = words.amount(len(valued), "combination")
    if least.value == greatest.value:
        return f"The {noun} is ", brief(least.value), f" in all of {among} with an answer."
    best = least if least.objective != "throughput" else greatest
    alike = sum(row.value == best.value for row in valued) - 1
    told = ", ".join(f"{printable(name)} = {_value(one)}" for name, one in best.parameters.items())
    others = f", and {words.amount(alike, 'other')}" if alike else ""
    return (
        f"The {noun} goes from ",
        brief(least.value),
        " to ",
        brief(greatest.value),
        f" over {among}. It is best with {told}{others}.",
    )


def _parameters(asked: Sequence[Parameter]) -> Listing:
    columns = [
        Column("parameter"),
        Column("what it does"),
        Column("where"),
        Column("values"),
    ]
    rows = [
        [
            printable(parameter.name),
            "is put" if parameter.at is not None else "multiplies",
            printable(", ".join(parameter.targets)),
            _values(parameter.values),
        ]
        for parameter in asked
    ]
    return Listing("What varies", columns, rows, len(rows), "parameters")


def _values(values: Sequence[Any]) -> str:
    told = ", ".join(_value(value) for value in values[:VALUES])
    return f"{told} and {len(values) - VALUES:,} more" if len(values) > VALUES else told


def _value(value: Any) -> str:
    text = value if isinstance(value, str) else canonical_json(value)
    return shorten(printable(text), _LONGEST, UNICODE)


def _row(row: SweepRow, names: Sequence[str]) -> Row:
    document = row.document()
    return Row(
        row,
        JobState(row.state),
        None if row.outcome is None else Outcome(row.outcome),
        [_value(row.parameters[name]) for name in names],
        None if row.value is None else brief(document["value"]),
        "" if row.gap is None else words.gap(document["gap"]),
    )


def first_draft(instance: Mapping[str, Any]) -> str:
    """Write the body of a sweep to begin with: a job's, some of whose quantities are multiplied."""
    for noun, target in (
        ("speeds", "/problem/platform/processors/*/speed"),
        ("unit times", "/problem/platform/processors/*/unit_time"),
        ("bandwidths", "/problem/platform/links/*/bandwidth"),
        ("times per unit of data", "/problem/platform/links/*/unit_time"),
        ("work", "/problem/application/tasks/*/work"),
    ):
        if _leads_somewhere(instance, target):
            scaled: dict[str, Any] = {"name": noun, "scale": [target], "values": ["1/2", "1", "2"]}
            break
    else:
        scaled = {"name": "time", "at": ["/options/time_limit"], "values": [30, 60]}
    body = {"template": instance, "parameters": [scaled]}
    return json.dumps(body, indent=2, ensure_ascii=False)


def _leads_somewhere(instance: Mapping[str, Any], target: str) -> bool:
    try:
        return bool(places(instance, target))
    except SchedulingError:
        return False
