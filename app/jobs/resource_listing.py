"""The resources of a job's answer as documents; sync, for the thread pool."""

from collections.abc import Sequence
from fractions import Fraction
from threading import Lock
from typing import Any, Literal, NamedTuple

from app.db.pages import Page
from app.http.refusals import Refusal
from app.http.resources import Resources
from app.jobs import service
from app.picture_process import report_of
from steadygrid.domain.errors import format_pointer
from steadygrid.pictures.errors import NoSuchPicture
from steadygrid.pictures.picture import PictureTable
from steadygrid.report.resource_rows import Port, ResourceRow
from steadygrid.report.resources import ResourceList, resource_list

Shown = Literal["used", "all", "limits"]
Sorting = Literal["limits", "use", "does", "name"]

MOST_MEMBERS = 50
"""Members of twins that are named. The rest is counted."""
_UNUSED_PARTS = ("runs", "slots")
"""Parts of schedules that do not say how much a resource is used."""
_ONE_AT_A_TIME = Lock()
"""Reading large answers takes many times their length."""
_COLUMNS = (
    "key",
    "kind",
    "label",
    "count",
    "port",
    "busy",
    "price",
    "share",
    "planned",
    "value",
    "per_period",
    "does",
    "at_most",
)


class Choice(NamedTuple):
    """Which rows are wanted, and in which order.

    Attributes
    ----------
    find
        Part of a label, a key or a member, in upper or lower case. Empty: all rows.
    """

    fold: bool = True
    show: Shown = "used"
    sort: Sorting = "limits"
    find: str = ""


def listed(parts: Resources, tenant: str, job_id: str, fold: bool) -> ResourceList:
    """List the resources of a job's answer.

    Parameters
    ----------
    parts
        The parts of the running application.
    tenant
        Who asks.
    job_id
        Of the job.
    fold
        Whether twins are one row.

    Raises
    ------
    Refusal
        ``not_found``, ``job_not_finished``, ``job_failed``, ``job_cancelled``; ``no_resources`` for
        kinds without any, and for an answer of a version that this one cannot read.
    """
    service.succeeded(parts, tenant, job_id)
    stored = service.stored_answer(parts, tenant, job_id, _UNUSED_PARTS)
    try:
        with _ONE_AT_A_TIME:
            found = resource_list(report_of(stored), folded=fold)
    except NoSuchPicture:
        detail = "Another version made the answer: submit the instance again to list its resources."
        raise Refusal("no_resources", detail) from None
    if not found.rows:
        raise Refusal(
            "no_resources",
            "The answer names no processor, link or other resource. Its result has all it says.",
        )
    return found


def chosen(found: ResourceList, choice: Choice) -> list[ResourceRow]:
    """Give the rows that are wanted, in order; ties stay in the platform's order."""
    text = choice.find.casefold()
    rows = [row for row in found.rows if _shown(row, choice.show) and _matches(row, text)]
    match choice.sort:
        case "limits":
            rows.sort(key=lambda row: (-row.weight, not row.limits, -row.busy))
        case "use":
            rows.sort(key=lambda row: -row.busy)
        case "does":
            rows.sort(key=lambda row: Fraction(0) if row.does is None else -row.does)
        case "name":
            rows.sort(key=lambda row: row.label.casefold())
    return rows


def _shown(row: ResourceRow, show: Shown) -> bool:
    return row.used if show == "used" else row.limits if show == "limits" else True


def _matches(row: ResourceRow, text: str) -> bool:
    return any(text in one.casefold() for one in (row.label, row.key, *row.members))


def document(found: ResourceList, page: Page[ResourceRow]) -> dict[str, Any]:
    """Write a page of resources as the contract shows it."""
    return {
        "basis": found.basis,
        "throughput": _exact(found.throughput),
        "optimum": _exact(found.optimum),
        "period": _exact(found.period),
        "counts": {
            "rows": len(found.rows),
            "limiting": len(found.limiting),
            "idle_processors": found.idle_processors,
        },
        "items": [_row(row) for row in page.items],
        "next_page_token": page.next_token,
    }


def table(rows: Sequence[ResourceRow]) -> PictureTable:
    """Write rows as a table: a line for each port, and one for what has none."""
    lines = []
    for row in rows:
        planned = (None, None) if row.planned is None else (row.planned.field, row.planned.value)
        before = (row.key, row.kind, row.label, len(row.members))
        after = (*planned, row.per_period, row.does, row.at_most)
        ports: list[tuple[str | Fraction | None, ...]] = [
            (one.port, one.busy, one.price, one.share) for one in row.ports
        ]
        lines += [(*before, *said, *after) for said in ports or [(None,) * 4]]
    return PictureTable(_COLUMNS, tuple(lines))


def _row(row: ResourceRow) -> dict[str, Any]:
    planned, does = row.planned, row.does
    return {
        "key": row.key,
        "kind": row.kind,
        "label": row.label,
        "count": len(row.members),
        "members": list(row.members[:MOST_MEMBERS]),
        "planned": None
        if planned is None
        else {
            "field": planned.field,
            "value": _exact(planned.value),
            "text": planned.text,
            "pointer": None
            if planned.pointer is None
            else format_pointer(planned.pointer).removeprefix("#"),
        },
        "ports": [_port(port) for port in row.ports],
        "does": None
        if does is None
        else {"per_period": _exact(row.per_period), "share": _exact(does)},
        "share": _exact(row.share),
        "at_most": _exact(row.at_most),
    }


def _port(port: Port) -> dict[str, Any]:
    return {
        "port": port.port,
        "card": port.card,
        "busy": _exact(port.busy),
        "approx": None if port.busy is None else float(port.busy),
        "price": _exact(port.price),
        "share": _exact(port.share),
    }


def _exact(value: Fraction | None) -> str | None:
    return None if value is None else str(value)
