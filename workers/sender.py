"""The sender: webhooks hear of what has ended, at least once.

Several may run at once: a delivery is claimed with a lease, and what became of it is written only by
who holds it. ``python -m workers.sender`` sends for ever; `steadygrid serve` and `steadygrid worker`
start one of their own, and `steadygrid sender` is one. No receiver holds up a worker or a sweeper.
"""

import asyncio
import os
import signal
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress

import structlog

from app.db.counters import Count
from app.db.deliveries import Answered, Claimed
from app.db.engine import Database
from app.db.errors import DatabaseUnavailableError
from app.logs import configure_logging, places
from app.receivers import SystemResolver
from app.settings import Settings
from steadygrid.processes.lifeline import die_with_parent
from workers.counts import Counts
from workers.sending import SECONDS, Post, pause_after

log = structlog.get_logger(__name__)

AT_A_TIME = 16
OF_ONE_WEBHOOK = 2
OF_ONE_TENANT = 8
LEASE_SECONDS = 4 * SECONDS
_POLL_SECONDS = 1.0
_COUNT_SECONDS = 30.0
"""After which it adds to the database what it has counted, and so says that it works."""
_PIECE = 50
"""Jobs that are announced, or deliveries that are given up, in one unit."""
_LEAVE_SECONDS = 5.0
"""For attempts that have begun when it stops. The rest is given back."""


class Sender:
    """Announces what has ended and sends it, until it is stopped.

    Parameters
    ----------
    database
        Whose tables.
    post
        Sends one delivery.
    lease_seconds
        After which another sender takes over what this one has not come back from.
    settle
        Waits until nothing of an attempt goes on. Until then it counts as in progress, although
        what came of it is written down.
    """

    def __init__(
        self,
        database: Database,
        post: Callable[[Claimed], Awaitable[Answered]],
        lease_seconds: float = LEASE_SECONDS,
        settle: Callable[[Claimed], Awaitable[None]] | None = None,
    ) -> None:
        self._database = database
        self._post = post
        self._settle = settle
        self._lease_seconds = lease_seconds
        self._counts = Counts()
        self._next_count = time.monotonic()
        self._under_way: dict[asyncio.Task[None], Claimed] = {}

    async def run(self, stop: asyncio.Event) -> None:
        """Send until the event is set."""
        stopping = asyncio.ensure_future(stop.wait())
        while not stop.is_set():
            busy = False
            with suppress(DatabaseUnavailableError):  # told already; the rows wait
                busy = await self._look()
                self._counts.count(Count.SENDER_LOOKS)
                if time.monotonic() >= self._next_count:
                    self._next_count = time.monotonic() + _COUNT_SECONDS
                    await asyncio.to_thread(self._add_counts)
            if not busy:
                await asyncio.wait(
                    {stopping, *self._under_way},
                    timeout=_POLL_SECONDS,
                    return_when=asyncio.FIRST_COMPLETED,
                )
        await self._leave()

    async def _look(self) -> bool:
        """Do what there is to do now; False if that was nothing."""
        if not await asyncio.to_thread(self._has_work):
            return False
        done = await asyncio.to_thread(self._announce)
        done += await asyncio.to_thread(self._give_up)
        free = AT_A_TIME - len(self._under_way)
        claimed = await asyncio.to_thread(self._claim, free) if free else ()
        for one in claimed:
            task = asyncio.ensure_future(self._deliver(one))
            self._under_way[task] = one
            task.add_done_callback(self._under_way.pop)
        return bool(done or claimed)

    def _add_counts(self) -> None:
        with self._counts.taken() as counted, self._database.write_all() as unit:
            unit.counters.add(counted)

    def _has_work(self) -> bool:
        with self._database.read_all() as unit:
            return unit.deliveries.has_work()

    def _announce(self) -> int:
        with self._database.write_all() as unit:
            return unit.deliveries.announce(_PIECE)

    def _give_up(self) -> int:
        with self._database.write_all() as unit:
            return unit.deliveries.give_up(_PIECE)

    def _claim(self, free: int) -> Sequence[Claimed]:
        held = Counter(one.tenant for one in list(self._under_way.values()))
        with self._database.write_all() as unit:
            return unit.deliveries.claim(
                free, OF_ONE_WEBHOOK, self._lease_seconds, OF_ONE_TENANT, held
            )

    async def _deliver(self, claimed: Claimed) -> None:
        try:
            answered = await self._post(claimed)
        except Exception as error:  # noqa: BLE001 nothing else would report it
            log.error("delivery_failed", error=type(error).__name__, places=places(error))
            answered = Answered(None, "internal", pause_after(claimed.failures + 1))
        # Unless that can be written the lease ends, and it is sent again.
        with suppress(DatabaseUnavailableError):
            await asyncio.to_thread(self._record, claimed, answered)
        if self._settle is not None:
            await self._settle(claimed)

    def _record(self, claimed: Claimed, answered: Answered) -> None:
        with self._database.write_all() as unit:
            kept = unit.deliveries.record(claimed, answered)
        if kept:
            arrived = answered.error is None
            self._counts.count(Count.DELIVERED if arrived else Count.UNDELIVERED)
        log.info(
            "delivery",
            tenant=claimed.tenant,
            webhook=claimed.webhook_id,
            delivery=claimed.id,
            attempt=claimed.attempt,
            status=answered.status,
            error=answered.error,
            stale=not kept,
        )

    async def _leave(self) -> None:
        """Wait a little for attempts that have begun, and give back what is left."""
        if self._under_way:
            await asyncio.wait([*self._under_way], timeout=_LEAVE_SECONDS)
        left = dict(self._under_way)
        for task in left:
            task.cancel()
        with suppress(DatabaseUnavailableError):
            await asyncio.to_thread(self._give_back, [*left.values()])
            await asyncio.to_thread(self._add_counts)

    def _give_back(self, left: Sequence[Claimed]) -> None:
        if left:
            with self._database.write_all() as unit:
                for one in left:
                    unit.deliveries.give_back(one)


def send_until_signal(settings: Settings) -> None:
    """Send webhooks until SIGTERM or Ctrl-C."""
    configure_logging(settings)
    database = Database.open(settings.effective_database_url, settings.database_busy_seconds)
    log.info("sender_started", pid=os.getpid())
    asyncio.run(_send(database, settings))
    database.close()


async def _send(database: Database, settings: Settings) -> None:
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    resolver = SystemResolver(AT_A_TIME)
    try:
        post = Post(settings.receivers, resolver)
        await Sender(database, post, settle=post.settle).run(stop)
    finally:
        resolver.close()


def main() -> None:
    """Send until SIGTERM, or until the parent that was named dies."""
    if len(sys.argv) > 1:
        die_with_parent(int(sys.argv[1]))
    send_until_signal(Settings())


if __name__ == "__main__":
    main()
