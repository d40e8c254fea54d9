"""Looking something up once for all who ask for it at the same time."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Lookups(Generic[K, V]):
    """Shares what is looked up: thousands who wait with one key do not all ask the database.

    No request gets what was known before it was made: one that comes when a look has begun waits for
    the next look. It is used on the event loop.
    """

    def __init__(self) -> None:
        self._running: dict[K, asyncio.Task[V]] = {}
        self._next: dict[K, asyncio.Task[V]] = {}

    async def ask(self, key: K, look: Callable[[], Awaitable[V]]) -> V:
        """Give what a look finds that begins after this; raise what it raises.

        Parameters
        ----------
        look
            The same for all requests with `key`.
        """
        task = self._next.get(key)
        if task is None:
            task = asyncio.ensure_future(self._look(key, look))
            self._next[key] = task
            task.add_done_callback(_seen)
        return await asyncio.shield(task)

    async def _look(self, key: K, look: Callable[[], Awaitable[V]]) -> V:
        if (before := self._running.get(key)) is not None:
            await asyncio.wait((before,))
        task = self._running[key] = self._next.pop(key)
        try:
            return await look()
        finally:
            if self._running.get(key) is task:
                del self._running[key]


def _seen(task: "asyncio.Task[V]") -> None:
    """Take note of an error for which no request waits any more."""
    if not task.cancelled():
        task.exception()
