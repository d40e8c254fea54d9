"""Requests that wait: for the end of something, or as streams of events.

They have a share of the connections, so that others are served. Where it is taken, they are answered
with what is known, without waiting.
"""

from collections.abc import AsyncIterator
from typing import Annotated

from fastapi import Depends, Request

from app.http.identity import tenant_of
from app.http.resources import resources_of

PING_SECONDS = 15.0
"""Between two signs of life of a stream in which nothing happens."""
SOON, LATER = 1, 5
"""Seconds until it is worth asking again: where a request may wait then, and where none could now."""


async def _waiting_place(request: Request) -> AsyncIterator[bool]:
    with resources_of(request).waiting.taken(tenant_of(request)) as taken:
        yield taken


WaitingPlace = Annotated[bool, Depends(_waiting_place)]
"""Whether the request may wait. The place is taken until the answer has been sent."""


def opening(place: bool) -> bytes:
    """Give the first line of a stream, which says how soon to connect again when it has ended."""
    return b"retry: %d\n\n" % (1000 * (SOON if place else LATER))
