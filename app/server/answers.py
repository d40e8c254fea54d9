"""Answers to those who have not asked anything yet, as prepared bytes."""

import json
from http import HTTPStatus

from steadygrid.domain.problem_details import PROBLEM_JSON, problem_details

CROWDED_DETAIL = "Too many connections are open. Come back in a moment."
RETRY_CROWDED_SECONDS = 1
DATA_POLICY = "default-src 'none'; frame-ancestors 'none'"
"""The content security policy of answers that are data: they may do nothing."""


def _answer(status: HTTPStatus, code: str, detail: str, *fields: str) -> bytes:
    document = problem_details(code, detail) | {"status": int(status), "errors": []}
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


LATE_ANSWER = _answer(
    HTTPStatus.REQUEST_TIMEOUT, "request_timeout", "The rest of the request did not arrive."
)
CROWDED_ANSWER = _answer(
    HTTPStatus.SERVICE_UNAVAILABLE,
    "too_many_connections",
    CROWDED_DETAIL,
    f"Retry-After: {RETRY_CROWDED_SECONDS}",
)
