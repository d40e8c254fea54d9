"""Evaluates watched schedules when measurements have come: in the background of each API process.

What is to be done stands in the database: a watch is due where its platform has been measured since it
was evaluated. A process takes some with a lease, evaluates each in a process of its own, and stores
what it found in one unit, unless the lease was lost. So nothing is lost or done twice, whichever process dies.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar

import structlog
from fastapi import FastAPI
from fastapi.concurrency import run_in_threadpool

from app.db.errors import DatabaseUnavailableError
from app.db.watches import Taken
from app.grids.drift import Evaluation, OutdoneError, Unable, evaluate, keep
from app.http.refusals import Refusal
from app.http.resources import Resources
from app.logs import places

POLL_SECONDS = 10.0
"""Between two looks where no measurement came through this process."""
AT_ONCE = 4
_SPARE_SECONDS = 30.0
_SOON, _LATER = 30.0, 600.0
_FULL = frozenset(
    ("quota_exceeded", "queue_full", "temporary_reduced_capacity", "too_many_bodies", "unavailable")
)
"""Refusals that pass: the watch stays due."""

log = structlog.get_logger(__name__)

T = TypeVar("T")


class DriftKeeper:
    """Evaluates what is due.

    Parameters
    ----------
    parts
        The parts of the running application.
    """

    def __init__(self, parts: Resources) -> None:
        self._parts = parts
        settings = parts.settings
        self._lease = settings.reading_seconds + settings.body_turn_seconds + _SPARE_SECONDS
        self._news = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._units: set[asyncio.Future[Any]] = set()
        """Units of the database in progress, in threads."""

    def start(self) -> None:
        """Begin, on the running event loop."""
        self._task = asyncio.create_task(self._keep())

    def nudge(self) -> None:
        """Look soon: something was measured, or is watched from now on."""
        self._news.set()

    async def close(self) -> None:
        """Leave what is in progress: another process takes it up when its lease is over.

        Units of the database end first: it is closed next.
        """
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        await asyncio.gather(*self._units, return_exceptions=True)

    async def _keep(self) -> None:
        while True:
            self._news.clear()
            if not await self.step():
                with suppress(TimeoutError):
                    async with asyncio.timeout(POLL_SECONDS):
                        await self._news.wait()

    async def step(self) -> bool:
        """Evaluate some of what is due; False if there was nothing."""
        try:
            taken = await self._run(self._take)
            await asyncio.gather(*(self._evaluate(one) for one in taken))
        except DatabaseUnavailableError:
            return False
        except Exception as error:  # noqa: BLE001 nothing else would report it
            log.error("drift_failed", error=type(error).__name__, places=places(error))
            return False
        return bool(taken)

    async def _run(self, unit: Callable[[], T]) -> T:
        working = asyncio.ensure_future(run_in_threadpool(unit))
        self._units.add(working)
        working.add_done_callback(self._units.discard)
        return await asyncio.shield(working)

    def _take(self) -> list[Taken]:
        with self._parts.database.write_all() as unit:
            return unit.watch_work.take(self._lease, AT_ONCE)

    async def _evaluate(self, taken: Taken) -> None:
        try:
            found = await self._parts.readers.work(
                taken.tenant, evaluate, b"", taken.tenant, taken.job_id
            )
            if isinstance(found, Evaluation):
                replan = await self._run(lambda: keep(self._parts, taken, found))
                if replan is not None:
                    log.info("platform_drift", job=taken.job_id, replan=replan, kept=found.kept)
            elif isinstance(found, Unable):
                passes = found.code in _FULL
                await self._fail(taken, found, None if passes else found.version)
        except OutdoneError:
            log.info("drift_outdone", job=taken.job_id)
        except Refusal as refusal:
            await self._fail(taken, Unable(0, refusal.code, refusal.detail), None)

    async def _fail(self, taken: Taken, why: Unable, seen: int | None) -> None:
        def store() -> None:
            with self._parts.database.write(taken.tenant) as unit:
                error = {"code": why.code, "detail": why.detail}
                before = unit.watched_jobs.get(taken.job_id)
                # What was killed once may have been at no fault, and goes on well.
                again = seen is None and before is not None and before.error == error
                seconds = _LATER if again and why.code not in _FULL else _SOON
                unit.watched_jobs.fail(taken, error, seen, seconds)

        await self._run(store)
        log.warning("drift_delayed" if seen is None else "drift_failed", code=why.code)


def attach_keeper(app: FastAPI, keeper: DriftKeeper) -> None:
    """Give an application its keeper; for its lifespan.

    Parameters
    ----------
    app
        The application.
    keeper
        Its keeper.
    """
    app.state.drift = keeper


def keeper_of(app: FastAPI) -> DriftKeeper:
    """Give the keeper of an application."""
    found: DriftKeeper = app.state.drift
    return found
