"""Turns of tenants: a crowd of one tenant's requests does not keep those of others waiting.

Threads and the event loop serve in the order of arrival. What reads is therefore begun for few
requests at a time, and for tenants in turn.
"""

from collections.abc import Callable

from fastapi import Request, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.http.fair_places import FairPlaces, NoPlaceError
from app.http.identity import known_tenant
from app.http.origin_guard import READING
from app.http.refusals import Refusal
from app.settings import Settings

AT_A_TIME = 64
"""Requests of all tenants that are begun and have not been answered yet."""
MOST_WAITING = 4096
"""Requests that have not been begun; more are refused at once."""
RETRY_SECONDS = 5
_TURN = "steadygrid.turn"


class TenantTurns:
    """Begin requests that read in the turns of their tenants.

    A turn ends when the answer begins, or when the request waits for something else.

    Parameters
    ----------
    app
        The application inside.
    settings
        `body_turn_seconds`, and whether there are several tenants: one that is alone needs no turn.
    refuse
        Writes a refusal as a response to a request.
    refused
        Says why a request whose turn it is need not be routed; None: it has to be.
    """

    def __init__(
        self,
        app: ASGIApp,
        settings: Settings,
        refuse: Callable[[Request, Refusal], Response],
        refused: Callable[[Request], Refusal | None],
    ) -> None:
        self._app = app
        self._refused = refused
        self._seconds = settings.body_turn_seconds
        self._places = (
            FairPlaces(AT_A_TIME, shared=True, waiting=MOST_WAITING) if settings.shared else None
        )
        self._refuse = refuse

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        tenant = known_tenant(scope) if scope["type"] == "http" else None
        if self._places is None or tenant is None or scope["method"] not in READING:
            await self._app(scope, receive, send)
            return
        try:
            await self._places.wait(tenant, self._seconds)
        except NoPlaceError:
            refusal = Refusal(
                "temporary_reduced_capacity",
                "Too many requests are being answered. Ask again in a few seconds.",
                headers={"Retry-After": str(RETRY_SECONDS)},
            )
            await self._refuse(Request(scope), refusal)(scope, receive, send)
            return
        turn = scope[_TURN] = _TenantTurn(self._places, tenant)
        spent = self._refused(Request(scope))
        if spent is not None:
            turn.end()
            await self._refuse(Request(scope), spent)(scope, receive, send)
            return

        async def send_and_end(message: Message) -> None:
            turn.end()
            await send(message)

        try:
            await self._app(scope, receive, send_and_end)
        finally:
            turn.end()


class _TenantTurn:
    """The turn of one request."""

    def __init__(self, places: FairPlaces, tenant: str) -> None:
        self._places = places
        self._tenant = tenant
        self._ended = False

    def end(self) -> None:
        """Let the next request begin; once."""
        if not self._ended:
            self._ended = True
            self._places.leave(self._tenant)


def end_turn(request: Request) -> None:
    """Let the next request begin: this one waits for something that takes its time."""
    turn: _TenantTurn | None = request.scope.get(_TURN)
    if turn is not None:
        turn.end()
