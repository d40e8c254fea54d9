"""News of jobs for those who look at lists of them: one poll per process and second."""

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, NamedTuple

from app.db.jobs import JobRecord
from app.db.news import Snapshot
from app.logs import Outage
from steadygrid.domain.job import JobState

POLL_SECONDS = 1.0
SUMMARY_SECONDS = 5.0
GAP_SECONDS = 30.0
"""A listener that has heard nothing for so long, since nothing could be looked at, has to list
again."""
MOST_PENDING = 10_000
"""Jobs of which a listener may not have been told yet; beyond, it has to list again."""


@dataclass(frozen=True)
class Change:
    """A job that has changed, and the state that the poll before had found it in."""

    record: JobRecord
    before: JobState | None
    written: dict[str, bytes] = field(default_factory=dict, compare=False)
    """The job as it is reported, by the form of numbers: once for all who listen."""


class Look(NamedTuple):
    """What one poll of a tenant finds."""

    snapshot: Snapshot
    """What the next one is compared with."""
    changes: Sequence[Change]
    deleted: frozenset[str]
    """Jobs that are gone."""
    summary: Mapping[str, Any] | None
    """If it was asked for."""


class _Poll(NamedTuple):
    """The last poll of a tenant that has succeeded."""

    snapshot: Snapshot | None
    at: float
    summed: float
    """When the last summary was made."""


LookAt = Callable[[str, Snapshot | None, bool], Look]
"""Looks at a tenant's jobs: what the poll before found (None: nothing has changed yet), and
whether a summary is wanted. Called in a thread of its own."""


class Listener:
    """A client that looks at a list. What it has not been told yet is kept by job, once each.

    Parameters
    ----------
    tenant
        Whose jobs.
    wants
        Which changes. It hears of all jobs that are deleted.
    """

    def __init__(self, tenant: str, wants: Callable[[Change], bool]) -> None:
        self.tenant = tenant
        self.over = False
        """Nothing more will come: list again, or the service ends."""
        self.summed = False
        """Whether there has been a summary."""
        self._wants = wants
        self._pending: dict[str, Change | None] = {}
        self._summary: Mapping[str, Any] | None = None
        self._news = asyncio.Event()

    def offer(self, look: Look) -> None:
        """Keep what a poll has found."""
        for change in look.changes:
            if self._wants(change):
                self._pending[change.record.id] = change
        self._pending |= dict.fromkeys(look.deleted)
        if look.summary is not None:
            self._summary, self.summed = look.summary, True
        if len(self._pending) > MOST_PENDING:
            self.end()
        elif self._pending or self._summary is not None:
            self._news.set()

    def end(self) -> None:
        """Let the listener go."""
        self.over = True
        self._pending.clear()
        self._news.set()

    def summary(self) -> Mapping[str, Any] | None:
        """Take the summary, if there is a new one."""
        taken, self._summary = self._summary, None
        return taken

    def jobs(self, most: int) -> dict[str, Change | None]:
        """Take some of the jobs that have changed, those that changed first. None: deleted."""
        taken = {job: self._pending.pop(job) for job in list(islice(self._pending, most))}
        if not self._pending:
            self._news.clear()
        return taken

    async def wait(self, seconds: float) -> bool:
        """Wait for news; False if the time is over first."""
        try:
            async with asyncio.timeout(seconds):
                return await self._news.wait()
        except TimeoutError:
            return False


class Feed:
    """Polls for tenants whose lists clients look at, and tells listeners what has changed.

    Parameters
    ----------
    look
        See `LookAt`.
    shutdown
        Once set, all listeners are let go.
    """

    def __init__(
        self, look: LookAt, shutdown: asyncio.Event, seconds: float = POLL_SECONDS
    ) -> None:
        self._look = look
        self._shutdown = shutdown
        self._seconds = seconds
        self._listeners: set[Listener] = set()
        self._polls: dict[str, _Poll] = {}
        self._trouble = Outage("feed")
        self._task: asyncio.Task[None] | None = None
        self._thread = ThreadPoolExecutor(1, "feed")

    @contextmanager
    def listening(self, listener: Listener) -> Iterator[None]:
        """Tell a listener what changes from now on, as long as the block lasts."""
        self._listeners.add(listener)
        if self._shutdown.is_set():
            listener.end()
        elif self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._poll())
        try:
            yield
        finally:
            self._listeners.discard(listener)

    async def close(self) -> None:
        """End all streams, and wait for the look in progress: it uses the database."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        self._end_all()
        await asyncio.to_thread(self._thread.shutdown)

    async def _poll(self) -> None:
        while self._listeners and not self._shutdown.is_set():
            tenants = {listener.tenant for listener in self._listeners}
            for tenant in self._polls.keys() - tenants:
                del self._polls[tenant]
            for tenant in tenants:
                await self._look_at(tenant)
            with suppress(TimeoutError):
                async with asyncio.timeout(self._seconds):
                    await self._shutdown.wait()
        self._polls.clear()
        self._end_all()

    async def _look_at(self, tenant: str) -> None:
        loop = asyncio.get_running_loop()
        began = loop.time()
        listeners = [one for one in self._listeners if one.tenant == tenant]
        last = self._polls.get(tenant, _Poll(None, began, began - SUMMARY_SECONDS))
        wanted = began - last.summed >= SUMMARY_SECONDS or not all(one.summed for one in listeners)
        try:
            look = await loop.run_in_executor(
                self._thread, self._look, tenant, last.snapshot, wanted
            )
        except Exception as error:  # noqa: BLE001 even if this poll fails, the next may do
            self._trouble.noticed(type(error).__name__)
            return
        self._trouble.end()
        self._polls[tenant] = _Poll(look.snapshot, began, began if wanted else last.summed)
        for listener in listeners:
            if began - last.at > GAP_SECONDS:
                listener.end()
            else:
                listener.offer(look)

    def _end_all(self) -> None:
        for listener in list(self._listeners):
            listener.end()
