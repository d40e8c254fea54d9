"""The form of a new job, posted without a script: a body, or a file, is checked or solved."""

import json
from collections.abc import Mapping
from email import message_from_bytes
from http import HTTPStatus
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request, Response
from fastapi.concurrency import run_in_threadpool
from starlette.responses import RedirectResponse

from app.http.bodies import JSON, Body, body_reader, process_body
from app.http.identity import tenant_of
from app.http.long_running import Made
from app.http.paths import root_of
from app.http.refusals import Refusal, refused_pointers
from app.http.resources import resources_of
from app.jobs import service
from app.pages import kinds
from app.pages.endpoints import page
from app.pages.rendering import NOT_KEPT
from steadygrid.domain.document import parse_json
from steadygrid.domain.errors import SchedulingError

router = APIRouter(include_in_schema=False)

LONGEST_FORM = 2**22
"""Bytes of a form with a body and a file."""

_FAULTY = "It cannot be solved as it stands:"

Form = Annotated[Body, Depends(body_reader(["multipart/form-data"], longest=LONGEST_FORM))]


@router.post("/new")
async def ask(request: Request, body: Form) -> Response:
    """Check what was posted and show it again, or submit it and lead to its job."""
    try:
        how, text = await run_in_threadpool(
            _posted, request.headers["content-type"], bytes(body.content)
        )
    except ValueError as error:
        raise Refusal("malformed_json", str(error)) from None
    sent = Body(JSON, text)
    try:
        if how == b"check":
            checked = await process_body(request, sent, service.validation, long=True)
            return await run_in_threadpool(_shown, request, text, fits=_fits(checked))
        ready = await process_body(request, sent, service.read, None)
        parts, tenant = resources_of(request), tenant_of(request)
        made = ready
        if not isinstance(made, Made):
            made = await run_in_threadpool(service.submit, parts, tenant, made)
    except SchedulingError as error:
        refusal = Refusal("invalid_request", _FAULTY, errors=refused_pointers(error.faults))
        return await run_in_threadpool(_shown, request, text, refusal)
    except Refusal as refusal:
        if refusal.code != "malformed_json":
            raise
        return await run_in_threadpool(_shown, request, text, refusal)
    to = f"{root_of(request.scope)}/jobs/{made.record.id}"
    return RedirectResponse(to, HTTPStatus.SEE_OTHER, NOT_KEPT)


def _posted(content_type: str, content: bytes) -> tuple[bytes, bytes]:
    """Give what is to be done, and the body."""
    fields = _fields(content_type, content)
    text = _with_file(fields.get("body", b""), fields.get("file", b""))
    return fields.get("do", b""), text


def _fits(checked: Mapping[str, Any]) -> str:
    warned = "".join(f" Note: {warning}." for warning in checked["warnings"])
    return f"It can be solved as it stands, by the method {checked['method']}.{warned}"


def _fields(content_type: str, content: bytes) -> Mapping[str, bytes]:
    """Read a form. The standard library's reader of mails knows its format."""
    whole = b"Content-Type: %b\r\n\r\n%b" % (content_type.encode(), content)
    try:
        parts = list(message_from_bytes(whole).walk())
    except RecursionError:
        raise ValueError("The form has parts within parts: send it as a browser does.") from None
    found: dict[str, bytes] = {}
    for part in parts:
        name = part.get_param("name", header="content-disposition")
        payload = part.get_payload(decode=True)
        if isinstance(name, str) and isinstance(payload, bytes):
            found[name] = payload
    return found


def _with_file(text: bytes, file: bytes) -> bytes:
    """Take the body from the file, or put the file's platform or application into the body."""
    if not file.strip():
        return text
    document = parse_json(file)
    if not isinstance(document, dict) or document.keys() & {"problem", "base"}:
        return file
    noun = "platform" if "processors" in document else "application" if "tasks" in document else ""
    if not noun:
        return file
    body = parse_json(text)
    problem = body.get("problem") if isinstance(body, dict) else None
    if not isinstance(problem, dict):
        raise ValueError(  # noqa: TRY004 of what was sent
            f"The file is a {noun}, but the JSON text has no member problem that could take it."
        )
    problem[noun] = document
    return json.dumps(body, indent=2, ensure_ascii=False).encode()


def _shown(
    request: Request, text: bytes, refusal: Refusal | None = None, fits: str = ""
) -> Response:
    context: dict[str, Any] = kinds.new(request, "", "")
    context |= {"body": text.decode("utf-8", "replace"), "faults": refusal, "fits": fits}
    status = HTTPStatus.OK if refusal is None else HTTPStatus.UNPROCESSABLE_ENTITY
    return page(request, "new", "New job", status, **context)
