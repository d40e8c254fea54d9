"""Conditional requests: entity tags and 304."""

import hashlib
from collections.abc import Mapping

from fastapi import Request, Response

from app.http.answers import JSON_UTF8

IMMUTABLE = "private, max-age=31536000, immutable"


def weak_tag(content: bytes) -> str:
    """Name what these bytes say."""
    return f'W/"{hashlib.sha256(content).hexdigest()[:20]}"'


def strong_tag(content: bytes) -> str:
    """Name these very bytes."""
    return f'"{hashlib.sha256(content).hexdigest()[:32]}"'


def matches(request: Request, tag: str) -> bool:
    """Whether ``If-None-Match`` names the tag, by weak comparison (RFC 9110, 13.1.2).

    Parameters
    ----------
    request
        Of the client. It says which tenant asks.
    tag
        Of what would be answered.
    """
    wanted = request.headers.get("if-none-match")
    if wanted is None:
        return False
    if wanted.strip() == "*":
        return True
    opaque = tag.removeprefix("W/")
    return any(one.strip().removeprefix("W/") == opaque for one in wanted.split(","))


def conditional(
    request: Request,
    content: bytes,
    tag: str,
    headers: Mapping[str, str],
    media_type: str = JSON_UTF8,
) -> Response:
    """Answer with a document, or with 304 where the client has it already.

    Parameters
    ----------
    request
        Of the client. It says which tenant asks.
    content
        The document.
    tag
        Of the content.
    headers
        More header fields, by name.
    media_type
        Of the content.
    """
    fields = {"ETag": tag} | dict(headers)
    if matches(request, tag):
        return Response(status_code=304, headers=fields)
    return Response(content, headers=fields, media_type=media_type)


def immutable(request: Request, content: bytes, media_type: str = JSON_UTF8) -> Response:
    """Answer with a document that never changes.

    Parameters
    ----------
    request
        Of the client. It says which tenant asks.
    content
        The document.
    media_type
        Of the content.
    """
    fields = {"Cache-Control": IMMUTABLE}
    return conditional(request, content, strong_tag(content), fields, media_type)
