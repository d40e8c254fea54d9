"""``/v1/sweeps/{sweep_id}/pictures``."""

from typing import Annotated, NamedTuple

from fastapi import APIRouter, Query, Request, Response
from fastapi.concurrency import run_in_threadpool

from app.db.packing import pack
from app.db.sweeps import SweepRecord
from app.http.answers import ASK_AGAIN
from app.http.identity import tenant_of
from app.http.picture_answers import list_answer, list_answers, picture_answer, picture_answers
from app.http.picture_parameters import (
    PictureFormat,
    Scale,
    ThemeOf,
    Width,
    only_applicable,
    read_format,
    wanted_document,
)
from app.http.pictures import Order
from app.http.refusals import Refusal
from app.http.resources import resources_of
from app.sweeps import service, table
from app.sweeps.documents import counts_document
from steadygrid.pictures.picture import Wanted

router = APIRouter(prefix="/v1/sweeps/{sweep_id}/pictures", tags=["pictures"])

NAME = "table"
"""The one picture that a sweep has."""
Axis = Annotated[
    str | None,
    Query(max_length=200, description="the parameter on this axis. By default one that varies"),
]


class _Entry(NamedTuple):
    name: str
    title: str
    says: str


ENTRY = _Entry(
    NAME,
    "Values over the parameters",
    "What came of each job: a line, bars, or maps over the parameters that vary.",
)


@router.get("", responses=list_answers(410))
def list_sweep_pictures(request: Request, sweep_id: str) -> Response:
    """List the pictures of a sweep. A what-if has none."""
    parts, tenant = resources_of(request), tenant_of(request)
    found = service.whole(parts, tenant, sweep_id)
    entries = [ENTRY] if "parameters" in found.plan else []
    return list_answer(f"/v1/sweeps/{sweep_id}/pictures", entries)


@router.get(f"/{NAME}.{{format}}", response_class=Response, responses=picture_answers(410))
async def get_sweep_picture(
    request: Request,
    sweep_id: str,
    format_name: PictureFormat,
    theme: ThemeOf = "light",
    width: Width = 800,
    scale: Scale = 1,
    x: Axis = None,
    y: Axis = None,
) -> Response:
    """Give the picture of a sweep, with the jobs that have ended by now.

    `x` and `y` name the parameters along a map and down it; of the others, there is a map for each
    combination of their values.
    """
    parts, tenant = resources_of(request), tenant_of(request)
    found = await run_in_threadpool(service.whole, parts, tenant, sweep_id)
    if "parameters" not in found.plan:
        raise Refusal("no_such_picture", "A what-if has no picture. See its upgrades.")
    form = read_format(format_name)
    wanted = Wanted(theme, width, scale)
    only_applicable(wanted, NAME, form)
    axes = {axis: name for axis, name in (("x", x), ("y", y)) if name is not None}

    def order() -> Order:
        rows = [row.document() for row in table.all_rows(parts, tenant, sweep_id)]
        asked = {
            "sweep": sweep_id,
            "format": form,
            "wanted": wanted_document(wanted),
            "axes": axes,
        }
        return Order(asked, pack({"plan": dict(found.plan), "rows": rows}))

    version = [sweep_id, *axes.items(), _version(found.record)]
    return await picture_answer(
        request, str(version), sweep_id, NAME, form, wanted, order, kept=ASK_AGAIN
    )


def _version(record: SweepRecord) -> str:
    """Say which jobs have ended. A job that has ended stays as it is."""
    return f"{counts_document(record)} {record.finished_at}"
