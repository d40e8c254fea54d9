"""Request bodies: taken as bytes on the event loop, read in the thread pool."""

from collections.abc import Awaitable, Callable, Collection, Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from traceback import clear_frames
from typing import Annotated, Any, TypeVar

from fastapi import Depends, Request
from fastapi.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect

from app.http.body_guard import arrival_of, too_large
from app.http.refusals import Refusal
from steadygrid.domain.counted import parse_counted
from steadygrid.domain.document import MalformedJSONError, parse_json, read_text
from steadygrid.domain.errors import Pointer

JSON = "application/json"

COUNTED_BYTES = 2**20
"""From here on a body is read alone, and with an eye on how much is in it."""

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
    charset but UTF-8, and an encoded body (1 MB of gzip may hold 1 GB); and what
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


async def in_turn(request: Request, body: Body, work: Callable[[], T], *, alone: bool = False) -> T:
    """Work on a body in the thread pool, then forget it; on large ones one at a time.

    Reading a body takes up to thirty times its size in memory, and time that others wait for.

    Parameters
    ----------
    alone
        Whether the work is as long however short the body is, as where it names what is stored.
    """
    arrival, turns = arrival_of(request.scope)
    large = alone or len(body.content) >= COUNTED_BYTES
    async with turns.working() if large else nullcontext():
        try:
            return await run_in_threadpool(work)
        except Exception as error:
            # The frames of the failed work hold what was read of the body.
            clear_frames(error.__traceback__)
            raise
        finally:
            body.content = b""
            arrival.leave()


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
    """Read JSON; costs seconds for 64 MiB, so never on the event loop.

    Parameters
    ----------
    most
        How many entries are accepted, for each list that grows with an instance; a large
        body has but one more of them in memory. See `steadygrid.domain.counted`.
    """
    large = len(body.content) >= COUNTED_BYTES
    try:
        text = read_text(body.content)
        body.content = b""
        return parse_counted(text, most) if large else parse_json(text)
    except MalformedJSONError as error:
        raise Refusal("malformed_json", f"The body is not acceptable JSON: {error}.") from None
