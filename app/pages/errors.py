"""Refusals as pages: for people, who ask for HTML; programs get problem details as ever."""

from fastapi import Request, Response
from starlette.types import Scope

from app.http.paths import own_path
from app.http.refusals import Refusal
from app.pages import words
from app.pages.rendering import html
from steadygrid.domain.problem_details import problem_details

_FOR_PROGRAMS = ("/v1", "/livez", "/readyz", "/metrics", "/openapi.json", "/static")


def wants_page(scope: Scope) -> bool:
    """Whether a request is for a person: for a path outside the API, by one who takes HTML."""
    path = own_path(scope)
    if any(path == one or path.startswith(f"{one}/") for one in _FOR_PROGRAMS):
        return False
    accepted = dict(scope["headers"]).get(b"accept", b"").decode("latin-1").lower()
    return any(
        part.partition(";")[0].strip() in ("text/html", "application/xhtml+xml")
        for part in accepted.split(",")
    )


def error_page(
    request: Request, refusal: Refusal, status: int, help_path: str | None = None
) -> Response:
    """Say what was wrong, where, and what to try.

    Parameters
    ----------
    request
        That is refused.
    refusal
        With its code, a sentence, and what is wrong where.
    status
        Of HTTP.
    help_path
        Of the code's entry in the guide. None where the guide is not installed.
    """
    details = problem_details(refusal.code, refusal.detail)
    faults = [
        (error.pointer or error.parameter or error.header or "", error.detail)
        for error in refusal.errors
    ]
    answer = html(
        request,
        "error",
        details["title"],
        status,
        busy="",
        version=request.app.version,
        refusal_title=details["title"],
        detail=refusal.detail,
        faults=faults,
        remedy=words.remedy(refusal),
        code=refusal.code,
        help_path=help_path,
        status_code=status,
    )
    answer.headers["Cache-Control"] = "no-store"
    for name, value in refusal.headers.items():
        answer.headers[name] = value
    return answer
