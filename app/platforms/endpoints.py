"""``/v1/platforms``."""

from typing import Annotated

from fastapi import Query, Request, Response

from app.http.answers import ASK_AGAIN
from app.http.identity import tenant_of
from app.http.openapi import problems
from app.http.parameters import documented_values
from app.http.resources import resources_of
from app.http.shelf_router import shelf_router
from app.platforms import exports
from app.platforms.service import SHELF
from steadygrid.submissions.exports import PLATFORM_FORMATS

router = shelf_router(SHELF, "StoredPlatform")


@router.get(
    "/{platform_id}/export",
    response_class=Response,
    responses={
        200: {
            "description": "The platform in the format that was asked for.",
            "content": {
                one.content_type: {"schema": {"type": "string"}}
                for one in PLATFORM_FORMATS.values()
            },
        },
        **problems(404),
    },
)
def export_platform(
    request: Request,
    platform_id: str,
    format_name: Annotated[
        str,
        documented_values(PLATFORM_FORMATS),
        Query(alias="format", description="what is written. Refused where it cannot say all"),
    ],
) -> Response:
    """Give a stored platform in a foreign format."""
    text = exports.export(resources_of(request), tenant_of(request), platform_id, format_name)
    content_type = PLATFORM_FORMATS[format_name].content_type
    return Response(text, headers={"Cache-Control": ASK_AGAIN}, media_type=content_type)
