"""Keyset pages: a page begins after the last key of the one before it."""

import base64
import binascii
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from app.db.errors import PageTokenError

T = TypeVar("T")

_LARGEST_INTEGER = 2**31 - 1


@dataclass(frozen=True)
class Page(Generic[T]):
    """Some entries of a list, and the token of the next page. None at the end."""

    items: Sequence[T]
    next_token: str | None


def encode_token(key: Any) -> str:
    """Write a key as an opaque token."""
    return base64.urlsafe_b64encode(json.dumps(key).encode("ascii")).decode("ascii").rstrip("=")


def decode_token(token: str, types: tuple[type, ...]) -> list[Any]:
    """Read a token's key, a list with members of the given types.

    Parameters
    ----------
    token
        As the client gave it.
    types
        One for each member.

    Raises
    ------
    PageTokenError
        If it is anything else.
    """
    try:
        padded = token.encode("ascii") + b"=" * (-len(token) % 4)
        key = json.loads(base64.b64decode(padded, altchars=b"-_", validate=True))
    except (UnicodeError, binascii.Error, ValueError, RecursionError):
        raise PageTokenError(PageTokenError.__doc__) from None
    if not isinstance(key, list) or len(key) != len(types) or not all(map(_storable, key, types)):
        raise PageTokenError(PageTokenError.__doc__)
    return key


def _storable(member: Any, expected: type) -> bool:
    # A token may come from any client: what no column can hold would be an error of the database.
    if isinstance(member, bool) or not isinstance(member, expected):
        return False
    if isinstance(member, str):
        return member.isascii() and member.isprintable()
    return isinstance(member, int) and 0 <= member <= _LARGEST_INTEGER
