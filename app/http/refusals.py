"""Refusals: answers that say no, as problem details (RFC 9457) with a stable code."""

from collections.abc import Iterable, Mapping
from typing import Any

from fastapi import Response
from pydantic import BaseModel, ConfigDict, Field

from app.db.errors import DatabaseFullError, DatabaseUnavailableError
from steadygrid.domain.document import canonical_json
from steadygrid.domain.errors import Fault, format_pointer
from steadygrid.domain.problem_details import PROBLEM_JSON, problem_details

RETRY_UNAVAILABLE_SECONDS = 5
RETRY_FULL_SECONDS = 60


class RefusedPart(BaseModel):
    """One fault; exactly one of `pointer`, `parameter` and `header` says where it is."""

    model_config = ConfigDict(extra="forbid")

    pointer: str | None = Field(
        None, description="walks the body that was sent, as the fragment form of RFC 6901"
    )
    parameter: str | None = Field(None, description="name of a query parameter")
    header: str | None = Field(None, description="name of a header field")
    code: str
    detail: str


class ProblemDetails(BaseModel):
    """Problem details of RFC 9457; programs read `code`, people `detail`."""

    model_config = ConfigDict(title="ProblemDetails")

    type: str = Field(description="a URN that ends in the code")
    title: str
    status: int | None = Field(None, description="of the HTTP answer. A failed job has none")
    detail: str
    code: str
    help: str | None = Field(
        None, description="path of the code's entry in the guide, where the guide is installed"
    )
    errors: list[RefusedPart] = Field(default_factory=list)


class Refusal(Exception):
    """A request that is answered with problem details.

    Parameters
    ----------
    code
        Stable; `app.main.STATUS_BY_CODE` gives the HTTP status.
    detail
        One or two sentences for a person; never holds the input.
    errors
        The single faults, where there are some.
    headers
        Further header fields of the answer, such as ``Retry-After``.
    """

    def __init__(
        self,
        code: str,
        detail: str,
        *,
        errors: Iterable[RefusedPart] = (),
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(code)
        self.code = code
        self.detail = detail
        self.errors = list(errors)
        self.headers = dict(headers or {})

    def __reduce__(self) -> tuple[Any, ...]:
        # Bodies are read in processes of their own, and refused here.
        return type(self), (self.code, self.detail), self.__dict__


def database_away(error: DatabaseUnavailableError) -> Refusal:
    """Refuse what needs the database while it cannot be reached, or has no room."""
    if isinstance(error, DatabaseFullError):
        return Refusal(
            "disk_full",
            "The disk of the service's database is full: nothing was stored, and nothing that was"
            " stored is lost. The operator has to make room on it. Then send this again.",
            headers={"Retry-After": str(RETRY_FULL_SECONDS)},
        )
    again = {"Retry-After": str(RETRY_UNAVAILABLE_SECONDS)}
    return Refusal("unavailable", "The database is away.", headers=again)


def refused_pointers(faults: Iterable[Fault]) -> list[RefusedPart]:
    """Write faults of a body as parts of a refusal."""
    return [
        RefusedPart(pointer=format_pointer(pointer), code=code, detail=detail)
        for pointer, code, detail in faults
    ]


def refused_parameter(name: str, code: str, detail: str) -> Refusal:
    """Refuse a query parameter.

    Parameters
    ----------
    name
        Of the parameter.
    code
        Stable; with underscores.
    detail
        A sentence for people.
    """
    return Refusal(
        "invalid_request",
        f"The query parameter {name} is not acceptable: {detail}",
        errors=[RefusedPart(parameter=name, code=code, detail=detail)],
    )


def refused_header(name: str, code: str, detail: str) -> Refusal:
    """Refuse a header field.

    Parameters
    ----------
    name
        Of the header field.
    code
        Stable; with underscores.
    detail
        A sentence for people.
    """
    return Refusal(
        "invalid_request",
        f"The header field {name} is not acceptable: {detail}",
        errors=[RefusedPart(header=name, code=code, detail=detail)],
    )


def problem_response(refusal: Refusal, status: int, help_path: str | None = None) -> Response:
    """Write a refusal as an HTTP answer.

    Parameters
    ----------
    refusal
        With its code, a sentence, and what is wrong where.
    status
        Of HTTP.
    help_path
        Of the code's entry in the guide. None where the guide is not installed.
    """
    document = problem_details(refusal.code, refusal.detail) | {
        "status": status,
        **({} if help_path is None else {"help": help_path}),
        "errors": [error.model_dump(exclude_none=True) for error in refusal.errors],
    }
    # Names from the body may hold lone surrogates, which UTF-8 has no bytes for.
    content = canonical_json(document).encode("utf-8", "backslashreplace")
    headers = {"Cache-Control": "no-store"} | refusal.headers
    return Response(content, status, headers, media_type=PROBLEM_JSON)
