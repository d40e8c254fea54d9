"""``/v1/problems``."""

from typing import Annotated

from fastapi import APIRouter, Response

from app.http.answers import json_answer
from app.http.openapi import answer, problems
from app.http.pages import (
    DEFAULT_LIMIT,
    Limit,
    PageToken,
    page_document,
    page_of,
    page_size,
)
from app.http.parameters import documented_values
from app.problem_kinds import service
from steadygrid.kinds import PROBLEMS

router = APIRouter(prefix="/v1/problems", tags=["problems"])


@router.get("", responses={200: answer("Some kinds.", "ProblemKindPage"), **problems()})
def list_problem_kinds(limit: Limit = DEFAULT_LIMIT, page_token: PageToken = None) -> Response:
    """List the kinds of problems that can be solved."""
    page = page_of(service.problem_kinds(), page_size(limit), page_token)
    return json_answer(page_document(list(page.items), page.next_token))


@router.get("/{kind}", responses={200: answer("The kind.", "ProblemKindDetails"), **problems(404)})
def get_problem_kind(kind: Annotated[str, documented_values(PROBLEMS)]) -> Response:
    """Say what a kind asks and answers, with an example that can be posted as it is."""
    return json_answer(service.problem_kind(kind))
