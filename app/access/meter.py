"""Requests of each tenant, counted by the minute: by Redis where there is one, else here.

Its other quotas that requests are told of are read from the database beside.
"""

import asyncio
import math
import time

from fastapi.concurrency import run_in_threadpool
from limits import RateLimitItemPerMinute

from app.access.counts import Counts, Storage
from app.db.engine import Database
from app.db.errors import DatabaseUnavailableError
from app.db.quotas import Quotas
from app.http.quotas import solver_seconds_left
from app.http.rate_fields import Counted
from app.settings import Settings

MINUTE = 60
KNOWN_SECONDS = 5.0
"""For so long a quota is not read again."""
_READING_SECONDS = 1.0
"""So long a request waits for its tenant's quota to be read; then the last one known holds."""


class _Quota:
    """What is known of how often a tenant may ask, and what its jobs may still take today."""

    def __init__(self, usual: Quotas) -> None:
        self.most = usual.requests_per_minute
        self.waiting = usual.waiting_requests
        self.solver_seconds: Counted | None = None
        self.until = 0.0
        self.reading: asyncio.Task[None] | None = None


class Meter:
    """Counts requests. Where they cannot be counted, every caller may ask.

    Parameters
    ----------
    settings
        `redis_url`, `tenant_requests_per_minute`.
    """

    def __init__(self, settings: Settings) -> None:
        self._usual = Quotas.usual(settings)
        self._quotas: dict[str, _Quota] = {}
        self._counts = Counts(settings, "requests", "rate_limits")

    async def count(self, database: Database, tenant: str) -> Counted | None:
        """Count a request. None where it is not limited.

        Parameters
        ----------
        database
            It says how many requests the tenant may make.
        tenant
            Who asks.
        """
        most = await self._limit(database, tenant)
        if most is None:
            return None
        key = RateLimitItemPerMinute(most).key_for(tenant)

        async def ask(storage: Storage) -> tuple[int, float]:
            return await storage.incr(key, MINUTE), await storage.get_expiry(key)

        found = await self._counts.ask(ask)
        if found is None:
            return None
        used, end = found
        seconds = min(MINUTE, max(1, math.ceil(end - time.time())))
        return Counted("requests", most, most - used, seconds, MINUTE)

    def solver_seconds(self, tenant: str) -> Counted | None:
        """Say what is left of a tenant's solver seconds, as known at its last request.

        Parameters
        ----------
        tenant
            Who asks.

        Returns
        -------
        Counted or None
            None where they are not limited.
        """
        known = self._quotas.get(tenant)
        return None if known is None else known.solver_seconds

    def waiting_requests(self, tenant: str) -> int:
        """Say how many requests of a tenant may wait, as known at its last request.

        Parameters
        ----------
        tenant
            Who asks.
        """
        known = self._quotas.get(tenant)
        return self._usual.waiting_requests if known is None else known.waiting

    async def _limit(self, database: Database, tenant: str) -> int | None:
        known = self._quotas.setdefault(tenant, _Quota(self._usual))
        if known.reading is None and time.monotonic() >= known.until:
            known.reading = asyncio.create_task(self._read(database, tenant, known))
        if known.reading is not None:
            await asyncio.wait((known.reading,), timeout=_READING_SECONDS)
        return known.most

    async def _read(self, database: Database, tenant: str, known: _Quota) -> None:
        def read() -> tuple[Quotas, Counted | None]:
            with database.read_all() as unit:
                record = unit.tenants.get(tenant)
                quotas = self._usual if record is None else record.quotas(self._usual)
                most = quotas.solver_seconds_per_day
                day = None if most is None else unit.tenants.solver_day(tenant)
            left = None if most is None or day is None else solver_seconds_left(most, day)
            return quotas, left

        try:
            quotas, known.solver_seconds = await run_in_threadpool(read)
            known.most, known.waiting = quotas.requests_per_minute, quotas.waiting_requests
        except DatabaseUnavailableError:
            pass  # the request itself will say so, if it needs the database
        finally:
            known.until = time.monotonic() + KNOWN_SECONDS
            known.reading = None

    async def close(self) -> None:
        """Wait for what is being read, and leave Redis."""
        readings = [one.reading for one in self._quotas.values() if one.reading is not None]
        await asyncio.gather(*readings)
        await self._counts.close()
