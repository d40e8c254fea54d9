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
        Of the client; it says which tenant asks.
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


def conditional(request: Request, content: bytes, tag: str, headers: Mapping[str, str]) -> Response:
    """Answer with JSON, or with 304 where the client has it already.

    Parameters
    ----------
    request
        Of the client; it says which tenant asks.
    content
        The JSON.
    tag
        Of the content.
    headers
        More header fields, by name.
    """
    fields = {"ETag": tag} | dict(headers)
    if matches(request, tag):
        return Response(status_code=304, headers=fields)
    return Response(content, headers=fields, media_type=JSON_UTF8)


def immutable(request: Request, content: bytes) -> Response:
    """Answer with JSON that never changes.

    Parameters
    ----------
    request
        Of the client; it says which tenant asks.
    content
        The JSON.
    """
    return conditional(request, content, strong_tag(content), {"Cache-Control": IMMUTABLE})
