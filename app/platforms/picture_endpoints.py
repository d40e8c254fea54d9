"""``/v1/platforms/{platform_id}/pictures``."""

from fastapi import APIRouter, Request, Response
from fastapi.concurrency import run_in_threadpool

from app.http import stored
from app.http.identity import tenant_of
from app.http.picture_answers import list_answer, list_answers, picture_answer, picture_answers
from app.http.picture_parameters import (
    AroundProcessor,
    Hops,
    PictureFormat,
    Scale,
    ThemeOf,
    Width,
    only_applicable,
    read_format,
    wanted_document,
)
from app.http.pictures import Order
from app.http.resources import resources_of
from app.platforms.service import SHELF
from steadygrid.pictures.gallery import GALLERY
from steadygrid.pictures.picture import PLATFORM, Wanted

router = APIRouter(prefix="/v1/platforms/{platform_id}/pictures", tags=["pictures"])


@router.get("", responses=list_answers())
def list_platform_pictures(request: Request, platform_id: str) -> Response:
    """List the pictures of a platform."""
    stored.must_exist(resources_of(request), tenant_of(request), SHELF, platform_id)
    return list_answer(f"/v1/platforms/{platform_id}/pictures", [GALLERY[PLATFORM]])


@router.get(f"/{PLATFORM}.{{format}}", response_class=Response, responses=picture_answers())
async def get_platform_picture(
    request: Request,
    platform_id: str,
    format_name: PictureFormat,
    theme: ThemeOf = "light",
    width: Width = 800,
    scale: Scale = 1,
    around: AroundProcessor = None,
    hops: Hops = 1,
) -> Response:
    """Give a picture of a platform, without any use of it."""
    parts, tenant = resources_of(request), tenant_of(request)
    await run_in_threadpool(stored.must_exist, parts, tenant, SHELF, platform_id)
    form = read_format(format_name)
    wanted = Wanted(theme, width, scale, around=around, hops=hops)
    only_applicable(wanted, PLATFORM, form)

    def order() -> Order:
        asked = {"platform": platform_id, "format": form, "wanted": wanted_document(wanted)}
        return Order(asked, stored.packed(parts, tenant, SHELF, platform_id))

    return await picture_answer(request, platform_id, platform_id, PLATFORM, form, wanted, order)
