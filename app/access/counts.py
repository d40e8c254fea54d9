"""Counts that all API processes keep together: in Redis where there is one, else each its own."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from limits.aio.storage import MemoryStorage, RedisStorage
from redis.asyncio import BlockingConnectionPool
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from app.logs import Outage
from app.publisher import SOCKET_SECONDS
from app.settings import Settings

_PAUSE_SECONDS = 5.0
"""For so long a Redis that is away is not asked."""
_CONNECTIONS = 20

Storage = MemoryStorage | RedisStorage
T = TypeVar("T")


class Counts:
    """A storage of counts, and what becomes of them while Redis is away.

    Parameters
    ----------
    settings
        `redis_url`.
    counted
        What is counted; keys in Redis begin with it.
    outage
        How the log names that it is not counted.
    """

    def __init__(self, settings: Settings, counted: str, outage: str) -> None:
        self._pool = _pool(settings)
        self._storage = _storage(self._pool, counted)
        self._outage = Outage(outage)
        self._paused_until = 0.0

    @property
    def shared(self) -> bool:
        """Whether other processes count along."""
        return self._pool is not None

    async def ask(self, count: Callable[[Storage], Awaitable[T]]) -> T | None:
        """Count something, or give None where that cannot be done now."""
        if time.monotonic() < self._paused_until:
            return None
        try:
            async with asyncio.timeout(SOCKET_SECONDS):
                found = await count(self._storage)
        except (RedisError, OSError) as error:
            self._paused_until = time.monotonic() + _PAUSE_SECONDS
            self._outage.noticed(str(error) or type(error).__name__)
            return None
        self._outage.end()
        return found

    async def close(self) -> None:
        """Leave Redis."""
        if self._pool is not None:
            await self._pool.disconnect()


def _pool(settings: Settings) -> BlockingConnectionPool | None:
    """Give connections to Redis, where it can be asked for more than its queues."""
    url = settings.redis_url
    if url is None or not settings.counts_in_redis:
        return None
    return BlockingConnectionPool.from_url(
        url.replace("redis+socket", "unix", 1),
        max_connections=_CONNECTIONS,
        timeout=SOCKET_SECONDS,
        socket_timeout=SOCKET_SECONDS,
        socket_connect_timeout=SOCKET_SECONDS,
        retry=Retry(NoBackoff(), 0),
    )


def _storage(pool: BlockingConnectionPool | None, counted: str) -> Storage:
    if pool is None:
        return MemoryStorage()
    options: dict[str, Any] = {"connection_pool": pool, "key_prefix": f"steadygrid-{counted}"}
    return RedisStorage("async+redis://", implementation="redispy", **options)
