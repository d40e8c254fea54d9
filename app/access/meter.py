"""Requests of each tenant, counted by the minute: by Redis where there is one, else here."""

import asyncio
import math
import time
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from fastapi.concurrency import run_in_threadpool
from limits import RateLimitItemPerMinute
from limits.aio.storage import MemoryStorage, RedisStorage, Storage
from redis.asyncio import BlockingConnectionPool
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from app.db.engine import Database
from app.db.errors import DatabaseUnavailableError
from app.db.quotas import Quotas
from app.logs import Outage
from app.publisher import SOCKET_SECONDS
from app.settings import Settings

MINUTE = 60
KNOWN_SECONDS = 5.0
"""For so long a quota is not read again."""
_READING_SECONDS = 1.0
"""So long a request waits for its tenant's quota to be read; then the last one known holds."""
_PAUSE_SECONDS = 5.0
"""For so long a Redis that is away is not asked."""
_CONNECTIONS = 20
_OVER_REDIS = ("redis", "rediss", "redis+socket")


@dataclass(frozen=True)
class Counted:
    """What is left of a tenant's minute after a request."""

    most: int
    left: int
    """Requests; below 0 if this one was too much."""
    seconds: int
    """Until all are there again."""


class _Quota:
    """What is known of how often a tenant may ask."""

    def __init__(self, most: int | None) -> None:
        self.most = most
        self.until = 0.0
        self.reading: asyncio.Task[None] | None = None


class Meter:
    """Counts requests; where they cannot be counted, every caller may ask.

    Parameters
    ----------
    settings
        `redis_url`, `tenant_requests_per_minute`.
    """

    def __init__(self, settings: Settings) -> None:
        self._usual = Quotas.usual(settings)
        self._quotas: dict[str, _Quota] = {}
        self._pool = _pool(settings)
        self._storage = _storage(self._pool)
        self._outage = Outage("rate_limits")
        self._paused_until = 0.0

    async def count(self, database: Database, tenant: str) -> Counted | None:
        """Count a request; None where it is not limited.

        Parameters
        ----------
        database
            It says how many requests the tenant may make.
        tenant
            Who asks.
        """
        most = await self._limit(database, tenant)
        if most is None or time.monotonic() < self._paused_until:
            return None
        key = RateLimitItemPerMinute(most).key_for(tenant)
        try:
            async with asyncio.timeout(SOCKET_SECONDS):
                used = await self._storage.incr(key, MINUTE)
                end = await self._storage.get_expiry(key)
        except (RedisError, OSError) as error:
            self._paused_until = time.monotonic() + _PAUSE_SECONDS
            self._outage.noticed(str(error) or type(error).__name__)
            return None
        self._outage.end()
        return Counted(most, most - used, min(MINUTE, max(1, math.ceil(end - time.time()))))

    async def _limit(self, database: Database, tenant: str) -> int | None:
        usual = self._usual.requests_per_minute
        known = self._quotas.setdefault(tenant, _Quota(usual))
        if known.reading is None and time.monotonic() >= known.until:
            known.reading = asyncio.create_task(self._read(database, tenant, known))
        if known.reading is not None:
            await asyncio.wait((known.reading,), timeout=_READING_SECONDS)
        return known.most

    async def _read(self, database: Database, tenant: str, known: _Quota) -> None:
        def read() -> int | None:
            with database.read_all() as unit:
                record = unit.tenants.get(tenant)
            quotas = self._usual if record is None else record.quotas(self._usual)
            return quotas.requests_per_minute

        try:
            known.most = await run_in_threadpool(read)
        except DatabaseUnavailableError:
            pass  # the request itself will say so, if it needs the database
        finally:
            known.until = time.monotonic() + KNOWN_SECONDS
            known.reading = None

    async def close(self) -> None:
        """Wait for what is being read, and leave Redis."""
        readings = [one.reading for one in self._quotas.values() if one.reading is not None]
        await asyncio.gather(*readings)
        if self._pool is not None:
            await self._pool.disconnect()


def _pool(settings: Settings) -> BlockingConnectionPool | None:
    """Give connections to Redis, where it can be asked for more than its queues."""
    url = settings.redis_url
    if url is None or urlsplit(url).scheme not in _OVER_REDIS:
        return None
    return BlockingConnectionPool.from_url(
        url.replace("redis+socket", "unix", 1),
        max_connections=_CONNECTIONS,
        timeout=SOCKET_SECONDS,
        socket_timeout=SOCKET_SECONDS,
        socket_connect_timeout=SOCKET_SECONDS,
        retry=Retry(NoBackoff(), 0),
    )


def _storage(pool: BlockingConnectionPool | None) -> Storage:
    if pool is None:
        return MemoryStorage()
    options: dict[str, Any] = {"connection_pool": pool, "key_prefix": "steadygrid-requests"}
    return RedisStorage("async+redis://", implementation="redispy", **options)
