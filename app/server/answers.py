"""Answers to those who have not asked anything yet, as prepared bytes."""

import json
from http import HTTPStatus

from steadygrid.domain.problem_details import PROBLEM_JSON, problem_details

CROWDED_DETAIL = "Too many connections are open. Come back in a moment."
RETRY_CROWDED_SECONDS = 1
DATA_POLICY = "default-src 'none'; frame-ancestors 'none'"
"""The content security policy of answers that are data: they may do nothing."""


def _content(status: HTTPStatus, code: str, detail: str) -> bytes:
    document = problem_details(code, detail) | {"status": int(status), "errors": []}
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


def _answer(status: HTTPStatus, code: str, detail: str, *fields: str) -> bytes:
    content = _content(status, code, detail)
    head = [f"HTTP/1.1 {status.value} {status.phrase}", *_fields(content, *fields)]
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
ENDING_CONTENT = _content(
    HTTPStatus.SERVICE_UNAVAILABLE,
    "unavailable",
    "This process ends, and the answer takes longer. Send the request again, with the same"
    " Idempotency-Key if it makes something.",
)
ENDING_FIELDS = [
    (name.lower().encode(), value.encode())
    for name, value in (
        field.split(": ", 1)
        for field in _fields(ENDING_CONTENT, f"Retry-After: {RETRY_CROWDED_SECONDS}")
    )
]
"""What a request is answered that is under way when its process has to end."""
