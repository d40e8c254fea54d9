"""Request bodies: taken as bytes on the event loop, read in the thread pool."""

import asyncio
from collections.abc import Awaitable, Callable, Collection
from contextlib import nullcontext
from typing import Annotated, Any, NamedTuple, TypeVar

from fastapi import Depends, Request
from fastapi.concurrency import run_in_threadpool

from app.domain.document import MalformedJSONError, parse_json
from app.http.refusals import Refusal

JSON = "application/json"
SILENCE_SECONDS = 30.0
"""How long a client may send nothing in the middle of a body."""
LARGE_BYTES = 4 * 2**20
_LARGE_AT_A_TIME = 2

T = TypeVar("T")


class Body(NamedTuple):
    """What was sent and what the client says it is."""

    content_type: str
    """Lower case, without parameters."""
    content: bytes


def body_reader(content_types: Collection[str]) -> Callable[[Request], Awaitable[Body]]:
    """Make the dependency that takes a body of one of some content types.

    The dependency refuses with ``unsupported_media_type`` another content type, none, any
    charset but UTF-8, and an encoded body (1 MB of gzip may hold 1 GB); with
    ``request_timeout`` a client that falls silent in the middle.
    """

    async def read(request: Request) -> Body:
        content_type = _content_type(request, content_types)
        pieces: list[bytes] = []
        stream = request.stream()
        try:
            while True:
                async with asyncio.timeout(SILENCE_SECONDS):
                    piece = await anext(stream, None)
                if piece is None:
                    return Body(content_type, b"".join(pieces))
                pieces.append(piece)
        except TimeoutError:
            raise Refusal(
                "request_timeout",
                "The rest of the body did not arrive.",
                headers={"Connection": "close"},
            ) from None

    return read


async def in_turn(request: Request, body: Body, work: Callable[[], T]) -> T:
    """Work on a body in the thread pool; on large ones two at a time.

    Reading a body takes up to thirty times its size in memory, and time that others wait for.
    """
    async with _turns(request) if len(body.content) >= LARGE_BYTES else nullcontext():
        return await run_in_threadpool(work)


def _turns(request: Request) -> asyncio.Semaphore:
    state = request.app.state
    if not hasattr(state, "large_bodies"):
        state.large_bodies = asyncio.Semaphore(_LARGE_AT_A_TIME)
    turns: asyncio.Semaphore = state.large_bodies
    return turns


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


def read_json(body: Body) -> Any:
    """Read a JSON body; costs about a second for 64 MiB, so never on the event loop."""
    try:
        return parse_json(body.content)
    except MalformedJSONError as error:
        raise Refusal("malformed_json", f"The body is not acceptable JSON: {error}.") from None
