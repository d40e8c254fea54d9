"""Pictures: drawn in a process of their own, one at a time, for few who wait."""

import asyncio
import json
import re
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache
from importlib.util import find_spec
from typing import Any, NamedTuple, Protocol

import structlog
from fastapi import Request

from app.http.disconnection import client_gone, disconnected
from app.http.identity import Identity, identity_of, is_alone
from app.http.refusals import Refusal, RefusedPart
from app.http.shutdown import Shutdown
from app.http.turns import end_turn
from steadygrid.domain.errors import Fault
from steadygrid.pictures.errors import PictureError, PictureFailed

PROCESS = "app.picture_process"
"""What the process runs."""
MOST_WAITING = 8
"""Pictures that wait for the one which is being drawn."""
MOST_WAITING_OF_A_TENANT = 2
"""The same of one tenant, where there are several."""
RETRY_SECONDS = 5
_MOST_NAMES = 10_000
"""Jobs of which it is kept in mind which pictures they have."""

_LOOK_SECONDS = 0.05
_OUR_FAULT = "The picture could not be drawn. The service made an error. Its log has the details."
_PLACE = re.compile(r'^  File "([^"\n]+", line [0-9]+, in .+)$', re.MULTILINE)

log = structlog.get_logger(__name__)


class Order(NamedTuple):
    """What the process is asked for. See `app.picture_process`."""

    message: dict[str, Any]
    payload: bytes


class Draws(Protocol):
    """What draws: a `steadygrid.pictures.drawing.Drawer`."""

    def draw(self, message: dict[str, Any], payload: bytes) -> bytes:
        """Draw and wait; `PictureError` where there is no picture.

        Parameters
        ----------
        message
            JSON-ready. What is to be drawn, and how.
        payload
            What belongs to the message, in bytes.
        """
        ...

    def close(self) -> None:
        """End. What is being drawn fails."""
        ...


class Studio:
    """Has pictures drawn one at a time, without ever holding the event loop.

    Its methods are called on the loop. The database is read, and the drawing waited for, in one
    thread of its own.

    Parameters
    ----------
    drawer
        Draws, when it is first asked.
    shutdown
        Once set, no request waits any longer.
    """

    def __init__(self, drawer: Draws, shutdown: Shutdown) -> None:
        self.drawer = drawer
        self._shutdown = shutdown
        self._places: dict[Future[bytes], str] = {}
        """Work and its tenant, in order. The first one is being drawn."""
        self._names: dict[str, list[str]] = {}
        self._thread = ThreadPoolExecutor(1, "pictures")

    async def drawn(self, request: Request, order: Callable[[], Order]) -> bytes:
        """Have something drawn for as long as the client waits.

        Parameters
        ----------
        order
            Called in the thread when it is its turn: what waits holds no memory.

        Raises
        ------
        Refusal
            ``too_many_pictures``, ``no_such_picture``, ``invalid_request``,
            ``pictures_not_installed``, ``picture_failed``, ``unavailable`` or ``client_gone``; what `order` raises.
        """
        loop = asyncio.get_running_loop()
        identity = identity_of(request)
        self._look_for_place(identity)
        end_turn(request)
        work = self._thread.submit(self._draw, order)
        self._places[work] = identity.tenant
        work.add_done_callback(lambda _: loop.call_soon_threadsafe(self._places.pop, work))
        answer = asyncio.wrap_future(work)
        others = (
            asyncio.ensure_future(disconnected(request)),
            asyncio.ensure_future(self._shutdown.event.wait()),
        )
        try:
            await asyncio.wait((answer, *others), return_when=asyncio.FIRST_COMPLETED)
            if not answer.done():
                if not self._shutdown.event.is_set():
                    raise client_gone()
                again = {"Retry-After": str(RETRY_SECONDS)}
                raise Refusal("unavailable", "The service ends, and draws no more.", headers=again)
            return answer.result()
        except PictureError as error:
            raise _refusal(error) from None
        finally:
            answer.cancel()
            for one in others:
                one.cancel()

    async def names(self, request: Request, own: str, order: Callable[[], Order]) -> list[str]:
        """Name the pictures of an answer, which never change; refused as `drawn` is.

        Parameters
        ----------
        own
            Id of the job.
        """
        found = self._names.pop(own, None)
        if found is None:
            found = json.loads(await self.drawn(request, order))
        self._names[own] = found
        while len(self._names) > _MOST_NAMES:
            del self._names[next(iter(self._names))]
        return found

    def _look_for_place(self, identity: Identity) -> None:
        """Refuse if there is none; `Refusal` ``too_many_pictures``."""
        waiting = Counter([*self._places.values()][1:])
        most = MOST_WAITING if is_alone(identity) else MOST_WAITING_OF_A_TENANT
        if self._places and (waiting.total() >= MOST_WAITING or waiting[identity.tenant] >= most):
            raise Refusal(
                "too_many_pictures",
                "One picture is drawn at a time, and enough others wait. Ask again later.",
                headers={"Retry-After": str(RETRY_SECONDS)},
            )

    def _draw(self, order: Callable[[], Order]) -> bytes:
        message, payload = order()
        return self.drawer.draw(message, payload)

    async def close(self) -> None:
        """End the process that draws, even if it is busy, and the thread."""
        self._thread.shutdown(wait=False, cancel_futures=True)
        await asyncio.to_thread(self._end, set(self._places))

    def _end(self, works: set[Future[bytes]]) -> None:
        self.drawer.close()
        # A picture that had been taken up and not yet handed over would start the process again.
        while not all(work.done() for work in works):
            time.sleep(_LOOK_SECONDS)
            self.drawer.close()


def _refusal(error: PictureError) -> Refusal:
    """Say why there is no picture. What may hold contents stays here."""
    if isinstance(error, PictureFailed):
        said = "\n".join(getattr(error, "__notes__", ()))
        log.error("picture_failed", places=_PLACE.findall(said), ours=bool(said))
        detail = _OUR_FAULT if said else error.detail
        return Refusal(error.code, detail)
    if not error.faults:
        return Refusal(error.code, error.detail)
    parts = [
        RefusedPart(parameter=_parameter(fault), code=fault.code, detail=fault.detail)
        for fault in error.faults
    ]
    return Refusal(error.code, error.detail, errors=parts)


def _parameter(fault: Fault) -> str:
    """Name the query parameter that a fault is at. What is too large is so in this format."""
    name = str((*fault.pointer, "format")[0])
    return {"begin": "from", "end": "to"}.get(name, name)


@cache
def pictures_installed() -> bool:
    """Say whether the extra ``pictures`` is there, without loading any of it."""
    return all(find_spec(name) is not None for name in ("altair", "vl_convert"))
