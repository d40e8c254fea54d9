"""The door: who asks is known before a body is read or an endpoint reached, and stays known."""

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import Any

from fastapi import Request, Response
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Send
from starlette.types import Scope as Connection

from app.access.credentials import (
    Credential,
    Shown,
    credential_of,
    insufficient,
    missing_credential,
)
from app.access.holders import Holders
from app.access.sessions import Cookie
from app.access.views import is_view, token_of
from app.db.errors import DatabaseUnavailableError
from app.db.scopes import Scope
from app.http.authorities import is_loopback
from app.http.identity import ANY_CALLER, Identity, identify
from app.http.origin_guard import READING
from app.http.paths import own_path
from app.http.refusals import Refusal, database_away
from app.http.resources import resources_of
from app.settings import PREFIX, AuthMethod, Settings

ASK_SECONDS = 2.0
"""Between two looks at whether those who are still being answered may ask."""
OF_THE_WHOLE_SERVICE = frozenset(("/metrics", "/operations"))
"""Paths that tell about all tenants."""
_CLOSED = b"event: closed\ndata: {}\n\n"
"""What ends a stream of events. A client that connects again hears why."""


class Admission:
    """Let in callers that may ask, for as long as that is so.

    Without keys, connections to a loopback address belong to the one tenant there is. With keys,
    every request needs a credential, and what goes on for longer is ended when its credential has.

    Parameters
    ----------
    app
        The application inside.
    settings
        `auth`, `insecure`.
    holders
        Finds out who holds a credential.
    is_open
        Whether a path shows every caller the same.
    refuse
        Writes a refusal as a response to a request.
    """

    def __init__(
        self,
        app: ASGIApp,
        settings: Settings,
        holders: Holders,
        is_open: Callable[[str], bool],
        refuse: Callable[[Request, Refusal], Response],
    ) -> None:
        self._app = app
        self._off = AuthMethod.OFF in settings.auth_methods
        self._cookie = Cookie.from_settings(settings) if settings.login else None
        self._insecure = settings.insecure
        self._is_open = is_open
        self._refuse = refuse
        self._holders = holders

    async def __call__(self, connection: Connection, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if connection["type"] != "http":
            await self._app(connection, receive, send)
            return
        started = _Started(send)
        try:
            credential = await self._let_in(connection)
            if credential is None:
                await self._app(connection, receive, send)
            else:
                await self._serve(connection, receive, started, credential)
        except Refusal as refusal:
            if started.streams_events:
                await send({"type": "http.response.body", "body": _CLOSED, "more_body": False})
            elif not started.begun:
                answer = self._refuse(Request(connection), refusal)
                await answer(connection, receive, send)
            # Else the answer stays a part, and the server cuts it off.

    async def _let_in(self, connection: Connection) -> Credential | None:
        """Say in the connection who asks; give the credential, if it has to stay good."""
        path = own_path(connection)
        if self._off:
            if self._insecure or _is_local(connection):
                identify(connection, ANY_CALLER)
            elif not self._is_open(path):
                raise _insecure()
            return None
        if self._is_open(path):
            return None
        credential = _credential(connection, self._cookie)
        identity = await self._identity(connection, credential)
        if (needed := _needed(connection["method"], path)) not in identity.scopes:
            raise insufficient(needed)
        identify(connection, identity)
        return credential

    async def _identity(self, connection: Connection, credential: Credential) -> Identity:
        database = resources_of(Request(connection)).database
        try:
            return await self._holders.identity(database, credential)
        except DatabaseUnavailableError as error:
            raise database_away(error) from None

    async def _serve(
        self, connection: Connection, receive: Receive, send: Send, credential: Credential
    ) -> None:
        """Serve a request until its credential ends; then `Refusal` ``unauthorized``."""
        dismissal: list[Refusal] = []

        async def look(patience: asyncio.Timeout) -> None:
            while not dismissal:
                await asyncio.sleep(ASK_SECONDS)
                try:
                    await self._identity(connection, credential)
                except Refusal as refusal:
                    # A database that is away says nothing; and nothing new can be read from it.
                    if refusal.code == "unauthorized":
                        dismissal.append(refusal)
            patience.reschedule(asyncio.get_running_loop().time())

        try:
            async with asyncio.timeout(None) as patience:
                with _background_task(look(patience)):
                    await self._app(connection, receive, send)
        except TimeoutError:
            if not dismissal:
                raise
            raise dismissal[0] from None


class _Started:
    """Passes an answer on, and knows how far it is."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self.begun = False
        self.streams_events = False
        """Whether an event may still follow."""

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.begun = True
            fields = MutableHeaders(scope=message)
            # A browser keeps answers for ever that never change, and may be another one's next.
            fields.add_vary_header("Authorization, Cookie")
            content_type = fields.get("content-type", "").partition(";")[0]
            self.streams_events = (
                content_type == "text/event-stream" and "content-encoding" not in fields
            )
        elif not message.get("more_body", False):
            self.streams_events = False
        await self._send(message)


@contextmanager
def _background_task(work: Coroutine[Any, Any, None]) -> Iterator[None]:
    """Do something at the same time as the block, and no longer."""
    task = asyncio.ensure_future(work)
    try:
        yield
    finally:
        task.cancel()


def _is_local(connection: Connection) -> bool:
    """Whether the connection's own address is one that other machines cannot reach."""
    server = connection.get("server")
    return server is not None and (server[0] == "localhost" or is_loopback(server[0]))


def _credential(connection: Connection, cookie: Cookie | None) -> Credential:
    if is_view(connection):
        return Credential(Shown.VIEW, token_of(connection))
    credential = credential_of(connection, cookie)
    if credential is None:
        raise missing_credential()
    return credential


def _needed(method: str, path: str) -> Scope:
    if path in OF_THE_WHOLE_SERVICE:
        return Scope.ADMIN
    return Scope.READ if method in READING else Scope.SUBMIT


def _insecure() -> Refusal:
    return Refusal(
        "insecure",
        "This service asks for no key, so it answers its own machine only. Its operator"
        f" sets {PREFIX}AUTH=keys and makes a key with `steadygrid keys create`, or sets"
        f" {PREFIX}INSECURE=true where only those reach it who may read and delete every job.",
    )
