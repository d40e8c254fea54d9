"""``/v1/jobs/{job_id}/pictures``."""

from fastapi import APIRouter, Request, Response
from fastapi.concurrency import run_in_threadpool

from app.db.stored_answers import Window
from app.http.identity import tenant_of
from app.http.picture_answers import list_answer, list_answers, picture_answer, picture_answers
from app.http.picture_parameters import (
    AroundProcessor,
    Begin,
    Cells,
    End,
    Hops,
    Lanes,
    PictureFormat,
    PictureName,
    Scale,
    ThemeOf,
    Width,
    only_applicable,
    read_format,
    read_wanted,
    wanted_document,
)
from app.http.pictures import Order
from app.http.resources import resources_of
from app.jobs import service
from app.jobs.naming import file_stem
from steadygrid.pictures.gallery import GALLERY
from steadygrid.pictures.picture import GANTT

router = APIRouter(prefix="/v1/jobs/{job_id}/pictures", tags=["pictures"])

_LONG = ("runs", "slots")
"""The parts of a schedule that may hold a million transfers, and that only `GANTT` shows."""


@router.get("", responses=list_answers(409, 410))
async def list_pictures(request: Request, job_id: str) -> Response:
    """List the pictures of an answer."""
    parts, tenant = resources_of(request), tenant_of(request)
    await run_in_threadpool(service.succeeded, parts, tenant, job_id)

    def order() -> Order:
        head, payload = service.stored_answer(parts, tenant, job_id, _LONG).sent()
        return Order({"job": job_id, "stored": head}, payload)

    names = await parts.pictures.names(request, job_id, order)
    return list_answer(f"/v1/jobs/{job_id}/pictures", [GALLERY[name] for name in names])


@router.get("/{name}.{format}", response_class=Response, responses=picture_answers(409, 410))
async def get_picture(
    request: Request,
    job_id: str,
    name: PictureName,
    format_name: PictureFormat,
    theme: ThemeOf = "light",
    width: Width = 800,
    scale: Scale = 1,
    begin: Begin = None,
    end: End = None,
    lanes: Lanes = None,
    cells: Cells = 1000,
    around: AroundProcessor = None,
    hops: Hops = 1,
) -> Response:
    """Give a picture of an answer. It says nothing that the result and the schedule do not say."""
    parts, tenant = resources_of(request), tenant_of(request)
    record = await run_in_threadpool(service.succeeded, parts, tenant, job_id)
    form = read_format(format_name)
    wanted = read_wanted(theme, width, scale, begin, end, lanes, cells, around, hops)
    only_applicable(wanted, name, form)

    def order() -> Order:
        leave = () if name == GANTT else _LONG
        window = Window(wanted.begin, wanted.end)
        head, payload = service.stored_answer(parts, tenant, job_id, leave, window).sent()
        asked = {"name": name, "format": form, "wanted": wanted_document(wanted)}
        return Order({"job": job_id, "stored": head} | asked, payload)

    return await picture_answer(request, job_id, file_stem(record), name, form, wanted, order)
