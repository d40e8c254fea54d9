"""Pages: ``{"items": [...], "next_page_token": ...}``."""

import base64
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Annotated, Any, TypeVar

from fastapi import Query

from app.db.errors import PageTokenError
from app.db.pages import Page, decode_token, encode_token
from app.http.parameters import WholeNumber, documented
from app.http.refusals import refused_parameter

T = TypeVar("T")

DEFAULT_LIMIT = 50
MOST_LIMIT = 500
_KEY = re.compile(rb'\["[a-z]{3}_[0-9a-f]{32}"\]|\["[0-9]{1,17}"\]|\[[0-9]{1,9}\]')

Limit = Annotated[
    WholeNumber,
    Query(ge=1, description=f"members of the page. More than {MOST_LIMIT} counts as {MOST_LIMIT}"),
]
_LONGEST_TOKEN = 2_000
PageToken = Annotated[
    Annotated[str, documented("^[A-Za-z0-9_-]+=*$", _LONGEST_TOKEN)] | None,
    Query(
        max_length=_LONGEST_TOKEN,
        description="`next_page_token` of the page before. Nothing else",
    ),
]


def page_size(limit: int) -> int:
    """Coerce what was asked for."""
    return min(limit, MOST_LIMIT)


@contextmanager
def page_token_checked(token: str | None) -> Iterator[None]:
    """Refuse the query parameter `page_token` if it, or the block with it, finds it wrong.

    A token that was made up may hold an integer or a text that a database cannot take.
    """
    refusal = refused_parameter(
        "page_token", "invalid_page_token", "it is not a next_page_token of this list"
    )
    if token is not None and not _plausible(token):
        raise refusal
    try:
        yield
    except PageTokenError:
        raise refusal from None


def _plausible(token: str) -> bool:
    try:
        key = base64.b64decode(token + "=" * (-len(token) % 4), altchars=b"-_")
    except ValueError:
        return False
    return _KEY.fullmatch(key) is not None


def page_of(items: Sequence[T], limit: int, token: str | None) -> Page[T]:
    """Cut a page out of a list that is at hand and never changes its order.

    Parameters
    ----------
    items
        All of the list.
    limit
        The most members of the page.
    token
        `next_page_token` of the page before.

    Raises
    ------
    Refusal
        For a wrong page token.
    """
    with page_token_checked(token):
        (start,) = (0,) if token is None else decode_token(token, (int,))
    end = start + limit
    return Page(items[start:end], encode_token([end]) if end < len(items) else None)


def page_document(items: list[Any], next_page_token: str | None) -> dict[str, Any]:
    """Write a page as the contract shows it.

    Parameters
    ----------
    items
        JSON-ready.
    next_page_token
        None on the last page.
    """
    return {"items": items, "next_page_token": next_page_token}
