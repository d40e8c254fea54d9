"""Reading bodies: short ones in threads, others in processes, where tenants take turns.

Reading a body takes up to thirty times its size in memory, and the interpreter's lock all the while.
So does finding out what would help a job. What may take long is done in a process of its own.
That process is ended if it takes too much time or memory.
"""

import asyncio
import base64
import pickle
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import structlog
from fastapi import Request
from fastapi.concurrency import run_in_threadpool

from app.http.disconnection import client_gone, disconnected
from app.http.fair_places import FairPlaces, NoPlaceError
from app.http.refusals import Refusal
from app.http.sources import Sources
from app.http.turns import end_turn
from app.settings import Settings
from steadygrid.processes.frames import Frame
from steadygrid.processes.servant import (
    DeadError,
    LateError,
    OverweightError,
    Servant,
    ServantError,
    StoppedError,
    Task,
)

PROCESS = "app.reading_process"
"""What the processes run."""
THREADS = 4
"""Short bodies that are read at a time: threads that compute keep each other, and all else, waiting."""
MOST_WAITING = 32
"""Requests that wait for a process; more are refused at once."""
RETRY_SECONDS = 5
_MOST = 1_000
"""Bodies that a process reads before another one takes over."""
_IDLE_SECONDS = 300.0

T = TypeVar("T")

log = structlog.get_logger(__name__)


class Readers:
    """Reads bodies and works on what they ask for, without ever holding the event loop.

    Parameters
    ----------
    sources
        What short bodies are read with.
    connections
        How many requests there may be at once.
    """

    def __init__(self, sources: Sources, connections: int) -> None:
        self._sources = sources
        settings = self._settings = sources.settings
        self._in_threads = FairPlaces(THREADS, shared=settings.shared, waiting=connections)
        number = settings.reading_processes
        self._in_processes = FairPlaces(number, shared=settings.shared, waiting=MOST_WAITING)
        self._free = [_servant(settings) for _ in range(number)]
        self._threads = ThreadPoolExecutor(number, "readers")
        self._busy: dict[asyncio.Future[Frame], tuple[Servant, Task]] = {}

    async def run_in_thread(self, tenant: str, do: Callable[[Sources], T]) -> T:
        """Do something short in a thread.

        Parameters
        ----------
        tenant
            Who asks.
        do
            Called in a thread of its own, with `Sources`.

        Raises
        ------
        Refusal
            ``too_many_bodies``, and what it raises.
        """
        await self._enter(self._in_threads, tenant)
        try:
            return await run_in_threadpool(do, self._sources)
        finally:
            self._in_threads.leave(tenant)

    async def apart(
        self,
        request: Request,
        tenant: str,
        do: Callable[..., T],
        content: bytes | bytearray,
        *arguments: Any,
    ) -> T:
        """Do something in a process, for as long as the client waits.

        Parameters
        ----------
        do
            A function that can be imported. It is given `Sources`, the content, and the arguments.
            Its arguments, its result and its errors are pickled.

        Raises
        ------
        Refusal
            ``too_many_bodies``, ``reading_failed``, ``unavailable``, ``client_gone``, and what it raises.
        """
        end_turn(request)
        return await _while_connected(request, self.work(tenant, do, content, *arguments))

    async def work(
        self, tenant: str, do: Callable[..., T], content: bytes | bytearray, *arguments: Any
    ) -> T:
        """Do something in a process, although no client waits for it. See `apart`."""
        call = base64.b85encode(pickle.dumps((self._settings, do, arguments))).decode("ascii")
        task = Task({"type": "call", "call": call}, content)
        frame = await self._worked(tenant, task)
        found = pickle.loads(frame.payload)  # noqa: S301 - both ends are one installation
        if frame.message["type"] == "failure":
            raise found
        if frame.message["type"] == "broken":
            log.error("reading_failed", **found)
            raise Refusal("internal", "The service made an error. Its log has the details.")
        answer: T = found
        return answer

    async def _worked(self, tenant: str, task: Task) -> Frame:
        await self._enter(self._in_processes, tenant)
        servant = self._free.pop()
        loop = asyncio.get_running_loop()
        working = loop.run_in_executor(self._threads, servant.do, task)
        self._busy[working] = (servant, task)
        working.add_done_callback(lambda _: self._done(tenant, working))
        try:
            # It ends when the process has: until then no other request gets it.
            return await asyncio.shield(working)
        except asyncio.CancelledError:
            task.give_up()
            raise
        except (ServantError, OSError) as error:
            raise self._refusal(error) from None

    def _done(self, tenant: str, working: "asyncio.Future[Frame]") -> None:
        working.exception()  # a request that was given up does not ask
        servant, _ = self._busy.pop(working)
        self._free.append(servant)
        self._in_processes.leave(tenant)

    async def _enter(self, places: FairPlaces, tenant: str) -> None:
        """Wait for a place; `Refusal` ``too_many_bodies``."""
        try:
            await places.wait(tenant, self._settings.body_turn_seconds)
        except NoPlaceError:
            raise Refusal(
                "too_many_bodies",
                "Enough other bodies wait to be read. Come back in a moment.",
                headers={"Retry-After": str(RETRY_SECONDS)},
            ) from None

    def _refusal(self, error: ServantError | OSError) -> Refusal:
        """Say why nothing was read."""
        again = {"Retry-After": str(RETRY_SECONDS)}
        match error:
            case StoppedError():
                return Refusal("unavailable", "The service ends, and reads no more.", headers=again)
            case LateError(starting=False):
                said = f"Reading this took longer than {error.seconds:g} s and was stopped."
                return Refusal("reading_failed", f"{said} Send less at once.")
            case OverweightError() | DeadError(out_of_memory=True):
                most = self._settings.reading_memory_bytes
                said = f"Reading this needed more than {most:,} bytes of memory and was stopped."
                return Refusal("reading_failed", f"{said} Send less at once.")
        log.error("reading_failed", cause=str(error))
        said = "The process that reads has ended unexpectedly. Send it again."
        return Refusal("reading_failed", said, headers=again)

    async def close(self) -> None:
        """End the processes, even those at work, and the threads."""
        working = list(self._busy)
        servants = [servant for servant, _ in self._busy.values()] + self._free
        for _, task in self._busy.values():
            task.give_up()
        await asyncio.gather(*working, return_exceptions=True)
        await asyncio.gather(*(asyncio.to_thread(servant.close) for servant in servants))
        self._threads.shutdown(wait=False)


def _servant(settings: Settings) -> Servant:
    return Servant(
        PROCESS,
        str(settings.reading_memory_bytes),
        seconds=settings.reading_seconds,
        memory=settings.reading_memory_bytes,
        most=_MOST,
        idle=_IDLE_SECONDS,
    )


async def _while_connected(request: Request, work: Coroutine[Any, Any, T]) -> T:
    """Work for as long as the client waits; `Refusal` ``client_gone`` where it has gone."""
    working = asyncio.ensure_future(work)
    gone = asyncio.ensure_future(disconnected(request))
    try:
        await asyncio.wait((working, gone), return_when=asyncio.FIRST_COMPLETED)
        if working.done():
            return working.result()
    finally:
        gone.cancel()
        working.cancel()
    raise client_gone()
