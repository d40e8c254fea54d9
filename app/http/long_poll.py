"""Requests that wait: for the end of something, or as streams of events.

They have a share of the connections, so that others are served. Where it is taken, or the quota of
the tenant is, they are answered with what is known, without waiting. A stream beyond the quota is
refused before anything is done for it.
"""

from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Annotated

from fastapi import Depends, Request
from starlette.types import Scope as Connection

from app.http.identity import tenant_of
from app.http.paths import own_path
from app.http.refusals import Refusal
from app.http.resources import resources_of

PING_SECONDS = 15.0
"""Between two signs of life of a stream in which nothing happens."""
SOON, LATER = 1, 5
"""Seconds until it is worth asking again: where a request may wait then, and where none could now."""


_QUOTA = "steadygrid.waiting_requests"
_STREAMS = "/events"
"""What the paths of all streams end with."""


def set_quota(connection: Connection, most: int) -> None:
    """Say how many requests of its tenant may wait, before any endpoint is reached.

    Parameters
    ----------
    connection
        The request.
    most
        Streams of events among them.
    """
    connection[_QUOTA] = most


@contextmanager
def place_if_any(request: Request) -> Iterator[bool]:
    """Have a place for as long as the block lasts, and say so. False: there is none.

    Parameters
    ----------
    request
        That wants to wait, and is answered in any case.
    """
    if _is_spent(request):
        yield False
        return
    with _taken(request) as taken:
        yield taken


def _is_spent(request: Request) -> bool:
    most: int | None = request.scope.get(_QUOTA)
    return most is not None and resources_of(request).waiting.held_by(tenant_of(request)) >= most


def _taken(request: Request) -> AbstractContextManager[bool]:
    return resources_of(request).waiting.taken(tenant_of(request))


def refused_stream(request: Request) -> Refusal | None:
    """Say why a stream is refused, before it is routed: for a crowd of them that would take long.

    Parameters
    ----------
    request
        Any one, of a known tenant.

    Returns
    -------
    Refusal | None
        ``quota_exceeded``, or None: it is no stream, or may be opened as far as is known now.
    """
    if request.method != "GET" or not own_path(request.scope).endswith(_STREAMS):
        return None
    if not _is_spent(request):
        return None
    return _quota_refusal(request)


def _quota_refusal(request: Request) -> Refusal:
    return Refusal(
        "quota_exceeded",
        f"At most {request.scope[_QUOTA]:,} event streams and waiting requests of this tenant are"
        " open at a time (waiting-requests). Close some, or wait less often.",
        headers={"Retry-After": str(LATER)},
    )


async def _waiting_place(request: Request) -> AsyncIterator[bool]:
    if _is_spent(request):
        raise _quota_refusal(request)
    with _taken(request) as taken:
        yield taken


WaitingPlace = Annotated[bool, Depends(_waiting_place)]
"""Whether a stream may wait. The place is taken until it has ended.

`Refusal` ``quota_exceeded``: too many of the tenant wait.
"""


def opening(place: bool) -> bytes:
    """Give the first line of a stream, which says how soon to connect again when it has ended."""
    return b"retry: %d\n\n" % (1000 * (SOON if place else LATER))
