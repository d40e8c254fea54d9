"""Request bodies from the outside: how long, how slowly, and how many large ones at once."""

import asyncio
import math
from collections.abc import Callable

from fastapi import Request, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.http.fair_places import FairPlaces, NoPlaceError
from app.http.identity import known
from app.http.refusals import Refusal
from app.settings import Settings

LARGE_BYTES = 4 * 2**20
"""From here on a body needs a place before (more of) it is taken."""
LARGE_AT_A_TIME = 4
MOST_WAITING = 16
"""Large bodies that wait for a place; more are refused at once."""
RETRY_LARGE_SECONDS = 5
LOOKS = 6
"""How often it is looked at how fast a large body comes, while another one waits for its place."""
_ARRIVAL = "steadygrid.arrival"


class Arrival:
    """The body of one request as it arrives.

    Parameters
    ----------
    places
        Those of large bodies. What has one is in memory until it has been worked on.
    tenant
        Whose request it is; empty where that is not known.
    announced
        Its ``Content-Length``, 0 if there is none.
    """

    def __init__(
        self, settings: Settings, places: FairPlaces, tenant: str, announced: int, receive: Receive
    ) -> None:
        self._settings = settings
        self._places = places
        self._tenant = tenant
        self._announced = announced
        self._receive = receive
        self._taken = 0
        self._whole = False
        self._started: float | None = None
        self._looked = (0.0, 0)
        """When it was looked at how fast it comes, and what had come by then."""
        self.large = False
        """Whether it has a place."""

    async def receive(self) -> Message:
        """Take a piece.

        Raises
        ------
        Refusal
            ``body_too_large``, ``too_many_large_bodies``; ``request_timeout`` if less than
            the least rate has come when the time for slow starts is over, or when another tenant
            waits for the place.
        """
        if self._whole:
            return await self._receive()
        if not self.large and max(self._announced, self._taken) >= LARGE_BYTES:
            await self._take_place()
        if self._started is None:
            self._started = _loop_time()
        message = await self._next(self._started)
        self._taken += len(message.get("body", b""))
        self._whole = not message.get("more_body", False)
        if self._taken > self._settings.max_body_bytes:
            raise too_large(self._settings.max_body_bytes)
        return message

    async def _next(self, started: float) -> Message:
        """Take what comes next, as long as it comes in time."""
        rate = self._settings.body_bytes_per_second
        deadline = started + self._settings.body_seconds + self._taken / rate
        while True:
            try:
                async with asyncio.timeout_at(min(deadline, self._look())):
                    return await self._receive()
            except TimeoutError:
                if _loop_time() >= deadline:
                    raise _late("The rest of the body did not arrive in time.") from None

    def _look(self) -> float:
        """Give the place up if another tenant waits for it and this body comes slowly.

        Returns
        -------
        float
            When to look again.
        """
        if not self.large:
            return math.inf
        every = self._settings.body_turn_seconds / LOOKS
        (before, taken), now = self._looked, _loop_time()
        if now >= before + every:
            self._looked = (now, self._taken)
            least = self._settings.wanted_body_bytes_per_second
            if self._places.wanted(self._tenant) and self._taken - taken < least * (now - before):
                self.leave()  # at once, so that no other slow upload has to make room, too
                raise _late(
                    f"The body came at less than {least:,} bytes per second, and others wait to"
                    " send theirs. Send it faster, or again in a while."
                )
        return self._looked[0] + every

    async def _take_place(self) -> None:
        before = _loop_time()
        try:
            await self._places.wait(self._tenant, self._settings.body_turn_seconds)
        except NoPlaceError:
            raise Refusal(
                "too_many_large_bodies",
                f"Bodies of {LARGE_BYTES:,} bytes and more are taken {self._places.total} at a time,"
                " and others are first. Come back in a moment.",
                headers={"Retry-After": str(RETRY_LARGE_SECONDS), "Connection": "close"},
            ) from None
        self.large = True
        self._looked = (_loop_time(), self._taken)
        if self._started is not None:
            self._started += _loop_time() - before

    def leave(self) -> None:
        """Let the next large body in: nothing of this one is kept any more."""
        if self.large:
            self.large = False
            self._places.leave(self._tenant)


def _loop_time() -> float:
    return asyncio.get_running_loop().time()


def _late(detail: str) -> Refusal:
    return Refusal("request_timeout", detail, headers={"Connection": "close"})


class BodyGuard:
    """Watch over the bodies of all requests.

    An announced length beyond the limit is refused at once. A chunked body when it crosses
    the limit, by raising the refusal where the body is read.

    Parameters
    ----------
    app
        The application inside.
    settings
        Limits and deadlines.
    refuse
        Writes a refusal as a response.
    large
        How many large bodies are taken at a time.
    """

    def __init__(
        self,
        app: ASGIApp,
        settings: Settings,
        refuse: Callable[[Refusal], Response],
        large: int = LARGE_AT_A_TIME,
    ) -> None:
        self._app = app
        self._settings = settings
        self._refuse = refuse
        self._places = FairPlaces(large, shared=settings.shared, waiting=MOST_WAITING)

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
        identity = known(Request(scope))
        tenant = "" if identity is None else identity.tenant
        arrival = Arrival(self._settings, self._places, tenant, length, receive)
        scope[_ARRIVAL] = arrival
        try:
            await self._app(scope, arrival.receive, send)
        finally:
            arrival.leave()


def arrival_of(scope: Scope) -> Arrival:
    """Give the body that came with a request."""
    found: Arrival = scope[_ARRIVAL]
    return found


def too_large(most: int) -> Refusal:
    """Refuse a body that is longer than the limit."""
    return Refusal(
        "body_too_large",
        f"The body is longer than {most:,} bytes.",
        headers={"Connection": "close"},
    )
