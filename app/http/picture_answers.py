"""Pictures as HTTP answers: header fields, entity tags, lists, and what OpenAPI says of them."""

import json
from collections.abc import Callable, Iterable
from typing import Any, Protocol

from fastapi import Request, Response
from pydantic import BaseModel, ConfigDict, Field

from app.http.answers import json_answer
from app.http.conditions import matches, strong_tag, weak_tag
from app.http.file_names import plain_part
from app.http.openapi import Responses, answer, problems
from app.http.picture_parameters import wanted_document
from app.http.pictures import Order, pictures_installed
from app.http.refusals import Refusal
from app.http.resources import resources_of
from steadygrid.pictures.errors import PicturesNotInstalled
from steadygrid.pictures.picture import FORMATS, WITHOUT_VEGA, Format, Wanted
from steadygrid.pictures.rendering import CONTENT_TYPES

KEPT = "private, max-age=86400"
"""A day: the next version of the service draws it anew."""
_STYLE = "style-src 'unsafe-inline'"
_POLICIES: dict[Format, str] = {
    "svg": f"sandbox; default-src 'none'; {_STYLE}",
    "html": f"sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; {_STYLE}",
}
"""Both can hold scripts, which must not run as pages of this service do."""
SUFFIXES: dict[Format, str] = {form: f".{form}" for form in FORMATS} | {"vega": ".vl.json"}
"""Of files that are saved."""
_TAG = {"ETag": "job or platform, parameters, and version of this service. Strong, but of PDF"}


class Listed(Protocol):
    """A picture as lists describe it."""

    @property
    def name(self) -> str:
        """As in addresses."""

    @property
    def title(self) -> str:
        """A few words."""

    @property
    def says(self) -> str:
        """A sentence."""


class PictureEntry(BaseModel):
    """A picture that there is."""

    model_config = ConfigDict(extra="forbid")

    name: str
    title: str
    description: str = Field(description="what it shows")
    links: dict[str, str] = Field(
        description="`vega` (not of `platform`), `svg`, `png`, `pdf`, `html`, and `table`: the"
        " same in numbers, as CSV"
    )


class PictureList(BaseModel):
    """The pictures of an answer or a platform."""

    model_config = ConfigDict(extra="forbid")

    items: list[PictureEntry]


def picture_list(own: str, entries: Iterable[Listed]) -> dict[str, Any]:
    """Write a list of pictures.

    Parameters
    ----------
    own
        The path of the list.
    """
    items = [
        {
            "name": entry.name,
            "title": entry.title,
            "description": entry.says,
            "links": {
                "table" if form == "csv" else form: f"{own}/{entry.name}.{form}"
                for form in FORMATS
                if form != "vega" or entry.name not in WITHOUT_VEGA
            },
        }
        for entry in entries
    ]
    return {"items": items}


def list_answers(*statuses: int) -> Responses:
    """Document a list."""
    return {200: answer("The pictures that there are.", "PictureList"), **problems(404, *statuses)}


def picture_answers(*statuses: int) -> Responses:
    """Document a picture."""
    kinds = {
        content_type.partition(";")[0]: {"schema": {"type": "string"}}
        for content_type in CONTENT_TYPES.values()
    }
    drawn = answer("The picture, or its table.", None, _TAG)
    return {
        200: drawn | {"content": kinds},
        304: answer("You have it already.", None, _TAG),
        **problems(404, 501, *statuses),
    }


async def picture_answer(
    request: Request,
    own: str,
    stem: str,
    name: str,
    form: Format,
    wanted: Wanted,
    order: Callable[[], Order],
    kept: str = KEPT,
) -> Response:
    """Answer with a picture, or with 304 where the client has it already.

    Parameters
    ----------
    own
        Id of the job or platform, or what else tells one drawing from another.
    stem
        Begins the name of the file, for users who save it.
    order
        See `app.http.pictures.Studio.drawn`.
    kept
        ``Cache-Control`` of the answer.
    """
    parts = resources_of(request)
    asked = [own, name, form, wanted_document(wanted), parts.version]
    # Of two drawings as PDF the fonts may stand in another order.
    tag = (weak_tag if form == "pdf" else strong_tag)(json.dumps(asked).encode())
    fields = {"ETag": tag, "Cache-Control": kept}
    if matches(request, tag):
        return Response(status_code=304, headers=fields)
    if not pictures_installed():
        raise Refusal(PicturesNotInstalled.code, PicturesNotInstalled().detail)
    drawn = await parts.pictures.drawn(request, order)
    if form in _POLICIES:
        fields["Content-Security-Policy"] = _POLICIES[form]
    shown = "attachment" if form == "html" else "inline"
    near = wanted.neighbourhood
    part = "" if near is None else f"-{plain_part(near.around) or 'part'}-{near.hops}"
    fields["Content-Disposition"] = f'{shown}; filename="{stem}-{name}{part}{SUFFIXES[form]}"'
    return Response(drawn, headers=fields, media_type=CONTENT_TYPES[form])


def list_answer(own: str, entries: Iterable[Listed]) -> Response:
    """Answer with a list.

    Parameters
    ----------
    own
        The path of the list.
    entries
        Names and titles of the pictures.
    """
    return json_answer(picture_list(own, entries))
