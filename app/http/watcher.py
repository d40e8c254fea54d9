"""One watcher per process looks at the jobs that clients wait for."""

import asyncio
from collections.abc import Callable, Collection, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import NamedTuple

from app.logs import Outage

QUICK_SECONDS = 0.01
"""Between looks while a client has not waited for long."""
SLOW_SECONDS = 0.1
"""Between looks otherwise."""


class Sighting(NamedTuple):
    """What one look at a job shows."""

    final: bool
    last_event: int
    """Sequence number of its newest event, 0 before the first."""


class _Waiter(NamedTuple):
    job: str
    after: int | None
    """Wake for an event after this one. None: for the job's end only."""
    since: float
    future: "asyncio.Future[bool]"


class Watcher:
    """Wakes those who wait for jobs, with one query per look however many they are.

    Everything but the look itself happens on the event loop, so that no thread is held by
    a waiting request.

    Parameters
    ----------
    look
        Gives a `Sighting` for each of some job ids; ids that do not exist are left out.
        Called in a thread of its own.
    shutdown
        Once set, no request waits any longer.
    patience
        Seconds after which a waiter is looked after less often.
    trouble_seconds
        Pause after a look that failed.
    """

    def __init__(
        self,
        look: Callable[[Collection[str]], Mapping[str, Sighting]],
        shutdown: asyncio.Event,
        patience: float = 2.0,
        trouble_seconds: float = 1.0,
    ) -> None:
        self._look = look
        self._shutdown = shutdown
        self._patience = patience
        self._trouble_seconds = trouble_seconds
        self._waiters: set[_Waiter] = set()
        self._trouble = Outage("watcher")
        self._task: asyncio.Task[None] | None = None
        self._thread = ThreadPoolExecutor(1, "watcher")

    async def ended(self, job: str, seconds: float) -> bool:
        """Wait until a job is final or gone; False if the time is over first.

        Parameters
        ----------
        job
            Id of the job.
        seconds
            How long at most.
        """
        return await self._wait(job, None, seconds)

    async def changed(self, job: str, after: int, seconds: float) -> bool:
        """Wait until a job has an event after `after`, is final or gone.

        Parameters
        ----------
        job
            Id of the job.
        after
            Sequence number of the last event that is known.
        seconds
            How long at most.
        """
        return await self._wait(job, after, seconds)

    async def close(self) -> None:
        """End all waits, and wait for the look in progress: it uses the database."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        self._release_all()
        await asyncio.to_thread(self._thread.shutdown)

    async def _wait(self, job: str, after: int | None, seconds: float) -> bool:
        loop = asyncio.get_running_loop()
        waiter = _Waiter(job, after, loop.time(), loop.create_future())
        self._waiters.add(waiter)
        if self._task is None or self._task.done():
            self._task = loop.create_task(self._watch())
        try:
            async with asyncio.timeout(seconds):
                return await waiter.future
        except TimeoutError:
            return False
        finally:
            self._waiters.discard(waiter)

    async def _watch(self) -> None:
        loop = asyncio.get_running_loop()
        while self._waiters and not self._shutdown.is_set():
            pause = QUICK_SECONDS
            try:
                jobs = {waiter.job for waiter in self._waiters}
                self._wake(await loop.run_in_executor(self._thread, self._look, jobs), jobs)
                self._trouble.end()
                if all(loop.time() - waiter.since > self._patience for waiter in self._waiters):
                    pause = SLOW_SECONDS
            except Exception as error:  # noqa: BLE001 of any kind: those who wait must not hang
                self._trouble.noticed(type(error).__name__)
                pause = self._trouble_seconds
            with suppress(TimeoutError):
                async with asyncio.timeout(pause):
                    await self._shutdown.wait()
        self._release_all()

    def _wake(self, sightings: Mapping[str, Sighting], jobs: Collection[str]) -> None:
        for waiter in list(self._waiters):
            sighting = sightings.get(waiter.job)
            if sighting is None:
                news = waiter.job in jobs
            else:
                news = sighting.final or (
                    waiter.after is not None and sighting.last_event > waiter.after
                )
            if news and not waiter.future.done():
                waiter.future.set_result(True)

    def _release_all(self) -> None:
        for waiter in list(self._waiters):
            if not waiter.future.done():
                waiter.future.set_result(False)
