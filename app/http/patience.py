"""Requests that wait: for the end of something, or as streams of events."""

import asyncio
from collections.abc import AsyncIterator
from typing import Annotated

from fastapi import Depends, Request

from app.http.disconnection import disconnected
from app.http.resources import resources_of

PING_SECONDS = 15.0
"""Between two signs of life of a stream in which nothing happens."""


async def _waiting_place(request: Request) -> AsyncIterator[None]:
    with resources_of(request).waiting.place():
        yield


WaitingPlace = Annotated[None, Depends(_waiting_place)]
"""Taken until the answer has been sent."""


async def wait_for_end(request: Request, resource_id: str, seconds: float) -> None:
    """Wait until a job or a sweep has ended, for as long as the client does."""
    watcher = resources_of(request).watcher
    ended = asyncio.ensure_future(watcher.ended(resource_id, seconds))
    gone = asyncio.ensure_future(disconnected(request))
    try:
        await asyncio.wait((ended, gone), return_when=asyncio.FIRST_COMPLETED)
    finally:
        ended.cancel()
        gone.cancel()
