"""Who holds a credential: asked of the database, and kept for two seconds."""

import asyncio
import hashlib
import math
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from fastapi.concurrency import run_in_threadpool

from app.access import sessions, views
from app.access.credentials import Credential, Shown, unknown
from app.access.lookups import Lookups
from app.db.engine import Database
from app.db.errors import DatabaseUnavailableError
from app.db.keys import KEY_PREFIX, USE_SECONDS, KeyRecord
from app.db.scopes import Scope
from app.http.identity import Identity
from app.settings import AuthMethod, Settings

if TYPE_CHECKING:
    from app.access.tokens import Tokens

FRESH_SECONDS = 2.0
"""For so long an answer is kept. With the pause of those who ask again it makes less than the five
seconds after which a revoked key is refused everywhere."""
MOST_KEPT = 10_000


class _Finding(NamedTuple):
    identity: Identity
    until: float


class Holders:
    """Finds out who holds a credential, without ever holding the event loop.

    One for all requests of a process.

    Parameters
    ----------
    settings
        `auth`: which credentials are taken.
    """

    def __init__(self, settings: Settings) -> None:
        self._takes_keys = AuthMethod.KEYS in settings.auth_methods
        self._tokens: Tokens | None = None
        if AuthMethod.JWT in settings.auth_methods:
            # What checks signatures takes long to load, and most services have no use for it.
            from app.access import tokens

            self._tokens = tokens.Tokens(settings)
        self._findings: dict[bytes, _Finding] = {}
        self._lookups: Lookups[bytes, _Finding] = Lookups()
        self._visitors: Lookups[bytes, Identity] = Lookups()
        self._uses: dict[str, float] = {}
        """By key, when its use was written down last."""
        self._writing = asyncio.Lock()
        self._notes: set[asyncio.Task[None]] = set()

    async def identity(self, database: Database, credential: Credential) -> Identity:
        """Give who holds a credential.

        Parameters
        ----------
        database
            Where the service stores everything.
        credential
            What the client has shown.

        Raises
        ------
        Refusal
            ``unauthorized``: no caller holds it, or no longer. ``not_found``: of a view.
        DatabaseUnavailableError
            If the database cannot be asked.
        """
        if credential.shown is Shown.VIEW:
            return await run_in_threadpool(_reader, database, credential.text)
        digest = hashlib.sha256(f"{credential.shown} {credential.text}".encode()).digest()
        if credential.shown is Shown.SESSION:
            return await self._visitors.ask(
                digest, lambda: self._visitor(database, credential.text)
            )
        finding = self._findings.get(digest)
        if finding is None or finding.until <= asyncio.get_running_loop().time():
            finding = await self._lookups.ask(
                digest, lambda: self._find_holder(database, credential.text)
            )
            self._findings.pop(digest, None)
            while len(self._findings) >= MOST_KEPT:
                del self._findings[next(iter(self._findings))]
            self._findings[digest] = finding
        return finding.identity

    async def _visitor(self, database: Database, value: str) -> Identity:
        # Never kept: a logout takes effect at once, in every process.
        found = await run_in_threadpool(sessions.find, database, value)
        if found is None or not self._takes_keys:
            raise unknown("The session has ended: log in again.")
        return found

    async def _find_holder(self, database: Database, bearer: str) -> _Finding:
        began = asyncio.get_running_loop().time()
        if self._tokens is not None and not (self._takes_keys and bearer.startswith(KEY_PREFIX)):
            holder = await self._tokens.holder(database, bearer)
            return _Finding(holder.identity, began + min(FRESH_SECONDS, holder.seconds))
        return _Finding(await self._holder_of_key(database, bearer), began + FRESH_SECONDS)

    async def _holder_of_key(self, database: Database, key: str) -> Identity:
        def find() -> KeyRecord | None:
            with database.read_all() as unit:
                return unit.keys.find(key)

        record = await run_in_threadpool(find)
        if record is None:
            raise unknown("The key is none of this service, was revoked, or has expired.")
        now = asyncio.get_running_loop().time()
        if now >= self._uses.get(record.id, -math.inf) + USE_SECONDS:
            self._uses[record.id] = now
            note = asyncio.ensure_future(self._note_use(database, record.id))
            self._notes.add(note)
            note.add_done_callback(self._notes.discard)
        return Identity(record.tenant, record.scopes, f"key {record.id}")

    async def _note_use(self, database: Database, key_id: str) -> None:
        """Write the use of a key down. No request waits for that, and one thread at most."""

        def write() -> None:
            with suppress(DatabaseUnavailableError), database.write_all() as unit:
                unit.keys.used(key_id)

        async with self._writing:
            await run_in_threadpool(write)

    async def close(self) -> None:
        """Wait for the uses that are being written down: the database is closed next."""
        await asyncio.gather(*self._notes)


def _reader(database: Database, token: str) -> Identity:
    found = views.find(database, token)
    if found is None:
        raise views.ended()
    return Identity(found.tenant, frozenset((Scope.READ,)), f"view of {found.job_id}")
