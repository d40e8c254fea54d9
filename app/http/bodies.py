"""Request bodies: taken as bytes on the event loop, read elsewhere."""

from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass
from traceback import clear_frames
from typing import Annotated, Any, TypeVar

from fastapi import Depends, Request
from starlette.requests import ClientDisconnect

from app.http.body_guard import arrival_of, too_large
from app.http.identity import tenant_of
from app.http.refusals import Refusal
from app.http.resources import resources_of
from app.http.sources import Sources
from steadygrid.domain.bounded_json import parse_counted
from steadygrid.domain.document import MalformedJSONError, parse_json, read_text
from steadygrid.domain.errors import Pointer

JSON = "application/json"

LONG_BYTES = 2**15
"""From here on a body is read in a process of its own."""
COUNTED_BYTES = 2**20
"""From here on a body is read with an eye on how much is in it."""
_SIGNS_OF_IDS = (b"plt_", b"app_", b"\\u")

T = TypeVar("T")


@dataclass
class Body:
    """What was sent and what the client says it is."""

    content_type: str
    """Lower case, without parameters."""
    content: bytes | bytearray
    """Empty as soon as it has been worked on."""


def body_reader(
    content_types: Collection[str], longest: int | None = None
) -> Callable[[Request], Awaitable[Body]]:
    """Make the dependency that takes a body of one of some content types.

    Parameters
    ----------
    content_types
        Those that are taken.
    longest
        Bytes, where that is less than what every body may have.

    The dependency refuses with ``unsupported_media_type`` another content type, none, any
    charset but UTF-8, and an encoded body (1 MB of gzip may hold 1 GB), and what
    `app.http.body_guard` refuses.
    """

    async def read(request: Request) -> Body:
        content = bytearray()
        body = Body(_content_type(request, content_types), content)
        try:
            async for piece in request.stream():
                content += piece
                if longest is not None and len(content) > longest:
                    raise too_large(longest)
        except ClientDisconnect:
            raise Refusal("request_timeout", "The rest of the body did not arrive.") from None
        return body

    return read


async def process_body(
    request: Request, body: Body, do: Callable[..., T], *arguments: Any, long: bool = False
) -> T:
    """Work on a body when it is its tenant's turn, then forget it.

    What is short is done in a thread, anything else in a process: see `app.http.reading`. Both end
    before anything is stored, so that nothing is left of what was given up.

    Parameters
    ----------
    do
        A function that can be imported, given `Sources`, the tenant, the body and the arguments. What it
        gives and takes can be pickled.
    long
        Whether the work may take long however short the body is.
    """
    arrival, tenant = arrival_of(request.scope), tenant_of(request)
    readers = resources_of(request).readers
    try:
        if long or _is_long(body):
            task = (do, tenant, body.content_type, *arguments)
            return await readers.apart(request, tenant, _do, body.content, *task)
        return await readers.run_in_thread(
            tenant, lambda sources: do(sources, tenant, body, *arguments)
        )
    except Exception as error:
        # The frames of the failed work hold what was read of the body.
        clear_frames(error.__traceback__)
        raise
    finally:
        body.content = b""
        arrival.leave()


def _do(
    sources: Sources,
    content: bytes,
    do: Callable[..., T],
    tenant: str,
    content_type: str,
    *arguments: Any,
) -> T:
    """Work on a body, in a process."""
    return do(sources, tenant, Body(content_type, content), *arguments)


def _is_long(body: Body) -> bool:
    """Whether reading a body may take long.

    A short one may name a stored document, which is long itself, and may write its id in escapes. What
    is written in a foreign format may be long when it is read.
    """
    content = body.content
    return (
        len(content) >= LONG_BYTES
        or body.content_type != JSON
        or any(sign in content for sign in _SIGNS_OF_IDS)
    )


JsonBody = Annotated[Body, Depends(body_reader([JSON]))]


def _content_type(request: Request, accepted: Collection[str]) -> str:
    encoding = request.headers.get("content-encoding", "identity").strip().lower()
    if encoding not in ("", "identity"):
        raise Refusal(
            "unsupported_media_type",
            "Encoded request bodies are not accepted: send the body as it is.",
            headers={"Accept-Encoding": "identity"},
        )
    content_type, *parameters = request.headers.get("content-type", "").lower().split(";")
    content_type = content_type.strip()
    for parameter in parameters:
        name, _, value = parameter.strip().partition("=")
        if name == "charset" and value.strip('" ') not in ("utf-8", "utf8", "us-ascii"):
            raise Refusal("unsupported_media_type", "The only charset accepted is UTF-8.")
    if content_type not in accepted:
        raise Refusal(
            "unsupported_media_type",
            "The Content-Type of the body must be " + " or ".join(sorted(accepted)) + ".",
            headers={"Accept-Post": ", ".join(sorted(accepted))},
        )
    return content_type


def read_json(body: Body, most: Mapping[Pointer, int]) -> Any:
    """Read JSON. Costs seconds for 64 MiB, so never on the event loop.

    Parameters
    ----------
    most
        How many entries are accepted, for each list that grows with an instance. A large
        body has but one more of them in memory. See `steadygrid.domain.bounded_json`.
    """
    large = len(body.content) >= COUNTED_BYTES
    try:
        text = read_text(body.content)
        body.content = b""
        return parse_counted(text, most) if large else parse_json(text)
    except MalformedJSONError as error:
        raise Refusal("malformed_json", f"The body is not acceptable JSON: {error}.") from None
