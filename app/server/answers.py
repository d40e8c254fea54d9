"""Answers to clients whose requests are not read, as bytes."""

import json
from http import HTTPStatus

from app.error_entries import ErrorEntries
from steadygrid.domain.problem_details import PROBLEM_JSON, problem_details

CROWDED_DETAIL = "Too many connections are open. Come back in a moment."
RETRY_CROWDED_SECONDS = 1
DATA_POLICY = "default-src 'none'; frame-ancestors 'none'"
"""The content security policy of answers that are data: they may do nothing."""


class PreparedAnswers:
    """What a client is told whose request is not read.

    Parameters
    ----------
    entries
        Say where the guide tells of the codes.
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
            HTTPStatus.SERVICE_UNAVAILABLE,
            "too_many_connections",
            CROWDED_DETAIL,
            f"Retry-After: {RETRY_CROWDED_SECONDS}",
        )

    def _answer(self, status: HTTPStatus, code: str, detail: str, *fields: str) -> bytes:
        document = {
            **problem_details(code, detail),
            "status": int(status),
            **self._entries.members(code),
            "errors": [],
        }
        content = json.dumps(document, separators=(",", ":")).encode()
        head = [
            f"HTTP/1.1 {status.value} {status.phrase}",
            f"Content-Type: {PROBLEM_JSON}",
            f"Content-Length: {len(content)}",
            "Cache-Control: no-store",
            f"Content-Security-Policy: {DATA_POLICY}",
            "X-Content-Type-Options: nosniff",
            "Connection: close",
            *fields,
        ]
        return "\r\n".join([*head, "", ""]).encode() + content
