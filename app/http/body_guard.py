"""Request bodies from the outside: how long, how slowly, and how many large ones at once."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from fastapi import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.http.refusals import Refusal
from app.settings import Settings

LARGE_BYTES = 4 * 2**20
"""From here on a body needs a turn before (more of) it is taken."""
LARGE_AT_A_TIME = 2
MOST_WAITING = 16
"""Large bodies that wait for their turn; more are refused at once."""
RETRY_LARGE_SECONDS = 5
_ARRIVAL = "steadygrid.arrival"


class Turns:
    """Lets large bodies in, two at a time.

    What is let in is in memory until it has been worked on. Working on it takes many times
    its size and the interpreter's lock all the while, so that happens one at a time.

    Parameters
    ----------
    patience
        Seconds that a body waits for its turn.
    """

    def __init__(self, patience: float) -> None:
        self._patience = patience
        self._arriving = asyncio.Semaphore(LARGE_AT_A_TIME)
        self._working = asyncio.Lock()
        self._waiting = 0

    async def enter(self) -> None:
        """Wait for a turn; `Refusal` ``too_many_large_bodies``."""
        if self._waiting >= MOST_WAITING:
            raise self._refusal()
        self._waiting += 1
        try:
            async with asyncio.timeout(self._patience):
                await self._arriving.acquire()
        except TimeoutError:
            raise self._refusal() from None
        finally:
            self._waiting -= 1

    def leave(self) -> None:
        """Let the next one in."""
        self._arriving.release()

    @asynccontextmanager
    async def working(self) -> AsyncIterator[None]:
        """Work on a large body alone."""
        async with self._working:
            yield

    def _refusal(self) -> Refusal:
        return Refusal(
            "too_many_large_bodies",
            f"Bodies of {LARGE_BYTES:,} bytes and more are read {LARGE_AT_A_TIME} at a time, and"
            " too many are waiting; come back in a moment.",
            headers={"Retry-After": str(RETRY_LARGE_SECONDS), "Connection": "close"},
        )


class Arrival:
    """The body of one request on its way in.

    Parameters
    ----------
    announced
        Its ``Content-Length``, 0 if there is none.
    """

    def __init__(self, settings: Settings, turns: Turns, announced: int, receive: Receive) -> None:
        self._most = settings.max_body_bytes
        self._seconds = settings.body_seconds
        self._rate = settings.body_bytes_per_second
        self._turns = turns
        self._announced = announced
        self._receive = receive
        self._taken = 0
        self._whole = False
        self._started: float | None = None
        self.large = False
        """Whether it has a turn."""

    async def receive(self) -> Message:
        """Take a piece.

        Raises
        ------
        Refusal
            ``body_too_large``, ``too_many_large_bodies``; ``request_timeout`` if less than
            the least rate has come when the time for slow starts is over.
        """
        if self._whole:
            return await self._receive()
        if not self.large and max(self._announced, self._taken) >= LARGE_BYTES:
            await self._take_turn()
        now = asyncio.get_running_loop().time
        if self._started is None:
            self._started = now()
        try:
            deadline = self._started + self._seconds + self._taken / self._rate
            async with asyncio.timeout_at(deadline):
                message = await self._receive()
        except TimeoutError:
            raise Refusal(
                "request_timeout",
                "The rest of the body did not arrive in time.",
                headers={"Connection": "close"},
            ) from None
        self._taken += len(message.get("body", b""))
        self._whole = not message.get("more_body", False)
        if self._taken > self._most:
            raise too_large(self._most)
        return message

    async def _take_turn(self) -> None:
        now = asyncio.get_running_loop().time
        before = now()
        await self._turns.enter()
        self.large = True
        if self._started is not None:
            self._started += now() - before

    def leave(self) -> None:
        """Let the next large body in: nothing of this one is kept any more."""
        if self.large:
            self.large = False
            self._turns.leave()


class BodyGuard:
    """Watch over the bodies of all requests.

    An announced length beyond the limit is refused at once; a chunked body when it crosses
    the limit, by raising the refusal where the body is read.

    Parameters
    ----------
    app
        The application inside.
    settings
        Limits and deadlines.
    refuse
        Writes a refusal as a response.
    """

    def __init__(
        self, app: ASGIApp, settings: Settings, refuse: Callable[[Refusal], Response]
    ) -> None:
        self._app = app
        self._settings = settings
        self._refuse = refuse
        self._turns = Turns(settings.body_turn_seconds)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        fields = dict(scope["headers"])
        announced = fields.get(b"content-length", b"0")
        most = self._settings.max_body_bytes
        # More than 18 digits are beyond any limit and need no conversion.
        if len(announced) > 18 or (announced.isdigit() and int(announced) > most):
            await self._refuse(too_large(most))(scope, receive, send)
            return
        length = int(announced) if announced.isdigit() else 0
        arrival = Arrival(self._settings, self._turns, length, receive)
        scope[_ARRIVAL] = (arrival, self._turns)
        try:
            await self._app(scope, arrival.receive, send)
        finally:
            arrival.leave()


def arrival_of(scope: Scope) -> tuple[Arrival, Turns]:
    """Give the body that came with a request, and whose turns it takes."""
    found: tuple[Arrival, Turns] = scope[_ARRIVAL]
    return found


def too_large(most: int) -> Refusal:
    """Refuse a body that is longer than the limit."""
    return Refusal(
        "body_too_large",
        f"The body is longer than {most:,} bytes.",
        headers={"Connection": "close"},
    )
