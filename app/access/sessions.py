"""Sessions: who has logged in on the pages with a key. The cookie holds 32 random bytes."""

import hashlib
import re
import secrets
from collections.abc import Iterator
from typing import NamedTuple, Self

from fastapi import Response
from starlette.types import Scope as Connection

from app.db.audit import Action
from app.db.engine import Database
from app.db.unit import AllTenants
from app.http.identity import Identity
from app.settings import Settings

_NAME = "steadygrid-session"
_OF_THIS_HOST = "__Host-"
"""Browsers take a cookie of such a name over TLS only, from this very host, for all its paths."""
_BYTES = 32
_VALUE = re.compile(r"[A-Za-z0-9_-]{43}", re.ASCII)


class Cookie(NamedTuple):
    """The cookie of a service's sessions."""

    name: str
    secure: bool

    @classmethod
    def from_settings(cls, settings: Settings) -> Self:
        """Give the cookie as it has to be where people use the service at `public_url`."""
        secure = (settings.public_url or "").startswith("https:")
        return cls(_OF_THIS_HOST + _NAME if secure else _NAME, secure)

    def presented(self, connection: Connection) -> str | None:
        """Give what a request's cookie holds. None where that can be no session.

        Of two cookies we cannot tell which is of this service: a page of a sibling host may have
        set the other one, to make a user work in its own session. Then neither counts.
        """
        found = list(self._values(connection))
        return found[0] if len(found) == 1 and _VALUE.fullmatch(found[0]) else None

    def _values(self, connection: Connection) -> Iterator[str]:
        for field, value in connection["headers"]:
            if field == b"cookie":
                for pair in value.decode("latin-1").split(";"):
                    name, _, content = pair.strip().partition("=")
                    if name == self.name:
                        yield content

    def set_session(self, answer: Response, value: str) -> None:
        """Give the browser a session. It forgets it when it ends.

        Parameters
        ----------
        answer
            Gets the header field.
        value
            Of the cookie.
        """
        answer.set_cookie(self.name, value, secure=self.secure, httponly=True, samesite="lax")

    def remove(self, answer: Response) -> None:
        """Let the browser forget its session."""
        answer.delete_cookie(self.name, secure=self.secure, httponly=True, samesite="lax")


def find(database: Database, value: str) -> Identity | None:
    """Give who has logged in. None if the session or its key has ended.

    Parameters
    ----------
    database
        Where the service stores everything.
    value
        Of the cookie.
    """
    digest = _digest(value)
    with database.read_all() as unit:
        session = unit.sessions.find(digest)
    if session is None:
        return None
    if session.due:
        with database.write_all() as unit:
            unit.sessions.renew(digest)
    return Identity(session.tenant, session.scopes, _actor(session.key_id))


def log_in(database: Database, key: str, earlier: str | None) -> str | None:
    """Begin a session with a key, and give what the cookie is to hold.

    Parameters
    ----------
    key
        As the caller has given it.
    earlier
        What the cookie has held so far: that session ends, whosever it is.

    Returns
    -------
    str or None
        None: this is no key that may be used.
    """
    with database.read_all() as unit:
        # A client that only guesses does not keep the writers waiting.
        if unit.keys.find(key) is None:
            return None
    value = secrets.token_urlsafe(_BYTES)
    with database.write_all() as unit:
        found = unit.keys.find(key)
        if found is None:
            return None
        if earlier is not None:
            _end(unit, earlier)
        unit.sessions.begin(_digest(value), found.tenant, found.id, found.scopes)
        unit.audit.write(found.tenant, _actor(found.id), Action.LOGGED_IN, f"key {found.id}")
    return value


def log_out(database: Database, value: str) -> None:
    """End a session, if there is one.

    Parameters
    ----------
    database
        Where the service stores everything.
    value
        Of the cookie.
    """
    with database.write_all() as unit:
        _end(unit, value)


def _end(unit: AllTenants, value: str) -> None:
    ended = unit.sessions.end(_digest(value))
    if ended is not None:
        unit.audit.write(
            ended.tenant, _actor(ended.key_id), Action.LOGGED_OUT, f"key {ended.key_id}"
        )


def _actor(key_id: str) -> str:
    return f"key {key_id}, logged in"


def _digest(value: str) -> str:
    # These are 256 random bits: nothing is to be guessed, so nothing has to be slow.
    return hashlib.sha256(value.encode()).hexdigest()
