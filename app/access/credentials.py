"""What a request shows to be let in, and what is said where that is no good."""

from enum import StrEnum
from typing import NamedTuple

from starlette.types import Scope as Connection

from app.access.sessions import Cookie
from app.http.refusals import Refusal

MOST_LETTERS = 16_384
"""Of a credential. The tokens of an issuer that names many groups are long."""
_CHALLENGE = 'Bearer realm="steadygrid"'
_HOW = "send the header field `Authorization: Bearer` with a key of this service"


class Shown(StrEnum):
    """Where a credential is shown."""

    BEARER = "bearer"
    """In the header field ``Authorization``, by a program."""
    SESSION = "session"
    """In a cookie, by the browser of a user who has logged in."""
    VIEW = "view"
    """In the address of a view, which is all that it is good for."""


class Credential(NamedTuple):
    """What a caller is known by. Any caller that has it is let in, so no log ever holds it."""

    shown: Shown
    text: str

    def __repr__(self) -> str:
        return f"Credential({self.shown})"


def credential_of(connection: Connection, cookie: Cookie | None) -> Credential | None:
    """Give the credential that a request shows. None if it shows none.

    Parameters
    ----------
    cookie
        What counts where there is no bearer. None: nothing.

    Raises
    ------
    Refusal
        ``unauthorized``: it shows several, or what is none.
    """
    given = [value for name, value in connection["headers"] if name == b"authorization"]
    if not given:
        value = None if cookie is None else cookie.presented(connection)
        return None if value is None else Credential(Shown.SESSION, value)
    if len(given) > 1:
        raise unknown("There are two header fields Authorization, and one has to say who asks.")
    scheme, _, text = given[0].decode("latin-1").strip(" \t").partition(" ")
    text = text.strip(" \t")
    if scheme.lower() != "bearer" or not text:
        raise unknown(f"The header field Authorization names no bearer; {_HOW}.")
    if len(text) > MOST_LETTERS:
        raise unknown(f"The credential is longer than {MOST_LETTERS:,} letters.")
    return Credential(Shown.BEARER, text)


def missing_credential() -> Refusal:
    """Refuse a request without any credential."""
    return Refusal(
        "unauthorized",
        f"This needs a key: {_HOW}. The operator of the service makes one with"
        " `steadygrid keys create`.",
        headers={"WWW-Authenticate": _CHALLENGE},
    )


def unknown(detail: str) -> Refusal:
    """Refuse a credential that leads to no holder."""
    challenge = f'{_CHALLENGE}, error="invalid_token"'
    return Refusal("unauthorized", detail, headers={"WWW-Authenticate": challenge})


def insufficient(scope: str) -> Refusal:
    """Refuse a caller that is known and may not do this."""
    challenge = f'{_CHALLENGE}, error="insufficient_scope", scope="{scope}"'
    return Refusal(
        "missing_scope",
        f"This needs the scope `{scope}`, which the credential of this request does not have.",
        headers={"WWW-Authenticate": challenge},
    )
