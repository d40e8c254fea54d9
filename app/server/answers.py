"""Answers to clients whose requests are not read, or cannot be finished."""

import json
from collections.abc import Sequence
from http import HTTPStatus
from typing import Any

from app.error_entries import ErrorEntries
from steadygrid.domain.problem_details import PROBLEM_JSON, problem_details

CROWDED_DETAIL = "Too many connections are open. Come back in a moment."
RETRY_CROWDED_SECONDS = 1
DATA_POLICY = "default-src 'none'; frame-ancestors 'none'"
"""The content security policy of answers that are data: they may do nothing."""
_AGAIN = (f"Retry-After: {RETRY_CROWDED_SECONDS}",)
_ENDING = (
    "This process ends, and the answer takes longer. Send the request again, with the same"
    " Idempotency-Key if it makes something."
)


class PreparedAnswers:
    """What a client reads whose request is not read, or cannot be finished.

    Parameters
    ----------
    entries
        Say where the guide describes the codes.
    """

    def __init__(self, entries: ErrorEntries) -> None:
        self._entries = entries

    def late(self) -> bytes:
        """Answer a request that did not arrive in time."""
        return self._answer(
            HTTPStatus.REQUEST_TIMEOUT, "request_timeout", "The rest of the request did not arrive."
        )

    def crowded(self) -> bytes:
        """Answer a connection that is one too many."""
        return self._answer(
            HTTPStatus.SERVICE_UNAVAILABLE, "too_many_connections", CROWDED_DETAIL, *_AGAIN
        )

    def ending(self) -> Sequence[dict[str, Any]]:
        """Answer a request that is in progress when its process has to end, as messages of ASGI."""
        status = HTTPStatus.SERVICE_UNAVAILABLE
        content = self._content(status, "unavailable", _ENDING)
        named = [field.split(": ", 1) for field in _fields(content, *_AGAIN)]
        fields = [(name.lower().encode(), value.encode()) for name, value in named]
        return [
            {"type": "http.response.start", "status": int(status), "headers": fields},
            {"type": "http.response.body", "body": content},
        ]

    def _answer(self, status: HTTPStatus, code: str, detail: str, *fields: str) -> bytes:
        content = self._content(status, code, detail)
        head = [f"HTTP/1.1 {status.value} {status.phrase}", *_fields(content, *fields)]
        return "\r\n".join([*head, "", ""]).encode() + content

    def _content(self, status: HTTPStatus, code: str, detail: str) -> bytes:
        document = {
            **problem_details(code, detail),
            "status": int(status),
            **self._entries.members(code),
            "errors": [],
        }
        return json.dumps(document, separators=(",", ":")).encode()


def _fields(content: bytes, *fields: str) -> list[str]:
    return [
        f"Content-Type: {PROBLEM_JSON}",
        f"Content-Length: {len(content)}",
        "Cache-Control: no-store",
        f"Content-Security-Policy: {DATA_POLICY}",
        "X-Content-Type-Options: nosniff",
        "Connection: close",
        *fields,
    ]
